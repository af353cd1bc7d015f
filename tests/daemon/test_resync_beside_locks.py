"""A resync that the daemon does for somebody: what OpenClaw holds is waited for, then named, as without a daemon."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from syncd.daemon.figures import Figures
from syncd.daemon.following import _read_indexes
from syncd.daemon.index_follow import IndexFollower
from syncd.ledger.tally import Tally
from syncd.mirror.catchup import CatchUp
from syncd.mirror.trajectory_store import Scope
from syncd.sources import store_opening
from tests.mirror.household import session_id, transcript
from tests.mirror.indexed import Indexed, indexed
from tests.mirror.stores import database
from tests.openclaw_store import AgentStore

ONE, KEY = session_id(1), "agent:main:main"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Indexed]:
    monkeypatch.setattr(store_opening, "_BUSY_MS", 1)
    with indexed(tmp_path) as made:
        yield made


@pytest.fixture
def store(index: Indexed) -> Iterator[AgentStore]:
    """Held alone by OpenClaw, where a log cannot be."""
    with AgentStore(database(index.house)) as made:
        made.import_lines(ONE, transcript(1, 3), KEY)
        made.record(ONE, b'{"event":1}')
        made.use_journal()
        made.connection.execute("BEGIN EXCLUSIVE")
        yield made
        if made.connection.in_transaction:
            made.connection.execute("ROLLBACK")


def follower(index: Indexed) -> IndexFollower:
    return IndexFollower(index.writer, index.files, index.options, Figures())


@pytest.mark.usefixtures("store")
def test_what_stays_locked_is_named(index: Indexed) -> None:
    result, following = CatchUp(), follower(index)
    _read_indexes(following, result, lambda _: False)
    told = [
        *result.problems,
        *following.compare_trajectories(Scope(("*",), index.options.environ, known_places=index.files), Tally()),
    ]
    assert [(each.path, each.code) for each in told] == [(str(database(index.house)), "store_busy")] * 2
    assert following.degraded == ()  # for a moment it is none


def test_what_is_let_go_meanwhile_is_read(index: Indexed, store: AgentStore) -> None:
    waits = iter([False, False, True])

    def wait(seconds: float) -> bool:
        index.clock.sleep(seconds)
        if next(waits):
            store.connection.execute("ROLLBACK")
        return True

    result, following = CatchUp(), follower(index)
    _read_indexes(following, result, wait)
    assert (result.problems, result.sessions) == ([], 1)
    tally = Tally()
    assert following.compare_trajectories(Scope(("*",), index.options.environ, known_places=index.files), tally) == []
    assert tally.lines == 1


@pytest.mark.usefixtures("store")
def test_trajectories_that_were_locked_are_looked_at_again_soon(index: Indexed, store: AgentStore) -> None:
    following = follower(index)
    following.look_at_trajectories()
    due = following.next_due_at()
    assert due is not None
    store.connection.execute("ROLLBACK")
    index.clock.sleep(due - index.clock.monotonic())
    following.look_if_due()
    query = "SELECT lines FROM transcripts WHERE kind = 'trajectory'"
    assert index.rows(query) == [(1,)]
