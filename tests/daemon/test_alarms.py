"""What is an alarm and what is not, each with its code and what to do; in the log, in `status` and in the table."""

import ast
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from syncd import errors
from syncd.daemon import health
from syncd.daemon.codes import CODES, alarm
from syncd.daemon.health import alarms_of, state_of
from syncd.ledger.surroundings import Holder, Surroundings, file_system, holders, is_network, surroundings
from syncd.mirror.freshness import AgentFreshness, Freshness
from tests.command import called
from tests.conftest import CHECKOUT
from tests.daemon.live import wait_for
from tests.daemon.process import daemon, environ, held_by_another, in_ledger, syncd
from tests.daemon.test_health import configure, lines_of
from tests.daemon.test_health import health as health_verb
from tests.mirror.household import Household, message, name_of
from tests.openclaw_store import AgentStore

NAME = name_of(1)
MINUTE = 60_000
_READ = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN")
connection.execute("SELECT count(*) FROM entries").fetchone()
print("read", flush=True)
sys.stdin.read()
"""


@contextmanager
def read_by_another(house: Household) -> Iterator[int]:
    """An open snapshot, in another process; its pid."""
    command = [sys.executable, "-c", _READ, str(house.ledger_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == b"read\n"
        try:
            yield reader.pid
        finally:
            reader.communicate()


def codes_of(*args: Any, **fields: Any) -> list[str]:
    return [item["code"] for item in alarms_of(*args, **fields)]


def fresh_of(now_ms: int, **fields: Any) -> Freshness:
    return Freshness({"main": AgentFreshness("main", **fields)}, at_ms=now_ms)


# The table


def test_every_code_that_the_program_gives_is_in_the_table() -> None:
    given: set[object] = set()
    for file in (CHECKOUT / "syncd").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"alarm", "Degraded"}:
                given |= {each.value for each in node.args[:1] if isinstance(each, ast.Constant)}
            if isinstance(node, ast.Dict):
                pairs = zip(node.keys, node.values, strict=True)
                said = {key.value: value for key, value in pairs if isinstance(key, ast.Constant)}
                if {"code", "reason"} <= said.keys() and isinstance(said["code"], ast.Constant):
                    given.add(said["code"].value)
    assert given >= {"stalled", "not_moving", "index_unreadable", "config"}, "the search finds none any more"
    kinds: list[type[errors.LedgerError]] = [errors.LedgerError, *errors.LedgerError.__subclasses__()]
    assert given | {kind.type for kind in kinds} <= CODES.keys()


def test_every_code_says_what_it_means_and_what_to_do() -> None:
    for code, about in CODES.items():
        assert len(about.meaning) > 10, code
        assert len(about.remedy) > 10, code
        assert alarm(code, "why")["hint"] == about.remedy
    assert alarm("behind", "why", hint="do this") == {"code": "behind", "reason": "why", "hint": "do this"}
    assert alarm("of another syncd", "why")["hint"] == ""


def test_health_lists_the_codes_with_their_remedies(house: Household) -> None:
    text = health_verb(house, "--codes")
    for code, about in CODES.items():
        assert f"{code}: {about.meaning}\n  {about.remedy}\n" in text
    assert json.loads(health_verb(house, "--codes", "--json"))["stalled"] == CODES["stalled"]._asdict()


# A source that moves


def test_a_source_that_moves_while_the_ledger_does_not_is_an_alarm_and_one_that_is_silent_is_well() -> None:
    now = 100 * MINUTE
    moving = fresh_of(now, behind_bytes=9, behind_seconds=61.0, last_write_at=now, last_taken_at=now - 2 * MINUTE)
    (found,) = alarms_of(None, moving, silent_seconds=0)
    assert found["code"] == "not_moving"
    assert "nothing of main was taken in since" in found["reason"]
    never = fresh_of(now, behind_bytes=9, behind_seconds=61.0, last_write_at=now)
    assert alarms_of(None, never, silent_seconds=0)[0]["reason"].endswith("nothing of main was taken in ever")
    late = fresh_of(now, behind_bytes=9, behind_seconds=61.0, last_write_at=now, last_taken_at=now - 1)
    assert codes_of(None, late, silent_seconds=0) == ["behind"]
    soon = fresh_of(now, behind_bytes=9, behind_seconds=59.0, last_write_at=now)
    assert codes_of(None, soon, silent_seconds=0) == []
    silent = fresh_of(now, last_write_at=1, last_taken_at=1)
    assert codes_of(None, silent, silent_seconds=3600) == []
    assert [state_of(each.agents["main"], each) for each in (late, silent)] == ["behind", "silent"]
    level = fresh_of(now, last_write_at=now - MINUTE)
    assert state_of(level.agents["main"], level) == "moving"


def test_each_agent_is_judged_by_itself() -> None:
    """One that is taken in says nothing of another that is not."""
    now = 100 * MINUTE
    quick = AgentFreshness("quick", last_write_at=now, last_taken_at=now)
    stuck = [AgentFreshness(name, 5, 90.0, now, now - 2 * MINUTE) for name in ("a", "b", "c", "d")]
    late = AgentFreshness("late", 7, 70.0, now, now)
    fresh = Freshness({each.agent_id: each for each in (quick, *stuck, late)}, at_ms=now)
    standing, behind = alarms_of(None, fresh, silent_seconds=0)
    assert (standing["code"], behind["code"]) == ("not_moving", "behind")
    assert standing["reason"].startswith(
        "20 bytes wait, the oldest for 90 s; nothing of a, b, c and 1 more was taken in"
    )
    assert behind["reason"] == "7 bytes wait, the oldest for 70 s"


def test_silence_of_the_source_is_said_and_is_no_alarm(house: Household) -> None:
    configure(house)
    os.utime(house.path(NAME), (1_700_000_000,) * 2)
    with daemon(house) as running:
        running.is_following()
        wait_for(lambda: "level, source silent" in health_verb(house, "-n", "1"))
        code, document = syncd(house, "status")
        (agent,) = document["agents"]
        assert (code, document["degraded"]) == (0, [])
        assert (agent["state"], agent["last_write_at"]) == ("silent", 1_700_000_000_000)
        assert "silent since 2023-11-1" in called(("status",), environ(house)).stdout
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))
        wait_for(lambda: syncd(house, "status")[1]["agents"][0]["state"] == "moving")
        assert "level with the files, which move" in called(("status",), environ(house)).stdout
        wait_for(lambda: "source silent" not in health_verb(house, "-n", "1"))
        assert running.terminate()[0] == 0


def test_a_daemon_that_is_frozen_while_openclaw_writes_is_found_from_outside(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(house)
    monkeypatch.setattr(health, "SILENT_SECONDS", 1.0)
    with daemon(house) as running:
        running.is_following()
        running.process.send_signal(signal.SIGSTOP)
        house.append(NAME, message(6))
        wait_for(lambda: [item["code"] for item in syncd(house, "status")[1]["degraded"]] == ["stalled"])
        running.process.send_signal(signal.SIGCONT)
        wait_for(lambda: syncd(house, "status")[0] == 0)


# Around the ledger


def test_who_has_the_ledger_open_and_what_he_does_is_told(house: Household) -> None:
    house.catch_up()
    assert holders(house.ledger_path) == []
    with read_by_another(house) as pid:
        (reader,) = surroundings(house.ledger_path).holders
        assert (reader.pid, reader.does) == (pid, "reads")
        assert "python" in reader.program
        assert surroundings(house.ledger_path, own_pid=pid).holders == ()
        with held_by_another(house):
            assert sorted(each.does for each in holders(house.ledger_path)) == ["reads", "writes"]
            shown = called(("status",), environ(house)).stdout
            assert f"pid {pid}: reads" in shown
            assert ": writes" in shown


def test_a_log_that_a_reader_keeps_from_being_emptied_is_named_with_the_reader(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "LARGE_WAL_BYTES", 1 << 20)
    house.catch_up()
    with read_by_another(house) as pid, daemon(house) as running:
        running.is_following()
        for number in range(6, 26):
            house.append(NAME, message(number, os.urandom(60_000).hex()))
            wait_for(in_ledger(house, NAME, number + 1))
        code, document = syncd(house, "status")
        assert (code, [item["code"] for item in document["degraded"]]) == (4, ["wal_large"])
        assert f"pid {pid}, reads" in document["degraded"][0]["reason"]
        assert running.terminate()[0] == 0


def test_little_space_is_an_alarm_before_there_is_none() -> None:
    def around(free: int | None) -> Surroundings:
        return Surroundings(1, 1, free)

    assert codes_of(None, Freshness(), 0.0, around(health.LOW_DISK_BYTES - 1)) == ["disk_low"]
    assert codes_of(None, Freshness(), 0.0, around(health.LOW_DISK_BYTES)) == []
    assert codes_of(None, Freshness(), 0.0, around(None)) == []


def test_the_space_of_a_disk_is_told_also_before_there_is_a_ledger(tmp_path: Path) -> None:
    found = surroundings(tmp_path / "not" / "yet" / "ledger.db")
    status = os.statvfs(tmp_path)
    assert (found.ledger_bytes, found.wal_bytes, found.holders) == (0, 0, ())
    assert found.disk_free_bytes is not None
    assert 0 < found.disk_free_bytes <= status.f_blocks * status.f_frsize


def test_a_large_log_without_a_known_holder_is_told_too() -> None:
    (found,) = alarms_of(None, Freshness(), 0.0, Surroundings(1, 200 << 20, None))
    assert (found["code"], found["reason"]) == ("wal_large", "the ledger's log has 200 MiB")
    opened = Surroundings(1, 200 << 20, None, (Holder(7, "", "open"),))
    assert "a program (pid 7, open)" in alarms_of(None, Freshness(), 0.0, opened)[0]["reason"]


def test_the_kind_of_a_file_system_is_that_of_the_innermost_mount(tmp_path: Path) -> None:
    assert file_system(Path("/proc/self/stat")) == "proc"
    kind = subprocess.run(["stat", "-f", "-c", "%T", tmp_path], capture_output=True, check=True).stdout.decode()
    assert file_system(tmp_path / "not there")[:3] == kind[:3]
    assert (is_network("nfs4"), is_network("ext4"), is_network("")) == (True, False, False)


# Jobs


def test_a_failed_job_is_a_reason_until_it_succeeds_and_both_tell_it(house: Household) -> None:
    configure(house)
    house.catch_up()
    ended(house, "backup", 1_500, ok=1)
    ended(house, "backup", 1_000, ok=0, summary={"reason": "no space left"})  # the clock was set back meanwhile
    ended(house, "scrub", 2_000, ok=0)
    ended(house, "scrub", 3_000, ok=1)
    with daemon(house) as running:
        running.is_following()
        code, document = syncd(house, "status")
        (found,) = document["degraded"]
        assert (code, found["code"]) == (4, "job_failed")
        assert found["reason"].startswith("backup, begun 1970-01-01")
        assert found["reason"].endswith("failed: no space left")
        wait_for(lambda: lines_of(house)[-1].get("degraded") == document["degraded"])
        told = [(run["job"], run["started_at"], run["ok"]) for run in lines_of(house)[-1]["job_results"]]
        assert told == [("backup", 1_000, False), ("scrub", 3_000, True)]
        assert "scrub ok 1970-01-01" in health_verb(house, "-n", "1")
        ended(house, "backup", 4_000, ok=1)
        wait_for(lambda: syncd(house, "status")[0] == 0)
        wait_for(lambda: [line["code"] for line in lines_of(house)].count("recovered") == 1)
        assert running.terminate()[0] == 0


def test_a_failed_job_that_was_switched_off_since_is_no_reason(house: Household) -> None:
    configure(house)
    house.catch_up()
    ended(house, "backup", 1_000, ok=0, summary={"reason": "no space left"})
    with daemon(house) as running:
        running.is_following()
        assert [item["code"] for item in syncd(house, "status")[1]["degraded"]] == ["job_failed"]
        with (house.state_dir.parent / "config.yaml").open("a") as config:
            config.write("jobs: {backup: false}\n")
        running.process.send_signal(signal.SIGHUP)
        wait_for(lambda: [line["code"] for line in lines_of(house)].count("recovered") == 1)
        assert syncd(house, "status")[0] == 0


def ended(house: Household, job: str, at: int, *, ok: int | None, summary: object = ()) -> None:
    connection = apsw.Connection(str(house.ledger_path))
    connection.set_busy_timeout(5000)
    about = (job, at, at + 1 if ok is not None else None, ok, json.dumps(summary))
    connection.execute(
        "INSERT INTO job_runs (job, started_at, finished_at, ok, summary_json) VALUES (?,?,?,?,?)", about
    )
    connection.close()


# Locks


def test_a_line_tells_who_holds_openclaws_locks(house: Household) -> None:
    configure(house)
    with daemon(house) as running:
        running.is_following()
        house.lock(NAME, os.getpid())
        wait_for(lambda: [lock["pid"] for lock in lines_of(house)[-1]["locks"]] == [os.getpid()])
        (lock,) = lines_of(house)[-1]["locks"]
        assert (lock["kind"], lock["stale"], Path(lock["path"]).name) == ("transcript", False, f"{NAME}.lock")
        house.path(f"{NAME}.lock").unlink()
        wait_for(lambda: lines_of(house)[-1]["locks"] == [])
        assert running.terminate()[0] == 0


# A source that moves elsewhere


def test_a_database_of_openclaws_that_is_damaged_is_an_alarm_until_it_is_whole(house: Household) -> None:
    configure(house)
    database = house.state_dir / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
    with daemon(house) as running:
        running.is_following()
        database.parent.mkdir(parents=True)
        database.write_bytes(b"no database at all, whatever its name says " * 50)
        wait_for(lambda: [item["code"] for item in syncd(house, "status")[1]["degraded"]] == ["store_corrupt"])
        wait_for(lambda: [item["code"] for item in lines_of(house)[-1]["degraded"]] == ["store_corrupt"])
        (item,) = syncd(house, "status")[1]["degraded"]
        assert item["path"] == str(database)
        scratch = database.with_name("whole")
        AgentStore(scratch).close()
        scratch.rename(database)
        wait_for(lambda: syncd(house, "status")[0] == 0)
        assert running.terminate()[0] == 0
