"""Who descends from whom: forks, successors and copies linked to the transcript they repeat.

By the header's parentSession and by content, since a path may have been another session's before, and a file may have
another name than the header says. Runs after a pass; what finds no parent yet is tried again when transcripts came.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from syncd.ledger import transcripts
from syncd.ledger.late_links import TWINS
from syncd.ledger.originals import unite_lineages
from syncd.ledger.replays import replaying, source_of
from syncd.ledger.transaction import writing
from syncd.ledger.transcripts import NOT_LINKED, SQL_NO_SESSIONS
from syncd.openclaw.file_kinds import COPY_KINDS, classify
from syncd.openclaw.session_files import parent_name

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript
    from syncd.sources.owners import Owners, OwnersAt

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
_WITHOUT_PARENT = f"""parent_transcript_id IS NULL AND kind != 'trajectory' AND (parent_session IS NOT NULL
    OR EXISTS (SELECT 1 {TWINS}
        AND (twin.agent_id = transcripts.agent_id OR {NOT_LINKED} IN (twin.lineage_id, transcripts.lineage_id))))"""
_NEWEST_LINKED = "SELECT coalesce(max(id), 0) FROM transcripts WHERE lineage_id != ?"
_MOST_NAMED = 100
_ANY, _NONE = "true", "false"
"""As conditions, too: of all transcripts, or of none."""

# Others are of its lineage already, though its own parent is to be looked for again.
_ELDERS_TO_LOOK_AT = """SELECT DISTINCT elder.id FROM transcripts AS elder JOIN transcripts AS other
    ON other.lineage_id = elder.id WHERE elder.lineage_id = ?"""


def link_parents(ledger: Ledger, owners_at: OwnersAt) -> None:
    """Find the parents that are still unknown, in one transaction. The writer's batch must be flushed."""
    with writing(ledger):
        new = {row[0] for row in ledger.execute("SELECT id FROM transcripts WHERE lineage_id = ?", (NOT_LINKED,))}
        search = ParentSearch(ledger, owners_at)
        of_others = _since(ledger, new)
        orphans = transcripts.load_where(ledger, _WITHOUT_PARENT, ())
        for (elder_id,) in list(ledger.execute(_ELDERS_TO_LOOK_AT, (NOT_LINKED,))):
            unite_lineages(ledger.connection, NOT_LINKED, elder_id, only_id=elder_id)
        ledger.run("UPDATE transcripts SET lineage_id = id WHERE lineage_id = ?", (NOT_LINKED,))
        for orphan in orphans:
            parent = search.parent(orphan, _ANY if orphan.id in new else of_others)
            if parent is not None:
                _link(ledger, orphan, parent)
        for child_id in replaying(ledger):
            parent_id = source_of(ledger, child_id, new)
            if parent_id is not None:
                _link(ledger, transcripts.load(ledger, child_id), transcripts.load(ledger, parent_id))


def _since(ledger: Ledger, new: set[int]) -> str:
    """As a condition: what an orphan of old did not find then has come since, or has other lines than it had."""
    (newest_linked,) = ledger.row(_NEWEST_LINKED, (NOT_LINKED,)) or (0,)
    changed = sorted(each for each in new if each <= newest_linked)
    if len(changed) > _MOST_NAMED:
        return f"id >= {changed[0]}"
    return f"(id > {newest_linked} OR id IN ({', '.join(map(str, changed))}))"


def is_linking_due(ledger: Ledger) -> bool:
    """Did an earlier run end between taking transcripts in and finding their parents?"""
    return ledger.row("SELECT 1 FROM transcripts WHERE lineage_id = ? LIMIT 1", (NOT_LINKED,)) is not None


