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


class Correction(NamedTuple):
    column: int
    value: Value


def is_only_the_sum_damaged(values: tuple[Value, ...], checksum: int) -> bool:
    """Does one byte of the checksum differ from that of the values? Then it is the one that changed."""
    difference = (row_checksum(*values) ^ checksum) & (1 << 64) - 1
    return difference != 0 and any(difference & ~(0xFF << 8 * place) == 0 for place in range(8))


def correction(values: tuple[Value, ...], checksum: int) -> Correction | None:
    """The one byte that makes the values fit."""
    difference = row_checksum(*values) ^ checksum
    if not 0 < difference < 1 << 32:
        return None
    found = list(_corrections(values, difference))
    return found[0] if len(found) == 1 else None


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
