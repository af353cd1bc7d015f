"""FAULTS.md E with the kernel's own limits and mounts: a real process, in namespaces where those are enough."""
# ruff: noqa: N802  the fault's id stands in the test's name

import fcntl
import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from syncd.daemon.beat import beat_path
from tests.daemon.live import wait_for
from tests.daemon.process import Daemon, daemon, in_ledger, rows, syncd
from tests.mirror.household import Household, household, message, messages, name_of, require_root, transcript
from tests.mirror_checks import assert_mirrors, transcripts

NAME = name_of(1)
WITHOUT_RESCANS = "watch: {settle_seconds: 0.2, rescan_seconds: 3600}\n"
QUEUE = Path("/proc/sys/fs/inotify/max_queued_events")
_PUT_BACK = """
import sys
sys.stdin.read()
with open(sys.argv[1], "w") as setting:
    setting.write(sys.argv[2])
"""


@pytest.fixture
def house(tmp_path: Path) -> Household:
    """No regular rescan comes to the help of what a lost event or a missing watch must bring about."""
    made = household(tmp_path)
    made.write(NAME, transcript(1, 5))
    (tmp_path / "config.yaml").write_text(WITHOUT_RESCANS)
    return made


def limited(name: str, number: int) -> tuple[str, ...]:
    """A command prefix: a user namespace whose limit is this; nobody outside is concerned."""
    script = f'echo {number} > /proc/sys/user/{name} && exec "$@"'
    prefix = ("unshare", "-U", "--map-root-user", "sh", "-c", script, "sh")
    if shutil.which("unshare") is None or subprocess.run([*prefix, "true"], capture_output=True).returncode:  # noqa: PLW1510
        pytest.skip("needs a user namespace of its own")
    return prefix


@contextmanager
def short_queue(events: int) -> Iterator[None]:
    """The kernel's setting for new watchers: those made meanwhile keep it.

    A process of its own puts it back when the block ends or this process does, however it ends. It has the lock, too,
    until then: another run of the tests on this machine would take what it finds for what was there before.
    """
    require_root()
    with (Path(tempfile.gettempdir()) / "syncd-tests-short-queue.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        before = QUEUE.read_text()
        command = [sys.executable, "-c", _PUT_BACK, str(QUEUE), before]
        with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, pass_fds=(lock.fileno(),)):
            try:
                QUEUE.write_text(str(events))
            except OSError:
                pytest.skip("the kernel's settings cannot be changed here")
            yield
        assert QUEUE.read_text() == before


def beat(running: Daemon) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(beat_path(running.house.ledger_path).read_bytes())
    return found


def test_E1_a_queue_that_overflows_is_a_rescan_and_is_counted(house: Household) -> None:
    with short_queue(64):
        running = Daemon(house)
        try:
            running.is_following()
        except BaseException:
            running.kill()
            raise
    try:
        running.process.send_signal(signal.SIGSTOP)  # so that nobody reads the queue meanwhile
        for number in range(2, 2002):
            house.write(name_of(number), transcript(number, 1))
        running.process.send_signal(signal.SIGCONT)
        wait_for(lambda: len(rows(house)) == 2001)
        wait_for(lambda: beat(running)["overflows"] > 0)
        assert running.has_said("events_lost")["bursts"] > 0  # and no line before it was another's
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))
        assert running.terminate()[0] == 0
    finally:
        running.kill()
    assert_mirrors(house)


