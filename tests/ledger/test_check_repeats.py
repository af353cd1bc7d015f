"""`check` counts answers again: whatever is wrong with who counts for whom is found, and a rebuild mends it."""

from pathlib import Path

import apsw
import pytest

from syncd.ledger.check import Finding, check
from syncd.ledger.database import open_for_reading
from tests.mirror.household import Household, header, household, name_of
from tests.mirror.test_usage import rebuild, repeats
from tests.usage_corpus import answer, answers, fork_header, fork_name


@pytest.fixture
def house(tmp_path: Path) -> Household:
    """A session, its fork, one that has nothing to do with them, and an answer that was replayed under another id."""
    house = household(tmp_path)
    house.write(name_of(1), header(1) + answers(1, 4) + answer(2, entry_id="again"))
    house.write(fork_name(2), fork_header(2, 1) + answers(1, 3) + answer(9))
    house.write(name_of(3), header(3) + answers(20, 22))
    house.catch_up()
    house.write(name_of(1), header(1) + answer(1, output=50) + answers(2, 4) + answer(2, entry_id="again"))
    house.catch_up()
    return house


def findings(house: Household) -> list[Finding]:
    with open_for_reading(house.ledger_path) as ledger:
        return check(ledger, is_quick=True).findings


def test_what_is_counted_once_is_sound(house: Household) -> None:
    assert len(repeats(house)) > 4
    assert findings(house) == []


OTHER = """(SELECT min(messages.id) FROM messages JOIN transcripts ON transcripts.id = transcript_id
    WHERE session_id LIKE '0a000003%')"""
FAULTS = {
    "a repeat that is counted": "DELETE FROM _repeats WHERE message_id = (SELECT max(message_id) FROM _repeats)",
    "no repeat is known": "DELETE FROM _repeats",
    "counted as one of another lineage": f"UPDATE _repeats SET counted_id = {OTHER}",
    "an answer that repeats none": f"INSERT INTO _repeats SELECT {OTHER}, min(counted_id) FROM _repeats",
    "the wrong one counts": """UPDATE _repeats SET message_id = counted_id, counted_id = message_id
        WHERE message_id = (SELECT max(message_id) FROM _repeats GROUP BY counted_id HAVING count(*) = 1)""",
    "an id that is not kept": "DELETE FROM _answer_ids WHERE message_id = (SELECT max(message_id) FROM _answer_ids)",
    "an id that is none": "INSERT INTO _answer_ids SELECT transcript_id, 'none', message_id FROM _answer_ids LIMIT 1",
    "an id in another transcript": f"INSERT INTO _answer_ids SELECT 1, '00000014', {OTHER}",
}


@pytest.mark.parametrize("name", FAULTS)
def test_damage_is_found_and_mended_by_a_rebuild(house: Household, name: str) -> None:
    sound = repeats(house)
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute(FAULTS[name])
    assert connection.changes() > 0
    connection.close()
    found = findings(house)
    assert {finding.kind for finding in found} == {"usage"}
    assert all(finding.transcript_id and finding.message.startswith("answer ") for finding in found)
    rebuild(house)
    assert findings(house) == []
    assert repeats(house) == sound


def test_a_header_that_says_another_beginning_is_no_damage(house: Household) -> None:
    later = header(1, timestamp="2026-11-16T09:22:10.000Z")
    house.write(name_of(1), later + answers(2, 4) + answer(2, entry_id="again"))
    house.catch_up()
    assert findings(house) == []
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute("DELETE FROM _repeats WHERE message_id = (SELECT max(message_id) FROM _repeats)")
    connection.close()
    assert {finding.kind for finding in findings(house)} == {"usage"}


def test_what_is_still_to_be_linked_or_derived_is_not_judged(house: Household) -> None:
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute("DELETE FROM _repeats; DELETE FROM _answer_ids; UPDATE transcripts SET projection = -projection")
    connection.close()
    assert findings(house) == []
