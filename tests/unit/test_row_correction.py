"""One byte that changed in a row is told by its checksum, whichever it is; more than one is never guessed at."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.ledger.row_checksums import Value, encoded, encoded_value, row_checksum
from syncd.ledger.row_correction import Correction, correction, is_only_the_sum_damaged

INTEGERS = st.integers(-(1 << 63), (1 << 63) - 1)
ROWS = st.lists(st.none() | INTEGERS | st.binary(max_size=300), min_size=1, max_size=12).map(tuple)


@given(ROWS, st.data())
def test_any_byte_of_any_value_is_put_right(row: tuple[Value, ...], data: st.DataObject) -> None:
    places = [
        (column, place) for column, value in enumerate(row) for place in range(len(encoded_value(value)[1]))
    ]  # fmt: skip
    if not places:
        return
    column, place = data.draw(st.sampled_from(places))
    own = bytearray(encoded_value(row[column])[1])
    own[place] ^= data.draw(st.integers(1, 255))
    changed = int.from_bytes(own, "big", signed=True) if isinstance(row[column], int) else bytes(own)
    damaged = (*row[:column], changed, *row[column + 1 :])
    assert row_checksum(*damaged) != row_checksum(*row)
    assert correction(damaged, row_checksum(*row)) == Correction(column, row[column])


@given(st.integers(-(1 << 47), (1 << 47) - 1), st.integers(0x80, 0xFF))
def test_the_sign_of_an_integer_that_is_kept_in_few_bytes_is_put_right(number: int, mask: int) -> None:
    width = next(width for width in (1, 2, 3, 4, 6) if -1 << 8 * width - 1 <= number < 1 << 8 * width - 1)
    first, *rest = number.to_bytes(width, "big", signed=True)
    changed = int.from_bytes(bytes([first ^ mask, *rest]), "big", signed=True)
    assert correction((7, b"text", changed), row_checksum(7, b"text", number)) == Correction(2, number)


@given(ROWS, st.data())
def test_a_byte_of_the_checksum_itself_is_told_from_one_of_the_row(row: tuple[Value, ...], data: st.DataObject) -> None:
    right = row_checksum(*row)
    width = next(width for width in (1, 2, 3, 4, 6) if right < 1 << 8 * width - 1)
    kept = bytearray(right.to_bytes(width, "big", signed=True))
    kept[data.draw(st.integers(0, width - 1))] ^= data.draw(st.integers(1, 255))
    assert is_only_the_sum_damaged(row, int.from_bytes(kept, "big", signed=True))
    assert not is_only_the_sum_damaged(row, right)


@given(ROWS, ROWS)
def test_no_two_rows_are_the_same_bytes(one: tuple[Value, ...], other: tuple[Value, ...]) -> None:
    assert (encoded(one) == encoded(other)) == (one == other)


def test_a_change_of_many_bytes_is_left_alone() -> None:
    row = (7, b"what was written here, and what became of it", None)
    damaged = (7, b"WHAT WAS WRITTEN HERE, AND WHAT BECAME OF IT", None)
    assert correction(damaged, row_checksum(*row)) is None
    assert correction(row, row_checksum(*row)) is None


def test_no_more_of_a_long_value_is_looked_at_than_there_is_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("syncd.ledger.row_correction.MOST_BYTES", 100)
    text = b"x" * 1000
    far, near = b"y" + text[1:], text[:950] + b"y" + text[951:]
    assert correction((near,), row_checksum(text)) == Correction(0, text)
    assert correction((far,), row_checksum(text)) is None


def test_the_values_of_thousands_of_lines_are_gone_through_in_a_moment() -> None:
    """As one digest has them of all that a rewrite superseded: live lines wait meanwhile."""
    values = tuple(range(60_000))
    started = time.process_time()
    assert correction(values, row_checksum(*values) ^ 0x1234) is None
    assert time.process_time() - started < 4
