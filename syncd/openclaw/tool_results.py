"""What a tool result says beyond its text: that something failed, or that OpenClaw made it up. Pure, and hot."""

from typing import Any, Final

# The spellings that are met with; a search of all others would cost more than all the rest of the line.
_WORDS: Final = ("error", "Error", "failed", "ERROR", "FAILED", "Failed")
_BYTE_WORDS: Final = tuple(word.encode() for word in _WORDS)
_ABORTED: Final = "aborted"
MISSING_TEXT: Final = (
    "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair."
)
"""What OpenClaw says in place of a result that is not there."""
SYNTHETIC_MARK: Final = "openclawSyntheticMissingToolResult"


def says_error(content: object) -> int:
    """1 if the words error or failed are in the text, which may be given as UTF-8 too."""
    if type(content) is str:
        return _has_word(content)
    if type(content) is bytes:
        return int(any(word in content for word in _BYTE_WORDS))
    if type(content) is list:
        for block in content:
            if type(block) is dict and block.get("type") == "text" and type(block.get("text")) is str:  # noqa: SIM102 - quicker so
                if _has_word(block["text"]):
                    return 1
    return 0


def _has_word(text: str) -> int:
    for word in _WORDS:
        if word in text:
            return 1
    return 0


def is_synthetic(message: dict[str, Any]) -> bool:
    """Did OpenClaw put it where none had come? Only failures can be such.

    2026.7.1 says so in the details; before, the text tells, and where it is the bare word `aborted` (what some
    providers want), that there are no details at all, which every tool gives.
    """
    details, content = message.get("details"), message.get("content")
    if type(details) is dict and details.get(SYNTHETIC_MARK) is True:
        return True
    if type(content) is not list or len(content) != 1 or type(content[0]) is not dict:
        return False
    text = content[0].get("text")
    return bool(text == MISSING_TEXT or (text == _ABORTED and "details" not in message))
