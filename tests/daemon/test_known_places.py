"""A gateway that still writes where openclaw.json names it no more is followed live."""

import json
from functools import partial
from pathlib import Path

import pytest

from syncd.ledger.files import FileTable
from tests.daemon.live import Live, following, wait_for
from tests.daemon.test_other_places import watches_anew
from tests.mirror.household import Household, household, message, name_of, session_id, transcript
from tests.mirror_checks import exported, query, transcripts
from tests.openclaw_store import AgentStore, OtherProcess

ONE, TWO = session_id(1), session_id(2)


@pytest.fixture
def house(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Household:
    """OpenClaw's home is that of the test."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    return household(tmp_path)


def configure(house: Household, store: Path | None) -> None:
    scratch = house.state_dir / "openclaw.json.tmp"
    scratch.write_text(json.dumps({"session": {"store": str(store)} if store is not None else {}}))
    scratch.rename(house.state_dir / "openclaw.json")


def configured_anew(running: Live, house: Household, store: Path | None) -> None:
    """Returns when all is listed by the new configuration; nothing but events leads there."""
    watches_anew(running)
    with running.standing_still():  # a rescan under way may see it, too
        rescans = running.loop.figures.rescans
        configure(house, store)
    wait_for(lambda: running.loop.figures.rescans > rescans)


def has(house: Household, number: str, content: bytes, kind: str = "primary") -> bool:
    found = transcripts(house.ledger_path, "session_id = ? AND kind = ?", number, kind)
    return [exported(house.ledger_path, row.id, row.generation) for row in found] == [content]


def test_a_database_is_followed_on_and_so_is_the_one_that_took_its_place(house: Household, tmp_path: Path) -> None:
    former, present = (tmp_path / "elsewhere" / name for name in ("foo.sqlite", "bar.sqlite"))
    configure(house, former.with_suffix(".json"))
    with OtherProcess(former) as store:
        store.do("add_session", ONE, "agent:main:main", label="first")
        store.do("append", ONE, *transcript(1, 3).splitlines(keepends=True))
        with following(house) as running:
            configured_anew(running, house, present.with_suffix(".json"))
            store.do("append", ONE, message(4))
            wait_for(lambda: has(house, ONE, transcript(1, 4)))
            store.do("record", ONE, b'{"flight":1}')
            wait_for(lambda: has(house, ONE, b'{"flight":1}\n', "trajectory"))
            store.do("add_session", TWO, "agent:main:main", label="second")
            labels = "SELECT label FROM sessions WHERE status = 'live'"
            wait_for(lambda: query(house.ledger_path, labels) == [("second",)])
            with AgentStore(present) as other:
                other.import_lines(session_id(3), transcript(3, 1))
                wait_for(lambda: has(house, session_id(3), transcript(3, 1)))
            store.do("append", ONE, message(5))
            wait_for(lambda: has(house, ONE, transcript(1, 5)))


def test_files_are_followed_on_by_events(house: Household, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere" / name_of(1)
    path.write_bytes(transcript(1, 3))
    configure(house, path.with_name("sessions.json"))
    with following(house) as running:
        configured_anew(running, house, None)
        with path.open("ab", buffering=0) as file:
            file.write(message(4))
        wait_for(lambda: has(house, ONE, transcript(1, 4)))
        (path.parent / name_of(2)).write_bytes(transcript(2, 1))
        wait_for(lambda: has(house, TWO, transcript(2, 1)))


def test_what_is_known_is_asked_at_a_rescan_only(
    house: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    former = tmp_path / "elsewhere" / "foo.sqlite"
    configure(house, former.with_suffix(".json"))
    asked: list[str] = []

    def counted(_: FileTable, place: str) -> str:
        asked.append(place)
        return "main"

    monkeypatch.setattr(FileTable, "agent_at", counted)
    with OtherProcess(former) as store:
        store.do("add_session", ONE, "agent:main:main")
        store.do("append", ONE, *transcript(1, 3).splitlines(keepends=True))
        with following(house) as running:
            configured_anew(running, house, None)
            store.do("append", ONE, message(4))
            wait_for(lambda: has(house, ONE, transcript(1, 4)))
            at_the_rescan, rescans = len(asked), running.loop.figures.rescans
            for number in range(5, 10):
                store.do("append", ONE, message(number))
                wait_for(partial(has, house, ONE, transcript(1, number)))
            later = running.loop.figures.rescans - rescans  # none, unless the machine is busy
            assert at_the_rescan > 0
            assert len(asked) - at_the_rescan <= at_the_rescan * later
