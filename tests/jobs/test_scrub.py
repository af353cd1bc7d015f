"""Scrub: what no stat tells of is found, mended where it can be, and told where it cannot."""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from syncd.jobs import backup, scrub
from syncd.jobs.job import Outcome
from tests.jobs.at_work import done, tools_for
from tests.mirror.household import Household, compressed, household, message, name_of, transcript
from tests.mirror_checks import assert_mirrors, mirrored, only_transcript, query, transcripts

NAME = name_of(1)


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = household(tmp_path)
    for number in range(1, 6):
        made.write(name_of(number), transcript(number, 5))
    mirrored(made)
    return made


def scrubbed(house: Household, **more: Any) -> Mapping[str, Any]:
    with tools_for(house, **more) as tools:
        outcome, _ = done(scrub.run, tools)
    assert outcome.ok, outcome
    return outcome.summary


def rot(house: Household, transcript_id: int, byte: int = 20) -> None:
    """A bit of a block of the ledger turns over."""
    with tools_for(house) as tools:
        rows = "SELECT id, data FROM _blocks WHERE transcript_id = ? ORDER BY id LIMIT 1"
        block_id, data = tools.ledger.row(rows, (transcript_id,)) or (0, b"")
        damaged = bytes([*data[:byte], data[byte] ^ 4, *data[byte + 1 :]])
        tools.ledger.run("UPDATE _blocks SET data = ? WHERE id = ?", (damaged, block_id))


def change_unnoticed(house: Household, name: str, data: bytes) -> None:
    """As a disk does it: the file is another, and its times are as they were."""
    path = house.path(name)
    path.write_bytes(data)
    found = os.lstat(path)
    with tools_for(house) as tools:
        sql = "UPDATE _files SET size = ?, mtime_ns = ?, ctime_ns = ? WHERE CAST(path AS TEXT) LIKE '%' || ?"
        tools.ledger.run(sql, (found.st_size, found.st_mtime_ns, found.st_ctime_ns, name))


def test_every_transcript_is_compared(house: Household) -> None:
    found = scrubbed(house)
    sizes = sum(path.stat().st_size for path in house.sessions().glob("*.jsonl"))
    assert (found["transcripts"], found["bytes"], found["total_bytes"]) == (5, sizes, sizes)
    assert not any(found[name] for name in ("not_at_rest", "unreadable", "changed", "mended", "lost"))


def test_a_file_that_changed_behind_its_times_becomes_a_new_generation(house: Household) -> None:
    changed = transcript(3, 5).replace(b"number 4", b"lumber 4")
    assert changed != transcript(3, 5)
    change_unnoticed(house, name_of(3), changed)
    found = scrubbed(house)
    assert (found["changed"], found["mended"]) == (1, 0)
    assert [row.generation for row in transcripts(house.ledger_path)] == [1, 1, 2, 1, 1]
    assert_mirrors(house)


def test_bytes_that_rotted_in_the_ledger_are_taken_from_the_file_again(house: Household) -> None:
    rot(house, 2)
    found = scrubbed(house)
    assert (found["mended"], found["changed"], found["lost"]) == (1, 0, 0)
    assert {row.generation for row in transcripts(house.ledger_path)} == {1}
    assert query(house.ledger_path, "SELECT count(*) FROM sync_events WHERE kind = 'repair'") == [(1,)]
    assert_mirrors(house)


def test_a_block_that_is_gone_is_found_too(house: Household) -> None:
    with tools_for(house) as tools:
        tools.ledger.run("DELETE FROM _blocks WHERE transcript_id = 4")
    assert scrubbed(house)["mended"] == 1
    assert_mirrors(house)


def test_what_no_file_has_any_more_is_told_and_not_looked_for_again_at_once(house: Household) -> None:
    house.path(name_of(2)).unlink()
    mirrored(house)
    rot(house, 2)
    with tools_for(house) as tools:
        outcome, _ = done(scrub.run, tools)
    assert not outcome.ok
    assert not outcome.retries
    assert "transcript 2" in str(outcome.summary["reason"])
    assert outcome.summary["hint"]
    assert outcome.summary["transcripts"] == 5  # the others were compared all the same


