"""The health log and `syncd health`: lines on time and at each change, in bounded files, agreeing with `status`."""

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from syncd.clock import SystemClock
from syncd.daemon import index_follow
from syncd.daemon.follow import Follower
from syncd.daemon.following import Following
from syncd.daemon.health import alarms_of
from syncd.daemon.health_log import OLDER_FILES, HealthLog, last_lines, lines_to_come, write_line
from syncd.daemon.reporting import Reporter
from syncd.errors import LedgerCorrupt
from syncd.ledger.database import open_for_reading, open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.writer import Writer
from syncd.mirror import trajectory_store
from syncd.mirror.freshness import AgentFreshness, Freshness, freshness
from tests.command import called
from tests.daemon.live import catch_up_options, following, wait_for
from tests.daemon.process import Daemon, daemon, environ, in_ledger, syncd
from tests.mirror.household import (
    HandClock,
    Household,
    header,
    household,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)
from tests.mirror.test_store import store_path
from tests.mirror.test_trajectory_places import FLIGHTS
from tests.mirror_checks import assert_mirrors
from tests.openclaw_store import AgentStore

NAME = name_of(1)


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = household(tmp_path)
    made.write(NAME, transcript(1, 5))
    configure(made)
    return made


def configure(house: Household, settle_seconds: float = 0.2) -> None:
    (house.state_dir.parent / "config.yaml").write_text(f"""
watch: {{settle_seconds: {settle_seconds}, rescan_seconds: 5, confirm_removal_seconds: 5}}
health: {{log_path: logs/health.log, interval_seconds: 0.2}}
""")


def log_of(house: Household) -> Path:
    return house.state_dir.parent / "logs" / "health.log"


def lines_of(house: Household) -> list[dict[str, Any]]:
    return [json.loads(line) for line in last_lines(log_of(house), 1000)]


def has(house: Household, code: str, times: int = 1) -> Callable[[], bool]:
    return lambda: [line["code"] for line in lines_of(house)].count(code) >= times


def agree(house: Household) -> bool:
    """Do status and the last line of the log say the same of all that both tell?"""
    document, line = syncd(house, "status")[1], lines_of(house)[-1]
    shared = document.keys() & line.keys() - {"wal_bytes", "ledger_bytes", "disk_free_bytes"}
    assert shared >= {"behind_bytes", "behind_seconds", "entries", "quarantined", "rewrites", "agents", "degraded"}
    assert shared >= {"locks", "ledger_holders"}
    return {name: document[name] for name in shared} == {name: line[name] for name in shared}


def test_a_line_tells_of_the_start_each_interval_and_the_stop_and_agrees_with_status(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        house.append(NAME, message(6, "a secret of mine"))
        wait_for(in_ledger(house, NAME, 7))
        wait_for(lambda: lines_of(house)[-1].get("entries") == 7)
        wait_for(lambda: agree(house))
        line = lines_of(house)[-1]
        assert running.terminate()[0] == 0
    codes = [each["code"] for each in lines_of(house)]
    assert (codes[0], set(codes[1:-1]), codes[-1]) == ("started", {"figures"}, "stopped")
    assert lines_of(house)[-1]["reason"] == "asked"
    assert {each["pid"] for each in lines_of(house)} == {running.pid}
    (agent,) = line["agents"]
    written_ms = house.path(NAME).stat().st_mtime_ns // 1_000_000
    assert (agent["agent_id"], agent["behind_bytes"], agent["behind_seconds"]) == ("main", 0, 0.0)
    assert (agent["state"], agent["last_write_at"]) == ("moving", written_ms)
    assert agent["last_taken_at"] >= written_ms
    assert (line["taken_lines"], line["taken_bytes"]) == (1, len(message(6, "a secret of mine")))
    assert line["latency_p99_ms"] >= line["latency_p50_ms"] >= 0
    assert line.keys() >= {
        "missed_events",
        "rescans",
        "wal_bytes",
        "watch_mode",
        "waiting",
        "disk_free_bytes",
        "job_results",
    }
    assert b"secret" not in log_of(house).read_bytes()
    assert stat.S_IMODE(log_of(house).stat().st_mode) == 0o600
    assert stat.S_IMODE(log_of(house).parent.stat().st_mode) == 0o700


def test_what_goes_wrong_and_mends_itself_is_a_line_each(house: Household) -> None:
    index = house.sessions() / "sessions.json"
    with daemon(house) as running:
        running.is_following()
        index.write_text('{"agent:main:main": {"sessionId": ')
        wait_for(has(house, "degraded"))
        assert syncd(house, "status")[0] == 4
        index.write_text("{}")
        wait_for(has(house, "recovered"))
        assert running.terminate()[0] == 0
    (bad,) = [line for line in lines_of(house) if line["code"] == "degraded"]
    assert bad["degraded"][0]["path"] == str(index)
    (good,) = [line for line in lines_of(house) if line["code"] == "recovered"]
    assert good["degraded"] == []


def test_a_log_that_cannot_be_written_is_a_reason_and_no_stop(house: Household) -> None:
    log_of(house).mkdir(parents=True)  # a directory of that name: neither opened nor rotated away
    with daemon(house) as running:
        running.is_following()
        wait_for(lambda: [item["code"] for item in syncd(house, "status")[1]["degraded"]] == ["health_log"])
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))
        log_of(house).rmdir()
        wait_for(has(house, "recovered"))
        assert syncd(house, "status")[0] == 0
        assert running.terminate()[0] == 0
    assert_mirrors(house)


