"""Is the ledger sound? SQLite's own checks, then ours: raw bytes gapless, every line in its row, every answer once.

Read-only, so it needs no writer lock and runs beside a writer; each transcript is seen in one read transaction. The
search index is checked by SQLite's integrity check and by its list of documents, since FTS5's own command wants to
write. Not a comparison with OpenClaw's files: that is `verify`. Faults are values, and bounded in number.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from syncd.errors import LedgerCorrupt
from syncd.ledger.check_repeats import repeat_faults
from syncd.ledger.check_transcript import Fault, faults_of
from syncd.ledger.snapshot import snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from syncd.ledger.database import Ledger

MAX_FINDINGS = 100
_STEPS_BETWEEN_LOOKS = 1_000_000

_NOT_INDEXED = "SELECT id FROM _searchable EXCEPT SELECT id FROM search_docsize"
_NOT_IN_MESSAGES = "SELECT id FROM search_docsize EXCEPT SELECT id FROM _searchable"


@dataclass(frozen=True, slots=True)
class Finding:
    """`kind`: sqlite, foreign_key, search, usage, gap, overlap, cursor, damaged, row, lines or sha256."""

    kind: str
    message: str
    transcript_id: int | None = None


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


def check(ledger: Ledger, *, is_quick: bool) -> Check:
    """Look at everything; `is_quick` leaves out the raw bytes themselves and SQLite's comparison of the indexes."""
    result = Check(is_quick)
    # Not to end anything: a signal can be answered only where Python is asked now and then.
    ledger.connection.set_progress_handler(lambda: False, _STEPS_BETWEEN_LOOKS)
    steps: tuple[Callable[[], Iterator[Finding]], ...] = (
        lambda: _sqlite_findings(ledger, is_quick=is_quick),
        lambda: _foreign_key_findings(ledger),
        lambda: _search_findings(ledger),
        lambda: _repeat_findings(ledger),
        lambda: _transcript_findings(ledger, result),
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
            yield Finding("sqlite", message)


def _foreign_key_findings(ledger: Ledger) -> Iterator[Finding]:
    for table, row_id, parent, _ in ledger.execute("PRAGMA foreign_key_check"):
        yield Finding("foreign_key", f"{table} row {row_id} refers to a row that {parent} has not")


def _search_findings(ledger: Ledger) -> Iterator[Finding]:
    for (message_id,) in ledger.execute(_NOT_INDEXED):
        yield Finding("search", f"message {message_id} is not in the search index")
    for (message_id,) in ledger.execute(_NOT_IN_MESSAGES):
        yield Finding("search", f"the search index holds message {message_id}, which is none to be found")


def _repeat_findings(ledger: Ledger) -> Iterator[Finding]:
    with snapshot(ledger):
        for fault in repeat_faults(ledger):
            yield Finding("usage", fault.message, fault.transcript_id)


def _transcript_findings(ledger: Ledger, result: Check) -> Iterator[Finding]:
    last_id = 0
    while (row := ledger.row("SELECT min(id) FROM transcripts WHERE id > ?", (last_id,))) and row[0] is not None:
        last_id = int(row[0])
        with snapshot(ledger):
            for fault in _corruption_as_fault(faults_of(ledger, last_id, reads_bytes=not result.is_quick)):
                yield Finding(fault.kind, fault.message, last_id)
            size = ledger.row("SELECT bytes FROM transcripts WHERE id = ?", (last_id,))
        result.transcripts += 1
        result.raw_bytes += int(size[0]) if size else 0


def _corruption_as_fault(faults: Iterator[Fault]) -> Iterator[Fault]:
    try:
        yield from faults
    except LedgerCorrupt as damage:
        yield Fault("sqlite", damage.title)
