"""A conversation as Markdown: what was said as it was written, results in fences, nothing that breaks the page.

Tags are escaped outside of code, a fence that was left open is closed with its message, and a result's fence is longer
than any inside it.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from syncd.cli.plain_text import one_line, readable, shortened
from syncd.cli.readable import utc_time

if TYPE_CHECKING:
    from syncd.cli.conversation_text import Redact
    from syncd.ledger.reading.conversation import Said
    from syncd.openclaw.passages import Passage

RESULT_LINES: Final = 60
RESULT_CHARACTERS: Final = 6000
SPEAKERS: Final = {"user": "User", "assistant": "Assistant", "toolResult": "Tool", "bashExecution": "Shell"}
QUIET_TYPES: Final = frozenset({"custom", "label", "session_info", "thinking_level_change", "leaf", "session", "event"})
"""Types that a reader of the conversation does without, unless all is asked for."""
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_CODE_OR_TAG: Final = re.compile(r"(`+)(?:(?!\1).)*?\1(?!`)|<(?=[A-Za-z/!?])")
_HEADING: Final = re.compile(r"( {0,3})(#{1,6}(?:\s|$)|[-=]{2,}\s*$)")


def markdown_page(about: dict[str, Any], said: Iterable["Said"], *, full: bool, redact: "Redact") -> Iterator[str]:
    """Pieces of text, in order."""
    yield f"# {_plain(redact(page_title(about)))}\n\n"
    yield "".join(f"- {name}: {_code(redact(value))}\n" for name, value in page_facts(about))
    for each in said:
        if full or each.type not in QUIET_TYPES:
            yield from _entry(each, full=full, redact=redact)


def page_title(about: dict[str, Any]) -> str:
    return one_line(str(about["title"] or about["session_key"] or about["session_id"]), 200)


def page_facts(about: dict[str, Any]) -> list[tuple[str, str]]:
    """What a reader elsewhere wants to know of the session."""
    facts = [
        ("session", about["session_key"]),
        ("id", about["session_id"]),
        ("agent", about["agent_id"]),
        ("started", utc_time(about["started_at"])),
    ]
    return [(name, one_line(str(value), 300)) for name, value in facts if value]


def speaker(said: "Said") -> str:
    if said.passages and said.passages[0].kind == "summary":
        return "Compaction" if said.passages[0].title == "compaction" else "Summary of a branch that was left"
    if said.row is None:
        return "Tool (made up: the result is missing)"
    return SPEAKERS.get(said.role or "", one_line(said.role or said.type, 60))


def _entry(said: "Said", *, full: bool, redact: "Redact") -> Iterator[str]:
    when = utc_time(said.at)
    if any(passage.kind != "note" for passage in said.passages):
        yield f"\n## {_plain(speaker(said))}{f' · {when}' if when else ''}\n"
    for passage in said.passages:
        text = redact(passage.text)
        if passage.kind in ("text", "summary"):
            yield f"\n{_prose(text)}\n"
        elif passage.kind == "thinking":
            if full and text:
                yield f"\n{_fenced(text, 'thinking')}\n"
        elif passage.kind == "call":
            argument = _code(text if full else one_line(text, 300))
            yield f"\n→ **{_plain(one_line(passage.title or '?', 80))}** {argument}\n"
        elif passage.kind == "result":
            yield _result(passage, text, full=full)
        else:
            mark = "✗ " if passage.is_error else ""
            yield f"\n*{mark}{_plain(one_line(f'{passage.title} {text}', 2000))}*\n"


def _result(passage: "Passage", text: str, *, full: bool) -> str:
    shown, left = (text, 0) if full else shortened(text, RESULT_LINES, RESULT_CHARACTERS)
    more = f"\n*… {left} more characters*\n" if left else ""
    mark = "✗ " if passage.is_error else ""
    body = f"\n{_fenced(shown)}\n" if shown else ""
    return f"\n{mark}**{_plain(one_line(passage.title or '?', 80))}**\n{body}{more}"


def _prose(text: str) -> str:
    """What was said, most of it Markdown itself: it keeps its form, but makes no headings and no tags of this page."""
    lines, fence = [], ""
    for line in readable(text).split("\n"):
        found = _FENCE.match(line)
        if fence:
            if found and found[1].startswith(fence) and not found[2].strip():
                fence = ""
            lines.append(line)
        elif found and not ("`" in found[2] and found[1][0] == "`"):
            fence = found[1]
            lines.append(line)
        else:
            escaped = _CODE_OR_TAG.sub(lambda each: "\\<" if each[0] == "<" else each[0], line)
            lines.append(_HEADING.sub(r"\1\\\2", escaped))
    return "\n".join([*lines, fence] if fence else lines)


def _fenced(text: str, kind: str = "") -> str:
    text = readable(text)
    longest = max(map(len, re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{kind}\n{text}\n{fence}"


def _code(text: str) -> str:
    text = " ".join(readable(text).split())
    if not text:
        return ""
    marks = "`" * (max(map(len, re.findall(r"`+", text)), default=0) + 1)
    return f"{marks} {text} {marks}" if "`" in text else f"`{text}`"


def _plain(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>])", r"\\\1", text)
