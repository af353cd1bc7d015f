"""Forks and successors find their parents: by header and by content, wherever the parent's file is by now."""

from syncd.clock import SystemClock
from syncd.ledger.database import open_for_writing
from syncd.ledger.transcripts import NOT_LINKED
from syncd.ledger.writer import Writer
from tests.mirror.household import (
    LATER_TIME,
    RESET_TIME,
    Household,
    header,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)
from tests.mirror_checks import query

FORK = f"2026-11-16T04-22-14-584Z_{session_id(2)}.jsonl"
YOUNGER = {"timestamp": "2026-11-16T05:00:00.000Z"}
PARENTS = """SELECT child.session_id, parent.session_id FROM transcripts AS child
    JOIN transcripts AS parent ON parent.id = child.parent_transcript_id"""


def forked(parent: str, entries: bytes = b"", number: int = 2) -> bytes:
    return header(number, parentSession=parent, **YOUNGER) + entries


def parents(house: Household) -> dict[str, str]:
    house.catch_up()
    return dict(query(house.ledger_path, PARENTS))


def said(*words: str) -> bytes:
    return b"".join(message(number, word) for number, word in enumerate(words, 1))


def test_the_parents_path_may_be_of_a_state_directory_that_was_moved(house: Household) -> None:
    house.write(name_of(1), header(1) + messages(1, 4))
    house.write(FORK, forked(f"/somewhere/else/agents/main/sessions/{name_of(1)}", messages(1, 4)))
    assert parents(house) == {session_id(2): session_id(1)}


def test_an_archived_parent_is_still_the_parent(house: Household) -> None:
    house.write(name_of(1), header(1) + messages(1, 4))
    house.catch_up()
    house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    house.write(FORK, forked(str(house.path(name_of(1))), messages(1, 4)))
    assert parents(house) == {session_id(2): session_id(1)}


def test_a_parent_may_come_after_its_fork(house: Household) -> None:
    house.write(FORK, forked(str(house.path(name_of(1))), messages(1, 4)))
    assert parents(house) == {}
    house.write(name_of(3), header(3) + messages(9, 10))
    assert parents(house) == {}
    house.write(name_of(1), header(1) + messages(1, 4))
    assert parents(house) == {session_id(2): session_id(1)}


def test_a_session_that_took_the_parents_path_later_is_not_the_parent(house: Household) -> None:
    """As 2026.5.7 resets: the path stays, the session behind it is another."""
    path = house.path(name_of(1))
    house.write(f"{name_of(1)}.reset.{LATER_TIME}", header(5) + messages(1, 4))
    house.write(name_of(1), header(1, timestamp="2026-11-16T09:00:00.000Z") + messages(30, 31))
    house.write(FORK, forked(str(path), messages(1, 4)))
    assert parents(house) == {session_id(2): session_id(5)}


def test_a_fork_that_took_nothing_over_goes_by_its_header(house: Household) -> None:
    house.write(name_of(1), header(1) + messages(1, 4))
    house.write(FORK, forked(str(house.path(name_of(1))), messages(20, 22)))
    assert parents(house) == {session_id(2): session_id(1)}


def test_a_younger_session_at_the_path_is_no_parent_of_a_fork_that_took_nothing_over(house: Household) -> None:
    house.write(name_of(1), header(1, timestamp="2026-11-16T09:00:00.000Z") + messages(1, 4))
    house.write(FORK, forked(str(house.path(name_of(1))), messages(20, 22)))
    assert parents(house) == {}


def test_a_parent_under_a_name_that_the_header_does_not_know_is_found_by_content(house: Household) -> None:
    house.write(name_of(1), header(1) + said("one", "two", "three"))
    house.write(name_of(7), header(7) + messages(50, 60))
    house.write(FORK, forked("/old/renamed-since.jsonl", said("one", "two", "three")))
    assert parents(house) == {session_id(2): session_id(1)}


