"""What changed by itself in the ledger's rows: found by its checksum or by its bytes, and as it was again."""

import json

import pytest

from syncd.mirror import repair_plan
from tests.jobs.test_repair import broken, found, house, repaired
from tests.mirror.household import Household, message, name_of, transcript
from tests.mirror_checks import assert_mirrors, only_transcript, query

__all__ = ["house"]

ROT = "UPDATE {} SET {} WHERE id = 1"


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("installations", "first_seen_at = first_seen_at + 1 - (first_seen_at & 1) * 2"),
        ("sync_events", "detail_json = replace(detail_json, 'sup', 'sUp')"),
        ("transcripts", "path = replace(path, '.jsonl', '.jsonL')"),
    ],
)
@pytest.mark.parametrize("is_thorough", [False, True])
def test_a_value_that_changed_by_itself_is_as_it_was(
    house: Household, table: str, change: str, is_thorough: bool
) -> None:
    """By the scheduled repair too."""
    house.write(name_of(1), transcript(1, 5) + message(6, "other"))
    house.catch_up()
    before = query(house.ledger_path, f"SELECT * FROM {table} WHERE id = 1")
    broken(house, ROT.format(table, change), seals=False)
    assert query(house.ledger_path, f"SELECT * FROM {table} WHERE id = 1") != before
    assert found(house, is_thorough=is_thorough)["checksums"] == 1
    done = repaired(house, is_thorough=is_thorough)
    assert (done["ok"], done["rows_mended"], done["rows_in_doubt"]) == (True, 1, 0)
    assert query(house.ledger_path, f"SELECT * FROM {table} WHERE id = 1") == before
    assert found(house) == {}
    assert_mirrors(house)


def test_a_summary_that_rotted_ends_no_repair(house: Household) -> None:
    """Of a run before the last one, too, from which the time of the last look at the indexes is known."""
    add = "INSERT INTO job_runs (job, started_at, finished_at, ok, summary_json) VALUES ('repair', 1, 2, 1, '{}')"
    broken(house, add.format('{"index_seconds": 1.5}'), add.format("{}"))
    broken(house, "UPDATE job_runs SET summary_json = replace(summary_json, ':', ';')", seals=False)
    assert repaired(house, is_thorough=False)["rows_mended"] == 1
    assert query(house.ledger_path, "SELECT summary_json FROM job_runs WHERE id = 1") == [('{"index_seconds": 1.5}',)]


def test_a_value_that_nothing_tells_any_more_is_told_once(house: Household) -> None:
    broken(house, ROT.format("installations", "first_seen_at = 1, titles_by_label = 77"), seals=False)
    done = repaired(house)
    assert (done["ok"], done["rows_in_doubt"]) == (False, 1)
    assert done["reason"].endswith("installations row 1")
    assert repaired(house)["ok"]
    assert found(house) == {}
    told = "SELECT detail_json ->> '$.by' FROM sync_events WHERE detail_json ->> '$.table' = 'installations'"
    assert query(house.ledger_path, told) == [("kept",)]


def test_a_state_dir_or_host_with_another_letter_makes_no_other_installation(house: Household) -> None:
    before = query(house.ledger_path, "SELECT * FROM installations")
    for change in ("state_dir = state_dir || 'x'", "host = 'not this one'"):
        broken(house, ROT.format("installations", change), seals=False)
        assert repaired(house)["lines"] == 0
        assert query(house.ledger_path, "SELECT * FROM installations") == before
        assert found(house) == {}


def test_the_look_at_checksums_goes_on_where_the_last_run_was(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(house, ROT.format("transcripts", "first_seen_at = 7"), seals=False)
    monkeypatch.setattr(repair_plan, "CHECKSUM_SECONDS", 0.0)
    for _ in range(20):
        done = repaired(house, is_thorough=False)
        broken(house, "INSERT INTO job_runs (job, started_at, finished_at, summary_json)"
                      f" VALUES ('repair', 1, 2, '{json.dumps({'checksums_to': done['checksums_to']})}')")  # fmt: skip
        if "checksums" in done["found"]:
            break
    assert "checksums" in done["found"]


def test_a_tip_of_the_conversation_that_changed_by_itself_is_derived_again(house: Household) -> None:
    before = only_transcript(house.ledger_path)
    broken(house, "UPDATE transcripts SET leaf_entry_id = '0000000X', append_entry_id = 'X'", seals=False)
    assert found(house) == {"wrong_rows": 1}
    assert repaired(house)["ok"]
    assert only_transcript(house.ledger_path) == before
