"""How soon the daemon believes other bytes: at once where they came in one piece, and not never where appends go on.

No thread and no waiting: the follower looks when the test says so, by a clock that the test moves on.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from syncd.daemon.follow import Follower
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.writer import Writer
from syncd.mirror.catchup import CatchUpOptions
from syncd.mirror.settling import MOST_SETTLES
from tests.mirror.household import HandClock, Household, household, message, messages, name_of, transcript
from tests.mirror_checks import Row, events, generations, mirrored, only_transcript, transcripts

NAME = name_of(1)
SETTLE = 60.0  # much more than the test takes by the time of day
STEP = 0.3 * SETTLE
BEFORE = transcript(1, 9)
EDITED = transcript(1, 4) + message(5, "something else was said") + messages(6, 9)


class Looks:
    """What the daemon's loop does, step by step."""

    def __init__(self, house: Household, follower: Follower, clock: HandClock) -> None:
        self.house, self.follower, self.clock = house, follower, clock

    def event(self) -> Row:
        """The file was written just now, and that is heard of."""
        self.happened()
        return self.row()

    def happened(self) -> None:
        self.clock.written = self.clock.slept
        self.follower.look_at({str(self.house.path(NAME))})

    def later(self, seconds: float) -> Row:
        self.clock.sleep(seconds)
        self.follower.look_at_due()
        return self.row()

    def row(self) -> Row:
        return only_transcript(self.house.ledger_path)


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = household(tmp_path)
    made.write(NAME, BEFORE)
    mirrored(made)
    return made


@pytest.fixture
def looks(house: Household) -> Iterator[Looks]:
    clock = HandClock()
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        writer = Writer(ledger, clock)
        try:
            follower = Follower(writer, str(house.state_dir), CatchUpOptions(settle_seconds=SETTLE))
            follower.look_at_everything(counts_missed=False)
            yield Looks(house, follower, clock)
        finally:
            writer.close()


def test_a_file_replaced_by_a_rename_is_judged_at_once(house: Household, looks: Looks) -> None:
    house.replace(NAME, EDITED)
    assert looks.event().generation == 2
    assert looks.clock.slept == 0
    assert generations(house.ledger_path, looks.row()) == [BEFORE, EDITED]


def test_a_file_that_a_rename_made_shorter_waits_until_it_rested(house: Household, looks: Looks) -> None:
    house.replace(NAME, transcript(1, 4))
    assert looks.event().generation == 1
    assert looks.later(SETTLE).generation == 2
    assert events(house.ledger_path)[-1] == "truncation"


def test_appends_behind_a_rewrite_in_place_do_not_put_its_judgement_off(house: Household, looks: Looks) -> None:
    house.write(NAME, EDITED)
    assert looks.event().generation == 1
    content, number = EDITED, 9
    while looks.clock.slept < SETTLE - STEP:  # never is the file at rest for as long as that
        number += 1
        content += message(number)
        house.append(NAME, message(number))
        assert looks.event().generation == 1
        assert looks.later(STEP).generation == 1
    house.append(NAME, message(number + 1))
    looks.clock.sleep(STEP)
    assert looks.event().generation == 2
    assert generations(house.ledger_path, looks.row()) == [BEFORE, content + message(number + 1)]


def test_bytes_that_change_again_and_again_are_judged_all_the_same(house: Household, looks: Looks) -> None:
    judged_at = None
    for step in range(3 * MOST_SETTLES):
        house.write(NAME, transcript(1, 1 + step % 3) + message(90 + step, "said anew") + messages(5, 9))
        if looks.event().generation == 2:
            judged_at = looks.clock.slept
            break
        looks.later(SETTLE / 2)
    assert judged_at is not None
    assert judged_at >= (MOST_SETTLES - 1) * SETTLE
    assert events(house.ledger_path)[-1] == "rewrite"


def test_what_only_becomes_shorter_and_shorter_is_not_judged_before_it_rests(house: Household, looks: Looks) -> None:
    """A file that is being written anew from its start looks like that."""
    for step in range(3 * MOST_SETTLES):
        house.write(NAME, BEFORE[: len(BEFORE) - 10 * (step + 1)])
        assert looks.event().generation == 1
        assert looks.later(SETTLE / 2).generation == 1
    assert looks.later(SETTLE).generation == 2


def test_a_file_that_is_emptied_now_and_then_and_written_longer_is_not_judged(house: Household, looks: Looks) -> None:
    """2026.7.1 empties it at the end of every turn, for less than a moment; the next turn's is another wait."""
    for number in range(10, 13):
        house.truncate(NAME, 0)
        assert looks.event().generation == 1
        looks.clock.sleep(STEP)
        house.write(NAME, transcript(1, number))
        assert looks.event().lines == number + 1
        looks.clock.sleep(SETTLE)
    assert looks.row().generation == 1
    assert events(house.ledger_path) == []


def test_an_empty_file_is_not_judged_by_how_long_ago_another_session_s_was_empty_there(
    house: Household, looks: Looks
) -> None:
    """A reset leaves a file at the same path that is empty until its header is written."""
    for number in range(2, 5):
        house.replace(NAME, b"")
        looks.happened()
        looks.clock.sleep(STEP)
        house.write(NAME, transcript(number, 3))
        looks.happened()
        looks.clock.sleep(SETTLE)
    assert {(row.generation, row.lines) for row in transcripts(house.ledger_path)} == {(1, 4), (1, 10)}


def test_a_file_that_is_emptied_twice_with_no_look_in_between_waits_anew(house: Household, looks: Looks) -> None:
    house.truncate(NAME, 0)
    looks.event()
    looks.clock.sleep(SETTLE + STEP)
    house.write(NAME, BEFORE)
    house.truncate(NAME, 0)
    assert looks.event().generation == 1
    assert looks.later(SETTLE).generation == 2
