"""systemd's notification protocol: one datagram per message, nothing where no socket was given."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from syncd.clock import Clock

SIGN_SECONDS: Final = 5.0
STARTING_USEC: Final = 300_000_000
"""From the last sign on, a start that gets on may take this much longer."""


class Notifier:
    """Tells the service manager how we are; a no-op without one."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        found = (environ if environ is not None else os.environ).get("NOTIFY_SOCKET", "")
        # An abstract socket's name begins with @ in the environment and with NUL on the wire.
        self._address = "\0" + found[1:] if found.startswith("@") else found

    def send(self, *fields: str) -> None:
        """Such as READY=1, STATUS=..., WATCHDOG=1, STOPPING=1."""
        if not self._address:
            return
        # The manager's trouble is not ours: a mirror goes on without being watched.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            sender.setblocking(False)  # nor is it if it does not read
            sender.sendto("\n".join(fields).encode(), self._address)


class Signs:
    """The same message with each call, but at most every few seconds: work is being done."""

    def __init__(self, notifier: Notifier, clock: Clock, *fields: str) -> None:
        self._notifier, self._clock, self._fields = notifier, clock, fields
        self._next = clock.monotonic()

    def __call__(self) -> None:
        if (now := self._clock.monotonic()) >= self._next:
            self._next = now + SIGN_SECONDS
            self._notifier.send(*self._fields)


def starting_signs(notifier: Notifier, clock: Clock) -> Signs:
    """Of a first catch-up, which may take longer than any fixed time for a start."""
    return Signs(notifier, clock, f"EXTEND_TIMEOUT_USEC={STARTING_USEC}", "STATUS=catching up")
