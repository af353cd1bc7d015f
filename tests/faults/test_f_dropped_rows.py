"""FAULTS.md F5, for rows of past lines whose bytes retention dropped: nothing makes those again but a copy of them.

A digest of what is left of them is kept with the event of the drop. A value that changes by itself is found by it, and
undone by it or by a backup; whatever else may happen to a ledger after a drop changes nothing that it is made of.
"""
# ruff: noqa: N802  the fault's id stands in the test's name

import random
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from syncd.jobs.policies import Policies
from syncd.ledger.codec import IS_GONE
from syncd.ledger.database import open_for_writing
from syncd.ledger.past_seals import DROPPED, SEALED
from syncd.mirror.catchup import Progress
from syncd.mirror.rebuild import rebuild_all
from tests.command import called
from tests.derived_rows import derived_rows
from tests.faults.test_f_any_column import flipped, is_found, laid_out
from tests.faults.test_f_recovery import put_right
from tests.jobs.old_sessions import DAY, call, retained, settle, tool_result
from tests.ledger.everything import of_every_type
from tests.ledger.test_row_checksums import rotten
from tests.mirror.household import Household, header, household, message, name_of, session_id, transcript
from tests.mirror_checks import query

NAME = name_of(34)
OF_DROPPED = f"""{{}} IN (SELECT line.id FROM {{}} AS line JOIN _blocks ON _blocks.transcript_id = line.transcript_id
    AND _blocks.superseded_in = line.superseded_in WHERE {IS_GONE})"""
EVERY_DROP = f"SELECT transcript_id, detail_json ->> 'generation' FROM sync_events WHERE kind = '{DROPPED}' ORDER BY id"
LEFT_OUT = {
    "id": "a row's number: a row that has another is no row of its line any more",
    "message_id": "the same of a tool call",
    "turn_id": "lines of the past leave their turns when the tree is folded again",
    **dict.fromkeys(
        ("result_message_id", "tool_calls.is_error", "status", "finished_at"), "its result may be of the past one day",
    ),
    **dict.fromkeys(
        ("text", "thinking", "error_message", "summary", "details_json", "data_json", "session_infos.name", "label",
         "raw", "arguments_json"), "what was said, which was dropped",
    ),
}  # fmt: skip
ELSEWHERE = {"id", "message_id", "transcript_id", "superseded_in", "byte_offset", "generation", "cost_total"}
"""What a byte of the digest cannot tell: a row that is not where it was, and a fraction. A backup can."""


def dropped(place: Path) -> Household:
    """Two generations of a transcript with a line of every type, of which the older is dropped, and the next too."""
    house = household(place)
    house.write(NAME, of_every_type(34))
    house.write(name_of(35), transcript(35, 5))
    settle(house)
    house.write(NAME, header(34) + message(1, "other words") + call(2) + tool_result(3, "done"))
    settle(house)
    retained(house, Policies(superseded=DAY), days=2)
    query(house.ledger_path, "PRAGMA wal_checkpoint(TRUNCATE)")
    assert query(house.ledger_path, EVERY_DROP) == [(1, 2)]
    return house


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Household:
    return dropped(tmp_path_factory.mktemp("whole"))


def values_of_dropped(house: Household) -> list[tuple[str, str]]:
    return [
        (table, str(row[1]))
        for table in SEALED
        for row in query(house.ledger_path, f"PRAGMA table_info({table})")
        if (table, row[1]) not in {("quarantine", "id"), ("tool_calls", "id")}  # nothing refers to them
    ]


def flip_of_dropped(house: Household, table: str, column: str) -> tuple[object, ...] | None:
    key, lines = "message_id" if table == "tool_calls" else "id", "quarantine" if table == "quarantine" else "entries"
    rng = random.Random(f"{table} {column}")
    return flipped(house.ledger_path, table, column, rng, OF_DROPPED.format(key, lines))


def is_sound(house: Household) -> bool:
    return called(("ledger", "check"), house.environ).exit_code == 0


def test_F5_every_column_is_in_the_digest_or_has_a_reason_not_to_be(whole: Household) -> None:
    for table, column in values_of_dropped(whole):
        has_reason = f"{table}.{column}" in LEFT_OUT or column in LEFT_OUT
        assert (column in SEALED[table]) != has_reason, (table, column)


