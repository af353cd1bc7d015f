"""What a job is given, without a daemon around it: a household's ledger, its writer and its homes."""

from collections.abc import Iterator
from contextlib import contextmanager

from syncd.jobs.job import Tools
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.writer import Writer
from syncd.mirror.catchup import CatchUp, CatchUpOptions, Pace, homes_of
from syncd.mirror.index_look import IndexOptions
from syncd.settings import Settings
from tests.mirror.household import HandClock, Household


@contextmanager
def tools_of(house: Household, clock: HandClock | None = None, pace: Pace | None = None) -> Iterator[Tools]:
    clock = clock or HandClock()
    options = CatchUpOptions(index=IndexOptions({}, ("*",), 60.0), environ={}, lock_wait_seconds=0.0)
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        writer = Writer(ledger, clock)
        try:
            homes = tuple(homes_of(writer, [str(house.state_dir)], options, CatchUp()))
            yield Tools(ledger, writer, clock, Settings(), homes, pace or Pace(clock), options)
        finally:
            writer.close()
