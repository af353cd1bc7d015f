"""A new user's mistakes: whatever goes wrong on the way, what is printed says what to do next."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from syncd.ledger.hold import lock_path
from syncd.ledger.lock import writer_lock
from tests.cli.quick import environ, quick_household
from tests.conftest import CHECKOUT, Cli, Result
from tests.mirror.household import Household, name_of, transcript
from tests.other_user import as_another_user, common_place, give_away

READERS = (
    ("sessions",), ("show", "x"), ("tree", "x"), ("search", "x"), ("export", "x"), ("usage",), ("sql", "SELECT 1"),
    ("ledger", "info"), ("ledger", "check"), ("ledger", "backup"), ("repair", "--dry-run"), ("retention", "--dry-run"),
    ("purge", "x", "--yes"), ("pin", "x"), ("unpin", "x"),
)  # fmt: skip


def hint_of(result: Result) -> str:
    """Of an error in two lines or more: what is wrong, and what to do; never a fault of syncd itself."""
    assert result.exit_code != 0
    assert result.stderr.startswith("error: ")
    assert "this is a fault of syncd" not in result.stderr
    before, found, hint = result.stderr.rpartition("hint: ")
    assert before
    assert found
    return hint.strip()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("status --profile work", "--profile goes before the verb"),
        ("service install --config c.yaml", "--config goes before the verb"),
        ("completion", "name one of bash"),
    ],
)
def test_an_option_in_the_wrong_place_is_told_its_own(cli_in_process: Cli, call: str, words: str) -> None:
    assert words in hint_of(cli_in_process(*call.split(), env={"SHELL": ""}))
    told = cli_in_process("--json", "status").json["error"]["hint"]
    assert told.startswith("--json goes behind the verb: `syncd status --json`")


def test_a_configuration_where_nobody_may_write_is_no_fault_of_syncds(cli_in_process: Cli) -> None:
    with common_place() as place:
        (place / "closed").mkdir(0)
        with as_another_user():
            hint = hint_of(cli_in_process("--config", place / "closed/c.yaml", "config", "init"))
    assert "rights of the directory" in hint


@pytest.mark.parametrize("verb", [("run", "--once"), ("resync",), ("verify",)], ids=" ".join)
def test_no_openclaw_at_all_leads_to_doctor(cli_in_process: Cli, verb: tuple[str, ...]) -> None:
    hint = hint_of(cli_in_process(*verb))
    assert "start OpenClaw once" in hint
    assert "`syncd doctor`" in hint


@pytest.mark.parametrize("verb", [("run", "--once"), ("run",), ("sessions",), ("status",)], ids=" ".join)
def test_a_ledger_on_a_path_that_is_not_utf8_is_a_fault_of_the_configuration(
    cli_in_process: Cli, tmp_path: Path, verb: tuple[str, ...]
) -> None:
    house = quick_household(tmp_path)
    place = tmp_path / os.fsdecode(b"pl\xfface")
    result = cli_in_process(*verb, env={**environ(house), "SYNCD_LEDGER": str(place / "ledger.db")})
    assert "$SYNCD_LEDGER" in hint_of(result)
    assert result.exit_code == 78
    assert "is not UTF-8" in result.stderr
    assert not place.exists()


@pytest.mark.parametrize("verb", [("run", "--once"), ("status",), ("doctor",), ("ledger", "backup")], ids=" ".join)
def test_a_ledger_path_that_leads_back_to_itself_is_a_fault_of_the_configuration(
    cli_in_process: Cli, tmp_path: Path, verb: tuple[str, ...]
) -> None:
    house, place = quick_household(tmp_path), tmp_path / "circle.db"
    place.symlink_to(place)
    result = cli_in_process(*verb, env={**environ(house), "SYNCD_LEDGER": str(place)})
    assert "$SYNCD_LEDGER" in hint_of(result)
    assert result.exit_code == 78
    assert "leads back to itself" in result.stderr


@pytest.mark.parametrize("verb", READERS, ids=" ".join)
def test_a_question_before_the_first_run_names_that_run_and_makes_no_ledger(
    cli_in_process: Cli, home: Path, verb: tuple[str, ...]
) -> None:
    assert "`syncd run --once`" in hint_of(cli_in_process(*verb))
    assert not (home / ".local").exists()


@pytest.mark.parametrize("verb", [("run", "--once"), ("verify",)], ids=" ".join)
def test_a_state_dir_without_agents_is_doubted_aloud(
    cli_in_process: Cli, tmp_path: Path, verb: tuple[str, ...]
) -> None:
    house = quick_household(tmp_path)
    house.catch_up()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = cli_in_process(*verb, env={**environ(house), "OPENCLAW_STATE_DIR": str(elsewhere)})
    assert done.exit_code == 0
    assert f"{elsewhere} holds no agents: is it OpenClaw's state directory? `syncd doctor` says more" in done.stderr


NO_REPAIR = (("status",), ("verify",), ("sessions",), ("ledger", "info"), ("ledger", "check"))


@pytest.mark.parametrize("verb", NO_REPAIR, ids=" ".join)
def test_a_file_that_never_was_a_ledger_is_not_called_damaged(
    cli_in_process: Cli, tmp_path: Path, verb: tuple[str, ...]
) -> None:
    house, letter = quick_household(tmp_path), tmp_path / "README.md"
    letter.write_text("this is a letter to my aunt\n" * 1000)
    done = cli_in_process(*verb, env={**environ(house), "SYNCD_LEDGER": str(letter)})
    assert done.stderr.startswith(f"error: {letter} is a file, but no ledger of syncd\n")
    assert "$SYNCD_LEDGER" in hint_of(done)
    assert "repair" not in done.stderr
    assert sorted(path.name for path in tmp_path.glob("README*")) == ["README.md"]


@pytest.mark.parametrize("damage", [b"x" * 16, b"x" * 100, b"\0" * 4096], ids=["magic", "header", "page"])
@pytest.mark.parametrize("has_lock", [True, False], ids=["with lock", "without"])
def test_a_ledger_whose_first_page_is_damaged_is(
    cli_in_process: Cli, tmp_path: Path, damage: bytes, *, has_lock: bool
) -> None:
    house = quick_household(tmp_path)
    house.write(name_of(1), transcript(1, 1))
    house.catch_up()
    lock = lock_path(house.ledger_path)
    lock.touch() if has_lock else lock.unlink(missing_ok=True)
    with house.ledger_path.open("r+b") as file:
        file.write(damage)
    for verb in NO_REPAIR:
        done = cli_in_process(*verb, env=environ(house))
        assert "is damaged: " in done.stderr
        assert "`syncd repair`" in hint_of(done)


def test_a_health_log_that_cannot_be_read_is_named_with_the_reason(cli_in_process: Cli, tmp_path: Path) -> None:
    house = quick_household(tmp_path, f"health: {{log_path: '{tmp_path / 'log'}'}}")
    (tmp_path / "log").mkdir()
    done = cli_in_process("health", env=environ(house))
    assert done.exit_code == 1
    assert done.stderr.startswith(f"error: cannot read the health log {tmp_path / 'log'}: Is a directory\n")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("runn",), "'run'"),
        (("config", "shwo"), "'show'"),
        (("run", "--oce"), "'--once'"),
        (("usage", "--by", "moth"), "'day', 'model'"),
        (("--profile", "a b", "status"), "letters, digits"),
        (("--config", "/no/such.yaml", "status"), "`syncd config init`"),
        (("usage", "--since", "yesteryear"), "7d, 24h"),
    ],
)
def test_a_slip_of_the_fingers_is_answered_with_what_was_meant(
    cli_in_process: Cli, args: tuple[str, ...], words: str
) -> None:
    done = cli_in_process(*args)
    assert hint_of(done)
    assert words in done.stderr


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("watch:\n  mode: [poll\n", "not valid YAML"),
        ("watch:\n\tmode: poll\n", "line 2"),
        ("wach: {}\n", "did you mean watch?"),
        ("rescan_seconds: 5\n", "did you mean watch.rescan_seconds?"),
        ("hello\n", "a map of sections"),
    ],
)
def test_a_faulty_configuration_is_told_by_line_and_with_the_likely_key(
    cli_in_process: Cli, tmp_path: Path, content: str, words: str
) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(content)
    done = cli_in_process("status", env={"SYNCD_CONFIG": str(file)})
    assert done.exit_code == 78
    assert "mend the places named above" in hint_of(done)
    assert words in done.stderr


def test_a_second_daemon_is_told_who_holds_the_ledger(cli_in_process: Cli, house: Household) -> None:
    with writer_lock(house.ledger_path):
        done = cli_in_process("run", env=house.environ)
    assert done.exit_code == 75
    assert f"pid {os.getpid()}" in done.stderr
    assert "stop it first" in hint_of(done)


@pytest.mark.parametrize("verb", [("run", "--once"), ("sessions",), ("status",), ("pin", "x")], ids=" ".join)
def test_a_ledger_behind_a_closed_door_is_a_matter_of_rights(cli_in_process: Cli, verb: tuple[str, ...]) -> None:
    with common_place() as place:
        house = quick_household(place)
        house.write(name_of(1), transcript(1, 1))
        house.catch_up()
        give_away(*place.rglob("*"))
        house.ledger_path.parent.chmod(0)
        with as_another_user():
            done = cli_in_process(*verb, env=environ(house))
            diagnosis = cli_in_process("doctor", "--json", env=environ(house))
    assert "Permission denied" in done.stderr
    assert "`syncd doctor`" in hint_of(done)
    assert diagnosis.exit_code == 4
    codes = {each["code"] for each in diagnosis.json["findings"]}
    assert {"own_unwritable", "ledger"} <= codes


def test_what_status_cannot_look_at_it_does_not_call_level(cli_in_process: Cli) -> None:
    with common_place() as place:
        house = quick_household(place)
        house.write(name_of(1), transcript(1, 1))
        house.catch_up()
        give_away(*place.rglob("*"))
        house.sessions().chmod(0)
        with as_another_user():
            shown = cli_in_process("status", env=environ(house)).stdout
        assert f"freshness   not known: {house.sessions()} cannot be listed: Permission denied; give this user" in shown


def test_an_old_python_is_told_so_in_words_that_it_can_parse() -> None:
    for name in ("__main__.py", "__init__.py"):
        ast.parse((CHECKOUT / "syncd" / name).read_text(), feature_version=(3, 7))
    script = "import sys, runpy; sys.version_info = (3, 10, 2); runpy.run_module('syncd', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, cwd=CHECKOUT, check=False, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("error: syncd needs Python 3.11 or newer; this is 3.10\nhint: ")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the device is Linux's own")
def test_a_full_disk_under_an_export_names_the_disk(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), transcript(1, 1))
    house.catch_up()
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "syncd", "export", name_of(1)],
            stdout=full, stderr=subprocess.PIPE, cwd=CHECKOUT, env={**os.environ, **house.environ}, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert b"No space left on device\nhint: what was written is not all of it" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the device is Linux's own")
def test_the_table_of_codes_names_the_full_disk_too(house: Household) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "syncd", "health", "--codes"],
            stdout=full, stderr=subprocess.PIPE, cwd=CHECKOUT, env={**os.environ, **house.environ}, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: cannot write to stdout: No space left on device\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the device is Linux's own")
def test_a_stderr_that_takes_no_more_changes_no_outcome(house: Household, tmp_path: Path) -> None:
    """A log on a full disk: what would be said there is lost, and nothing else."""
    house.write(name_of(1), transcript(1, 1))
    house.catch_up()
    copy = tmp_path / "copy.jsonl"
    calls = {("export", name_of(1), "-o", str(copy)): 0, ("show", "nobody"): 1, ("bogus",): 2, ("run", "--once"): 0}
    for call, code in calls.items():
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [sys.executable, "-m", "syncd", *call],
                stdout=subprocess.PIPE, stderr=full, cwd=CHECKOUT, env={**os.environ, **house.environ}, check=False,
            )  # fmt: skip
        assert done.returncode == code, call
    assert copy.read_bytes() == house.path(name_of(1)).read_bytes()


def test_a_ledger_whose_first_run_was_cut_short_is_one_that_is_not_made_yet(
    cli_in_process: Cli, house: Household
) -> None:
    house.ledger_path.parent.mkdir(0o700, exist_ok=True)
    house.ledger_path.touch(0o600)
    shown = cli_in_process("status", env=house.environ)
    assert shown.exit_code == 3
    assert shown.stdout.splitlines()[1:3] == [
        "freshness   nothing is mirrored yet",
        f"ledger      {house.ledger_path}, not made yet",
    ]
    found = {each["code"] for each in cli_in_process("doctor", "--json", env=house.environ).json["findings"]}
    assert {"no_ledger", "disk"} <= found
