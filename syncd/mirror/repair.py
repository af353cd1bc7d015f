"""Repair: a plan applied. Each thing that was found is put right in the way that made it in the first place.

On the thread of the one writer, with live files in between at every border; each action leaves a line in `sync_events`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from syncd.ledger import transcripts
from syncd.ledger.backup_bytes import fill_from_backups
from syncd.ledger.backups import kept_backups
from syncd.ledger.check_sessions import agree_on_removed, mend_sessions
from syncd.ledger.cursors import misplaced_cursors
from syncd.ledger.derived import mark_stale, remove_orphans
from syncd.ledger.faults import damaged
from syncd.ledger.files import EXPECT_PLACE, RECLAIM_PLACE
from syncd.ledger.late_links import bind_sessions, link_owners, look_for_parents_again, pair_early_results
from syncd.ledger.past_mending import mend_past
from syncd.ledger.past_seals import seal_unsealed_past
from syncd.ledger.removal import remove_returned
from syncd.ledger.row_mending import SESSIONS, MendedRows, mend_rows
from syncd.ledger.search_index import mend_search
from syncd.ledger.session_history import restore_pairings
from syncd.ledger.sessions import distrust_entries
from syncd.ledger.transaction import writing
from syncd.ledger.wrong_places import give_back, wrong_places
from syncd.mirror.catchup import CatchUp, Progress, border_of_rebuild, bring_level
from syncd.mirror.enrolment import name_host_again
from syncd.mirror.lineage import link_parents
from syncd.mirror.mend import Mender
from syncd.mirror.rebuild import derive_stale
from syncd.path_text import printable
from syncd.sources.opening import is_there
from syncd.sources.owners import owners_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from syncd.ledger.writer import Writer
    from syncd.mirror.catchup import CatchUpOptions, Home, Pace
    from syncd.mirror.repair_plan import Finding, Plan

_NAMED = 20
_DISTRUST = "UPDATE _files SET is_proven = 0, ctime_ns = 0, scanned = 0 WHERE id = ?"
_STRAY_LINKS = (
    "UPDATE transcripts SET session = NULL WHERE session NOT IN (SELECT id FROM sessions)",
    """UPDATE transcripts SET parent_transcript_id = NULL, lineage_id = 0
       WHERE parent_transcript_id NOT IN (SELECT id FROM transcripts)""",
    "UPDATE transcripts SET tip_turn_id = NULL WHERE tip_turn_id NOT IN (SELECT id FROM turns)",
    # The next look finds the file, and whose it is.
    "DELETE FROM _files WHERE installation_id NOT IN (SELECT id FROM installations)",
    "UPDATE _files SET transcript_id = NULL, is_proven = 0 WHERE transcript_id NOT IN (SELECT id FROM transcripts)",
)


@dataclass(slots=True)
class Repaired:
    """What came of it."""

    caught_up: CatchUp = field(default_factory=CatchUp)
    derived: int = 0
    mended: int = 0
    """Transcripts whose lost raw bytes were found again, in a file or a backup."""
    lost: list[int] = field(default_factory=list)
    """Transcripts of which raw bytes are lost for good."""
    rows: MendedRows = field(default_factory=MendedRows)


def apply_repairs(writer: Writer, homes: Iterable[Home], plan: Plan, options: CatchUpOptions, pace: Pace) -> Repaired:
    """Needs the writer lock. LedgerCorrupt: what was found is damage of the file itself after all."""
    homes, done, ledger = tuple(homes), Repaired(), writer.ledger
    writer.flush()
    mender = Mender.of(ledger, writer.clock, [home.state_dir for home in homes])
    steps: dict[str, Callable[[Finding], None]] = {
        "checksums": lambda _: _mend_rows(writer, plan, done),
        "search": lambda _: mend_search(ledger),
        "foreign_keys": lambda finding: _drop_strays(writer, finding),
        "ends": lambda finding: _move_cursors(writer, finding),
        "bytes": lambda finding: _mend(writer, mender, finding, pace, done),
        "past_rows": lambda finding: _mend_past(writer, finding, done),
        "wrong_rows": lambda finding: _undo_rows(writer, finding),
        "quarantine": lambda finding: mark_stale(writer.ledger, finding.ids),
        "wrong_places": lambda _: _give_back_places(writer),
        "cursors": lambda finding: _distrust(writer, finding),
        "places": lambda finding: _find_places(writer, homes, finding),
        "index": lambda finding: _forget_entries(writer, finding.ids),
    }
    for finding in plan.findings:
        if finding.kind in steps:
            steps[finding.kind](finding)
        _tell(writer, finding)
        pace.at_border()
    border = partial(border_of_rebuild, writer, pace)
    done.derived = derive_stale(ledger, options.max_line_bytes, Progress(), mender, border)
    writer.renumber()
    bring_level(writer, homes, options, Progress(), pace, mender, done.caught_up)
    writer.flush()
    _link(writer, plan, options)
    if plan.damaged_rows and remove_returned(ledger, writer.clock.now_ms()):  # it has its name again
        writer.renumber()
        for home in homes:
            home.files.kept_out.refresh()
    if plan.has("foreign_keys") and ledger.row("PRAGMA foreign_key_check") is not None:
        raise damaged(ledger.path, "rows refer to rows that are not there, also after a rebuild")
    return done


def _tell(writer: Writer, finding: Finding) -> None:
    writer.event("repair", None, action=finding.kind, count=finding.count, ids=list(finding.ids[:_NAMED]))
    writer.flush()


def _drop_strays(writer: Writer, finding: Finding) -> None:
    remove_orphans(writer.ledger)
    mend_search(writer.ledger)  # what was removed had its words there
    with writing(writer.ledger) as connection:
        for statement in _STRAY_LINKS:
            connection.execute(statement)
    mark_stale(writer.ledger, finding.ids)


def _undo_rows(writer: Writer, finding: Finding) -> None:
    """The words of a text that changed by itself are not those that were indexed, by which it would be taken out."""
    mend_search(writer.ledger)
    mark_stale(writer.ledger, finding.ids)


def _mend(writer: Writer, mender: Mender, finding: Finding, pace: Pace, done: Repaired) -> None:
    """From a file first, which may have more; then from backups, the newest first."""
    backups = [kept.path for kept in kept_backups(writer.ledger.path.absolute())]
    for transcript_id in finding.ids:
        transcript = transcripts.load(writer.ledger, transcript_id)
        told = len(mender.lost)
        if mender.mend(transcript) and fill_from_backups(writer.ledger, transcript, writer.clock, backups):
            done.lost.append(transcript_id)
        else:
            del mender.lost[told:]  # it was not lost after all
            done.mended += 1
            mark_stale(writer.ledger, (transcript_id,))
        pace.at_border()


def _mend_rows(writer: Writer, plan: Plan, done: Repaired) -> None:
    ledger = writer.ledger
    backups = [kept.path for kept in kept_backups(ledger.path.absolute())]
    done.rows = mend_rows(ledger, plan.damaged_rows, backups, writer.clock.now_ms())
    name_host_again(ledger, done.rows)
    # One that has left the index, too: of its columns, its entry and its versions can tell.
    sessions = [*done.rows.sessions, *(row.key[0] for row in done.rows.doubtful if row.table == SESSIONS)]
    if sessions:
        _forget_entries(writer, tuple(sessions))


def _mend_past(writer: Writer, finding: Finding, done: Repaired) -> None:
    backups = [kept.path for kept in kept_backups(writer.ledger.path.absolute())]
    found = mend_past(writer.ledger, finding.ids, backups, writer.clock.now_ms())
    done.rows.right += found.right
    done.rows.doubtful += found.doubtful
    mark_stale(writer.ledger, finding.ids)  # a live line may have been among them, by a damage


def _move_cursors(writer: Writer, finding: Finding) -> None:
    """To where the raw bytes end; deriving counts the lines. No file has to be asked: nothing of it changed."""
    with writing(writer.ledger) as connection:
        for transcript_id, end in misplaced_cursors(writer.ledger).items():
            if transcript_id in finding.ids:
                connection.execute("UPDATE transcripts SET bytes = ? WHERE id = ?", (end, transcript_id))
    mark_stale(writer.ledger, finding.ids)


def _distrust(writer: Writer, finding: Finding) -> None:
    with writing(writer.ledger) as connection:
        for file_id in finding.ids:
            connection.execute(_DISTRUST, (file_id,))


def _give_back_places(writer: Writer) -> None:
    """By what is known now: rows that were not as they were written, and may have been in the way, are mended."""
    with writing(writer.ledger) as connection:
        give_back(connection, wrong_places(writer.ledger))


def _forget_entries(writer: Writer, sessions: tuple[int, ...]) -> None:
    """The next look at the index holds their rows against it. What has left it is made from what the ledger kept."""
    with writing(writer.ledger) as connection:
        mend_sessions(writer.ledger, sessions)
        agree_on_removed(writer.ledger, sessions, writer.clock.now_ms())
        restore_pairings(writer.ledger, sessions)
        distrust_entries(connection, sessions)


def _find_places(writer: Writer, homes: tuple[Home, ...], finding: Finding) -> None:
    """A file that is there is compared at the next look; without one the transcript is only in the ledger."""
    state_dirs = {home.files.installation_id: home.state_dir for home in homes}
    for transcript_id in finding.ids:
        transcript = transcripts.load(writer.ledger, transcript_id)
        state_dir = state_dirs.get(transcript.installation_id)
        if state_dir is None:
            continue
        with writing(writer.ledger) as connection:
            relative = os.fsencode(transcript.path).removeprefix(os.fsencode(printable(state_dir)) + b"/")
            if is_there(transcript.path):
                connection.execute(EXPECT_PLACE, (transcript.installation_id, relative, transcript_id))
                if connection.changes():
                    continue
                connection.execute(
                    RECLAIM_PLACE, (transcript_id, transcript.installation_id, relative, transcript.path)
                )
                if connection.changes():
                    continue
            connection.execute("UPDATE transcripts SET state = 'gone' WHERE id = ?", (transcript_id,))


def _link(writer: Writer, plan: Plan, options: CatchUpOptions) -> None:
    """Behind all that came in: it may be what was missing."""
    ledger = writer.ledger
    with writing(ledger):
        seal_unsealed_past(ledger, writer.clock.now_ms())
        look_for_parents_again(ledger, plan.ids("parents"))
        if plan.has("owners"):
            link_owners(ledger, plan.ids("owners"))
        bind_sessions(ledger)
        pair_early_results(ledger)
    if plan.has("parents"):
        link_parents(ledger, owners_by(options.environ))
