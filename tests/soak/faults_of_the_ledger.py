"""Faults of the ledger and its disk: full, failing, slow, locked, damaged, replaced, forbidden."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from tests.daemon.process import held_by_another
from tests.daemon.test_alarms import read_by_another
from tests.faults.test_f_under_the_daemon import injected
from tests.ledger.damaging import pages_of, scramble
from tests.soak.field import MISHAPS, Fault, Field, NotHere

_LEFT_BYTES = 100_000


@contextmanager
def _full(field: Field) -> Iterator[None]:
    if not field.has_own_disk:
        raise NotHere("needs the right to mount a disk of its own")
    ballast = field.house.ledger_path.parent / "ballast"
    with field.witness.ledger_use:
        empty_log(field.house.ledger_path)  # there would be room in it for a long time
    try:
        with ballast.open("wb") as file:
            free = os.statvfs(ballast.parent)
            # The daemon may take some of it in between: the disk is full all the same.
            with suppress(OSError):
                os.posix_fallocate(file.fileno(), 0, max(1, free.f_bavail * free.f_frsize - _LEFT_BYTES))
        yield
    finally:
        ballast.unlink()


@contextmanager
def _locked(field: Field) -> Iterator[None]:
    with held_by_another(field.house):
        yield


@contextmanager
def _long_read(field: Field) -> Iterator[None]:
    with read_by_another(field.house):
        yield


@contextmanager
def _damaged(field: Field) -> Iterator[None]:
    """A page that something is in. All that only the ledger has is in a backup, and nothing is taken away meanwhile."""
    path = field.house.ledger_path
    with field.gate.stillness():
        _caught_up(field)  # nothing comes in behind the backup
        _back_up(field)
        with field.witness.ledger_use:
            empty_log(path)  # what stands in it goes before the ledger's own page
            page, what = field.random.choice([each for each in pages_of(path).items() if each[1] != "free"])
            scramble(path, page, field.random.randrange(1000))
            field.note = f"page {page}, {what}"
    with field.gate.keeping():
        if field.random.random() < 0.5:
            field.supervisor.kill()  # found at the start, not by whoever reads it
        yield


@contextmanager
def _log_removed(field: Field) -> Iterator[None]:
    """With the last lines in it, which the files still have; what only the ledger has is in the ledger's own file."""
    path = field.house.ledger_path
    with field.gate.stillness():
        with field.witness.ledger_use:
            empty_log(path)
        field.new_file()
        if not path.with_name(f"{path.name}-wal").stat().st_size:
            raise NotHere("the log was empty")
        with field.supervisor.held():
            for suffix in ("-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            yield
        _caught_up(field)


@contextmanager
def _older(field: Field) -> Iterator[None]:
    path = field.house.ledger_path
    older = path.with_name("older.db")
    with field.gate.stillness():
        _back_up(field, str(older))
        field.new_file()
        older.replace(path)
        yield
        _caught_up(field)


@contextmanager
def _moved(field: Field) -> Iterator[None]:
    path = field.house.ledger_path
    elsewhere = path.parent / "elsewhere"
    elsewhere.mkdir()
    with field.gate.keeping(), field.witness.ledger_use:
        path.rename(elsewhere / path.name)
    yield
    (elsewhere / path.name).unlink(missing_ok=True)
    elsewhere.rmdir()


def empty_log(path: Path) -> None:
    """All of it is in the ledger's own file then; NotHere where somebody is reading."""
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(5000)
    try:
        # As a statement: the driver's own call does nothing on a connection that has not read yet, and says nothing.
        is_busy, left, _ = next(iter(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")))
    finally:
        connection.close()
    if is_busy:
        raise NotHere("somebody was reading the ledger")
    assert left == 0, "the log was not emptied"


def _caught_up(field: Field) -> None:
    """What the ledger had and has lost is in the files: nobody may take it away before it is read again."""
    if not field.wait_until(lambda: field.verb("verify")[0] == 0, 60.0):
        field.note += " not caught up within a minute"


def _back_up(field: Field, *file: str) -> None:
    for _ in range(3):  # the daemon may just be starting, or busy with a copy of its own
        code, told = field.verb("ledger", "backup", *file)
        if code == 0:
            return
        field.last(1.0, 2.0)
    raise NotHere(f"no backup could be made first: {told}")


@contextmanager
def _failing(field: Field) -> Iterator[None]:
    calls, error = "pwrite64,fdatasync,fsync", field.random.choice(("EIO", "ENOSPC", "EROFS", "EDQUOT"))
    with injected(field.supervisor.running, "-e", f"trace={calls}", "-e", f"inject={calls}:error={error}"):
        yield


@contextmanager
def _slow(field: Field) -> Iterator[None]:
    slowly = "inject=fdatasync:delay_enter=1500000"
    with injected(field.supervisor.running, "-e", "trace=fdatasync", "-e", slowly):
        yield


@contextmanager
def _no_permission(field: Field) -> Iterator[None]:
    place = field.house.sessions(MISHAPS)
    file = field.new_file()
    with _closed(place):
        with file.open("ab") as opened:  # root's write: modes bind the daemon alone
            opened.write(field.lines(31, 35))
        yield


@contextmanager
def _no_permission_on_the_ledger(field: Field) -> Iterator[None]:
    """It cannot start then, says so, ends with 1, and is started again."""
    field.supervisor.may_fail = True
    with _closed(field.house.ledger_path.parent):
        field.supervisor.kill()
        yield
    field.wait_until(lambda: field.verb("status")[0] == 0)
    field.supervisor.may_fail = False


@contextmanager
def _closed(path: os.PathLike[str]) -> Iterator[None]:
    mode = stat.S_IMODE(os.stat(path).st_mode)
    os.chmod(path, 0)
    try:
        yield
    finally:
        os.chmod(path, mode)


FAULTS = (
    Fault("F1", "disk full", _full, (4.0, 9.0), told_as=frozenset({"ledger_full", "ledger"})),
    Fault("F3", "ledger locked by another program", _locked, (3.0, 9.0), told_as=frozenset({"ledger_busy"})),
    Fault("F4", "reader holds a snapshot", _long_read, (5.0, 10.0)),
    Fault("F5", "page of the ledger damaged", _damaged, (1.0, 2.0), checks_ledger=True),
    Fault("F6", "log removed after a kill", _log_removed, (0.2, 1.0), checks_ledger=True),
    Fault("F6", "ledger moved away under the daemon", _moved, checks_ledger=True),
    Fault("F7", "older ledger put back", _older, (2.0, 5.0), checks_ledger=True),
    Fault("F9", "disk fails", _failing, told_as=frozenset({"ledger_full", "ledger"})),
    Fault("F11", "permission lost on a directory", _no_permission, told_as=frozenset({"unreadable"})),
    Fault("F11", "permission lost on the ledger", _no_permission_on_the_ledger),
    Fault("F15", "slow fsync", _slow, (4.0, 8.0)),
)
