"""A ledger of every earlier schema, as it was written then, is brought forward and lacks nothing."""

import shutil
from pathlib import Path

import apsw
import pytest

from syncd.ledger.migrate import current_version
from tests.conftest import Cli
from tests.derived_rows import derived_rows
from tests.mirror_checks import query

DATA = Path(__file__).parents[1] / "data"
LARGE = "0a000002-0000-4000-8000-000000000002.jsonl"
"""Left out, so that the ledgers are small."""
VERSIONS = range(1, current_version())
_KEPT = """SELECT transcript_id, byte_offset, byte_length, generation, entry_id, type FROM entries ORDER BY 1, 2, 4"""


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    state = tmp_path / "openclaw"
    shutil.copytree(DATA / "openclaw" / "2026.7.1", state)
    (state / "agents" / "main" / "sessions" / LARGE).unlink()
    return state


def older_ledger(version: int, state_dir: Path, path: Path) -> None:
    path.parent.mkdir()
    path.parent.chmod(0o700)
    connection = apsw.Connection(str(path))
    sql = (DATA / "ledgers" / f"schema-{version}.sql").read_text()
    connection.execute(sql.replace("@STATE@", str(state_dir)))
    connection.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_ledger_of_an_earlier_schema_is_what_a_new_one_would_be(
    version: int, state_dir: Path, tmp_path: Path, cli_in_process: Cli
) -> None:
    ledger, fresh = tmp_path / "then" / "ledger.db", tmp_path / "now" / "ledger.db"
    older_ledger(version, state_dir, ledger)
    before = query(ledger, _KEPT)
    environ = {"OPENCLAW_STATE_DIR": str(state_dir), "SYNCD_LEDGER": str(ledger)}

    done = cli_in_process("run", "--once", "--json", env=environ)

    assert (done.exit_code, done.json["lines"]) == (0, 0), "everything was there already"
    assert query(ledger, "PRAGMA user_version") == [(current_version(),)]
    assert query(ledger, _KEPT) == before
    assert len(before) == 140
    for verb in (("verify",), ("ledger", "check"), ("repair", "--dry-run")):
        told = cli_in_process(*verb, "--json", env=environ)
        assert (told.exit_code, told.json["ok"]) == (0, True), told.json
    assert cli_in_process("repair", "--dry-run", "--json", env=environ).json["plan"] == []
    assert cli_in_process("run", "--once", env={**environ, "SYNCD_LEDGER": str(fresh)}).exit_code == 0
    assert derived_rows(ledger) == derived_rows(fresh)
    assert (ledger.with_name(f"ledger.db.schema-{version}.bak")).exists()


def test_every_earlier_schema_is_kept() -> None:
    """Before a migration is added: the ledger that the present program makes of that state, by data/ledgers/dump.py."""
    kept = {path.name for path in (DATA / "ledgers").glob("schema-*.sql")}
    assert kept == {f"schema-{version}.sql" for version in VERSIONS}
