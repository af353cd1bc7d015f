"""No file waits for another: neither for a backlog, nor for one that is unreadable, settling or locked."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from syncd.clock import SystemClock
from syncd.daemon import follow, looks
from syncd.daemon.follow import Follower
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.writer import Writer
from syncd.mirror.ingest import Ingest
from syncd.openclaw.file_kinds import FileName
from syncd.records import ListedFile
from tests.daemon.live import NEVER_SECONDS, catch_up_options, following, wait_for
from tests.mirror.household import RESET_TIME, Household, household, message, messages, name_of, session_id, transcript
from tests.mirror_checks import assert_mirrors, events, transcript_at, transcripts
from tests.other_user import as_another_user, common_place, give_away

NAME = name_of(1)


def _backlog(number: int, lines: int) -> bytes:
    return transcript(number, 1) + b"".join(message(each, "long " * 400) for each in range(2, lines))


def test_a_backlog_of_one_session_does_not_delay_another(house: Household) -> None:
    backlog = _backlog(2, 10_000)  # 21 MB
    with following(house) as live:
        (follower,) = live.loop.followers
        usual, taken = follower._looks._take, list[str]()

        def note(listed: ListedFile, name: FileName) -> bool:
            if not taken:  # while the first part of it is read
                house.append(NAME, message(6))
                live.loop.dirty.add(str(house.path(NAME)))
            taken.append(listed.name)
            return usual(listed, name)

        follower._looks._take = note  # type: ignore[method-assign]
        temporary = house.state_dir.parent / "backlog"
        temporary.write_bytes(backlog)
        temporary.rename(house.path(name_of(2)))
        live.has_lines(name_of(2), 10_000)
        assert live.has_lines(NAME, 7)
        assert taken[0] == name_of(2)
        assert name_of(2) in taken[taken.index(NAME) :]
        house.append(name_of(2), message(10_000))
        assert live.has_lines(name_of(2), 10_001).generation == 1
    assert events(house.ledger_path) == []


def test_a_live_line_waits_for_no_crowd_of_archives(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds that are put away at once are one pass; a session that goes on meanwhile has its turns within it."""
    monkeypatch.setattr(looks, "TURN_SECONDS", 0.0)
    crowd = [name_of(number) for number in range(2, 302)]
    for name in crowd:
        house.write(name, transcript(2, 1).replace(session_id(2).encode(), name.removesuffix(".jsonl").encode()))
    with following(house) as live:
        house.append(NAME, message(6))
        live.has_lines(NAME, 7)
        looks_at_crowd = live.loop.followers[0]._looks
        usual, passes = looks_at_crowd._take, list[int]()

        def append_meanwhile(listed: ListedFile, name: FileName) -> bool:
            if name.archive_reason == "deleted" and not passes:
                passes.append(live.loop.followers[0].figures.looks)
                house.append(NAME, message(7))
            elif listed.name == NAME and passes:
                passes.append(live.loop.followers[0].figures.looks)
            return usual(listed, name)

        looks_at_crowd._take = append_meanwhile  # type: ignore[method-assign]
        live.loop.dirty.add_everything()
        for name in crowd:
            house.path(name).rename(house.path(f"{name}.deleted.{RESET_TIME}"))
        live.has_lines(NAME, 8)
        wait_for(lambda: len(transcripts(house.ledger_path, "state = 'archived'")) == len(crowd))
    assert passes[1] - passes[0] < len(crowd) / 2
    assert_mirrors(house)


@pytest.mark.parametrize("name", [name_of(2), f"{name_of(2)}.deleted.{RESET_TIME}"])
def test_a_backlog_read_in_slices_is_the_same_as_read_at_once(
    house: Household, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "SLICE_BYTES", 5000)
    monkeypatch.setattr("syncd.sources.lines.CHUNK_BYTES", 3000)
    content = _backlog(2, 50) + b"not json\n\n" + message(60) + message(61)[:-1]
    with following(house) as live:
        house.write(name, content)
        live.level()
        wait_for(lambda: transcript_at(house.ledger_path, name).file_sha256 is not None or name == name_of(2))
    assert transcript_at(house.ledger_path, name).generation == 1


def test_a_backlog_that_is_rewritten_between_two_slices_is_found_out(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "SLICE_BYTES", 20_000)
    monkeypatch.setattr("syncd.sources.lines.CHUNK_BYTES", 20_000)
    with following(house, rescan_seconds=0.4) as live:
        house.write(name_of(2), _backlog(2, 300))
        wait_for(lambda: live.row(name_of(2)).lines > 5)
        house.write(name_of(2), transcript(2, 3) + message(4, "other") + _backlog(2, 100))
        live.level()
    assert len(transcripts(house.ledger_path)) == 2


def test_an_unreadable_file_backs_off_and_the_others_go_on() -> None:
    with common_place() as place:
        house = household(place)
        house.write(NAME, transcript(1, 5))
        give_away(*[place, *place.rglob("*")])
        with as_another_user():
            with following(house, rescan_seconds=0.2) as live:
                follower = live.loop.followers[0]
                closed = house.path(name_of(2))
                closed.touch(0o200)
                with closed.open("wb") as file:
                    file.write(transcript(2, 2))
                wait_for(lambda: str(closed) in follower.problems)
                looks, rescans = follower.figures.looks, follower.figures.rescans
                house.append(NAME, message(6))
                live.has_lines(NAME, 7)
                wait_for(lambda: follower.figures.rescans > rescans + 2)
                assert str(closed) in follower.problems  # a rescan does not forget it, nor ask again and again
                assert follower.figures.looks - looks < 8
                closed.chmod(0o600)
                live.has_lines(name_of(2), 3)
                wait_for(lambda: not follower.problems)
            assert_mirrors(house)


