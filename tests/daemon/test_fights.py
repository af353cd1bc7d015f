"""A writer that never pauses against the running loop: whatever it saw on the way, it is level when there is quiet."""

import random
import threading
from pathlib import Path

import pytest

from tests.daemon.live import catch_up_options, following
from tests.mirror.busy_openclaw import take_over
from tests.mirror.household import household, name_of, session_id
from tests.mirror.rewrites import Rewriter
from tests.mirror_checks import exported, transcript_at, transcripts


@pytest.mark.parametrize("seed", [1, 2])
def test_random_rewrites_beside_the_loop_are_all_there_when_it_is_quiet(tmp_path: Path, seed: int) -> None:
    house = household(tmp_path)
    rng, pause = random.Random(seed), threading.Event()
    rewriters = [Rewriter(house, name_of(number), number, random.Random(number + seed)) for number in range(1, 6)]
    with following(house, rescan_seconds=0.7) as live:
        for _ in range(200):
            rng.choice(rewriters).step()
            pause.wait(rng.choice([0, 0, 0.002, 0.03]))
        live.level()
    assert len(transcripts(house.ledger_path)) == 5
    for rewriter in rewriters:
        row = transcript_at(house.ledger_path, rewriter.name)
        complete = rewriter.content[: rewriter.content.rfind(b"\n") + 1]
        assert exported(house.ledger_path, row.id, row.generation) == complete


@pytest.mark.parametrize("rescan_seconds", [0.3, 3600.0])
def test_resets_and_deletions_beside_the_loop_lose_no_session(tmp_path: Path, rescan_seconds: float) -> None:
    """Renames and recreations race with the looks; every session that ever had a line is in the ledger, once."""
    house, pause = household(tmp_path), threading.Event()
    # A writer may be kept from the processor between making a file and writing to it.
    chosen = catch_up_options(settle_seconds=5.0)
    with following(house, rescan_seconds=rescan_seconds, options=chosen) as live:
        for number in range(1, 121):
            take_over(house, number)
            pause.wait(0.004)
        live.level()
    rows = transcripts(house.ledger_path)
    assert sorted(row.session_id for row in rows) == sorted(session_id(1000 + number) for number in range(1, 121))
    assert {row.generation for row in rows} == {1}
    assert {row.state for row in rows} == {"live", "archived"}
