"""A flipped byte found by the checksum alone: a CRC tells not only that one changed but, for a row's few, which.

Of a CRC-32, what a change of one byte does depends on the change and on how far it lies from the end, on nothing else.
So the difference between two checksums is followed back from the end until it is that of a single byte. Among the bytes
of a row, hardly ever more than one fits; where more do, nothing is decided. Pure.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from syncd.ledger.row_checksums import encoded_value, row_checksum

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.row_checksums import Value

MOST_BYTES = 1024 * 1024
"""By chance, a damage of many bytes looks like that of one in one of 16,000,000 cases for each byte of the row: where
that is likely, whoever asks has to see whether what would come of it can be.
"""
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
    found = {*_corrections(values, difference)}
    return found.pop() if len(found) == 1 else None


def _corrections(values: tuple[Value, ...], difference: int) -> Iterator[Correction]:
    """From the last byte to the first; what only frames values is passed by."""
    table, byte_of, top = _tables()
    left = MOST_BYTES
    for column in reversed(range(len(values))):
        value = values[column]
        frame, own = encoded_value(value)
        if isinstance(value, int):
            yield from (Correction(column, number) for number in _with_other_sign(value, difference))
        for place in range(len(own) - 1, max(-len(frame), len(own) - left) - 1, -1):
            flipped = byte_of.get(difference)
            if flipped is not None and place >= 0 and not isinstance(value, float):
                changed = own[:place] + bytes([own[place] ^ flipped]) + own[place + 1 :]
                is_number = isinstance(value, int)
                yield Correction(column, int.from_bytes(changed, "big", signed=True) if is_number else changed)
            index = top[difference >> 24]
            difference = ((difference ^ table[index]) << 8 | index) & 0xFFFFFFFF
        left -= len(frame) + len(own)
        if left <= 0:
            return


def _with_other_sign(value: int, difference: int) -> Iterator[int]:
    """SQLite keeps an integer in as few bytes as it needs: one bit there, the sign, is many of the whole number."""
    for width, flipped in _sign_flips().get(difference, ()):
        if -1 << 8 * width - 1 <= value < 1 << 8 * width - 1:
            kept = value.to_bytes(width, "big", signed=True)
            yield int.from_bytes(bytes([kept[0] ^ flipped]) + kept[1:], "big", signed=True)


@cache
def _sign_flips() -> dict[int, list[tuple[int, int]]]:
    """By what it does to the CRC-32: in how many bytes the number is kept, and how the first of them changes."""
    found: dict[int, list[tuple[int, int]]] = {}
    for width in _WIDTHS:
        for flipped in range(0x80, 0x100):
            changed = b"\xff" * (8 - width) + bytes([flipped]) + bytes(width - 1)
            found.setdefault(crc32(changed) ^ crc32(bytes(8)), []).append((width, flipped))
    return found


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
