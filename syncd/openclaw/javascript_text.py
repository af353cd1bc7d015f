"""Text as JavaScript measures it: what it takes for white space, and lengths in UTF-16 units.

Titles and silence are OpenClaw's rules, written with these; Python's own idea of both is another.
"""

import re
from typing import Final

WHITE: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
r"""Every letter that `\s` is there; so it is the inside of a character class as well."""
_WHITES: Final = f"[{WHITE}]+"


def trimmed(text: str) -> str:
    """`text.trim()`"""
    return text.strip(WHITE)


def collapsed(text: str) -> str:
    r"""`text.replace(/\s+/g, " ").trim()`"""
    return re.sub(_WHITES, " ", text).strip(" ")


def utf16_length(text: str) -> int:
    """`text.length`"""
    return len(text) if text.isascii() else len(text) + sum(letter > "\uffff" for letter in text)


def utf16_head(text: str, length: int) -> str:
    """`text.slice(0, length)`; a character cut in two becomes U+FFFD, as Node writes it."""
    if text.isascii():
        return text[:length]
    units = text[: length + 1].encode("utf-16-le", "surrogatepass")[: 2 * length]
    return units.decode("utf-16-le", "replace")
