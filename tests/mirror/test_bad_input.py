"""What can be wrong before a single file is read: one clear message, what to do, the right exit code, nothing lost."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from syncd.errors import LedgerBusy
from syncd.ledger.database import open_for_writing
from syncd.ledger.migrate import current_version
from tests.conftest import CHECKOUT, Cli
from tests.daemon.process import held_by_another
from tests.mirror.household import Household, household, message, name_of, require_root, session_id, transcript
from tests.mirror_checks import assert_mirrors, mirrored, only_transcript, query


@pytest.fixture
def house(tmp_path: Path) -> Household:
    place = household(tmp_path)
    place.write(name_of(1), transcript(1, 3))
    return place


@pytest.mark.parametrize("verb", [("run", "--once"), ("resync",), ("verify",)])
def test_a_missing_state_dir_is_exit_1_with_what_to_do(
    cli_in_process: Cli, tmp_path: Path, verb: tuple[str, ...]
) -> None:
    missing = tmp_path / "nowhere"
    env = {"OPENCLAW_STATE_DIR": str(missing), "SYNCD_LEDGER": str(tmp_path / "ledger.db")}
    result = cli_in_process(*verb, "--json", env=env)
    assert result.exit_code == 1
    assert result.json["ok"] is False
    assert str(missing) in result.json["error"]["message"]
    assert "OPENCLAW_STATE_DIR" in result.json["error"]["hint"]
    assert not (tmp_path / "ledger.db").exists()


def test_run_without_once_waits_for_the_state_dir_and_says_so(house: Household, tmp_path: Path) -> None:
    late = tmp_path / "late"
    with subprocess.Popen(
        [sys.executable, "-m", "syncd", "run", "--json"],
        env={**os.environ, **house.environ, "OPENCLAW_STATE_DIR": str(late), "PYTHONPATH": str(CHECKOUT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        said: dict[str, object] = {"event": ""}
        while said["event"] != "waiting":
            said = json.loads(process.stderr.readline())
        assert said["state_dirs"] == [str(late)]
        assert "make demo" in str(said["hint"])
        process.terminate()
        process.communicate(timeout=60)
        assert process.returncode == 0, "SIGTERM is a clean stop"


def test_a_configuration_with_three_faults_names_all_three(
    cli_in_process: Cli, house: Household, tmp_path: Path
) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("watch:\n  settle_second: 1\nlimits:\n  max_line_bytes: lots\nnonsense: true\n")
    result = cli_in_process("--config", config, "run", "--once", "--json", env=house.environ)
    assert result.exit_code == 78
    problems = result.json["error"]["problems"]
    assert {problem["path"] for problem in problems} == {"watch.settle_second", "limits.max_line_bytes", "nonsense"}
    assert "settle_seconds" in json.dumps(problems)
    assert not house.ledger_path.exists()


def test_a_newer_ledger_is_exit_78_and_left_as_it_is(cli_in_process: Cli, house: Household) -> None:
    mirrored(house)
    connection = apsw.Connection(str(house.ledger_path))
    connection.pragma("user_version", current_version() + 1)
    connection.close()
    before = house.ledger_path.read_bytes()
    house.append(name_of(1), message(4))
    for verb in (("run", "--once"), ("resync",), ("resync", "--rebuild"), ("verify",)):
        result = cli_in_process(*verb, "--json", env=house.environ)
        assert result.exit_code == 78, verb
        assert result.json["error"]["type"] == "ledger_newer"
        assert "upgrade" in result.json["error"]["hint"]
    assert house.ledger_path.read_bytes() == before
    assert {path.name for path in house.ledger_path.parent.iterdir()} <= {
        "ledger.db",
        "ledger.db.lock",
        "ledger.db-wal",
        "ledger.db-shm",
    }


def _overwritten(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


@pytest.mark.parametrize("damage", ["header", "schema", "text", "cut"])
def test_a_corrupt_ledger_is_exit_1_with_what_to_do(cli_in_process: Cli, house: Household, damage: str) -> None:
    for number in range(2, 40):
        house.write(name_of(number), transcript(number, 40))
    mirrored(house)
    path = house.ledger_path
    match damage:
        case "header":
            _overwritten(path, 0, b"garbage, and no SQLite header")
        case "schema":
            _overwritten(path, 100, os.urandom(16384 - 100))
        case "text":
            path.write_text("this is a letter to my aunt\n" * 1000)
        case "cut":
            os.truncate(path, path.stat().st_size // 2)
    before = path.read_bytes()
    house.append(name_of(1), message(4))
    for verb in (("run", "--once"), ("verify",)):
        result = cli_in_process(*verb, "--json", env=house.environ)
        assert result.exit_code == 1, verb
        assert result.json["error"]["type"] == "ledger_corrupt"
        assert str(path) in result.json["error"]["message"]
        assert "resync" in result.json["error"]["hint"]
    assert path.read_bytes() == before
    path.rename(path.with_name("aside.db"))  # what the hint says
    for sidecar in path.parent.glob("ledger.db-*"):
        sidecar.unlink()
    assert cli_in_process("resync", "--json", env=house.environ).exit_code == 0
    assert_mirrors(house)


def test_a_database_of_another_program_is_refused_and_left_as_it_is(cli_in_process: Cli, house: Household) -> None:
    house.ledger_path.parent.mkdir()
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute("CREATE TABLE recipes (id); INSERT INTO recipes VALUES (1)")
    connection.close()
    before = house.ledger_path.read_bytes()
    result = cli_in_process("run", "--once", "--json", env=house.environ)
    assert result.exit_code == 1
    assert "no ledger of syncd" in result.json["error"]["message"]
    assert house.ledger_path.read_bytes() == before


def test_a_damaged_block_is_found_by_verify_and_named(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), transcript(1, 60))
    mirrored(house)
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute("UPDATE _blocks SET data = CAST(substr(data, 1, 200) || x'ff' || substr(data, 202) AS BLOB)")
    connection.close()
    result = cli_in_process("verify", "--json", env=house.environ)
    assert result.exit_code == 1
    (difference,) = result.json["differences"]
    assert difference["path"] == str(house.path(name_of(1)))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the device is Linux's own")
def test_an_export_into_a_full_disk_is_one_message(house: Household) -> None:
    house.write(name_of(1), transcript(1, 300))
    house.catch_up()
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "syncd", "export", session_id(1)],
            env={**os.environ, **house.environ, "PYTHONPATH": str(CHECKOUT)},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "error: cannot write to stdout: No space left on device",
        "hint: what was written is not all of it: see that there is space where it goes, then run the command again",
    ]


def test_a_disk_too_full_for_the_lock_s_own_words_is_told_as_a_full_disk(house: Household, tmp_path: Path) -> None:
    require_root()
    house.write(name_of(1), transcript(1, 3))
    small = tmp_path / "small"
    small.mkdir()
    fill = 'mount -t tmpfs -o size=4k none "$0" && head -c 4096 /dev/zero > "$0/filler" || exit 99; exec "$@"'
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", fill, small, sys.executable, "-m", "syncd", "run", "--once", "--json"],
        env={**os.environ, **house.environ, "SYNCD_LEDGER": str(small / "ledger.db"), "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        check=False,
    )
    if done.returncode == 99:
        pytest.skip("no file system can be mounted here")
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["type"] == "ledger_full"


def test_status_without_openclaw_and_without_a_ledger_claims_nothing(cli_in_process: Cli, tmp_path: Path) -> None:
    env = {"OPENCLAW_STATE_DIR": str(tmp_path / "none"), "SYNCD_LEDGER": str(tmp_path / "ledger.db")}
    done = cli_in_process("status", env=env)
    assert done.exit_code == 3
    assert f"freshness   no OpenClaw state directory at {tmp_path / 'none'}: nothing to mirror yet; " in done.stdout
    assert f"ledger      {tmp_path / 'ledger.db'}, not made yet\n" in done.stdout


def test_a_damaged_ledger_is_not_to_be_thrown_away(cli_in_process: Cli, house: Household) -> None:
    house.ledger_path.parent.mkdir(parents=True)
    house.ledger_path.write_bytes(b"no database" * 1000)
    for verb in (("run", "--once"), ("verify",), ("ledger", "check")):
        done = cli_in_process(*verb, "--json", env=house.environ)
        assert (done.exit_code, done.json["error"]["type"]) == (1, "ledger_corrupt")
        assert "syncd ledger backup" in done.json["error"]["hint"]
        assert "keep them" in done.json["error"]["hint"]
    assert house.ledger_path.read_bytes() == b"no database" * 1000


@pytest.mark.parametrize("what", ["directory", "no parent"])
def test_a_ledger_path_that_cannot_be_one_is_exit_1_with_what_to_do(
    cli_in_process: Cli, house: Household, tmp_path: Path, what: str
) -> None:
    path = tmp_path / "place"
    path.mkdir() if what == "directory" else path.write_text("a file")
    ledger = path if what == "directory" else path / "ledger.db"
    result = cli_in_process("run", "--once", "--json", env={**house.environ, "SYNCD_LEDGER": str(ledger)})
    assert result.exit_code == 1
    assert str(ledger) in result.json["error"]["message"]
    assert "SYNCD_LEDGER" in result.json["error"]["hint"]


HOLD = """
import sys
from pathlib import Path
from syncd.ledger.lock import writer_lock
with writer_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_instance_is_exit_75_and_names_the_first_one_s_pid(cli_in_process: Cli, house: Household) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, house.ledger_path],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        for verb in (("run", "--once"), ("resync",)):
            result = cli_in_process(*verb, "--json", env=house.environ)
            assert result.exit_code == 75, verb
            assert result.json["error"]["pid"] == holder.pid
            assert str(holder.pid) in result.json["error"]["message"]
        holder.communicate()
    assert cli_in_process("run", "--once", "--json", env=house.environ).exit_code == 0


