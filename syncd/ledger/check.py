"""Is the ledger sound? SQLite's own checks, then ours: raw bytes gapless, every line in its row, each row as written.

Read-only, so it needs no writer lock and runs beside a writer; each transcript is seen in one read transaction. The
search index is held against the texts, in a copy of it; what rows say against their raw bytes, by who is handed in,
since deriving rows is not the ledger's. Not a comparison with OpenClaw's files: that is `verify`.
Faults are values, and bounded in number.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from syncd.errors import LedgerCorrupt
from syncd.ledger.check_repeats import repeat_faults
from syncd.ledger.check_sessions import session_faults
from syncd.ledger.check_transcript import Fault, faults_of
from syncd.ledger.faults import translated
from syncd.ledger.row_audit import damaged_rows
from syncd.ledger.schema_text import flipped_rows
from syncd.ledger.search_index import is_of_the_index, needlessly_indexed, search_fault, unindexed_messages
from syncd.ledger.snapshot import snapshot
from syncd.ledger.wrong_places import wrong_places

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from syncd.ledger.database import Ledger

    HasWrongRows = Callable[[Ledger, int], bool]
    """Are the rows of this transcript other ones than its raw bytes make?"""

MAX_FINDINGS = 100
WRONG_ROWS = "wrong_rows"
"""What can be made again from what is whole."""
CHECKSUM = "checksum"
"""A row of what only the ledger knows, which is not as it was written."""
_STEPS_BETWEEN_LOOKS = 1_000_000


@dataclass(frozen=True, slots=True)
class Finding:
    """`kind`: sqlite, foreign_key, search, usage, session, gap, overlap, cursor, damaged, row, lines, sha256, place (a
    file is known as that of another transcript), checksum (a row is not as it was written), past_rows (nor are those
    of dropped lines) or wrong_rows, which can be made again from what is whole.
    """

    kind: str
    message: str
    transcript_id: int | None = None
    session: int | None = None


@dataclass(slots=True)
class Check:
    """What was looked at and what is wrong. `is_cut`: there is more than `findings` holds."""

    is_quick: bool
    transcripts: int = 0
    raw_bytes: int = 0
    findings: list[Finding] = field(default_factory=list)
    is_cut: bool = False

    @property
    def is_sound(self) -> bool:
        return not self.findings

    def has(self, kind: str) -> bool:
        return any(item.kind == kind for item in self.findings)


def check(ledger: Ledger, *, is_quick: bool, has_wrong_rows: HasWrongRows = lambda *_: False) -> Check:
    """Look at everything; `is_quick` leaves out the raw bytes themselves, SQLite's comparison of the indexes, what
    the rows say and their checksums.
    """
    result = Check(is_quick)
    with translated(ledger.path):
        flipped = flipped_rows(ledger.connection)
    result.findings += [Finding("sqlite", f"bytes of the schema have changed: {row.name}") for row in flipped]
    if flipped:  # by which everything else would be read
        return result
    # Not to end anything: a signal can be answered only where Python is asked now and then.
    ledger.connection.set_progress_handler(lambda: False, _STEPS_BETWEEN_LOOKS)
    steps: tuple[Callable[[], Iterator[Finding]], ...] = (
        lambda: _sqlite_findings(ledger, is_quick=is_quick),
        lambda: _foreign_key_findings(ledger),
        lambda: _checksum_findings(ledger, is_quick=is_quick),
        lambda: _search_findings(ledger, is_quick=is_quick),
        lambda: _repeat_findings(ledger),
        lambda: _session_findings(ledger, is_quick=is_quick),
        lambda: _place_findings(ledger),
        lambda: _transcript_findings(ledger, result, has_wrong_rows),
    )
    for step in steps:
        with closing(_guarded(step)) as findings:
            for finding in findings:
                if len(result.findings) >= MAX_FINDINGS:
                    result.is_cut = True
                    return result
                result.findings.append(finding)
    return result


def _guarded(step: Callable[[], Iterator[Finding]]) -> Generator[Finding]:
    """A file too damaged to be asked is a finding too."""
    try:
        yield from step()
    except LedgerCorrupt as damage:
        yield Finding("sqlite", damage.title)


def _sqlite_findings(ledger: Ledger, *, is_quick: bool) -> Iterator[Finding]:
    pragma = "quick_check" if is_quick else "integrity_check"
    for (message,) in ledger.execute(f"PRAGMA {pragma}({MAX_FINDINGS + 1})"):
        if message != "ok":
            yield Finding("search" if is_of_the_index(message) else "sqlite", message)


def _foreign_key_findings(ledger: Ledger) -> Iterator[Finding]:
    for table, row_id, parent, _ in ledger.execute("PRAGMA foreign_key_check"):
        yield Finding("foreign_key", f"{table} row {row_id} refers to a row that {parent} has not")


def _checksum_findings(ledger: Ledger, *, is_quick: bool) -> Iterator[Finding]:
    for row in () if is_quick else damaged_rows(ledger):
        yield Finding(CHECKSUM, f"{row.name} is not as it was written")


def _search_findings(ledger: Ledger, *, is_quick: bool) -> Iterator[Finding]:
    for message_id in unindexed_messages(ledger):
        yield Finding("search", f"message {message_id} is not in the search index")
    for message_id in needlessly_indexed(ledger):
        yield Finding("search", f"the search index holds message {message_id}, which is none to be found")
    if not is_quick and (fault := search_fault(ledger)) is not None:
        yield Finding("search", fault)


def _repeat_findings(ledger: Ledger) -> Iterator[Finding]:
    with snapshot(ledger):
        for fault in repeat_faults(ledger):
            yield Finding("usage", fault.message, fault.transcript_id)


def _session_findings(ledger: Ledger, *, is_quick: bool) -> Iterator[Finding]:
    with snapshot(ledger):
        for fault in session_faults(ledger, reads_versions=not is_quick):
            yield Finding("session" if fault.is_of_entry else WRONG_ROWS, fault.message, session=fault.session)


def _place_findings(ledger: Ledger) -> Iterator[Finding]:
    with snapshot(ledger):
        for place in wrong_places(ledger):
            yield Finding("place", f"{place.path} is known as the file of another transcript", place.owner)


def _transcript_findings(ledger: Ledger, result: Check, has_wrong_rows: HasWrongRows) -> Iterator[Finding]:
    last_id = 0
    while (row := ledger.row("SELECT min(id) FROM transcripts WHERE id > ?", (last_id,))) and row[0] is not None:
        last_id, is_whole = int(row[0]), True
        with snapshot(ledger):
            for fault in _corruption_as_fault(faults_of(ledger, last_id, reads_bytes=not result.is_quick)):
                is_whole = False
                yield Finding(fault.kind, fault.message, last_id)
            size = ledger.row("SELECT bytes FROM transcripts WHERE id = ?", (last_id,))
        if is_whole and not result.is_quick and has_wrong_rows(ledger, last_id):
            yield Finding(WRONG_ROWS, "rows are not what the raw bytes make", last_id)
        result.transcripts += 1
        result.raw_bytes += int(size[0]) if size else 0


def _corruption_as_fault(faults: Iterator[Fault]) -> Iterator[Fault]:
    try:
        yield from faults
    except LedgerCorrupt as damage:
        yield Fault("sqlite", damage.title)
