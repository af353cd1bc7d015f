"""FAULTS.md B7, B13 and B14: lines too long for most programs, whole, sparse or without an end, in bounded memory."""
# ruff: noqa: N802  the fault's id stands in the test's name

import os
import re
import sys
from pathlib import Path

import pytest

from syncd.mirror.catchup import CatchUpOptions
from tests.bench.measure import run as measured
from tests.conftest import CHECKOUT
from tests.daemon.live import wait_for
from tests.daemon.process import daemon, rows
from tests.faults.test_b_content import START, text_of
from tests.mirror.household import Household, message, name_of, transcript
from tests.mirror_checks import assert_file, mirrored, only_transcript, quarantined, query

NAME = name_of(1)
MEMORY_LIMIT = 150 * 1024 * 1024


def _syncd_memory(house: Household, *args: str) -> int:
    env = {**os.environ, **house.environ, "PYTHONPATH": str(CHECKOUT)}
    return measured([sys.executable, "-m", "syncd", *args], env).peak_rss_bytes


def test_B7_a_sparse_hole_is_streamed_and_quarantined_once(house: Household) -> None:
    hole = 1 << 30
    house.write(NAME, transcript(1, 2))
    os.truncate(house.path(NAME), START + hole)
    house.append(NAME, b"\n" + message(3))
    assert house.path(NAME).stat().st_blocks * 512 < 1 << 20, "the file system keeps it sparse"
    assert _syncd_memory(house, "run", "--once", "--json") < MEMORY_LIMIT
    assert _syncd_memory(house, "verify", "--json") < MEMORY_LIMIT
    assert quarantined(house.ledger_path) == [(START, "too_long")]
    row = only_transcript(house.ledger_path)
    assert (row.lines, row.bytes) == (5, START + hole + 1 + len(message(3)))
    assert house.ledger_path.stat().st_size < 16 << 20


def test_B13_a_200_mb_line_is_kept_in_bounded_memory_and_the_next_line_is_fine(house: Household) -> None:
    path = house.write(NAME, transcript(1, 1))
    with path.open("ab") as file:
        file.write(b'{"type":"custom","id":"big","data":"')
        for number in range(200):
            file.write(bytes([97 + number % 26]) * (1 << 20))
        file.write(b'"}\n' + message(2))
    assert _syncd_memory(house, "run", "--once", "--json") < MEMORY_LIMIT
    assert _syncd_memory(house, "verify", "--json") < MEMORY_LIMIT
    assert quarantined(house.ledger_path) == [(len(transcript(1, 1)), "too_long")]
    assert query(house.ledger_path, "SELECT byte_length, length(raw) FROM quarantine") == [
        ((200 << 20) + 39, 64 * 1024)
    ]
    assert_file(house, str(path))
    assert text_of(house, "00000002")


def _packed(unit: bytes, before: bytes, after: bytes) -> bytes:
    """A line just below the limit, made of as many units as fit."""
    count = ((16 << 20) - len(before) - len(after)) // (len(unit) + 1)
    return before + b",".join([unit] * count) + after + b"\n"


