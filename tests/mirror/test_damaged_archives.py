"""Damaged .zst archives: every complete line before the damage is kept, the damage is told, a whole file is read on."""

import random
import sys
from pathlib import Path

import pytest

from syncd.errors import SourceError
from syncd.sources.opening import open_source, read_pieces
from tests.cli.quick import quick_household, syncd
from tests.conftest import Cli
from tests.mirror.household import (
    RESET_TIME,
    Household,
    compressed,
    header,
    message,
    name_of,
    transcript,
)
from tests.mirror_checks import assert_mirrors, only_transcript, query, transcripts

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ARCHIVE = f"{name_of(1)}.deleted.{RESET_TIME}.zst"
_RANDOM = random.Random(7)
WHOLE = header(1) + b"".join(message(number, _RANDOM.randbytes(700).hex()) for number in range(1, 700))


@pytest.fixture
def house(tmp_path: Path) -> Household:
    return quick_household(tmp_path)


def garbled(packed: bytes, at: int) -> bytes:
    """So much that no decompressor takes it for something else: there is no checksum."""
    return packed[:at] + b"\xff" * 200_000 + packed[at + 200_000 :]


def readable(path: Path) -> bytes:
    """As much as an independent reader gets: one byte of the archive at a time."""
    decoder, found = zstd.ZstdDecompressor(), bytearray()
    for byte in path.read_bytes():
        if decoder.eof:
            break
        try:
            found += decoder.decompress(bytes([byte]))
        except zstd.ZstdError:
            break
    return bytes(found)


@pytest.mark.parametrize("is_cut", [True, False], ids=["truncated", "garbled"])
@pytest.mark.parametrize("share", [0.4, 0.7, 0.99])
def test_all_complete_lines_before_the_damage_are_kept_and_a_whole_file_is_read_on(
    house: Household, cli_in_process: Cli, *, is_cut: bool, share: float
) -> None:
    run = syncd(cli_in_process, house)
    packed = compressed(WHOLE)
    at = int(share * len(packed))
    path = house.write(ARCHIVE, packed[:at] if is_cut else garbled(packed, at))
    kept = readable(path)
    kept = kept[: kept.rfind(b"\n") + 1]
    assert kept
    assert WHOLE.startswith(kept)
    first = run("run", "--once", "--json")
    assert (first.exit_code, first.json["ok"], first.json["bytes"]) == (1, False, len(kept))
    (problem,) = first.json["problems"]
    assert (problem["path"], "archive is damaged" in problem["reason"]) == (str(path), True)
    assert "kept" in problem["hint"]
    row = only_transcript(house.ledger_path)
    assert (row.bytes, row.lines, row.generation) == (len(kept), kept.count(b"\n"), 1)
    assert run("export", "--transcript", "1").stdout_bytes == kept
    again = run("run", "--once", "--json")
    assert (again.exit_code, again.json["bytes"]) == (1, 0)
    compared = run("verify", "--json")
    assert compared.exit_code == 1
    (difference,) = compared.json["differences"]
    assert difference["path"] == str(path)
    assert difference["reason"] == f"{problem['reason']}; {problem['hint']}", "as the run has told it"
    house.write(ARCHIVE, packed)
    done = run("run", "--once", "--json")
    assert (done.exit_code, done.json["bytes"]) == (0, len(WHOLE) - len(kept))
    row = only_transcript(house.ledger_path)
    assert (row.bytes, row.generation, row.state) == (len(WHOLE), 1, "archived")
    assert query(house.ledger_path, "SELECT count(*) FROM entries") == [(700,)]
    assert_mirrors(house)


@pytest.mark.parametrize("kept", [0, 3, 40])
def test_an_archive_of_which_nothing_can_be_read_is_no_transcript_yet(
    house: Household, cli_in_process: Cli, kept: int
) -> None:
    run = syncd(cli_in_process, house)
    house.write(name_of(2), transcript(2, 2))
    house.write(ARCHIVE, compressed(WHOLE)[:kept])
    assert run("run", "--once", "--json").exit_code == 1
    assert [row.name for row in transcripts(house.ledger_path)] == [name_of(2)]
    house.write(ARCHIVE, compressed(WHOLE))
    assert run("run", "--once", "--json").exit_code == 0
    assert_mirrors(house)


def test_several_damaged_frames_give_what_stands_before_the_first_damage(tmp_path: Path) -> None:
    path = tmp_path / "x.zst"
    first, second = compressed(WHOLE[:50_000]), compressed(WHOLE[50_000:])
    path.write_bytes(first + garbled(second, len(second) // 2))
    with open_source(str(path), is_zst=True) as source:
        found = list[bytes]()
        with pytest.raises(SourceError, match="archive is damaged"):
            found.extend(read_pieces(source, 0, None, 70_000))
        assert b"".join(found) == readable_frames(first, path)
        source.seek(0)
        assert source.read(1000) == WHOLE[:1000], "what stands before can still be read after the fault"


def readable_frames(first: bytes, path: Path) -> bytes:
    rest = path.with_suffix(".rest")
    rest.write_bytes(path.read_bytes()[len(first) :])
    return WHOLE[:50_000] + readable(rest)
