"""Letters without their case, of any alphabet: what two spellings of one name have in common. Pure.

SQLite's own lower() knows A to Z only, so what the ledger compares without case is stored folded. Macs spell accents
apart from their letters: both spellings fold to the same.
"""

from __future__ import annotations

from unicodedata import normalize


def folded(text: str) -> str:
    return text.lower() if text.isascii() else normalize("NFC", normalize("NFC", text).casefold())
