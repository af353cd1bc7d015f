"""Retention removes what the configuration says, and by default does nothing."""

import hashlib
import json
import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from syncd.jobs import purge, retention
from syncd.jobs.pinning import pin_errand, unpin_errand
from syncd.jobs.policies import Policies
from syncd.jobs.retention_plan import evictable, plan_retention, used_bytes
from syncd.ledger.burial_note import noted_burials, write_note
from syncd.ledger.database import Ledger, open_for_reading
from syncd.settings.schema import RetentionSettings
from tests.conftest import Cli
from tests.derived_rows import derived_rows
from tests.jobs.old_sessions import (
    BODY,
    DAY,
    WORD,
    LateClock,
    call,
    hands_of,
    retained,
    settle,
    sound,
    talk,
    tool_result,
)
from tests.jobs.toolbox import tools_of
from tests.jobs.traces import places_with
from tests.mirror.household import HandClock, Household, header, line, message, name_of, session_id, transcript
from tests.mirror.indexed import entry, index_text
from tests.mirror_checks import exported, query, transcripts

EVERYTHING = Policies(
    removed_sessions=DAY, cron_runs=DAY, superseded=DAY, tool_results=DAY, trajectories=DAY, session_versions=DAY,
    max_ledger_bytes=1,
)  # fmt: skip


def test_by_default_nothing_at_all_is_written(house: Household, cli_in_process: Cli) -> None:
    house.write(name_of(1), talk(1))
    settle(house)
    house.path(name_of(1)).unlink()
    settle(house)
    before = _bytes(house)
    assert retained(house, Policies(), days=36500).removed == {}
    done = cli_in_process("retention", "--json", env=house.environ)
    assert (done.exit_code, done.json["removed"], done.json["plan"]["items"]) == (0, {}, [])
    with open_for_reading(house.ledger_path) as ledger:
        assert done.json["plan"]["ledger_bytes"] == used_bytes(ledger) > 0
    assert _bytes(house) == before


def _bytes(house: Household) -> dict[str, str]:
    files = [item for item in house.ledger_path.parent.iterdir() if item.name in ("ledger.db", "ledger.db-wal")]
    return {item.name: hashlib.sha256(item.read_bytes()).hexdigest() for item in files if item.stat().st_size}


def test_superseded_lines_go_and_what_they_cost_stays(house: Household, cli_in_process: Cli) -> None:
    house.write(name_of(1), header(1) + message(1, WORD) + call(2) + tool_result(3, BODY))
    settle(house)
    house.write(name_of(1), header(1) + message(1, "another beginning"))
    settle(house)
    usage = cli_in_process("usage", "--json", env=house.environ).json["total"]
    assert usage["total_tokens"] == 12
    assert retained(house, Policies(superseded=90 * DAY), days=89).removed == {}

    done = retained(house, Policies(superseded=90 * DAY), days=91)

    assert done.removed["superseded"].entries == 3
    assert places_with(house.ledger_path.parent, WORD) == []
    sound(house, cli_in_process)
    assert cli_in_process("usage", "--json", env=house.environ).json["total"] == usage
    assert cli_in_process("search", WORD, "--all", "--json", env=house.environ).json["hits"] == []
    given = cli_in_process("export", session_id(1), "--generation", "1", env=house.environ)
    assert (given.exit_code, "hole" in given.stderr) == (0, True)
    before = derived_rows(house.ledger_path)
    assert cli_in_process("resync", "--rebuild", env=house.environ).exit_code == 0
    assert derived_rows(house.ledger_path) == before
    sound(house, cli_in_process)


def test_an_event_that_rotted_is_in_no_plan_and_ends_none(house: Household) -> None:
    for text in (WORD, BODY):
        house.write(name_of(1), header(1) + message(1, text))
        settle(house)
    with closing(apsw.Connection(str(house.ledger_path))) as connection:
        connection.execute("UPDATE sync_events SET detail_json = replace(detail_json, ':', ';') WHERE kind = 'rewrite'")
        assert connection.changes() == 1
    assert retained(house, Policies(superseded=DAY), days=2).removed == {}


def test_old_trajectories_go_in_place_and_are_not_read_again(house: Household, cli_in_process: Cli) -> None:
    name = f"{session_id(1)}.trajectory.jsonl"
    rows = b"".join(line({"seq": number, "said": f"{WORD} {number}"}) for number in range(20_000))
    house.write(name, rows + b'{"unfinished":')
    house.write(name_of(1), transcript(1, 2))
    settle(house)
    done = retained(house, Policies(trajectories=30 * DAY), days=31)
    assert done.removed["trajectories"].bytes == len(rows)
    settle(house)
    assert places_with(house.ledger_path.parent, WORD) == []
    house.append(name, b"1}\n" + line({"seq": "new"}))
    settle(house)
    sound(house, cli_in_process)
    (row,) = transcripts(house.ledger_path, "kind = 'trajectory'")
    assert exported(house.ledger_path, row.id, 1).endswith(b'{"unfinished":1}\n{"seq":"new"}\n')
    assert row.lines == 20_002