def test_what_no_file_has_any_more_is_taken_from_a_backup(house: Household) -> None:
    house.path(name_of(2)).unlink()
    mirrored(house)
    with tools_for(house) as tools:
        assert backup.run(tools).ok
    rot(house, 2)
    found = scrubbed(house)
    assert (found["mended"], found["lost"]) == (1, 0)
    assert_mirrors(house)


def test_an_earlier_generation_that_rotted_is_lost_and_told(house: Household) -> None:
    house.write(NAME, transcript(1, 3))
    mirrored(house)
    with tools_for(house) as tools:
        past = "SELECT id, data FROM _blocks WHERE transcript_id = 1 AND superseded_in IS NOT NULL"
        block_id, data = tools.ledger.row(past) or (0, b"")
        tools.ledger.run("UPDATE _blocks SET data = ? WHERE id = ?", (data[:-1] + bytes([data[-1] ^ 1]), block_id))
        outcome, _ = done(scrub.run, tools)
    assert (outcome.ok, outcome.summary["lost"]) == (False, 1)


def test_only_what_is_at_rest_is_compared(house: Household) -> None:
    """Somebody holds the lock of one, another was written on and not read yet."""
    lock = house.lock(NAME, os.getpid())
    house.append(name_of(2), message(6))
    change_unnoticed(house, NAME, transcript(1, 5).replace(b"number 4", b"lumber 4"))
    found = scrubbed(house)
    assert (found["not_at_rest"], found["changed"], found["transcripts"]) == (2, 0, 5)
    lock.unlink()
    assert scrubbed(house)["changed"] == 1


def test_compressed_archives_are_compared_as_what_they_hold(house: Household) -> None:
    archive = f"{NAME}.reset.2026-11-16T00-00-00.000Z.zst"
    house.path(NAME).unlink()
    house.write(archive, compressed(transcript(1, 5)))
    mirrored(house)
    assert scrubbed(house)["unreadable"] == 0
    rot(house, 1)
    assert scrubbed(house)["mended"] == 1
    assert_mirrors(house)


def test_a_large_transcript_is_compared_in_many_steps_and_goes_on_where_it_was(tmp_path: Path) -> None:
    house = household(tmp_path)
    noise = b"".join(message(number, os.urandom(3000).hex()) for number in range(2, 2000))
    house.write(NAME, transcript(1, 1) + noise)
    mirrored(house)
    size = house.path(NAME).stat().st_size
    with tools_for(house) as tools:
        first = scrub.run(tools)
        assert first.goes_on_after is not None
        assert 0 < int(str(first.summary["bytes"])) < size
        rate = int(str(first.summary["bytes"])) / first.goes_on_after
        assert rate <= 1.1 * scrub.BYTES_A_SECOND
    with tools_for(house) as tools:  # a restart
        outcome, steps = done(scrub.run, replace(tools, so_far=json.loads(json.dumps(first.summary))))
    assert outcome.summary["bytes"] == size
    assert outcome.summary["transcripts"] == 1
    assert steps > 2


def test_a_file_that_is_rewritten_between_two_steps_is_the_daemons(tmp_path: Path) -> None:
    house = household(tmp_path)
    noise = b"".join(message(number, os.urandom(3000).hex()) for number in range(2, 1500))
    house.write(NAME, transcript(1, 1) + noise)
    mirrored(house)
    with tools_for(house) as tools:
        first = scrub.run(tools)
        house.write(NAME, transcript(1, 4))
        outcome, _ = done(scrub.run, replace(tools, so_far=first.summary))
    assert isinstance(outcome, Outcome)
    assert (outcome.ok, outcome.summary["changed"]) == (True, 0)
    assert only_transcript(house.ledger_path).generation == 1


def test_a_pass_takes_at_most_half_of_its_interval_however_much_there_is(house: Household) -> None:
    with tools_for(house) as tools:
        huge = scrub.Pass(total_bytes=86_400 * scrub.BYTES_A_SECOND)
        assert scrub._bytes_a_second(tools, huge) == 2 * scrub.BYTES_A_SECOND
        assert scrub._bytes_a_second(tools, scrub.Pass(total_bytes=1)) == scrub.BYTES_A_SECOND
