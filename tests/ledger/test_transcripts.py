"""A transcript's row: every fact that changes is stored, and no index is written for what does not."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from syncd.ledger import transcripts
from syncd.ledger.database import Ledger
from syncd.ledger.files import FileTable
from syncd.ledger.row_checksums import UNGUARDED
from tests.ledger.scratch import scratch_ledger, scratch_writer, started
from tests.mirror.household import Household, header, household, message, name_of

CHANGES: dict[str, Any] = {
    "session_id": "other", "topic_id": "7", "path": "/elsewhere", "kind": "reset", "parent_session": "/parent",
    "cwd": "/there", "header_version": "4", "started_at": 5, "leaf_entry_id": "leaf", "append_entry_id": "next",
    "is_tree_due": True, "generation": 3, "bytes": 10, "lines": 11, "tail_bytes": 12, "open_bytes": 13,
    "file_sha256": "ab", "state": "gone", "projection": 77, "changed_at": 14, "title": "t", "mentions": " m ",
}  # fmt: skip
FOUND_BESIDE = {"id", "installation_id", "agent_id", "parent_transcript_id", "lineage_id", "first_seen_at", "session",
                "checksum"}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_every_fact_of_a_transcript_that_changes_is_stored(tmp_path: Path, name: str) -> None:
    with scratch_ledger(tmp_path) as ledger, scratch_writer(ledger) as writer:
        writer.touch(started(writer))
        writer.flush()
        before = dict(zip(_columns(ledger), ledger.row("SELECT * FROM transcripts") or (), strict=True))
        assert set(before) - FOUND_BESIDE - {"tip_turn_id", "folded_cwd"} == set(CHANGES)
        transcript = transcripts.load(ledger, 1)
        setattr(transcript, name, CHANGES[name])
        transcript.store(ledger.connection)
        after = dict(zip(_columns(ledger), ledger.row("SELECT * FROM transcripts") or (), strict=True))
        assert after[name] == CHANGES[name]
        also = {"cwd": {"folded_cwd"}, "session_id": {"lineage_id"}, "parent_session": {"lineage_id"}}
        changed = {column for column in after if after[column] != before[column]} - also.get(name, set())
        assert changed - {"checksum"} == {name}
        sums = {name for name in ("lower", "upper") if _half(before, name) != _half(after, name)}
        assert sums == {"changed_at": {"upper"}}.get(name, set() if name in UNGUARDED["transcripts"] else {"lower"})


def _half(row: dict[str, object], which: str) -> int:
    checksum = row["checksum"]
    assert isinstance(checksum, int)
    return checksum >> 32 if which == "upper" else checksum & 0xFFFFFFFF


def _columns(ledger: Ledger) -> list[str]:
    return [str(name) for (name,) in ledger.execute("SELECT name FROM pragma_table_info('transcripts')")]


PAGES_OF_LOG = """
import pathlib, sys
data = pathlib.Path(sys.argv[1]).read_bytes()
size = int.from_bytes(data[8:12], "big")
print(*{int.from_bytes(data[at : at + 4], "big") for at in range(32, len(data), size + 24)})
"""


def _pages_written(path: Path) -> set[int]:
    """In another process: closing the log here would drop SQLite's locks."""
    done = subprocess.run(
        [sys.executable, "-c", PAGES_OF_LOG, f"{path}-wal"], capture_output=True, text=True, check=True
    )
    return set(map(int, done.stdout.split()))


def test_an_append_writes_no_index_of_transcripts(tmp_path: Path) -> None:
    with scratch_ledger(tmp_path) as ledger, scratch_writer(ledger) as writer:
        transcript = started(writer)
        writer.append(transcript, header(1) + message(1))
        writer.flush()
        roots = dict(ledger.execute("SELECT name, rootpage FROM sqlite_master WHERE tbl_name = 'transcripts'"))
        ledger.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        transcript = writer.load(transcript.id)
        writer.append(transcript, message(2, role="bashExecution"))
        writer.flush()
        written = _pages_written(ledger.path)
    assert roots.pop("transcripts") in written
    assert len(roots) >= 5
    assert not written & set(roots.values())


def test_a_file_that_lost_its_transcript_gets_it_back_when_it_is_seen_again(tmp_path: Path) -> None:
    house: Household = household(tmp_path)
    house.write(name_of(1), header(1) + message(1))
    house.catch_up()
    with scratch_ledger(house.ledger_path.parent) as ledger, scratch_writer(ledger) as writer:
        files = FileTable(ledger, 1, str(house.state_dir))
        files.stats()
        path = str(house.path(name_of(1)))
        known = files.get(path)
        assert known is not None
        assert known.transcript_id == 1
        for asks_between in (False, True):
            files.forget_transcript(writer, path, 1)
            if asks_between:
                files.get(path)
            files.put(writer, path, known)
            writer.flush()
            again = files.get(path)
            assert again is not None
            assert again.transcript_id == 1
