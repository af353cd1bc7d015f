"""The daemon's small parts: the dirty set, the notifier, the latencies, the beat."""

import errno
import os
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from syncd.daemon.beat import beat_of, beat_path, read_beat, write_beat
from syncd.daemon.dirty import CROWD_PACE_SECONDS, CROWD_PATHS, Crowd, DirtySet
from syncd.daemon.figures import Latencies
from syncd.daemon.keeping import LOOK_SECONDS, Keeping
from syncd.daemon.notify import SIGN_SECONDS, Notifier, Signs
from syncd.daemon.shortage import shortage_of
from syncd.ledger.lock import writer_lock
from tests.daemon.beats import a_beat
from tests.daemon.live import following, wait_for
from tests.mirror.household import HandClock, household, message, name_of, transcript


def test_a_path_added_many_times_is_taken_once() -> None:
    dirty = DirtySet()
    for path in ("a", "b", "a", "a"):
        dirty.add(path)
    assert dirty.take(0) == (frozenset({"a", "b"}), False)
    assert dirty.take(0) == (frozenset(), False)


def test_too_many_paths_become_everything_and_are_counted() -> None:
    dirty = DirtySet(max_paths=3)
    for number in range(10):
        dirty.add(str(number))
    taken = dirty.take(0)
    assert taken.everything
    assert len(taken.paths) <= 3
    assert dirty.overflows == 2
    dirty.add("later")
    assert dirty.take(0) == (frozenset({"later"}), False)


def test_everything_is_taken_once_and_beside_the_paths() -> None:
    dirty = DirtySet()
    dirty.add("a")
    dirty.add_everything()
    assert dirty.take(0) == (frozenset({"a"}), True)
    assert dirty.take(0) == (frozenset(), False)


def test_what_becomes_wrong_is_told_before_the_next_beat_is_due(tmp_path: Path) -> None:
    house = household(tmp_path)
    house.write(name_of(1), transcript(1, 2))
    with following(house, beat_seconds=3600.0, is_level_after=False) as live:
        wait_for(lambda: live.beats > 0)
        before = live.beats
        house.write(f"{name_of(2)}.deleted.2026-11-18T10-00-00.000Z.zst", b"this is no archive")
        wait_for(lambda: live.loop.followers[0].problems)
        wait_for(lambda: live.beats > before)


def test_who_rings_while_the_lock_is_looked_at_does_not_wait_for_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stop, or a visitor: a look takes its time where the lock file cannot be had."""
    clock, dirty, looks = HandClock(), DirtySet(), list[float]()
    with writer_lock(tmp_path / "ledger.db") as hold:

        def look_long() -> bool:
            looks.append(clock.monotonic())
            clock.sleep(LOOK_SECONDS)
            return False

        monkeypatch.setattr(hold, "keep", look_long)
        dirty.wake()
        Keeping(hold, clock, lambda: None).take(dirty, 2 * LOOK_SECONDS)
    assert len(looks) == 1


def waits(files: int, lines_per_second: int, seconds: float) -> list[float]:
    """What a crowd makes each pass wait, while files are written in turn; a pass takes a millisecond."""
    crowd, now, found, seen = Crowd(), 0.0, [], 0
    while now < seconds:
        written = int(now * lines_per_second)
        paths = frozenset(str(line % files) for line in range(seen, written))
        found.append(crowd.seconds_to_wait(paths, 100 + now))
        now += found[-1] + 0.001
        seen = written
    return found


def test_a_few_files_that_are_written_without_end_wait_for_nobody() -> None:
    assert not any(waits(CROWD_PATHS - 1, 5000, 2.0))
    assert not any(waits(50, 40, 2.0)), "many files, but seldom one"


def test_passes_over_a_crowd_of_files_keep_apart() -> None:
    found = waits(50, 1000, 2.0)
    assert not any(found[:50]), "it is none yet"
    assert all(wait == pytest.approx(CROWD_PACE_SECONDS - 0.001) for wait in found[-50:])


@pytest.mark.parametrize("act", ["add", "add_everything", "wake"])
def test_a_waiting_take_is_woken_at_once(act: str) -> None:
    dirty = DirtySet()
    taken: list[object] = []
    waiting = threading.Thread(target=lambda: taken.append(dirty.take(600)))
    waiting.start()
    if act == "add":
        dirty.add("a")
    else:
        getattr(dirty, act)()
    waiting.join(60)
    assert not waiting.is_alive()
    assert taken == [(frozenset({"a"} if act == "add" else ()), act == "add_everything")]


def test_a_take_waits_no_longer_than_asked() -> None:
    started = time.monotonic()
    assert DirtySet().take(0.05) == (frozenset(), False)
    assert time.monotonic() - started > 0.04


def test_what_many_threads_add_is_all_taken() -> None:
    dirty = DirtySet()

    def add(start: int) -> None:
        for each in range(200):
            dirty.add(f"{start}.{each}")

    threads = [threading.Thread(target=add, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    found: set[str] = set()
    while any(thread.is_alive() for thread in threads):
        found |= dirty.take(0.01).paths
    found |= dirty.take(0).paths
    assert len(found) == 800


@pytest.mark.parametrize("kind", ["path", "abstract"])
def test_the_service_manager_is_told_over_its_socket(tmp_path: Path, kind: str) -> None:
    name = f"@syncd-test-{os.getpid()}" if kind == "abstract" else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.settimeout(60)
        manager.bind("\0" + name[1:] if kind == "abstract" else name)
        notifier = Notifier({"NOTIFY_SOCKET": name})
        notifier.send("READY=1", "STATUS=following")
        assert manager.recv(4096) == b"READY=1\nSTATUS=following"
        notifier.send("WATCHDOG=1")
        assert manager.recv(4096) == b"WATCHDOG=1"


def test_signs_of_work_are_given_with_the_first_step_and_then_every_few_seconds(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.setblocking(False)
        manager.bind(str(tmp_path / "notify"))
        clock = HandClock()
        feed = Signs(Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify")}), clock, "WATCHDOG=1")
        for expected in (1, 0, 0):
            feed()
            assert _heard(manager) == [b"WATCHDOG=1"] * expected
        clock.sleep(SIGN_SECONDS)
        feed()
        feed()
        assert _heard(manager) == [b"WATCHDOG=1"]


def _heard(manager: socket.socket) -> list[bytes]:
    heard = []
    with suppress(BlockingIOError):
        while True:
            heard.append(manager.recv(4096))
    return heard


@pytest.mark.parametrize("environ", [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "/nowhere/at/all"}])
def test_without_a_service_manager_nothing_happens(environ: dict[str, str]) -> None:
    Notifier(environ).send("READY=1")


def test_a_full_socket_of_the_manager_stops_nobody(tmp_path: Path) -> None:
    """One that does not read: the mirror may not hang on it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        notifier = Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify")})
        done = threading.Event()

        def send() -> None:
            for _ in range(2000):
                notifier.send("WATCHDOG=1")
            done.set()

        sender = threading.Thread(target=send, daemon=True)
        sender.start()
        assert done.wait(60)
        sender.join()


