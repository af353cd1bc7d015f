"""Handles of OpenClaw's databases that stay open between questions: not while something else takes its time."""

import os
import time
from pathlib import Path

from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import CatchUpOptions, Pace, catch_up
from syncd.sources import store_opening
from tests.mirror.household import HandClock, header, household, session_id
from tests.mirror.test_store import store_path
from tests.openclaw_store import OtherProcess
from tests.usage_corpus import answer

LATER = 10.0  # more than a handle is kept for


def open_files() -> list[str]:
    links = (f"/proc/self/fd/{descriptor}" for descriptor in os.listdir("/proc/self/fd"))
    return [os.readlink(link) for link in links if os.path.lexists(link)]


def test_one_database_is_let_go_of_while_another_is_read(tmp_path: Path) -> None:
    house = household(tmp_path)
    alpha, beta = store_path(house, "alpha"), store_path(house, "beta")
    seen: list[tuple[int, int]] = []

    class Slow(Pace):
        def at_border(self) -> None:
            files = open_files()
            seen.append((files.count(str(alpha)), files.count(str(beta))))
            for kept in store_opening._keeper.kept.handles.values():
                kept.since = time.monotonic() - LATER

    with OtherProcess(alpha) as one, OtherProcess(beta) as two:
        one.do("import_lines", session_id(1), header(1) + answer(1))
        for number in range(2, 5):
            two.do("import_lines", session_id(number), header(number) + answer(number))
        clock = HandClock()
        with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
            catch_up(ledger, clock, [str(house.state_dir)], CatchUpOptions(), pace=Slow(clock))
    assert seen[0] == (1, 0)
    assert {of_alpha for of_alpha, _ in seen[1:]} == {0}
