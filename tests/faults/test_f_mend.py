"""Damage of the ledger's own bytes: found wherever it is, mended from a file that has them, and else said plainly."""

import random
import shutil
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest

from syncd.ledger import raw
from syncd.ledger.check import Check, check
from syncd.ledger.codec import pack
from syncd.ledger.database import open_for_reading, open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.writer import Writer
from syncd.mirror.catchup import CatchUp, CatchUpOptions, Progress, catch_up
from syncd.mirror.difference import Damaged
from syncd.mirror.enrolment import enrol
from syncd.mirror.ingest import Ingest
from syncd.mirror.mend import Mender
from syncd.mirror.rebuild import rebuild_all
from syncd.openclaw.file_kinds import classify
from syncd.sources.scan import list_one
from tests.derived_rows import derived_rows
from tests.mirror.household import (
    RESET_TIME,
    HandClock,
    Household,
    compressed,
    header,
    household,
    line,
    message,
    messages,
    name_of,
    transcript,
)
from tests.mirror_checks import (
    assert_mirrors,
    events,
    generations,
    mirrored,
    query,
    transcript_at,
    transcripts,
)
from tests.mirror_fixtures import ALL_RELEASES, genuine

MUCH = "much " * 300
BIG = transcript(1, 2) + b"\n \n" + b"".join(message(number, MUCH) for number in range(3, 40))  # several blocks
LONG = header(2) + message(1, "long " * 5000) + message(2)  # one line in several pieces
ARCHIVE = f"{name_of(3)}.deleted.{RESET_TIME}.zst"
TRAJECTORY = f"{name_of(4).removesuffix('.jsonl')}.trajectory.jsonl"
ARCHIVED = transcript(3, 50) + message(51)[:-1]


class Block(NamedTuple):
    id: int
    transcript_id: int
    offset: int
    superseded_in: int | None
    data: bytes


def blocks(house: Household, name: str | None = None, *, is_live: bool | None = None) -> list[Block]:
    sql = "SELECT id, transcript_id, byte_offset, superseded_in, data FROM _blocks ORDER BY transcript_id, byte_offset"
    found = [Block(*row) for row in query(house.ledger_path, sql)]
    if name is not None:
        wanted = transcript_at(house.ledger_path, name).id
        found = [block for block in found if block.transcript_id == wanted]
    return found if is_live is None else [block for block in found if (block.superseded_in is None) == is_live]


def change(house: Household, sql: str, *bindings: object) -> None:
    connection = apsw.Connection(str(house.ledger_path))
    try:
        connection.execute(sql, bindings)
    finally:
        connection.close()


def delete(house: Household, *lost: Block) -> None:
    for block in lost:
        change(house, "DELETE FROM _blocks WHERE id = ?", block.id)


def flip(house: Household, block: Block, place: int, bits: int = 0xFF) -> None:
    changed = bytearray(block.data)
    changed[place] ^= bits
    change(house, "UPDATE _blocks SET data = ? WHERE id = ?", bytes(changed), block.id)


def checked(house: Household) -> Check:
    with open_for_reading(house.ledger_path) as ledger:
        return check(ledger, is_quick=False)


def rebuilt(house: Household) -> tuple[CatchUp, Mender]:
    """As `resync --rebuild` does it."""
    clock, tops = HandClock(), (str(house.state_dir),)
    options = CatchUpOptions(prove_all=True)
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        mender = Mender.of(ledger, clock, tops)
        rebuild_all(ledger, options.max_line_bytes, Progress(), mender)
        return catch_up(ledger, clock, tops, options), mender


def assert_found(house: Household, block: Block) -> None:
    """By verify with transcript, offset and reason, and by the check."""
    found = [item for item in house.verify().differences if isinstance(item, Damaged)]
    assert [(item.offset, f"(transcript {block.transcript_id})" in item.reason) for item in found] == [
        (block.offset, True)
    ]
    assert {finding.transcript_id for finding in checked(house).findings} == {block.transcript_id}


class Ledger:
    """A ledger file that can be put back as it was."""

    def __init__(self, house: Household) -> None:
        self.path, self.copy = house.ledger_path, house.ledger_path.with_name("as-it-was.db")
        shutil.copyfile(self.path, self.copy)

    def put_back(self) -> None:
        for name in ("-wal", "-shm"):
            Path(f"{self.path}{name}").unlink(missing_ok=True)
        shutil.copyfile(self.copy, self.path)


