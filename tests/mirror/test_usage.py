"""Each answer counts once: however it is repeated, rewritten or dropped, and after every append."""

from pathlib import Path

import pytest

from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import Progress
from syncd.mirror.rebuild import rebuild_all
from tests.mirror.household import RESET_TIME, Household, header, message, name_of, session_id
from tests.mirror_checks import query
from tests.mirror_fixtures import ALL_RELEASES, MIGRATED, genuine
from tests.usage_corpus import (
    STARTED_AT,
    answer,
    answers,
    assert_recounted,
    fork_header,
    fork_name,
    outputs,
    result,
    used,
)
from tests.usage_recount import Recount

NAME = name_of(1)
CHECKPOINT = f"{session_id(1)}.checkpoint.11546cb9-b0a8-4517-95a1-4efe05f46fd5.jsonl"
BACKUP = f"{NAME}.bak-31223-1794802934685"


def rebuild(house: Household) -> None:
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        rebuild_all(ledger, 16 * 1024 * 1024, Progress())


def repeats(house: Household) -> list[tuple[object, ...]]:
    """Places of repeats and of what counts for them: row ids do not last."""
    place = "(SELECT printf('%d:%d:%d', transcript_id, generation, byte_offset) FROM entries WHERE id = {})"
    columns = f"{place.format('message_id')} AS repeat, {place.format('counted_id')}"
    return query(house.ledger_path, f"SELECT {columns} FROM _repeats ORDER BY repeat")


@pytest.mark.parametrize("release", ALL_RELEASES)
def test_genuine_files_are_counted_as_their_lines_say(tmp_path: Path, release: str) -> None:
    house, recount = genuine(tmp_path, release), Recount()
    recount.look(house.state_dir)
    assert_recounted(house, recount)


def test_the_import_into_openclaw_s_own_store_changes_no_sum(tmp_path: Path) -> None:
    """It moves every file, forks and all, out of the sessions' directory."""
    before, after = genuine(tmp_path / "before", "2026.7.1"), genuine(tmp_path / "after", MIGRATED)
    assert used(after).total == pytest.approx(used(before).total)
    assert used(after).total["messages"] == 48


def test_a_household_of_repeats_is_counted_as_its_lines_say_before_and_after_a_rebuild(house: Household) -> None:
    first = header(1) + answers(1, 6)
    house.write(NAME, first)
    house.write(CHECKPOINT, first)
    house.write(fork_name(2), fork_header(2, 1) + answers(1, 4) + answers(21, 22))
    house.write(fork_name(3), fork_header(3, 2, 40) + answers(1, 3) + answer(21, entry_id="reborn") + answers(31, 33))
    house.write(f"{name_of(4)}.reset.{RESET_TIME}", header(4) + answers(1, 2))
    house.write(name_of(5), header(5, timestamp="2026-11-16T05:00:00.000Z") + answers(5, 6) + answer(51))
    again = answer(62, entry_id="again", at=STARTED_AT + 1061)
    house.write(name_of(6), header(6) + answer(61) + answer(61, output=99) + again)
    recount = Recount()
    recount.look(house.state_dir)
    house.catch_up()
    assert_recounted(house, recount)

    house.write(BACKUP, first)
    house.replace(NAME, header(1) + answers(1, 2) + answer(3, output=12) + answers(5, 5) + answer(7))
    house.append(fork_name(2), answer(23) + answer(5, entry_id="moved"))
    (house.sessions("ops") / NAME).write_bytes(first)
    recount.look(house.state_dir)
    house.catch_up()
    assert_recounted(house, recount)

    house.rename(NAME, f"{NAME}.deleted.{RESET_TIME}")
    house.write(name_of(6), header(6))
    recount.look(house.state_dir)
    house.catch_up()
    assert_recounted(house, recount)
    before = repeats(house)
    assert len(before) > 20
    rebuild(house)
    assert repeats(house) == before
    assert_recounted(house, recount)


def test_numbers_are_right_after_each_append_to_a_fork_and_to_its_parent(house: Household) -> None:
    recount = Recount()
    house.write(NAME, header(1) + answers(1, 3))
    house.write(fork_name(2), fork_header(2, 1) + answers(1, 3))
    for number in range(4, 9):
        house.append(NAME, answer(number))
        house.append(fork_name(2), answer(number) if number % 2 else answer(100 + number))
        recount.look(house.state_dir)
        house.catch_up()
        assert_recounted(house, recount)


def test_a_fork_whose_parent_comes_later_is_counted_with_it_then(house: Household) -> None:
    house.write(fork_name(2), fork_header(2, 1) + answers(1, 3))
    house.catch_up()
    assert outputs(house) == (3, 30)
    house.write(NAME, header(1) + answers(1, 4))
    house.catch_up()
    assert outputs(house) == (4, 40)


