"""Words of others made harmless for a terminal, cut to what is worth a look, and laid out in lines.

What was said may hold escape sequences, bidirectional controls or anything else: none of it reaches the terminal raw.
Quick, for megabytes of it. Not for names and messages of ours: `output.printable` does for those.
"""

import re
from typing import Final

_UNSAFE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Controls of both sets, what turns the direction of text, what cannot be seen; joiners of emoji may stay."""
_NEWLINE: Final = re.compile(r"\r\n?")


def readable(text: str) -> str:
    """Newlines and tabs stay; every other control is spelled out."""
    if "\r" in text:
        text = _NEWLINE.sub("\n", text)
    return _UNSAFE.sub(_spelled, text)


def _spelled(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape", "backslashreplace").decode("ascii")


def one_line(text: str, limit: int) -> str:
    """The text in one line of at most `limit` characters."""
    shown = readable(" ".join(text[: limit * 4].split()))
    return shown if len(shown) <= limit else shown[: limit - 1].rstrip() + "…"


def shortened(text: str, max_lines: int, max_characters: int) -> tuple[str, int]:
    """The beginning of a text, and how many characters were left out."""
    cut = min(len(text), max_characters)
    place = -1
    for _ in range(max_lines):
        place = text.find("\n", place + 1, cut)
        if place < 0:
            break
    else:
        cut = place
    shown = text[:cut]
    return shown, len(text) - len(shown) if text[cut:].strip() else 0
