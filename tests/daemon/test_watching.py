"""FAULTS.md E: everything that can go wrong with events. Losing all of them costs delay, never data."""
# ruff: noqa: N802  the fault's id stands in the test's name

import ctypes
import errno
import logging
import mmap
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from watchdog.observers import inotify_c

from syncd.daemon import loop as loop_module
from syncd.daemon.dirty import DirtySet
from syncd.daemon.loop import Loop
from syncd.daemon.watch import Watcher
from tests.daemon.live import Live, following, wait_for
from tests.mirror.household import Household, message, messages, name_of, transcript
from tests.mirror_checks import events, transcripts

NAME = name_of(1)


@pytest.fixture
def watched(house: Household) -> Iterator[tuple[DirtySet, Watcher]]:
    dirty = DirtySet()
    watcher = Watcher(dirty, [str(house.state_dir)])
    watcher.start()
    yield dirty, watcher
    watcher.stop()


def _sees(dirty: DirtySet, path: Path) -> bool:
    """Touches the file until an event names it: a watch that was just made may miss the first one."""

    def is_named() -> bool:
        with path.open("ab") as file:
            file.write(b"x")
        return str(path) in dirty.take(0.05).paths

    wait_for(is_named, 5)
    return True


def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_module, "WATCH_CHECK_SECONDS", 0.05)
    monkeypatch.setattr(loop_module, "POLL_SECONDS", 0.1)
    monkeypatch.setattr(loop_module, "LONGEST_WAIT_SECONDS", 0.05)


# The watcher alone


def test_a_write_a_creation_a_rename_and_a_removal_each_name_the_path(
    house: Household, watched: tuple[DirtySet, Watcher]
) -> None:
    dirty, watcher = watched
    assert (watcher.mode, watcher.reason) == ("events", None)
    named: set[str] = set()

    def all_named(*paths: Path) -> bool:
        named.update(dirty.take(0.02).paths)
        return named >= set(map(str, paths))

    house.append(NAME, b"x")
    house.write(name_of(2), b"")
    wait_for(lambda: all_named(house.path(NAME), house.path(name_of(2))))
    named.clear()
    house.rename(NAME, f"{NAME}.reset")
    wait_for(lambda: all_named(house.path(NAME), house.path(f"{NAME}.reset")))
    named.clear()
    house.path(name_of(2)).unlink()
    wait_for(lambda: all_named(house.path(name_of(2))))


def test_E12_reading_makes_no_event(house: Household, watched: tuple[DirtySet, Watcher]) -> None:
    dirty, _ = watched
    for _ in range(20):
        house.path(NAME).read_bytes()
        list(house.sessions().iterdir())
    assert _sees(dirty, house.path(name_of(2)))
    assert dirty.take(0.05).paths <= {str(house.path(name_of(2)))}


def test_what_openclaw_does_elsewhere_in_its_state_dir_is_not_watched(
    house: Household, watched: tuple[DirtySet, Watcher]
) -> None:
    dirty, _ = watched
    deep = house.state_dir / "workspace" / "node_modules" / "left-pad"
    deep.mkdir(parents=True)
    (deep / "index.js").write_text("")
    (house.state_dir / "browser").mkdir()
    assert _sees(dirty, house.path(name_of(2)))
    taken = dirty.take(0.1)
    assert not taken.everything
    assert not [path for path in taken.paths if "node_modules" in path]


@pytest.mark.parametrize("name", ["openclaw.json", "sessions.json"])
def test_files_of_the_state_dir_itself_are_watched(
    house: Household, watched: tuple[DirtySet, Watcher], name: str
) -> None:
    assert _sees(watched[0], house.state_dir / name)


@pytest.mark.parametrize("place", ["sessions", "cron/runs", "agents/late/sessions"])
def test_places_that_come_later_are_watched(house: Household, watched: tuple[DirtySet, Watcher], place: str) -> None:
    dirty, watcher = watched
    (house.state_dir / place).mkdir(parents=True)
    wait_for(lambda: dirty.take(0.05).everything)
    watcher.check()
    assert _sees(dirty, house.state_dir / place / "some.jsonl")


def test_E10_a_dead_emitter_is_replaced_and_everything_looked_at(
    house: Household, watched: tuple[DirtySet, Watcher]
) -> None:
    dirty, watcher = watched
    assert watcher._observer is not None
    emitter = next(iter(watcher._observer.emitters))
    emitter.stop()
    emitter.join(5)
    watcher.check()
    assert watcher.rebuilds == 1
    assert dirty.take(0).everything
    assert _sees(dirty, house.path(name_of(2)))