def test_one_entry_of_the_same_id_is_no_proof(house: Household) -> None:
    house.write(name_of(1), header(1) + messages(1, 1))
    house.write(FORK, forked("/old/renamed-since.jsonl", messages(1, 1) + messages(70, 72)))
    assert parents(house) == {}


def test_a_parent_may_be_another_agents(house: Household) -> None:
    (house.sessions("boss") / name_of(1)).write_bytes(header(1) + messages(1, 4))
    house.write(FORK, forked(str(house.sessions("boss") / name_of(1)), messages(1, 4)))
    assert parents(house) == {session_id(2): session_id(1)}


def test_two_that_call_each_other_their_parent_are_no_endless_family(house: Household) -> None:
    house.write(name_of(1), header(1, parentSession=str(house.path(name_of(2)))) + messages(1, 4))
    house.write(name_of(2), header(2, parentSession=str(house.path(name_of(1)))) + messages(1, 4))
    assert len(parents(house)) == 1
    assert query(house.ledger_path, "SELECT count(DISTINCT lineage_id) FROM transcripts") == [(1,)]


def test_twins_are_looked_for_by_their_session_and_not_among_all_of_an_agent(house: Household) -> None:
    house.catch_up()
    twin = "SELECT 1 FROM transcripts WHERE session_id = 'x' AND installation_id = 1 AND agent_id = 'main' AND id != 1"
    ((*_, plan),) = query(house.ledger_path, f"EXPLAIN QUERY PLAN {twin}")
    assert "transcripts_by_session" in plan


def test_what_the_import_moved_descends_from_the_one_of_its_id_that_has_its_lines(house: Household) -> None:
    """An id that was begun anew after a reset, and rewritten just before it was moved away."""
    house.write(f"{name_of(1)}.reset.{RESET_TIME}", header(1) + messages(1, 2))
    house.write(name_of(1), header(1) + messages(5, 8))
    house.catch_up()
    house.path(name_of(1)).unlink()
    moved = house.import_archive() / f"agent_main_main.{name_of(1)}.imported-1794802732071"
    moved.write_bytes(header(1) + messages(5, 6) + messages(9, 10))
    house.catch_up()
    (copy,) = query(house.ledger_path, "SELECT parent_transcript_id FROM transcripts WHERE kind = 'import_archive'")
    assert copy == query(house.ledger_path, "SELECT id FROM transcripts WHERE lines = 5 AND state = 'gone'")[0]


def test_a_file_that_is_put_back_descends_from_what_the_import_had_moved_of_it(house: Household) -> None:
    house.write(f"{name_of(1)}.reset.{RESET_TIME}", header(1) + messages(1, 2))
    moved = house.import_archive() / f"agent_main_main.{name_of(1)}.imported-1794802732071"
    moved.write_bytes(header(1) + messages(5, 8))
    house.catch_up()
    moved.rename(house.path(name_of(1)))
    house.catch_up()
    house.catch_up()
    rows = query(house.ledger_path, "SELECT id, state, lineage_id FROM transcripts ORDER BY id")
    assert rows == [(1, "archived", 1), (2, "gone", 1), (3, "live", 1)]


def test_a_rewrite_and_that_its_parent_is_looked_for_again_are_one_transaction(house: Household) -> None:
    """Else a death between would leave what the rewrite repeats of another transcript counted twice."""
    house.write(name_of(1), transcript(1, 3))
    house.write(f"{name_of(1)}.bak-31223-1794802934685", transcript(1, 2))
    house.catch_up()
    lineage = "SELECT lineage_id FROM transcripts WHERE kind = 'primary'"
    ((whole,),) = query(house.ledger_path, lineage)
    with open_for_writing(house.ledger_path) as ledger:
        writer = Writer(ledger, SystemClock())
        writer.supersede_from(writer.load(whole), 0)
        writer.close()  # gives up what follows
    assert query(house.ledger_path, lineage) == [(NOT_LINKED,)]
    house.catch_up()
    assert query(house.ledger_path, lineage) == [(whole,)]
