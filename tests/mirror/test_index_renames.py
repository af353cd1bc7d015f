"""Keys that OpenClaw spells anew: a session keeps its row under whatever key it goes by."""

import pytest

from tests.mirror.household import session_id
from tests.mirror.indexed import MAIN, NOW, TELEGRAM, Indexed, entry


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("agent:main:Telegram:direct:4242", TELEGRAM),
        ("main", MAIN),
        ("agent:main:main", "agent:main:home"),
        ("+15551234567", "agent:main:whatsapp:direct:+15551234567"),
    ],
)
def test_a_renamed_key_keeps_its_row(index: Indexed, old: str, new: str) -> None:
    index.write({old: entry(1, label="mine"), "agent:main:cron:x": entry(3)})
    index.settle()
    row = index.sessions()[old]
    index.write({new: entry(1, updated_at=NOW + 1, label="mine"), "agent:main:cron:x": entry(3)})
    assert index.look().changed == 1
    assert index.sessions()[new]["id"] == row["id"]
    assert set(index.live()) == {new, "agent:main:cron:x"}
    assert index.sessions("removed") == {}
    assert index.pairings()[old, session_id(1)] == "migrated"
    assert index.pairings()[new, session_id(1)] is None
    assert index.versions(new) == [entry(1, label="mine"), {"updatedAt": NOW + 1}]
    [(kind, detail)] = index.events()
    assert (kind, detail["former_key"], detail["session_key"]) == ("session_renamed", old, new)
    index.confirm()
    assert set(index.live()) == {new, "agent:main:cron:x"}


def test_keys_collapsed_into_one_that_stays_are_folded_and_not_deleted(index: Indexed) -> None:
    upper = "agent:main:Telegram:direct:4242"
    index.write({upper: entry(1), TELEGRAM: entry(1, updated_at=NOW + 1)})
    index.settle()
    index.write({TELEGRAM: entry(1, updated_at=NOW + 2)})
    index.confirm()
    assert set(index.live()) == {TELEGRAM}
    assert index.pairings() == {(upper, session_id(1)): "migrated", (TELEGRAM, session_id(1)): None}


def test_several_variants_collapsed_into_a_new_key_leave_one_row(index: Indexed) -> None:
    variants = ["agent:main:Telegram:direct:4242", "agent:main:TELEGRAM:direct:4242"]
    index.write({variants[0]: entry(1), variants[1]: entry(1, updated_at=NOW + 1)})
    index.settle()
    kept = index.sessions()[variants[1]]["id"]
    index.write({TELEGRAM: entry(1, updated_at=NOW + 2)})
    index.confirm()
    assert {key: row["id"] for key, row in index.sessions().items()} == {TELEGRAM: kept}
    assert index.pairings() == {
        (variants[0], session_id(1)): "migrated",
        (variants[1], session_id(1)): "migrated",
        (TELEGRAM, session_id(1)): None,
    }


def test_an_older_entry_under_another_key_is_no_rename(index: Indexed) -> None:
    index.write({MAIN: entry(1, updated_at=NOW + 5)})
    index.settle()
    index.write({TELEGRAM: entry(1, updated_at=NOW)})
    index.confirm()
    assert set(index.live()) == {TELEGRAM}
    assert set(index.sessions("removed")) == {MAIN}


def test_a_key_may_be_renamed_back(index: Indexed) -> None:
    for number, key in enumerate((MAIN, TELEGRAM, MAIN)):
        index.write({key: entry(1, updated_at=NOW + number)})
        index.settle()
    assert set(index.live()) == {MAIN}
    assert index.rows("SELECT count(*) FROM sessions") == [(1,)]
    assert index.pairings() == {(MAIN, session_id(1)): None, (TELEGRAM, session_id(1)): "migrated"}
