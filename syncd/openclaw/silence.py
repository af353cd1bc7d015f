"""What is said in a transcript and meant for nobody: silent answers, heartbeats, memory flushes. Pure.

The rules are those of 2026.7.1, which take in those of older releases. Called for every message of a catch-up: a look
at the beginning or a search for the token comes first.
"""

import re
import unicodedata
from typing import Final

import orjson

from syncd.openclaw.javascript_text import WHITE, collapsed, trimmed, utf16_length

NO_REPLY: Final = "no_reply"
"""An answer that says that there is none."""
HEARTBEAT_OK: Final = "heartbeat_ok"
"""An answer that is nothing but the acknowledgement of a heartbeat."""
HEARTBEAT_ACK: Final = "heartbeat_ack"
"""An acknowledgement with a few words beside it: silent in answer to a heartbeat, an answer elsewhere."""
HEARTBEAT: Final = "heartbeat"
"""The prompt of a heartbeat."""
MEMORY_FLUSH: Final = "memory_flush"
"""The prompt to store memories before a compaction; whatever answers it is delivered to nobody."""

_SILENT: Final = "NO_REPLY"
_ACKNOWLEDGED: Final = "HEARTBEAT_OK"
_MAX_ACK: Final = 300
_ALWAYS_SEARCHED: Final = 120
"""Texts up to this length are searched whatever the case of their letters."""
_LONGEST_ACK: Final = 4096
_LONGEST_SILENCE: Final = 65_536
"""What is longer was said to somebody, and need not be taken apart."""
_S: Final = f"[{WHITE}]"

# Before a prompt may stand the envelope that 2026.5.7 gives to what comes through its gateway: "[Mon 2026-11-16 ...] ".
_PROMPT: Final = re.compile(
    rf"{_S}*(?:\[[A-Z][a-z]{{2}} [^\]\n]{{1,60}}\]{_S}*)?(?:"
    r"(?P<flush>Pre-compaction memory flush)"
    r"|Read HEARTBEAT\.md if it exists \(workspace context\)"
    r"|Run the following periodic tasks \(only those due based on their intervals\):"
    r"(?=[\s\S]*After completing all due tasks, reply HEARTBEAT_OK\.)"
    rf"|\[OpenClaw heartbeat poll\]{_S}*\Z)"
)
_POLL: Final = "[OpenClaw heartbeat poll]"
_DELIVERY: Final = "Delivery: "  # the hint that 2026.7.1 may put before a poll

_EXACT: Final = re.compile(rf"{_S}*{_SILENT}(?:{_S}+{_SILENT})*{_S}*", re.IGNORECASE)
_FINAL: Final = re.compile(rf"(?:^|[{WHITE}*.]){_SILENT}{_S}*\Z", re.IGNORECASE)
_THINKING: Final = r"(?:(?:antml:|mm:)?(?:think(?:ing)?|thought)|antthinking)"
_OPEN_TAG: Final = rf"{_S}*<{_S}*{_THINKING}\b[^<>]*>"
_THOUGHT: Final = re.compile(rf"{_OPEN_TAG}[\s\S]*?<{_S}*/{_S}*{_THINKING}{_S}*>{_S}*", re.IGNORECASE)
_OPEN_THOUGHT: Final = re.compile(_OPEN_TAG, re.IGNORECASE)
_PLAIN_THOUGHT: Final = re.compile(
    rf"{_S}*(?:think(?:ing)?|thought|analysis|reasoning){_S}*:?{_S}*\r?\n", re.IGNORECASE
)
_WHERE: Final = rf"(?:{_S}+(?:here|for{_S}+now|on{_S}+this|in{_S}+this{_S}+(?:chat|thread|channel|conversation)))?"
_INTENT: Final = re.compile(
    rf"{_S}*(?:i|i'll|i{_S}+will|i'm|i{_S}+am|we|we'll|we{_S}+will|the{_S}+assistant|assistant|the{_S}+bot|bot|openclaw)"
    rf"{_S}+(?:(?:will{_S}+)?(?:stay|remain|keep|be){_S}+(?:quiet|silent){_WHERE}"
    rf"|(?:do{_S}+not|don't|dont|will{_S}+not|won't|would{_S}+not|should{_S}+not){_S}+(?:reply|respond){_WHERE}"
    rf"|(?:have|has){_S}+nothing{_S}+(?:to|for){_S}+(?:say|add|reply|respond))(?:[.!?]+)?{_S}*",
    re.IGNORECASE,
)
_SUBSTANCE: Final = re.compile(
    rf"\b(?:answer|here(?:'s|{_S}+is)|tell{_S}+them|you{_S}+(?:should|can|could|need|must)|please|try|use|send"
    rf"|service{_S}+is|resolved|retry|yes|no,|sure)\b",
    re.IGNORECASE | re.ASCII,
)
_PLACEHOLDER: Final = re.compile(
    rf"{_S}*(?:(?:internal|private){_S}+)?(?:reasoning|thinking|thoughts?|analysis)(?:{_S}+notes?)?{_S}*", re.IGNORECASE
)
_MARKUP: Final = re.compile(r"<[^>]*>|&nbsp;", re.IGNORECASE)
_ENDS_WITH_OK: Final = re.compile(rf"{_ACKNOWLEDGED}\W{{0,4}}\Z", re.ASCII)