def test_a_second_instance_is_found_through_a_symlink_to_the_ledger(
    cli_in_process: Cli, house: Household, tmp_path: Path
) -> None:
    mirrored(house)
    link = tmp_path / "link.db"
    link.symlink_to(house.ledger_path)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, link],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert cli_in_process("run", "--once", "--json", env=house.environ).exit_code == 75
        holder.communicate()


@pytest.mark.parametrize("payload", [b"", b"{", b'{"pid": 1}', b'{"pid": "x"}'])
def test_a_lock_file_left_by_a_dead_instance_stops_nobody(
    cli_in_process: Cli, house: Household, payload: bytes
) -> None:
    house.ledger_path.parent.mkdir()
    house.ledger_path.with_name("ledger.db.lock").write_bytes(payload)
    assert cli_in_process("run", "--once", "--json", env=house.environ).exit_code == 0


@pytest.fixture
def short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_for_writing, "__defaults__", (0.02,))


@pytest.mark.usefixtures("short_wait")
def test_a_ledger_locked_by_another_program_is_exit_1_after_a_bounded_wait_and_goes_on_later(
    cli_in_process: Cli, house: Household
) -> None:
    mirrored(house)
    house.append(name_of(1), message(4))
    with held_by_another(house):
        result = cli_in_process("run", "--once", "--json", env=house.environ)
        assert result.exit_code == 1
        assert result.json["error"]["type"] == "ledger_busy"
        assert result.json["error"]["hint"]
        with pytest.raises(LedgerBusy):
            house.catch_up()
        assert only_transcript(house.ledger_path).lines == 4
        assert cli_in_process("verify", "--json", env=house.environ).exit_code == 1  # it reads beside the other program
    mirrored(house)
    assert only_transcript(house.ledger_path).lines == 5


def test_a_ledger_restored_from_an_older_copy_catches_up_again(house: Household, tmp_path: Path) -> None:
    mirrored(house)
    older = tmp_path / "older.db"
    shutil.copy(house.ledger_path, older)
    house.append(name_of(1), message(4))
    house.write(name_of(2), transcript(2, 2))
    mirrored(house)
    shutil.copy(older, house.ledger_path)
    mirrored(house)
    assert query(house.ledger_path, "SELECT count(*) FROM entries") == [(8,)]


def test_files_of_the_ledger_are_private(house: Household) -> None:
    mirrored(house)
    modes = {path.name: path.stat().st_mode & 0o777 for path in house.ledger_path.parent.iterdir()}
    assert set(modes.values()) == {0o600}
    assert house.ledger_path.parent.stat().st_mode & 0o777 == 0o700