def test_percentiles_are_of_the_last_ones_only() -> None:
    latencies = Latencies(kept=100)
    assert latencies.percentile(0.5) is None
    for value in range(1000):
        latencies.add(float(value))
    assert latencies.percentile(0.0) == 900
    assert latencies.percentile(0.5) == 950
    assert latencies.percentile(0.99) == latencies.percentile(1.0) == 999


def test_a_latency_is_never_negative() -> None:
    latencies = Latencies()
    latencies.add(-5.0)  # the wall clock was set back
    assert latencies.percentile(0.5) == 0.0


def test_a_beat_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.db"
    beat = a_beat()
    write_beat(ledger, beat)
    found = read_beat(ledger)
    assert found is not None
    assert found.pid == 7
    assert [dict(item) for item in found.problems] == [{"path": "/x", "reason": "why"}]
    assert beat_path(ledger).stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ledger.db.beat.json"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b'{"pid": 1}', b"\xff\xfe"])
def test_a_beat_that_makes_no_sense_is_none(tmp_path: Path, content: bytes) -> None:
    beat_path(tmp_path / "ledger.db").write_bytes(content)
    assert read_beat(tmp_path / "ledger.db") is None


def test_a_beat_that_cannot_be_written_ends_nothing(tmp_path: Path) -> None:
    write_beat(tmp_path / "missing" / "ledger.db", a_beat())
    assert read_beat(tmp_path / "missing" / "ledger.db") is None


def test_the_beat_of_a_loop_tells_how_it_watches_and_how_late_lines_were(tmp_path: Path) -> None:
    house = household(tmp_path)
    house.write(name_of(1), transcript(1, 2))
    with following(house) as live:
        house.append(name_of(1), message(3))
        live.has_lines(name_of(1), 4)
        live.level()
        beat = beat_of(live.loop, 17)
        assert (beat.pid, beat.started_at, beat.watch_mode, beat.watch_reason) == (os.getpid(), 17, "events", None)
        assert beat.looks >= 1
        assert beat.rescans >= 1
        assert beat.missed_events == 0
    p99 = beat_of(live.loop, 17).latency_p99_ms
    assert p99 is not None
    assert p99 < 60_000


def test_only_what_the_system_is_short_of_is_waited_for() -> None:
    assert "Too many open files" in str(shortage_of(OSError(errno.EMFILE, os.strerror(errno.EMFILE))))
    with pytest.raises(PermissionError):
        shortage_of(PermissionError(errno.EACCES, "no"))
