"""Faults of the daemon's process and of what the kernel tells it: kills, pauses, clocks, descriptors, watches."""

import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.faults.shifted_clock import ShiftedClock
from tests.faults.test_e_kernel_limits import QUEUE, limited
from tests.soak.field import Fault, Field, NotHere

_HOUR, _YEAR = 3600, 365 * 24 * 3600
_LONGEST_QUEUE = 20_000


@contextmanager
def _killed(field: Field) -> Iterator[None]:
    field.supervisor.kill()
    yield


@contextmanager
def _killed_often(field: Field) -> Iterator[None]:
    for _ in range(5):
        field.supervisor.kill()
        field.last(0.6, 2.0)
    yield


@contextmanager
def _stopped(field: Field) -> Iterator[None]:
    process = field.supervisor.running.process
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


@contextmanager
def _no_descriptor(field: Field) -> Iterator[None]:
    pid = field.supervisor.running.pid
    opened = {int(name) for name in os.listdir(f"/proc/{pid}/fd")}
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (max(opened) + 1, before[1]))
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_NOFILE, before)


def _clocks(field: Field) -> ShiftedClock:
    if field.clocks is None:
        raise NotHere("needs a C compiler, for clocks of the daemon's own")
    return field.clocks


@contextmanager
def _clock_back(field: Field) -> Iterator[None]:
    _clocks(field).step(-_HOUR)
    yield
    _clocks(field).step(_HOUR)


@contextmanager
def _clock_ahead(field: Field) -> Iterator[None]:
    _clocks(field).step(10 * _YEAR)
    yield
    _clocks(field).step(-10 * _YEAR)


@contextmanager
def _suspended(field: Field) -> Iterator[None]:
    """Eight hours asleep; and as these never were, the wall clock is set right afterwards."""
    _clocks(field).suspend(8 * _HOUR)
    yield
    _clocks(field).step(-8 * _HOUR)


@contextmanager
def _overflow(field: Field) -> Iterator[None]:
    if (length := int(QUEUE.read_text())) > _LONGEST_QUEUE:
        raise NotHere(f"the kernel's queue takes {length} events")
    one, other = field.new_file(3), field.new_file(3)
    line = b'{"type":"custom","id":"x","customType":"burst"}\n'
    with _stopped(field), one.open("ab", buffering=0) as first, other.open("ab", buffering=0) as second:
        for _ in range(length // 2 + 200):
            first.write(line)  # in turns: the kernel merges equal events that follow each other
            second.write(line)
    yield


@contextmanager
def _few_watches(field: Field) -> Iterator[None]:
    field.supervisor.restart(limited("max_inotify_watches", 4))
    try:
        yield
    finally:
        field.supervisor.restart()


@contextmanager
def _state_dir_away(field: Field) -> Iterator[None]:
    place = field.house.state_dir
    away = place.with_name("away")
    with field.gate.stillness():
        place.rename(away)
        try:
            yield
        finally:
            away.rename(place)


FAULTS = (
    Fault("A1", "SIGKILL", _killed, (0.5, 2.0)),
    Fault("A1", "SIGKILL five times in a row", _killed_often, (0.1, 0.5)),
    Fault("A5", "SIGSTOP, then SIGCONT", _stopped, (3.0, 8.0)),
    Fault("A7", "no file descriptor left", _no_descriptor),
    Fault("A13", "clock steps back an hour", _clock_back),
    Fault("A14", "clock ten years ahead", _clock_ahead),
    Fault("A15", "suspend of eight hours", _suspended),
    Fault("E2", "event queue overflows", _overflow, (0.1, 0.5)),
    Fault("E3", "watch limit", _few_watches, (4.0, 8.0), told_as=frozenset({"watch_limit"})),
    Fault("E6", "state dir vanishes and comes back", _state_dir_away, (3.0, 7.0)),
)
