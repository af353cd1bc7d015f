"""Who descends from whom: forks, successors and copies linked to the transcript they repeat.

By the header's parentSession and by content, since a path may have been another session's before, and a file may have
another name than the header says. Runs after a pass; what finds no parent yet is tried again when transcripts came.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from syncd.ledger import transcripts
from syncd.ledger.late_links import HAS_TWIN
from syncd.ledger.originals import unite_lineages
from syncd.ledger.replays import replaying, source_of
from syncd.ledger.transaction import writing
from syncd.ledger.transcripts import NOT_LINKED, SQL_NO_SESSIONS
from syncd.mirror.placement import is_shared
from syncd.openclaw.file_kinds import COPY_KINDS, classify
from syncd.openclaw.session_files import parent_name

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript

_MOVED = "import_archive"
"""Of the copies the one kind that may be all there is: the import moves whole families there."""
_SHARED_ENTRIES = """SELECT 1 FROM entries WHERE transcript_id = ?2 AND entry_id IN (SELECT entry_id FROM entries
    WHERE transcript_id = ?1 AND type != 'session' AND entry_id IS NOT NULL ORDER BY byte_offset LIMIT 8) LIMIT 1"""
_SAME_ENTRIES = """SELECT count(*) FROM entries JOIN (SELECT entry_id, type, at FROM entries WHERE transcript_id = ?1
    AND type != 'session' AND entry_id IS NOT NULL ORDER BY byte_offset LIMIT 8) AS own USING (entry_id, type, at)
    WHERE transcript_id = ?2"""
_PROOF = 2
"""So many entries of the same id and time tell a parent whose name the header does not know."""
_MOST_COMPARED = 50
_NO_ID = 2**62
_WITHOUT_PARENT = (
    f"parent_transcript_id IS NULL AND kind != 'trajectory' AND (parent_session IS NOT NULL OR {HAS_TWIN})"
)

# Others are of its lineage already, though its own parent is to be looked for again.
_ELDERS_TO_LOOK_AT = """SELECT DISTINCT elder.id FROM transcripts AS elder JOIN transcripts AS other
    ON other.lineage_id = elder.id WHERE elder.lineage_id = ?"""


def link_parents(ledger: Ledger) -> None:
    """Find the parents that are still unknown, in one transaction. The writer's batch must be flushed."""
    with writing(ledger):
        new = {row[0] for row in ledger.execute("SELECT id FROM transcripts WHERE lineage_id = ?", (NOT_LINKED,))}
        for (elder_id,) in list(ledger.execute(_ELDERS_TO_LOOK_AT, (NOT_LINKED,))):
            unite_lineages(ledger.connection, NOT_LINKED, elder_id, only_id=elder_id)
        ledger.run("UPDATE transcripts SET lineage_id = id WHERE lineage_id = ?", (NOT_LINKED,))
        for orphan in transcripts.load_where(ledger, _WITHOUT_PARENT, ()):
            parent = _parent(ledger, orphan, 0 if orphan.id in new else min(new, default=_NO_ID))
            if parent is not None:
                _link(ledger, orphan, parent)
        for child_id in replaying(ledger):
            parent_id = source_of(ledger, child_id, new)
            if parent_id is not None:
                _link(ledger, transcripts.load(ledger, child_id), transcripts.load(ledger, parent_id))


def is_linking_due(ledger: Ledger) -> bool:
    """Did an earlier run end between taking transcripts in and finding their parents?"""
    return ledger.row("SELECT 1 FROM transcripts WHERE lineage_id = ? LIMIT 1", (NOT_LINKED,)) is not None


def has_parent(ledger: Ledger, orphan_id: int) -> bool:
    """Would one be found now? Only reads."""
    return _parent(ledger, transcripts.load(ledger, orphan_id), 0) is not None


def has_named_parent(ledger: Ledger, orphan_id: int) -> bool:
    """Is one there that its header or its own session id names? Likeness proves nothing: siblings have it, too."""
    return _parent(ledger, transcripts.load(ledger, orphan_id), _NO_ID) is not None


def _parent(ledger: Ledger, orphan: Transcript, since: int) -> Transcript | None:
    """`since`: what an orphan of old did not find then can only have come since, from this id on."""
    if orphan.kind in COPY_KINDS or orphan.parent_session is None:
        original = _original(ledger, orphan)
        if original is not None or orphan.kind != _MOVED or orphan.parent_session is None:
            return original
    name = parent_name(orphan.parent_session)
    named = classify(name)
    by_id = _candidates(ledger, orphan, "session_id = ?", named.session_id or named.stem)
    if (parent := _sharing(ledger, orphan, by_id)) is not None:
        return parent
    by_name = _candidates(ledger, orphan, "id >= ? AND path LIKE ? ESCAPE '\\'", since, f"%{_escaped(name)}%")
    if (parent := _sharing(ledger, orphan, by_name)) is not None:
        return parent
    # A fork that took nothing over is only known by its header. What has the path now may be another session.
    elder = [item for item in (*by_id, *by_name) if _is_elder(item, orphan)]
    return elder[0] if elder else _by_content(ledger, orphan, since)


