"""One place under two names, or known to two state dirs: it is read once, under the name that it is known by."""

import json
from pathlib import Path

import pytest

from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import CatchUpOptions, catch_up
from tests.mirror.household import HandClock, Household, header, household, name_of, session_id
from tests.mirror.test_store import caught_up
from tests.mirror_checks import events, query
from tests.openclaw_store import AgentStore
from tests.usage_corpus import answer

COUNTED = "SELECT sum(messages) FROM daily_usage"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Household:
    monkeypatch.setenv("HOME", str(tmp_path))
    return household(tmp_path)


def configure(state_dir: Path, store: Path | None) -> None:
    config = {"session": {"store": str(store)}} if store is not None else {}
    (state_dir / "openclaw.json").write_text(json.dumps(config))


def paths(house: Household) -> list[tuple[str]]:
    return query(house.ledger_path, "SELECT path FROM transcripts WHERE state = 'live' ORDER BY id")


@pytest.mark.parametrize("is_stored", [True, False])
@pytest.mark.parametrize("is_real_first", [True, False])
def test_another_name_of_a_place_begins_nothing_anew(
    house: Household, tmp_path: Path, *, is_stored: bool, is_real_first: bool
) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    names = (real, link) if is_real_first else (link, real)

    def begin(number: int) -> None:
        content = header(number) + answer(number)
        if not is_stored:
            (real / name_of(number)).write_bytes(content)
            return
        with AgentStore(real / "foo.sqlite") as store:
            store.import_lines(session_id(number), content)

    begin(1)
    for number, name in enumerate((*names, None), 2):
        configure(house.state_dir, name / "foo.json" if name is not None else None)
        caught_up(house)
        begin(number)
        caught_up(house)
    assert query(house.ledger_path, COUNTED) == [(4,)]
    assert len(paths(house)) == 4
    assert {Path(path).parent if not is_stored else Path(path).parents[1] for (path,) in paths(house)} == {names[0]}
    assert {"migration", "stale", "gone"}.isdisjoint(events(house.ledger_path))
    assert house.catch_up().lines == 0


def test_a_place_that_goes_to_another_state_dir_is_read_for_that_one(house: Household, tmp_path: Path) -> None:
    shared, other = tmp_path / "shared", tmp_path / "other"
    shared.mkdir()
    (other / "agents").mkdir(parents=True)

    def both_caught_up() -> None:
        homes = [str(house.state_dir), str(other)]
        with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
            catch_up(ledger, HandClock(), homes, CatchUpOptions(environ={"HOME": str(tmp_path)}))

    configure(house.state_dir, shared / "foo.json")
    (shared / name_of(1)).write_bytes(header(1) + answer(1))
    both_caught_up()
    configure(house.state_dir, None)
    configure(other, shared / "foo.json")
    both_caught_up()
    for number in (2, 3, 4):
        (shared / name_of(number)).write_bytes(header(number) + answer(number))
        both_caught_up()
    of_each = "SELECT count(*) FROM transcripts GROUP BY installation_id ORDER BY installation_id"
    assert query(house.ledger_path, of_each) == [(1,), (4,)], "each its own, and the first one both had"
