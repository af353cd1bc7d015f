"""Scrub and repair beside retention's holes: what was dropped is no difference, and is not read again."""

from contextlib import closing
from itertools import count

import apsw
import pytest

from syncd.clock import Clock
from syncd.errors import LedgerCorrupt
from syncd.jobs import backup, repair, scrub
from syncd.jobs.policies import Policies
from syncd.jobs.purge import plan_purge, purge
from syncd.jobs.retention import apply
from syncd.ledger import dropping
from syncd.ledger.backups import kept_backups
from syncd.ledger.database import open_for_reading
from syncd.ledger.lock import writer_lock
from syncd.ledger.raw import TornBlock
from syncd.mirror.catchup import Pace
from syncd.mirror.recovery import recover
from tests.conftest import Cli
from tests.jobs.at_work import done, tools_for
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
from tests.jobs.test_scrub import change_unnoticed, rot
from tests.jobs.traces import places_with
from tests.mirror.household import HandClock, Household, header, line, message, name_of, session_id, transcript
from tests.mirror_checks import exported, mirrored, query

STATE = """SELECT transcript_id, byte_offset, byte_length, generation, superseded_in, codec, data FROM _blocks
    ORDER BY id"""
EVENTS = "SELECT count(*) FROM sync_events WHERE kind != 'backup'"


@pytest.fixture
def holed(house: Household) -> Household:
    """1: bodies of tool results gone. 2: an earlier generation gone. 3: a trajectory gone. 4: purged."""
    house.write(name_of(1), talk(1))
    house.write(name_of(2), header(2) + message(1, WORD) + call(2) + tool_result(3, BODY))
    house.write(f"{session_id(3)}.trajectory.jsonl", line({"seq": 1, "said": WORD}) * 2000)
    house.write(name_of(4), header(4) + message(1, WORD))
    house.write(name_of(5), transcript(5, 20))
    settle(house)
    house.write(name_of(2), header(2) + message(1, "another beginning"))
    settle(house)
    mirrored(house)
    everything = Policies(tool_results=DAY, superseded=DAY, trajectories=DAY)
    assert set(retained(house, everything, days=400).removed) == {"tool_results", "superseded", "trajectories"}
    with open_for_reading(house.ledger_path) as ledger:
        plan = plan_purge(ledger, session_id(4), with_forks=False)
    with hands_of(house, LateClock(0)) as hands:
        assert purge(hands.writer, hands.homes, hands.pace, plan.wanted).ok
    assert places_with(house.ledger_path.parent, WORD) == []
    return house


def scrubbed(house: Household) -> dict[str, object]:
    with tools_for(house) as tools:
        outcome, _ = done(scrub.run, tools)
    assert outcome.ok, outcome
    return dict(outcome.summary)


def test_holes_are_no_difference_and_stay_holes(holed: Household, cli_in_process: Cli) -> None:
    before, told = query(holed.ledger_path, STATE), query(holed.ledger_path, EVENTS)
    for _ in range(2):
        found = scrubbed(holed)
        assert [found[name] for name in ("not_at_rest", "unreadable", "changed", "mended", "lost")] == [0] * 5
        assert found["transcripts"] == 4
        with tools_for(holed) as tools:
            assert repair._repaired(tools, is_thorough=True).summary["found"] == {}
    assert query(holed.ledger_path, STATE) == before
    assert query(holed.ledger_path, EVENTS) == told
    assert places_with(holed.ledger_path.parent, WORD) == []
    sound(holed, cli_in_process)


def test_a_file_that_changed_inside_a_hole_is_found(holed: Household) -> None:
    path = holed.path(name_of(1))
    changed = path.read_bytes().replace(b"wolpertinger", b"wolpertingel", 1)
    change_unnoticed(holed, name_of(1), changed)
    assert scrubbed(holed)["changed"] == 1
    assert holed.verify().ok


def test_a_block_that_rotted_beside_holes_is_taken_from_its_file_and_nothing_else_is(holed: Household) -> None:
    with tools_for(holed) as tools:
        assert backup.run(tools).ok
    rot(holed, 5)
    assert scrubbed(holed)["mended"] == 1
    assert holed.verify().ok
    assert places_with(holed.ledger_path.parent, WORD) == []