@pytest.mark.parametrize(
    ("unit", "column"),
    [
        (b"1", "data_json"),
        (b'{"a":1}', "data_json"),
        ('"\U0001f600"'.encode(), "data_json"),
        (b"[]", "data_json"),
        (b'{"type":"text","text":"\xc3\xa9"}', "text"),
        (b'{"type":"toolCall","id":"c","name":"n","arguments":{}}', None),
        (b'{"type":"label","label":"\xc3\xa9"}', None),
    ],
)
def test_B13_lines_full_of_values_are_understood_in_bounded_memory(
    house: Household, unit: bytes, column: str | None
) -> None:
    """As much structure as fits into the limit: the parser's objects would take many times the line's bytes."""
    path = house.write(NAME, transcript(1, 1))
    if column == "data_json":
        big = _packed(unit, b'{"type":"custom","id":"big","data":[', b"]}")
    elif b"label" in unit:
        big = _packed(unit, b"", b"").replace(b"},{", b"} {")
    else:
        big = _packed(unit, b'{"type":"message","id":"big","message":{"role":"assistant","content":[', b"]}}")
    with path.open("ab") as file:
        for _ in range(2):
            file.write(big)
        file.write(message(2))
    assert _syncd_memory(house, "run", "--once", "--json") < MEMORY_LIMIT
    if b"label" in unit:
        assert [reason for _, reason in quarantined(house.ledger_path)] == ["several_objects"] * 2
    else:
        assert quarantined(house.ledger_path) == []
        assert query(house.ledger_path, "SELECT count(*) FROM entries WHERE entry_id = 'big'") == [(2,)]
    if column == "data_json":
        lengths = query(house.ledger_path, "SELECT length(CAST(data_json AS BLOB)) FROM custom_entries")
        assert lengths == [(len(big) - len(b'{"type":"custom","id":"big","data":}\n'),)] * 2
    if column == "text":
        count = big.count(b'text",')
        lengths = query(
            house.ledger_path, "SELECT text_bytes FROM messages WHERE role = 'assistant' AND text_bytes > 99"
        )
        assert lengths == [(count * 3 - 1,)] * 2
    assert_file(house, str(path))
    assert text_of(house, "00000002")


def test_B13_long_texts_just_below_the_limit_are_parsed_in_bounded_memory(house: Household) -> None:
    path = house.write(NAME, transcript(1, 1))
    with path.open("ab") as file:
        for number in range(2, 6):
            file.write(message(number, "t\u00e9xt " * 2_000_000))
    assert _syncd_memory(house, "run", "--once", "--json") < MEMORY_LIMIT
    assert quarantined(house.ledger_path) == []
    assert query(house.ledger_path, "SELECT count(*) FROM messages WHERE text_bytes = 12000000") == [(4,)]
    assert_file(house, str(path))


def test_B14_a_line_without_an_end_grows_without_being_stored_or_lost(house: Household) -> None:
    options = CatchUpOptions(max_line_bytes=1 << 20)
    path = house.write(NAME, transcript(1, 1))
    for size in range(1, 41):
        with path.open("ab") as file:
            file.write(b"g" * (1 << 20))
        if size % 8 == 0:
            house.catch_up(options)
            row = only_transcript(house.ledger_path)
            assert (row.tail_bytes, row.lines, row.generation) == (size << 20, 2, 1)
    assert house.ledger_path.stat().st_size < 24 << 20
    house.append(NAME, b"\n" + message(2))
    mirrored(house, options)
    assert quarantined(house.ledger_path) == [(len(transcript(1, 1)), "too_long")]
    assert text_of(house, "00000002")


def test_B14_a_line_without_an_end_is_not_searched_again_from_its_beginning(house: Household) -> None:
    """What the daemon reads grows with what is written, not with its square: 20 MB are there when 20 more come."""
    piece, pieces = b"g" * (1 << 20), 20
    (house.state_dir.parent / "config.yaml").write_text("watch: {settle_seconds: 60, rescan_seconds: 3600}\n")
    house.write(NAME, transcript(1, 1) + piece * pieces)
    with daemon(house) as running:
        running.is_following()
        before = _bytes_read(running.pid)
        for number in range(pieces + 1, 2 * pieces + 1):
            house.append(NAME, piece)
            wait_for(lambda size=number << 20: [row.tail_bytes for row in rows(house)] == [size])  # type: ignore[misc]
        read = (_bytes_read(running.pid) - before) >> 20
        assert pieces <= read < 5 * pieces, "were it searched from its beginning each time, some 600"
        assert running.terminate()[0] == 0


def _bytes_read(pid: int) -> int:
    return int(re.findall(r"^rchar: (\d+)", Path(f"/proc/{pid}/io").read_text(), re.MULTILINE)[0])
