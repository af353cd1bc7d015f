"""The daemon's log: one line per event on stderr, JSON for programs, key=value for a person at a terminal.

Ids, counts, paths and reasons only, never what was said. Bounded: of one kind of event so many a minute, the others
are counted and told with the next that is written. Not the health log, which has its own file.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress

LINES_A_MINUTE = 30
MAX_VALUE_CHARACTERS = 500


class Log:
    """For the loop's thread and the door's."""

    def __init__(self, *, as_json: bool = True) -> None:
        self._as_json = as_json
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
                sys.stderr.write(line + "\n")
                sys.stderr.flush()


def _short(value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list | tuple):
        return [_short(item) for item in value[:20]]
    text = str(value)
    return text if len(text) <= MAX_VALUE_CHARACTERS else text[:MAX_VALUE_CHARACTERS] + "…"