def with_generations(house: Household) -> Household:
    """Some of the genuine files rewritten, so that there are blocks of the past as well."""
    plain = [row for row in transcripts(house.ledger_path) if row.lines > 2 and Path(row.path).suffix != ".zst"]
    plain = [row for row in plain if Path(row.path).exists()]  # not those in OpenClaw's own SQLite
    for row in plain[:4]:
        lines = Path(row.path).read_bytes().splitlines(keepends=True)
        Path(row.path).write_bytes(b"".join(lines[:1] + lines[2:]))
    house.catch_up()
    assert blocks(house, is_live=False) or not plain
    return house


@pytest.fixture(params=[ALL_RELEASES[0], ALL_RELEASES[-1]])  # the blocks of all are made alike
def fixture(request: pytest.FixtureRequest, tmp_path: Path) -> Household:
    return with_generations(genuine(tmp_path, request.param))


def test_any_block_that_is_gone_or_has_a_flipped_byte_is_found(fixture: Household) -> None:
    ledger, chance = Ledger(fixture), random.Random(1)
    for block in blocks(fixture):
        delete(fixture, block)
        assert_found(fixture, block)
        ledger.put_back()
        flip(fixture, block, chance.randrange(len(block.data)), 1 << chance.randrange(8))
        assert_found(fixture, block)
        ledger.put_back()
    assert fixture.verify().ok


def test_whatever_the_files_still_have_is_mended_without_a_new_generation(fixture: Household) -> None:
    path = fixture.ledger_path
    rows, forms = derived_rows(path), [generations(path, row) for row in transcripts(path)]
    told, live = events(path), blocks(fixture, is_live=True)
    ledger, chance = Ledger(fixture), random.Random(2)
    for is_lost in (lambda _: True, lambda number: number % 2 == 0, lambda number: number % 3 == 0):
        for number, block in enumerate(live):
            if is_lost(number):
                delete(fixture, block)
            else:
                flip(fixture, block, chance.randrange(len(block.data)))
        result, mender = rebuilt(fixture)
        assert (result.problems, result.lost, result.lines) == ([], [], 0)
        assert mender.repaired == len({block.transcript_id for block in live})
        assert events(path) == told + ["repair"] * mender.repaired
        assert derived_rows(path) == rows
        assert [generations(path, row) for row in transcripts(path)] == forms
        assert_mirrors(fixture)
        ledger.put_back()


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Household:
    monkeypatch.setattr(raw, "BLOCK_BYTES", 6000)
    monkeypatch.setattr(raw, "PIECE_BYTES", 8000)
    place = household(tmp_path)
    place.write(name_of(1), BIG)
    place.write(name_of(2), LONG)
    place.write(ARCHIVE, compressed(ARCHIVED))
    place.write(TRAJECTORY, line({"a": 1}) * 900)
    mirrored(place)
    return place


