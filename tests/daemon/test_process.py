"""`syncd run` and `syncd status` as their users meet them: exit codes, documents, signals, one instance."""
# ruff: noqa: N802  the fault's id stands in the test's name

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from syncd.daemon.beat import beat_path
from syncd.ledger.lock import writer_pid
from tests.daemon.live import wait_for
from tests.daemon.process import PROMPTLY_SECONDS, Daemon, daemon, in_ledger, rows, syncd
from tests.mirror.busy_openclaw import torn_appends
from tests.mirror.household import Household, dead_pid, household, message, name_of, session_id, transcript
from tests.mirror_checks import assert_mirrors, assert_sound, query, transcripts

NAME = name_of(1)
KILLS = 4
PROMISED = {
    "state", "pid", "behind_bytes", "behind_seconds", "transcripts", "sessions", "entries", "quarantined",
    "ledger_bytes", "wal_bytes", "jobs", "locks", "degraded",
}  # fmt: skip


def test_it_follows_until_sigterm_and_ends_with_0(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))
        code, seconds = running.terminate()
    assert (code, seconds < PROMPTLY_SECONDS) == (0, True), seconds
    assert_mirrors(house)


def test_ctrl_c_is_a_clean_stop_too_and_ends_with_130(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        running.process.send_signal(signal.SIGINT)
        printed, said = running.process.communicate(timeout=60)
        assert (running.process.returncode, b"taken in" in printed) == (130, True)
        assert json.loads(said.splitlines()[-1])["event"] == "stopping"
    assert_mirrors(house)


def test_its_last_words_tell_of_all_that_it_did(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        house.append(NAME, b"no json {\n" * 3)
        house.write(
            "sessions.json", json.dumps({"agent:main:main": {"sessionId": session_id(1), "updatedAt": 1}}).encode()
        )
        wait_for(in_ledger(house, NAME, 9))
        wait_for(lambda: query(house.ledger_path, "SELECT count(*) FROM sessions") == [(1,)])
        running.process.send_signal(signal.SIGTERM)
        said = running.process.communicate(timeout=60)[0].decode()
    assert "1 transcript, 9 lines" in said
    assert "3 lines" in said
    assert "1 session of OpenClaw's index new or changed" in said


def test_a_second_one_ends_with_75_and_names_the_first(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        for args in (("run",), ("run", "--once")):
            code, document = syncd(house, *args)
            assert code == 75
            assert document["ok"] is False
            assert str(running.pid) in document["error"]["message"]
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))  # the first one does not care
        assert running.terminate()[0] == 0
    assert_mirrors(house)


def test_status_tells_running_then_stopped(house: Household) -> None:
    house.lock(NAME, os.getpid())
    house.lock(name_of(2), dead_pid())
    with daemon(house) as running:
        running.is_following()
        code, document = syncd(house, "status")
        assert document.keys() >= PROMISED
        assert (code, document["degraded"]) == (0, [])
        assert (document["state"], document["pid"], document["behind_bytes"]) == ("running", running.pid, 0)
        assert (document["transcripts"], document["entries"], document["quarantined"]) == (1, 6, 0)
        assert document["ledger_bytes"] > 0
        locks = {Path(lock["path"]).name: lock for lock in document["locks"]}
        assert locks[f"{NAME}.lock"].keys() == {"path", "kind", "pid", "since", "stale", "reason"}
        assert (locks[f"{NAME}.lock"]["pid"], locks[f"{NAME}.lock"]["stale"]) == (os.getpid(), False)
        assert locks[f"{name_of(2)}.lock"]["stale"] is True
        assert document["daemon"]["watch_mode"] == "events"
        assert running.terminate()[0] == 0
    house.append(NAME, message(6))
    code, document = syncd(house, "status")
    assert (code, document["state"], document["pid"]) == (3, "stopped", None)
    assert document["behind_bytes"] == len(message(6))
    assert document["behind_seconds"] >= 0


def test_status_before_the_first_run_is_stopped(house: Household) -> None:
    code, document = syncd(house, "status")
    assert (code, document["state"], document["transcripts"]) == (3, "stopped", 0)
    assert document.keys() >= PROMISED
    assert not house.ledger_path.exists()


def test_a_stopped_process_is_found_stalled_once_work_waits(house: Household) -> None:
    """SIGSTOP: it holds its lock and its pid lives, and yet nothing is done."""
    with daemon(house) as running:
        running.is_following()
        running.process.send_signal(signal.SIGSTOP)
        try:
            _make_older(house, 120)
            assert syncd(house, "status")[0] == 0  # silent, but there is nothing to do
            house.append(NAME, message(6))
            code, document = syncd(house, "status")
            assert code == 4
            assert [item["code"] for item in document["degraded"]] == ["stalled"]
            assert document["state"] == "running"
            assert document["behind_bytes"] == len(message(6))
        finally:
            running.process.send_signal(signal.SIGCONT)
        wait_for(in_ledger(house, NAME, 7))
        assert running.terminate()[0] == 0
    assert_mirrors(house)


def _make_older(house: Household, seconds: float) -> None:
    """As if the last beat and the last commit were that long ago."""
    path = beat_path(house.ledger_path)
    beat = json.loads(path.read_bytes())
    path.write_text(json.dumps({**beat, "boot_seconds": beat["boot_seconds"] - seconds}))
    for file in house.ledger_path.parent.glob("ledger.db*"):
        os.utime(file, (time.time() - seconds, time.time() - seconds))


def test_a_locked_and_emptied_file_is_no_stall(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        house.lock(NAME, os.getpid())
        house.truncate(NAME, 0)
        os.utime(house.path(NAME), (1, 1))
        code, document = syncd(house, "status")
        assert (code, document["degraded"], document["behind_bytes"]) == (0, [], 0)


def test_the_service_manager_hears_of_a_start_under_way_ready_watchdog_and_stopping(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        name = f"\0syncd-test-{os.getpid()}"
        manager.bind(name)
        manager.settimeout(60)
        monkeypatch.setenv("NOTIFY_SOCKET", "@" + name[1:])
        with daemon(house) as running:
            heard = [manager.recv(4096)]
            while not heard[-1].startswith(b"READY=1\nSTATUS="):
                heard.append(manager.recv(4096))
            assert heard[0].startswith(b"EXTEND_TIMEOUT_USEC=")  # however long catching up takes, it goes on
            assert manager.recv(4096) == b"WATCHDOG=1"
            assert running.terminate()[0] == 0
        heard = [manager.recv(4096)]
        while heard[-1] != b"STOPPING=1":
            heard.append(manager.recv(4096))


@pytest.mark.parametrize("phase", ["catching up", "following"])
def test_A4_sigterm_during_a_backlog_ends_soon_and_goes_on_later(house: Household, phase: str) -> None:
    backlog = transcript(2, 1) + b"".join(message(number, "long " * 400) for number in range(2, 9_000))  # 19 MB
    if phase == "catching up":
        house.write(name_of(2), backlog)
    with daemon(house) as running:
        if phase == "following":
            running.is_following()
            house.write(name_of(2), backlog)
        wait_for(lambda: len(rows(house, "lines > 6")) == 1)
        code, seconds = running.terminate()
    assert (code, seconds < PROMPTLY_SECONDS) == (0, True), seconds
    assert_sound(house.ledger_path)
    (taken,) = query(house.ledger_path, "SELECT bytes FROM transcripts ORDER BY bytes DESC LIMIT 1")
    assert 0 < taken[0] <= len(backlog)
    assert syncd(house, "run", "--once")[0] == 0
    assert_mirrors(house)
    assert {row.generation for row in transcripts(house.ledger_path)} == {1}


def test_A1_kills_under_torn_appends_leave_the_ledger_equal_to_the_files(house: Household) -> None:
    kill_under_torn_appends(house, KILLS, seed=3)


def kill_under_torn_appends(house: Household, kills: int, seed: int) -> None:
    rng = random.Random(seed)
    with torn_appends(house, 0.002) as contents:
        for _ in range(kills):
            running = Daemon(house)
            wait_for(lambda started=running: writer_pid(house.ledger_path) == started.pid)  # type: ignore[misc]
            with suppress(subprocess.TimeoutExpired):
                running.process.wait(rng.uniform(0.02, 0.7))  # of its work: when it starts, it catches up, it follows
            assert running.process.poll() is None, running.output()
            running.kill()
    assert syncd(house, "run", "--once")[0] == 0
    assert_mirrors(house)
    found = transcripts(house.ledger_path)
    assert sorted(row.bytes for row in found) == sorted(map(len, contents.values()))
    assert {row.generation for row in found} == {1}


def test_E5_without_openclaw_it_waits_and_says_so(tmp_path: Path) -> None:
    house = household(tmp_path)
    shutil.rmtree(house.state_dir)
    with daemon(house) as running:
        assert running.has_said("waiting")["state_dirs"] == [str(house.state_dir)]
        running.is_following()
        assert running.terminate()[0] == 0
