"""Paths of OpenClaw's files as text for the ledger, documents and logs; not for opening them again."""


def printable(path: str) -> str:
    """A path as text that SQLite and JSON can hold; bytes that are no UTF-8 are spelled out."""
    return path.encode("utf-8", "backslashreplace").decode() if path.isascii() is False else path
