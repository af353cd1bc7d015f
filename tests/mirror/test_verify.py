"""The proof itself: what differs is named with file, generation and first differing offset, and nothing else is."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from syncd.ledger import transcripts as transcript_table
from syncd.ledger.database import Ledger
from syncd.ledger.transcripts import Transcript
from syncd.mirror.catchup import CatchUpOptions
from syncd.mirror.difference import Difference
from tests.mirror.household import (
    RESET_TIME,
    HandClock,
    Household,
    compressed,
    household,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)
from tests.mirror_checks import assert_untouched, mirrored, snapshot, transcripts

NAME = name_of(1)
ARCHIVE = f"{name_of(2)}.deleted.{RESET_TIME}.zst"
BIG = transcript(1, 2) + b"".join(message(number, "much " * 3000) for number in range(3, 200))  # 3 MB, several blocks


@pytest.fixture
def house(tmp_path: Path) -> Household:
    place = household(tmp_path)
    place.write(NAME, BIG)
    place.write(ARCHIVE, compressed(transcript(2, 50)))
    place.write(name_of(3), transcript(3, 5))
    mirrored(place)
    return place


def _only_difference(house: Household, *, patient: bool = True) -> Difference:
    before = snapshot(house.state_dir)
    result = house.verify(CatchUpOptions(settle_seconds=1), HandClock() if patient else None)
    assert_untouched(house.state_dir, before)
    assert not result.ok
    (difference,) = result.differences
    return difference


@pytest.mark.parametrize("at", [0, 1, 700_000, 1_048_576, len(BIG) - 1])
def test_a_changed_byte_is_named_by_its_very_offset(house: Household, at: int) -> None:
    house.put(NAME, b"\x01", at)
    found = _only_difference(house)
    assert (found.path, found.generation, found.offset) == (str(house.path(NAME)), 1, at)


def test_the_first_of_several_differences_is_the_one_that_is_named(house: Household) -> None:
    for at in (2_500_000, 1_200_000, 900_001, 2_000_000):
        house.put(NAME, b"\x01", at)
    assert _only_difference(house).offset == 900_001


def test_the_generation_that_is_named_is_the_present_one(house: Household) -> None:
    house.truncate(name_of(3), len(transcript(3, 3)))
    mirrored(house)
    house.put(name_of(3), b"\x01", 20)
    found = _only_difference(house)
    assert (found.generation, found.offset) == (2, 20)


@pytest.mark.parametrize("size", [0, 5, 1_000_000, len(BIG) - 1])
def test_a_shorter_file_differs_where_it_ends(house: Household, size: int) -> None:
    house.truncate(NAME, size)
    found = _only_difference(house)
    assert found.offset == size
    assert "shorter" in found.reason


def test_a_longer_file_differs_where_the_ledger_ends_but_an_unfinished_line_is_no_difference(house: Household) -> None:
    house.append(NAME, message(900)[:-1])
    assert house.verify().ok
    house.append(NAME, b"\n")
    found = _only_difference(house)
    assert (found.offset, found.reason) == (len(BIG), "the file is longer")


def test_a_file_that_was_never_taken_in_is_a_difference_once_it_has_a_line(house: Household) -> None:
    house.write(name_of(9), b"")
    assert house.verify().ok
    house.append(name_of(9), b'{"unfinished')
    assert house.verify().ok
    house.append(name_of(9), b'"}\n')
    found = _only_difference(house)
    assert (found.path, found.offset) == (str(house.path(name_of(9))), 0)


def test_a_compressed_archive_is_compared_by_its_content_not_by_its_frame(house: Household) -> None:
    house.write(ARCHIVE, compressed(transcript(2, 50), 19))
    assert house.verify().ok
    content = transcript(2, 50)
    house.write(ARCHIVE, compressed(content[:777] + b"#" + content[778:]))
    assert _only_difference(house).offset == 777


@pytest.mark.parametrize("name", [NAME, ARCHIVE])
def test_a_file_that_went_is_a_difference_until_the_ledger_knows(house: Household, name: str) -> None:
    house.path(name).unlink()
    found = _only_difference(house)
    assert (found.path, found.generation) == (str(house.path(name)), 1)
    assert "gone" in found.reason
    mirrored(house)
    result = house.verify()
    assert (result.ok, result.transcripts) == (True, 2)


def test_a_file_removed_a_moment_ago_or_under_a_lock_may_yet_come_back(house: Household) -> None:
    house.path(NAME).unlink()
    result = house.verify(CatchUpOptions(settle_seconds=60, lock_wait_seconds=0))
    assert (result.ok, [item.path for item in result.in_progress]) == (True, [str(house.path(NAME))])
    house.lock(NAME, os.getpid())
    assert house.verify(CatchUpOptions(settle_seconds=0, lock_wait_seconds=0)).ok


def test_a_session_archived_since_is_gone_from_its_place_and_not_taken_in_at_the_other(house: Household) -> None:
    archive = house.rename(name_of(3), f"{name_of(3)}.reset.{RESET_TIME}")
    result = house.verify(CatchUpOptions(settle_seconds=0))
    found = sorted((item.path, item.reason) for item in result.differences)
    assert [path for path, _ in found] == [str(house.path(name_of(3))), str(archive)]
    assert ["gone" in found[0][1], found[1][1]] == [True, "not taken in yet"]
    mirrored(house)


def _as_symlink(house: Household) -> None:
    house.path(name_of(8)).symlink_to(house.path(NAME))


def _as_hard_link(house: Household) -> None:
    house.path(name_of(8)).hardlink_to(house.path(NAME))


def _as_pipe(house: Household) -> None:
    os.mkfifo(house.path(name_of(8)))


@pytest.mark.parametrize("make", [_as_symlink, _as_hard_link, _as_pipe])
def test_what_was_refused_once_is_a_difference_when_it_has_become_a_file_of_its_own(
    house: Household, make: Callable[[Household], None]
) -> None:
    make(house)
    house.catch_up()
    assert house.verify().ok
    house.path(name_of(8)).unlink()
    house.write(name_of(8), transcript(8, 2))
    found = _only_difference(house)
    assert (found.path, found.reason) == (str(house.path(name_of(8))), "not taken in yet")
    mirrored(house)


def test_a_second_name_whose_first_one_went_is_a_difference(house: Household) -> None:
    _as_hard_link(house)
    house.catch_up()
    house.path(NAME).unlink()
    reasons = {item.path: item.reason for item in house.verify(CatchUpOptions(settle_seconds=0)).differences}
    assert reasons[str(house.path(name_of(8)))] == "not taken in yet"
    mirrored(house)


def test_another_session_at_a_known_path_is_a_difference(house: Household) -> None:
    house.replace(name_of(3), transcript(33, 5))
    assert _only_difference(house).path == str(house.path(name_of(3)))


def test_a_file_that_is_still_being_written_is_in_progress_and_no_difference(house: Household) -> None:
    house.lock(name_of(3), os.getpid())
    house.truncate(name_of(3), 10)
    clock = HandClock()
    result = house.verify(CatchUpOptions(lock_wait_seconds=7), clock)
    assert result.ok
    assert [Path(item.path).name for item in result.in_progress] == [name_of(3)]
    assert clock.slept <= 8


class CatchingUpClock(HandClock):
    """Another process takes everything in between any two questions that verify asks."""

    def __init__(self, house: Household) -> None:
        super().__init__()
        self.house = house

    def monotonic(self) -> float:
        self.house.catch_up()
        return super().monotonic()


def test_what_another_process_takes_in_meanwhile_is_no_difference(house: Household) -> None:
    house.write(name_of(7), transcript(7, 3))
    house.append(NAME, message(900))
    result = house.verify(CatchUpOptions(lock_wait_seconds=0), CatchingUpClock(house))
    assert (result.differences, result.in_progress, result.transcripts) == ([], [], 4)


def test_a_commit_in_the_middle_of_a_comparison_is_not_seen_by_it(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transcript's row and its bytes are of one moment, whatever is committed between the two reads."""
    load = transcript_table.load
    looks = 0

    def load_and_let_others_write(ledger: Ledger, transcript_id: int) -> Transcript:
        nonlocal looks
        found = load(ledger, transcript_id)
        looks += 1
        if looks == 1:
            for number in (1, 3):
                house.append(name_of(number), messages(900, 910))
            house.catch_up()
        return found

    monkeypatch.setattr(transcript_table, "load", load_and_let_others_write)
    result = house.verify(CatchUpOptions(settle_seconds=0, lock_wait_seconds=0))
    assert {item.reason for item in result.differences} <= {"the file is longer"}
    assert house.verify().ok


