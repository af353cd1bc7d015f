"""Several state dirs: those that are there are followed, the others when they come, and all count in the figures."""
# ruff: noqa: N802  the fault's id stands in the test's name

import shutil
import time
from pathlib import Path

import pytest

from syncd.daemon import follow, timers
from syncd.daemon.beat import beat_of
from syncd.openclaw.file_kinds import FileName
from syncd.records import ListedFile
from tests.daemon.live import following, wait_for
from tests.daemon.process import daemon, in_ledger, rows, syncd
from tests.mirror.household import Household, household, message, name_of, transcript
from tests.mirror_checks import events, query

NAME = name_of(1)


def test_a_state_dir_that_is_missing_at_the_start_is_adopted_when_it_comes(house: Household, tmp_path: Path) -> None:
    other = household(tmp_path / "other")
    other.write(name_of(2), transcript(2, 3))
    late = tmp_path / "late"
    config = f"watch: {{settle_seconds: 0.2, rescan_seconds: 5}}\nopenclaw: {{state_dirs: [{house.state_dir}, {late}]}}"
    (tmp_path / "config.yaml").write_text(config)
    with daemon(house) as running:
        assert running.has_said("following")["state_dirs"] == [str(house.state_dir)]
        assert running.has_said("waiting")["state_dirs"] == [str(late)]
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))
        code, told = syncd(house, "status")
        assert (code, [item["path"] for item in told["degraded"]]) == (4, [str(late)])
        other.state_dir.rename(late)
        wait_for(in_ledger(house, name_of(2), 4))
        assert running.has_said("following")["state_dirs"] == [str(house.state_dir), str(late)]
        there = Household(late, house.ledger_path)
        there.append(name_of(2), message(4))
        wait_for(in_ledger(house, name_of(2), 5))
        saved = tmp_path / "saved"
        late.rename(saved)
        wait_for(lambda: syncd(house, "status")[0] == 4)
        house.append(NAME, message(7))
        wait_for(in_ledger(house, NAME, 8))
        saved.rename(late)
        there.append(name_of(2), message(5))
        wait_for(in_ledger(house, name_of(2), 6))
        assert running.terminate()[0] == 0
    assert syncd(house, "verify")[0] == 0
    assert {row.generation for row in rows(house)} == {1}


def test_it_waits_for_openclaw_and_begins_when_it_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WATCH_CHECK_SECONDS", "LONGEST_WAIT_SECONDS"):
        monkeypatch.setattr(timers, name, 0.05)
    house = household(tmp_path)
    shutil.rmtree(house.state_dir)
    with following(house) as live:
        assert f"STATUS=waiting for {house.state_dir}" in live.heard.messages
        house.write(NAME, transcript(1, 3))
        live.has_lines(NAME, 4)
        house.append(NAME, message(4))
        live.has_lines(NAME, 5)


def test_all_that_a_state_dir_holds_when_it_comes_is_taken_in(
    house: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not with the next rescan, of which there is none here: no event tells of files that came with their directory."""
    for name in ("WATCH_CHECK_SECONDS", "LONGEST_WAIT_SECONDS"):
        monkeypatch.setattr(timers, name, 0.05)
    other, late = household(tmp_path / "other"), tmp_path / "late"
    other.write(name_of(2), transcript(2, 3))
    with following(house, more_state_dirs=(str(late),), mode="poll", is_level_after=False) as live:
        monkeypatch.setattr(timers, "POLL_SECONDS", 3600.0)
        live.loop.dirty.add_everything()
        wait_for(lambda: not live.loop._timers.is_rescan_due(time.monotonic() + 60))
        other.state_dir.rename(late)
        live.has_lines(name_of(2), 4)


def test_a_state_dir_that_is_gone_is_told_at_once(house: Household) -> None:
    (house.state_dir.parent / "config.yaml").write_text("watch: {rescan_seconds: 3600, mode: poll}\n")
    with daemon(house) as running:
        running.is_following()
        assert syncd(house, "status")[0] == 0
        house.state_dir.rename(house.state_dir.with_name("away"))
        code, told = syncd(house, "status")
        assert (code, told["transcripts"]) == (4, 1)
        assert [(item["code"], item["path"]) for item in told["degraded"]] == [("unreadable", str(house.state_dir))]
        assert told["degraded"][0]["hint"]
        house.state_dir.with_name("away").rename(house.state_dir)
        wait_for(lambda: syncd(house, "status")[0] == 0)
        assert running.terminate()[0] == 0


def test_lines_of_every_state_dir_count_in_the_latencies(
    house: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timers, "WATCH_CHECK_SECONDS", 0.05)
    other = household(tmp_path / "other")
    other = Household(other.state_dir, house.ledger_path)
    with following(house, more_state_dirs=(str(other.state_dir),)) as live:
        assert beat_of(live.loop, 1).latency_p50_ms is None
        other.write(name_of(2), transcript(2, 3))
        live.has_lines(name_of(2), 4)
        wait_for(lambda: beat_of(live.loop, 1).latency_p50_ms is not None)
        assert len(live.loop.followers) == 2
        wait_for(lambda: beat_of(live.loop, 1).looks == live.loop.figures.looks)  # it may look in between
        shutil.rmtree(other.state_dir)


def test_C9_bytes_that_went_with_a_file_in_the_middle_of_its_backlog_are_counted(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "SLICE_BYTES", 20_000)
    content = transcript(2, 1) + b"".join(message(number, "long " * 100) for number in range(2, 4000))
    with following(house) as live:
        (follower,) = live.loop.followers
        usual = follower._looks._take

        def take_and_remove(listed: ListedFile, name: FileName) -> bool:
            found = usual(listed, name)
            house.path(name_of(2)).unlink(missing_ok=True)
            return found

        follower._looks._take = take_and_remove  # type: ignore[method-assign]
        house.replace(name_of(2), content)  # in one piece: what was not seen cannot be counted
        wait_for(lambda: live.row(name_of(2)).state == "gone")
        taken = live.row(name_of(2)).bytes
    assert 0 < taken < len(content)
    query_lost = "SELECT json_extract(detail_json, '$.lost_bytes') FROM sync_events WHERE kind = 'gone'"
    ((lost,),) = query(house.ledger_path, query_lost)
    assert "gone" in events(house.ledger_path)
    assert lost == len(content) - taken
