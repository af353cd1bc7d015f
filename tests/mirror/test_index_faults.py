"""The index torn, emptied, absent, locked: nothing follows until it is confirmed (FAULTS D1-D3, D8, D9)."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from syncd.mirror import index_look
from syncd.mirror.index_look import LOCK_POLL_SECONDS, Degraded, IndexOptions
from syncd.mirror.index_sync import IndexOutcome
from syncd.sources.index_file import look_at_index as read_index
from tests.mirror.household import dead_pid, session_id
from tests.mirror.indexed import MAIN, Entries, Indexed, entry, index_text, indexed

NOW = 1_794_802_930_000
TELEGRAM = "agent:main:telegram:direct:4242"
CONFIRM = 60.0


def many(count: int) -> dict[str, dict[str, object]]:
    return {f"agent:main:direct:{number}": entry(number) for number in range(count)}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Indexed]:
    with indexed(tmp_path) as made:
        made.write({MAIN: entry(1), TELEGRAM: entry(2)})
        made.settle()
        yield made


BOTH: Entries = {MAIN: entry(1), TELEGRAM: entry(2)}


# Removals


def test_an_entry_is_removed_when_it_was_missing_in_two_reads_far_enough_apart(index: Indexed) -> None:
    index.write({MAIN: entry(1)})
    first = index.look()
    assert (first.changed, first.removed) == (0, 0)
    assert index.live() == BOTH
    index.clock.sleep(CONFIRM - 1)
    assert index.look().removed == 0
    assert index.live() == BOTH
    index.clock.sleep(2)
    assert index.look().removed == 1
    assert set(index.live()) == {MAIN}
    removed = index.sessions("removed")[TELEGRAM]
    assert removed["removed_at"] is not None
    assert removed["lifecycle"] == "archived"
    assert removed["session_id"] == session_id(2)
    assert index.pairings()[TELEGRAM, session_id(2)] == "deleted"
    assert [kind for kind, _ in index.events()] == ["removal"]


def test_the_next_look_is_announced_for_when_the_removal_may_be_confirmed(index: Indexed) -> None:
    index.write({MAIN: entry(1)})
    index.settle()
    index.clock.sleep(20)
    wait = index.look().retry_after
    assert wait is not None
    assert CONFIRM - 30 < wait <= CONFIRM - 20


def test_an_entry_that_comes_back_before_was_never_gone(index: Indexed) -> None:
    index.write({MAIN: entry(1)})
    index.settle()
    index.clock.sleep(CONFIRM / 2)
    index.write(BOTH)
    index.settle()
    index.clock.sleep(CONFIRM / 2 + 1)
    index.write({MAIN: entry(1)})
    assert index.settle().removed == 0
    assert index.live() == BOTH
    assert index.events() == []
    assert len(index.versions(TELEGRAM)) == 1


def test_an_entry_that_comes_back_later_is_the_same_session_again(index: Indexed) -> None:
    index.write({MAIN: entry(1)})
    index.confirm()
    index.write({MAIN: entry(1), TELEGRAM: entry(2, updated_at=NOW + 9, label="back")})
    index.settle()
    row = index.sessions()[TELEGRAM]
    assert (row["id"], row["removed_at"], row["label"]) == (2, None, "back")
    assert index.pairings()[TELEGRAM, session_id(2)] is None
    assert index.versions(TELEGRAM)[-1] == {"label": "back", "updatedAt": NOW + 9}
    assert [kind for kind, _ in index.events()] == ["removal", "session_returned"]


def test_a_removal_is_confirmed_across_a_restart(index: Indexed) -> None:
    index.write({MAIN: entry(1)})
    index.settle()
    index.restart()
    index.clock.sleep(CONFIRM - 20)
    assert index.settle().removed == 0
    index.restart()
    index.clock.sleep(CONFIRM)
    assert index.settle().removed == 1


def test_a_removal_that_a_clock_ahead_has_dated_is_confirmed_all_the_same(index: Indexed) -> None:
    """As after a suspend that the wall clock did not have: set right, it would be hours before that moment."""
    index.write({MAIN: entry(1)})
    index.settle()
    index.ledger.run("UPDATE _index_entries SET missing_at = missing_at + 28800000 WHERE missing_at IS NOT NULL")
    index.restart()
    index.clock.sleep(CONFIRM)
    assert index.settle().removed == 0, "it is known since now"
    index.clock.sleep(CONFIRM)
    assert index.settle().removed == 1


def test_with_no_time_to_confirm_two_reads_are_still_two(index: Indexed) -> None:
    index.options = IndexOptions(index.options.environ, confirm_removal_seconds=0)
    index.write({MAIN: entry(1)})
    assert index.look().removed == 0
    assert index.look().removed == 1


# Indexes in a bad state


@pytest.mark.parametrize("entries", [{}, dict(list(many(100).items())[:10]), {MAIN: entry(777)}])
def test_d3_an_index_suddenly_emptied_removes_nothing_at_once(tmp_path: Path, entries: Entries) -> None:
    with indexed(tmp_path) as index:
        index.write(many(100))
        index.settle()
        index.write(entries)
        for _ in range(5):
            index.settle()
            index.clock.sleep((CONFIRM - 5) / 5)
        index.look()
        assert set(index.live()) == set(many(100)) | set(entries)
        index.write({**many(100), **entries})
        index.confirm()
        assert set(index.live()) == set(many(100)) | set(entries)
        assert index.sessions("removed") == {}


def make_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def make_link(path: Path) -> None:
    path.rename(path.with_name("x.json"))
    path.symlink_to("x.json")


BAD: dict[str, Callable[[Path], object]] = {
    "0 bytes": lambda path: path.write_bytes(b""),
    "half-written": lambda path: path.write_bytes(index_text({MAIN: entry(9), TELEGRAM: entry(8)})[:70]),
    "NULs": lambda path: path.write_bytes(b"\0" * 300),
    "a list": lambda path: path.write_bytes(b"[]"),
    "a directory": make_directory,
    "a link": make_link,
}


@pytest.mark.parametrize("name", BAD)
def test_d2_an_unreadable_index_keeps_its_last_good_reading_for_hours_and_is_named(index: Indexed, name: str) -> None:
    BAD[name](index.path())
    before = index.writes()
    for _ in range(4):
        outcome = index.settle()
        assert [(item.code, item.path) for item in outcome.degraded] == [("index_unreadable", str(index.path()))]
        index.clock.sleep(1200)
    assert index.live() == BOTH
    assert index.writes() == before
    if index.path().is_dir():
        index.path().rmdir()
    index.write({**BOTH, MAIN: entry(3, updated_at=NOW + 5)})
    assert index.settle().degraded == ()
    assert index.live()[MAIN] == entry(3, updated_at=NOW + 5)


def test_d1_a_half_written_index_is_looked_at_again_soon_and_read_when_whole(index: Indexed) -> None:
    whole = index_text({MAIN: entry(3, updated_at=NOW + 5), TELEGRAM: entry(2)})
    index.path().write_bytes(whole[: len(whole) // 2])
    outcome = index.look()
    assert (outcome.changed, outcome.degraded) == (0, ())
    assert outcome.retry_after is not None
    assert 0.01 < outcome.retry_after < 0.04
    index.path().write_bytes(whole)
    index.clock.sleep(outcome.retry_after)
    assert index.look().changed == 1
    assert index.live()[MAIN] == entry(3, updated_at=NOW + 5)


def test_d1_the_pauses_grow_and_end(index: Indexed) -> None:
    index.path().write_bytes(b"{")
    pauses = []
    while (outcome := index.look()).retry_after is not None:
        pauses.append(outcome.retry_after)
        index.clock.sleep(outcome.retry_after)
    assert len(pauses) == 4
    assert pauses == sorted(pauses)
    assert sum(pauses) < 1
    assert outcome.degraded != ()


def test_a_torn_index_that_stays_so_is_not_read_again_and_again(
    index: Indexed, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.path().write_bytes(b"{")
    index.settle()
    real, looked_at = read_index, list[str]()

    def look_at_index(path: str, *arguments: Any) -> Any:
        looked_at.append(path)
        return real(path, *arguments)

    monkeypatch.setattr(index_look, "look_at_index", look_at_index)
    assert index.look().degraded != ()
    assert str(index.path()) not in looked_at


def test_an_index_that_is_absent_for_a_moment_changes_nothing(index: Indexed) -> None:
    """As up to 2026.4.23, which renamed a large index away before it wrote the next one."""
    index.path().rename(index.path().with_name("sessions.json.bak.1794802930000"))
    outcome = index.look()
    assert outcome.retry_after is not None
    before = index.writes()
    index.clock.sleep(outcome.retry_after)
    index.look()
    assert index.writes() == before
    index.write(BOTH)
    assert index.settle().degraded == ()
    assert index.writes() == before
    assert index.live() == BOTH


def unlink_index(path: Path) -> None:
    path.unlink()


def move_directory_away(path: Path) -> None:
    (path.parent.parent / "agent").mkdir()
    path.parent.rename(path.parent.with_name("elsewhere"))


@pytest.mark.parametrize("make_absent", [unlink_index, move_directory_away])
def test_an_index_that_stays_absent_says_nothing_of_its_sessions(
    index: Indexed, make_absent: Callable[[Path], object]
) -> None:
    make_absent(index.path())
    for _ in range(3):
        outcome = index.confirm()
        assert outcome.removed == 0
        assert outcome.degraded == (Degraded("index_unreadable", str(index.path()), "absent"),)
        index.restart()
    assert index.live() == BOTH
    index.write({MAIN: entry(1)})
    assert index.settle().degraded == ()
    assert index.live() == BOTH
    index.clock.sleep(CONFIRM + 1)
    assert index.settle().removed == 1  # that one is missing in two reads


@pytest.mark.parametrize("left", [(), ("workspace",)])
def test_an_agent_that_is_deleted_is_confirmed_like_any_removal(index: Indexed, left: tuple[str, ...]) -> None:
    agent = index.path().parent.parent
    shutil.rmtree(agent)
    for name in left:
        (agent / name).mkdir(parents=True)
    index.settle()
    assert index.live() == BOTH
    index.clock.sleep(CONFIRM + 1)
    outcome = index.settle()
    assert (outcome.removed, outcome.degraded) == (2, ())
    assert index.live() == {}


def test_an_index_of_the_oldest_place_is_gone_with_its_transcripts(index: Indexed) -> None:
    old = index.write({"group:1@g.us": entry(5)}, index.house.state_dir / "sessions" / "sessions.json")
    beside = old.with_name(f"{session_id(5)}.jsonl")
    beside.write_bytes(b"")
    index.settle()
    old.unlink()
    assert index.confirm().removed == 0
    beside.unlink()
    assert index.confirm().removed == 1
    assert index.live() == BOTH


@pytest.mark.parametrize("seconds", [CONFIRM / 2, CONFIRM + 1])
def test_an_agent_that_was_away_and_is_back_as_it_was_has_its_sessions_again(index: Indexed, seconds: float) -> None:
    """The same file with the same times: another mount, for a while."""
    index.clock.sleep(5)
    index.settle()  # by now its times prove it
    agent = index.path().parent.parent
    elsewhere = agent.rename(index.house.state_dir / "elsewhere")
    index.settle()
    index.clock.sleep(seconds)
    index.settle()
    assert bool(index.sessions("removed")) == (seconds > CONFIRM)
    elsewhere.rename(agent)
    index.confirm()
    assert index.live() == BOTH
    returned = [kind for kind, _ in index.events()]
    assert returned == (["removal"] * 2 + ["session_returned"] * 2 if seconds > CONFIRM else [])
    assert index.settle() == IndexOutcome()


@pytest.mark.parametrize("moved", ["agents", "."])
def test_a_household_that_is_not_there_has_removed_nothing(index: Indexed, moved: str) -> None:
    """An unmounted disk is no deletion."""
    place = (index.house.state_dir / moved).resolve()
    place.rename(place.with_name("elsewhere"))
    index.confirm()
    index.confirm()
    assert index.live() == BOTH
    place.with_name("elsewhere").rename(place)
    index.settle()
    assert index.live() == BOTH


def test_sessions_that_moved_into_the_database_are_not_gone(index: Indexed) -> None:
    archive = index.house.import_archive()
    index.path().rename(archive / "legacy-store.sessions.json.imported-1794802732149")
    for _ in range(2):
        assert index.confirm().degraded == ()
    assert index.live() == BOTH


def test_agents_that_cannot_be_listed_are_named_and_nothing_is_gone(index: Indexed) -> None:
    agents = index.house.state_dir / "agents"
    agents.rename(agents.with_name("kept"))
    agents.write_bytes(b"")
    outcome = index.confirm()
    assert [item.code for item in outcome.degraded] == ["index_unreadable"]
    assert index.live() == BOTH


def test_a_configuration_that_cannot_be_understood_is_named(index: Indexed) -> None:
    (index.house.state_dir / "openclaw.json").write_text("{session: ")
    assert [item.code for item in index.look().degraded] == ["config_unreadable"]


# Locks


def test_under_a_live_lock_the_index_is_polled_and_read_when_the_lock_goes(index: Indexed) -> None:
    lock = index.lock(os.getpid())
    index.write({**BOTH, MAIN: entry(3, updated_at=NOW + 5)})
    for _ in range(10):
        outcome = index.look()
        assert (outcome.changed, outcome.retry_after) == (0, LOCK_POLL_SECONDS)
        index.clock.sleep(outcome.retry_after or 0)
    lock.unlink()
    assert index.look().changed == 1


def test_d8_a_lock_held_for_ever_is_waited_for_two_seconds_and_never_removed(index: Indexed) -> None:
    lock = index.lock(os.getpid())
    index.write({**BOTH, MAIN: entry(3, updated_at=NOW + 5)})
    started = index.clock.monotonic()
    while not (outcome := index.look()).changed:
        assert outcome.retry_after == LOCK_POLL_SECONDS
        index.clock.sleep(outcome.retry_after)
    assert 2 <= index.clock.monotonic() - started < 4
    assert lock.exists()
    assert outcome.retry_after is not None


def test_nothing_is_removed_while_the_lock_is_held(index: Indexed) -> None:
    lock = index.lock(os.getpid())
    index.write({MAIN: entry(1)})
    for _ in range(4):
        index.clock.sleep(4)
        index.settle(1)
    assert index.live() == BOTH
    before = index.writes()
    index.look()
    assert index.writes() == before
    lock.unlink()
    index.look()
    index.clock.sleep(CONFIRM - 5)
    assert index.look().removed == 0
    index.clock.sleep(6)
    assert index.look().removed == 1


def test_a_removal_seen_before_waits_for_the_lock_to_go(index: Indexed) -> None:
    index.write({MAIN: entry(1)})
    index.settle()
    index.clock.sleep(CONFIRM + 5)
    index.options = IndexOptions(index.options.environ, lock_poll_seconds=0)
    lock = index.lock(os.getpid(), age_seconds=-(CONFIRM + 10))
    assert index.settle().removed == 0
    lock.unlink()
    assert index.settle().removed == 1


STALE: dict[str, Callable[[Indexed], Path]] = {
    "dead pid": lambda index: index.lock(dead_pid()),
    "too old": lambda index: index.lock(os.getpid(), age_seconds=31),
}


@pytest.mark.parametrize("name", STALE)
def test_d9_a_stale_lock_is_ignored_and_left(index: Indexed, name: str) -> None:
    lock = STALE[name](index)
    index.write({**BOTH, MAIN: entry(3, updated_at=NOW + 5)})
    assert index.look().changed == 1
    assert lock.exists()


@pytest.mark.parametrize("payload", [b"", b"garbage", b'{"pid": "x"}'])
def test_d9_a_lock_without_a_payload_is_obeyed_for_its_grace_only(index: Indexed, payload: bytes) -> None:
    index.options = IndexOptions(index.options.environ, lock_poll_seconds=1000)  # one that is held is waited for
    lock = index.path().with_name("sessions.json.lock")
    lock.write_bytes(payload)
    index.write({**BOTH, MAIN: entry(3, updated_at=NOW + 5)})
    assert index.look().changed == 0
    index.clock.sleep(6)
    assert index.look().changed == 1
    assert lock.exists()


# Crashes


def test_a_failed_write_leaves_the_ledger_as_it_was_and_is_made_up_for(index: Indexed) -> None:
    index.ledger.run("CREATE TRIGGER stop BEFORE INSERT ON session_versions BEGIN SELECT RAISE(ABORT, 'full'); END")
    index.write({**BOTH, MAIN: entry(3, updated_at=NOW + 5)})
    with pytest.raises(Exception, match="full"):
        index.look()
    assert index.live() == BOTH
    index.ledger.run("DROP TRIGGER stop")
    assert index.look().changed == 1
    assert index.pairings() == {
        (MAIN, session_id(1)): "reset",
        (TELEGRAM, session_id(2)): None,
        (MAIN, session_id(3)): None,
    }


def test_an_index_that_never_was_and_could_not_be_looked_for_is_forgotten_once_it_can(tmp_path: Path) -> None:
    """A directory of that name, or one above it that was closed: then there is none, and nothing is wrong."""
    with indexed(tmp_path) as index:
        index.path().mkdir(parents=True)
        assert [item.code for item in index.settle().degraded] == ["index_unreadable"]
        index.path().rmdir()
        assert index.settle().degraded == ()
