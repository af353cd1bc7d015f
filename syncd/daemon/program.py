"""Which syncd this is, and whether the one that runs is another: an upgrade changes files, not a running process.

A version tells releases apart; the names and sizes of the package's files also tell what was installed between two, as
from a clone. Not a reason to be degraded: what runs mirrors as well as it did.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

import syncd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.daemon.beat import Beat

Note = dict[str, str]
"""`code`, `reason`, `hint`: like an alarm, and none."""

NOTES: Final = {
    "restart_needed": "`syncd service restart`; one that runs outside of a service, end and start again",
    "command_older": "`type -a syncd` lists those in your PATH; call the newer one, or upgrade this one",
}


class Program(NamedTuple):
    version: str
    files: str
    """A digest; the same for every copy of the same package."""


def this_program() -> Program:
    """As its files are at this moment: a daemon asks when it starts."""
    import hashlib  # loads a library that `status` needs only where a daemon runs

    digest = hashlib.sha256()
    for place in syncd.__path__:
        for name, size in sorted(_files(place)):
            digest.update(f"{name}\0{size}\0".encode("utf-8", "surrogateescape"))
    return Program(syncd.__version__, digest.hexdigest()[:16])


def _files(place: str, above: str = "") -> Iterator[tuple[str, int]]:
    try:
        with os.scandir(place) as found:
            for each in found:
                if each.is_dir(follow_symlinks=False):
                    if each.name != "__pycache__":
                        yield from _files(each.path, f"{above}{each.name}/")
                elif each.name.endswith((".py", ".sql", ".yaml")):
                    yield f"{above}{each.name}", each.stat().st_size
    except OSError:  # inside a zip file, or an upgrade is just under way
        return


def note_of(beat: Beat, own: Program) -> Note | None:
    """What there is to say of a daemon that is another program than `own`."""
    if (beat.version, beat.files) == own:
        return None
    if _number(beat.version) > _number(own.version):
        return _note("command_older", f"the running syncd is {beat.version}, this command {own.version}")
    if not beat.version:
        return _note("restart_needed", f"the running syncd is older than what is installed, {own.version}")
    if beat.version != own.version:
        return _note("restart_needed", f"the running syncd is still {beat.version}; installed is {own.version}")
    reason = f"the running syncd was started from other files than are installed now, both {own.version}"
    return _note("restart_needed", reason)


def _note(code: str, reason: str) -> Note:
    return {"code": code, "reason": reason, "hint": NOTES[code]}


def _number(version: str) -> tuple[int, ...]:
    """For comparing: `1.10` is after `1.9`; what follows a number that is none (`1.0rc1`) does not count."""
    return tuple(int(part) for part in version.split(".") if part.isdecimal())
