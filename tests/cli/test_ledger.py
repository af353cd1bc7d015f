"""`syncd ledger path|info|backup|check` through the command line."""

import json
import shlex
import shutil
from pathlib import Path

import apsw
import pytest

from tests.conftest import Cli
from tests.mirror.household import Household, header, household, message, name_of, session_id, transcript
from tests.mirror_checks import snapshot
from tests.mirror_fixtures import genuine


@pytest.fixture
def house(tmp_path: Path) -> Household:
    house = household(tmp_path)
    house.write(name_of(1), transcript(1, 3))
    house.catch_up()
    return house


def broken(house: Household, *statements: str) -> None:
    connection = apsw.Connection(str(house.ledger_path))
    for statement in statements:
        connection.execute(statement)
    connection.close()


def test_path_names_the_ledger_and_who_chose_it(cli_in_process: Cli, home: Path, house: Household) -> None:
    assert cli_in_process("ledger", "path").stdout == f"{home}/.local/share/syncd/ledger.db\n"
    named = cli_in_process("ledger", "path", "--json", env=house.environ)
    assert named.json == {"ok": True, "path": str(house.ledger_path), "exists": True, "origin": "environment"}


def test_metadata_names_the_file_for_datasette(cli_in_process: Cli) -> None:
    file = Path(cli_in_process("ledger", "metadata").stdout.strip())
    assert "databases:" in file.read_text()
    assert cli_in_process("ledger", "metadata", "--json").json == {"ok": True, "path": str(file)}


@pytest.mark.parametrize("verb", ["info", "backup", "check"])
def test_without_a_ledger_nothing_is_made(cli_in_process: Cli, home: Path, verb: str) -> None:
    before = snapshot(home)
    missing = cli_in_process("ledger", verb, "--json")
    assert missing.exit_code == 1
    assert missing.json["error"]["type"] == "ledger"
    assert missing.json["error"]["hint"] == "run `syncd run --once` first"
    assert snapshot(home) == before


def test_info_counts_what_is_there(cli: Cli, tmp_path: Path) -> None:
    house = genuine(tmp_path, "2026.5.7")
    info = cli("ledger", "info", "--json", env=house.environ).json
    assert info["ok"] is True
    assert info["path"] == str(house.ledger_path)
    assert info["ledger_bytes"] == house.ledger_path.stat().st_size
    assert info["page_size"] == 16384
    assert info["schema_version"] >= 1
    assert info["sqlite_version"] >= "3.51.3"
    assert info["tables"]["transcripts"] == sum(row["transcripts"] for row in info["transcripts"])
    assert info["tables"]["entries"] > 100
    assert not [name for name in info["tables"] if name.startswith(("_", "sqlite", "search"))]
    assert info["live_bytes"] == sum(row["bytes"] for row in info["transcripts"]) == info["raw_bytes"]
    kinds = {(row["kind"], row["state"]) for row in info["transcripts"]}
    assert kinds >= {("primary", "live"), ("reset", "archived"), ("checkpoint", "archived"), ("backup", "archived")}
    assert info["stored_ratio"] == pytest.approx(info["stored_bytes"] / info["raw_bytes"])


def test_info_counts_raw_bytes_of_all_generations_and_quarantined_lines(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), header(1) + b"not json\n")
    house.catch_up()
    info = cli_in_process("ledger", "info", "--json", env=house.environ).json
    assert info["live_bytes"] == len(header(1)) + 9
    assert info["raw_bytes"] == len(transcript(1, 3)) + 9
    assert info["quarantined"] == info["tables"]["quarantine"] == 1


def test_info_of_an_empty_ledger_divides_by_nothing(cli_in_process: Cli, tmp_path: Path) -> None:
    house = household(tmp_path)
    house.catch_up()
    assert cli_in_process("ledger", "info", "--json", env=house.environ).json["stored_ratio"] is None
    lines = cli_in_process("ledger", "info", env=house.environ).stdout.splitlines()
    assert lines[0] == f"path          {house.ledger_path}"
    assert "raw bytes     0 B" in lines


def test_a_backup_goes_beside_the_ledger_unless_a_file_is_named(cli: Cli, house: Household, tmp_path: Path) -> None:
    made = cli("ledger", "backup", "--json", env=house.environ)
    assert made.exit_code == 0
    path = Path(made.json["path"])
    assert path.parent == house.ledger_path.parent / "backups"
    assert (path.name[:8], path.suffix) == ("ledger-2", ".db")
    assert made.json["bytes"] == path.stat().st_size
    named = cli("ledger", "backup", "here.db", env=house.environ)
    assert named.stdout.startswith(f"wrote {tmp_path}/here.db: ")
    again = cli("ledger", "backup", "here.db", env=house.environ)
    assert again.exit_code == 2
    assert again.stderr.startswith(f"error: {tmp_path}/here.db exists already\n")


def test_a_backup_is_never_put_below_openclaws_directory(cli_in_process: Cli, house: Household) -> None:
    before = snapshot(house.state_dir)
    refused = cli_in_process("ledger", "backup", house.state_dir / "copy.db", env=house.environ)
    assert refused.exit_code == 2
    assert "lies in OpenClaw's directory" in refused.stderr
    assert snapshot(house.state_dir) == before


