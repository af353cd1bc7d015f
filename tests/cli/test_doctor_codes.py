"""`syncd doctor`: what is rare, each made so on real files; what is common is in test_doctor."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.quick import environ, quick_household
from tests.conftest import Cli
from tests.mirror.household import Household, name_of, transcript
from tests.other_user import as_another_user, common_place


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = quick_household(tmp_path)
    made.write(name_of(1), transcript(1, 3))
    made.catch_up()
    return made


def found(cli: Cli, house: Household, code: str, path: Path | None = None, **env: str) -> dict[str, Any]:
    """The one finding of this code, of this path; it says why it matters and what to do."""
    told = cli("doctor", "--json", env={**environ(house), **env}).json["findings"]
    (finding,) = (each for each in told if each["code"] == code and path in (None, Path(each["path"])))
    assert finding["why"]
    assert finding["remedy"]
    return dict(finding)


def test_a_configuration_of_openclaws_that_makes_no_sense_is_named(cli_in_process: Cli, house: Household) -> None:
    config = house.state_dir / "openclaw.json"
    config.write_text('{"session": {"store": ')
    told = found(cli_in_process, house, "openclaw_config")
    assert (told["severity"], told["path"]) == ("warning", str(config))
    assert "openclaw doctor" in told["remedy"]


def test_an_openclaw_without_agents_is_one_to_talk_to_first(cli_in_process: Cli, house: Household) -> None:
    shutil.rmtree(house.state_dir / "agents")
    told = found(cli_in_process, house, "openclaw_empty")
    assert (told["severity"], "talk to an agent once" in told["remedy"]) == ("warning", True)


def test_a_file_where_our_directory_is_to_be_is_named(cli_in_process: Cli, house: Household) -> None:
    backups = house.ledger_path.with_name("backups")
    backups.write_text("no directory")
    told = found(cli_in_process, house, "own_kind")
    assert (told["severity"], told["path"], told["fixable"]) == ("error", str(backups), False)
    assert backups.read_text() == "no directory"


def test_a_directory_of_ours_that_is_not_there_yet_is_a_note(cli_in_process: Cli, house: Household) -> None:
    place = house.ledger_path.parent / "deeper"
    told = found(cli_in_process, house, "own_missing", place, SYNCD_LEDGER=str(place / "ledger.db"))
    assert (told["severity"], told["fixable"]) == ("note", True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has what others may not enter")
def test_a_place_behind_a_closed_door_is_named_with_the_door(cli_in_process: Cli) -> None:
    with common_place() as place:
        made = quick_household(place)
        closed = place / "of root"
        closed.mkdir(0o700)
        with as_another_user():
            ledger = closed / "a/ledger.db"
            told = found(cli_in_process, made, "own_unreachable", ledger.parent, SYNCD_LEDGER=str(ledger))
    assert (told["severity"], f"owner of '{closed}'" in told["remedy"]) == ("error", True)


def test_a_ledger_that_would_not_fit_twice_on_its_disk_is_a_warning(cli_in_process: Cli, house: Household) -> None:
    with house.ledger_path.open("r+b") as file:
        file.truncate(2 * shutil.disk_usage(house.ledger_path.parent).free)  # its end is a hole, which takes no space
    told = found(cli_in_process, house, "disk_small")
    assert (told["severity"], "a second one" in told["why"]) == ("warning", True)


def test_transcripts_that_will_not_fit_on_the_ledgers_disk_are_an_error_before_the_first_run(
    cli_in_process: Cli, house: Household
) -> None:
    with house.path(name_of(1)).open("r+b") as file:
        file.truncate(2 * shutil.disk_usage(house.ledger_path.parent).free)
    house.ledger_path.unlink()
    told = found(cli_in_process, house, "disk_low")
    assert (told["severity"], "another disk" in told["remedy"]) == ("error", True)


def test_an_openclaw_on_a_network_file_system_is_told_unless_it_is_polled_anyway(
    cli_in_process: Cli, house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("syncd.cli.checkup.openclaw_house.file_system", lambda _: "nfs4")  # none can be had here
    told = found(cli_in_process, house, "openclaw_network")
    assert (told["severity"], "nfs4" in told["what"]) == ("note", True)
    (house.state_dir.parent / "config.yaml").write_text("watch: {mode: poll}\n")
    again = cli_in_process("doctor", "--json", env=environ(house)).json["findings"]
    assert "openclaw_network" not in {each["code"] for each in again}


def test_the_kernels_watches_are_tried_and_told(cli_in_process: Cli, house: Household) -> None:
    told = cli_in_process("doctor", "--json", env=environ(house)).json["findings"]
    (watching,) = (each for each in told if each["code"] == "watching")
    assert (watching["severity"], "directories" in watching["what"]) == ("ok", True)