def test_the_same_ids_in_sessions_of_their_own_are_messages_of_their_own(house: Household) -> None:
    house.write(NAME, header(1) + answers(1, 3))
    house.write(name_of(2), header(2) + answers(1, 3))
    house.catch_up()
    assert outputs(house) == (6, 60)


def test_one_original_may_be_known_by_its_id_here_and_by_its_facts_there(house: Household) -> None:
    """A and C have nothing in common but B."""
    house.write(NAME, header(1) + answer(1, entry_id="a", output=5))
    house.write(fork_name(2), fork_header(2, 1) + answer(1, entry_id="a", output=6))
    house.write(fork_name(3), fork_header(3, 1, 40) + answer(1, entry_id="c", output=6))
    house.catch_up()
    assert outputs(house) == (1, 6)


def test_a_bridge_that_comes_last_makes_one_of_two(house: Household) -> None:
    house.write(NAME, header(1) + answer(1, entry_id="a", output=5) + answer(2, entry_id="c", output=6))
    house.catch_up()
    assert outputs(house) == (2, 11)
    house.append(NAME, answer(2, entry_id="a", output=6))
    house.catch_up()
    assert outputs(house) == (1, 6)


def test_what_a_rewrite_dropped_was_spent_and_is_left_out_of_live(house: Household) -> None:
    house.write(NAME, header(1) + answers(1, 4))
    house.catch_up()
    house.write(NAME, header(1) + answers(1, 2))
    house.catch_up()
    assert outputs(house) == (4, 40)
    assert outputs(house, live=True) == (2, 20)
    house.write(BACKUP, header(1) + answers(1, 3))
    house.catch_up()
    assert outputs(house, live=True) == (3, 30)


def test_a_rewritten_answer_counts_in_its_newest_version(house: Household) -> None:
    house.write(NAME, header(1) + answer(1, output=10))
    house.write(CHECKPOINT, header(1) + answer(1, output=10))
    house.catch_up()
    house.write(NAME, header(1) + answer(1, output=11, model="other"))
    house.catch_up()
    assert outputs(house) == outputs(house, live=True) == (1, 11)
    assert [row["model"] for row in used(house).rows] == ["other"]


def test_a_migration_that_appends_everything_again_under_new_ids_costs_nothing(house: Household) -> None:
    house.write(NAME, header(1) + answers(1, 3))
    house.catch_up()
    house.append(NAME, b"".join(answer(number, entry_id=f"new-{number}") for number in (1, 2, 3)) + answer(4))
    house.catch_up()
    assert outputs(house) == (4, 40)


def test_what_an_emptied_file_had_is_known_when_it_is_written_again(house: Household) -> None:
    house.write(NAME, header(1) + answers(1, 3))
    house.catch_up()
    house.write(NAME, b"")
    house.catch_up()
    house.write(NAME, header(1) + b"".join(answer(number, entry_id=f"new-{number}") for number in (1, 2, 3)))
    house.catch_up()
    assert outputs(house) == (3, 30)


@pytest.mark.parametrize("first_at", [STARTED_AT + 5, STARTED_AT - 5, None])
def test_an_answer_comes_again_after_one_that_seemed_to_repeat_another(house: Household, first_at: int | None) -> None:
    other = answer(1, at=first_at, output=1)
    seeming = answer(2, at=first_at, output=10)
    house.write(NAME, header(1) + other + seeming + answer(2, at=STARTED_AT + 9, output=100))
    house.catch_up()
    assert outputs(house) == (2, 101)


def test_tokens_beyond_all_reason_in_one_turn_stop_nothing(house: Household) -> None:
    steps = [
        answer(number, output=9 * 10**18, stopReason="toolUse").replace(b"null", b'"%08x"' % (number - 1), 1)
        for number in (3, 4, 5)
    ]
    house.write(NAME, header(1) + answer(2, output=9 * 10**18, stopReason="toolUse") + b"".join(steps))
    lone = b'"x\\ud800"'
    below = answer(7, output=-(10**20)).replace(b'"model"', b'"odd":' + lone + b',"model"', 1)
    house.append(NAME, below)
    house.catch_up()
    assert query(house.ledger_path, "SELECT max(output_tokens) FROM turns") == [(2**63 - 1,)]
    assert query(house.ledger_path, "SELECT count(*) FROM messages WHERE role = 'assistant'") == [(5,)]


def test_delivery_mirrors_and_answers_without_usage_are_no_usage(house: Household) -> None:
    mirror = answer(2, provider="openclaw", model="delivery-mirror")
    house.write(NAME, header(1) + answer(1) + mirror + answer(3, usage=None) + message(4, role="assistant"))
    house.catch_up()
    assert outputs(house) == (1, 10)


