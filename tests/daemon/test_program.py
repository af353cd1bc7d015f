"""A daemon that an upgrade left as it was: told by `status` and `doctor`, and no reason for an alarm."""

import json
import shutil
from pathlib import Path

import pytest

import syncd as package
from syncd.daemon.beat import beat_path, read_beat
from syncd.daemon.program import NOTES, Program, note_of, this_program
from tests.conftest import CHECKOUT
from tests.daemon.beats import a_beat
from tests.daemon.process import daemon, syncd
from tests.mirror.household import Household, name_of, transcript

OWN = Program("1.10.0", "abc")
IN_ITS_PLACE = ("sh", "-c", 'cd "$0" && PYTHONPATH="$0" exec "$@"')


def _copied(to: Path) -> Path:
    shutil.copytree(CHECKOUT / "syncd", to / "syncd", ignore=shutil.ignore_patterns("__pycache__"))
    return to


def test_a_daemon_older_than_what_is_installed_is_told_and_the_mirror_is_well(house: Household, tmp_path: Path) -> None:
    older = _copied(tmp_path / "older")
    init = older / "syncd/__init__.py"
    init.write_text(init.read_text().replace(f'"{package.__version__}"', '"0.0.1"'))
    house.write(name_of(1), transcript(1, 3))
    with daemon(house, prefix=(*IN_ITS_PLACE, str(older))) as running:
        running.is_following()
        code, status = syncd(house, "status")
        assert (code, status["degraded"], status["daemon"]["version"]) == (0, [], "0.0.1")
        (note,) = status["notes"]
        assert (note["code"], note["hint"]) == ("restart_needed", NOTES["restart_needed"])
        assert f"still 0.0.1; installed is {package.__version__}" in note["reason"]
        code, found = syncd(house, "doctor")
        (told,) = (each for each in found["findings"] if each["code"] == "restart_needed")
        assert (code, told["severity"], told["remedy"]) == (0, "warning", note["hint"])


def test_a_daemon_of_the_same_files_wherever_they_lie_needs_no_restart(house: Household, tmp_path: Path) -> None:
    with daemon(house, prefix=(*IN_ITS_PLACE, str(_copied(tmp_path / "elsewhere")))) as running:
        running.is_following()
        assert syncd(house, "status")[1]["notes"] == []


@pytest.mark.parametrize(
    ("version", "files", "code"),
    [
        ("1.10.0", "abc", None),
        ("1.10.0", "other", "restart_needed"),
        ("1.9.9", "other", "restart_needed"),
        ("", "", "restart_needed"),
        ("1.11.0", "other", "command_older"),
    ],
)
def test_only_another_program_is_worth_a_note(version: str, files: str, code: str | None) -> None:
    note = note_of(a_beat(version=version, files=files), OWN)
    assert (note and note["code"]) == code


def test_the_beat_of_a_daemon_that_tells_no_version_is_understood(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.db"
    said = {name: value for name, value in a_beat()._asdict().items() if name not in ("version", "files")}
    beat_path(ledger).write_text(json.dumps(said))
    found = read_beat(ledger)
    assert found is not None
    note = note_of(found, this_program())
    assert note is not None
    assert "older than what is installed" in note["reason"]