def test_of_a_trajectory_that_was_rewritten_all_generations_go_at_once(house: Household, cli_in_process: Cli) -> None:
    name, months = f"{session_id(1)}.trajectory.jsonl", Policies(trajectories=30 * DAY)
    for word in (WORD, BODY):
        house.write(name, line({"seq": 1, "said": word}) * 2000)
        settle(house)
    size = house.path(name).stat().st_size
    with open_for_reading(house.ledger_path) as ledger:
        (item,) = plan_retention(ledger, replace(months, superseded=DAY), LateClock(31).now_ms()).items
        assert [each.stored for each in evictable(ledger, LateClock(31).now_ms())] == [item.stored]
    assert item.bytes == retained(house, months, days=31).removed["trajectories"].bytes > size
    assert places_with(house.ledger_path.parent, WORD) == []
    sound(house, cli_in_process)
    with open_for_reading(house.ledger_path) as ledger:
        assert plan_retention(ledger, months, LateClock(31).now_ms()).items == ()


def test_sessions_that_openclaw_deleted_are_purged_after_their_time(house: Household) -> None:
    removed(house)
    assert retained(house, Policies(removed_sessions=30 * DAY), days=29).removed == {}
    done = retained(house, Policies(removed_sessions=30 * DAY), days=31)
    assert done.sessions == 1
    assert query(house.ledger_path, "SELECT session_key FROM sessions") == [("agent:main:main",)]
    settle(house)
    assert places_with(house.ledger_path.parent, WORD, session_id(1)) == []
    told = query(house.ledger_path, "SELECT what, why, sessions FROM tombstones")
    assert told == [("session", "removed_sessions", 1)]


def removed(house: Household) -> None:
    """Session 1 was deleted by OpenClaw, which has its file still, under another name; 2 lives."""
    house.write(name_of(1), header(1) + message(1, WORD))
    house.write(name_of(2), transcript(2, 2))
    house.write("sessions.json", index_text({"agent:main:direct:1": entry(1), "agent:main:main": entry(2)}))
    settle(house)
    house.rename(name_of(1), f"{name_of(1)}.deleted.2026-11-16T04-22-14.522Z")
    house.write("sessions.json", index_text({"agent:main:main": entry(2)}))
    for _ in range(3):
        settle(house)
    assert query(house.ledger_path, "SELECT status FROM sessions ORDER BY id") == [("removed",), ("live",)]


def test_cron_runs_have_a_policy_of_their_own(house: Household) -> None:
    run_key = "agent:main:cron:7f1d9c1e-0000-4000-8000-00000000000a:run:1"
    house.write(name_of(1), header(1) + message(1, WORD))
    house.write(name_of(2), transcript(2, 2))
    entries = {run_key: entry(1), "agent:main:cron:7f1d9c1e-0000-4000-8000-00000000000a": entry(2)}
    house.write("sessions.json", index_text(entries))
    settle(house)
    done = retained(house, Policies(cron_runs=7 * DAY), days=400)
    assert done.sessions == 1
    assert [row.session_id for row in transcripts(house.ledger_path)] == [session_id(2)]
    settle(house)
    assert [row.session_id for row in transcripts(house.ledger_path)] == [session_id(2)]


