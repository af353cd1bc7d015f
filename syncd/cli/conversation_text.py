"""A conversation as lines for a terminal: who said what and when, tools in a line, results by their beginning.

Colours are put in always and taken out by whoever prints to something that has none. All words of others pass through
`readable` first.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import click

from syncd.cli.markdown_page import QUIET_TYPES
from syncd.cli.plain_text import one_line, readable, shortened
from syncd.cli.readable import local_time, size
from syncd.openclaw.main_argument import all_arguments

if TYPE_CHECKING:
    from syncd.ledger.reading.conversation import Said
    from syncd.openclaw.passages import Passage

RESULT_LINES: Final = 8
RESULT_CHARACTERS: Final = 800
_ARGUMENT_CHARACTERS: Final = 160
_SPEAKERS: Final = {
    "user": ("user", "green"),
    "assistant": ("assistant", "cyan"),
    "toolResult": ("tool", "blue"),
    "bashExecution": ("shell", "blue"),
}
_INDENT: Final = "  "


def head_lines(about: dict[str, Any]) -> Iterator[str]:
    """The session in two lines."""
    name = about["session_key"] or about["session_id"]
    title = f"{_INDENT}{one_line(about['title'], 100)}" if about["title"] else ""
    yield click.style(one_line(name, 300), bold=True) + title
    facts = [
        about["session_id"],
        f"agent {about['agent_id']}",
        f"{about['kind']}, {about['state']}",
        size(about["bytes"]),
    ]
    if about["generation"] > 1:
        facts.append(f"generation {about['generation']}")
    if about["cwd"]:
        facts.append(about["cwd"])
    yield click.style(one_line(" · ".join(facts), 2000), dim=True)


def conversation_lines(said: Iterable["Said"], *, full: bool) -> Iterator[str]:
    for each in said:
        if full or each.type not in QUIET_TYPES:
            yield from _entry_lines(each, full=full)


def pending_lines(said: Iterable["Said"]) -> Iterator[str]:
    """Input that waits for its turn, after all that was said."""
    for each in said:
        name, colour = _SPEAKERS["user"]
        about = f"{local_time(each.at, seconds=True)}{_INDENT}{each.type}: not in the transcript yet"
        yield ""
        yield click.style(name, fg=colour, bold=True) + _INDENT + click.style(one_line(about, 100), fg="yellow")
        for passage in each.passages:
            yield from _passage_lines(passage, full=False)


def _entry_lines(said: "Said", *, full: bool) -> Iterator[str]:
    kinds = {passage.kind for passage in said.passages}
    if kinds <= {"note"}:
        for note in said.passages:
            text = f"{note.title}: {note.text}" if note.text else note.title
            yield click.style(f"{_INDENT}{one_line(text, 200)}", dim=True)
        return
    yield ""
    if "summary" in kinds:
        name = "compaction" if said.passages[0].title == "compaction" else "summary of a branch that was left"
        yield click.style(f"── {name} ──", fg="magenta") + _when(said)
    else:
        name, colour = _SPEAKERS.get(said.role or "", (said.role or said.type, "yellow"))
        yield click.style(one_line(name, 60), fg=colour, bold=True) + _when(said)
    for passage in said.passages:
        yield from _passage_lines(passage, full=full)


def _when(said: "Said") -> str:
    parts = [local_time(said.at, seconds=True)]
    model, provider = said.message.get("model"), said.message.get("provider")
    if said.role == "assistant" and isinstance(model, str):
        parts.append(f"{provider}/{model}" if isinstance(provider, str) else model)
    if said.row is None:
        parts = ["made up: OpenClaw would send this in place of a missing result"]
    elif said.row.superseded_in is not None:
        parts.append(f"until generation {said.row.superseded_in}")
    return click.style("".join(_INDENT + one_line(part, 100) for part in parts if part), dim=True)


def _passage_lines(passage: "Passage", *, full: bool) -> Iterator[str]:
    text = passage.text
    if passage.kind == "thinking":
        if full and text:
            yield from _indented(click.style(line, dim=True, italic=True) for line in readable(text).split("\n"))
    elif passage.kind == "call":
        yield from _call_lines(passage, full=full)
    elif passage.kind == "result":
        yield from _result_lines(passage, full=full)
    elif passage.kind == "attachment":
        yield click.style(f"{_INDENT}[{one_line(f'{passage.title} {text}', 80)}]", dim=True)
    elif passage.kind == "error":
        words = f": {one_line(text, 2000)}" if text else ""
        yield _INDENT + click.style(f"✗ {one_line(passage.title, 80)}{words}", fg="red")
    elif passage.kind == "note":
        yield click.style(f"{_INDENT}{one_line(f'{passage.title}: {text}', 200)}", dim=True)
    else:
        if passage.kind == "text" and passage.title:
            yield click.style(f"{_INDENT}{one_line(passage.title, 80)}", dim=True)
        yield from _indented(readable(text).split("\n"))


def _call_lines(passage: "Passage", *, full: bool) -> Iterator[str]:
    """The main argument in a line, or all of them below."""
    name = click.style("→ " + one_line(passage.title or "?", 80), fg="blue")
    shown = readable(all_arguments(passage.arguments)) if full else one_line(passage.text, _ARGUMENT_CHARACTERS)
    if "\n" not in shown:
        yield f"{_INDENT}{name} {shown}".rstrip()
        return
    yield f"{_INDENT}{name}"
    yield from _indented(f"  {line}" for line in shown.split("\n"))


def _result_lines(passage: "Passage", *, full: bool) -> Iterator[str]:
    text = passage.text
    mark = click.style("✗ ", fg="red") if passage.is_error else ""
    yield f"{_INDENT}{mark}{click.style(one_line(passage.title or '?', 80), fg='blue')}"
    shown, left = (text, 0) if full else shortened(text, RESULT_LINES, RESULT_CHARACTERS)
    if shown:
        yield from _indented(click.style(line, dim=not passage.is_error) for line in readable(shown).split("\n"))
    if left:
        yield click.style(f"{_INDENT}… {left} more characters: --full", dim=True)


def _indented(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield f"{_INDENT}{line}" if line else ""
