"""Any history of a store: equal after each look, every content that was ever seen kept, and deaths leave no trace."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from syncd.clock import SystemClock
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import CatchUpOptions, Pace, catch_up
from tests.derived_rows import derived_rows
from tests.examples import examples
from tests.mirror.household import Household, header, household, message, session_id, transcript
from tests.mirror.test_store import store_path
from tests.mirror_checks import assert_sound, exported, generations, transcripts
from tests.openclaw_store import AgentStore

NUMBERS = (1, 2, 3)
STEPS = (
    "append", "append_packed", "append_many", "remove", "replace", "rewrite", "delete", "new", "restart", "checkpoint",
)  # fmt: skip
Step = tuple[str, int, int, bool]


class History:
    """A store, what its sessions held whenever somebody looked, and the ledger that must know it."""

    def __init__(self, place: Path, schema: int) -> None:
        self.house, self.schema = household(place), schema
        self.store = AgentStore(store_path(self.house), schema)
        self.seen: dict[str, list[bytes]] = {session_id(number): [] for number in NUMBERS}
        self.said = 0

    def events(self, number: str) -> int:
        return self.store.content(number).count(b"\n")

    def step(self, what: str, number: int, size: int) -> None:
        session, store = session_id(number), self.store
        count = self.events(session)
        self.said += 1
        said = message(self.said, f"{what} {self.said} " + "x" * size)
        if what == "restart":
            store.close()
            self.store = AgentStore(store.path, self.schema)
        elif what == "checkpoint":
            store.checkpoint()
        elif not count:
            store.delete_session(session)
            store.add_session(session)
            store.append(session, header(number))
        elif what == "append_packed" and self.schema >= 23:
            store.append(session, said, is_packed=True)
        elif what == "append_many":
            store.append(session, *(message(self.said + each, "many") for each in range(size % 7)))
        elif what == "remove" and count > 1:
            store.remove_trailing(session, 1 + size % (count - 1))
        elif what == "replace":
            store.replace(session, header(number) + said + transcript(number, size % 5)[len(header(number)) :])
        elif what == "rewrite" and count > 1 and b'"replaced"' not in store.content(session):
            seq = 1 + size % (count - 1)
            if store.is_plain(session, seq):
                store.rewrite_row(session, seq, said)
        elif what == "delete":
            store.delete_session(session)
        else:
            store.append(session, said)

    def look(self) -> None:
        result = self.house.catch_up()
        assert result.problems == []
        for session, contents in self.seen.items():
            if content := self.store.content(session):
                contents.append(content)

    def check(self) -> None:
        assert self.house.verify().differences == []
        for session, contents in self.seen.items():
            present = self.store.content(session)
            kept = []
            for row in transcripts(self.house.ledger_path, "session_id = ?", session):
                kept += generations(self.house.ledger_path, row)
                if present and row.state == "live":
                    assert exported(self.house.ledger_path, row.id, row.generation) == present
            for content in contents:
                assert any(each.startswith(content) for each in kept)
        assert_sound(self.house.ledger_path)


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from((4, 13, 19, 23)),
    st.lists(
        st.tuples(st.sampled_from(STEPS), st.sampled_from(NUMBERS), st.integers(0, 3000), st.booleans()),
        min_size=1,
        max_size=14,
    ),
)
def test_any_history_of_a_store_is_mirrored_and_every_content_kept(schema: int, steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as place:
        history = History(Path(place), schema)
        try:
            for what, number, size, is_seen in steps:
                history.step(what, number, size)
                if is_seen:
                    history.look()
            history.look()
            history.check()
        finally:
            history.store.close()


class Death(Exception):
    pass


class Mortal(Pace):
    """Ends after so many borders, in the middle of whatever is not committed."""

    slice_bytes = 512

    def __init__(self, borders: int) -> None:
        super().__init__(SystemClock())
        self._borders = borders

    def at_border(self) -> None:
        self._borders -= 1
        if self._borders < 0:
            raise Death


def test_a_death_at_any_border_leaves_the_same_rows_as_none(tmp_path: Path) -> None:
    def written(house: Household) -> Household:
        with AgentStore(store_path(house)) as store:
            for number in NUMBERS:
                store.import_lines(session_id(number), transcript(number, 12))
        return house

    whole = written(household(tmp_path / "whole"))
    whole.catch_up()
    house = written(household(tmp_path / "mortal"))
    deaths = 0
    for borders in range(40):
        with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
            try:
                catch_up(ledger, SystemClock(), [str(house.state_dir)], CatchUpOptions(), pace=Mortal(borders))
                break
            except Death:
                deaths += 1
    assert deaths > 2
    assert house.verify().ok
    assert derived_rows(house.ledger_path) == derived_rows(whole.ledger_path)
