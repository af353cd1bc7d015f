"""A conversation as Markdown that can be sent: what was said much as it was written, results in fences.

All words of others pass through `markdown_text`, which lets nothing of them become part of the page.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from syncd.cli.markdown_text import code, fenced, plain, prose
from syncd.cli.plain_text import one_line, shortened
from syncd.cli.readable import utc_time
from syncd.openclaw.main_argument import all_arguments

if TYPE_CHECKING:
    from syncd.ledger.reading.conversation import Said
    from syncd.openclaw.passages import Passage

RESULT_LINES: Final = 60
RESULT_CHARACTERS: Final = 6000
SPEAKERS: Final = {"user": "User", "assistant": "Assistant", "toolResult": "Tool", "bashExecution": "Shell"}
QUIET_TYPES: Final = frozenset({"custom", "label", "session_info", "thinking_level_change", "leaf", "session", "event"})
"""Types that a reader of the conversation does without, unless all is asked for."""


def markdown_page(about: dict[str, Any], said: Iterable["Said"], *, full: bool) -> Iterator[str]:
    """Pieces of text, in order."""
    yield f"# {plain(page_title(about))}\n\n"
    yield "".join(f"- {name}: {code(value)}\n" for name, value in page_facts(about))
    for each in said:
        if full or each.type not in QUIET_TYPES:
            yield from _entry(each, full=full)


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


def _entry(said: "Said", *, full: bool) -> Iterator[str]:
    when = utc_time(said.at)
    if any(passage.kind != "note" for passage in said.passages):
        yield f"\n## {plain(speaker(said))}{f' · {when}' if when else ''}\n"
    for passage in said.passages:
        text = passage.text
        if passage.kind in ("text", "summary"):
            yield f"\n{prose(text)}\n"
        elif passage.kind == "thinking":
            if full and text:
                yield f"\n{fenced(text, 'thinking')}\n"
        elif passage.kind == "call":
            yield _call(passage, full=full)
        elif passage.kind == "result":
            yield _result(passage, full=full)
        else:
            mark = "✗ " if passage.is_error else ""
            yield f"\n*{mark}{plain(one_line(f'{passage.title} {text}', 2000))}*\n"


def _call(passage: "Passage", *, full: bool) -> str:
    name = f"\n→ **{plain(one_line(passage.title or '?', 80))}**"
    if not full:
        return f"{name} {code(one_line(passage.text, 300))}\n"
    arguments = all_arguments(passage.arguments)
    is_one_line = arguments == " ".join(arguments.split())
    return f"{name} {code(arguments)}\n" if is_one_line else f"{name}\n\n{fenced(arguments)}\n"


def _result(passage: "Passage", *, full: bool) -> str:
    text = passage.text
    shown, left = (text, 0) if full else shortened(text, RESULT_LINES, RESULT_CHARACTERS)
    more = f"\n*… {left} more characters*\n" if left else ""
    mark = "✗ " if passage.is_error else ""
    body = f"\n{fenced(shown)}\n" if shown else ""
    return f"\n{mark}**{plain(one_line(passage.title or '?', 80))}**\n{body}{more}"
