"""`syncd run` with a damaged ledger: found at the start or under way, put right by itself, and nothing is lost."""
# ruff: noqa: N802  the fault's id stands in the test's name

import os
import random
from pathlib import Path

import pytest

from syncd.clock import SystemClock
from syncd.daemon import loop as loop_module
from syncd.daemon.door import Door
from syncd.daemon.health_log import last_lines
from syncd.daemon.loop import Loop
from syncd.daemon.messages import socket_path
from syncd.daemon.orders import LoopOptions, Orders
from syncd.errors import AlreadyRunning, LedgerCorrupt
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.replacing import moved_aside
from syncd.mirror.index_look import IndexOptions
from tests.conftest import Cli
from tests.daemon.live import Heard, catch_up_options, wait_for
from tests.daemon.process import daemon, environ, syncd
from tests.ledger.damaging import PAGE, all_generations, pages_of, rich_household, scramble
from tests.mirror.household import Household, message, name_of, transcript
from tests.mirror_checks import assert_mirrors, events, transcripts


@pytest.fixture
def rich(house: Household, cli_in_process: Cli) -> Household:
    rich_household(house)
    assert cli_in_process("ledger", "backup", env=house.environ).exit_code == 0
    house.write(name_of(6), transcript(6, 12))
    house.catch_up()
    return house


@pytest.mark.parametrize("kind", ["sqlite_schema internal", "entries leaf", "_blocks internal"])
def test_F5_a_ledger_found_damaged_at_the_start_is_restored_and_caught_up(rich: Household, kind: str) -> None:
    expected = all_generations(rich.ledger_path)
    scramble(rich.ledger_path, next(page for page, what in pages_of(rich.ledger_path).items() if what == kind))
    with daemon(rich) as running:
        said = running.has_said("recovered")
        assert said["restored_from"].startswith(str(rich.ledger_path.parent / "backups"))
        running.is_following()
        rich.append(name_of(6), message(13))
        wait_for(lambda: transcripts(rich.ledger_path, "lines = 14"))
    assert_mirrors(rich)
    found = all_generations(rich.ledger_path)
    assert found.keys() == expected.keys()
    assert {key: versions for key, versions in found.items() if "000006" not in key} == {
        key: versions for key, versions in expected.items() if "000006" not in key
    }
    assert len(moved_aside(rich.ledger_path)) == 1


def test_F5_a_ledger_damaged_under_a_running_daemon_is_restored_and_followed_on(rich: Household) -> None:
    """Every page but the first is overwritten; SQLite has some of them in mind, but repair reads the file itself."""
    (rich.state_dir.parent / "config.yaml").write_text(
        "watch: {settle_seconds: 0.2}\njobs: {repair: 1s, scrub: false}\nhealth: {log_path: health.log}\n"
    )
    health_log = rich.state_dir.parent / "health.log"
    with daemon(rich) as running:
        running.is_following()
        size = rich.ledger_path.stat().st_size
        with Path(rich.ledger_path).open("r+b") as file:
            file.seek(PAGE)
            file.write(random.Random(1).randbytes(size - PAGE))
            file.flush()
            os.fsync(file.fileno())
        rich.append(name_of(6), message(13))
        rich.write(name_of(7), transcript(7, 3))
        running.has_said("recovered")
        wait_for(lambda: transcripts(rich.ledger_path, "lines = 14"))
        wait_for(lambda: transcripts(rich.ledger_path, "lines = 4"))
        wait_for(lambda: b'"ledger_corrupt"' not in last_lines(health_log, 1)[0])
    assert any(b'"ledger_corrupt"' in each and b"being put right" in each for each in last_lines(health_log, 100))
    rich.catch_up()
    assert_mirrors(rich)
    assert events(rich.ledger_path).count("recovery") == 1


def test_F5_a_ledger_cut_to_nothing_is_not_begun_anew_over_its_backups(rich: Household) -> None:
    os.truncate(rich.ledger_path, 0)
    with daemon(rich) as running:
        running.has_said("recovered")
        running.is_following()
    assert_mirrors(rich)
    assert len(transcripts(rich.ledger_path)) == 5


def test_F5_what_was_never_a_ledger_ends_the_daemon_and_is_left_alone(house: Household) -> None:
    house.ledger_path.parent.mkdir(mode=0o700)
    house.ledger_path.write_text("a letter to my aunt " * 2000)
    with daemon(house) as running:
        assert running.process.wait(60) == 1
    assert house.ledger_path.read_text().startswith("a letter")


def test_F5_status_tells_of_a_daemon_whose_ledger_cannot_even_be_read(rich: Household, cli_in_process: Cli) -> None:
    """One that was damaged time and again is not put right any more: that only the daemon knows."""
    with daemon(rich) as running:
        running.is_following()
        for number in range(3):
            rich.ledger_path.with_name(f"ledger.db.corrupt-20261118T00000{number}.000Z").touch()
        with Path(rich.ledger_path).open("r+b") as file:
            file.write(bytes(2 * PAGE))
        rich.append(name_of(6), message(13))
        running.has_said("paused")

        def is_told() -> bool:
            """That it is damaged comes first, that nobody puts it right any more a moment later."""
            (item,) = syncd(rich, "status")[1]["degraded"]
            return item["code"] == "ledger" and "3 times within an hour" in item["reason"]

        wait_for(is_told)
        code, document = syncd(rich, "status")
        assert (code, document["state"], document["pid"]) == (4, "running", running.pid)
        assert [each["path"] for each in document["not_known"]] == [str(rich.ledger_path)]
        assert "\nholds       not known\n" in cli_in_process("status", env=environ(rich)).stdout
        assert "3 times within an hour" in cli_in_process("doctor", env=environ(rich)).stdout
        assert running.terminate()[0] == 0
    assert syncd(rich, "status")[1]["error"]["type"] == "ledger_corrupt", "else nobody tells more of it"


def test_nothing_is_put_right_once_another_is_the_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies at the path by then is the other's."""
    path, tried = tmp_path / "ledger.db", list[str]()

    def put_right(damage: LedgerCorrupt, _: object) -> dict[str, object]:
        tried.append(str(damage))
        return {}

    def keep() -> bool:
        raise AlreadyRunning("another has it")

    index = IndexOptions({}, ("*",), 60.0)
    orders = Orders(lambda: (), LoopOptions(catch_up_options(), index))
    with writer_lock(path) as hold:
        loop = Loop(lambda: open_for_writing(path), SystemClock(), orders, Heard(), put_right=put_right, hold=hold)
        loop._pausing.recover(LedgerCorrupt("damaged"))
        assert tried == ["damaged"]
        monkeypatch.setattr(hold, "keep", keep)
        with pytest.raises(AlreadyRunning):
            loop._pausing.recover(LedgerCorrupt("damaged again"))
    assert tried == ["damaged"]


def test_nobody_waits_at_the_door_of_one_who_was_displaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until it is known who has displaced it, which takes up to a minute."""
    path, is_open = tmp_path / "ledger.db", list[bool]()

    def end(conceded: AlreadyRunning, *_: object) -> AlreadyRunning:
        is_open.append(socket_path(path).exists())
        return conceded

    monkeypatch.setattr(loop_module, "end_of", end)
    orders = Orders(lambda: (), LoopOptions(catch_up_options(), IndexOptions({}, ("*",), 60.0)))
    with writer_lock(path) as hold:
        door = Door(path)
        assert door.open() is None
        loop = Loop(lambda: open_for_writing(path), SystemClock(), orders, Heard(), door=door, hold=hold)
        assert loop._end_by(AlreadyRunning("another has it")).exit_code == 75
        door.close()
    assert is_open == [False]
