"""Random rewrites: equal after each, and every generation that was ever seen comes back as it was.

Fifty of one file; two hundred of four at a time are in tests/faults.
"""

import random
from pathlib import Path

from tests.mirror.household import household, name_of
from tests.mirror.rewrites import Rewriter
from tests.mirror_checks import assert_file, exported, generations, mirrored, only_transcript, rows_of


def test_fifty_random_rewrites_are_mirrored_and_every_generation_comes_back(tmp_path: Path) -> None:
    house = household(tmp_path)
    rewriter = Rewriter(house, name_of(1), 1, random.Random(20261116))
    history: list[str] = []
    for number in range(50):
        if number % 10 == 0:
            mirrored(house)  # all that must hold, for every generation
        else:
            house.catch_up()
        rewriter.seen()
        row = only_transcript(house.ledger_path)
        assert row.generation == len(rewriter.generations), history[-5:]
        assert_file(house, row.path)
        assert exported(house.ledger_path, row.id, row.generation) == rewriter.generations[-1], history[-5:]
        if row.generation > 1:
            assert exported(house.ledger_path, row.id, row.generation - 1) == rewriter.generations[-2], history[-5:]
        assert len(rows_of(house.ledger_path, row.id, row.generation)) <= row.lines
        assert house.verify().differences == [], history[-5:]
        history.append(rewriter.step())
    mirrored(house)
    rewriter.seen()
    assert generations(house.ledger_path, only_transcript(house.ledger_path)) == rewriter.generations
    assert len(rewriter.generations) > 10