def test_a_whole_answer_in_a_broken_line_counts_and_once_with_its_later_self(house: Household) -> None:
    house.write(NAME, header(1) + b'{"type":"message","id":"cut' + answer(1) + answer(2)[:-1] + answer(3))
    house.catch_up()
    assert outputs(house) == (3, 30)
    house.append(NAME, answer(2))
    house.catch_up()
    assert outputs(house) == (3, 30)


def test_a_replay_into_a_new_session_counts_where_it_was_first_said(house: Household) -> None:
    house.write(NAME, header(1) + answers(1, 5))
    house.write(name_of(2), header(2, timestamp="2026-11-16T06:00:00.000Z") + answers(4, 5) + answer(6))
    house.catch_up()
    assert outputs(house) == (6, 60)
    rows = {row["session_id"]: row["messages"] for row in used(house, "session").rows}
    assert rows == {session_id(1): 5, session_id(2): 1}


def test_a_replay_that_is_seen_before_its_lines_are_is_found_all_the_same(house: Household) -> None:
    house.write(NAME, header(1) + answers(1, 5))
    house.write(name_of(2), header(2, timestamp="2026-11-16T06:00:00.000Z"))
    house.catch_up()
    house.append(name_of(2), answers(4, 5))
    house.catch_up()
    assert outputs(house) == (5, 50)


def test_what_a_fork_repeats_belongs_to_the_session_where_it_was_said(house: Household) -> None:
    house.write(fork_name(2), fork_header(2, 1) + answers(1, 3) + answer(4))
    house.write(NAME, header(1) + answers(1, 3))
    house.catch_up()
    house.write(fork_name(2), fork_header(2, 1) + message(90) + answers(1, 3) + answer(4))
    house.catch_up()
    rows = {row["session_id"]: row["messages"] for row in used(house, "session").rows}
    assert rows == {session_id(1): 3, session_id(2): 1}


def test_calls_count_once_with_their_errors_and_durations(house: Household) -> None:
    first = header(1) + answer(1, calls=("exec", "read")) + result(1, "exec", is_error=True) + result(1, "read")
    house.write(NAME, first + answer(2, calls=("exec",)))
    house.write(fork_name(2), fork_header(2, 1) + answer(1, calls=("exec", "read")))
    house.catch_up()
    rows = used(house, "tool").rows
    assert [(row["tool"], row["calls"], row["errors"], row["unanswered"], row["duration_ms"]) for row in rows] == [
        ("exec", 2, 1, 1, 40),
        ("read", 1, 0, 0, 40),
    ]
    assert query(house.ledger_path, "SELECT tool, calls, errors, duration_ms FROM tool_usage") == [
        ("exec", 2, 1, 40),
        ("read", 1, 0, 40),
    ]


def test_a_failed_call_that_a_rewrite_dropped_has_failed_all_the_same(house: Household) -> None:
    house.write(NAME, header(1) + answer(1) + answer(2, calls=("exec",)) + result(2, "exec", is_error=True))
    house.catch_up()
    house.write(NAME, header(1) + answer(1))
    house.catch_up()
    assert query(house.ledger_path, "SELECT tool, calls, errors, unanswered FROM tool_usage") == [("exec", 1, 1, 0)]
    assert used(house, "tool", live=True).rows == []
    rebuild(house)
    assert query(house.ledger_path, "SELECT tool, calls, errors, unanswered FROM tool_usage") == [("exec", 1, 1, 0)]


def test_tokens_beyond_all_reason_do_not_break_the_sums(house: Household) -> None:
    usage = {"input": 2**63 - 1, "output": 1, "totalTokens": 2**63 - 1}
    house.write(NAME, header(1) + answer(1, usage=usage) + answer(2, usage=usage))
    house.catch_up()
    assert outputs(house) == (2, 2)
    assert query(house.ledger_path, "SELECT messages FROM daily_usage") == [(2,)]


def test_a_fork_that_is_first_seen_without_its_header_is_linked_when_that_comes(house: Household) -> None:
    house.write(NAME, header(1) + answers(1, 3))
    house.write(name_of(2), b"")
    house.write(f"{session_id(2)}.checkpoint.11546cb9-b0a8-4517-95a1-4efe05f46fd5.jsonl", header(2) + answer(7))
    house.catch_up()
    house.append(name_of(2), fork_header(2, 1) + answers(1, 3) + answer(7, entry_id="other"))
    house.catch_up()
    assert outputs(house) == (4, 40)
    assert query(house.ledger_path, "SELECT count(DISTINCT lineage_id) FROM transcripts") == [(1,)]