def silence_of_prompt(text: str) -> str | None:
    """`heartbeat`, `memory_flush`, or None: a person's words, as far as one can tell."""
    match = _PROMPT.match(text)
    if match is not None:
        return MEMORY_FLUSH if match["flush"] else HEARTBEAT
    if text.startswith(_DELIVERY) and trimmed(text).endswith(_POLL):
        return HEARTBEAT
    return None


def silence_of_answer(text: str) -> str | None:
    """`no_reply`, `heartbeat_ok`, `heartbeat_ack`, or None: an answer for somebody."""
    if len(text) > _LONGEST_SILENCE:
        return None
    if _ACKNOWLEDGED in text and (found := _acknowledgement(text)) is not None:
        return found
    if _SILENT in text or (len(text) <= _ALWAYS_SEARCHED and _SILENT in text.upper()):
        return NO_REPLY if _is_silent(text) else None
    return None


def _is_silent(text: str) -> bool:
    plain = trimmed(text)
    return _is_token(plain) or _is_token_in_json(plain) or _is_silent_behind_thoughts(plain)


def _is_token(text: str) -> bool:
    return _EXACT.fullmatch(text) is not None or _EXACT.fullmatch(_without_edge_punctuation(trimmed(text))) is not None


def _without_edge_punctuation(text: str) -> str:
    start, end = 0, len(text)
    while start < end and unicodedata.category(text[start])[0] == "P":
        start += 1
    while start < end and unicodedata.category(text[end - 1])[0] == "P":
        end -= 1
    return text[start:end]


def _is_token_in_json(text: str) -> bool:
    """As a string, or as the action of an object that has nothing else."""
    if not (text.startswith('"') and text.endswith('"')) and not (text.startswith("{") and text.endswith("}")):
        return False
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    if type(value) is dict and set(value) == {"action"}:
        value = value["action"]
    return type(value) is str and trimmed(value) == _SILENT


def _is_silent_behind_thoughts(text: str) -> bool:
    behind = text
    while (match := _THOUGHT.match(behind)) is not None:
        behind = behind[match.end() :]
    if behind != text:
        return _is_token(behind) or _is_intent(_without_final_token(behind))
    match = _OPEN_THOUGHT.match(text) or _PLAIN_THOUGHT.match(text)
    if match is None:
        return False
    behind = text[match.end() :]
    return _is_token(behind) or _is_thought_and_intent(_without_final_token(behind))


def _without_final_token(text: str) -> str | None:
    """None where it does not end with one."""
    found = _FINAL.search(text)
    return None if found is None else trimmed(text[: found.start()])


def _is_intent(text: str | None) -> bool:
    return text is not None and (not text or _INTENT.fullmatch(text) is not None)


def _is_thought_and_intent(text: str | None) -> bool:
    if text is None or _is_intent(text):
        return text is not None
    lines = [line for each in text.split("\n") if (line := trimmed(each))]
    before = "\n".join(lines[:-1])
    if lines and before and _INTENT.fullmatch(lines[-1]) is not None and _SUBSTANCE.search(before) is None:
        return True
    return _PLACEHOLDER.fullmatch(text) is not None


def _acknowledgement(text: str) -> str | None:
    plain = trimmed(text)
    if len(plain) > _LONGEST_ACK:
        return None
    rest = _without_token_at_edges(plain)
    if not rest:
        bare = _MARKUP.sub(" ", plain).lstrip("*`~_").rstrip("*`~_")
        rest = _without_token_at_edges(bare)
    if rest is None:
        return None
    if not rest:
        return HEARTBEAT_OK
    return HEARTBEAT_ACK if utf16_length(rest) <= _MAX_ACK else None


def _without_token_at_edges(text: str) -> str | None:
    """None where the token stands at neither end."""
    found, rest = False, trimmed(text)
    while True:
        if rest.startswith(_ACKNOWLEDGED):
            rest = trimmed(rest[len(_ACKNOWLEDGED) :])
        elif _ENDS_WITH_OK.search(rest) is not None:
            at = rest.rindex(_ACKNOWLEDGED)
            before = trimmed(rest[:at])
            rest = trimmed(before + trimmed(rest[at + len(_ACKNOWLEDGED) :])) if before else ""
        else:
            return collapsed(rest) if found else None
        found = True
