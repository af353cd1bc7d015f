"""Repair: each thing that can be wrong is found by the plan, put right when it is applied, and then found no more."""

import json
import os
from pathlib import Path
from typing import Any

import apsw
import pytest

from syncd.daemon.serving import Abandoned
from syncd.errors import LedgerCorrupt
from syncd.jobs import backup, repair
from syncd.jobs.runs import latest_runs, open_runs
from syncd.ledger.check import check
from syncd.ledger.database import open_for_reading
from syncd.ledger.row_checksums import keep_checksums
from syncd.mirror import repair_plan
from syncd.mirror.catchup import CatchUpOptions, Pace
from syncd.mirror.errands import Hands
from syncd.mirror.repair_plan import ACTIONS, plan_repairs
from tests.jobs.toolbox import tools_of
from tests.ledger.damaging import pages_of, scramble, texts
from tests.mirror.household import Household, header, line, message, name_of, session_id, transcript
from tests.mirror_checks import assert_mirrors, exported, only_transcript, query, transcripts

TORN = "UPDATE _blocks SET data = zeroblob(length(data))"


def broken(house: Household, *statements: str, seals: bool = True) -> None:
    """As a fault of the program would leave it; without `seals`, as a disk would."""
    connection = apsw.Connection(str(house.ledger_path))
    if seals:
        keep_checksums(connection)
    connection.execute("PRAGMA foreign_keys = OFF")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def found(house: Household, *, is_thorough: bool = True) -> dict[str, int]:
    options = CatchUpOptions(environ={})
    with open_for_reading(house.ledger_path) as ledger:
        plan = plan_repairs(ledger, [str(house.state_dir)], options, is_thorough=is_thorough)
    return {finding.kind: finding.count for finding in plan.findings}


def repaired(house: Household, *, is_thorough: bool = True) -> dict[str, Any]:
    with tools_of(house) as tools:
        outcome = repair._repaired(tools, is_thorough=is_thorough)
    return {"ok": outcome.ok, **outcome.summary}


@pytest.fixture
def house(house: Household) -> Household:
    house.write(name_of(1), transcript(1, 12))
    house.catch_up()
    return house


def test_of_a_sound_ledger_nothing_is_planned_and_nothing_is_written(house: Household) -> None:
    assert found(house) == {}
    before = query(house.ledger_path, "SELECT count(*) FROM sync_events")
    done = repaired(house)
    assert (done["ok"], done["found"]) == (True, {})
    assert query(house.ledger_path, "SELECT count(*) FROM sync_events") == before


# One statement that breaks the ledger, for each thing that a plan can find.
BREAKAGES = {
    "search": ["DELETE FROM search_docsize WHERE id > 5"],
    "foreign_keys": ["DELETE FROM entries WHERE line_no = 4"],
    "ends": ["UPDATE transcripts SET bytes = bytes - 100, lines = lines - 1"],
    "bytes": ["DELETE FROM _blocks"],
    "rows": ["UPDATE transcripts SET projection = 1"],
    "wrong_rows": ["UPDATE messages SET thinking = 'flipped' WHERE id = 7"],
    "cursors": ["UPDATE _files SET size = size + 7"],
    "places": ["DELETE FROM _files"],
    "parents": ["UPDATE transcripts SET lineage_id = 0"],
}


@pytest.mark.parametrize("kind", BREAKAGES)
def test_what_is_broken_is_found_put_right_and_found_no_more(house: Household, kind: str) -> None:
    broken(house, *BREAKAGES[kind])
    assert kind in found(house, is_thorough=False)
    done = repaired(house, is_thorough=False)
    assert (done["ok"], kind in done["found"]) == (True, True)
    assert found(house) == {}
    assert_mirrors(house)
    assert (kind,) in query(
        house.ledger_path, "SELECT detail_json ->> 'action' FROM sync_events WHERE kind = 'repair' ORDER BY id"
    )
    assert only_transcript(house.ledger_path).generation == 1


