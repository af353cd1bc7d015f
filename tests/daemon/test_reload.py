"""SIGHUP: the configuration is read again; what is wrong in it is said, and changes nothing."""

import os
import signal
import socket
import time
from pathlib import Path

import pytest

from syncd.daemon.health_log import last_lines
from tests.daemon.live import wait_for
from tests.daemon.process import CONFIG, Daemon, daemon, in_ledger, rows, syncd
from tests.mirror.household import Household, household, message, name_of, transcript
from tests.mirror_checks import assert_mirrors, assert_untouched, query, snapshot

NAME = name_of(1)


def configure(house: Household, text: str) -> None:
    (house.state_dir.parent / "config.yaml").write_text(text)


def reload(running: Daemon, event: str = "reloaded") -> dict[str, object]:
    running.process.send_signal(signal.SIGHUP)
    return running.has_said(event)


def mode(house: Household) -> str:
    return str(syncd(house, "status")[1]["daemon"]["watch_mode"])


def test_another_way_of_watching_is_taken_over_at_once_and_back(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        for lines, name in enumerate(("poll", "events"), 7):
            configure(house, f"watch: {{settle_seconds: 0.2, mode: {name}}}")
            reload(running)
            wait_for(lambda name=name: mode(house) == name)  # type: ignore[misc]
            house.append(NAME, message(lines - 1))
            wait_for(in_ledger(house, NAME, lines))
        assert running.terminate()[0] == 0
    assert_mirrors(house)


def test_state_dirs_and_limits_are_taken_over(house: Household, tmp_path: Path) -> None:
    other = household(tmp_path / "other")
    other.write(name_of(2), transcript(2, 3))
    with daemon(house) as running:
        running.is_following()
        configure(house, f"""
openclaw: {{state_dirs: [{house.state_dir}, {other.state_dir}]}}
limits: {{max_line_bytes: 4096}}
watch: {{settle_seconds: 0.2}}
""")  # fmt: skip
        assert reload(running)["state_dirs"] == [str(house.state_dir), str(other.state_dir)]
        wait_for(in_ledger(house, name_of(2), 4))
        other.append(name_of(2), message(4))
        house.append(NAME, message(6, "x" * 5000))
        wait_for(in_ledger(house, name_of(2), 5))
        wait_for(in_ledger(house, NAME, 7))
        assert query(house.ledger_path, "SELECT reason FROM quarantine") == [("too_long",)]
        configure(house, f"openclaw: {{state_dirs: [{other.state_dir}]}}")
        assert reload(running)["state_dirs"] == [str(other.state_dir)]
        assert running.has_said("following")["state_dirs"] == [str(other.state_dir)]
        house.append(NAME, message(7))
        other.append(name_of(2), message(5))
        wait_for(in_ledger(house, name_of(2), 6))
        assert in_ledger(house, NAME, 7)(), "it is not looked at any more, nor is it gone"
        assert {row.state for row in rows(house)} == {"live"}
        assert running.terminate()[0] == 0


def test_another_health_log_and_interval_are_taken_over(house: Household, tmp_path: Path) -> None:
    first, second = tmp_path / "logs" / "one.log", tmp_path / "logs" / "two.log"
    configure(house, f"health: {{log_path: {first}, interval_seconds: 3600}}\n")
    with daemon(house) as running:
        running.is_following()
        configure(house, f"health: {{log_path: {second}, interval_seconds: 0.2}}\n")
        reload(running)
        wait_for(lambda: len(last_lines(second, 10)) > 3)
        configure(house, f"nonsense: 1\nhealth: {{log_path: {first}}}\n")
        reload(running, "config_refused")
        assert syncd(house, "status")[0] == 78
        wait_for(lambda: b"nonsense" in last_lines(second, 1)[0])
        assert running.terminate()[0] == 0
    assert len(last_lines(first, 10)) == 1
    assert b"stopped" in last_lines(second, 1)[0]


def test_a_faulty_file_is_reported_and_the_old_one_stays_in_force(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        configure(house, "watch: {mode: poll, settle_second: 1}\nnonsense: true\n")
        said = reload(running, "config_refused")
        assert "settle_second" in str(said["reason"])
        configure(house, CONFIG)  # for the other verbs: the daemon has not read it yet
        wait_for(lambda: syncd(house, "status")[0] == 4)
        code, document = syncd(house, "status")
        (degraded,) = document["degraded"]
        assert (code, degraded["code"], document["daemon"]["watch_mode"]) == (4, "config", "events")
        assert "nonsense" in degraded["reason"]
        assert degraded["hint"]
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))
        reload(running)
        wait_for(lambda: syncd(house, "status")[0] == 0)
        assert running.terminate()[0] == 0
    assert_mirrors(house)


