"""Numbers in a store beyond all that OpenClaw writes: read where they can be, else told, and the others go on."""

import pytest

from tests.mirror.household import Household, transcript
from tests.mirror.test_store import caught_up, live, store_path
from tests.mirror.test_store_faults import ONE, assert_others_go_on, house, same
from tests.openclaw_store import AgentStore

__all__ = ["house", "same"]


@pytest.mark.parametrize("seq", [2**63 - 1, -(2**63)])
def test_an_event_with_an_extreme_number_is_read_or_told_and_another_agents_database_goes_on(
    house: Household, seq: int
) -> None:
    with AgentStore(store_path(house)) as store:
        store.connection.execute("UPDATE transcript_events SET seq = ? WHERE seq = ?", (seq, 2 if seq > 0 else 0))
    if seq > 0:
        assert_others_go_on(house, "store_unknown")
        (difference,) = house.verify().differences
        assert "number" in difference.reason
    else:
        caught_up(house)
        assert live(house, ONE) == transcript(1, 3)


def test_a_length_that_no_session_has_is_told_and_another_agents_database_goes_on(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        store.connection.execute("PRAGMA ignore_check_constraints = ON")
        store.connection.execute(
            "UPDATE transcript_events SET event_json = NULL, event_zstd = x'00', event_utf8_bytes = ? WHERE seq = 2",
            (2**63 - 1,),
        )
        store.connection.execute("UPDATE transcript_rewrite_watermarks SET generation = 'another'")
    assert_others_go_on(house, "store_unknown")
