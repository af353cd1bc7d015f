"""`check` finds what is broken in a ledger: each law is broken on purpose, with SQL, and must be named."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from syncd.errors import LedgerCorrupt
from syncd.ledger.check import MAX_FINDINGS, Check, check
from syncd.ledger.codec import PLAIN, ZSTD, pack, unpack
from syncd.ledger.database import open_for_reading
from tests.mirror.household import RESET_TIME, Household, header, household, message, messages, name_of, transcript
from tests.mirror.same_household import SameHousehold
from tests.mirror_fixtures import ALL_RELEASES, genuine

Breaking = Callable[[apsw.Connection], object]


@pytest.fixture(scope="module")
def same(tmp_path_factory: pytest.TempPathFactory) -> SameHousehold:
    return SameHousehold(tmp_path_factory.mktemp("check"), two_transcripts)


@pytest.fixture
def house(same: SameHousehold) -> Household:
    return same.again()


def two_transcripts(house: Household) -> None:
    """One of three generations with an odd line, one in several blocks."""
    for form in (
        transcript(1, 9),
        header(1) + messages(1, 4) + messages(6, 9),
        header(1) + messages(1, 2) + b"\n  \n" + messages(8, 9) + message(10)[:-1] + message(11) + b"not json\n",
    ):
        house.write(name_of(1), form)
        house.catch_up()
    house.write(name_of(2), header(2) + b"".join(message(number, f"{number} " * 40_000) for number in range(1, 12)))
    house.catch_up()


def checked(house: Household, *, is_quick: bool = False) -> Check:
    with open_for_reading(house.ledger_path) as ledger:
        return check(ledger, is_quick=is_quick)


def broken(house: Household, breaking: str | Breaking, *bindings: object) -> None:
    connection = apsw.Connection(str(house.ledger_path))
    try:
        if isinstance(breaking, str):
            connection.execute(breaking, bindings)
            assert connection.changes() > 0
        else:
            breaking(connection)
    finally:
        connection.close()


def kinds(house: Household, *, is_quick: bool = False) -> set[str]:
    return {finding.kind for finding in checked(house, is_quick=is_quick).findings}


@pytest.mark.parametrize("release", ALL_RELEASES)
@pytest.mark.parametrize("is_quick", [True, False])
def test_a_ledger_of_genuine_files_is_sound(tmp_path: Path, release: str, is_quick: bool) -> None:
    found = checked(genuine(tmp_path, release), is_quick=is_quick)
    assert (found.findings, found.is_sound, found.is_cut) == ([], True, False)
    assert found.transcripts > 0


def test_generations_odd_lines_and_blank_ones_are_sound(house: Household) -> None:
    found = checked(house)
    assert found.findings == []
    sizes = [house.path(name_of(number)).stat().st_size for number in (1, 2)]
    assert (found.transcripts, found.raw_bytes) == (2, sum(sizes))


def test_an_archive_whose_last_line_lacks_its_newline_is_sound(tmp_path: Path) -> None:
    house = household(tmp_path)
    house.write(f"{name_of(1)}.reset.{RESET_TIME}", transcript(1, 2) + message(3)[:-1])
    house.catch_up()
    assert checked(house).findings == []


def test_an_archive_that_was_cut_short_later_is_sound(tmp_path: Path) -> None:
    house = household(tmp_path)
    for count in (3, 1):
        house.write(f"{name_of(1)}.reset.{RESET_TIME}", transcript(1, count))
        house.catch_up()
    assert checked(house).findings == []


@pytest.mark.parametrize("is_quick", [True, False])
@pytest.mark.parametrize(
    ("breaking", "kind"),
    [
        ("DELETE FROM _blocks WHERE transcript_id = 2 AND byte_offset = 0", "gap"),
        ("DELETE FROM _blocks WHERE transcript_id = 1 AND superseded_in = 2", "row"),
        ("UPDATE _blocks SET byte_offset = byte_offset + 1 WHERE transcript_id = 2 AND byte_offset > 0", "gap"),
        ("UPDATE _blocks SET byte_offset = byte_offset - 1 WHERE transcript_id = 2 AND byte_offset > 0", "overlap"),
        ("UPDATE _blocks SET superseded_in = 2 WHERE transcript_id = 1 AND byte_offset = 0", "gap"),
        ("UPDATE _blocks SET generation = 9 WHERE transcript_id = 2 AND byte_offset > 0", "cursor"),
        ("UPDATE transcripts SET bytes = bytes + 1 WHERE id = 2", "cursor"),
        ("UPDATE transcripts SET generation = 1 WHERE id = 1", "cursor"),
        ("UPDATE entries SET byte_length = byte_length + 1 WHERE transcript_id = 2 AND line_no = 3", "overlap"),
        ("UPDATE entries SET byte_length = byte_length + 9 WHERE transcript_id = 2 AND line_no = 12", "row"),
        ("UPDATE quarantine SET byte_offset = byte_offset - 1 WHERE superseded_in IS NULL", "overlap"),
        ("UPDATE entries SET byte_offset = byte_offset + 999 WHERE salvaged = 1 AND superseded_in IS NULL", "row"),
        ("UPDATE entries SET byte_length = 99999 WHERE superseded_in = 2 AND line_no = 9", "row"),
        ("UPDATE entries SET superseded_in = 7 WHERE superseded_in = 2", "row"),
        ("DELETE FROM search_docsize WHERE id = (SELECT max(id) FROM search_docsize)", "search"),
        ("INSERT INTO search_docsize SELECT 99999, sz FROM search_docsize LIMIT 1", "search"),
        ("UPDATE messages SET turn_id = 7777 WHERE id = 3", "foreign_key"),
        ("DELETE FROM entries WHERE id = 3", "foreign_key"),
    ],
)
def test_a_broken_law_is_named(house: Household, breaking: str, kind: str, is_quick: bool) -> None:
    broken(house, breaking)
    assert kind in kinds(house, is_quick=is_quick)


@pytest.mark.parametrize(
    ("breaking", "kind", "message"),
    [
        ("DELETE FROM quarantine WHERE superseded_in IS NULL", "row", "has no row"),
        ("UPDATE entries SET line_no = line_no + 1 WHERE transcript_id = 2 AND line_no = 12", "row", "says line 13"),
        ("UPDATE entries SET byte_length = 20 WHERE transcript_id = 2 AND line_no = 4", "row", "says line 4, 20 bytes"),
        ("UPDATE transcripts SET lines = lines + 1 WHERE id = 1", "lines", "lines taken in"),
        ("UPDATE transcripts SET file_sha256 = 'abc' WHERE id = 2", "sha256", "abc"),
    ],
)
def test_the_full_check_holds_every_line_against_its_row(
    house: Household, breaking: str, kind: str, message: str
) -> None:
    broken(house, breaking)
    findings = [finding for finding in checked(house).findings if finding.kind == kind]
    assert any(message in finding.message and finding.transcript_id for finding in findings)


@pytest.mark.parametrize("codec", [PLAIN, ZSTD])
@pytest.mark.parametrize("condition", ["superseded_in IS NULL", "superseded_in = 2"])
def test_a_flipped_byte_of_a_block_is_found(house: Household, condition: str, codec: int) -> None:
    for number in range(20, 24):  # some small blocks, which stay unpacked
        house.append(name_of(1), message(number))
        house.catch_up()
    if condition != "superseded_in IS NULL":
        condition = "superseded_in IS NOT NULL"
        house.truncate(name_of(1), len(header(1)))
        house.catch_up()

    def flip(connection: apsw.Connection) -> None:
        of_codec = f"SELECT id, data FROM _blocks WHERE codec = {codec} AND {condition} ORDER BY id LIMIT 1"
        row_id, data = next(connection.execute(of_codec))
        middle = len(data) // 2
        flipped = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
        connection.execute("UPDATE _blocks SET data = ? WHERE id = ?", (flipped, row_id))

    broken(house, flip)
    assert kinds(house) == {"damaged"}
    assert kinds(house, is_quick=True) == set()


def test_a_lost_newline_under_a_checksum_that_fits_is_found(tmp_path: Path) -> None:
    house = household(tmp_path)
    house.write(name_of(1), transcript(1, 1))
    house.catch_up()

    def join_lines(connection: apsw.Connection) -> None:
        row_id, codec, data = next(connection.execute("SELECT id, codec, data FROM _blocks"))
        joined = unpack(codec, data).replace(b"\n", b" ", 1)
        connection.execute("UPDATE _blocks SET codec = ?, data = ? WHERE id = ?", (*pack(joined), row_id))

    broken(house, join_lines)
    assert kinds(house) == {"row", "lines"}


def test_an_archive_with_other_bytes_of_the_same_shape_is_found_by_its_hash(tmp_path: Path) -> None:
    house = household(tmp_path)
    path = house.write(f"{name_of(1)}.reset.{RESET_TIME}", transcript(1, 9))
    house.catch_up()

    def alter(connection: apsw.Connection) -> None:
        row_id, codec, data = next(connection.execute("SELECT id, codec, data FROM _blocks"))
        altered = unpack(codec, data).replace(b"number 5", b"number 6")
        connection.execute("UPDATE _blocks SET codec = ?, data = ? WHERE id = ?", (*pack(altered), row_id))

    broken(house, alter)
    (finding,) = checked(house).findings
    assert (finding.kind, finding.transcript_id) == ("sha256", 1)
    assert hashlib.sha256(path.read_bytes()).hexdigest() in finding.message


def test_a_damaged_search_index_is_found(house: Household) -> None:
    broken(house, "UPDATE search_data SET block = zeroblob(length(block)) WHERE id > 10")
    assert kinds(house) == {"search"}


def test_a_damaged_page_is_found(house: Household) -> None:
    page = bytearray(house.ledger_path.read_bytes())
    middle = (len(page) // 16384 // 2) * 16384
    page[middle : middle + 64] = b"\xa5" * 64
    house.ledger_path.write_bytes(page)
    found = checked(house)
    assert "sqlite" in {finding.kind for finding in found.findings}


def test_a_file_that_is_no_database_is_told_at_once(house: Household) -> None:
    house.ledger_path.write_bytes(b"this is no database " * 2000)
    with pytest.raises(LedgerCorrupt):
        checked(house)


def test_findings_are_bounded(tmp_path: Path) -> None:
    house = household(tmp_path)
    house.write(name_of(1), transcript(1, MAX_FINDINGS + 50))
    house.catch_up()
    broken(house, "UPDATE messages SET turn_id = 7777")
    found = checked(house)
    assert (len(found.findings), found.is_cut) == (MAX_FINDINGS, True)


def test_nothing_in_the_ledger_is_changed_by_looking(house: Household) -> None:
    before = house.ledger_path.read_bytes()
    checked(house)
    assert house.ledger_path.read_bytes() == before