@pytest.mark.parametrize("fault", ["ledger", "health log"])
def test_nothing_of_ours_comes_to_lie_in_a_state_dir_by_a_reload(house: Household, tmp_path: Path, fault: str) -> None:
    link = tmp_path / "link"
    link.symlink_to(house.state_dir / "agents")
    faulty = {
        "ledger": f"openclaw: {{state_dirs: [{house.state_dir}, {house.ledger_path.parent}]}}\n",
        "health log": f"health: {{log_path: {link}/health.log}}\n",
    }
    with daemon(house) as running:
        running.is_following()
        before = snapshot(house.state_dir)
        configure(house, CONFIG + faulty[fault])
        said = reload(running, "config_refused")
        assert f"the {fault} " in str(said["reason"])
        assert "lies in OpenClaw's state directory" in str(said["reason"])
        configure(house, CONFIG)
        wait_for(lambda: [item["code"] for item in syncd(house, "status")[1]["degraded"]] == ["config"])
        assert_untouched(house.state_dir, before)
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))
        assert running.terminate()[0] == 0
    assert_mirrors(house)


def test_another_ledger_needs_a_restart_and_the_rest_is_taken_over(house: Household, tmp_path: Path) -> None:
    watch = "watch: {settle_seconds: 0.2"
    configure(house, f"{watch}}}\nledger: {{path: {house.ledger_path}}}\n")
    with daemon(house) as running:
        running.is_following()
        configure(house, f"{watch}, mode: poll}}\nledger: {{path: {tmp_path / 'another.db'}}}\n")
        said = reload(running, "config_refused")
        assert "another.db" in str(said["reason"])
        running.has_said("reloaded")
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))
        configure(house, f"{watch}, mode: poll}}\nledger: {{path: {house.ledger_path}}}\n")
        wait_for(lambda: syncd(house, "status")[1]["degraded"] != [])
        code, document = syncd(house, "status")
        assert (code, document["degraded"][0]["hint"]) == (4, "restart syncd for that")
        assert document["daemon"]["watch_mode"] == "poll"
        reload(running)
        wait_for(lambda: syncd(house, "status")[0] == 0)
        assert running.terminate()[0] == 0
    assert not (tmp_path / "another.db").exists()


def test_the_service_manager_is_told_of_a_reload(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Type=notify-reload wants it: RELOADING with the time of it, then READY."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        name = f"\0syncd-test-reload-{os.getpid()}"
        manager.bind(name)
        manager.settimeout(60)
        monkeypatch.setenv("NOTIFY_SOCKET", "@" + name[1:])

        def heard(start: bytes) -> bytes:
            while not (message := manager.recv(4096)).startswith(start):
                pass
            return message

        with daemon(house) as running:
            heard(b"READY=1")
            for text in (CONFIG, "nonsense: true"):
                configure(house, text)
                before = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
                running.process.send_signal(signal.SIGHUP)
                told = heard(b"RELOADING=1\n").decode().partition("MONOTONIC_USEC=")[2]
                assert before <= int(told) <= time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
                heard(b"READY=1\nSTATUS=")
            assert running.terminate()[0] == 0


def test_sighup_while_catching_up_does_not_end_it(tmp_path: Path) -> None:
    house = household(tmp_path)
    for number in range(1, 60):
        house.write(name_of(number), transcript(number, 500))
    with daemon(house) as running:
        running.has_said("started")
        reload(running)
        wait_for(lambda: len(rows(house, "lines = 501")) == 59)
        assert running.terminate()[0] == 0
    assert_mirrors(house)
