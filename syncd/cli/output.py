"""How verbs speak: a report for people or as one JSON document, errors with their exit code.

A verb is a function of `App` and its options, below click's decorators: with `@reports` it
returns a `Report` and has `--json`; with `@with_app` it writes stdout itself (`export`) and returns
an exit code or None. Both raise `SyncdError` for what cannot be done. stdout is the report's alone:
progress and remarks go to stderr by `note()`. Not a place that knows any verb.
"""

import errno
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from functools import update_wrapper
from itertools import islice
from typing import Any, Concatenate, NamedTuple, ParamSpec, TextIO

import click

from syncd.cli.app import App
from syncd.errors import SyncdError

P = ParamSpec("P")
NOT_RUNNING, UNHEALTHY, MISCONFIGURED = 3, 4, 78
"""Exit codes of verbs that judge; those of errors are the errors' own."""
NAMED_AT_MOST = 20
_LINES_AT_ONCE = 256
_NEWLINE_OF_ANOTHER = re.compile(r"\n(?!  )")


class StdoutError(OSError):
    """stdout takes no more: `main` says so, once, and ends. A reader that has left is a BrokenPipeError instead."""


@contextmanager
def to_stdout() -> Iterator[None]:
    """Around nothing but a write to stdout, so that no other fault is taken for one of it."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise StdoutError(fault.errno, fault.strerror) from fault


class AsItIs(str):
    """A line that goes out as it is: coloured, of words that were made harmless before, or a path that scripts take."""

    __slots__ = ()


class Report(NamedTuple):
    """`document` is what `--json` prints, `text` what people read; `exit_code` 0, 1, 3 or 4.

    `text` is a line, or lines as they come: none can steer the terminal or be more than one, whatever name is in it.
    """

    document: object
    text: str | Iterable[str] = ""
    exit_code: int = 0


def with_app(run: Callable[Concatenate[App, P], int | None]) -> Callable[P, int]:
    """Passes the `App` as first argument."""

    def verb(*args: P.args, **kwargs: P.kwargs) -> int:
        return run(click.get_current_context().ensure_object(App), *args, **kwargs) or 0

    return update_wrapper(verb, run)


def reports(run: Callable[Concatenate[App, P], Report]) -> Callable[..., int]:
    """Adds `--json`, passes the `App`, prints the returned `Report` and sets the exit code:

    @click.command()
    @click.option("--agent")
    @reports
    def verify(app: App, agent: str | None) -> Report: ...
    """

    def verb(app: App, /, *args: P.args, **kwargs: P.kwargs) -> int:
        report = run(app, *args, **kwargs)
        if app.json:
            print_document(report.document)
        else:
            print_text(report.text, color=app.color)
        return report.exit_code

    # main() has read the flag by now, since even a usage error must be JSON; this documents it.
    option = click.option("--json", is_flag=True, expose_value=False, help="Print one JSON document on stdout.")
    return option(update_wrapper(with_app(verb), run))


def closing(*lines: str, exits: Mapping[int, str] | None = None) -> str:
    """The end of a verb's help: examples, and the exit codes that mean something of their own here."""
    examples = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
    codes = "".join(f"\n  {code:<3} {meaning}" for code, meaning in (exits or {}).items())
    return examples + (f"\n\n\b\nExit codes:{codes}" if codes else "")


def note(message: str) -> None:
    """A remark for the person watching: stderr, also under `--json`."""
    _to_stderr(line_of(message))


def _to_stderr(text: str) -> None:
    """A log on a full disk is no reason to end: the work goes on, and the exit code tells how it went."""
    try:
        click.echo(text, err=True)
    except OSError:
        leave(sys.stderr)


