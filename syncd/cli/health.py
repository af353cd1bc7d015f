"""`syncd health`: what the daemon wrote of itself, for people or as the JSON lines it is."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from syncd.cli.app import App
from syncd.cli.output import AsItIs, closing, note, print_document, print_text, with_app
from syncd.cli.readable import local_time
from syncd.clock import SystemClock
from syncd.daemon.codes import CODES
from syncd.daemon.health_log import last_lines, lines_to_come
from syncd.errors import SyncdError

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command(
    epilog=closing(
        "syncd health -n 60",
        "syncd health -f",
        "syncd health --codes",
        "syncd health -n 1000 --json | jq -c 'select(.degraded != [])'",
    )
)
@click.option("-n", "count", type=click.IntRange(0), default=10, show_default=True, metavar="N",
              help="How many of the last lines.")  # fmt: skip
@click.option("-f", "follows", is_flag=True, help="Go on with every new line until Ctrl-C.")
@click.option("--codes", is_flag=True, help="Instead: every code of what can be degraded, with what to do about it.")
@click.option("--json", is_flag=True, expose_value=False, help="The lines as they are: one JSON document each.")
@with_app
def health(app: App, count: int, *, follows: bool, codes: bool) -> None:
    """The health log: freshness, latency, what went wrong and when, and what to do about it.

    One line every `health.interval_seconds`, and one when the daemon started, degraded, recovered or stopped.
    """
    if codes:
        _print_codes(as_json=app.json)
        return
    path = app.health_log_path
    try:
        new_lines = lines_to_come(path, SystemClock())  # before the last are read: none may fall in between
        lines = last_lines(path, count)
    except OSError as fault:
        raise SyncdError(
            f"cannot read the health log {path}: {fault.strerror}", "`syncd doctor` says what is wrong with it"
        ) from None
    if not os.path.exists(path):
        if not follows:
            raise SyncdError(f"there is no health log at {path} yet", "`syncd run` writes it")
        note(f"waiting for {path}")
    for line in lines:
        _print(line, as_json=app.json)
    if follows:
        with suppress(KeyboardInterrupt):  # the end that was asked for
            for line in new_lines:
                _print(line, as_json=app.json)


def _print_codes(*, as_json: bool) -> None:
    if as_json:
        print_document({code: about._asdict() for code, about in CODES.items()})
        return
    for code, about in CODES.items():
        print_text([f"{code}: {about.meaning}", f"  {about.remedy}"])


def _print(line: bytes, *, as_json: bool) -> None:
    text = line.decode(errors="backslashreplace")
    print_text([AsItIs(text)] if as_json else _readable(text))


def _readable(text: str) -> Iterator[str]:
    try:
        said = json.loads(text)
        yield f"{local_time(said['at'], seconds=True)}  {said['code']:<9}  {', '.join(_figures(said))}"
        for alarm in said.get("degraded", ()):
            where = f"{alarm['path']}: " if alarm.get("path") else ""
            remedy = f"; {alarm['hint']}" if alarm.get("hint") else ""
            yield f"  {alarm['code']}: {where}{alarm['reason']}{remedy}"
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        yield text  # written by another program, or another syncd


def _figures(said: dict[str, Any]) -> Iterator[str]:
    if "reason" in said:
        yield f"pid {said['pid']}, {said['reason']}"
        return
    behind = f"{said['behind_bytes']} bytes behind for {said['behind_seconds']:.1f} s"
    is_paused = any(alarm["reason"].startswith("paused") for alarm in said["degraded"])
    yield behind if said["behind_bytes"] else "paused" if is_paused else f"level{_silence(said)}"
    if said["latency_p50_ms"] is not None:
        yield f"append to commit p50 {said['latency_p50_ms']} p99 {said['latency_p99_ms']} ms"
    for name in ("taken_lines", "taken_bytes", "missed_events", "rescans", "rewrites", "quarantined", "waiting"):
        yield f"{said[name]} {name.replace('_', ' ')}"
    yield f"WAL {said['wal_bytes']} bytes"
    if said["disk_free_bytes"] is not None:
        yield f"disk {said['disk_free_bytes'] >> 20} MiB free"
    yield from (
        f"{run['job']} {'ok' if run['ok'] else 'failed'} {local_time(run['started_at'], seconds=True)}"
        for run in said["job_results"]
    )


def _silence(said: dict[str, Any]) -> str:
    """That nothing comes because nothing is written."""
    states = {agent["state"] for agent in said["agents"]}
    return ", source silent" if states == {"silent"} else ""