def test_a_dead_observer_is_replaced(house: Household, watched: tuple[DirtySet, Watcher]) -> None:
    dirty, watcher = watched
    assert watcher._observer is not None
    watcher._observer.stop()
    watcher._observer.join(5)
    watcher.check()
    assert (watcher.rebuilds, watcher.mode) == (1, "events")
    assert _sees(dirty, house.path(name_of(2)))


def test_a_sound_watcher_is_left_alone(watched: tuple[DirtySet, Watcher], house: Household) -> None:
    dirty, watcher = watched
    for _ in range(5):
        watcher.check([str(house.sessions())])
    assert (watcher.rebuilds, watcher.mode, dirty.take(0).everything) == (0, "events", False)


def test_E5_a_root_that_is_absent_is_watched_when_it_comes(tmp_path: Path) -> None:
    dirty = DirtySet()
    watcher = Watcher(dirty, [str(tmp_path / "openclaw")])
    watcher.start()
    try:
        assert watcher.mode == "poll"
        watcher.check()
        assert watcher.rebuilds == 0
        (tmp_path / "openclaw" / "agents").mkdir(parents=True)
        watcher.check()
        assert (watcher.rebuilds, watcher.mode) == (1, "events")
        assert dirty.take(0).everything
        assert _sees(dirty, tmp_path / "openclaw" / "agents" / "some.jsonl")
    finally:
        watcher.stop()


@pytest.mark.parametrize("how", ["removed", "renamed", "replaced"])
def test_E6_E7_a_root_that_is_another_directory_now_is_watched_anew(
    house: Household, watched: tuple[DirtySet, Watcher], how: str
) -> None:
    dirty, watcher = watched
    if how == "removed":
        shutil.rmtree(house.state_dir)
        watcher.check()
        assert (watcher.mode, watcher.reason) == ("poll", None)
    else:
        house.state_dir.rename(house.state_dir.with_name("moved"))
    if how == "replaced":
        made = house.state_dir.with_name("other")
        made.mkdir()
        made.rename(house.state_dir)
    dirty.take(0)
    house.sessions()
    watcher.check()
    assert watcher.mode == "events"
    assert dirty.take(0).everything
    assert _sees(dirty, house.path(NAME))


def test_E1_the_kernels_overflow_is_everything_and_counted(watched: tuple[DirtySet, Watcher]) -> None:
    dirty, watcher = watched
    assert watcher._observer is not None
    overflow = inotify_c.InotifyEvent(inotify_c.WatchDescriptor(-1), inotify_c.InotifyConstants.IN_Q_OVERFLOW, 0, b"")
    dirty.take(0)
    watcher._observer._inotify_fd.handle_event(overflow)  # type: ignore[attr-defined]  # as if the kernel said so
    assert dirty.take(1).everything
    assert dirty.overflows == 1


def test_nothing_of_a_watcher_is_left_when_it_stops(house: Household) -> None:
    dirty = DirtySet()
    before = len(os.listdir("/proc/self/fd")), logging.getLogger("watchdog.observers.inotify_c").handlers.copy()
    watcher = Watcher(dirty, [str(house.state_dir)])
    watcher.start()
    watcher.stop()
    assert (len(os.listdir("/proc/self/fd")), logging.getLogger("watchdog.observers.inotify_c").handlers) == before