@pytest.mark.parametrize("by", [-100, 100])
def test_a_cursor_that_is_wrong_is_no_rewrite(house: Household, by: int) -> None:
    """The raw bytes hold all that the file has; nothing of it is read as if it were new."""
    before = only_transcript(house.ledger_path)
    broken(house, f"UPDATE transcripts SET bytes = bytes + {by}")
    assert found(house) == {"ends": 1}
    done = repaired(house)
    assert (done["ok"], done["mended"], done["lines"]) == (True, 0, 0)
    assert only_transcript(house.ledger_path) == before
    assert query(house.ledger_path, "SELECT kind FROM sync_events WHERE kind != 'repair'") == []
    assert found(house) == {}


def test_every_kind_of_finding_has_a_test() -> None:
    elsewhere = {
        "checksums", "past_rows", "index", "quarantine", "files", "owners", "spawners", "results", "unfinished",
        "wrong_places",
    }  # fmt: skip
    assert {*BREAKAGES} | elsewhere == {*ACTIONS}


def test_a_torn_block_is_taken_from_the_file(house: Household) -> None:
    broken(house, TORN)
    assert "bytes" not in found(house, is_thorough=False), "that is scrub's to find"
    assert repaired(house)["mended"] == 1
    assert_mirrors(house)
    assert found(house) == {}


def test_a_torn_block_is_taken_from_a_backup_where_no_file_has_it(house: Household) -> None:
    """Of the present and of an earlier generation."""
    house.write(name_of(1), transcript(1, 5) + message(6, "other"))
    house.catch_up()
    house.path(name_of(1)).unlink()
    house.catch_up()
    with tools_of(house) as tools:
        assert backup.run(tools).ok
    broken(house, TORN)
    done = repaired(house)
    assert (done["ok"], done["mended"], done["lost"]) == (True, 1, 0)
    (row,) = transcripts(house.ledger_path)
    assert exported(house.ledger_path, row.id, 1) == transcript(1, 12)
    assert exported(house.ledger_path, row.id, 2) == transcript(1, 5) + message(6, "other")
    assert_mirrors(house)


def test_bytes_that_nothing_has_any_more_are_named_and_all_else_stays(house: Household) -> None:
    house.write(name_of(2), transcript(2, 4))
    house.path(name_of(1)).unlink()
    house.catch_up()
    broken(house, f"{TORN} WHERE transcript_id = 1")
    done = repaired(house)
    assert (done["ok"], done["lost"]) == (False, 1)
    assert done["reason"].endswith("transcript 1")
    assert query(house.ledger_path, "SELECT count(*) FROM messages WHERE transcript_id = 1") == [(12,)]


def test_quarantined_lines_are_read_again_when_they_can_be(house: Household) -> None:
    house.write(name_of(2), transcript(2, 1) + message(2, "x" * 5000) + message(3))
    house.catch_up(CatchUpOptions(max_line_bytes=2000))
    assert query(house.ledger_path, "SELECT reason FROM quarantine") == [("too_long",)]
    assert found(house)["quarantine"] == 1
    repaired(house)
    assert query(house.ledger_path, "SELECT reason FROM quarantine") == []
    assert query(house.ledger_path, "SELECT count(*) FROM messages WHERE length(text) = 5000") == [(1,)]
    assert found(house) == {}


def test_a_line_that_an_older_parser_refused_is_read_and_one_that_is_none_stays(house: Household) -> None:
    house.append(name_of(1), b"this is no JSON\n")
    house.catch_up()
    assert found(house) == {}
    broken(
        house,
        "DELETE FROM messages WHERE id = (SELECT id FROM entries WHERE line_no = 5)",
        "INSERT INTO quarantine (transcript_id, line_no, byte_offset, byte_length, reason, raw)"
        " SELECT transcript_id, line_no, byte_offset, byte_length, 'not_json', CAST("
        f"'{message(4).decode().strip()}' || char(10) AS BLOB) FROM entries WHERE line_no = 5",
        "DELETE FROM entries WHERE line_no = 5",
    )
    assert found(house)["quarantine"] == 1
    repaired(house)
    assert query(house.ledger_path, "SELECT reason FROM quarantine") == [("not_json",)]
    assert query(house.ledger_path, "SELECT text FROM messages WHERE text LIKE '%number 4'") != []
    assert_mirrors(house)


