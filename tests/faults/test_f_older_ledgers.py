"""A ledger that is damaged when it is to be brought forward, and has no backup: `repair` saves what is left in it."""

import json
from hashlib import sha256

import pytest

from syncd.ledger.migrate import current_version
from tests.conftest import Cli
from tests.mirror.household import Household, session_id
from tests.mirror_checks import query
from tests.upgrades.life import GONE, PURGED, REMOVED
from tests.upgrades.record import KEPT, older_ledger

VERSIONS = (1, 3, current_version())  # what is saved is found by the same means in all
PAGE_BYTES = 16384


def wrong_letter(house: Household) -> None:
    """In the schema, by which SQLite refuses to read any table."""
    content = house.ledger_path.read_bytes()
    assert content.count(b"CREATE TABLE _indexes") == 1
    house.ledger_path.write_bytes(content.replace(b"CREATE TABLE _indexes", b"CREATE TABLE Xindexes"))


def torn_page(house: Household, table: str) -> None:
    ((root,),) = query(house.ledger_path, "SELECT rootpage FROM sqlite_master WHERE name = ?", table)
    with house.ledger_path.open("r+b") as file:
        file.seek((root - 1) * PAGE_BYTES)
        file.write(b"\xa5" * PAGE_BYTES)


def put_right(house: Household, cli: Cli) -> None:
    """By what the refusal says, and nothing else."""
    refused = cli("run", "--once", "--json", env=house.environ)
    assert refused.exit_code == 1
    assert "`syncd repair` puts it right" in refused.json["error"]["hint"]
    for verb in ("repair", "verify", "ledger check"):
        done = cli(*verb.split(), "--json", env=house.environ)
        assert (done.exit_code, done.json["ok"]) == (0, True), done.json


def assert_all_is_kept(version: int, house: Household, cli: Cli) -> None:
    for each in json.loads((KEPT / f"schema-{version}.json").read_text())["exports"]:
        number, generation = str(each["transcript"]), str(each["generation"])
        done = cli("export", "--transcript", number, "--generation", generation, env=house.environ)
        assert sha256(done.stdout_bytes[: each["bytes"]]).hexdigest() == each["sha256"], each


@pytest.mark.parametrize("version", VERSIONS)
def test_a_wrong_letter_in_the_schema_hides_nothing(version: int, house: Household, cli_in_process: Cli) -> None:
    older_ledger(version, house)
    removed = query(house.ledger_path, "SELECT session_key, removed_at FROM sessions WHERE status = 'removed'")
    versions = query(house.ledger_path, "SELECT id, seen_at, changed_json FROM session_versions")
    wrong_letter(house)
    put_right(house, cli_in_process)
    assert_all_is_kept(version, house, cli_in_process)
    after = query(house.ledger_path, "SELECT session_key, removed_at FROM sessions WHERE status = 'removed'")
    assert set(removed) <= set(after)
    assert set(versions) <= set(query(house.ledger_path, "SELECT id, seen_at, changed_json FROM session_versions"))
    purged = query(house.ledger_path, "SELECT id FROM transcripts WHERE session_id = ?", session_id(PURGED))
    assert bool(purged) == (not query(house.ledger_path, "SELECT id FROM tombstones"))


@pytest.mark.parametrize("version", VERSIONS)
def test_transcripts_outlive_the_row_of_their_installation(version: int, house: Household, cli_in_process: Cli) -> None:
    older_ledger(version, house)
    torn_page(house, "installations")
    put_right(house, cli_in_process)
    assert_all_is_kept(version, house, cli_in_process)
    assert query(house.ledger_path, "SELECT state_dir FROM installations") == [(str(house.state_dir),)]
    for number in (GONE, REMOVED):
        state = "SELECT state FROM transcripts WHERE session_id = ? AND kind = 'primary'"
        assert query(house.ledger_path, state, session_id(number)) == [("gone",)]