def test_a_settling_file_delays_no_other(house: Household) -> None:
    house.write(name_of(2), transcript(2, 5))
    with following(house, options=catch_up_options(settle_seconds=NEVER_SECONDS)) as live:
        house.truncate(name_of(2), 0)
        wait_for(lambda: live.loop.followers[0].deferred)
        house.append(NAME, message(6))
        live.has_lines(NAME, 7)
        house.write(name_of(2), transcript(2, 5))


def test_an_archive_whose_former_place_is_looked_at_alone_and_late_still_goes_on(house: Household) -> None:
    """No event told of the archive; the absence is old: it may not be believed before the directory is seen."""
    archive = f"{NAME}.reset.{RESET_TIME}"
    house.append(NAME, message(6)[:30])
    house.catch_up(catch_up_options())
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        writer = Writer(ledger, SystemClock())
        follower = Follower(writer, str(house.state_dir), catch_up_options())
        follower.look_at_everything(counts_missed=False)
        house.append(NAME, message(6)[30:])
        house.rename(NAME, archive)
        long_ago = time.time() - 100
        os.utime(house.sessions(), (long_ago, long_ago))
        follower.look_at([str(house.path(NAME))])
        writer.close()
    (row,) = transcripts(house.ledger_path)
    assert (row.name, row.state, row.lines, row.generation) == (archive, "archived", 7, 1)
    assert events(house.ledger_path) == ["archive_rename"]


def test_a_second_absence_is_given_its_time_as_the_first_was(house: Household) -> None:
    """Missing once, back, and missing again much later: the first absence does not count for the second."""
    with following(house, options=catch_up_options(settle_seconds=NEVER_SECONDS)) as live:
        content = house.path(NAME).read_bytes()
        house.path(NAME).unlink()
        wait_for(lambda: live.loop.followers[0].deferred)
        house.write(NAME, content + message(6))
        live.has_lines(NAME, 7)
        settling = live.loop.followers[0]._ingest._settling
        wait_for(lambda: settling._missing_since == {})


def test_what_a_long_life_remembers_is_bounded(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("syncd.mirror.settling._KEPT_SECONDS", 0.0)
    with following(house, rescan_seconds=0.2, options=catch_up_options(settle_seconds=0.01)) as live:
        for number in range(2, 30):
            house.write(name_of(number), transcript(number, 2))
        live.level()
        for number in range(2, 30):
            house.path(name_of(number)).unlink()
        wait_for(lambda: len(transcripts(house.ledger_path, "state = 'gone'")) == 28)
        ingest = live.loop.followers[0]._ingest
        rescans = live.loop.followers[0].figures.rescans
        wait_for(lambda: live.loop.followers[0].figures.rescans > rescans + 2)
        wait_for(lambda: not ingest._changed_ids and not ingest._links)
        assert len(ingest.tally.transcripts) <= 30  # a number for each transcript that was ever read
        wait_for(lambda: not ingest._settling._seen and not ingest._settling._missing_since)


def test_a_hard_link_to_a_file_that_is_gone_is_a_file_of_its_own(house: Household, tmp_path: Path) -> None:
    """The inode of a removed file is used again: a new file with two names is not a second name of the old one."""
    with following(house) as live:
        os.link(house.path(NAME), tmp_path / "held")
        house.path(NAME).unlink()
        wait_for(lambda: live.row(NAME).state == "gone")
        os.link(tmp_path / "held", house.path(name_of(2)))
        wait_for(lambda: len(transcripts(house.ledger_path)) == 2)
        house.append(name_of(2), messages(6, 7))
        live.has_lines(name_of(2), 8)


def test_a_further_event_for_what_was_read_does_not_read_the_file_again(house: Household) -> None:
    """The look at active files may come before the event of the same append; neither may cost a whole transcript."""
    house.write(name_of(2), _backlog(2, 1000))  # 2 MB
    with following(house) as live:
        house.append(name_of(2), message(1000))
        live.has_lines(name_of(2), 1001)
        before, looks = _bytes_read(), live.looks()
        for look in range(1, 11):
            live.loop.dirty.add(str(house.path(name_of(2))))
            wait_for(lambda least=looks + look: live.looks() >= least)  # type: ignore[misc]
        assert _bytes_read() - before < house.path(name_of(2)).stat().st_size


def test_a_line_written_between_the_reading_and_the_last_look_at_the_stat_is_read_too(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    with following(house) as live:
        keep, left = Ingest._keep_tail, [message(7), message(8)]

        def write_meanwhile(*args: Any) -> None:
            if left:
                house.append(NAME, left.pop(0))
            keep(*args)

        monkeypatch.setattr(Ingest, "_keep_tail", write_meanwhile)
        house.append(NAME, message(6))
        live.has_lines(NAME, 9)
        assert live.row(NAME).generation == 1


def _bytes_read() -> int:
    """By every read of this process."""
    try:
        facts = Path("/proc/self/io").read_text()
    except OSError:
        pytest.skip("needs /proc/self/io")
    return int(facts.split()[1])