@pytest.mark.parametrize("share", range(6))
def test_F5_a_value_that_changes_in_a_row_of_a_dropped_line_is_found_and_put_right(
    whole: Household, tmp_path: Path, share: int
) -> None:
    """Without a backup, as far as a digest can tell; with one in any case."""
    expected, seen = derived_rows(whole.ledger_path), 0
    for table, column in values_of_dropped(whole)[share::6]:
        house = laid_out(whole, tmp_path / "mirror")
        needs_backup = column in ELSEWHERE
        if needs_backup and not (house.ledger_path.parent / "backups").exists():
            assert called(("ledger", "backup"), house.environ).exit_code == 0
        elif not needs_backup:
            shutil.rmtree(house.ledger_path.parent / "backups", ignore_errors=True)
        what = flip_of_dropped(house, table, column)
        if what is None:
            continue
        seen += 1
        assert is_found(house), (table, column, what)
        done = called(("repair", "--json"), house.environ)
        assert done.exit_code == 0, (table, column, what, done)
        assert derived_rows(house.ledger_path) == expected, (table, column, what)
    assert seen


@pytest.mark.parametrize("column", sorted(ELSEWHERE))
def test_F5_a_row_that_is_not_where_it_was_is_told_once_where_there_is_no_backup(
    whole: Household, tmp_path: Path, column: str
) -> None:
    for table, each in values_of_dropped(whole):
        if table not in ("entries", "quarantine", "messages", "tool_calls") or each != column:
            continue
        house = laid_out(whole, tmp_path / "mirror")
        if (what := flip_of_dropped(house, table, column)) is not None:
            called(("repair",), house.environ)
            again = called(("repair", "--json"), house.environ)
            assert again.exit_code == 0, (table, what, again.json)
            checked = called(("ledger", "check", "--json"), house.environ)
            assert checked.exit_code == 0, (table, what, checked.json["findings"])


MANY_BYTES = "UPDATE messages SET total_tokens = 7000, input_tokens = 4000 WHERE total_tokens = 17"
"""So many that the digest cannot tell what they were."""


@pytest.mark.parametrize("table", ["entries", "quarantine"])
@pytest.mark.parametrize("change", ["byte_offset = 1 << 40", "generation = 9"])
def test_F5_a_line_that_cannot_have_been_there_is_not_told_for_ever(
    whole: Household, tmp_path: Path, table: str, change: str
) -> None:
    """Where nothing tells what it was: each check would find it, and no repair would help."""
    house = laid_out(whole, tmp_path / "mirror")
    shutil.rmtree(house.ledger_path.parent / "backups", ignore_errors=True)
    also = "flags = 'other words'" if table == "entries" else "reason = 'other words'"
    one = f"SELECT max(id) FROM {table} WHERE transcript_id = 1 AND superseded_in = 2"
    with closing(apsw.Connection(str(house.ledger_path))) as connection:
        assert connection.execute(f"UPDATE {table} SET {change}, {also} WHERE id = ({one}) RETURNING id").get
    assert not is_sound(house)
    called(("repair",), house.environ)
    assert is_sound(house)


def test_F5_what_nothing_proves_is_told_once_and_named(whole: Household, tmp_path: Path) -> None:
    house = laid_out(whole, tmp_path / "mirror")
    rotten(house.ledger_path, MANY_BYTES)
    (finding,) = called(("ledger", "check", "--json"), house.environ).json["findings"]
    assert (finding["kind"], finding["transcript_id"]) == ("past_rows", 1)
    assert "generation 2" in finding["message"]
    done = called(("repair", "--json"), house.environ)
    assert (done.exit_code, done.json["found"]["past_rows"], done.json["rows_in_doubt"]) == (1, 1, 1)
    assert "rows of dropped lines of transcript 1, superseded in generation 2" in done.json["reason"]
    assert is_sound(house)
    again = called(("repair", "--json"), house.environ)
    assert (again.exit_code, again.json["found"]) == (0, {})


@pytest.mark.parametrize("is_older", [True, False])
def test_F5_a_backup_gives_the_rows_back_and_none_of_what_was_dropped(tmp_path: Path, *, is_older: bool) -> None:
    """`is_older`: of before the drop."""
    house = household(tmp_path)
    house.write(NAME, of_every_type(34))
    settle(house)
    house.write(NAME, transcript(34, 1))
    settle(house)
    if is_older:
        assert called(("ledger", "backup"), house.environ).exit_code == 0
    retained(house, Policies(superseded=DAY), days=2)
    if not is_older:
        assert called(("ledger", "backup"), house.environ).exit_code == 0
    expected = derived_rows(house.ledger_path)
    rotten(house.ledger_path, MANY_BYTES, "DELETE FROM compactions")
    done = called(("repair", "--json"), house.environ)
    assert (done.exit_code, done.json["rows_mended"]) == (0, 1)
    assert derived_rows(house.ledger_path) == expected
    assert is_sound(house)


