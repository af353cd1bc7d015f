"""The daemon's log: one line per event on stderr, JSON for programs, key=value for a person at a terminal.

Ids, counts, paths and reasons only, never what was said. Bounded: of one kind of event so many a minute, the others
are counted and told with the next that is written; and a file behind stderr that nobody else rotates is emptied when it
has become as large as $SYNCD_LOG_BYTES. Not the health log, which has its own file.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

LINES_A_MINUTE = 30
MAX_VALUE_CHARACTERS = 500


def keep_small(environ: Mapping[str, str]) -> None:
    """At the start too: what fails at once says so each time. The service file of launchd sets the limit; else none."""
    with suppress(OSError, ValueError, AttributeError):  # no number, or no stderr
        limit, file = int(environ.get("SYNCD_LOG_BYTES", "")), sys.stderr.fileno()
        facts = os.fstat(file)
        if stat.S_ISREG(facts.st_mode) and facts.st_size > limit:
            os.ftruncate(file, 0)


class Log:
    """For the loop's thread and the door's."""

    def __init__(self, *, as_json: bool = True, environ: Mapping[str, str] | None = None) -> None:
        self._as_json, self._environ = as_json, environ or {}
        self._written: dict[str, tuple[float, int]] = {}  # event -> begin of its minute, lines in it

    def say(self, event: str, **fields: object) -> None:
        """`fields` are numbers and short texts."""
        now = time.monotonic()
        since, count = self._written.get(event, (now, 0))
        suppressed = max(0, count - LINES_A_MINUTE)
        if now - since >= 60:
            since, count = now, 0
        self._written[event] = (since, count + 1)
        if count >= LINES_A_MINUTE:
            return
        if suppressed and count == 0:
            fields = {**fields, "suppressed": suppressed}
        self._write(event, {name: _short(value) for name, value in fields.items()})

    def _write(self, event: str, fields: dict[str, object]) -> None:
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        if self._as_json:
            line = json.dumps({"at": at, "event": event, **fields})
        else:
            line = " ".join([at, event, *(f"{name}={json.dumps(value)}" for name, value in fields.items())])
        # A terminal that went away, or a full disk behind a redirection, is no reason to end.
        with suppress(OSError, ValueError):
            if sys.stderr is not None:
                keep_small(self._environ)
                sys.stderr.write(line + "\n")
                sys.stderr.flush()


def _short(value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list | tuple):
        return [_short(item) for item in value[:20]]
    text = str(value)
    return text if len(text) <= MAX_VALUE_CHARACTERS else text[:MAX_VALUE_CHARACTERS] + "…"