def test_each_block_of_large_and_odd_files_is_mended(house: Household) -> None:
    path = house.ledger_path
    rows, ledger = derived_rows(path), Ledger(house)
    forms = [generations(path, row) for row in transcripts(path)]
    assert len(blocks(house)) > 10
    for number, block in enumerate(blocks(house)):
        delete(house, block) if number % 2 else flip(house, block, len(block.data) // 3)
        assert_found(house, block)
        with writer_lock(path), open_for_writing(path) as opened:
            mender = Mender.of(opened, HandClock(), [str(house.state_dir)])
            rebuild_all(opened, CatchUpOptions().max_line_bytes, Progress(), mender)
        assert (mender.repaired, mender.lost) == (1, [])
        assert [generations(path, row) for row in transcripts(path)] == forms
        assert derived_rows(path) == rows
        ledger.put_back()


def test_a_block_of_bytes_from_two_generations_is_mended_with_its_generations(house: Household) -> None:
    lines = BIG.splitlines(keepends=True)
    for kept in (30, 20):
        house.write(name_of(1), b"".join(lines[:kept]) + message(1000 + kept, MUCH))
        mirrored(house)
    forms = generations(house.ledger_path, transcript_at(house.ledger_path, name_of(1)))
    delete(house, *blocks(house, name_of(1), is_live=True))
    result, mender = rebuilt(house)
    assert (mender.repaired, result.lost) == (1, [])
    assert generations(house.ledger_path, transcript_at(house.ledger_path, name_of(1))) == forms
    assert_mirrors(house)


def test_two_blocks_over_each_other_are_made_one_again(house: Household) -> None:
    second = blocks(house, name_of(1))[1]
    change(house, "UPDATE _blocks SET byte_offset = byte_offset - 9 WHERE id = ?", second.id)
    assert not house.verify().ok
    rebuilt(house)
    assert_mirrors(house)


def test_what_is_lost_for_good_is_said_and_all_else_is_kept(house: Household) -> None:
    path = house.ledger_path
    house.path(name_of(1)).unlink()
    mirrored(house)
    rows = derived_rows(path)
    first, second, *_ = blocks(house, name_of(1))
    delete(house, second)
    flip(house, blocks(house, name_of(2))[0], 5)
    for _ in range(2):
        result, mender = rebuilt(house)
        (lost,) = mender.lost
        assert lost.path == str(house.path(name_of(1)))
        assert f"transcript {second.transcript_id}, generation 1, bytes {second.offset} to " in lost.reason
        assert result.problems == []
        assert derived_rows(path) == rows, "the rows of what was lost are all that is left of it"
        assert [(item.offset, type(item)) for item in house.verify().differences] == [(second.offset, Damaged)]
        assert first in blocks(house)
    assert query(path, "SELECT DISTINCT projection > 0 FROM transcripts") == [(1,)]
    assert house.catch_up().is_complete, "a plain catch-up has nothing to say of it"


def test_a_damaged_block_of_the_past_is_lost_and_the_present_goes_on(house: Household) -> None:
    house.write(name_of(1), header(1) + messages(2, 9))
    mirrored(house)
    flip(house, blocks(house, is_live=False)[1], 0)
    _, mender = rebuilt(house)
    assert ["generation 1" in item.reason for item in mender.lost] == [True]
    house.append(name_of(1), message(10))
    assert house.catch_up().lines == 1
    assert [item.generation for item in house.verify().differences] == [1]


@pytest.mark.parametrize("is_gone", [True, False])
def test_a_file_that_changed_behind_a_damaged_block_mends_it_when_it_is_looked_at(
    house: Household, is_gone: bool
) -> None:
    """Also a plain catch-up compares a file that was touched: what it finds lost it takes again."""
    block = blocks(house, name_of(1))[2]
    delete(house, block) if is_gone else flip(house, block, 9)
    house.append(name_of(1), message(900))
    result = mirrored(house)
    assert (result.lines, events(house.ledger_path)) == (1, ["repair"])
    assert transcript_at(house.ledger_path, name_of(1)).generation == 1


def test_an_archive_mends_the_transcript_that_it_continues(house: Household) -> None:
    flip(house, blocks(house, name_of(1))[3], 9)
    house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    mirrored(house)
    assert events(house.ledger_path) == ["repair", "archive_rename"]
    row = transcript_at(house.ledger_path, f"{name_of(1)}.reset.{RESET_TIME}")
    assert (row.kind, row.generation, row.bytes) == ("reset", 1, len(BIG))


def test_a_file_rewritten_over_what_the_ledger_lost_is_a_new_generation_with_the_old_one_holed(
    house: Household,
) -> None:
    """The lines do not fit the rows, so it is no proof of what was there."""
    first, second, *_ = blocks(house, name_of(1))
    delete(house, second)
    house.write(name_of(1), BIG[: second.offset] + message(700, "another") + BIG[second.offset :])
    result = house.catch_up()
    assert (result.problems, events(house.ledger_path)) == ([], ["rewrite"])
    row = transcript_at(house.ledger_path, name_of(1))
    assert (row.generation, row.bytes) == (2, house.path(name_of(1)).stat().st_size)
    assert [(item.generation, item.offset) for item in house.verify().differences] == [(1, second.offset)]
    assert first in blocks(house)


def test_damage_stops_no_append(house: Household) -> None:
    """Open blocks are merged as they fill up; one that cannot be read is left aside."""
    house.write(name_of(5), transcript(5, 3))
    mirrored(house)
    flip(house, blocks(house, name_of(5))[0], 30)
    clock = HandClock()
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        writer = Writer(ledger, clock)
        files = enrol(writer, str(house.state_dir))
        files.stats()
        following = Ingest(writer, files, clock, {}, settle_seconds=0, max_line_bytes=1 << 24, thorough=False)
        for number in range(4, 30):
            house.append(name_of(5), message(number, MUCH))
            listed = list_one("main", str(house.path(name_of(5))))
            assert listed is not None
            assert following.take(listed, classify(listed.name)) is None
            writer.flush()
        writer.close()
    assert [(item.offset, type(item)) for item in house.verify().differences] == [(0, Damaged)]
    assert rebuilt(house)[1].repaired == 1
    assert_mirrors(house)


def test_a_block_with_other_bytes_under_a_checksum_that_fits_is_a_rewrite(house: Household) -> None:
    """No damage that can be told from a change of the file: both forms are kept."""
    block = blocks(house, name_of(1))[0]
    changed = pack(BIG[: blocks(house, name_of(1))[1].offset].replace(b"number 2", b"number 3"))
    change(house, "UPDATE _blocks SET codec = ?, data = ? WHERE id = ?", *changed, block.id)
    assert [item.reason for item in house.verify().differences] == ["bytes differ"]
    rebuilt(house)
    assert_mirrors(house)
    assert transcript_at(house.ledger_path, name_of(1)).generation == 2