@pytest.mark.parametrize("kind", ["fifo", "link", "full"])
def test_no_odd_file_of_that_name_is_written_or_waited_for(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "health.log"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to("/dev/null")
    else:
        path = Path("/dev/full")
    problem = write_line(path, {"code": "figures"})
    assert problem is not None
    assert str(path) in problem


def test_the_log_is_rotated_and_a_reader_misses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "health.log"
    write_line(path, {"number": 0}, max_bytes=200)
    coming = lines_to_come(path, SystemClock())
    for number in range(1, 21):
        for part in range(3):
            assert write_line(path, {"number": number, "part": part}, max_bytes=200) is None
        got = [json.loads(next(coming)) for _ in range(3)]
        assert [(each["number"], each["part"]) for each in got] == [(number, part) for part in range(3)]
    files = sorted(tmp_path.iterdir())
    assert len(files) == OLDER_FILES + 1
    assert max(file.stat().st_size for file in files) <= 200
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    newest = [json.loads(line)["number"] for line in last_lines(path, 12)]
    assert newest == sorted(newest)
    assert newest[-3:] == [20, 20, 20]
    assert len(last_lines(path, 1000)) > len(path.read_bytes().splitlines())
    assert last_lines(path, 0) == []


def test_a_line_cut_short_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "health.log"
    path.write_bytes(b'{"number": 1}\n{"numb')
    assert last_lines(path, 10) == [b'{"number": 1}']


def test_health_prints_the_last_lines_for_people_and_as_they_are(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        wait_for(has(house, "figures", 2))
        assert running.terminate()[0] == 0
    with log_of(house).open("ab") as log:
        log.write(b"of another\x1b[2J program\n")
    shown = health(house, "-n", "3").splitlines()
    assert len(shown) == 3
    assert "figures" in shown[0]
    assert "level" in shown[0]
    assert shown[1].endswith(f"stopped    pid {running.pid}, asked")
    assert shown[2] == "of another\\x1b[2J program"
    raw = health(house, "-n", "2", "--json").splitlines()
    assert json.loads(raw[0])["code"] == "stopped"


def test_health_follows_what_is_written_until_it_is_stopped(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        command = [sys.executable, "-m", "syncd", "health", "-n", "0", "-f", "--json"]
        with subprocess.Popen(command, env=environ(house), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as follower:
            assert follower.stdout is not None
            assert json.loads(follower.stdout.readline())["code"] == "figures"
            assert running.terminate()[0] == 0
            while json.loads(follower.stdout.readline())["code"] != "stopped":
                pass
            follower.send_signal(signal.SIGINT)
            assert follower.wait(60) == 0
            assert follower.stderr is not None
            assert follower.stderr.read() == b""


def test_without_a_log_health_says_who_writes_it(house: Household) -> None:
    code, document = syncd(house, "health")
    assert code == 1
    assert "syncd run" in document["error"]["hint"]


def test_bytes_that_the_daemon_does_not_take_in_are_found_by_the_files_stats(house: Household) -> None:
    """A loop that looks at nothing any more believes itself level; the files say otherwise."""
    with following(house, is_level_after=False) as live:
        (follower,) = live.loop.followers
        wait_for(lambda: follower.freshness().behind_bytes == 0)
        follower._looks._take = lambda *_: False  # type: ignore[method-assign]  # the fault: nothing is taken in
        house.append(NAME, message(6))
        os.utime(house.path(NAME), (1, 1))
        live.loop.dirty.add_everything()
        wait_for(lambda: follower.freshness().behind_bytes == len(message(6)))
        fresh = follower.freshness()
        assert fresh.behind_seconds > 1_000_000
        assert [alarm["code"] for alarm in alarms_of(None, fresh, silent_seconds=0)] == ["behind"]
        fresh.at_ms += 61_000  # a minute later, and still nothing came
        assert [alarm["code"] for alarm in alarms_of(None, fresh, silent_seconds=0)] == ["not_moving"]


def test_events_of_trajectories_that_are_not_taken_in_wait_as_bytes_of_files_do(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    with AgentStore(store_path(house)) as store:
        store.import_lines(session_id(2), transcript(2, 1))
        store.record(session_id(2), *FLIGHTS[:3])
        with following(house, is_level_after=False) as live:

            def behind_bytes() -> int:
                with live.standing_still():
                    assert live.loop.following is not None
                    return live.loop.following.freshness().behind_bytes

            wait_for(lambda: behind_bytes() == 0)
            with monkeypatch.context() as fault:
                fault.setattr(trajectory_store, "_take_all", lambda *_, **__: ([], []))
                fault.setattr(index_follow, "follow_trajectories", lambda *_: None)
                store.record(session_id(2), *FLIGHTS[3:5])
                assert behind_bytes() == len(FLIGHTS[3] + FLIGHTS[4])
                with open_for_reading(house.ledger_path) as ledger:
                    status = freshness(ledger, [str(house.state_dir)], ("*",), house.environ, 0)
                assert status.behind_bytes == behind_bytes()
            live.loop.dirty.add_everything()
            wait_for(lambda: behind_bytes() == 0)


def test_a_ledger_that_cannot_be_read_for_a_health_line_does_not_end_the_daemon(
    house: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = HealthLog(tmp_path / "health.jsonl", 3600.0)

    def damaged(_: Following) -> Freshness:
        raise LedgerCorrupt("a page of it")

    with following(house) as live, live.standing_still():
        monkeypatch.setattr(Following, "freshness", damaged)
        Reporter(house.ledger_path, SystemClock(), log)(live.loop)
    assert [json.loads(line)["code"] for line in last_lines(log.path, 9)] == ["started"]


def test_a_file_that_is_written_on_and_not_taken_in_waits_since_its_first_unread_byte(house: Household) -> None:
    """Its mtime is always new: by that alone nobody would ever be told."""
    clock = HandClock()
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        writer = Writer(ledger, clock)
        follower = Follower(writer, str(house.state_dir), catch_up_options())
        follower.look_at_everything(counts_missed=False)
        usual, follower._looks._take = follower._looks._take, lambda *_: False  # type: ignore[method-assign]
        for number in range(6, 9):
            house.append(NAME, message(number))
            follower.look_at([str(house.path(NAME))])
            late = follower.freshness()
            clock.sleep(40)
            clock.written = clock.slept  # it is written once more at this moment
        assert late.behind_seconds >= 80
        assert [alarm["code"] for alarm in alarms_of(None, late, silent_seconds=0)] == ["behind"]
        follower._looks._take = usual  # type: ignore[method-assign]
        follower.look_at([str(house.path(NAME))])
        assert follower.freshness().behind_bytes == 0
        house.append(NAME, message(9))
        assert follower.freshness().behind_seconds < 40
        writer.close()


def test_the_log_and_status_agree_on_how_long_a_file_waits_that_never_rests(house: Household) -> None:
    configure(house, settle_seconds=60)
    with daemon(house) as running:
        running.is_following()
        house.write(NAME, header(1) + message(1, "another word") + messages(2, 30))  # believed only at rest

        def has_waited() -> bool:
            house.append(NAME, message(31))
            return bool(lines_of(house)[-1].get("behind_seconds", 0) > 2)

        wait_for(has_waited)
        assert syncd(house, "status")[1]["behind_seconds"] > 2
        assert running.terminate()[0] == 0


def test_with_the_daemon_down_what_grew_waits_at_most_since_it_was_last_read(house: Household) -> None:
    hour = 3600
    os.utime(house.path(NAME), (time.time() - 2 * hour,) * 2)
    house.catch_up()
    for path in house.ledger_path.parent.iterdir():
        os.utime(path, (time.time() - hour,) * 2)
    house.append(NAME, message(6))
    code, document = syncd(house, "status")
    assert (code, document["behind_bytes"]) == (3, len(message(6)))
    assert hour <= document["behind_seconds"] < 2 * hour


def test_silence_is_an_alarm_only_while_work_waits() -> None:
    waiting = Freshness({"main": AgentFreshness("main", 10, 1.0)})
    assert [alarm["code"] for alarm in alarms_of(None, waiting, silent_seconds=31)] == ["stalled"]
    assert alarms_of(None, waiting, silent_seconds=5) == []
    assert alarms_of(None, Freshness(), silent_seconds=3600) == []


def health(house: Household, *args: str) -> str:
    told = called(("health", *args), environ(house))
    assert told.exit_code == 0
    return told.stdout


def test_a_killed_daemon_leaves_no_stopped_line_and_the_next_one_begins_anew(house: Household) -> None:
    killed = Daemon(house)
    killed.is_following()
    killed.kill()
    with daemon(house) as running:
        wait_for(has(house, "started", 2))
        assert running.terminate()[0] == 0
    codes = [line["code"] for line in lines_of(house) if line["code"] != "figures"]
    assert codes == ["started", "started", "stopped"]
