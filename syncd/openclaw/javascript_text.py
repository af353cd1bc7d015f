"""Text as JavaScript measures it: what it takes for white space, and lengths in UTF-16 units.

Titles and silence are OpenClaw's rules, written with these; Python's own idea of both is another.
"""

import re
from typing import Final

WHITE: Final = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
r"""The inside of a character class: what `\s` is there."""
_WHITES: Final = re.compile(f"[{WHITE}]+")
_EDGES: Final = re.compile(f"^[{WHITE}]+|[{WHITE}]+\\Z")


def trimmed(text: str) -> str:
    """`text.trim()`"""
    return _EDGES.sub("", text)


def collapsed(text: str) -> str:
    r"""`text.replace(/\s+/g, " ").trim()`"""
    return _WHITES.sub(" ", text).strip(" ")


def utf16_length(text: str) -> int:
    """`text.length`"""
    return len(text) if text.isascii() else len(text) + sum(letter > "\uffff" for letter in text)


def utf16_head(text: str, length: int) -> str:
    """`text.slice(0, length)`; a character cut in two becomes U+FFFD, as Node writes it."""
    if text.isascii():
        return text[:length]
    units = text[: length + 1].encode("utf-16-le", "surrogatepass")[: 2 * length]
    return units.decode("utf-16-le", "replace")
