"""The schema is text in the file: a letter that changes there is found and put back, and costs nothing that is kept."""

import random
import shutil
from pathlib import Path

import apsw
import pytest

from syncd.ledger.database import open_for_writing
from syncd.ledger.schema_text import flipped_rows, mend_schema
from tests.command import called
from tests.derived_rows import derived_rows
from tests.ledger.damaging import all_generations, flip, laid_out, pages_of, rich_household, scramble, values_of_cells
from tests.ledger.testimony import testify
from tests.mirror.household import Household, household, name_of, session_id, transcript
from tests.mirror_checks import exported, query, transcripts

TRIED = 6


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Household:
    """Without a backup: what OpenClaw has deleted, or rewritten, is in the ledger alone."""
    house = household(tmp_path_factory.mktemp("whole"))
    rich_household(house, longest=5)
    query(house.ledger_path, "PRAGMA wal_checkpoint(TRUNCATE)")
    return house


def hidden_column(path: Path) -> int:
    """Where a newline ends a comment: without it, the column that follows is one, and SQLite calls the file sound."""
    comment = b"-- stop, length, toolUse, error, aborted"
    content = path.read_bytes()
    cells = values_of_cells(path, "sqlite_schema")
    (cell,) = [each for each in cells if comment in content[each.start : each.stop]]
    return content.index(comment, cell.start) + len(comment)


def test_a_byte_that_changes_anywhere_in_it_is_found_and_nothing_is_lost(whole: Household, tmp_path: Path) -> None:
    rng = random.Random(5)
    cells = values_of_cells(whole.ledger_path, "sqlite_schema")
    assert len(cells) > 30
    expected, rows = all_generations(whole.ledger_path), derived_rows(whole.ledger_path)
    places = [rng.choice(cell) for cell in rng.sample(cells, TRIED)]
    for place, mask in [(hidden_column(whole.ledger_path), 0x10), *((each, rng.randrange(1, 256)) for each in places)]:
        house = laid_out(whole, tmp_path / "mirror")
        flip(house.ledger_path, place, mask)
        assert called(("ledger", "check"), house.environ).exit_code == 1, place
        done = called(("repair", "--json"), house.environ)
        assert done.exit_code == 0, (place, done)
        assert done.json["recovered"]["moved_aside"] is None or not done.json["recovered"]["schema_mended"], place
        for verb in (("ledger", "check"), ("verify",)):
            assert called(verb, house.environ).exit_code == 0, (place, verb)
        assert all_generations(house.ledger_path) == expected, place
        assert derived_rows(house.ledger_path) == rows, place


def test_it_is_put_back_where_it_is_and_told(whole: Household, tmp_path: Path) -> None:
    house = laid_out(whole, tmp_path / "mirror")
    flip(house.ledger_path, hidden_column(house.ledger_path), 0x10)
    done = called(("repair",), house.environ)
    assert done.stdout.splitlines()[-1] == "bytes of the ledger's schema had changed, and are as they were written"
    told = "SELECT detail_json ->> 'names' FROM sync_events WHERE detail_json ->> 'action' = 'schema'"
    assert query(house.ledger_path, told) == [('["messages"]',)]
    assert not list(house.ledger_path.parent.glob("*.corrupt-*"))


def test_what_others_added_or_took_away_is_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with open_for_writing(path) as ledger:
        for statement in ("CREATE INDEX mine ON entries(at)", "DROP VIEW condensed", "CREATE VIEW own AS SELECT 1"):
            ledger.run(statement)
        ledger.run("PRAGMA writable_schema = ON")
        longer = "UPDATE sqlite_schema SET sql = replace(sql, 'likewise', 'the same') WHERE name = 'sessions'"
        ledger.run(longer.replace("the same", "just the same"))
        assert flipped_rows(ledger.connection) == []
    assert mend_schema(path) == []


def test_a_copy_with_a_changed_schema_is_not_taken_for_sound(whole: Household, tmp_path: Path) -> None:
    house = laid_out(whole, tmp_path / "mirror")
    copy = tmp_path / "copy.db"
    shutil.copyfile(house.ledger_path, copy)
    flip(copy, hidden_column(copy), 0x10)
    before = house.ledger_path.read_bytes()
    assert called(("ledger", "restore", copy), house.environ).exit_code == 1
    assert house.ledger_path.read_bytes() == before
    assert not apsw.connections()


def test_of_a_schema_that_cannot_be_read_at_all_what_checksums_prove_is_saved(whole: Household, tmp_path: Path) -> None:
    expected = all_generations(whole.ledger_path)
    pages = [page for page, what in pages_of(whole.ledger_path).items() if what == "sqlite_schema leaf" and page > 1]
    told = "SELECT at, kind FROM sync_events WHERE kind NOT IN ('repair', 'recovery') ORDER BY id"
    installation = "SELECT id, state_dir, host, first_seen_at FROM installations"
    for page in pages:
        house = laid_out(whole, tmp_path / "mirror")
        scramble(house.ledger_path, page)
        done = called(("repair", "--json"), house.environ)
        assert (done.exit_code, done.json["recovered"]["restored_from"]) == (0, None), (page, done)
        assert all_generations(house.ledger_path) == expected, page
        for verb in (("ledger", "check"), ("verify",)):
            assert called(verb, house.environ).exit_code == 0, (page, verb)
        for query_ in (told, installation):
            assert query(house.ledger_path, query_) == query(whole.ledger_path, query_), page


def test_without_any_schema_it_is_still_known_how_long_was_what_retention_dropped(house: Household) -> None:
    """In a table without row ids, which is kept as an index is."""
    testify(house)
    expected = derived_rows(house.ledger_path)
    facts = "SELECT transcript_id, byte_offset, text_bytes, says_error FROM _cut_results ORDER BY 1, 2"
    dropped = query(house.ledger_path, facts)
    assert len(dropped) > 1
    query(house.ledger_path, "PRAGMA wal_checkpoint(TRUNCATE)")
    with house.ledger_path.open("r+b") as file:
        file.write(bytes(4096))
    assert called(("repair", "--json"), house.environ).json["recovered"]["restored_from"] is None
    assert query(house.ledger_path, facts) == dropped
    assert derived_rows(house.ledger_path) == expected


def test_without_any_schema_the_key_of_purges_is_taken_for_no_line(house: Household) -> None:
    """Both have a number, some bytes and a checksum: nothing but their length tells them apart."""
    for number in (1, 2):
        house.write(name_of(number), transcript(number, 4))
    house.append(name_of(1), b'{"type":"message","unfinished')
    house.catch_up()
    assert called(("purge", session_id(2), "--yes"), house.environ).exit_code == 0
    facts = "SELECT transcript_id, data FROM _tails"
    tails, keys = query(house.ledger_path, facts), query(house.ledger_path, "SELECT key FROM _hash_key")
    assert (len(tails), len(keys)) == (1, 1)
    query(house.ledger_path, "PRAGMA wal_checkpoint(TRUNCATE)")
    house.path(name_of(1)).unlink()
    with house.ledger_path.open("r+b") as file:
        file.seek(100)
        file.write(random.Random(1).randbytes(16384 - 100))
    assert called(("repair", "--json"), house.environ).json["recovered"]["restored_from"] is None
    assert query(house.ledger_path, "SELECT key FROM _hash_key") == keys
    (row,) = transcripts(house.ledger_path)
    assert exported(house.ledger_path, row.id, 1) == transcript(1, 4) + b'{"type":"message","unfinished'