def test_E4_without_an_instance_of_the_kernel_it_polls_and_says_why(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> int:
        ctypes.set_errno(errno.EMFILE)
        return -1

    dirty = DirtySet()
    watcher = Watcher(dirty, [str(house.state_dir)])
    with monkeypatch.context() as patch:
        patch.setattr(inotify_c, "inotify_init", refuse)
        watcher.start()
        assert watcher.mode == "poll"
        assert "inotify instance limit" in (watcher.reason or "")
        for _ in range(30):
            watcher.check()  # tries again, now and then
        assert 1 <= watcher.rebuilds <= 3
    for _ in range(30):
        watcher.check()
    assert (watcher.mode, watcher.reason) == ("events", None)
    assert _sees(dirty, house.path(name_of(2)))
    watcher.stop()


@pytest.mark.parametrize("refused", ["root", "below"])
def test_E3_directories_beyond_the_watch_limit_are_polled_and_named(
    house: Household, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    real, at = inotify_c.inotify_add_watch, str(house.state_dir if refused == "root" else house.sessions()).encode()

    def limited(descriptor: int, path: bytes, mask: int) -> inotify_c.WatchDescriptor:
        if path == at:
            ctypes.set_errno(errno.ENOSPC)
            return inotify_c.WatchDescriptor(-1)
        return real(descriptor, path, mask)

    _quick(monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(inotify_c, "inotify_add_watch", limited)
        with following(house) as live:
            wait_for(lambda: live.loop.watcher.mode == "poll" and live.loop.watcher.reason)
            house.write(name_of(2), transcript(2, 2))
            live.has_lines(name_of(2), 3, seconds=3)
            assert live.loop.watcher.rebuilds < 20
            patch.setattr(inotify_c, "inotify_add_watch", real)
            if refused == "root":
                wait_for(lambda: live.loop.watcher.mode == "events")
                assert live.loop.watcher.reason is None


# The loop behind it


def test_E11_without_any_event_everything_is_still_found(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
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
        live.has_lines(name_of(2), 3, seconds=3)
        wait_for(lambda: live.loop.followers[0].figures.missed_events > 0)


def test_events_that_keep_failing_to_come_make_it_poll(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system without events: nothing can be seen to be wrong, but what the rescans find."""
    from syncd.daemon import follow

    _quick(monkeypatch)
    monkeypatch.setattr(follow, "MISSED_AFTER_SECONDS", 0.0)
    monkeypatch.setattr(loop_module, "WATCH_CHECK_SECONDS", 60.0)
    with following(house, rescan_seconds=0.2, prepare=_deaf) as live:
        numbers = iter(range(2, 1000))

        def has_given_up() -> bool:
            number = next(numbers)
            house.write(name_of(number), transcript(number, 1))
            return live.loop.watcher.mode == "poll"

        wait_for(has_given_up)
        assert "missed" in (live.loop.watcher.reason or "")
        missed = live.loop.followers[0].figures.missed_events
        house.write(name_of(5000), transcript(5000, 2))
        live.has_lines(name_of(5000), 3, seconds=2)
        assert live.loop.followers[0].figures.missed_events == missed
    assert "missed_event" in events(house.ledger_path)


def _deaf(loop: Loop) -> None:
    """The dirty set hears nothing: as if every event was lost."""
    loop.dirty.add = lambda path: None  # type: ignore[method-assign]  # noqa: ARG005
    loop.dirty.add_everything = lambda: None  # type: ignore[method-assign]


def test_an_active_file_is_followed_without_events(house: Household) -> None:
    with following(house) as live:
        house.append(NAME, message(6))
        live.has_lines(NAME, 7)
        _deaf(live.loop)
        house.append(NAME, message(7))
        live.has_lines(NAME, 8, seconds=5)


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
        wait_for(lambda: live.row(NAME).generation == 2, 3)


def test_E9_a_move_out_of_the_tree_delays_no_other_file_for_long(house: Household, tmp_path: Path) -> None:
    house.write(name_of(2), transcript(2, 2))
    with following(house) as live:
        house.append(NAME, message(6))
        live.has_lines(NAME, 7)
        house.path(name_of(2)).rename(tmp_path / "out.jsonl")
        started = time.monotonic()
        house.append(NAME, message(7))
        live.has_lines(NAME, 8, seconds=2)
        assert time.monotonic() - started < 2.0
        wait_for(lambda: live.row(name_of(2)).state == "gone")


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


def test_E1_an_overflow_of_the_dirty_set_looks_at_everything(house: Household) -> None:
    def small(loop: Loop) -> None:
        loop.dirty._max_paths = 3

    with following(house, prepare=small) as live:
        for number in range(2, 40):
            house.write(name_of(number), transcript(number, 1))
        wait_for(lambda: len(transcripts(house.ledger_path)) == 39)
        live.level()
        wait_for(lambda: live.loop.dirty.overflows > 0)
        assert live.loop.followers[0].figures.rescans > 1


def test_a_storm_of_small_appends_is_looked_at_less_often_than_it_writes(house: Household) -> None:
    with following(house) as live:
        before = live.looks()
        for number in range(6, 606):
            with house.path(NAME).open("ab") as file:
                file.write(message(number))
        live.has_lines(NAME, 606)
        assert live.looks() - before <= 600
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
        live.has_lines(name_of(2), 3, seconds=3)
        wait_for(lambda: live.loop.watcher.rebuilds == 1)
        _appends_are_seen(live)


def _appends_are_seen(live: Live) -> None:
    lines = live.row(NAME).lines
    live.house.append(NAME, message(lines))
    live.has_lines(NAME, lines + 1, seconds=2)
