"""Options and arguments that several verbs take, worded once; and numbers, none that SQLite could not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from syncd.cli.completing import agent_names, channel_names, session_names

if TYPE_CHECKING:
    from collections.abc import Callable

    Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_LARGEST: Final = 2**63 - 1


class _Number(click.ParamType[int]):
    """Not click's own range: that would have every page of help speak of the largest that SQLite holds."""

    name = "integer"

    def __init__(self, least: int = -_LARGEST) -> None:
        self._least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        number = int(click.INT.convert(value, param, ctx))
        if abs(number) > _LARGEST:
            self.fail(f"{value} is more than there can be.", param, ctx)
        if number < self._least:
            self.fail(f"{value} is less than {self._least}.", param, ctx)
        return number


COUNT: Final = _Number(1)
_INTEGER: Final = _Number()


def only_agent() -> Decorator:
    return click.option("--agent", metavar="A", help="Only this OpenClaw agent.", shell_complete=agent_names)


def only_channel() -> Decorator:
    words = "Only this channel, such as telegram."
    return click.option("--channel", metavar="C", help=words, shell_complete=channel_names)


def only_session() -> Decorator:
    words = "Only this session: its key or the end of it, its id, the start of either, words of its title."
    return click.option("--session", metavar="KEY_OR_ID", help=words, shell_complete=session_names)


def lock_wait(words: str = "How long to wait for files that are being written.") -> Decorator:
    return click.option(
        "--lock-wait", type=click.FloatRange(0, 3600), default=30.0, show_default=True, metavar="SECONDS", help=words
    )  # fmt: skip


def transcript_id() -> Decorator:
    words = "The transcript of this transcripts.id."
    return click.option("--transcript", "transcript_id", type=_INTEGER, metavar="ID", help=words)


def generation(words: str = "As it was in this generation, before a rewrite.") -> Decorator:
    return click.option("--generation", type=_INTEGER, metavar="N", help=words)


def refuse_neither(name: str | None, transcript: int | None, argument: str) -> None:
    """A transcript is meant by its name or by its id; click knows no argument that an option can stand in for."""
    if name is None and transcript is None:
        raise click.UsageError(f"Missing argument '{argument}'.", click.get_current_context())
