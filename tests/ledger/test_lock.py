"""One writer per ledger: the second process is refused, the first one's death frees it at once."""

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from syncd.errors import AlreadyRunning, LedgerError
from syncd.ledger.database import open_for_writing
from syncd.ledger.hold import lock_path
from syncd.ledger.lock import writer_lock
from tests.conftest import CHECKOUT
from tests.mirror.household import dead_pid
from tests.other_user import as_another_user, common_place

HOLD = """
import sys
from pathlib import Path
from syncd.ledger.lock import writer_lock
with writer_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def holder(ledger_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that has the lock, until its stdin closes."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(ledger_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=CHECKOUT
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield process


def is_free(ledger_path: Path) -> bool:
    try:
        with writer_lock(ledger_path):
            return True
    except AlreadyRunning:
        return False


def test_a_second_process_is_refused_and_told_whose_it_is(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with holder(path) as process:
        with (
            pytest.raises(AlreadyRunning, match=f"syncd with pid {process.pid} holds the ledger {path}") as refusal,
            writer_lock(path),
        ):
            pass
        assert (refusal.value.pid, refusal.value.exit_code) == (process.pid, 75)
    assert is_free(path)


def test_the_lock_goes_with_its_holder_even_by_sigkill(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with holder(path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert is_free(path)


@pytest.mark.parametrize("left", [b"", b"no json", b'{"pid": 1}', b'{"pid": "x"}', b"[]", b"\0" * 5000])
def test_what_a_lock_file_says_stops_nobody(tmp_path: Path, left: bytes) -> None:
    path = tmp_path / "ledger.db"
    lock_path(path).write_bytes(left)
    with writer_lock(path):
        owner = lock_path(path).read_text()
        assert f'"pid":{os.getpid()},' in owner
        assert "\0" not in owner


@pytest.mark.parametrize("left", [b"", b"no json", b'{"pid": null}', b"[1]"])
def test_a_holder_who_left_no_name_still_holds(tmp_path: Path, left: bytes) -> None:
    path = tmp_path / "ledger.db"
    lock_path(path).write_bytes(left)
    with lock_path(path).open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(AlreadyRunning, match="another syncd holds the ledger") as refusal, writer_lock(path):
            pass
    assert refusal.value.pid is None


def test_a_dead_owner_in_the_file_is_only_information(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    lock_path(path).write_text(f'{{"pid": {dead_pid()}}}')
    assert is_free(path)


def test_a_link_to_the_ledger_is_the_same_ledger(tmp_path: Path) -> None:
    path = tmp_path / "real" / "ledger.db"
    path.parent.mkdir()
    path.touch()
    (tmp_path / "link.db").symlink_to(path)
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    with writer_lock(tmp_path / "link.db"):
        assert not is_free(path)
        assert not is_free(tmp_path / "linked" / "ledger.db")
    assert is_free(path)


def test_a_ledger_with_two_names_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path, other = tmp_path / "a" / "ledger.db", tmp_path / "b" / "ledger.db"
    for place in (path, other):
        place.parent.mkdir()
    path.touch()
    other.hardlink_to(path)
    for name in (path, other):
        with pytest.raises(LedgerError, match=r"has 2 names \(hard links\)") as fault, writer_lock(name):
            pass
        assert "-samefile" in fault.value.hint
    other.unlink()
    assert is_free(path)


def test_every_directory_that_is_made_for_the_ledger_is_private(tmp_path: Path) -> None:
    path = tmp_path / "one" / "two" / "ledger.db"
    before = os.umask(0o022)
    try:
        with writer_lock(path), open_for_writing(path):
            pass
        with open_for_writing(tmp_path / "three" / "four" / "ledger.db"):
            pass
    finally:
        os.umask(before)
    made = [tmp_path / name for name in ("one", "one/two", "three", "three/four")]
    assert {place.stat().st_mode & 0o777 for place in made} == {0o700}


def test_two_ledgers_beside_each_other_do_not_meet(tmp_path: Path) -> None:
    with writer_lock(tmp_path / "a.db"):
        assert is_free(tmp_path / "b.db")


def test_the_lock_is_private_and_stays_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "new" / "ledger.db"
    with writer_lock(path):
        inode = lock_path(path).stat().st_ino
    assert lock_path(path).stat().st_ino == inode
    assert lock_path(path).stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert not path.exists()


def test_a_failure_under_the_lock_frees_it(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with pytest.raises(ZeroDivisionError), writer_lock(path):
        raise ZeroDivisionError
    assert is_free(path)


def test_a_place_that_cannot_be_written_is_named_with_what_to_do() -> None:
    with common_place() as place:
        place.chmod(0o500)
        with (
            as_another_user(),
            pytest.raises(LedgerError, match=r"ledger\.db cannot be used: Permission denied") as fault,
            writer_lock(place / "ledger.db"),
        ):
            pass
        assert "SYNCD_LEDGER" in fault.value.hint


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere this lock and SQLite's would meet")
def test_A10_a_ledger_locked_under_another_path_is_refused(tmp_path: Path) -> None:  # noqa: N802
    """As a mount of the file alone gives it: no lock file lies beside it there. The kernel's lock is on the inode."""
    path = tmp_path / "ledger.db"
    path.touch()
    with path.open("rb") as elsewhere:
        fcntl.flock(elsewhere, fcntl.LOCK_EX)
        with pytest.raises(AlreadyRunning, match="under another path"), writer_lock(path):
            pass
    with writer_lock(path), path.open("rb") as elsewhere, pytest.raises(BlockingIOError):
        fcntl.flock(elsewhere, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _letter(path: Path) -> None:
    path.write_text("a letter to my aunt")


def _recipes(path: Path) -> None:
    with apsw.Connection(str(path)) as connection:
        connection.execute("CREATE TABLE recipes (id)")
    connection.close()


@pytest.mark.parametrize("make", [_letter, _recipes, Path.mkdir, os.mkfifo])
def test_what_cannot_be_a_ledger_is_refused_and_nothing_comes_beside_it(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "ledger.db")
    with pytest.raises(LedgerError) as refusal, writer_lock(tmp_path / "ledger.db"):
        pass
    assert "SYNCD_LEDGER" in refusal.value.hint
    assert os.listdir(tmp_path) == ["ledger.db"]


def test_a_device_is_refused_as_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "ledger.db").symlink_to(os.devnull)
    with pytest.raises(LedgerError, match="is a device"), writer_lock(tmp_path / "ledger.db"):
        pass


@pytest.mark.parametrize("lost_bytes", [0, 100])
def test_a_ledger_without_its_lock_file_is_no_strangers_even_with_a_damaged_head(
    tmp_path: Path, lost_bytes: int
) -> None:
    path = tmp_path / "ledger.db"
    open_for_writing(path).close()
    path.write_bytes(bytes(lost_bytes) + path.read_bytes()[lost_bytes:])
    with writer_lock(path):
        assert lock_path(path).exists()
