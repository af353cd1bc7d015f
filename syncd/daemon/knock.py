"""Asking the running daemon for what only it may do: the other side of daemon/door, for the command line."""

from __future__ import annotations

import socket
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from syncd.daemon.messages import (
    PROTOCOL,
    RemoteError,
    line_of,
    message_of,
    other_protocol,
    request_of,
    request_of_errand,
    result_of,
    short_address,
    socket_path,
)
from syncd.errors import SyncdError
from syncd.mirror.catchup import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from syncd.daemon.messages import ErrandWish, Message
    from syncd.mirror.resync import Resynced, Show, Wish

HELLO_SECONDS = 5.0
_MAX_ANSWER_BYTES = 64 * 1024 * 1024


def ask_daemon(ledger_path: Path, wish: Wish, state_dirs: tuple[str, ...], show: Show) -> Resynced | None:
    """What the daemon did; None where none answers: whoever holds the ledger takes no requests."""
    answer = _asked(ledger_path, request_of(wish, state_dirs), show)
    return result_of(answer) if answer is not None else None


def ask_errand(ledger_path: Path, wish: ErrandWish) -> Message | None:
    """The same of an errand."""
    answer = _asked(ledger_path, request_of_errand(wish), _unseen)
    return answer["done"] if answer is not None else None


@contextmanager
def _unseen(_phase: str) -> Iterator[Progress]:
    yield Progress()


def _asked(ledger_path: Path, request: Message, show: Show) -> Message | None:
    path = socket_path(ledger_path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection, ExitStack() as shown:
        connection.settimeout(HELLO_SECONDS)
        try:
            with short_address(path) as address:
                connection.connect(address)
            answers = connection.makefile("rb")
            shown.callback(answers.close)
            hello = _next(answers)
        except OSError:
            return None
        if hello.get("protocol") != PROTOCOL:
            raise other_protocol(hello.get("pid", "unknown"), hello.get("protocol", "unknown"))
        connection.settimeout(None)  # it may have much to do; if it ends, the connection does
        with suppress(OSError):  # it refused without listening: its reason can still be read
            connection.sendall(line_of(request))
        return _follow(answers, show, shown)


def _follow(answers: BinaryIO, show: Show, shown: ExitStack) -> Message:
    progress: Progress | None = None
    phase = shown.enter_context(ExitStack())
    while True:
        message = _next(answers)
        if "error" in message:
            raise RemoteError(message["error"])
        if "done" in message:
            return message
        if "phase" in message:
            phase.close()
            progress = phase.enter_context(show(message["phase"]))
        if progress is not None:
            progress.expect(message.get("expect", 0))
            progress.advance(message.get("advance", 0))


def _next(answers: BinaryIO) -> Message:
    try:
        line = answers.readline(_MAX_ANSWER_BYTES)
    except ConnectionError:
        line = b""
    message = message_of(line)
    if not line.endswith(b"\n") or message is None:
        raise SyncdError(
            "the running syncd ended before it had answered", "what it committed stays; run the command again"
        )
    return message