@pytest.mark.parametrize("verb", [("ledger", "backup"), ("export", session_id(1), "-o")], ids=["backup", "export"])
def test_no_directory_is_made_on_the_way_to_a_file_that_is_named(
    cli_in_process: Cli, house: Household, tmp_path: Path, verb: tuple[str, ...]
) -> None:
    absent, file = tmp_path / "not there", tmp_path / "file"
    file.write_text("mine")
    for directory in (absent, file):
        refused = cli_in_process(*verb, directory / "copy", env=house.environ)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert refused.stderr.splitlines() == [
            f"error: there is no directory {directory}",
            f"hint: make it first: mkdir -p {shlex.quote(str(directory))}",
        ]
    assert (absent.exists(), file.read_text()) == (False, "mine")


def test_a_backup_serves_as_a_ledger(cli_in_process: Cli, house: Household, tmp_path: Path) -> None:
    cli_in_process("ledger", "backup", tmp_path / "copy.db", env=house.environ)
    shutil.rmtree(house.ledger_path.parent)
    env = {"SYNCD_LEDGER": str(tmp_path / "copy.db")}
    assert cli_in_process("export", name_of(1), env=env).stdout_bytes == transcript(1, 3)
    assert cli_in_process("ledger", "check", env=env).exit_code == 0


def test_check_of_a_sound_ledger_exits_0(cli: Cli, house: Household) -> None:
    size = len(transcript(1, 3))
    assert cli("ledger", "check", env=house.environ).stdout == f"sound: 1 transcript, {size} B\n"
    quick = cli("ledger", "check", "--quick", "--json", env=house.environ)
    assert quick.json == {
        "ok": True,
        "path": str(house.ledger_path),
        "quick": True,
        "transcripts": 1,
        "bytes": size,
        "findings": [],
        "is_cut": False,
    }


def test_check_of_a_broken_ledger_exits_1_and_names_the_fault(cli_in_process: Cli, house: Household) -> None:
    broken(house, "UPDATE transcripts SET bytes = bytes + 5")
    size = len(transcript(1, 3))
    found = cli_in_process("ledger", "check", env=house.environ)
    assert (found.exit_code, found.stderr) == (1, "")
    assert found.stdout.splitlines() == [
        f"transcript 1: {size + 5} bytes taken in, but the raw bytes end at {size}",
        f"1 fault in 1 transcript, {size + 5} B",
        (
            "`syncd repair` mends what raw bytes, OpenClaw's files or backups still have;"
            " else put back a copy made by `syncd ledger backup`, then run `syncd resync`"
        ),
    ]
    written = cli_in_process("ledger", "check", "--quick", "--json", env=house.environ)
    assert (written.exit_code, written.json["ok"]) == (1, False)
    (finding,) = written.json["findings"]
    assert (finding["kind"], finding["transcript_id"]) == ("cursor", 1)


def test_a_ledger_too_damaged_to_open_is_one_clear_error(cli_in_process: Cli, house: Household) -> None:
    house.ledger_path.write_bytes(message(1) * 500)
    for verb in ("info", "check", "backup"):
        told = cli_in_process("ledger", verb, "--json", env=house.environ)
        assert told.exit_code == 1
        assert told.json["error"]["type"] == "ledger_corrupt"


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("UPDATE messages SET text = 'fl1pped' WHERE id = 3", "wrong_rows"),
        ("UPDATE messages SET transcript_id = 2 WHERE id = 3", "wrong_rows"),
        ("UPDATE turns SET status = 'error' WHERE id = 1", "wrong_rows"),
        ("UPDATE sessions SET entry_json = replace(entry_json, 'mine', 'm1ne')", "checksum"),
        ("UPDATE sessions SET entry_json = substr(entry_json, 2)", "checksum"),
        ("UPDATE sessions SET label = 'm1ne'", "checksum"),
    ],
)
def test_a_letter_that_changed_inside_a_row_is_found(
    cli_in_process: Cli, house: Household, statement: str, kind: str
) -> None:
    """By no check of SQLite's: what is wrong is only what the row says."""
    entry = {"sessionId": session_id(1), "updatedAt": 5, "label": "mine"}
    (house.sessions() / "sessions.json").write_text(json.dumps({"agent:main:main": entry}))
    house.write(name_of(2), transcript(2, 3))
    env = {**house.environ, "OPENCLAW_STATE_DIR": str(house.state_dir)}
    assert cli_in_process("resync", env=env).exit_code == 0
    assert cli_in_process("ledger", "check", env=env).exit_code == 0
    broken(house, statement, "INSERT INTO search (search) VALUES ('rebuild')")
    found = cli_in_process("ledger", "check", "--json", env=env)
    assert (found.exit_code, found.json["findings"][0]["kind"]) == (1, kind)
    assert cli_in_process("repair", env=env).exit_code == 0
    assert cli_in_process("ledger", "check", env=env).exit_code == 0