def test_F5_a_backup_gives_rows_back_whose_numbers_others_have_by_now(tmp_path: Path) -> None:
    """They were the last ones, and all of them are lost: what came next was given their numbers."""
    house = household(tmp_path)
    house.write(NAME, transcript(34, 4))
    settle(house)
    house.write(NAME, header(34))
    settle(house)
    retained(house, Policies(superseded=DAY), days=2)
    assert called(("ledger", "backup"), house.environ).exit_code == 0
    past = "SELECT entry_id, role, total_tokens FROM entries JOIN messages USING (id) WHERE superseded_in > 1"
    expected = sorted(query(house.ledger_path, past))
    of_past = "IN (SELECT id FROM entries WHERE superseded_in = 2)"
    rotten(house.ledger_path, f"DELETE FROM messages WHERE id {of_past}", "DELETE FROM entries WHERE superseded_in = 2")
    house.append(NAME, message(5, "another line"))
    settle(house)
    done = called(("repair", "--json"), house.environ)
    assert (done.exit_code, done.json.get("rows_mended")) == (0, 1), done
    assert sorted(query(house.ledger_path, past)) == expected
    assert is_sound(house)


def test_F5_a_copy_with_changed_rows_of_dropped_lines_can_be_restored(whole: Household, tmp_path: Path) -> None:
    house = laid_out(whole, tmp_path / "mirror")
    rotten(house.ledger_path, MANY_BYTES)
    assert called(("ledger", "backup"), house.environ).exit_code == 0
    done = called(("ledger", "restore", "--json"), house.environ)
    assert (done.exit_code, done.json["in_doubt"]) == (0, 1)
    assert is_sound(house)


def test_F5_what_was_dropped_before_there_were_digests_gets_one(whole: Household, tmp_path: Path) -> None:
    house = laid_out(whole, tmp_path / "mirror")
    with open_for_writing(house.ledger_path) as ledger:
        ledger.run(f"DELETE FROM sync_events WHERE kind = '{DROPPED}'")
    assert is_sound(house)
    assert called(("repair",), house.environ).exit_code == 0
    assert query(house.ledger_path, EVERY_DROP) == [(1, 2)]
    flip_of_dropped(house, "messages", "total_tokens")
    assert is_found(house)


def test_F5_a_recovery_takes_the_rows_out_of_the_damaged_ledger(whole: Household, tmp_path: Path) -> None:
    house = laid_out(whole, tmp_path / "mirror")
    expected = derived_rows(whole.ledger_path)["messages"]
    put_right(house)
    house.catch_up()
    assert is_sound(house)
    assert derived_rows(house.ledger_path)["messages"] == expected


def test_F5_rows_that_a_recovery_does_not_find_are_lost_and_told_once(whole: Household, tmp_path: Path) -> None:
    house = laid_out(whole, tmp_path / "mirror")
    rotten(house.ledger_path, "DELETE FROM messages")
    put_right(house)
    house.catch_up()
    done = called(("repair", "--json"), house.environ)
    assert (done.exit_code, done.json["found"]["past_rows"], done.json["rows_in_doubt"]) == (1, 1, 1)
    assert is_sound(house)
    assert called(("repair", "--json"), house.environ).exit_code == 0


# What may follow a drop


def rewrite(house: Household, number: int) -> None:
    house.write(NAME, header(34) + message(1, f"words {number}") + call(2) + tool_result(3, "x" * number))
    settle(house, days=3 * number)


def branch(house: Household, number: int) -> None:
    house.append(NAME, message(2, f"another way {number}").replace(b'"id":"00000002"', b'"id":"%08x"' % (80 + number)))
    settle(house, days=3 * number)


def drop(house: Household, number: int) -> None:
    retained(house, Policies(superseded=DAY, tool_results=DAY), days=3 * number + 2)


def rebuild(house: Household, _: int) -> None:
    with open_for_writing(house.ledger_path) as ledger:
        rebuild_all(ledger, 1 << 24, Progress())


def purge(house: Household, _: int) -> None:
    called(("purge", session_id(35), "--yes"), house.environ)


def restore(house: Household, _: int) -> None:
    assert called(("ledger", "backup"), house.environ).exit_code == 0
    assert called(("ledger", "restore"), house.environ).exit_code == 0


def recover(house: Household, _: int) -> None:
    put_right(house)
    house.catch_up()


def repair(house: Household, _: int) -> None:
    assert called(("repair",), house.environ).exit_code == 0


STEPS: tuple[Callable[[Household, int], None], ...] = (rewrite, branch, drop, rebuild, purge, restore, recover, repair)


@pytest.mark.parametrize("seed", range(8))
def test_F5_whatever_follows_a_drop_changes_nothing_that_the_digest_is_made_of(tmp_path: Path, seed: int) -> None:
    house, rng = dropped(tmp_path), random.Random(seed)
    done: list[str] = []
    for number, step in enumerate([*rng.choices(STEPS, k=6), rewrite, drop, rng.choice(STEPS)], start=1):
        step(house, number)
        done.append(step.__name__)
        checked = called(("ledger", "check", "--json"), house.environ)
        assert checked.exit_code == 0, (done, checked.json["findings"])
    assert len(query(house.ledger_path, EVERY_DROP)) > 1
