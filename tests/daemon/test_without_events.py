"""FAULTS.md E, seen from the daemon: events that fail to come, lie or drown cost delay, never data."""
# ruff: noqa: N802  the fault's id stands in the test's name

import mmap
import shutil
import time
from pathlib import Path

import pytest

from syncd.daemon import timers
from syncd.daemon.loop import Loop
from tests.daemon.live import Live, following, wait_for
from tests.mirror.household import Household, message, messages, name_of, transcript
from tests.mirror_checks import events, transcripts

NAME = name_of(1)


def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timers, "WATCH_CHECK_SECONDS", 0.05)
    monkeypatch.setattr(timers, "POLL_SECONDS", 0.1)
    monkeypatch.setattr(timers, "LONGEST_WAIT_SECONDS", 0.05)


def test_polling_finds_everything_without_any_event(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    _quick(monkeypatch)
    with following(house, mode="poll") as live:
        house.append(NAME, message(6))
        house.write(name_of(2), transcript(2, 2))
        house.rename(NAME, f"{NAME}.deleted.2026-11-16T04-22-14.522Z")
        wait_for(lambda: len(transcripts(house.ledger_path)) == 2)
        live.level()
        assert live.loop.watcher.mode == "poll"
        assert live.loop.followers[0].figures.missed_events == 0
    assert {row.generation for row in transcripts(house.ledger_path)} == {1}


def test_lost_events_are_found_by_the_rescan_and_counted(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    from syncd.daemon import follow

    monkeypatch.setattr(follow, "MISSED_AFTER_SECONDS", 0.0)
    with following(house, rescan_seconds=0.3, prepare=_deaf) as live:
        house.write(name_of(2), transcript(2, 2))
        live.has_lines(name_of(2), 3)
        wait_for(lambda: live.loop.followers[0].figures.missed_events > 0)


def test_E11_events_that_keep_failing_to_come_make_it_poll(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system without events: nothing can be seen to be wrong, but what the rescans find."""
    from syncd.daemon import follow

    _quick(monkeypatch)
    monkeypatch.setattr(follow, "MISSED_AFTER_SECONDS", 0.0)
    monkeypatch.setattr(timers, "WATCH_CHECK_SECONDS", 60.0)
    with following(house, rescan_seconds=0.2, prepare=_deaf) as live:
        numbers = iter(range(2, 1000))

        def has_given_up() -> bool:
            number = next(numbers)
            house.write(name_of(number), transcript(number, 1))
            return live.loop.watcher.mode == "poll"

        wait_for(has_given_up)
        assert ("missed" in (live.loop.watcher.reason or ""), live.loop.watcher.code) == (True, "no_events")
        missed = live.loop.followers[0].figures.missed_events
        house.write(name_of(5000), transcript(5000, 2))
        live.has_lines(name_of(5000), 3)
        assert live.loop.followers[0].figures.missed_events == missed
    assert "missed_event" in events(house.ledger_path)


def _deaf(loop: Loop) -> None:
    """The dirty set hears nothing: as if every event was lost."""
    loop.dirty.add = lambda path: None  # type: ignore[method-assign]  # noqa: ARG005
    loop.dirty.add_everything = lambda: None  # type: ignore[method-assign]


def test_events_that_fail_now_and_then_are_no_reason_to_poll(house: Household) -> None:
    with following(house) as live:
        for found_missed in (True, True, False, True, True):
            live.loop._aiming.note_rescan(found_missed=found_missed)
        assert live.loop.watcher.reason is None
        live.loop._aiming.note_rescan(found_missed=True)
        assert "in a row" in str(live.loop.watcher.reason)


def test_an_active_file_is_followed_without_events(house: Household) -> None:
    with following(house) as live:
        house.append(NAME, message(6))
        live.has_lines(NAME, 7)
        _deaf(live.loop)
        house.append(NAME, message(7))
        live.has_lines(NAME, 8)


def test_C20_stores_into_a_mapped_file_are_found_though_no_event_tells(house: Household) -> None:
    with following(house) as live:
        house.append(NAME, message(6) + b" " * 100 + b"\n")
        live.has_lines(NAME, 8)
        live.level()
        path = house.path(NAME)
        with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
            at = len(mapped) - 101
            mapped[at : at + 2] = b"{}"
            mapped.flush()
        wait_for(lambda: live.row(NAME).generation == 2)


def test_E9_a_move_out_of_the_tree_holds_up_no_other_file(house: Household, tmp_path: Path) -> None:
    """watchdog keeps every event for half a second after such a move. A busy machine is slow too, but not each time."""
    moves = range(2, 12)
    for number in moves:
        house.write(name_of(number), transcript(number, 2))
    seconds = []
    with following(house) as live:
        house.append(NAME, message(6))
        live.has_lines(NAME, 7)
        for number in moves:
            house.path(name_of(number)).rename(tmp_path / f"{number}.jsonl")
            started = time.monotonic()
            house.append(NAME, message(number + 5))
            live.has_lines(NAME, number + 6)
            seconds.append(time.monotonic() - started)
        wait_for(lambda: {live.row(name_of(number)).state for number in moves} == {"gone"})
    assert min(seconds) < 0.4, seconds


def test_E8_a_new_agent_whose_directory_comes_with_files_is_found_at_once(house: Household) -> None:
    """The events for what is inside a directory that was just made come late, or not at all; there is no rescan."""
    with following(house) as live:
        for number in range(2, 12):
            (house.sessions(f"late-{number}") / name_of(number)).write_bytes(transcript(number, 2))
        for number in range(2, 12):
            live.has_lines(name_of(number), 3)
        with (house.sessions("late-5") / name_of(5)).open("ab") as file:
            file.write(message(3))
        live.has_lines(name_of(5), 4)


def test_E1_an_overflow_of_the_dirty_set_looks_at_everything_and_is_a_line_of_the_log(
    house: Household, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timers, "WATCH_CHECK_SECONDS", 0.1)
    monkeypatch.setattr(timers, "LONGEST_WAIT_SECONDS", 0.1)

    def small(loop: Loop) -> None:
        loop.dirty._max_paths = 3

    with following(house, prepare=small) as live:
        with live.standing_still():
            for number in range(2, 40):
                house.write(name_of(number), transcript(number, 1))
            wait_for(lambda: live.loop.dirty.overflows > 0)
        wait_for(lambda: len(transcripts(house.ledger_path)) == 39)
        live.level()
        wait_for(lambda: '"event": "events_lost", "bursts": ' in capsys.readouterr().err)
        assert live.loop.followers[0].figures.rescans > 1


def test_a_storm_of_small_appends_is_looked_at_less_often_than_it_writes(house: Household) -> None:
    with following(house) as live:
        before = live.looks()
        with live.standing_still():
            for number in range(6, 606):
                with house.path(NAME).open("ab") as file:
                    file.write(message(number))
        live.has_lines(NAME, 606)
        assert live.looks() - before < 60
        assert live.loop.followers[0].figures.rescans == 1


@pytest.mark.parametrize("how", ["removed", "renamed"])
def test_E6_a_state_dir_that_goes_and_comes_back_is_followed_again(
    house: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    _quick(monkeypatch)
    with following(house) as live:
        house.append(NAME, message(6))
        live.has_lines(NAME, 7)
        saved = tmp_path / "saved"
        if how == "removed":
            shutil.copytree(house.state_dir, saved)
            shutil.rmtree(house.state_dir)
        else:
            house.state_dir.rename(saved)
        wait_for(lambda: str(house.state_dir) in live.loop.followers[0].problems)
        saved.rename(house.state_dir)
        wait_for(lambda: live.loop.watcher.mode == "events")
        house.append(NAME, messages(7, 8))
        live.has_lines(NAME, 9)
    assert live.row(NAME).generation == 1


def test_agents_that_cannot_be_listed_lose_nothing_and_end_nothing(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    _quick(monkeypatch)
    agents = house.state_dir / "agents"
    with following(house, mode="poll") as live:
        agents.rename(house.state_dir / "kept")
        agents.write_text("a file where the directory was")
        wait_for(lambda: str(agents) in live.loop.followers[0].problems)
        assert live.row(NAME).state == "live"
        agents.unlink()
        (house.state_dir / "kept").rename(agents)
        house.append(NAME, message(6))
        live.has_lines(NAME, 7)
        wait_for(lambda: not live.loop.followers[0].problems)


def test_a_watcher_that_dies_under_the_loop_is_noticed(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    _quick(monkeypatch)
    with following(house) as live:
        observer = live.loop.watcher._observer
        assert observer is not None
        for emitter in [*observer.emitters]:
            emitter.stop()
        house.write(name_of(2), transcript(2, 2))
        live.has_lines(name_of(2), 3)
        wait_for(lambda: live.loop.watcher.rebuilds == 1)
        _appends_are_seen(live)


def _appends_are_seen(live: Live) -> None:
    lines = live.row(NAME).lines
    live.house.append(NAME, message(lines))
    live.has_lines(NAME, lines + 1)
