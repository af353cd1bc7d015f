"""Random histories of an index, good and bad states mixed, against a model of what was ever readable."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.mirror.indexed import Indexed, entry, indexed

KEYS = ("agent:main:main", "agent:main:Telegram:direct:1", "agent:main:telegram:direct:1", "agent:main:cron:j")
NOW = 1_794_802_930_000

entries = st.dictionaries(
    st.sampled_from(KEYS), st.tuples(st.integers(1, 4), st.sampled_from(["a", "b", None])), max_size=len(KEYS)
)
steps = st.lists(
    st.one_of(
        entries,
        st.sampled_from(["empty", "torn", "absent", "look", "look", "wait", "confirm", "restart"]),
    ),
    max_size=14,
)


class Model:
    """What must be in the ledger after the looks so far."""

    def __init__(self, index: Indexed) -> None:
        self.index = index
        self.written: dict[str, Any] = {}
        self.is_readable = False
        self.seen: dict[str, Any] = {}
        self.pairings: set[tuple[str, str]] = set()

    def write(self, chosen: dict[str, tuple[int, str | None]], number: int) -> None:
        self.written = {
            key: entry(which, updated_at=NOW + number, **({"label": label} if label else {}))
            for key, (which, label) in chosen.items()
        }
        self.index.write(self.written)
        self.is_readable = True

    def spoil(self, how: str) -> None:
        path = self.index.path()
        self.is_readable = False
        if how == "absent":
            path.unlink(missing_ok=True)
            self.seen = {}  # an absence may be confirmed meanwhile
        else:
            path.write_bytes(b"" if how == "empty" else b'{\n  "agent:main:main": {\n    "sess')

    def look(self) -> None:
        self.index.settle(2)
        if self.is_readable:
            self.seen = self.written
            self.pairings |= {(key, value["sessionId"]) for key, value in self.written.items()}

    def check(self) -> None:
        live = self.index.live()
        # What was last read well is there; what it no longer holds may be waiting for its confirmation.
        assert {key: live[key] for key in self.seen} == self.seen
        assert set(self.index.pairings()) == self.pairings
        for key, value in self.seen.items():
            assert self.index.pairings()[key, value["sessionId"]] is None
        self.check_versions()

    def check_versions(self) -> None:
        """Every version laid upon the one before gives the entry as it is now."""
        for row in (self.index.sessions() | self.index.sessions("removed")).values():
            replayed: dict[str, Any] = {}
            query = "SELECT changed_json FROM session_versions WHERE session = ? ORDER BY id"
            for (text,) in self.index.rows(query, row["id"]):
                replayed |= json.loads(text)
            assert {k: v for k, v in replayed.items() if v is not None} == json.loads(row["entry_json"])


@settings(max_examples=examples(20), deadline=None, suppress_health_check=list(HealthCheck))
@given(steps)
def test_whatever_state_the_index_was_in_the_ledger_has_its_last_good_reading(
    tmp_path_factory: pytest.TempPathFactory, doings: list[Any]
) -> None:
    with indexed(tmp_path_factory.mktemp("index")) as index:
        model = Model(index)
        for number, doing in enumerate(doings):
            if isinstance(doing, dict):
                model.write(doing, number)
            elif doing in ("empty", "torn", "absent"):
                model.spoil(doing)
            elif doing == "restart":
                index.restart()
            elif doing == "wait":
                index.clock.sleep(20)
            else:
                model.look()
                if doing == "confirm" and model.is_readable:
                    index.clock.sleep(61)
                    model.look()
                    assert index.live() == model.written
            model.check_versions()
            if doing in ("look", "confirm"):
                model.check()
                before = index.writes()
                index.look()
                assert index.writes() == before
        model.write({KEYS[0]: (1, "last")}, len(doings))
        model.look()
        index.clock.sleep(61)
        model.look()
        assert index.live() == model.written
        model.check()