def test_files_that_no_event_told_of_are_read(house: Household) -> None:
    house.append(name_of(1), message(13))
    house.write(name_of(2), transcript(2, 3))
    assert found(house)["files"] == 2
    done = repaired(house, is_thorough=False)
    assert (done["transcripts"], done["lines"]) == (2, 5)
    assert_mirrors(house)


def test_a_fork_whose_parent_came_later_finds_it(house: Household) -> None:
    parent = str(house.path(name_of(1)))
    house.write(name_of(2), header(2, parentSession=parent) + transcript(1, 6).split(b"\n", 1)[1])
    house.catch_up()
    broken(house, "UPDATE transcripts SET parent_transcript_id = NULL, lineage_id = id")
    assert found(house, is_thorough=False) == {}
    assert found(house)["parents"] == 1
    repaired(house)
    assert query(house.ledger_path, "SELECT parent_transcript_id, lineage_id FROM transcripts WHERE id = 2") == [(1, 1)]


def test_a_link_to_a_parent_that_was_lost_is_made_again(house: Household) -> None:
    parent = str(house.path(name_of(1)))
    house.write(name_of(2), header(2, parentSession=parent) + transcript(1, 6).split(b"\n", 1)[1])
    house.write(f"{name_of(1)}.bak-123-456", transcript(1, 4))
    house.catch_up()
    links = "SELECT id, parent_transcript_id, lineage_id FROM transcripts ORDER BY id"
    before = query(house.ledger_path, links)
    assert [row[1:] for row in before] == [(None, 1), (1, 1), (1, 1)]
    broken(house, "UPDATE transcripts SET parent_transcript_id = NULL")
    assert found(house, is_thorough=False) == {"parents": 2}
    repaired(house, is_thorough=False)
    assert query(house.ledger_path, links) == before
    assert found(house) == {}


def test_forks_of_a_parent_that_is_gone_are_not_linked_to_each_other(house: Household) -> None:
    parent = str(house.path(name_of(9)))
    for number in (2, 3):
        house.write(name_of(number), header(number, parentSession=parent) + transcript(1, 6).split(b"\n", 1)[1])
    house.catch_up()
    broken(house, "UPDATE transcripts SET parent_transcript_id = NULL, lineage_id = 2 WHERE id > 1")
    assert "parents" not in found(house, is_thorough=False)


def index(house: Household, **entries: dict[str, Any]) -> None:
    written = {key.replace("_", ":"): value for key, value in entries.items()}
    (house.sessions() / "sessions.json").write_text(json.dumps(written))


def test_a_transcript_is_linked_to_its_session_and_a_child_to_who_spawned_it(house: Household) -> None:
    index(
        house,
        agent_main_main={"sessionId": session_id(1), "updatedAt": 5},
        agent_main_subagent_x={"sessionId": session_id(9), "updatedAt": 6, "spawnedBy": "agent:main:main"},
    )
    repaired(house)
    linked = "SELECT count(session) FROM transcripts"
    bound = "SELECT count(parent) FROM sessions"
    assert (query(house.ledger_path, linked), query(house.ledger_path, bound)) == ([(1,)], [(1,)])
    broken(house, "UPDATE transcripts SET session = NULL", "UPDATE sessions SET parent = NULL")
    assert found(house, is_thorough=False) == {"owners": 1, "spawners": 1}
    repaired(house)
    assert (query(house.ledger_path, linked), query(house.ledger_path, bound)) == ([(1,)], [(1,)])
    assert found(house) == {}


