"""`syncd retention` removes what its plan named, and nothing else."""

import re
from pathlib import Path

import pytest

from syncd.jobs.policies import Policies
from syncd.jobs.retention import Named, apply
from syncd.jobs.retention_plan import Item, mark_of, plan_retention, used_bytes
from syncd.ledger.database import open_for_reading
from tests.conftest import Cli
from tests.jobs.old_sessions import DAY, OLD_MS, LateClock, call, hands_of, settle, tool_result
from tests.jobs.traces import places_with
from tests.mirror.household import Household, header, message, name_of, transcript
from tests.mirror.indexed import entry, index_text
from tests.mirror_checks import query

GONE_KEY = "agent:main:direct:1"


YESTERDAY = -1
"""By a clock that is ahead when it has waited, what was removed just now is removed in the future."""


@pytest.fixture
def packed(house: Household) -> Household:
    """A removed session, and results that are long, but pack to next to nothing."""
    house.write(name_of(1), header(1) + message(1, "short"))
    house.write(name_of(2), transcript(2, 2))
    house.write(name_of(3), header(3) + call(2) + tool_result(3, "again and " * 30_000))
    house.write("sessions.json", index_text({GONE_KEY: entry(1), "agent:main:main": entry(2)}))
    settle(house, YESTERDAY)
    house.rename(name_of(1), f"{name_of(1)}.deleted.2026-11-16T04-22-14.522Z")
    house.write("sessions.json", index_text({"agent:main:main": entry(2)}))
    for _ in range(3):
        settle(house, YESTERDAY)
    return house


def test_all_that_goes_was_named_in_the_plan(packed: Household, cli_in_process: Cli, tmp_path: Path) -> None:
    with open_for_reading(packed.ledger_path) as ledger:
        cap = used_bytes(ledger) // 2
    own = tmp_path / "syncd.yaml"
    own.write_text(f"retention: {{max_ledger_bytes: {cap}}}\n")
    planned = cli_in_process("--config", own, "retention", "--dry-run", env=packed.environ)
    done = cli_in_process("--config", own, "retention", env=packed.environ)
    went = query(packed.ledger_path, "SELECT what, why FROM tombstones ORDER BY id")
    assert went == [("tool_results", "max_ledger_bytes"), ("session", "max_ledger_bytes")]
    for told in (planned.stdout, done.stderr):
        assert "until the ledger is small enough: 2 things, at most " in told
        assert "tool_results of transcript 3, at most 300 kB" in told
        assert GONE_KEY in told
    assert f"purged: {GONE_KEY}" in done.stdout
    assert re.search("above max_ledger_bytes, and all the rest of it is live", done.stdout)
    assert places_with(packed.ledger_path.parent, GONE_KEY) == []  # told, not written down


def test_what_the_plan_did_not_name_stays_though_the_cap_is_not_reached(packed: Household) -> None:
    cap = Policies(max_ledger_bytes=1)
    with hands_of(packed, LateClock(0.1)) as hands:
        planned = plan_retention(hands.writer.ledger, cap, hands.writer.clock.now_ms())
        results, session = planned.items
        assert (results.what, session.what) == ("tool_results", "session")
        first = apply(hands, cap, Named(planned.made_at, frozenset({mark_of(results)})))
        assert (first.ok, first.left, first.sessions, first.gone) == (False, 1, 0, [])
        assert str(first.document()["reason"]).endswith("more is to go than the plan named: a next run plans anew")
        again = apply(hands, cap, Named(planned.made_at, frozenset({mark_of(session)})))
        assert (again.ok, again.left, [item.wanted for item in again.gone]) == (False, 0, [session.wanted])
        assert str(again.document()["reason"]).endswith("all the rest of it is live")


def test_what_grew_old_enough_since_the_plan_waits_for_the_next(house: Household) -> None:
    def rows() -> object:
        return query(house.ledger_path, "SELECT count(*) FROM _cut_results")

    house.write(name_of(1), header(1) + call(2) + tool_result(3, "one") + call(4) + tool_result(5, "two", OLD_MS + 10))
    settle(house)
    with hands_of(house, LateClock(400)) as hands:
        ledger, policies = hands.writer.ledger, Policies(tool_results=DAY)
        made_at = OLD_MS + DAY * 1000 + 5
        (item,) = plan_retention(ledger, policies, made_at).items
        assert item.entries == 1
        named = Named(made_at, frozenset({mark_of(item)}))
        assert apply(hands, policies, named).removed["tool_results"].entries == 1
        assert rows() == [(1,)]
        assert apply(hands, policies, Named(hands.writer.clock.now_ms(), frozenset())).left == 1
        assert rows() == [(1,)]


def test_the_cap_names_younger_results_of_a_transcript_whose_old_ones_go_by_age(house: Household) -> None:
    young = OLD_MS + 300 * DAY * 1000
    house.write(name_of(1), header(1) + call(2) + tool_result(3, "one") + call(4) + tool_result(5, "two", young))
    settle(house)
    policies = Policies(tool_results=200 * DAY, max_ledger_bytes=1)
    with hands_of(house, LateClock(0)) as hands:
        planned = plan_retention(hands.writer.ledger, policies, OLD_MS + 400 * DAY * 1000)
        assert [_about(item) for item in planned.items] == [("tool_results", 1), ("max_ledger_bytes", 1)]
        only_old = Named(planned.made_at, frozenset({mark_of(planned.items[0])}))
        assert apply(hands, policies, only_old).left == 1
        assert query(house.ledger_path, "SELECT count(*) FROM _cut_results") == [(1,)]
        named = Named(planned.made_at, frozenset(map(mark_of, planned.items)))
        assert apply(hands, policies, named).left == 0
        assert query(house.ledger_path, "SELECT count(*) FROM _cut_results") == [(2,)]


def _about(item: Item) -> tuple[str, int]:
    return item.policy, item.entries
