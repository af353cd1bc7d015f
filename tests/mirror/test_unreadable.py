"""Files and directories that may not be read: the others are done, these are named, and nothing is taken for gone."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, Result
from tests.mirror.household import Household, household, message, name_of, session_id, transcript
from tests.mirror.unprivileged import CANNOT
from tests.mirror_checks import assert_mirrors, only_transcript, query, transcript_at, transcripts

Run = Callable[..., Result]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Household]:
    place = household(tmp_path)
    yield place
    for directory, _, _ in os.walk(place.state_dir):
        os.chmod(directory, 0o700)  # so that it can be removed


@pytest.fixture
def run(house: Household) -> Run:
    """The command line as somebody whom file modes bind."""
    if sys.platform != "linux":
        pytest.skip("dropping the privilege to read everything is only known for Linux")

    def call(*args: str) -> Result:
        done = subprocess.run(
            [sys.executable, CHECKOUT / "tests" / "mirror" / "unprivileged.py", sys.executable, "-m", "syncd", *args],
            env={**os.environ, **house.environ, "PYTHONPATH": str(CHECKOUT)},
            capture_output=True,
            check=False,
            timeout=60,
        )
        if done.returncode == CANNOT:
            pytest.skip("this system does not let the privilege to read everything be dropped")
        return Result(done.returncode, done.stdout, done.stderr.decode())

    return call


def test_an_unreadable_file_is_named_the_others_are_done_and_it_is_taken_in_once_it_can_be(
    house: Household, run: Run
) -> None:
    secret = house.write(name_of(1), transcript(1, 3))
    house.write(name_of(2), transcript(2, 2))
    secret.chmod(0)
    result = run("run", "--once", "--json")
    assert result.exit_code == 1
    assert result.json["ok"] is False
    assert [(Path(item["path"]).name, "ermission" in item["reason"]) for item in result.json["problems"]] == [
        (name_of(1), True)
    ]
    assert only_transcript(house.ledger_path).session_id == session_id(2)
    verified = run("verify", "--json")
    assert verified.exit_code == 1
    assert [item["path"] for item in verified.json["differences"]] == [str(secret)]
    secret.chmod(0o600)
    assert run("run", "--once", "--json").json["lines"] == 4
    assert_mirrors(house)


def test_an_unreadable_file_is_named_to_people_too(house: Household, run: Run) -> None:
    secret = house.write(name_of(1), transcript(1, 3))
    secret.chmod(0)
    result = run("run", "--once")
    assert result.exit_code == 1
    told = [line for line in result.stdout.splitlines() if str(secret) in line]
    assert len(told) == 1
    assert told[0].count(str(secret)) == 1
    assert "cannot be read: Permission denied; give this user the right to read it" in told[0]
    assert "Traceback" not in result.stderr
    hint = run("run", "--once", "--json").json["problems"][0]["hint"]
    assert "run syncd as its owner" in hint
    verified = run("verify")
    assert (verified.exit_code, verified.stdout.count(str(secret))) == (1, 1)
    assert f"{secret}: cannot be read: Permission denied; give this user the right to read it" in verified.stdout
    assert verified.stdout.rstrip().endswith("1 difference")


@pytest.mark.parametrize("verb", [("run", "--once"), ("resync",), ("verify",)])
def test_an_unlistable_state_dir_is_named_and_the_other_ones_are_done(
    house: Household, run: Run, tmp_path: Path, verb: tuple[str, ...]
) -> None:
    house.write(name_of(1), transcript(1, 3))
    (house.state_dir / "sessions").mkdir()
    (house.state_dir / "sessions" / name_of(2)).write_bytes(transcript(2, 1))
    other = household(tmp_path / "other")
    other.write(name_of(3), transcript(3, 2))
    config = tmp_path / "config.yaml"
    config.write_text(f"openclaw: {{state_dirs: ['{house.state_dir}', '{other.state_dir}']}}\n")
    if verb == ("verify",):
        run("--config", str(config), "run", "--once")
    agents = house.state_dir / "agents"
    agents.chmod(0)
    result = run("--config", str(config), *verb, "--json")
    assert result.exit_code == 1
    problem = result.json["differences" if verb == ("verify",) else "problems"][0]
    assert (problem["path"], "cannot be listed: Permission denied" in problem["reason"]) == (str(agents), True)
    assert "give this user the right" in problem.get("hint", problem["reason"])
    done = {row.name for row in transcripts(house.ledger_path)}
    assert done >= {name_of(2), name_of(3)}, "beside it, in the same state dir and in the other one"
    agents.chmod(0o700)
    assert run("--config", str(config), "run", "--once").exit_code == 0
    assert {row.state for row in transcripts(house.ledger_path)} == {"live"}


@pytest.mark.parametrize("verb", [("run", "--once"), ("resync",), ("verify",)])
def test_a_missing_one_of_several_state_dirs_is_named_and_the_others_are_done(
    house: Household, run: Run, tmp_path: Path, verb: tuple[str, ...]
) -> None:
    house.write(name_of(1), transcript(1, 3))
    missing = tmp_path / "not-there"
    config = tmp_path / "config.yaml"
    config.write_text(f"openclaw: {{state_dirs: ['{missing}', '{house.state_dir}']}}\n")
    if verb == ("verify",):
        house.catch_up()
    result = run("--config", str(config), *verb, "--json")
    assert (result.exit_code, result.json["ok"], result.json["transcripts"]) == (1, False, 1)
    problem = result.json["differences" if verb == ("verify",) else "problems"][0]
    assert (problem["path"], "no such state directory" in problem["reason"]) == (str(missing), True)
    assert "openclaw.state_dirs" in problem.get("hint", problem["reason"])
    text = run("--config", str(config), *verb).stdout
    assert f"{missing}: " in text
    assert query(house.ledger_path, "SELECT state_dir FROM installations") == [(str(house.state_dir),)]


def test_permission_lost_and_given_back_goes_on_where_it_stopped(house: Household, run: Run) -> None:
    path = house.write(name_of(1), transcript(1, 3))
    house.catch_up()
    house.append(name_of(1), message(4))
    path.chmod(0)
    assert run("run", "--once", "--json").exit_code == 1
    row = only_transcript(house.ledger_path)
    assert (row.state, row.lines, row.generation) == ("live", 4, 1)
    path.chmod(0o644)
    assert house.catch_up().lines == 1
    assert_mirrors(house)


@pytest.mark.parametrize("where", ["agents", "agents/main", "agents/main/sessions"])
def test_a_directory_that_cannot_be_entered_makes_nothing_gone(house: Household, run: Run, where: str) -> None:
    house.write(name_of(1), transcript(1, 3))
    (house.sessions("ops") / name_of(2)).write_bytes(transcript(2, 2))
    house.catch_up()
    directory = house.state_dir / where
    directory.chmod(0)
    result = run("run", "--once", "--json")
    assert result.exit_code == 1
    assert str(directory) in result.stdout
    assert [row.state for row in transcripts(house.ledger_path)] == ["live", "live"]
    directory.chmod(0o700)
    assert house.catch_up().bytes == 0
    assert [row.state for row in transcripts(house.ledger_path)] == ["live", "live"]
    assert_mirrors(house)


def test_a_directory_that_can_be_listed_but_not_entered_makes_nothing_gone(house: Household, run: Run) -> None:
    house.write(name_of(1), transcript(1, 3))
    house.catch_up()
    house.sessions().chmod(0o400)
    result = run("run", "--once", "--json")
    assert result.exit_code == 1
    assert only_transcript(house.ledger_path).state == "live"


def test_the_others_are_done_beside_a_directory_that_cannot_be_entered(house: Household, run: Run) -> None:
    house.write(name_of(1), transcript(1, 3))
    (house.sessions("ops") / name_of(2)).write_bytes(transcript(2, 2))
    house.sessions().chmod(0)
    assert run("run", "--once", "--json").exit_code == 1
    assert transcript_at(house.ledger_path, name_of(2)).lines == 3


def test_another_user_s_readable_file_is_taken_in_without_the_privilege_to_hide_the_reading(
    house: Household, run: Run
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    path = house.write(name_of(1), transcript(1, 3))
    path.chmod(0o644)
    os.chown(path, 54321, 54321)
    assert run("run", "--once", "--json").exit_code == 0
    assert_mirrors(house)


def test_a_ledger_that_cannot_be_written_is_one_message_and_exit_1(house: Household, run: Run) -> None:
    house.write(name_of(1), transcript(1, 3))
    house.ledger_path.parent.mkdir()
    house.ledger_path.parent.chmod(0o500)
    result = run("run", "--once", "--json")
    house.ledger_path.parent.chmod(0o700)
    assert result.exit_code == 1
    assert str(house.ledger_path) in result.json["error"]["message"]
    assert result.json["error"]["hint"]
