"""A session in OpenClaw's own SQLite as a path: `<the database>/<session id>.jsonl`.

No file system has such a path, so it is no other file's; to all that follows files it is one. Names only.
"""

from __future__ import annotations

from urllib.parse import quote, unquote

from syncd.openclaw.file_kinds import FileName, classify

STORE_SUFFIX = ".sqlite"
_MARK = STORE_SUFFIX + "/"
_SIDECARS = ("-wal", "-shm", "-journal")


def is_stored(path: str) -> bool:
    """Is it a session in a database, and not a file?"""
    at = path.rfind("/")
    return path.endswith(STORE_SUFFIX, 0, at) and at > 0 if _MARK in path else False


def is_stored_archive(path: str) -> bool:
    """Is it a deleted or reset transcript in a database?"""
    return is_stored(path) and not path.endswith(".jsonl")


def stored_path(store_path: str, session_id: str) -> str:
    return f"{store_path}/{stored_name(session_id)}"


def stored_name(session_id: str) -> str:
    """The session's id, unless its name would then be read as that of some other kind of file."""
    plain = f"{session_id}.jsonl"
    if "/" not in plain and "%" not in plain and classify(plain) == FileName("primary", session_id, session_id):
        return plain
    coded = quote(session_id, safe="", errors="surrogatepass")
    for mark in ".-_~":
        coded = coded.replace(mark, f"%{ord(mark):02X}")
    return f"{coded}.jsonl"


def store_of(path: str) -> str:
    """The database that a session's path names."""
    return path[: path.rfind("/")]


def session_id_of(path: str) -> str:
    name = path[path.rfind("/") + 1 :].removesuffix(".jsonl")
    return unquote(name, errors="surrogatepass") if "%" in name else name


def store_named(path: str) -> str:
    """The database that a file of the file system belongs to: it itself, or what lies beside it."""
    for suffix in _SIDECARS:
        path = path.removesuffix(suffix)
    return path
