"""A kill between the two steps in which one side of a session takes over from the other."""

import os
from pathlib import Path

import pytest

from syncd.mirror.sides import Sides
from tests.mirror.household import header, household, name_of, session_id
from tests.mirror.test_store import caught_up, store_path
from tests.mirror_checks import exported, transcripts
from tests.openclaw_store import AgentStore
from tests.usage_corpus import answer


class KilledError(BaseException):
    """Nobody catches it."""


@pytest.mark.parametrize("is_removed", [False, True])
def test_the_newer_side_is_the_source_again_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_removed: bool
) -> None:
    house = household(tmp_path)
    newer = header(1) + answer(1) + answer(2) + answer(3)
    with AgentStore(store_path(house)) as store:
        store.import_lines(session_id(1), newer)
    caught_up(house)
    older = house.write(name_of(1), header(1) + answer(1) + answer(4) + answer(5))
    os.utime(older, (1_700_000_000, 1_700_000_000))

    def killed(*_: object) -> None:
        raise KilledError

    with monkeypatch.context() as context:
        context.setattr(Sides, "_take_over", killed)
        with pytest.raises(KilledError):
            house.catch_up()
    if is_removed:
        older.unlink()
    caught_up(house)
    (row,) = transcripts(house.ledger_path)
    assert exported(house.ledger_path, row.id, row.generation) == newer