def test_a_session_whose_row_rotted_is_read_again_from_the_index(house: Household) -> None:
    index(house, agent_main_main={"sessionId": session_id(1), "updatedAt": 5, "label": "mine"})
    repaired(house)
    whole = query(house.ledger_path, "SELECT entry_json, label FROM sessions")
    broken(house, "UPDATE sessions SET entry_json = substr(entry_json, 3), label = 'm1ne'")
    assert found(house, is_thorough=False) == {"index": 1}
    repaired(house)
    assert query(house.ledger_path, "SELECT entry_json, label FROM sessions") == whole
    assert found(house) == {}


def test_the_audit_of_rows_goes_on_where_the_last_run_was(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(2, 6):
        house.write(name_of(number), transcript(number, 4))
    house.catch_up()
    monkeypatch.setattr(repair_plan, "AUDIT_SECONDS", 0.0)
    broken(house, "UPDATE messages SET thinking = 'flipped' WHERE transcript_id = 4")
    broken(house, "INSERT INTO job_runs (job, started_at, finished_at, summary_json)"
                  " VALUES ('repair', 1, 2, '{\"audited_to\": 3}')")  # fmt: skip
    assert found(house, is_thorough=False) == {}, "no time at all"
    monkeypatch.setattr(repair_plan, "AUDIT_SECONDS", 60.0)
    assert found(house, is_thorough=False) == {"wrong_rows": 1}
    broken(house, "UPDATE job_runs SET summary_json = '{\"audited_to\": 4}'")
    assert found(house, is_thorough=False) == {}, "its turn comes again in the next round"
    broken(house, "UPDATE job_runs SET summary_json = '{\"audited_to\": 0}'")
    assert found(house, is_thorough=False) == {"wrong_rows": 1}


def _call(number: int) -> bytes:
    content = [{"type": "toolCall", "id": "call_1", "name": "read", "arguments": {"path": "/a"}}]
    return line({"type": "message", "id": f"{number:08x}", "parentId": f"{number - 1:08x}",
                 "timestamp": "2026-11-16T04:22:12.000Z",
                 "message": {"role": "assistant", "content": content, "timestamp": 1794802940000}})  # fmt: skip


def _result(number: int) -> bytes:
    return line({"type": "message", "id": f"{number:08x}", "parentId": f"{number - 1:08x}",
                 "timestamp": "2026-11-16T04:22:12.000Z",
                 "message": {"role": "toolResult", "toolCallId": "call_1", "toolName": "read", "isError": True,
                             "content": [{"type": "text", "text": "no"}], "timestamp": 1794802941000}})  # fmt: skip


def test_a_result_before_its_call_is_paired_with_it(house: Household) -> None:
    house.write(name_of(2), transcript(2, 1) + _result(2) + _call(3))
    house.catch_up()
    assert query(house.ledger_path, "SELECT status FROM tool_calls") == [("missing_result",)]
    assert found(house)["results"] == 1
    repaired(house)
    assert query(house.ledger_path, "SELECT status, is_error FROM tool_calls") == [("paired", 1)]
    assert found(house) == {}


def test_a_call_without_an_end_is_judged_once_its_session_is_at_rest(house: Household) -> None:
    house.write(name_of(2), transcript(2, 1) + _call(2))
    house.catch_up()
    broken(house, "UPDATE tool_calls SET status = 'pending'")
    assert found(house)["unfinished"] == 1
    os.utime(house.path(name_of(2)))
    repaired(house)
    with tools_of(house) as tools:
        tools.clock.sleep(5)
        repair.run(tools)
    assert query(house.ledger_path, "SELECT status FROM tool_calls") == [("missing_result",)]


def test_a_damaged_file_is_raised_for_whoever_can_recover_it(house: Household) -> None:
    house.write(name_of(2), transcript(2, 1) + texts(2, 100))
    house.catch_up()
    page = next(number for number, what in pages_of(house.ledger_path).items() if what == "messages leaf")
    scramble(house.ledger_path, page)
    with pytest.raises(LedgerCorrupt):
        found(house)


def test_a_ledger_at_odds_with_itself_where_no_rebuild_helps_is_damaged(house: Household) -> None:
    broken(house, "INSERT INTO session_versions (session, seen_at, changed_json) VALUES (99, 1, '{}')")
    with pytest.raises(LedgerCorrupt, match="session_versions"):
        found(house)


def test_a_run_by_hand_leaves_a_row_in_job_runs(house: Household, tmp_path: Path) -> None:
    from syncd.mirror.errands import Hands

    arguments = {"agents": ["*"], "settle_seconds": 0, "max_line_bytes": 1 << 24, "lock_wait_seconds": 0}
    with tools_of(house) as tools:
        answer = repair.repair_errand(Hands(tools.writer, tools.homes, tools.pace), arguments)
    assert json.loads(json.dumps(answer))["ok"] is True
    assert query(house.ledger_path, "SELECT job, ok FROM job_runs") == [("repair", 1)]


def test_a_transcript_as_a_backup_had_it_stays_where_its_bytes_and_its_file_are_by_now(house: Household) -> None:
    with tools_of(house) as tools:
        assert backup.run(tools).ok
    house.write(name_of(1), transcript(1, 5) + message(6, "other words"))
    house.catch_up()
    house.rename(name_of(1), f"{name_of(1)}.reset.2026-11-16T04-22-14.522Z")
    house.catch_up()
    before = only_transcript(house.ledger_path)
    assert (before.generation, before.state) == (2, "archived")
    broken(house, "UPDATE transcripts SET cwd = '/nothing/is', folded_cwd = '/left/of/it'", seals=False)
    assert repaired(house)["rows_in_doubt"] == 1
    after = only_transcript(house.ledger_path)
    assert (after.generation, after.state, after.path) == (2, "archived", before.path)
    assert_mirrors(house)
    with open_for_reading(house.ledger_path) as ledger:
        assert check(ledger, is_quick=False).is_sound


def test_how_a_transcript_ends_is_read_again_where_nothing_proves_it(house: Household) -> None:
    house.write(name_of(1), transcript(1, 12) + b'{"type":"mess')
    house.catch_up()
    (kept,) = query(house.ledger_path, "SELECT * FROM _tails")
    broken(house, "UPDATE _tails SET data = CAST('nothing is' AS BLOB)", seals=False)
    assert repaired(house)["rows_in_doubt"] == 1
    assert query(house.ledger_path, "SELECT * FROM _tails") == [kept]


class _NobodyWaits(Pace):
    """As where who asked for it has pressed Ctrl-C."""

    def at_border(self) -> None:
        raise Abandoned("nobody waits for it any more")

    def wait(self, _: float) -> None:
        self.at_border()


def test_a_repair_that_nobody_waits_for_any_more_is_no_run_under_way(house: Household) -> None:
    arguments = {"agents": ["*"], "settle_seconds": 0, "max_line_bytes": 1 << 20, "lock_wait_seconds": 0}
    with tools_of(house) as tools:
        hands = Hands(tools.writer, tools.homes, _NobodyWaits(tools.clock))
        with pytest.raises(Abandoned):
            repair.repair_errand(hands, arguments)
        assert open_runs(tools.ledger) == []
        (run,) = latest_runs(tools.ledger).values()
    assert (run.job, run.ok, run.summary) == ("repair", None, {"reason": "nobody waits for it any more"})


def test_what_is_in_doubt_is_asked_for_also_where_a_repair_is_cut_short(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """The row counts as sound as soon as it was told of: nobody would come back to it."""
    house.write(name_of(1), transcript(1, 12) + b'{"type":"mess')
    house.catch_up()
    (kept,) = query(house.ledger_path, "SELECT * FROM _tails")
    broken(house, "UPDATE _tails SET data = CAST('nothing is' AS BLOB)", seals=False)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("syncd.mirror.repair.name_host_again", die)
    with pytest.raises(KeyboardInterrupt):
        repaired(house)
    house.catch_up()
    assert query(house.ledger_path, "SELECT * FROM _tails") == [kept]
