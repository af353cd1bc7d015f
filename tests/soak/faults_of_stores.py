"""Faults of OpenClaw's own SQLite: held, damaged, gone back, without its shared memory, closed, with a torn event.

Each in the database of an agent that only these faults write. The catalogue is of files: these have ids of their own.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.mirror.household import header, message, session_id
from tests.openclaw_store import AgentStore
from tests.soak.field import TAKEN_SECONDS, Fault, Field, NotHere

VAULT = "vault"
_LINES = 20


def _path(field: Field) -> Path:
    return field.house.state_dir / "agents" / VAULT / "agent" / "openclaw-agent.sqlite"


def _filled(field: Field, store: AgentStore) -> str:
    """A session that the ledger has: what is done to one that it never saw is no fault."""
    number = field.new_number()
    content = header(number) + field.lines(1, _LINES)
    store.import_lines(session_id(number), content, f"agent:{VAULT}:direct:{number:x}")
    _await_taken(field, session_id(number), len(content))
    return session_id(number)


def _await_taken(field: Field, session: str, size: int) -> None:
    if not field.wait_until(lambda: field.bytes_of_session(session) == size, TAKEN_SECONDS):
        raise NotHere(f"the session to be spoiled was not in the ledger after {TAKEN_SECONDS:.0f} s")


def _append(store: AgentStore, session: str, *numbers: int) -> None:
    store.append(session, *(message(number) for number in numbers))


def _put(path: Path, content: bytes) -> None:
    beside = path.with_name(f"{path.name}.beside")
    beside.write_bytes(content)
    beside.rename(path)


@contextmanager
def _held(field: Field) -> Iterator[None]:
    """Written and held alone, as where a log cannot be."""
    with AgentStore(_path(field)) as store:
        session = _filled(field, store)
        store.use_journal()
        _append(store, session, _LINES + 1)
        store.connection.execute("BEGIN EXCLUSIVE")
        try:
            yield
        finally:
            store.connection.execute("COMMIT")
        _append(store, session, _LINES + 2)


@contextmanager
def _damaged(field: Field) -> Iterator[None]:
    path = _path(field)
    with AgentStore(path) as store:
        session = _filled(field, store)
    good = path.read_bytes()
    _put(path, field.random.randbytes(4096) * (len(good) // 4096))
    try:
        yield
    finally:
        _put(path, good)
    with AgentStore(path) as store:
        _append(store, session, _LINES + 1)


@contextmanager
def _gone_back(field: Field) -> Iterator[None]:
    """An older copy of it is put in its place, and goes on in another way."""
    path = _path(field)
    with AgentStore(path) as store:
        session = _filled(field, store)
    older = path.read_bytes()
    with AgentStore(path) as store:
        _append(store, session, *range(_LINES + 1, _LINES + 5))
        _await_taken(field, session, len(store.content(session)))
    _put(path, older)
    yield
    with AgentStore(path) as store:
        _append(store, session, _LINES + 8, _LINES + 9)


@contextmanager
def _without_shared_memory(field: Field) -> Iterator[None]:
    """A log that nobody can read without leaving a trace, until its owner opens it again."""
    path = _path(field)
    with AgentStore(path, is_log_kept=True) as store:
        session = _filled(field, store)
        _append(store, session, _LINES + 1)
    path.with_name(f"{path.name}-shm").unlink()
    if not path.with_name(f"{path.name}-wal").stat().st_size:
        raise NotHere("no log was left")
    yield
    with AgentStore(path) as store:
        _append(store, session, _LINES + 2)


@contextmanager
def _closed(field: Field) -> Iterator[None]:
    path = _path(field)
    with AgentStore(path) as store:
        session = _filled(field, store)
        mode = stat.S_IMODE(path.parent.stat().st_mode)
        os.chmod(path.parent, 0)
        try:
            _append(store, session, _LINES + 1)  # root's write: modes bind the daemon alone
            yield
        finally:
            os.chmod(path.parent, mode)


@contextmanager
def _torn_event(field: Field) -> Iterator[None]:
    """One that does not decode for a while, between others that do."""
    at = "WHERE session_id = ? AND seq = ?"
    with AgentStore(_path(field)) as store:
        session = _filled(field, store)
        place = (session, _LINES + 1)
        with store.connection:
            store.append(session, message(_LINES + 1, "packed " * 300), is_packed=True)
            good = store.connection.execute(f"SELECT event_zstd FROM transcript_events {at}", place).get
            spoilt = (good[:-6] + b"broken", *place)
            store.connection.execute(f"UPDATE transcript_events SET event_zstd = ? {at}", spoilt)
        _append(store, session, _LINES + 2)
        try:
            yield
        finally:
            store.connection.execute(f"UPDATE transcript_events SET event_zstd = ? {at}", (good, *place))
        _append(store, session, _LINES + 3)


FAULTS = (
    Fault("S1", "OpenClaw holds its database", _held, told_as=frozenset({"store_busy"})),
    Fault("S2", "OpenClaw's database damaged, then put right", _damaged, told_as=frozenset({"store_corrupt"})),
    Fault("S3", "OpenClaw's database gone back to an older copy", _gone_back),
    Fault("S4", "log without its shared memory", _without_shared_memory, told_as=frozenset({"store_without_shm"})),
    Fault("S5", "permission lost on OpenClaw's database", _closed, told_as=frozenset({"store_unreadable"})),
    Fault("S6", "event that does not decode", _torn_event, told_as=frozenset({"store_bad_event"})),
)
