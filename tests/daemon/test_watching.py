"""FAULTS.md E: everything that can go wrong with events. Losing all of them costs delay, never data."""
# ruff: noqa: N802  the fault's id stands in the test's name

import ctypes
import errno
import gc
import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from watchdog.observers import inotify_c

from syncd.daemon import timers
from syncd.daemon.dirty import Dirt, DirtySet
from syncd.daemon.watch import Watcher
from tests.daemon.live import following, wait_for
from tests.mirror.household import Household, name_of, transcript

NAME = name_of(1)


@pytest.fixture
def watched(house: Household) -> Iterator[tuple[DirtySet, Watcher]]:
    dirty = DirtySet()
    watcher = Watcher(dirty, [str(house.state_dir)])
    watcher.start()
    yield dirty, watcher
    watcher.stop()


def _sees(dirty: DirtySet, path: Path) -> Dirt:
    """Touches the file until an event names it, as a watch that was just made may miss the first one; all until then.

    Events come in order: what happened before and made one is in it.
    """
    seen = Dirt(frozenset(), everything=False)

    def is_named() -> bool:
        nonlocal seen
        with path.open("ab") as file:
            file.write(b"x")
        seen = seen.with_more(dirty.take(0.05))
        return str(path) in seen.paths

    wait_for(is_named)
    return seen


def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timers, "WATCH_CHECK_SECONDS", 0.05)
    monkeypatch.setattr(timers, "POLL_SECONDS", 0.1)
    monkeypatch.setattr(timers, "LONGEST_WAIT_SECONDS", 0.05)


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
    assert _sees(dirty, house.path(name_of(2))) == Dirt(frozenset({str(house.path(name_of(2)))}), everything=False)


def test_what_openclaw_does_elsewhere_in_its_state_dir_is_not_watched(
    house: Household, watched: tuple[DirtySet, Watcher]
) -> None:
    dirty, _ = watched
    deep = house.state_dir / "workspace" / "node_modules" / "left-pad"
    deep.mkdir(parents=True)
    (deep / "index.js").write_text("")
    (house.state_dir / "browser").mkdir()
    assert _sees(dirty, house.path(name_of(2))) == Dirt(frozenset({str(house.path(name_of(2)))}), everything=False)


@pytest.mark.parametrize("name", ["openclaw.json", "sessions.json"])
def test_files_of_the_state_dir_itself_are_watched(
    house: Household, watched: tuple[DirtySet, Watcher], name: str
) -> None:
    _sees(watched[0], house.state_dir / name)


@pytest.mark.parametrize("place", ["sessions", "cron/runs", "agents/late/sessions"])
def test_places_that_come_later_are_watched(house: Household, watched: tuple[DirtySet, Watcher], place: str) -> None:
    dirty, watcher = watched
    (house.state_dir / place).mkdir(parents=True)
    wait_for(lambda: dirty.take(0.05).everything)
    watcher.check()
    _sees(dirty, house.state_dir / place / "some.jsonl")


def test_E10_a_dead_emitter_is_replaced_and_everything_looked_at(
    house: Household, watched: tuple[DirtySet, Watcher]
) -> None:
    dirty, watcher = watched
    assert watcher._observer is not None
    emitter = next(iter(watcher._observer.emitters))
    emitter.stop()
    emitter.join(60)
    watcher.check()
    assert watcher.rebuilds == 1
    assert dirty.take(0).everything
    _sees(dirty, house.path(name_of(2)))


def test_a_dead_observer_is_replaced(house: Household, watched: tuple[DirtySet, Watcher]) -> None:
    dirty, watcher = watched
    assert watcher._observer is not None
    watcher._observer.stop()
    watcher._observer.join(60)
    watcher.check()
    assert (watcher.rebuilds, watcher.mode) == (1, "events")
    _sees(dirty, house.path(name_of(2)))


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
        _sees(dirty, tmp_path / "openclaw" / "agents" / "some.jsonl")
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
    _sees(dirty, house.path(NAME))


def test_E1_the_kernels_overflow_is_everything_and_counted_and_none_but_the_daemon_says_it(
    watched: tuple[DirtySet, Watcher], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # as in a process of its own: what nobody takes is printed
    dirty, watcher = watched
    assert watcher._observer is not None
    overflow = inotify_c.InotifyEvent(inotify_c.WatchDescriptor(-1), inotify_c.InotifyConstants.IN_Q_OVERFLOW, 0, b"")
    dirty.take(0)
    watcher._observer._inotify_fd.handle_event(overflow)  # type: ignore[attr-defined]  # as if the kernel said so
    assert dirty.take(1).everything
    assert dirty.overflows == 1
    assert capsys.readouterr().err == ""


def _kernels_watchers() -> int:
    """How many descriptors of the kernel's watcher this process holds."""
    links = (Path("/proc/self/fd") / name for name in os.listdir("/proc/self/fd"))
    return sum(os.path.lexists(link) and os.readlink(link) == "anon_inode:inotify" for link in links)


def test_nothing_of_a_watcher_is_left_when_it_stops(house: Household) -> None:
    dirty = DirtySet()
    log = logging.getLogger("watchdog.observers.inotify_c")
    gc.collect()  # what an earlier test dropped must not close in the midst of this one
    before = _kernels_watchers(), log.handlers.copy()
    watcher = Watcher(dirty, [str(house.state_dir)])
    watcher.start()
    assert _kernels_watchers() > before[0]
    watcher.stop()
    wait_for(lambda: (_kernels_watchers(), log.handlers) == before)  # its threads may need a moment to end


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
    _sees(dirty, house.path(name_of(2)))
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
            live.has_lines(name_of(2), 3)
            assert live.loop.watcher.rebuilds < 20
            patch.setattr(inotify_c, "inotify_add_watch", real)
            if refused == "root":
                wait_for(lambda: live.loop.watcher.mode == "events")
                assert live.loop.watcher.reason is None