def leave(stream: TextIO | None) -> None:
    """Nobody can read it: what Python still holds for it goes nowhere, without a word."""
    own: list[TextIO | None] = [sys.__stdout__, sys.__stderr__]
    if stream is not None and stream in own:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def printable(text: str) -> str:
    """`text` without characters that would steer the terminal; for names and words of others."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or character in "\n\t" else _escaped(character) for character in text
    )


def line_of(text: str) -> str:
    """The same in one line: a newline in a name must not make a line that looks like one of ours."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def _message(text: str) -> str:
    """A fault's words, which may go on below, set in; what a name holds never begins a line."""
    return _NEWLINE_OF_ANOTHER.sub(r"\\n", printable(text))


def counted(count: int, noun: str) -> str:
    """`1 line`, `2 lines`, `2 copies`."""
    if count == 1:
        return f"{count} {noun}"
    return f"{count} {noun[:-1]}ies" if noun.endswith("y") else f"{count} {noun}s"


def named(items: Iterable[str]) -> list[str]:
    """A line for each, set in; of many only the first."""
    found = list(items)
    more = [f"  and {len(found) - NAMED_AT_MOST} more"] if len(found) > NAMED_AT_MOST else []
    return [*(f"  {item}" for item in found[:NAMED_AT_MOST]), *more]


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")


def print_text(text: str | Iterable[str], *, color: bool = False) -> None:
    """A line, or lines as they come, made harmless; no text at all is not an empty line."""
    for line in filter(None, [text]) if isinstance(text, str) else text:
        with to_stdout():
            click.echo(line if isinstance(line, AsItIs) else line_of(line), color=color)


def print_lines(lines: Iterable[str], *, color: bool = False) -> None:
    """Many lines of what is harmless already (`plain_text`), without a flush after each."""
    rest = iter(lines)
    while batch := list(islice(rest, _LINES_AT_ONCE)):
        print_text([AsItIs("\n".join(batch))], color=color)


def is_terminal() -> bool:
    """Does a person read stdout as it comes?"""
    return sys.stdout is not None and sys.stdout.isatty()


def terminal_width() -> int | None:
    """In cells; None where stdout is no terminal, and nothing need fit."""
    return shutil.get_terminal_size().columns if is_terminal() else None


def page(lines: Iterable[str], *, color: bool = False) -> None:
    """Through the person's pager; as plain text where stdout is no terminal."""
    click.echo_via_pager((f"{line}\n" for line in lines), color=color)


def print_document(document: object) -> None:
    if sys.stdout is not None:
        print_bytes([encoded(document)])


def print_bytes(pieces: Iterable[bytes]) -> None:
    """Bytes as they are, in pieces as they come."""
    if sys.stdout is None:
        raise StdoutError(errno.EBADF, "it is closed")
    with to_stdout():
        sys.stdout.flush()
    for piece in pieces:
        with to_stdout():
            sys.stdout.buffer.write(piece)
    with to_stdout():
        sys.stdout.buffer.flush()


def encoded(document: object) -> bytes:
    import orjson

    option = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS
    try:
        return orjson.dumps(document, default=_plain, option=option)
    except orjson.JSONEncodeError:
        # File names that are no UTF-8 (lone surrogates) and integers beyond 64 bits: the standard
        # encoder writes both without loss.
        import json

        return json.dumps(document, default=_plain, indent=2).encode("ascii") + b"\n"


def _plain(value: Any) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    if hasattr(value, "__fspath__"):
        return str(value)
    raise TypeError(f"a {type(value).__name__} has no place in a JSON document")


def print_error(kind: str, message: str, hint: str = "", *, as_json: bool, **details: object) -> None:
    if as_json:
        error = {"type": kind, "message": message, "hint": hint, **details}
        print_document({"ok": False, "error": error})
        return
    _to_stderr(f"error: {_message(message)}")
    if hint:
        _to_stderr(f"hint: {_message(hint)}")


def print_syncd_error(error: SyncdError, *, as_json: bool) -> int:
    print_error(error.type, str(error), error.hint, as_json=as_json, **error.details())
    return error.exit_code
