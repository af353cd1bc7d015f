"""Why a key let go of a session id."""

from typing import Any

import pytest

from syncd.openclaw.config_file import OpenClawConfig
from syncd.openclaw.endings import Evidence, ended_by

NEW = "0b000000-0000-4000-8000-00000000000b"
HOUR = 3_600_000
FOUR = 1_794_801_600_000  # four in the morning, somewhere


def why(
    old: dict[str, Any] | None = None,
    new: dict[str, Any] | None = None,
    evidence: Evidence | None = None,
    config: OpenClawConfig | None = None,
    new_id: str = NEW,
) -> str:
    before = {"sessionId": "old", "updatedAt": FOUR + HOUR, **(old or {})}
    after = {"sessionId": new_id, "updatedAt": FOUR + 2 * HOUR, **(new or {})}
    found = evidence or Evidence()
    return ended_by(before, after, new_id, found._replace(day_began_at=FOUR), config or OpenClawConfig())


def test_a_new_id_within_the_day_is_a_reset() -> None:
    assert why() == "reset"
    assert why(evidence=Evidence(has_reset_archive=True)) == "reset"


def test_a_new_id_after_the_daily_hour_is_a_rollover() -> None:
    assert why(old={"updatedAt": FOUR - 1}) == "rollover"
    assert why(old={"updatedAt": FOUR - 1}, evidence=Evidence(has_reset_archive=True)) == "rollover"
    assert why(old={"updatedAt": FOUR + 5, "lastInteractionAt": FOUR - 1}) == "rollover"
    assert why(old={"updatedAt": FOUR - 1}, config=OpenClawConfig(resets_daily=False)) == "reset"


def test_a_new_id_after_the_idle_time_is_a_rollover() -> None:
    config = OpenClawConfig(idle_minutes=60)
    assert why(config=config) == "rollover"
    assert why(old={"lastInteractionAt": FOUR + 2 * HOUR - 1}, config=config) == "reset"


def test_without_any_time_it_is_a_reset() -> None:
    assert why(old={"updatedAt": None}, new={"updatedAt": None}) == "reset"


def test_a_successor_of_the_old_transcript_is_a_compaction() -> None:
    assert why(evidence=Evidence(is_successor=True)) == "compaction"
    points = [{"preCompaction": {"sessionId": "old"}, "postCompaction": {"sessionId": NEW}}]
    assert why(new={"compactionCheckpoints": points}) == "compaction"
    assert why(new={"compactionCheckpoints": [7, {"postCompaction": {"sessionId": "other"}}]}) == "reset"


def test_a_restored_checkpoint_is_a_rewind() -> None:
    assert why(evidence=Evidence(is_from_checkpoint=True)) == "rewind"


def test_an_entry_that_became_a_fork_was_forked() -> None:
    assert why(new={"forkedFromParent": True}) == "fork"
    assert why(old={"forkedFromParent": True}, new={"forkedFromParent": True}) == "reset"
    assert why(new={"forkSource": {"sessionKey": "agent:main:main", "sessionId": "old"}}) == "fork"


@pytest.mark.parametrize("evidence", [Evidence(is_id_known=True), Evidence()])
def test_an_id_that_is_older_or_was_named_by_a_person_is_a_switch(evidence: Evidence) -> None:
    assert why(evidence=evidence, new_id=NEW if evidence.is_id_known else "my-notes") == "switch"


def test_a_transcript_set_aside_as_corrupt_means_recovery() -> None:
    assert why(evidence=Evidence(has_corrupt_copy=True)) == "recovery"
    assert why(evidence=Evidence(has_corrupt_copy=True, has_reset_archive=True)) == "reset"
