"""A flipped byte found by the checksum alone: a CRC tells not only that one changed but, for a row's few, which.

Of a CRC-32, what a change of one byte does depends on the change and on how far it lies from the end, on nothing else.
So the difference between two checksums is followed back from the end until it is that of a single byte. Among the bytes
of a row, hardly ever more than one fits; where more do, nothing is decided. Pure.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from syncd.ledger.row_checksums import encoded_value, row_checksum

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.row_checksums import Value

MOST_BYTES = 1024 * 1024
"""By chance, a damage of many bytes looks like that of one in one of 16,000,000 cases for each byte of the row."""
_POLYNOMIAL = 0xEDB88320
_WIDTHS = (1, 2, 3, 4, 6)


class Correction(NamedTuple):
    column: int
    value: Value


def is_only_the_sum_damaged(values: tuple[Value, ...], checksum: int) -> bool:
    """Does it differ in one byte, as SQLite keeps it, from that of the values? Then it is the one that changed."""
    right = row_checksum(*values)
    width = next(width for width in _WIDTHS if right < 1 << 8 * width - 1)
    try:
        kept = checksum.to_bytes(width, "big", signed=True)
    except OverflowError:
        return False
    pairs = zip(kept, right.to_bytes(width, "big", signed=True), strict=True)
    return [one == other for one, other in pairs].count(False) == 1


def correction(values: tuple[Value, ...], checksum: int) -> Correction | None:
    """The one byte that makes the values fit."""
    difference = row_checksum(*values) ^ checksum
    if not 0 < difference < 1 << 32:
        return None
    found = {*_corrections(values, difference), *_corrected_signs(values, checksum)}
    return found.pop() if len(found) == 1 else None


def _corrections(values: tuple[Value, ...], difference: int) -> Iterator[Correction]:
    """From the last byte to the first; what only frames values is passed by."""
    table, byte_of, top = _tables()
    looked_at = 0
    for column in reversed(range(len(values))):
        frame, own = encoded_value(values[column])
        for place in reversed(range(-len(frame), len(own))):
            flipped = byte_of.get(difference)
            if flipped is not None and place >= 0:
                changed = own[:place] + bytes([own[place] ^ flipped]) + own[place + 1 :]
                value = int.from_bytes(changed, "big", signed=True) if isinstance(values[column], int) else changed
                if not isinstance(values[column], float):
                    yield Correction(column, value)
            index = top[difference >> 24]
            difference = ((difference ^ table[index]) << 8 | index) & 0xFFFFFFFF
        looked_at += len(frame) + len(own)
        if looked_at > MOST_BYTES:
            return


def _corrected_signs(values: tuple[Value, ...], checksum: int) -> Iterator[Correction]:
    """SQLite keeps an integer in as few bytes as it needs: one bit there, the sign, is many of the whole number."""
    for column, value in enumerate(values):
        if not isinstance(value, int):
            continue
        for width in _WIDTHS:
            if not -1 << 8 * width - 1 <= value < 1 << 8 * width - 1:
                continue
            first, *rest = value.to_bytes(width, "big", signed=True)
            for flipped in range(0x80, 0x100):
                changed = int.from_bytes(bytes([first ^ flipped, *rest]), "big", signed=True)
                if row_checksum(*values[:column], changed, *values[column + 1 :]) == checksum:
                    yield Correction(column, changed)


@cache
def _tables() -> tuple[list[int], dict[int, int], dict[int, int]]:
    """What a byte adds to a CRC-32, the same the other way, and by the highest byte of it alone."""
    table = []
    for byte in range(256):
        rest = byte
        for _ in range(8):
            rest = rest >> 1 ^ (_POLYNOMIAL if rest & 1 else 0)
        table.append(rest)
    return table, {rest: byte for byte, rest in enumerate(table) if byte}, {
        rest >> 24: byte for byte, rest in enumerate(table)
    }  # fmt: skip