def test_E2_a_burst_of_fifty_thousand_appends_overflows_the_usual_queue_and_loses_nothing(house: Household) -> None:
    house.write(name_of(2), transcript(2, 1))
    with daemon(house) as running:
        running.is_following()
        running.process.send_signal(signal.SIGSTOP)
        line = b'{"type":"custom","id":"x","customType":"burst"}\n'
        with house.path(NAME).open("ab", buffering=0) as one, house.path(name_of(2)).open("ab", buffering=0) as other:
            for _ in range(25_000):  # in turns: the kernel merges equal events that follow each other
                one.write(line)
                other.write(line)
        house.write(name_of(3), transcript(3, 1))  # where the queue is full by now, no event tells of it
        running.process.send_signal(signal.SIGCONT)
        wait_for(in_ledger(house, name_of(3), 2), 20)
        wait_for(in_ledger(house, NAME, 25_006), 60)
        wait_for(in_ledger(house, name_of(2), 25_002), 60)
        if int(QUEUE.read_text()) < 50_000:
            wait_for(lambda: beat(running)["overflows"] > 0)
        assert running.terminate()[0] == 0
    assert {row.generation for row in transcripts(house.ledger_path)} == {1}
    assert_mirrors(house)


def test_E3_directories_beyond_the_watch_limit_are_polled_and_status_says_what_to_raise(house: Household) -> None:
    for agent in ("a", "b", "c", "d", "e", "f"):
        (house.sessions(agent) / name_of(ord(agent))).write_bytes(transcript(ord(agent), 1))
    with daemon(house, prefix=limited("max_inotify_watches", 5)) as running:
        running.is_following()
        wait_for(lambda: syncd(house, "status")[0] == 4)
        _, document = syncd(house, "status")
        (degraded,) = document["degraded"]
        assert degraded["code"] == "watch_limit"
        assert "fs.inotify.max_user_watches" in degraded["hint"]
        assert document["daemon"]["watch_mode"] == "poll"
        for agent in ("a", "f"):
            with (house.sessions(agent) / name_of(ord(agent))).open("ab") as file:
                file.write(message(2))
            wait_for(in_ledger(house, name_of(ord(agent)), 3))
        assert running.terminate()[0] == 0
    assert_mirrors(house)


@pytest.mark.parametrize("instances", [0, 1])
def test_E4_without_an_instance_it_starts_in_polling_mode(house: Household, instances: int) -> None:
    """One is enough for us; none at all is not."""
    with daemon(house, prefix=limited("max_inotify_instances", instances)) as running:
        running.is_following()
        wait_for(lambda: beat(running)["watch_mode"] == ("events" if instances else "poll"))
        assert syncd(house, "status")[0] == (0 if instances else 4)
        house.append(NAME, message(6))
        house.write(name_of(2), transcript(2, 2))
        wait_for(in_ledger(house, NAME, 7))
        wait_for(in_ledger(house, name_of(2), 3))
        assert running.terminate()[0] == 0
    assert_mirrors(house)


def test_E7_a_root_that_a_mount_replaces_is_watched_anew(house: Household, tmp_path: Path) -> None:
    require_root()
    other = household(tmp_path / "other")
    other.write(NAME, transcript(1, 9))
    other.write(name_of(2), transcript(2, 2))
    prefix = ("unshare", "-m", "sh", "-c", 'mount --make-rprivate / && exec "$@"', "sh")
    if (
        shutil.which("nsenter") is None
        or subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("needs a mount namespace of its own: unshare, nsenter and the right to mount")
    with daemon(house, prefix=prefix) as running:
        running.is_following()
        inside = ("nsenter", "-t", str(running.pid), "-m")
        subprocess.run([*inside, "mount", "--bind", other.state_dir, house.state_dir], check=True)
        wait_for(in_ledger(house, name_of(2), 3))  # below the same path lie other files now
        wait_for(in_ledger(house, NAME, 10))
        other.append(NAME, messages(10, 11))
        wait_for(in_ledger(house, NAME, 12))  # by an event
        assert beat(running)["watch_mode"] == "events"
        subprocess.run([*inside, "umount", house.state_dir], check=True)
        house.append(NAME, messages(6, 7))
        wait_for(lambda: [row.state for row in rows(house) if row.name == name_of(2)] == ["gone"])
        assert running.terminate()[0] == 0
    assert syncd(house, "run", "--once")[0] == 0
    assert_mirrors(house)
