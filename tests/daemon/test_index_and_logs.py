"""The session index and the cron logs, followed as OpenClaw writes them."""
# ruff: noqa: N802  the fault's id stands in the test's name

import json
import os
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest

from tests.daemon.live import NEVER_SECONDS, following, wait_for
from tests.mirror.household import RESET_TIME, Household, header, household, name_of, session_id, transcript
from tests.mirror.indexed import MAIN, entry, index_text
from tests.mirror_checks import events, query, transcripts


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = household(tmp_path)
    made.write(name_of(1), transcript(1, 3))
    _write(made, {MAIN: entry(1)})
    return made


def _write(house: Household, entries: dict[str, Any], agent: str = "main") -> None:
    """Temporary file and rename, as OpenClaw does."""
    _rename_in(house, index_text(entries), agent)


def _rename_in(house: Household, data: bytes, agent: str = "main") -> None:
    temporary = house.sessions(agent) / f"sessions.json.{os.getpid()}.{uuid4()}.tmp"
    temporary.write_bytes(data)
    temporary.rename(house.sessions(agent) / "sessions.json")


def _live(house: Household) -> dict[str, Any]:
    rows = query(house.ledger_path, "SELECT session_key, entry_json FROM sessions WHERE status = 'live'")
    return {key: json.loads(text) for key, text in rows}


def _is_taken_in(house: Household, entries: dict[str, Any]) -> None:
    wait_for(lambda: _live(house) == entries)


def _has_runs(house: Household, count: int) -> None:
    wait_for(lambda: query(house.ledger_path, "SELECT count(*) FROM cron_runs") == [(count,)])


def _versions(house: Household) -> list[Any]:
    return [json.loads(text) for (text,) in query(house.ledger_path, "SELECT changed_json FROM session_versions")]


def test_an_index_rewritten_five_times_in_a_turn_is_what_it_last_said(house: Household) -> None:
    with following(house):
        assert _live(house) == {MAIN: entry(1)}
        for turn in range(4):
            base = 1_794_802_940_000 + turn * 1000
            for step, status in enumerate(("new", "old", "run", "use", "end")):  # of one size
                entries = {MAIN: entry(1, base + step, status=status)}
                _write(house, entries)
                if step % 2:
                    _is_taken_in(house, entries)
            _is_taken_in(house, entries)
    assert _versions(house)[-1]["updatedAt"] == base + 4
    assert query(house.ledger_path, "SELECT count(*) FROM sessions") == [(1,)]


def test_every_version_that_stood_long_enough_to_be_seen_is_kept(house: Household) -> None:
    with following(house):
        for number in range(1, 6):
            entries = {MAIN: entry(1, 1_794_802_940_000 + number, label=f"label {number}")}
            _write(house, entries)
            _is_taken_in(house, entries)
    labels = [changed["label"] for changed in _versions(house) if "label" in changed]
    assert labels == [f"label {number}" for number in range(1, 6)]


def test_an_emptied_index_removes_nothing_before_it_is_confirmed(house: Household) -> None:
    with following(house, confirm_removal_seconds=NEVER_SECONDS) as live:
        _write(house, {MAIN: entry(1), "agent:main:other": entry(2)})
        wait_for(lambda: len(_live(house)) == 2)
        _write(house, {})
        wait_for(lambda: live.loop.indexes[0].next_due_at() is not None)
        assert len(_live(house)) == 2
        _write(house, {MAIN: entry(1)})
    with following(house, confirm_removal_seconds=0.3):
        wait_for(lambda: set(_live(house)) == {MAIN})  # the other was missing in two reads, 0.3 s apart
    removed = query(house.ledger_path, "SELECT session_key FROM sessions WHERE status = 'removed'")
    assert removed == [("agent:main:other",)]


@pytest.mark.parametrize("data", [b"", b'{"agent:main:main": {"sessio', None])
def test_D1_D2_a_torn_or_absent_index_keeps_the_last_good_state_and_is_named(
    house: Household, data: bytes | None
) -> None:
    with following(house, confirm_removal_seconds=0.1) as live:
        if data is None:
            house.path("sessions.json").unlink()
        else:
            _rename_in(house, data)
        wait_for(lambda: live.loop.indexes[0].degraded)
        assert _live(house) == {MAIN: entry(1)}
        house.append(name_of(1), b"{}\n")
        live.has_lines(name_of(1), 5)  # transcripts are followed all the same
        _write(house, {MAIN: entry(1, 1_794_802_999_000)})
        wait_for(lambda: _live(house)[MAIN]["updatedAt"] == 1_794_802_999_000)
        wait_for(lambda: not live.loop.indexes[0].degraded)


