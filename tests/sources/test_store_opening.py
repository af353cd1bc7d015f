"""OpenClaw's own SQLite is asked without a trace: nothing is created, changed or held, and no secret can be read."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from syncd.sources import store_files, store_opening, store_standing
from syncd.sources.opening import NotThereError, StoreError
from syncd.sources.store_opening import NEWEST_SCHEMA, Store, read_store
from tests.openclaw_store import GENUINE, AgentStore, OtherProcess
from tests.sources.store_questions import events, one

ONE = "0a000001-0000-4000-8000-000000000001"


def traces(directory: Path) -> dict[str, tuple[int, int, int, int, bytes]]:
    found = {}
    for path in sorted(directory.iterdir()):
        stat = path.stat()
        found[path.name] = (stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, path.read_bytes())
    return found


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return tmp_path / "agent" / "openclaw-agent.sqlite"


def test_a_closed_store_is_read_without_a_file_coming_beside_it(store_path: Path) -> None:
    store_path.parent.mkdir()
    shutil.copyfile(GENUINE, store_path)
    before = traces(store_path.parent)
    assert events(store_path) == 118
    assert traces(store_path.parent) == before


def test_an_open_store_is_read_as_it_is_now_and_no_byte_of_it_changes(store_path: Path) -> None:
    with OtherProcess(store_path) as store:
        store.do("add_session", ONE)
        store.do("append", ONE, b"{}", b"{}")
        before = traces(store_path.parent)
        assert set(before) == {store_path.name, f"{store_path.name}-wal", f"{store_path.name}-shm"}
        assert events(store_path) == 2
        assert traces(store_path.parent) == before
        store.kill()
        before = traces(store_path.parent)
        assert events(store_path) == 2
        assert traces(store_path.parent) == before


def test_a_log_without_its_shared_memory_is_waited_for(store_path: Path) -> None:
    with AgentStore(store_path, is_log_kept=True) as store:
        store.add_session(ONE)
        store.append(ONE, b"{}")
    Path(f"{store_path}-shm").unlink(missing_ok=True)
    before = traces(store_path.parent)
    with pytest.raises(StoreError) as caught:
        events(store_path)
    assert caught.value.code == "store_without_shm"
    assert traces(store_path.parent) == before


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM auth_profile_store",
        "SELECT count(*) FROM auth_profile_store",
        "SELECT session_id FROM transcript_events WHERE EXISTS (SELECT 1 FROM auth_profile_store)",
        "ATTACH 'elsewhere' AS elsewhere",
        "PRAGMA journal_mode",
        "PRAGMA wal_checkpoint",
        "CREATE TEMP TABLE t (x)",
        "DELETE FROM transcript_events",
    ],
)
def test_only_the_tables_of_sessions_can_be_read_and_nothing_else_done(tmp_path: Path, sql: str) -> None:
    path = tmp_path / "openclaw-agent.sqlite"
    shutil.copyfile(GENUINE, path)
    with pytest.raises(StoreError) as caught:
        read_store(str(path), lambda store: store.row(sql))
    assert caught.value.code == "store_unknown"
    assert [item.name for item in tmp_path.iterdir()] == [path.name]


def test_what_is_no_database_is_told_from_what_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "openclaw-agent.sqlite"
    with pytest.raises(NotThereError):
        events(path)
    path.write_bytes(b"no database at all " * 100)
    with pytest.raises(StoreError) as caught:
        events(path)
    assert caught.value.code == "store_corrupt"
    path.unlink()
    path.symlink_to(GENUINE)
    with pytest.raises(StoreError, match="is a symlink") as caught:
        events(path)
    assert caught.value.code == "store_unreadable"


def test_shared_memory_that_was_left_behind_without_a_log_holds_nobody_up(store_path: Path) -> None:
    store_path.parent.mkdir()
    shutil.copyfile(GENUINE, store_path)
    Path(f"{store_path}-shm").write_bytes(bytes(32768))
    before = traces(store_path.parent)
    assert events(store_path) == 118
    assert traces(store_path.parent) == before


def test_a_store_that_changes_while_it_is_read_as_immutable_is_read_again(store_path: Path) -> None:
    AgentStore(store_path).close()
    asked: list[int] = []

    def counted(store: Store) -> int:
        found = one(store, "SELECT count(*) FROM sqlite_schema")
        if not asked:
            with AgentStore(store_path) as other:
                other.connection.execute("CREATE TABLE another (x)")
        asked.append(found)
        return found

    assert read_store(str(store_path), counted) == asked[1] == asked[0] + 1


def test_a_question_that_fails_over_two_states_of_an_immutable_store_is_asked_again(store_path: Path) -> None:
    AgentStore(store_path).close()
    os.utime(store_path, ns=(1, 1))  # not written just now
    asked: list[int] = []

    def counted(store: Store) -> int:
        asked.append(one(store, "SELECT count(*) FROM sqlite_schema"))
        store.if_it_counts.append(partial(remembered.append, len(asked)))
        if len(asked) > 1:
            return asked[-1]
        with AgentStore(store_path) as other:
            other.connection.execute("CREATE TABLE another (x)")
        raise StoreError("store_corrupt", str(store_path), "seems damaged", "")

    remembered: list[int] = []
    assert read_store(str(store_path), counted) == asked[0] + 1
    assert remembered == [len(asked)], "only what counts is remembered"


def test_what_was_closed_just_now_could_be_written_again_without_a_sign(
    store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_standing, "_TICK_NS", 3600 * 10**9)
    AgentStore(store_path).close()
    with pytest.raises(StoreError) as caught:
        events(store_path)
    assert caught.value.code == "store_busy"
    for written in (1, (int(time.time()) + 2 * 3600) * 10**9 + 1):  # a time ahead is none that a write could leave now
        os.utime(store_path, ns=(written, written))
        assert events(store_path) == 0
    this_second = int(time.time()) * 10**9
    os.utime(store_path, ns=(this_second, this_second))  # as file systems do that know no less than seconds
    monkeypatch.setattr(store_standing, "_TICK_NS", 0)
    monkeypatch.setattr(store_standing, "_COARSE_TICK_NS", 3600 * 10**9)
    with pytest.raises(StoreError) as caught:
        events(store_path)
    assert caught.value.code == "store_busy"


def reading_beside(store_path: Path, *acts: Callable[[], object]) -> tuple[int, list[tuple[int, bool]]]:
    """How many events an answer has, and each attempt: how many it saw at first, and whether it has the -shm open.

    Each attempt is disturbed by the next of these acts, between its two looks, which must find the same.
    """
    attempts: list[tuple[int, bool]] = []

    def counted(store: Store) -> tuple[int, int]:
        first = one(store, "SELECT count(*) FROM transcript_events WHERE seq >= 0")
        shared = f"{store_path}-shm"
        attempts.append((first, shared in map(_target, os.listdir("/proc/self/fd"))))
        if len(attempts) <= len(acts):
            acts[len(attempts) - 1]()
        return first, one(store, "SELECT sum(octet_length(event_json) > 0) FROM transcript_events")

    first, second = read_store(str(store_path), counted)
    assert first == second
    return first, attempts


def _target(name: str) -> str:
    try:
        return os.readlink(f"/proc/self/fd/{name}")
    except FileNotFoundError:
        return ""


@pytest.fixture
def gateway(store_path: Path) -> Iterator[OtherProcess]:
    with AgentStore(store_path) as store:
        store.add_session(ONE)
        store.append(ONE, *[b"{%d}" % number for number in range(300)])
    with OtherProcess(store_path) as process:
        process.do("append", ONE, b"{}")
        yield process


def test_who_closes_a_store_while_it_is_read_finds_nobody_in_the_way(store_path: Path, gateway: OtherProcess) -> None:
    def close() -> None:
        gateway.do("append", ONE, b"{}")
        gateway.close()
        assert os.listdir(store_path.parent) == [store_path.name], "nothing is left of the log"

    found, attempts = reading_beside(store_path, close)
    assert found == 302
    assert attempts[:2] == [(301, False), (302, False)]
    assert set(attempts[2:]) <= {(302, False)}, "of a main file that was written just now it cannot be told at once"


def test_what_is_committed_meanwhile_holds_nobody_up(store_path: Path, gateway: OtherProcess) -> None:
    os.utime(store_path, ns=(1, 1))  # not written just now
    found = reading_beside(store_path, lambda: gateway.do("append", ONE, *[b"{}"] * 20))
    assert found == (301, [(301, False)])
    assert events(store_path) == 321


def test_a_checkpoint_never_waits_and_what_it_changed_meanwhile_is_read_again(
    store_path: Path, gateway: OtherProcess
) -> None:
    def checkpoint() -> None:
        gateway.do("append", ONE, *[b"{}"] * 20)
        assert gateway.do("checkpoint") is True

    found, attempts = reading_beside(store_path, checkpoint)
    assert found == 321
    assert attempts[:2] == [(301, False), (321, False)]
    assert set(attempts[2:]) <= {(321, False)}, "of a main file that was written just now it cannot be told at once"


def test_a_store_that_is_too_busy_is_read_as_others_read_it(
    store_path: Path, gateway: OtherProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_opening, "_BUSY_SECONDS", 0.0)

    def checkpoint() -> None:
        gateway.do("append", ONE, b"{}")
        assert gateway.do("checkpoint") is True

    def append() -> None:
        gateway.do("append", ONE, b"{}")

    found = reading_beside(store_path, checkpoint, checkpoint, checkpoint, append)
    assert found == (304, [(301, False), (302, False), (303, False), (304, True)])
    monkeypatch.setattr(store_opening, "_BUSY_SECONDS", 3600.0)
    reading_beside(store_path, checkpoint, checkpoint, checkpoint)
    assert reading_beside(store_path) == (308, [(308, True)]), "and at once, the next time"


def test_a_log_that_is_very_long_is_not_gone_through(
    store_path: Path, gateway: OtherProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_opening, "_LONG_LOG_FRAMES", 40)
    assert reading_beside(store_path) == (301, [(301, False)])
    gateway.do("append", ONE, *[b"{}"] * 40)
    found = reading_beside(store_path, lambda: gateway.do("append", ONE, b"{}"))
    assert found == (341, [(341, True)])
    gateway.do("backfill")
    gateway.do("append", ONE, b"{}")
    os.utime(store_path, ns=(1, 1))  # not written just now
    assert Path(f"{store_path}-wal").stat().st_size > 40 * 4096
    assert reading_beside(store_path) == (343, [(343, False)]), "it began anew, and is as large as it was"


def test_a_transaction_that_was_half_in_the_log_and_is_given_up_hides_no_later_one(store_path: Path) -> None:
    with AgentStore(store_path) as store:
        store.add_session(ONE)
        store.append(ONE, b"{}")
        store.connection.execute("PRAGMA cache_size = 1")
        store.connection.execute("PRAGMA cache_spill = 1")
        store.checkpoint()
        store.append(ONE, b"{}")
        store.leave_half_a_write(ONE)

        def give_up_and_go_on() -> None:
            store.connection.execute("ROLLBACK")
            store.append(ONE, b"{}")
            store.connection.execute("PRAGMA wal_checkpoint(PASSIVE)")  # the log stays as long as it is

        found, attempts = reading_beside(store_path, give_up_and_go_on)
    assert (found, attempts[0][0]) == (3, 2)


def test_a_commit_that_had_only_begun_in_a_log_as_long_as_before_is_noticed(store_path: Path) -> None:
    with AgentStore(store_path) as store:
        store.add_session(ONE)
        store.append(ONE, *[b"x" * 3000] * 60)
        store.backfill()
        store.append(ONE, b"{}")  # begins the log anew: what it had lies behind still
        size = Path(f"{store_path}-wal").stat().st_size
        store.connection.execute("PRAGMA cache_size = 1")
        store.connection.execute("BEGIN")
        store.connection.execute("UPDATE transcript_events SET event_json = 'new' WHERE seq < 20")

        def looked(look: Store) -> set[object]:
            first = set(look.rows("SELECT event_json = 'new' FROM transcript_events WHERE seq < 10"))
            if store.connection.in_transaction:
                store.connection.execute("UPDATE transcript_events SET event_json = 'new'")
                store.connection.execute("COMMIT")
                store.backfill()
                assert Path(f"{store_path}-wal").stat().st_size == size
            return first | set(look.rows("SELECT event_json = 'new' FROM transcript_events WHERE seq >= 10"))

        assert read_store(str(store_path), looked) == {(1,)}


def test_a_store_that_gives_up_its_log_before_it_is_opened_is_not_read_without_a_lock(
    store_path: Path, gateway: OtherProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    switched: list[bool] = []

    class SwitchedFile(store_files._UnlockedFile):
        def xLock(self, level: int) -> None:  # noqa: N802 - SQLite's
            super().xLock(level)
            if not switched:
                switched.append(True)
                gateway.do("use_journal")

    monkeypatch.setattr(store_files, "_UnlockedFile", SwitchedFile)
    found, _ = reading_beside(store_path, lambda: gateway.do("append", ONE, *[b"x" * 3000] * 50))
    assert (found, switched) == (351, [True])


@pytest.fixture(params=["directory", "above", "odd"])
def through_link(request: pytest.FixtureRequest, store_path: Path, tmp_path: Path) -> Path:
    """The same database by way of a linked directory: its own, one above it, or one to a place of an odd name."""
    real = tmp_path / os.fsdecode(b"\xff real") / "agent" if request.param == "odd" else store_path.parent
    real.mkdir(parents=True)
    link = tmp_path / "link"
    link.symlink_to(real.parent if request.param == "above" else real)
    return link / ("agent/" if request.param == "above" else "") / store_path.name


def test_a_store_behind_a_linked_directory_is_read_without_a_trace(through_link: Path) -> None:
    shutil.copyfile(GENUINE, through_link)
    before = traces(through_link.parent)
    assert events(through_link) == 118
    assert traces(through_link.parent) == before


def test_the_log_of_a_store_behind_a_linked_directory_is_found_beside_it(
    through_link: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OtherProcess(through_link) as store:
        store.do("add_session", ONE)
        store.do("append", ONE, b"{}", b"{}")
        before = traces(through_link.parent)
        assert len(before) == 3
        assert events(through_link) == 2
        monkeypatch.setattr(store_opening, "_LONG_LOG_FRAMES", 1)  # then by SQLite's own locks
        store.do("append", ONE, b"{}")
        before = traces(through_link.parent)
        assert events(through_link) == 3
        assert traces(through_link.parent) == before


def test_a_store_whose_last_name_is_a_link_is_refused_also_where_it_became_one_just_now(
    through_link: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copyfile(GENUINE, through_link)
    assert events(through_link) == 118
    usual = store_standing.standing_of(str(through_link))
    moved = through_link.rename(through_link.with_name("moved.sqlite"))
    through_link.symlink_to(moved)
    with pytest.raises(StoreError, match="is a symlink"):
        events(through_link)
    monkeypatch.setattr(store_opening, "standing_of", lambda _: usual)
    with pytest.raises(StoreError):
        events(through_link)


def test_a_path_with_odd_characters_is_a_path(tmp_path: Path) -> None:
    path = tmp_path / "a ?&#%25 ü" / "openclaw-agent.sqlite"
    path.parent.mkdir()
    shutil.copyfile(GENUINE, path)
    assert events(path) == 118


def test_a_locked_store_is_busy(store_path: Path) -> None:
    with AgentStore(store_path) as store:
        store.connection.execute("PRAGMA journal_mode = DELETE")
        store.add_session(ONE)
        store.connection.execute("BEGIN IMMEDIATE")
        store.connection.execute("CREATE TABLE another (x)")
        assert events(store_path) == 0, "nothing is committed yet, and nothing locked for readers"
        store.connection.execute("ROLLBACK")
        store.connection.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError) as caught:
            events(store_path)
        assert caught.value.code == "store_busy"
        store.connection.execute("ROLLBACK")
    assert events(store_path) == 0


def test_a_journal_that_a_crash_left_is_not_taken_for_the_truth(store_path: Path) -> None:
    with OtherProcess(store_path) as store:
        store.do("use_journal")
        store.do("add_session", ONE)
        store.do("append", ONE, b"{}", b"{}")
        store.do("leave_half_a_write", ONE)
        store.kill()
    before = traces(store_path.parent)
    assert f"{store_path.name}-journal" in before
    with pytest.raises(StoreError) as caught:
        events(store_path)
    assert caught.value.code == "store_unreadable", "nobody is at work in it"
    assert "by a crash" in caught.value.reason
    assert "start OpenClaw once" in caught.value.hint
    assert traces(store_path.parent) == before


@pytest.mark.skipif(not hasattr(os, "O_NOATIME"), reason="only Linux has it")
@pytest.mark.parametrize("has_log", [True, False])
def test_when_it_was_last_read_stays_as_openclaw_left_it(tmp_path: Path, has_log: bool) -> None:
    path, other = tmp_path / "openclaw-agent.sqlite", tmp_path / "other"
    other.write_bytes(b"x")
    with AgentStore(path) as store:
        store.import_lines(ONE, b"{}\n")
        if not has_log:
            store.close()
        files = [each for each in (path, Path(f"{path}-wal")) if each.exists()]
        assert len(files) == 1 + has_log
        for each in (*files, other):
            os.utime(each, (1_000_000_000, each.stat().st_mtime))
        other.read_bytes()
        if other.stat().st_atime == 1_000_000_000:
            pytest.skip("this file system keeps no such times")
        time.sleep(0.05)  # what was written just now is read another way
        assert read_store(str(path), lambda each: each.schema_version) == NEWEST_SCHEMA
        assert [each.stat().st_atime for each in files] == [1_000_000_000] * len(files)
