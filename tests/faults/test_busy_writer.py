"""A writer that never pauses, and many files rewritten at once: sound after every look, equal when it is quiet."""

import random
import threading
from pathlib import Path

import pytest

from tests.mirror.busy_openclaw import take_over
from tests.mirror.household import household, name_of, session_id
from tests.mirror.rewrites import Rewriter
from tests.mirror_checks import (
    assert_mirrors,
    assert_sound,
    exported,
    generations,
    mirrored,
    transcript_at,
    transcripts,
)


@pytest.mark.parametrize("seed", range(5))
def test_two_hundred_random_rewrites_of_four_files_are_mirrored_and_every_generation_comes_back(
    tmp_path: Path, seed: int
) -> None:
    house = household(tmp_path)
    rng = random.Random(seed)
    rewriters = [Rewriter(house, name_of(number), number, rng) for number in range(1, 5)]
    for number in range(200):
        if number % 40 == 0:
            mirrored(house)
        else:
            house.catch_up()
            assert house.verify().differences == []
        for rewriter in rewriters:
            rewriter.seen()
            row = transcript_at(house.ledger_path, rewriter.name)
            assert row.generation == len(rewriter.generations)
            assert exported(house.ledger_path, row.id, row.generation) == rewriter.generations[-1]
        for rewriter in rng.sample(rewriters, rng.randint(1, 3)):
            for _ in range(rng.choice([1, 1, 1, 3])):
                rewriter.step()
    mirrored(house)
    for rewriter in rewriters:
        rewriter.seen()
        assert generations(house.ledger_path, transcript_at(house.ledger_path, rewriter.name)) == rewriter.generations


def test_looks_beside_a_writer_that_never_pauses_are_sound_and_equal_once_it_does(tmp_path: Path) -> None:
    house = household(tmp_path)
    rewriters = [Rewriter(house, name_of(number), number, random.Random(number)) for number in range(1, 7)]
    stop = threading.Event()

    def write() -> None:
        rng = random.Random(99)
        while not stop.is_set():
            rng.choice(rewriters).step()
            stop.wait(rng.choice([0, 0, 0.001, 0.01]))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(40):
            house.catch_up_in_real_time()
            assert_sound(house.ledger_path)
    finally:
        stop.set()
        writer.join()
    mirrored(house)
    assert len(transcripts(house.ledger_path)) == 6


def test_resets_and_deletions_beside_a_running_look_lose_no_session(tmp_path: Path) -> None:
    """Renames, recreations and removals race with the listing; every session that ever had a line is in the ledger."""
    house = household(tmp_path)
    stop = threading.Event()
    made: list[int] = []

    def write() -> None:
        while not stop.is_set() and len(made) < 300:
            made.append(take_over(house, len(made) + 1))
            stop.wait(0.002)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        while writer.is_alive():
            house.catch_up_in_real_time()
            assert_sound(house.ledger_path)
    finally:
        stop.set()
        writer.join()
    mirrored(house)
    found = [row.session_id for row in transcripts(house.ledger_path)]
    assert sorted(found) == sorted({session_id(number) for number in made})
    assert {row.generation for row in transcripts(house.ledger_path)} == {1}
    assert_mirrors(house)
