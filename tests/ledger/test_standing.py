"""A ledger that is moved or deleted while it is open: found by its inodes, and whole at its path afterwards."""

import os
import shutil
from pathlib import Path

import pytest

from syncd import paths
from syncd.errors import LedgerGone, LedgerMoved
from syncd.ledger import standing as keeping
from syncd.ledger.database import Ledger, open_for_reading, open_for_writing
from syncd.ledger.leftovers import remove_leftovers
from syncd.ledger.lock import writer_lock
from syncd.ledger.snapshot import snapshot
from syncd.ledger.standing import refuse_moved, standing
from tests.mirror_checks import query

WROTE = "SELECT count(*) FROM sync_events"


def note(ledger: Ledger) -> None:
    ledger.run("INSERT INTO sync_events (at, kind) VALUES (1, 'missed_event')")


def test_one_that_stays_where_it_is_is_left_alone(tmp_path: Path) -> None:
    with open_for_writing(tmp_path / "ledger.db") as ledger:
        note(ledger)
        opened = standing(ledger)
        note(ledger)
        ledger.connection.wal_checkpoint()
        refuse_moved(ledger, opened)
    assert query(tmp_path / "ledger.db", WROTE) == [(2,)]


@pytest.mark.parametrize("gone", [("-wal",), ("-shm",), ("-wal", "-shm"), ("",), ("", "-wal", "-shm")])
def test_what_is_deleted_under_it_loses_no_commit(tmp_path: Path, gone: tuple[str, ...]) -> None:
    path = tmp_path / "ledger.db"
    ledger = open_for_writing(path)
    try:
        note(ledger)
        opened = standing(ledger)
        for suffix in gone:
            path.with_name(path.name + suffix).unlink()
        note(ledger)  # SQLite does not notice
        with pytest.raises(LedgerMoved, match=r"ledger\.db"):
            refuse_moved(ledger, opened)
    finally:
        ledger.close()
    with open_for_writing(path) as again:
        assert again.row(WROTE) == (2,)
        assert again.row("PRAGMA integrity_check") == ("ok",)
        refuse_moved(again, standing(again))
    assert path.stat().st_mode & 0o777 == 0o600
    assert sorted(file.name for file in tmp_path.iterdir()) == ["ledger.db"]


def test_one_that_is_put_back_is_opened_beside_whoever_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    ledger = open_for_writing(path)
    try:
        note(ledger)
        opened = standing(ledger)
        path.unlink()
        with pytest.raises(LedgerMoved):
            refuse_moved(ledger, opened)
    finally:
        ledger.close()
    with open_for_reading(path) as reader, snapshot(reader):
        assert reader.row(WROTE) == (1,)
        with open_for_writing(path, busy_seconds=0) as again:
            note(again)
            assert again.row(WROTE) == (2,)


def test_one_that_is_put_back_is_safe_from_a_power_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, synced = tmp_path / "ledger.db", list[tuple[str, bool]]()

    def sync(place: Path) -> None:
        synced.append((place.name, path.exists()))
        paths.put_on_disk(place)

    monkeypatch.setattr(keeping, "put_on_disk", sync)
    with open_for_writing(path) as ledger:
        opened = standing(ledger)
        path.unlink()
        with pytest.raises(LedgerMoved):
            refuse_moved(ledger, opened)
    assert synced == [(".ledger.db.rescued.partial", False), (tmp_path.name, True)]


def test_no_log_of_before_lies_beside_one_that_is_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads it that moment, or after a kill or a power cut then, would have it played into the copy."""
    path, beside = tmp_path / "ledger.db", list[str]()
    usual = paths.put_where_nothing_is

    def look(file: Path, place: Path) -> None:
        usual(file, place)
        beside.extend(sorted(found.name for found in tmp_path.iterdir()))

    monkeypatch.setattr(keeping, "put_where_nothing_is", look)
    with open_for_writing(path) as ledger:
        note(ledger)
        opened = standing(ledger)
        path.unlink()
        with pytest.raises(LedgerMoved):
            refuse_moved(ledger, opened)
    assert beside == ["ledger.db"]


def test_a_copy_that_was_cut_short_is_a_leftover(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no header yet by which one knew it for a ledger, and holds sessions."""
    path = tmp_path / "ledger.db"

    def die(copy: Path) -> None:
        raise SystemExit(str(copy))

    monkeypatch.setattr(keeping, "_keep_log", die)
    with open_for_writing(path) as ledger:
        opened = standing(ledger)
        path.unlink()
        with pytest.raises(SystemExit):
            refuse_moved(ledger, opened)
    assert remove_leftovers(path, growing_seconds=0.0) == 1
    assert not list(tmp_path.glob("*rescued*"))


def test_one_that_takes_its_place_is_believed(tmp_path: Path) -> None:
    """Somebody put back a copy: it counts, whatever the open one has."""
    path = tmp_path / "ledger.db"
    ledger = open_for_writing(path)
    try:
        note(ledger)
        copy = tmp_path / "copy.db"
        ledger.connection.execute("VACUUM INTO ?", (str(copy),))
        opened = standing(ledger)
        note(ledger)
        copy.replace(path)
        with pytest.raises(LedgerMoved):
            refuse_moved(ledger, opened)
    finally:
        ledger.close()
    assert query(path, WROTE) == [(1,)]


def test_one_that_comes_to_its_place_while_it_is_put_back_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another has found the place empty: neither its file nor its log is touched."""
    path = tmp_path / "ledger.db"
    ledger, others = open_for_writing(path), []
    usual = keeping._keep_log

    def come_between(copy: Path) -> None:
        usual(copy)
        others.append(open_for_writing(path))
        note(others[0])
        note(others[0])

    monkeypatch.setattr(keeping, "_keep_log", come_between)
    try:
        note(ledger)
        opened = standing(ledger)
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink()
        with pytest.raises(LedgerMoved) as caught:
            refuse_moved(ledger, opened)
        assert caught.value.is_another
    finally:
        ledger.close()
        others[0].close()
    assert query(path, WROTE) == [(2,)]
    assert not path.with_name(".ledger.db.rescued.partial").exists()


def test_one_that_is_deleted_is_held_on_to_whatever_lies_in_the_way(tmp_path: Path) -> None:
    """A file where its directory was: that is no disk that fails."""
    path = tmp_path / "place" / "ledger.db"
    with writer_lock(path) as hold, open_for_writing(path) as ledger:
        note(ledger)
        hold.keep_file()
        opened = standing(ledger)
        shutil.rmtree(path.parent)
        path.parent.write_text("in the way")
        with pytest.raises(LedgerGone, match="cannot be put back: Not a directory"):
            refuse_moved(ledger, opened, hold)
        path.parent.unlink()
        with pytest.raises(LedgerMoved):
            refuse_moved(ledger, opened, hold)
    assert query(path, WROTE) == [(1,)]


@pytest.mark.parametrize("has_links", [True, False])
def test_what_is_put_where_something_is_replaces_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_links: bool
) -> None:
    def no_link(_from: object, _to: object) -> None:
        raise PermissionError

    if not has_links:
        monkeypatch.setattr(os, "link", no_link)
    file, place = tmp_path / "file", tmp_path / "place"
    file.write_text("mine")
    paths.put_where_nothing_is(file, place)
    assert (place.read_text(), file.exists()) == ("mine", False)
    file.write_text("another")
    with pytest.raises(FileExistsError):
        paths.put_where_nothing_is(file, place)
    assert (place.read_text(), file.read_text()) == ("mine", "another")
