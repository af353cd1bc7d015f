"""A ledger of every schema, as a program of that time wrote it, is brought forward and lacks nothing."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from syncd.ledger.migrate import current_version
from tests.conftest import Cli
from tests.derived_rows import derived_rows, kept_rows, searched
from tests.mirror.household import Household, name_of, session_id
from tests.mirror_checks import query
from tests.upgrades.dump import dumped, restored
from tests.upgrades.life import PURGED, STORE_AGENT, TORN
from tests.upgrades.record import KEPT, SETTINGS, older_ledger

VERSIONS = range(1, current_version() + 1)
FIRST_WITH_RETENTION = 5
FIRST_WITH_STORES = 5
"""Before that, what OpenClaw has in its own database is new to the ledger."""
RECORDS = ("tombstones", "pins", "_kept_out", "_hash_key", "_cut_results", "job_runs", "cron_runs", "session_versions",
           "session_ids", "sync_events", "_tails")  # fmt: skip
"""What was seen or done once, and is not to be had again."""
_PLACES = """SELECT transcript_id, byte_offset, byte_length, generation, superseded_in, entry_id, type FROM entries
    UNION ALL SELECT transcript_id, byte_offset, byte_length, generation, superseded_in, NULL, reason FROM quarantine
    ORDER BY 1, 2, 4"""
_SESSIONS = """SELECT id, agent_id, session_key, session_id, label, status, removed_at, created_at, updated_at,
    entry_json FROM sessions ORDER BY id"""

NUMBERS_AND_TIMES = {
    "transcripts": ("id", "lineage_id", "parent_transcript_id", "session", "tip_turn_id", "open_bytes", "first_seen_at",
                    "changed_at", "projection", "checksum"),
    "sessions": ("id", "parent_session", "created_at", "removed_at", "checksum"),
    "session_ids": ("id", "session", "first_seen_at", "last_seen_at", "checksum"),
}  # fmt: skip
"""What depends on when it was looked at, in which order, and which program made the rows."""

Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture
def environ(house: Household) -> dict[str, str]:
    config = house.state_dir.parent / "config.yaml"
    config.write_text(SETTINGS)
    return {**house.environ, "SYNCD_CONFIG": str(config)}


def columns_of(ledger_path: Path) -> dict[str, str]:
    """Of the records, as far as this schema has them."""
    found = {}
    for table in RECORDS:
        names = [name for _, name, *_ in query(ledger_path, f"PRAGMA table_info({table})") if name != "checksum"]
        if names:
            found[table] = ", ".join(names)
    return found


def records(ledger_path: Path, columns: dict[str, str]) -> Rows:
    return {table: query(ledger_path, f"SELECT {names} FROM {table} ORDER BY 1, 2") for table, names in columns.items()}


def elsewhere(rows: list[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
    """Not of the agent whose sessions are in OpenClaw's database: that has told more of them since."""
    return {row for row in rows if STORE_AGENT not in row}


def assert_exports(version: int, environ: dict[str, str], cli: Cli) -> None:
    """Every generation, byte for byte as that program gave it. What was the newest then may have gone on since."""
    exports = json.loads((KEPT / f"schema-{version}.json").read_text())["exports"]
    assert len({each["transcript"] for each in exports}) < len(exports), "some have several generations"
    for each in exports:
        number, generation = str(each["transcript"]), str(each["generation"])
        done = cli("export", "--transcript", number, "--generation", generation, env=environ)
        assert done.exit_code == 0, done.stderr
        assert sha256(done.stdout_bytes[: each["bytes"]]).hexdigest() == each["sha256"], each
        if version >= FIRST_WITH_STORES:
            assert len(done.stdout_bytes) == each["bytes"], each


@pytest.mark.parametrize("version", VERSIONS)
def test_an_earlier_ledger_is_brought_forward_and_lacks_nothing(
    version: int, house: Household, environ: dict[str, str], cli_in_process: Cli
) -> None:
    older_ledger(version, house)
    ledger = house.ledger_path
    columns = columns_of(ledger)
    before, places, sessions = records(ledger, columns), query(ledger, _PLACES), query(ledger, _SESSIONS)
    assert all(before[table] for table in before if table != "job_runs" or version >= FIRST_WITH_RETENTION)

    done = cli_in_process("run", "--once", "--json", env=environ)

    assert (done.exit_code, done.json["ok"]) == (0, True), done.json
    assert query(ledger, "PRAGMA user_version") == [(current_version(),)]
    for verb in (("verify",), ("ledger", "check"), ("repair", "--dry-run")):
        told = cli_in_process(*verb, "--json", env=environ)
        assert (told.exit_code, told.json["ok"], told.json.get("plan", [])) == (0, True, []), told.json
    after = records(ledger, columns)
    if version >= FIRST_WITH_STORES:
        assert done.json["lines"] == 0, "everything was there already"
        assert after == before
        assert query(ledger, _PLACES) == places
        assert query(ledger, _SESSIONS) == sessions
    else:
        for table in before:
            assert elsewhere(before[table]) <= set(after[table]), table
        assert set(places) <= set(query(ledger, _PLACES))
        assert elsewhere(sessions) <= set(query(ledger, _SESSIONS))
    assert_exports(version, environ, cli_in_process)


