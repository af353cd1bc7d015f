"""Retention works in small steps, and what happens between two of them counts."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from syncd.jobs.pinning import pin_errand
from syncd.jobs.policies import Policies
from syncd.jobs.retention import apply
from syncd.jobs.retention_plan import plan_retention
from syncd.mirror.catchup import Pace
from tests.jobs.old_sessions import DAY, LateClock, hands_of, settle, talk
from tests.mirror.household import HandClock, Household, name_of, session_id
from tests.mirror.indexed import entry, index_text
from tests.mirror_checks import query


class _BusyPace(Pace):
    """Something happens at every border."""

    def __init__(self, clock: HandClock, happening: Callable[[], None]) -> None:
        super().__init__(clock)
        self._happening = happening

    def at_border(self) -> None:
        self._happening()


@pytest.mark.parametrize("event", ["pinned", "locked", "back"])
def test_what_changed_since_the_plan_was_made_stays(house: Household, event: str) -> None:
    house.write(name_of(1), talk(1))
    house.write(name_of(2), talk(2))
    house.write("sessions.json", index_text({"agent:main:one": entry(1), "agent:main:two": entry(2)}))
    settle(house)
    house.write("sessions.json", index_text({"agent:main:two": entry(2)}))
    settle(house)
    settle(house, days=1)
    with hands_of(house, LateClock(100)) as hands:
        ledger = hands.writer.ledger
        assert plan_retention(ledger, Policies(removed_sessions=30 * DAY), hands.writer.clock.now_ms()).items

        def happens() -> None:
            if event == "pinned":
                pin_errand(hands, {"session": session_id(1)})
            elif event == "locked":
                now = datetime.fromtimestamp(hands.writer.clock.now_ms() / 1000, UTC)
                lock = {"pid": os.getpid(), "createdAt": now.isoformat()}
                house.write(f"{name_of(1)}.lock", json.dumps(lock).encode())
            else:
                ledger.run("UPDATE sessions SET status = 'live', removed_at = NULL")

        pace = _BusyPace(LateClock(100), happens)
        done = apply(hands._replace(pace=pace), Policies(removed_sessions=30 * DAY))
    assert done.sessions == 0
    assert query(house.ledger_path, "SELECT count(*) FROM transcripts") == [(2,)]


@pytest.mark.parametrize("index", [{"agent:main:one": entry(1)}, {"agent:main:renamed": entry(1)}, None])
def test_what_openclaw_still_has_is_never_purged_as_removed(house: Household, index: dict[str, object] | None) -> None:
    """Whatever the ledger believes; None: an index that cannot be read may have it."""
    house.write(name_of(1), talk(1))
    house.write("sessions.json", index_text({"agent:main:one": entry(1)}))
    settle(house)
    house.write("sessions.json", index_text({}))
    settle(house)
    settle(house, days=1)
    with hands_of(house, LateClock(100)) as hands:
        house.write("sessions.json", index_text(index) if index is not None else b"{")
        for policies in (Policies(removed_sessions=30 * DAY), Policies(max_ledger_bytes=1)):
            assert apply(hands, policies).sessions == 0
        house.write("sessions.json", index_text({"agent:main:two": entry(2)}))
        assert apply(hands, Policies(removed_sessions=30 * DAY)).sessions == 1
