"""Damage done to a real ledger, in any page of it, named by what it holds; and a household that has much to lose."""

import os
import random
import shutil
from pathlib import Path

import apsw

from tests.mirror.household import Household, message, messages, name_of, transcript
from tests.mirror_checks import generations, transcripts

PAGE = 16384
TABLE_LEAF = 0x0D


def pages_of(path: Path) -> dict[int, str]:
    """Page number -> what it holds: table or index, and sort of page."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        found = {
            number: f"{name} {kind}"
            for number, name, kind in connection.execute("SELECT pageno, name, pagetype FROM dbstat")
        }
        count = connection.pragma("page_count")
    finally:
        connection.close()
    return {number: found.get(number, "free") for number in range(1, count + 1)}


def scramble(path: Path, page: int, seed: int = 1, count: int | None = None) -> None:
    """Random bytes in place of a whole page, or other ones in place of `count` bytes of it."""
    rng = random.Random(seed * 100_003 + page)
    with path.open("r+b") as file:
        if count is None:
            file.seek((page - 1) * PAGE)
            file.write(rng.randbytes(PAGE))
            return
        for place in rng.sample(range(PAGE), count):
            file.seek((page - 1) * PAGE + place)
            (was,) = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([was ^ rng.randrange(1, 256)]))


def texts(number: int, count: int, seed: int = 0) -> bytes:
    """Messages that no packing makes small, so that blocks fill pages of their own."""
    rng = random.Random(number * 1000 + seed)
    return b"".join(message(index + 1, rng.randbytes(1500).hex()) for index in range(1, count))


def rich_household(house: Household, longest: int = 400) -> None:
    """Three generations of one, an archive, one whose file is gone, and one of several blocks."""
    house.write(name_of(1), transcript(1, 40))
    house.catch_up()
    house.write(name_of(1), transcript(1, 20) + message(21, "other words"))
    house.write(name_of(2), transcript(2, 1) + texts(2, longest))
    house.write(name_of(3), transcript(3, 25))
    house.catch_up()
    house.write(name_of(1), transcript(1, 10) + messages(90, 99))
    house.catch_up()
    house.path(name_of(3)).unlink()
    house.rename(name_of(1), f"{name_of(1)}.reset.2026-11-16T04-22-14.522Z")
    house.write(name_of(1), transcript(4, 5))
    house.catch_up()


def laid_out(whole: Household, place: Path, *, has_backup: bool = True) -> Household:
    """The household with a copy of its ledger, to be damaged."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(whole.ledger_path.parent, place)
    for sidecar in place.glob("ledger.db-*"):
        sidecar.unlink()
    if not has_backup:
        shutil.rmtree(place / "backups")
    return Household(whole.state_dir, place / "ledger.db")


def all_generations(path: Path) -> dict[str, list[bytes]]:
    """By session id: every generation of every transcript that was none of ours to begin with."""
    return {
        row.session_id: generations(path, row) for row in transcripts(path) if row.kind != "corrupt" and row.bytes > 0
    }


def values_of_cells(path: Path, table: str) -> list[range]:
    """Where in the file the values of each row of a table lie, as far as they lie in its leaf: not what frames them."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        query = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'"
        pages = [number for (number,) in connection.execute(query, (table,))]
    finally:
        connection.close()
    return [cell for number in pages for cell in _cells(path.read_bytes()[(number - 1) * PAGE : number * PAGE], number)]


def flip(path: Path, offset: int, mask: int) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        (byte,) = file.read(1)
        file.seek(offset)
        file.write(bytes([byte ^ mask]))


def _cells(page: bytes, number: int) -> list[range]:
    """Of a leaf of a table, or of one without row ids, which is an index to SQLite."""
    found = []
    for place in range(8, 8 + 2 * int.from_bytes(page[3:5]), 2):
        payload, start = _varint(page, int.from_bytes(page[place : place + 2]))
        if page[0] == TABLE_LEAF:
            _, start = _varint(page, start)
        header, _ = _varint(page, start)
        if payload < (PAGE - 35 if page[0] == TABLE_LEAF else PAGE // 8):  # longer ones go on in other pages
            base = (number - 1) * PAGE + start
            found.append(range(base + header, base + payload))
    return found


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = 0
    while True:
        value = value << 7 | data[position] & 0x7F
        position += 1
        if data[position - 1] < 0x80:
            return value, position
