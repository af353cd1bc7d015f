"""Any history of one agent on both sides, looked at by catch-ups. After each look nothing that was ever seen is lost,
`verify` is equal, a second look finds nothing, and every answer is counted once.
"""

import json
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings

from tests.examples import examples
from tests.mirror.both_sides import Act, Agent, histories
from tests.mirror_checks import assert_sound


def look(agent: Agent) -> None:
    found = agent.house.catch_up()
    assert (found.problems, found.in_progress) == ([], [])
    assert agent.house.catch_up().lines == 0, "a second look has nothing to read"
    agent.remember()
    agent.assert_kept()
    lines = {line for seen in agent.seen.values() for content in seen for line in content.splitlines()}
    answers = {entry["id"] for entry in map(json.loads, lines) if entry["type"] == "message"}
    assert agent.answers_counted() == len(answers)
    assert_sound(agent.house.ledger_path)


GROWN_AND_PUT_BACK = [
    ("write", 1, True), ("import_", 1, True), ("append_stored", 1, True), ("delete_into_archive", 1, False),
    ("publish_archive", 1, True), ("put_back", 1, True), ("write", 1, True),
]  # fmt: skip
STALE_BESIDE_AN_ARCHIVE = [
    ("write", 1, True), ("import_and_keep", 1, True), ("append_stored", 1, True), ("delete_into_archive", 1, False),
    ("publish_archive", 1, True), ("swap_database", 1, True), ("write", 1, True),
]  # fmt: skip
"""Both made `verify` differ for ever once; chance alone rarely finds histories so long."""


@example(GROWN_AND_PUT_BACK)
@example(STALE_BESIDE_AN_ARCHIVE)
@settings(max_examples=examples(10), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories(16))
def test_whatever_moves_between_files_and_database_nothing_is_lost_or_counted_twice(acts: list[Act]) -> None:
    play(acts)


def play(acts: list[Act]) -> None:
    with tempfile.TemporaryDirectory() as place:
        agent = Agent(Path(place))
        try:
            for what, number, is_seen in acts:
                agent.act(what, number)
                if is_seen:
                    look(agent)
            look(agent)
        finally:
            agent.store.close()