def _candidates(ledger: Ledger, orphan: Transcript, condition: str, *bindings: Any) -> list[Transcript]:
    """Those it may descend from: no copies but what was moved; its own agent's first, though a subagent has another."""
    condition = f"installation_id = ? AND id != ? AND kind != 'trajectory' AND {condition}"
    found = transcripts.load_where(ledger, condition, (orphan.installation_id, orphan.id, *bindings))
    fitting = [item for item in found if item.kind not in COPY_KINDS - {_MOVED} and item.lineage_id != orphan.id]
    fitting = [item for item in fitting if not _is_own_copy(item, orphan)]
    return sorted(fitting, key=lambda item: (item.kind == _MOVED, item.agent_id != orphan.agent_id))


def _is_own_copy(moved: Transcript, orphan: Transcript) -> bool:
    """What was moved of the same session descends from it, not it from that."""
    return moved.kind == _MOVED and moved.session_id == orphan.session_id


def _sharing(ledger: Ledger, orphan: Transcript, candidates: list[Transcript]) -> Transcript | None:
    return next((item for item in candidates if _shares_entries(ledger, orphan, item)), None)


def _is_elder(parent: Transcript, child: Transcript) -> bool:
    return parent.started_at is None or child.started_at is None or parent.started_at <= child.started_at


def _by_content(ledger: Ledger, orphan: Transcript, since: int) -> Transcript | None:
    """The parent under a name that the header does not know: its bytes were moved or renamed. Of the latest few."""
    condition = f"""installation_id = ? AND id != ? AND id >= ? AND kind NOT IN {SQL_NO_SESSIONS}
        AND lineage_id != ? AND coalesce(started_at, 0) <= ?"""
    started_at = orphan.started_at if orphan.started_at is not None else _NO_ID
    of_orphan = (orphan.installation_id, orphan.id, since, orphan.id, started_at)
    latest = (
        f"id IN (SELECT id FROM transcripts WHERE {condition} ORDER BY started_at DESC, id DESC LIMIT {_MOST_COMPARED})"
    )
    found = [item for item in transcripts.load_where(ledger, latest, of_orphan) if not _is_own_copy(item, orphan)]
    counts = ((item, ledger.row(_SAME_ENTRIES, (orphan.id, item.id))) for item in reversed(found))
    return next((item for item, count in counts if count is not None and count[0] >= _PROOF), None)


def _original(ledger: Ledger, copy: Transcript) -> Transcript | None:
    """The transcript a copy was made from: same session id, and itself no copy; of several that were begun under one
    id, one that has lines of it; for twins, the elder. What was moved away may be all that is left of that one. Where
    no place says whose it was, a session may have gone to another agent and left its copies behind.
    """
    condition = "installation_id = ? AND session_id = ? AND id != ? AND kind != 'trajectory'"
    found = transcripts.load_where(ledger, condition, (copy.installation_id, copy.session_id, copy.id))
    twins = [twin for twin in found if twin.agent_id == copy.agent_id]
    originals = [twin for twin in twins if twin.kind not in COPY_KINDS]
    if copy.kind in COPY_KINDS:
        shared = _sharing(ledger, copy, originals) if len(originals) > 1 else None
        return shared or next(iter(originals), None) or _sharing(ledger, copy, _of_other_agents(copy, found))
    moved = [twin for twin in twins if twin.kind == _MOVED]
    return _sharing(ledger, copy, [twin for twin in (*originals, *moved) if twin.id < copy.id])


def _of_other_agents(copy: Transcript, found: list[Transcript]) -> list[Transcript]:
    others = [item for item in found if item.agent_id != copy.agent_id and item.kind not in COPY_KINDS]
    is_anybodys = is_shared(copy.path, copy.agent_id)
    return [item for item in others if is_anybodys or is_shared(item.path, item.agent_id)]


def _shares_entries(ledger: Ledger, child: Transcript, parent: Transcript) -> bool:
    return ledger.row(_SHARED_ENTRIES, (child.id, parent.id)) is not None


def _link(ledger: Ledger, child: Transcript, parent: Transcript) -> None:
    """One lineage for both families."""
    lineage = "SELECT lineage_id FROM transcripts WHERE id = ?"  # asked anew: links made before this one changed it
    elder, own = ledger.row(lineage, (parent.id,)), ledger.row(lineage, (child.id,))
    if elder is None or own is None or elder[0] == child.id:
        return
    ledger.run("UPDATE transcripts SET parent_transcript_id = ? WHERE id = ?", (parent.id, child.id))
    if own[0] != elder[0]:
        unite_lineages(ledger.connection, own[0], elder[0])
    ledger.run("UPDATE transcripts SET lineage_id = ? WHERE lineage_id = ?", (elder[0], own[0]))


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