@pytest.mark.parametrize("version", VERSIONS[:-1])
def test_the_copy_is_the_ledger_as_it_was(
    version: int, house: Household, environ: dict[str, str], cli_in_process: Cli
) -> None:
    older_ledger(version, house)
    assert cli_in_process("run", "--once", env=environ).exit_code == 0
    copy = house.ledger_path.with_name(f"ledger.db.schema-{version}.bak")
    kept = (KEPT / f"schema-{version}.sql").read_text()
    assert sorted(dumped(copy, house.state_dir).splitlines()) == sorted(kept.splitlines())  # VACUUM has its own order


@pytest.mark.parametrize("version", VERSIONS)
def test_its_rows_are_those_that_would_be_derived_now(
    version: int, house: Household, environ: dict[str, str], cli_in_process: Cli
) -> None:
    older_ledger(version, house)
    ledger = house.ledger_path
    assert cli_in_process("run", "--once", env=environ).exit_code == 0
    brought = derived_rows(ledger), kept_rows(ledger), searched(ledger)
    done = cli_in_process("resync", "--rebuild", "--json", env=environ)
    assert (done.exit_code, done.json["ok"]) == (0, True), done.json
    assert derived_rows(ledger) == brought[0]
    assert (kept_rows(ledger), searched(ledger)) == brought[1:]


@pytest.mark.parametrize("version", VERSIONS[:-1])
def test_it_tells_of_transcripts_and_sessions_what_the_newest_does(
    version: int, house: Household, environ: dict[str, str], cli_in_process: Cli
) -> None:
    older_ledger(version, house)
    newest = house.ledger_path.parent.with_name("newest") / "ledger.db"
    restored((KEPT / f"schema-{VERSIONS[-1]}.sql").read_text(), house.state_dir, newest)
    assert cli_in_process("run", "--once", env=environ).exit_code == 0
    for table, left_out in NUMBERS_AND_TIMES.items():
        about = [name for _, name, *_ in query(newest, f"PRAGMA table_info({table})") if name not in left_out]
        columns = ", ".join(about)
        sql = f"SELECT {columns} FROM {table} WHERE agent_id != ? AND session_id != ? ORDER BY {columns}"
        of_both = [query(path, sql, STORE_AGENT, session_id(PURGED)) for path in (house.ledger_path, newest)]
        assert of_both[0] == of_both[1]
        assert len(of_both[0]) > 15


@pytest.mark.parametrize("version", [version for version in VERSIONS if version >= FIRST_WITH_RETENTION])
def test_what_was_purged_does_not_come_back(
    version: int, house: Household, environ: dict[str, str], cli_in_process: Cli
) -> None:
    older_ledger(version, house)
    assert house.path(name_of(PURGED)).exists()
    for verb in (("run", "--once"), ("resync", "--rebuild"), ("verify",)):
        assert cli_in_process(*verb, env=environ).exit_code == 0
    for table in ("transcripts", "sessions", "session_ids"):
        assert query(house.ledger_path, f"SELECT * FROM {table} WHERE session_id = ?", session_id(PURGED)) == []
    assert cli_in_process("search", '"never to be seen again"', "--json", env=environ).json["hits"] == []
    assert b"never to be seen" not in house.ledger_path.read_bytes()


@pytest.mark.parametrize("version", VERSIONS)
def test_an_unfinished_line_whose_file_has_gone_since_is_taken_in(
    version: int, house: Household, environ: dict[str, str], cli_in_process: Cli
) -> None:
    """Only the older ledger has it."""
    older_ledger(version, house)
    content = house.path(name_of(TORN)).read_bytes()
    assert not content.endswith(b"\n")
    house.path(name_of(TORN)).unlink()
    assert cli_in_process("run", "--once", env=environ).exit_code == 0
    assert cli_in_process("export", session_id(TORN), env=environ).stdout_bytes == content


def test_every_schema_is_kept() -> None:
    """Of a new one, the ledger that its program makes: `python -m tests.upgrades.record .venv/bin/syncd COMMIT`."""
    kept = {path.name for path in KEPT.iterdir()}
    assert kept == {f"schema-{version}.{end}" for version in VERSIONS for end in ("sql", "json")}
