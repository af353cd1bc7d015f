"""What a verb and the daemon say to each other over the socket: one JSON document a line, and where that socket is.

The daemon speaks first, and says which protocol it speaks; then one request; then progress, and one `done` or `error`.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import contextmanager
from dataclasses import asdict, astuple, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from syncd import __version__
from syncd.errors import SyncdError
from syncd.mirror.catchup import CatchUp
from syncd.mirror.index_look import Degraded
from syncd.mirror.resync import Resynced, Wish
from syncd.records import FileProblem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

PROTOCOL = 1
MAX_REQUEST_BYTES = 4 * 1024 * 1024  # a purge names every session that goes
_MAX_ADDRESS_BYTES = 104 if os.uname().sysname == "Darwin" else 108  # sun_path, its final NUL included
_FIGURES = ("transcripts", "lines", "bytes", "quarantined", "seconds", "sessions", "waited_seconds")
_FILES = ("problems", "in_progress", "refused", "unknown", "lost")

Message = dict[str, Any]


def socket_path(ledger_path: Path) -> Path:
    """Beside the ledger itself, wherever a symlink to it may lie."""
    real = ledger_path.resolve()
    name = real.name + ".sock"
    if len(os.fsencode(name)) > 64:
        name = hashlib.sha256(os.fsencode(real.name)).hexdigest()[:16] + ".sock"
    return real.with_name(name)


@contextmanager
def short_address(path: Path) -> Iterator[str]:
    """An address for `path` that fits into the kernel's 108 bytes: through its directory's descriptor if need be."""
    if len(os.fsencode(path)) < _MAX_ADDRESS_BYTES or not os.path.isdir("/proc/self/fd"):
        yield str(path)
        return
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{descriptor}/{path.name}"
    finally:
        os.close(descriptor)


def hello() -> Message:
    """The daemon's first words."""
    return {"protocol": PROTOCOL, "version": __version__, "pid": os.getpid()}


def line_of(message: Message) -> bytes:
    return json.dumps(message).encode("ascii") + b"\n"


def message_of(line: bytes) -> Message | None:
    """None: no message."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def request_of(wish: Wish, state_dirs: tuple[str, ...]) -> Message:
    return {"protocol": PROTOCOL, "verb": "resync", "wish": asdict(wish), "state_dirs": list(state_dirs)}


def wish_of(message: Message) -> Wish | None:
    """The wish in a request; None where it makes no sense."""
    found = message.get("wish")
    if message.get("verb") != "resync" or not isinstance(found, dict):
        return None
    if found.keys() != {field.name for field in fields(Wish)}:
        return None
    wait = found["lock_wait_seconds"]
    is_text = all(found[name] is None or isinstance(found[name], str) for name in ("agent", "session"))
    is_wait = isinstance(wait, int | float) and 0 <= wait <= 3600
    return Wish(**found) if is_text and is_wait and isinstance(found["rebuild"], bool) else None


class ErrandWish(NamedTuple):
    """Anything else than a resync, by its name."""

    name: str
    arguments: dict[str, Any]


def request_of_errand(wish: ErrandWish) -> Message:
    return {"protocol": PROTOCOL, "verb": "errand", "name": wish.name, "arguments": wish.arguments, "state_dirs": []}


def errand_of(message: Message) -> ErrandWish | None:
    name, arguments = message.get("name"), message.get("arguments")
    if message.get("verb") != "errand" or not isinstance(name, str) or not isinstance(arguments, dict):
        return None
    return ErrandWish(name, arguments)


def message_of_result(done: Resynced) -> Message:
    result = done.caught_up
    return {
        "done": {name: getattr(result, name) for name in _FIGURES},
        **{name: [astuple(item) for item in getattr(result, name)] for name in _FILES},
        "degraded": [list(item) for item in result.degraded],
        "rebuilt": done.rebuilt,
        "repaired": done.repaired,
    }


def result_of(message: Message) -> Resynced:
    files: dict[str, Any] = {name: [FileProblem(*item) for item in message[name]] for name in _FILES}
    degraded = [Degraded(*item) for item in message["degraded"]]
    result = CatchUp(**message["done"], **files, degraded=degraded)
    return Resynced(result, message["rebuilt"], message["repaired"])


def message_of_error(error: SyncdError) -> Message:
    about = {"type": error.type, "title": str(error), "hint": error.hint, "exit_code": error.exit_code}
    return {"error": {**about, "details": dict(error.details())}}


def other_protocol(pid: object, protocol: object) -> SyncdError:
    return SyncdError(
        f"the running syncd (pid {pid}) is of another version: it speaks protocol {protocol}",
        "restart it (`syncd run`), so that both are the same",
    )


def senseless_request() -> SyncdError:
    return SyncdError("that request makes no sense to the running syncd", "use the same syncd for both")


class RemoteError(SyncdError):
    """What the daemon could not do, in its own words."""

    def __init__(self, said: Message) -> None:
        super().__init__(str(said.get("title")), str(said.get("hint", "")))
        self.type = str(said.get("type", "failed"))  # type: ignore[misc]  # of this one
        self.exit_code = int(said.get("exit_code", 1))  # type: ignore[misc]
        self._details: Message = said.get("details", {})  # an older daemon tells none

    def details(self) -> Mapping[str, object]:
        return self._details
