"""A job by itself: a real ledger, real files, and nobody else."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from syncd.clock import Clock, SystemClock
from syncd.jobs.job import Job, Outcome, Tools
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.writer import Writer
from syncd.mirror.catchup import CatchUp, CatchUpOptions, Pace, homes_of
from syncd.settings import Settings
from tests.mirror.household import Household

OPTIONS = CatchUpOptions(settle_seconds=0.0)


@contextmanager
def tools_for(house: Household, clock: Clock | None = None, **more: Any) -> Iterator[Tools]:
    clock = clock or SystemClock()
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        writer = Writer(ledger, clock)
        try:
            homes = tuple(homes_of(writer, [str(house.state_dir)], OPTIONS, CatchUp()))
            for home in homes:
                home.files.stats()
            yield replace(Tools(ledger, writer, clock, Settings(), homes, Pace(clock), OPTIONS), **more)
        finally:
            writer.close()


def done(job: Job, tools: Tools) -> tuple[Outcome, int]:
    """All steps of a run, without the pauses; its end, and how many they were."""
    outcome, steps = job(tools), 1
    while outcome.goes_on_after is not None:
        outcome = job(replace(tools, so_far=outcome.summary))
        steps += 1
    return outcome, steps