class ParentSearch:
    """In all that is there now. Only reads."""

    def __init__(self, ledger: Ledger, owners_at: OwnersAt) -> None:
        self._ledger = ledger
        self._owners_at = owners_at
        self._owners: dict[int, Owners] = {}  # by installation

    def has_parent(self, orphan_id: int) -> bool:
        """Would one be found now?"""
        return self.parent(transcripts.load(self._ledger, orphan_id), _ANY) is not None

    def has_named_parent(self, orphan_id: int) -> bool:
        """Is one there that its header or its own session id names? Likeness proves nothing: siblings have it, too."""
        return self.parent(transcripts.load(self._ledger, orphan_id), _NONE) is not None

    def parent(self, orphan: Transcript, among: str) -> Transcript | None:
        """`among`: as a condition, which ones may be it by their name's or their content's word alone."""
        if orphan.kind in COPY_KINDS or orphan.parent_session is None:
            original = self._original(orphan)
            if original is not None or orphan.kind != _MOVED or orphan.parent_session is None:
                return original
        name = parent_name(orphan.parent_session)
        named = classify(name)
        by_id = self._candidates(orphan, "session_id = ?", named.session_id or named.stem)
        if (parent := self._sharing(orphan, by_id)) is not None:
            return parent
        by_name = self._candidates(orphan, f"{among} AND path LIKE ? ESCAPE '\\'", f"%{_escaped(name)}%")
        if (parent := self._sharing(orphan, by_name)) is not None:
            return parent
        # A fork that took nothing over is only known by its header. What has the path now may be another session.
        elder = [item for item in (*by_id, *by_name) if _is_elder(item, orphan)]
        return elder[0] if elder else self._by_content(orphan, among)

    def _candidates(self, orphan: Transcript, condition: str, *bindings: Any) -> list[Transcript]:
        """Those it may descend from: no copies but what was moved; its own agent's first, though a subagent has
        another.
        """
        condition = f"installation_id = ? AND id != ? AND kind != 'trajectory' AND {condition}"
        found = transcripts.load_where(self._ledger, condition, (orphan.installation_id, orphan.id, *bindings))
        fitting = [item for item in found if item.kind not in COPY_KINDS - {_MOVED} and item.lineage_id != orphan.id]
        fitting = [item for item in fitting if not _is_own_copy(item, orphan)]
        return sorted(fitting, key=lambda item: (item.kind == _MOVED, item.agent_id != orphan.agent_id))

    def _sharing(self, orphan: Transcript, candidates: list[Transcript]) -> Transcript | None:
        shares = (item for item in candidates if self._ledger.row(_SHARED_ENTRIES, (orphan.id, item.id)) is not None)
        return next(shares, None)

    def _by_content(self, orphan: Transcript, among: str) -> Transcript | None:
        """The parent under a name that the header does not know: its bytes were moved or renamed. Of the latest few."""
        condition = f"""installation_id = ? AND id != ? AND {among} AND kind NOT IN {SQL_NO_SESSIONS}
            AND lineage_id != ? AND coalesce(started_at, 0) <= ?"""
        started_at = orphan.started_at if orphan.started_at is not None else _NO_ID
        of_orphan = (orphan.installation_id, orphan.id, orphan.id, started_at)
        order = f"ORDER BY started_at DESC, id DESC LIMIT {_MOST_COMPARED}"
        latest = f"id IN (SELECT id FROM transcripts WHERE {condition} {order})"
        found = transcripts.load_where(self._ledger, latest, of_orphan)
        found = [item for item in reversed(found) if not _is_own_copy(item, orphan)]
        counts = ((item, self._ledger.row(_SAME_ENTRIES, (orphan.id, item.id))) for item in found)
        return next((item for item, count in counts if count is not None and count[0] >= _PROOF), None)

    def _original(self, orphan: Transcript) -> Transcript | None:
        """What else was begun under its session's id and is no copy: of a copy, what it was made from, above all one
        that has lines of it; of anything else, an elder twin with lines of it. What was moved away may be all that is
        left of that one.
        """
        condition = "installation_id = ? AND session_id = ? AND id != ? AND kind != 'trajectory'"
        of_orphan = (orphan.installation_id, orphan.session_id, orphan.id)
        found = transcripts.load_where(self._ledger, condition, of_orphan)
        twins = [twin for twin in found if twin.agent_id == orphan.agent_id]
        originals = [twin for twin in twins if twin.kind not in COPY_KINDS]
        if orphan.kind in COPY_KINDS:
            shared = self._sharing(orphan, originals) if len(originals) > 1 else None
            return shared or next(iter(originals), None) or self._sharing(orphan, self._of_other_agents(orphan, found))
        moved = [twin for twin in twins if twin.kind == _MOVED]
        twins = [*originals, *moved, *self._of_other_agents(orphan, found)]
        return self._sharing(orphan, [twin for twin in twins if twin.id < orphan.id])

    def _of_other_agents(self, orphan: Transcript, found: list[Transcript]) -> list[Transcript]:
        """Where no place says whose it is, a session may have gone to another agent, or come from one."""
        others = [item for item in found if item.agent_id != orphan.agent_id and item.kind not in COPY_KINDS]
        if not others:
            return others
        owners = self._owners_of(orphan.installation_id)
        return [item for item in others if owners.may_be_one(orphan.path, orphan.agent_id, item.path, item.agent_id)]

    def _owners_of(self, installation_id: int) -> Owners:
        if installation_id not in self._owners:
            row = self._ledger.row("SELECT state_dir FROM installations WHERE id = ?", (installation_id,))
            self._owners[installation_id] = self._owners_at(row[0] if row is not None else "")
        return self._owners[installation_id]


def _is_own_copy(moved: Transcript, orphan: Transcript) -> bool:
    """What was moved of the same session descends from it, not it from that."""
    return moved.kind == _MOVED and moved.session_id == orphan.session_id


def _is_elder(parent: Transcript, child: Transcript) -> bool:
    return parent.started_at is None or child.started_at is None or parent.started_at <= child.started_at


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