def test_scrub_looks_for_no_file_of_a_purged_session(holed: Household) -> None:
    """Its file is still there, and stays unread."""
    assert holed.path(name_of(4)).exists()
    scrubbed(holed)
    settle(holed)
    assert query(holed.ledger_path, "SELECT count(*) FROM transcripts WHERE session_id = ?", session_id(4)) == [(0,)]
    assert places_with(holed.ledger_path.parent, WORD) == []


def _backed_up(house: Household) -> None:
    with tools_for(house) as tools:
        assert backup.run(tools).ok


def test_a_block_with_holes_that_no_file_has_comes_from_a_backup_holes_and_all(
    house: Household, cli_in_process: Cli
) -> None:
    house.write(name_of(1), talk(1))
    settle(house)
    retained(house, Policies(tool_results=DAY))
    _backed_up(house)
    house.path(name_of(1)).unlink()
    settle(house)
    before = exported(house.ledger_path, 1, 1)
    rot(house, 1)
    found = scrubbed(house)
    assert (found["mended"], found["lost"]) == (1, 0)
    assert exported(house.ledger_path, 1, 1) == before
    sound(house, cli_in_process)
    assert places_with(house.ledger_path.parent, WORD) == []
    assert retained(house, Policies(tool_results=DAY)).removed == {}


@pytest.mark.parametrize("is_past", [False, True])
def test_a_body_that_an_older_backup_brought_back_is_dropped_again(
    house: Household, cli_in_process: Cli, is_past: bool
) -> None:
    house.write(name_of(1), talk(1))
    settle(house)
    if is_past:
        house.write(name_of(1), header(1) + message(1, "another beginning"))
        settle(house)
    _backed_up(house)
    retained(house, Policies(tool_results=DAY))
    house.path(name_of(1)).unlink()
    settle(house)
    lost = "byte_offset = (SELECT max(byte_offset) FROM _blocks WHERE codec = 4)"
    with closing(apsw.Connection(str(house.ledger_path))) as connection:
        connection.execute(f"DELETE FROM _blocks WHERE codec = 4 AND {lost}")
        assert connection.changes() == 1
    assert scrubbed(house)["lost"] == 0
    assert WORD.encode() in exported(house.ledger_path, 1, 1)
    assert retained(house, Policies(tool_results=DAY)).removed["tool_results"].entries == 2
    assert WORD.encode() not in exported(house.ledger_path, 1, 1)
    sound(house, cli_in_process)


@pytest.mark.parametrize("policy", ["tool_results", "superseded", "trajectories"])
def test_what_is_torn_waits_until_it_is_mended_and_all_else_goes(
    house: Household, cli_in_process: Cli, policy: str
) -> None:
    """Rows may be all that is left of it: a recovery, which trusts in bytes alone, would lose them."""
    for number in (1, 2):
        house.write(name_of(number), talk(number))
        house.write(f"{session_id(number)}.trajectory.jsonl", line({"seq": 1, "said": WORD}) * 2000)
    settle(house)
    if policy == "superseded":
        for number in (1, 2):
            house.write(name_of(number), header(number) + message(1, "another beginning"))
        settle(house)
    kind = "trajectory" if policy == "trajectories" else "primary"
    ids = f"SELECT id FROM transcripts WHERE kind = '{kind}' AND session_id = '{session_id(1)}'"
    blocks = query(house.ledger_path, f"SELECT data, id FROM _blocks WHERE transcript_id IN ({ids})")
    said = query(house.ledger_path, "SELECT text FROM messages ORDER BY id")
    with closing(apsw.Connection(str(house.ledger_path))) as connection:
        connection.execute(f"UPDATE _blocks SET data = zeroblob(9) WHERE transcript_id IN ({ids})")
    policies = Policies(**{policy: DAY})

    first = retained(house, policies, days=3).removed[policy]

    if policy == "superseded":
        assert said[0] in query(house.ledger_path, "SELECT text FROM messages")
    with closing(apsw.Connection(str(house.ledger_path))) as connection:
        connection.executemany("UPDATE _blocks SET data = ? WHERE id = ?", blocks)
    second = retained(house, policies, days=3).removed[policy]
    assert first == second
    assert second.bytes > 0
    sound(house, cli_in_process)


