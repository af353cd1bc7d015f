"""`syncd health`: what the daemon wrote of itself, for people or as the JSON lines it is."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from syncd.cli.app import App
from syncd.cli.output import note, printable, with_app
from syncd.clock import SystemClock
from syncd.daemon.health_log import last_lines, lines_to_come
from syncd.errors import SyncdError

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command()
@click.option("-n", "count", type=click.IntRange(0), default=10, show_default=True, metavar="N",
              help="How many of the last lines.")  # fmt: skip
@click.option("-f", "follows", is_flag=True, help="Go on with every new line until Ctrl-C.")
@click.option("--json", is_flag=True, expose_value=False, help="The lines as they are: one JSON document each.")
@with_app
def health(app: App, count: int, *, follows: bool) -> None:
    """The health log: freshness, latency, what went wrong and when.

    One line every `health.interval_seconds`, and one when the daemon started, degraded, recovered or stopped.
    """
    path = app.health_log_path
    new_lines = lines_to_come(path, SystemClock())  # before the last are read: none may fall in between
    lines = last_lines(path, count)
    if not path.exists():
        if not follows:
            raise SyncdError(f"there is no health log at {path} yet", "`syncd run` writes it")
        note(f"waiting for {path}")
    for line in lines:
        _print(line, as_json=app.json)
    if follows:
        for line in new_lines:
            _print(line, as_json=app.json)


def _print(line: bytes, *, as_json: bool) -> None:
    text = line.decode(errors="backslashreplace")
    click.echo(text if as_json else "\n".join(_readable(text)))


def _readable(text: str) -> Iterator[str]:
    try:
        said = json.loads(text)
        at = datetime.fromtimestamp(said["at"] / 1000, UTC).astimezone()
        yield printable(f"{at:%Y-%m-%d %H:%M:%S}  {said['code']:<9}  {', '.join(_figures(said))}")
        for alarm in said.get("degraded", ()):
            yield printable(f"  {alarm['code']}: {alarm.get('path', '')} {alarm['reason']}".replace(":  ", ": "))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        yield printable(text)  # written by another program, or another syncd


def _figures(said: dict[str, Any]) -> Iterator[str]:
    if "reason" in said:
        yield f"pid {said['pid']}, {said['reason']}"
        return
    behind = f"{said['behind_bytes']} bytes behind for {said['behind_seconds']:.1f} s"
    is_paused = any(alarm["reason"].startswith("paused") for alarm in said["degraded"])
    yield behind if said["behind_bytes"] else "paused" if is_paused else "level"
    if said["latency_p50_ms"] is not None:
        yield f"append to commit p50 {said['latency_p50_ms']} p99 {said['latency_p99_ms']} ms"
    for name in ("missed_events", "rescans", "rewrites", "quarantined", "waiting"):
        yield f"{said[name]} {name.replace('_', ' ')}"
    yield f"WAL {said['wal_bytes']} bytes"