def test_only_the_agents_and_sessions_asked_for_are_compared(house: Household) -> None:
    (house.sessions("ops") / name_of(4)).write_bytes(transcript(4, 2))
    house.put(NAME, b"\x01", 500)
    assert [item.path for item in house.verify(CatchUpOptions(agents=("ops",))).differences] == [
        str(house.sessions("ops") / name_of(4))
    ]
    only_three = CatchUpOptions(session_ids=frozenset({session_id(3)}))
    result = house.verify(only_three)
    assert (result.ok, result.transcripts) == (True, 1)


def test_a_look_at_some_agents_or_sessions_makes_none_of_the_others_gone(house: Household) -> None:
    (house.sessions("ops") / name_of(4)).write_bytes(transcript(4, 2))
    mirrored(house)
    shutil.rmtree(house.sessions("ops"))
    house.append(name_of(3), messages(6, 7))
    house.append(NAME, message(900))
    assert house.catch_up(CatchUpOptions(agents=("ma*",), session_ids=frozenset({session_id(3)}))).lines == 2
    assert {row.state for row in transcripts(house.ledger_path)} == {"live", "archived"}
    assert house.catch_up(CatchUpOptions(agents=("main",))).lines == 1
    assert "gone" not in {row.state for row in transcripts(house.ledger_path)}
    house.catch_up(CatchUpOptions(agents=("ops",)))
    assert [row.session_id for row in transcripts(house.ledger_path) if row.state == "gone"] == [session_id(4)]


def test_verify_of_a_state_dir_that_was_never_mirrored_names_every_file(house: Household, tmp_path: Path) -> None:
    other = household(tmp_path / "other")
    other.write(name_of(7), transcript(7, 2))
    stranger = Household(other.state_dir, house.ledger_path)
    assert [item.path for item in stranger.verify().differences] == [str(other.path(name_of(7)))]


def test_a_transcript_and_the_copy_of_it_in_the_import_archive_are_one_transcript(house: Household) -> None:
    copy = house.import_archive() / f"agent_main_main.{NAME}.imported-1794802732071"
    shutil.copy(house.path(NAME), copy)
    mirrored(house)
    result = house.verify()
    assert (result.ok, result.transcripts) == (True, 3)
    assert result.bytes == 2 * len(BIG) + len(transcript(2, 50)) + len(transcript(3, 5)), "of each file"
