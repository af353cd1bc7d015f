"""The file for Prometheus: what the health log says, in the collector's form, never half of it."""

import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from syncd.daemon.codes import CODES
from syncd.daemon.prometheus import write_figures
from tests.daemon.live import wait_for
from tests.daemon.process import daemon, syncd
from tests.daemon.test_health import lines_of
from tests.mirror.household import Household, message, name_of

NAME = name_of(1)
_LINE = re.compile(r'syncd_[a-z0-9_]+(\{[a-z]+="(\\.|[^"\\\n])*"\})? -?[0-9.e+-]+')


def a_line(**fields: Any) -> dict[str, Any]:
    names = ("transcripts", "sessions", "entries", "quarantined", "rewrites", "ledger_bytes", "wal_bytes", "waiting")
    counters = ("taken_bytes", "taken_lines", "missed_events", "overflows", "rescans", "disk_free_bytes")
    agent = {"agent_id": "main", "behind_bytes": 3, "behind_seconds": 1.5, "last_write_at": 5000, "last_taken_at": None}
    about = {"at": 7000, "code": "figures", "agents": [agent], "job_results": [], "locks": [], "degraded": []}
    latency = {"latency_p50_ms": 2.0, "latency_p99_ms": None}
    return {**dict.fromkeys((*names, *counters), 4), **about, **latency, **fields}


def read(path: Path) -> dict[str, float]:
    """By name with labels; every line must be one that the collector takes."""
    found = {}
    for line in path.read_text().splitlines():
        if not line.startswith("# "):
            assert _LINE.fullmatch(line), line
            name, _, value = line.rpartition(" ")
            assert name not in found, "twice"
            found[name] = float(value)
    return found


def test_a_line_becomes_samples_with_their_kind_and_help(tmp_path: Path) -> None:
    path = tmp_path / "syncd.prom"
    runs = [{"job": "backup", "started_at": 9000, "finished_at": 9001, "ok": False, "reason": "why"}]
    locks = [{"stale": True}, {"stale": False}, {"stale": False}]
    assert write_figures(path, a_line(job_results=runs, locks=locks, degraded=[{"code": "behind"}])) is None
    found = read(path)
    assert found["syncd_up"] == 1
    assert found["syncd_written_timestamp_seconds"] == 7
    assert found['syncd_behind_bytes{agent="main"}'] == 3
    assert found['syncd_last_write_timestamp_seconds{agent="main"}'] == 5
    assert 'syncd_last_taken_timestamp_seconds{agent="main"}' not in found
    assert found['syncd_append_to_commit_seconds{quantile="0.5"}'] == 0.002
    assert found['syncd_job_last_ok{job="backup"}'] == 0
    assert (found['syncd_openclaw_locks{state="held"}'], found['syncd_openclaw_locks{state="stale"}']) == (2, 1)
    assert {code: found[f'syncd_degraded{{code="{code}"}}'] for code in CODES} == {
        **dict.fromkeys(CODES, 0),
        "behind": 1,
    }
    assert "# TYPE syncd_taken_bytes_total counter" in path.read_text()


def test_names_of_agents_are_written_so_that_they_end_nothing(tmp_path: Path) -> None:
    path = tmp_path / "syncd.prom"
    odd = 'a"b\\c\nd\udc80'
    agent = {"agent_id": odd, "behind_bytes": 1, "behind_seconds": 0.0, "last_write_at": None, "last_taken_at": None}
    assert write_figures(path, a_line(agents=[agent])) is None
    assert 'syncd_behind_bytes{agent="a\\"b\\\\c\\nd\\udc80"}' in read(path)


def test_the_file_is_replaced_whole_and_keeps_the_mode_it_was_given(tmp_path: Path) -> None:
    path = tmp_path / "new" / "syncd.prom"
    assert write_figures(path, a_line()) is None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    with path.open() as before:
        assert write_figures(path, a_line(entries=99)) is None
        assert "syncd_entries 4\n" in before.read()
    assert read(path)["syncd_entries"] == 99
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert [each.name for each in path.parent.iterdir()] == ["syncd.prom"]


def test_a_file_that_cannot_be_written_is_a_reason_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "syncd.prom").mkdir()
    problem = write_figures(tmp_path / "syncd.prom", a_line())
    assert problem is not None
    assert str(tmp_path / "syncd.prom") in problem
    assert [each.name for each in tmp_path.iterdir()] == ["syncd.prom"]


@pytest.fixture
def prom(house: Household) -> Path:
    path = house.state_dir.parent / "metrics" / "syncd.prom"
    (house.state_dir.parent / "config.yaml").write_text(f"""
watch: {{settle_seconds: 0.2, rescan_seconds: 5}}
health: {{log_path: logs/health.log, interval_seconds: 0.2, prometheus_path: '{path}'}}
""")
    return path


def test_the_daemon_keeps_it_up_to_the_log_and_says_when_it_ends(house: Household, prom: Path) -> None:
    with daemon(house) as running:
        running.is_following()
        house.append(NAME, message(6))
        wait_for(lambda: read(prom).get("syncd_taken_lines_total") == 1)
        wait_for(lambda: read(prom)["syncd_entries"] == lines_of(house)[-1]["entries"] == 7)
        assert read(prom)["syncd_up"] == 1
        assert running.terminate()[0] == 0
    assert read(prom).keys() == {"syncd_up", "syncd_written_timestamp_seconds"}
    assert read(prom)["syncd_up"] == 0


def test_a_place_that_cannot_be_written_is_degraded_until_it_can(house: Household, prom: Path) -> None:
    prom.mkdir(parents=True)
    with daemon(house) as running:
        running.is_following()
        wait_for(lambda: [item["code"] for item in syncd(house, "status")[1]["degraded"]] == ["prometheus"])
        prom.rmdir()
        wait_for(lambda: syncd(house, "status")[0] == 0)
        assert running.terminate()[0] == 0


def test_nothing_is_written_into_openclaws_directory(house: Household) -> None:
    inside = house.state_dir / "syncd.prom"
    (house.state_dir.parent / "config.yaml").write_text(f"health: {{prometheus_path: '{inside}'}}\n")
    code, document = syncd(house, "run")
    assert (code, os.path.exists(inside)) == (78, False)
    assert "health.prometheus_path" in document["error"]["hint"]