class _Meeting(Pace):
    """As where a live file meets a torn block when it has its turn."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._turns = count(1)

    def at_border(self) -> None:
        if next(self._turns) == 2:  # the first is before anything goes
            raise TornBlock("met by a live file")


def test_what_a_live_file_meets_in_its_turn_is_not_taken_for_what_retention_met(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever wrote then has half a batch in hand: all of it is to be dropped, and read again."""
    monkeypatch.setattr(dropping, "_MOST_AT_ONCE", 1)
    house.write(name_of(1), talk(1))
    settle(house)
    with hands_of(house, LateClock(3)) as hands, pytest.raises(TornBlock, match="a live file"):
        apply(hands._replace(pace=_Meeting(LateClock(3))), Policies(tool_results=DAY))


def test_past_lines_that_were_dropped_stay_so_though_an_older_backup_has_them(
    house: Household, cli_in_process: Cli
) -> None:
    """Their rows say nothing any more: whole bytes would make others."""
    house.write(name_of(1), talk(1))
    settle(house)
    house.write(name_of(1), header(1) + message(1, "another beginning"))
    settle(house)
    _backed_up(house)
    retained(house, Policies(superseded=DAY), days=3)
    before = exported(house.ledger_path, 1, 1)
    with closing(apsw.Connection(str(house.ledger_path))) as connection:
        connection.execute("DELETE FROM _blocks WHERE superseded_in = 2")
        assert connection.changes() == 1
    assert scrubbed(house)["lost"] == 0
    assert exported(house.ledger_path, 1, 1) == before
    sound(house, cli_in_process)


@pytest.mark.parametrize("way", ["scrub", "recovery"])
def test_half_a_hole_of_a_backup_is_not_taken_for_bytes(house: Household, way: str) -> None:
    """It has no hash, and the blanks in it would pass for what was there."""
    first, rest = line({"seq": 1, "said": "kept"}) * 1000, line({"seq": 2, "said": WORD}) * 1000
    name = f"{session_id(1)}.trajectory.jsonl"
    house.write(name, first + rest)
    settle(house)
    _backed_up(house)
    retained(house, Policies(trajectories=DAY), days=3)
    if way == "recovery":
        kept_backups(house.ledger_path)[0].path.unlink()
    _backed_up(house)
    rot(house, 1)
    assert scrubbed(house)["mended"] == 1, "from the file, which still has all of it"
    house.write(name, first + line({"seq": 2, "said": "another way"}))
    settle(house)
    with closing(apsw.Connection(str(house.ledger_path))) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("DELETE FROM _blocks WHERE superseded_in = 2")
        assert connection.changes() == 1
    if way == "scrub":
        assert scrubbed(house)["lost"] == 0
        assert exported(house.ledger_path, 1, 1) == first + rest, "as the older backup has it"
    else:
        with writer_lock(house.ledger_path):
            recover(house.ledger_path, LedgerCorrupt("damaged", "for this test"), HandClock())
        assert exported(house.ledger_path, 1, 2).startswith(first)
        assert [each.reason for each in house.verify().differences] == [
            "raw bytes are missing in the ledger (transcript 1)"
        ]


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_body_that_a_recovery_brought_back_from_a_backup_is_dropped_again(
    house: Household, cli_in_process: Cli, goes_on: bool
) -> None:
    house.write(name_of(1), talk(1))
    settle(house)
    _backed_up(house)
    if goes_on:
        house.append(name_of(1), message(7))
        settle(house)
    retained(house, Policies(tool_results=DAY))
    house.path(name_of(1)).unlink()
    settle(house)
    with closing(apsw.Connection(str(house.ledger_path))) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("DELETE FROM _blocks WHERE byte_offset = 0")
    with writer_lock(house.ledger_path):
        recover(house.ledger_path, LedgerCorrupt("damaged", "for this test"), HandClock())
    settle(house)
    assert WORD.encode() in exported(house.ledger_path, 1, 1)
    assert retained(house, Policies(tool_results=DAY)).removed["tool_results"].entries == 2
    assert WORD.encode() not in exported(house.ledger_path, 1, 1)
    sound(house, cli_in_process)


def test_a_longer_line_is_not_taken_for_the_one_whose_bytes_were_lost(house: Household) -> None:
    house.write(name_of(1), header(1) + message(1, "short"))
    settle(house)
    with closing(apsw.Connection(str(house.ledger_path))) as connection:
        connection.execute("DELETE FROM _blocks")
    house.write(name_of(1), header(1) + message(1, "another way, and longer"))
    settle(house)
    assert query(house.ledger_path, "SELECT generation FROM transcripts") == [(2,)]
    assert [each.reason for each in house.verify().differences] == [
        "raw bytes are missing in the ledger (transcript 1)"
    ]
