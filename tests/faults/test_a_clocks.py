"""FAULTS.md A13 to A15: the clock steps, the machine sleeps. Lines arrive all the same, on time, and nothing storms."""
# ruff: noqa: N802  the fault's id stands in the test's name

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from syncd.daemon.beat import beat_path
from tests.daemon.live import wait_for
from tests.daemon.process import Daemon, daemon, in_ledger, syncd
from tests.daemon.test_health import lines_of
from tests.faults.shifted_clock import HOUR, ShiftedClock
from tests.mirror.household import Household, household, message, name_of, transcript
from tests.mirror_checks import assert_mirrors, query

NAME = name_of(1)
YEAR = 365 * 24 * HOUR


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = household(tmp_path)
    made.write(NAME, transcript(1, 5))
    (tmp_path / "config.yaml").write_text("""
watch: {settle_seconds: 0.2, rescan_seconds: 1, confirm_removal_seconds: 5}
health: {log_path: logs/health.log, interval_seconds: 0.2}
""")
    return made


@pytest.fixture
def clock(tmp_path: Path) -> ShiftedClock:
    return ShiftedClock(tmp_path)


def beat(running: Daemon) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(beat_path(running.house.ledger_path).read_bytes())
    return found


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def goes_on(running: Daemon, first: int, more_rescans: int = 2) -> None:
    """Lines by events, in files known and new, so many rescans, and the log, all after the step."""
    house, rescans, told = running.house, beat(running)["rescans"], len(lines_of(running.house))
    house.append(NAME, message(first))
    wait_for(in_ledger(house, NAME, first + 1))
    house.write(name_of(first), transcript(first, 2))
    wait_for(in_ledger(house, name_of(first), 3))
    wait_for(lambda: beat(running)["rescans"] >= rescans + more_rescans)
    wait_for(lambda: len(lines_of(house)) >= told + 3)


def is_untroubled(running: Daemon) -> None:
    wait_for(lambda: syncd(running.house, "status")[0] == 0)
    assert {line["code"] for line in lines_of(running.house)} == {"started", "figures"}


def test_A13_a_clock_that_steps_back_delays_nothing(house: Household, clock: ShiftedClock) -> None:
    with daemon(house, prefix=clock.prefix) as running:
        running.is_following()
        goes_on(running, 6)
        clock.step(-HOUR)
        goes_on(running, 7)
        clock.step(HOUR - 10 * YEAR)
        goes_on(running, 8)
        wait_for(lambda: lines_of(house)[-1]["at"] < lines_of(house)[0]["at"] - YEAR)
        assert lines_of(house)[-1]["latency_p50_ms"] >= 0
        clock.step(10 * YEAR)
        goes_on(running, 9)
        is_untroubled(running)
        assert running.terminate()[0] == 0
    assert_mirrors(house)


def test_A14_a_clock_ten_years_ahead_makes_no_busy_loop_and_prunes_nothing(
    house: Household, clock: ShiftedClock
) -> None:
    house.write(name_of(2), transcript(2, 3))
    with daemon(house, prefix=clock.prefix) as running:
        running.is_following()
        goes_on(running, 6)
        counts = query(house.ledger_path, "SELECT count(*), sum(bytes) FROM transcripts")
        clock.step(10 * YEAR)
        wait_for(lambda: lines_of(house)[-1]["at"] > lines_of(house)[0]["at"] + YEAR)
        assert query(house.ledger_path, "SELECT count(*), sum(bytes) FROM transcripts") == counts
        goes_on(running, 7)
        used, rescans = processor_seconds(running.pid), beat(running)["rescans"]
        wait_for(lambda: beat(running)["rescans"] >= rescans + 3)
        assert processor_seconds(running.pid) - used < 2, "it has nothing to do"
        assert lines_of(house)[-1]["agents"][0]["state"] == "silent"
        assert running.terminate()[0] == 0
    assert_mirrors(house)


@pytest.mark.parametrize("is_monotonic", [False, True])
def test_A15_after_a_sleep_of_eight_hours_everything_is_looked_at_once(
    house: Household, clock: ShiftedClock, is_monotonic: bool
) -> None:
    """Linux does not count a suspend as monotonic time; a process that a debugger or a cgroup held does.

    No regular rescan comes to its help: the next one is due in an hour.
    """
    config = house.state_dir.parent / "config.yaml"
    config.write_text(config.read_text().replace("rescan_seconds: 1,", "rescan_seconds: 3600,"))
    with daemon(house, prefix=clock.prefix) as running:
        running.is_following()
        goes_on(running, 6, more_rescans=0)
        running.process.send_signal(signal.SIGSTOP)
        rescans = beat(running)["rescans"]
        clock.suspend(8 * HOUR, is_monotonic=is_monotonic)
        house.append(NAME, message(7))
        house.write(name_of(2), transcript(2, 2))
        running.process.send_signal(signal.SIGCONT)
        wait_for(in_ledger(house, NAME, 8))
        wait_for(in_ledger(house, name_of(2), 3))
        wait_for(lambda: beat(running)["rescans"] > rescans)
        goes_on(running, 8, more_rescans=0)
        assert beat(running)["rescans"] <= rescans + 2, "eight were due"
        assert running.terminate()[0] == 0
    assert_mirrors(house)