def test_an_agent_that_was_away_and_comes_back_unchanged_is_read_again(house: Household) -> None:
    """As a disk that was not mounted for a while: longer than a removal takes to be confirmed."""
    agent, elsewhere = house.sessions().parent, house.state_dir / "elsewhere"
    with following(house, rescan_seconds=0.2, confirm_removal_seconds=0.2):
        _is_taken_in(house, {MAIN: entry(1)})
        agent.rename(elsewhere)
        _is_taken_in(house, {})
        elsewhere.rename(agent)
        _is_taken_in(house, {MAIN: entry(1)})
    told = [kind for kind in events(house.ledger_path) if kind in ("removal", "session_returned")]
    assert told == ["removal", "session_returned"]


def test_an_index_that_names_a_transcript_before_it_exists_is_pending(house: Household) -> None:
    """FORMAT 12.6: the entry comes long before the file."""
    with following(house) as live:
        _write(house, {MAIN: entry(1), "agent:main:new": entry(2)})
        wait_for(lambda: len(_live(house)) == 2)
        house.write(name_of(2), transcript(2, 2))
        live.has_lines(name_of(2), 3)
        assert live.loop.indexes[0].degraded == ()
        assert live.loop.followers[0].problems == {}


@pytest.mark.parametrize("order", ["5.7", "7.1"])
def test_a_reset_in_either_order_ends_one_pairing_and_begins_another(house: Household, order: str) -> None:
    archive = f"{name_of(1)}.reset.{RESET_TIME}"
    with following(house) as live:
        _write(house, {MAIN: entry(2, 1_794_802_990_000, sessionFile=name_of(1 if order == "5.7" else 2))})
        if order == "5.7":
            house.rename(name_of(1), archive)
            house.write(name_of(1), header(2))
        else:
            house.write(name_of(2), header(2))
            house.rename(name_of(1), archive)
        wait_for(lambda: len(transcripts(house.ledger_path)) == 2)
        live.level()
        wait_for(lambda: _live(house)[MAIN]["sessionId"] == session_id(2))
    pairings = query(house.ledger_path, "SELECT session_id, ended_by FROM session_ids ORDER BY id")
    assert [paired for paired, _ in pairings] == [session_id(1), session_id(2)]
    assert pairings[1][1] is None
    assert "archive_rename" in events(house.ledger_path)


def test_a_new_agents_index_is_found(house: Household) -> None:
    with following(house):
        _write(house, {"agent:ops:main": entry(7)}, agent="ops")
        wait_for(lambda: set(_live(house)) == {MAIN, "agent:ops:main"})


def run(number: int) -> bytes:
    about = {"ts": 1_794_802_930_000 + number, "jobId": "job", "action": "finished", "status": "ok"}
    return json.dumps({**about, "sessionId": session_id(number), "durationMs": number}).encode() + b"\n"


def test_a_cron_log_is_followed_line_by_line(house: Household) -> None:
    runs = house.state_dir / "cron" / "runs"
    with following(house):
        runs.mkdir(parents=True)
        for number in range(1, 6):
            with (runs / "job.jsonl").open("ab") as file:
                file.write(run(number))
            _has_runs(house, number)
    assert query(house.ledger_path, "SELECT max(duration_ms) FROM cron_runs") == [(5,)]


def test_a_cron_log_that_cannot_be_read_is_named_and_tried_again(house: Household) -> None:
    """Too long a line stands for any fault; it is gone at the retry, without an event."""
    log = house.state_dir / "cron" / "runs" / "job.jsonl"
    log.parent.mkdir(parents=True)
    log.write_bytes(run(1))
    with following(house) as live:
        _has_runs(house, 1)
        (index,) = live.loop.indexes
        with patch("syncd.mirror.cron_logs.MAX_READ_BYTES", 8):
            with log.open("ab") as file:
                file.write(run(2))
            wait_for(lambda: [item.code for item in index.degraded] == ["cron_log_unreadable"])
            assert [item.path for item in index.degraded] == [str(log)]
        _has_runs(house, 2)
        wait_for(lambda: index.degraded == ())


def test_a_cron_log_that_is_pruned_while_we_follow_doubles_and_loses_nothing(house: Household) -> None:
    log = house.state_dir / "cron" / "runs" / "job.jsonl"
    log.parent.mkdir(parents=True)
    with following(house):
        kept: list[bytes] = []
        for number in range(1, 41):
            kept.append(run(number))
            with log.open("ab") as file:
                file.write(kept[-1])
            if len(kept) > 9:  # by temporary file and rename, right behind the append
                kept = kept[-5:]
                temporary = log.with_name(f"job.jsonl.{os.getpid()}.0123456789abcdef.tmp")
                temporary.write_bytes(b"".join(kept))
                temporary.rename(log)
            if number % 3 == 0:
                _has_runs(house, number)
        _has_runs(house, 40)
    durations = query(house.ledger_path, "SELECT duration_ms FROM cron_runs ORDER BY id")
    assert [number for (number,) in durations] == list(range(1, 41))