def test_many_sessions_that_go_at_once_are_noted_together(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    """The note beside the ledger names all that ever went: with each one, thousands would take hours."""
    job, count = "agent:main:cron:7f1d9c1e-0000-4000-8000-00000000000a", 12
    for number in range(count):
        house.write(name_of(number), header(number) + message(1, WORD))
    house.write("sessions.json", index_text({f"{job}:run:{number}": entry(number) for number in range(count)}))
    settle(house)
    notes: list[int] = []

    def note(ledger: Ledger) -> None:
        write_note(ledger)
        notes.append(1)

    monkeypatch.setattr(purge, "write_note", note)
    assert retained(house, Policies(cron_runs=7 * DAY), days=400).sessions == count
    assert len(notes) <= 2
    noted = noted_burials(house.ledger_path)
    assert noted is not None
    assert len(noted.tombstones) == count


def test_old_versions_of_index_entries_go(house: Household) -> None:
    house.write(name_of(1), transcript(1, 2))
    for number in range(3):
        house.write(
            "sessions.json", index_text({"agent:main:main": entry(1, 1794802930000 + number, label=f"{WORD}{number}")})
        )
        settle(house)
    assert len(query(house.ledger_path, "SELECT id FROM session_versions")) >= 2
    done = retained(house, Policies(session_versions=30 * DAY), days=31)
    assert done.session_versions >= 2
    assert query(house.ledger_path, "SELECT id FROM session_versions") == []
    assert query(house.ledger_path, "SELECT label FROM sessions") == [(f"{WORD}2",)]


def test_nothing_is_taken_from_a_pinned_session(house: Household) -> None:
    removed(house)
    house.write(name_of(3), talk(3))
    house.write(f"{session_id(3)}.trajectory.jsonl", line({"said": WORD}))
    settle(house)
    house.write(name_of(3), header(3) + message(1, "rewritten"))
    settle(house)
    with hands_of(house, HandClock()) as hands:
        for name in ("agent:main:direct:1", session_id(3)):
            assert pin_errand(hands, {"session": name})["changed"] == 1
    done = retained(house, EVERYTHING, days=400)
    assert {policy: went.bytes for policy, went in done.removed.items() if went.bytes} == {}
    with hands_of(house, HandClock()) as hands:
        assert unpin_errand(hands, {"session": session_id(3)})["changed"] == 1
    assert retained(house, replace(EVERYTHING, max_ledger_bytes=None), days=400).removed.keys() == {
        "superseded",
        "trajectories",
    }


def test_what_openclaw_is_writing_to_is_left_alone(house: Household) -> None:
    house.write(name_of(1), talk(1))
    settle(house)
    house.lock(name_of(1), os.getpid())
    assert retained(house, Policies(tool_results=DAY)).removed == {}
    house.path(f"{name_of(1)}.lock").unlink()
    assert retained(house, Policies(tool_results=DAY)).removed["tool_results"].entries == 2


def stuffed(house: Household) -> int:
    """One of each that a cap may take, random so that nothing packs well; the size of the ledger."""
    removed(house)
    noise = [os.urandom(150_000).hex() for _ in range(4)]
    house.write(f"{session_id(2)}.trajectory.jsonl", line({"said": noise[0]}))
    house.write(name_of(4), header(4) + message(1, noise[1]))
    house.write(name_of(5), header(5) + call(2) + tool_result(3, noise[2]))
    house.write(name_of(6), header(6) + message(1, noise[3]))
    settle(house)
    house.write(name_of(4), header(4) + message(1, "short"))
    settle(house)
    with open_for_reading(house.ledger_path) as ledger:
        return used_bytes(ledger)


@pytest.mark.parametrize(
    ("over", "gone"),
    [
        (10_000, ["trajectory"]),
        (400_000, ["trajectory", "superseded"]),
        (700_000, ["trajectory", "superseded", "tool_results"]),
        (10**9, ["trajectory", "superseded", "tool_results", "session"]),
    ],
)
def test_the_size_cap_evicts_in_its_order_and_never_what_is_live(house: Household, over: int, gone: list[str]) -> None:
    size = stuffed(house)
    cap = max(1, size - over)
    with open_for_reading(house.ledger_path) as ledger:
        planned = plan_retention(ledger, Policies(max_ledger_bytes=cap), LateClock(0.1).now_ms())
    done = retained(house, Policies(max_ledger_bytes=cap), days=0.1)
    assert [row[0] for row in query(house.ledger_path, "SELECT what FROM tombstones ORDER BY id")] == gone
    assert {item.policy for item in planned.items} == {"max_ledger_bytes"}
    assert [item.what for item in planned.items][:1] == ["trajectory"]
    live = query(house.ledger_path, "SELECT session_id FROM transcripts WHERE kind = 'primary' ORDER BY id")
    assert {session_id(2), session_id(6)} <= {row[0] for row in live}
    assert done.ok == (over < 10**9)
    assert (house.ledger_path.stat().st_size <= cap) == done.ok
    assert house.verify().ok


def test_a_cap_that_is_not_reached_is_told_with_what_to_do(house: Household) -> None:
    house.write(name_of(1), transcript(1, 2))
    settle(house)
    with tools_of(house) as tools:
        capped = replace(tools.settings, retention=RetentionSettings(max_ledger_bytes=1))
        outcome = retention.run(replace(tools, settings=capped))
    assert not outcome.ok
    assert "above max_ledger_bytes" in str(outcome.summary["reason"])
    assert "raise `retention.max_ledger_bytes`" in str(outcome.summary["hint"])


def test_the_verb_shows_the_plan_and_what_openclaw_removes_itself(
    house: Household, cli_in_process: Cli, tmp_path: Path
) -> None:
    house.write(name_of(1), talk(1))
    settle(house)
    maintenance = {"mode": "enforce", "pruneAfter": "14d", "maxEntries": 200}
    config = {"session": {"maintenance": maintenance}, "cron": {"sessionRetention": False}, "secret": "zyxquandary"}
    (house.state_dir / "openclaw.json").write_text(json.dumps(config))
    own = tmp_path / "syncd.yaml"
    own.write_text("retention: {tool_results: {drop_after: 90d}}\n")
    planned = cli_in_process("--config", own, "retention", "--dry-run", env=house.environ)
    assert planned.exit_code == 0
    for word in (
        "after 90d",
        "pruneAfter: 14d",
        "maxEntries: 200",
        "cron.sessionRetention: false",
        "tool_results of transcript 1",
    ):
        assert word in planned.stdout, word
    assert "zyxquandary" not in planned.stdout
    assert query(house.ledger_path, "SELECT * FROM tombstones") == []
    done = cli_in_process("--config", own, "retention", "--json", env=house.environ)
    assert done.json["removed"]["tool_results"]["entries"] == 2
    assert done.json["plan"]["openclaw"][str(house.state_dir)]["session.maintenance.pruneAfter"] == "14d"
