"""What the indexes of an installation, as they were just read, make of the ledger: planned, not written. Pure.

- The same key in two indexes: the newest updatedAt counts.
- A key that vanishes while a new one has its session id was renamed; the session keeps its row.
- Any other key that vanishes is only noted as missing. It counts as removed once it was missing in two reads far enough
  apart, lock free: OpenClaw's index is found torn, emptied or absent for moments, and nothing may follow from that.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.ledger.session_changes import EndedPairing, IndexPlan, IndexState, Name, Placement, Removal, SessionChange
from syncd.mirror.index_doubt import Recollection, as_recalled, doubted_names, news, says
from syncd.mirror.index_windows import ended_pairings, reason_of
from syncd.openclaw.endings import EndedBy, Evidence, ended_by
from syncd.openclaw.index import KnownEntry, ReadEntry
from syncd.openclaw.session_entries import (
    SessionColumns,
    changed_fields,
    columns_of,
    entry_of,
    entry_text,
    has_run,
    is_archived,
)
from syncd.openclaw.session_files import session_file
from syncd.openclaw.session_keys import is_alias, parse_session_key
from syncd.openclaw.titles import is_called_by_label

if TYPE_CHECKING:
    from syncd.ledger.sessions import KnownSession, PlacedEntry
    from syncd.openclaw.config_file import OpenClawConfig
    from syncd.records import FileStat
    from syncd.sources.index_file import Window

FoundEntries = Mapping[Name, KnownEntry | ReadEntry]


@dataclass(frozen=True, slots=True)
class IndexView:
    """One index: what the ledger knows of it, and what was found in it now."""

    index_id: int
    path: str
    placed: Mapping[Name, PlacedEntry]
    found: FoundEntries | None = None
    """None: not read, since it is as it was, or cannot be read now; then all that is placed in it stays there."""
    is_partial: bool = False
    """Some of its entries are not asked for; they are neither placed nor found here."""
    known_digest: bytes = b""
    digest: bytes = b""
    stat: FileStat | None = None
    judges_absence: bool = False
    """May what is missing be called missing: the index was readable and its lock free."""
    seen_before_at: int = 0
    """When it was last found as the ledger has it."""
    windows: Sequence[Window] = ()
    """Of what was found: the session ids that its keys stand and stood for."""
    outdated: frozenset[Name] = frozenset()
    """What it still has, but another index took over from it and has no more."""

    def holds(self, name: Name) -> bool:
        if name in self.outdated:
            return False
        if self.found is not None:
            return name in self.found
        placed = self.placed.get(name)
        return placed is not None and (placed.missing_at is None or not self.judges_absence)


class PlanContext(NamedTuple):
    """What a plan must know beside the indexes; every function only looks."""

    now_ms: int
    config: OpenClawConfig
    confirm_seconds: float
    idle_ms: int
    session: Callable[[Name], KnownSession | None]
    transcript_state: Callable[[str], str | None]
    """Of a session id: live, archived, or None where nothing was taken in yet."""
    sharers: Callable[[KnownSession], Sequence[Name]]
    """Other live sessions that stand for the same session id."""
    evidence: Callable[[Name, KnownSession, Any, str], Evidence]
    """Of the change of this session, whose entry is now so, to this session id."""
    missing_seconds: Callable[[int, Name, int], float]
    """How long an entry has been missing from an index, in monotonic time where that is known."""
    pairings: Callable[[], Mapping[tuple[Name, str], str | None]]
    """Keys and the session ids that they ever stood for, with what ended that."""
    name_in: Callable[[IndexView, str], Name]
    """What a session of an index is called, by its key."""
    recall: Callable[[KnownSession], Recollection]
    """What the versions of a session tell of it."""
    has_made: Callable[[KnownSession, Name, SessionColumns], bool]
    """Is its row what these columns make?"""
    is_purged: Callable[[str], bool]
    """Of a session id."""


class _Winner(NamedTuple):
    view: IndexView
    entry: ReadEntry


class _Lost(NamedTuple):
    """A session that stands in no index any more, with the places it is missing from."""

    name: Name
    places: tuple[tuple[IndexView, PlacedEntry], ...]

    @property
    def updated_at(self) -> int:
        return max(placed.updated_at or 0 for _, placed in self.places)

    @property
    def seen_before_at(self) -> int:
        return max(view.seen_before_at for view, _ in self.places)


def plan_index(views: Sequence[IndexView], context: PlanContext) -> tuple[IndexPlan, float | None]:
    """The plan, and in how many seconds something missing could be confirmed."""
    plan = IndexPlan.empty()
    winners = dict(_winners(views))
    _place(views, plan)
    lost = _lost(views)
    renames = _renames(lost, winners, context) if lost else {}
    doubted = doubted_names(views)
    for name, winner in winners.items():
        former = renames.get(name)
        is_doubted = (former.name if former is not None else name) in doubted
        _plan_change(name, winner, former, context, plan, is_doubted=is_doubted)
    renamed = {former.name for former in renames.values()}
    waits = [_plan_removal(item, context, plan) for item in lost if item.name not in renamed]
    _note_windows(views, context, plan)
    return plan, min((wait for wait in waits if wait is not None), default=None)


def _note_windows(views: Sequence[IndexView], context: PlanContext, plan: IndexPlan) -> None:
    told = [view for view in views if view.windows]
    if not told:
        return
    changed = {change.name: change.columns.session_id for change in plan.changes}
    known = context.pairings()

    def current(name: Name) -> str | None:
        if name in changed:
            return changed[name]
        session = context.session(name)
        return session.session_id if session is not None else None

    for view in told:
        found = ended_pairings(view.windows, partial(context.name_in, view), current, known)
        plan.pairings.extend(pairing for pairing in found if not context.is_purged(pairing.session_id))


def _winners(views: Sequence[IndexView]) -> Iterator[tuple[Name, _Winner]]:
    """For each name whose entry changed or moved, the entry that counts now."""
    affected: dict[Name, None] = {}
    for view in views:
        for name, entry in (view.found or {}).items():
            placed = view.placed.get(name)
            if placed is None or placed.digest != entry.digest:
                affected[name] = None
        if view.found is not None:
            affected.update(dict.fromkeys(name for name in view.placed if name not in view.found))
    for name in affected:
        holders = [view for view in views if view.holds(name)]
        candidates = ((view, view.found[name]) for view in holders if view.found is not None)
        read = [_Winner(view, entry) for view, entry in candidates if isinstance(entry, ReadEntry)]
        unread = [view.placed[name].updated_at or 0 for view in holders if view.found is None]
        if read:  # max keeps the first of equals: the more authoritative index
            best = max(read, key=lambda item: item.entry.updated_at or 0)
            if (best.entry.updated_at or 0) >= max(unread, default=0):
                yield name, best


def _place(views: Sequence[IndexView], plan: IndexPlan) -> None:
    """Which entries stand where, with which bytes."""
    for view in views:
        if view.found is None:
            continue
        # What could not be called missing yet is read again: the index stays unread until then.
        is_done = view.judges_absence or all(name in view.found for name in view.placed)
        digest = view.digest if is_done else b""
        if digest != view.known_digest:
            plan.states.append(IndexState(view.index_id, digest, view.stat if digest else None))
        for name, entry in view.found.items():
            placed = view.placed.get(name)
            if isinstance(entry, ReadEntry) and (placed is None or placed.digest != entry.digest):
                plan.placements.append(Placement(view.index_id, name, entry.digest, entry.updated_at))
            elif placed is not None and placed.missing_at is not None:
                plan.missing.append((view.index_id, name, None))
        plan.unplaced.extend(
            (view.index_id, name)
            for name in view.placed
            if name not in view.found and any(other.holds(name) for other in views)
        )


def _lost(views: Sequence[IndexView]) -> list[_Lost]:
    """Sessions that no index holds any more, the newest first."""
    places: dict[Name, list[tuple[IndexView, PlacedEntry]]] = {}
    for view in views:
        for name, placed in view.placed.items():
            if not view.holds(name) and name not in view.outdated:
                places.setdefault(name, []).append((view, placed))
    lost = [_Lost(name, tuple(at)) for name, at in places.items() if not any(view.holds(name) for view in views)]
    return sorted(lost, key=lambda item: item.updated_at, reverse=True)


def _renames(lost: Sequence[_Lost], winners: Mapping[Name, _Winner], context: PlanContext) -> dict[Name, _Lost]:
    """New name -> the session that had another one before."""
    newcomers: dict[str, list[Name]] = {}
    for name, winner in winners.items():
        session_id = winner.entry.session_id
        if session_id is not None and context.session(name) is None:
            newcomers.setdefault(session_id, []).append(name)
    renames: dict[Name, _Lost] = {}
    for item in lost:
        known = context.session(item.name)
        if known is None or not known.is_live or known.session_id is None:
            continue
        fitting = [
            name
            for name in newcomers.get(known.session_id, ())
            if name not in renames and (winners[name].entry.updated_at or 0) >= item.updated_at
        ]
        if fitting:
            main_key, key = context.config.main_key, item.name.session_key
            renames[max(fitting, key=lambda name: is_alias(name.session_key, key, main_key))] = item
    return renames


def _plan_change(
    name: Name, winner: _Winner, former: _Lost | None, context: PlanContext, plan: IndexPlan, *, is_doubted: bool
) -> None:
    known = context.session(former.name if former is not None else name)
    entry = winner.entry.value()
    columns = columns_now(name, known, entry, context.config.main_key)
    is_mend = False
    if known is None:
        changed = entry if type(entry) is dict else changed_fields({}, entry)
        text = entry_text(entry)
        changed_json: str | None = text if changed is entry else entry_text(changed)
    else:
        if is_doubted:
            memory = context.recall(known)
            is_mend = not says(known.entry_json, entry) or not context.has_made(known, name, columns)
            known = as_recalled(known, memory)
            changed = news(known, memory, entry)
        else:
            changed = changed_fields(entry_of(known.entry_json), entry)
        if not changed and former is None and known.is_live and not is_mend:
            return
        is_mend = is_mend and not changed and former is None and known.is_live
        text, changed_json = entry_text(entry), entry_text(changed) if changed else None
    plan.is_called_by_label = plan.is_called_by_label or is_called_by_label(entry)
    ended = _ending(name, known, entry, columns.session_id, former, winner.view, context)
    plan.changes.append(
        SessionChange(
            name,
            known.id if known is not None else None,
            columns,
            _lifecycle(entry, columns.last_interaction_at or columns.updated_at, columns.session_id, context),
            text,
            changed_json,
            ended,
            former.seen_before_at if former is not None else winner.view.seen_before_at,
            is_mend,
        )
    )
    _note_change(name, known, former, ended, columns.session_id, plan)
    if "sessionFile" in changed and session_file(entry, os.path.dirname(winner.view.path)).verdict == "refused":
        plan.events.append(("refused_session_file", _about(name, session_id=columns.session_id)))


def columns_now(name: Name, known: KnownSession | None, entry: object, main_key: str) -> SessionColumns:
    columns = columns_of(parse_session_key(name.session_key, main_key), entry)
    if known is None or known.created_at is None:
        return columns
    return columns._replace(created_at=min(known.created_at, columns.created_at or known.created_at))


def _ending(
    name: Name,
    known: KnownSession | None,
    entry: object,
    session_id: str | None,
    former: _Lost | None,
    view: IndexView,
    context: PlanContext,
) -> EndedPairing | None:
    """The pairing that this change ended, if any."""
    if known is None or known.session_id is None or not known.is_live:
        return None
    if former is not None:
        return EndedPairing(former.name, known.session_id, "migrated")
    if session_id == known.session_id:
        return None
    if session_id is None:
        return EndedPairing(name, known.session_id, "deleted")
    why = reason_of(view.windows, name.session_key, session_id, known.session_id)
    if why is None:
        evidence = context.evidence(name, known, entry, session_id)
        why = ended_by(entry_of(known.entry_json), entry, session_id, evidence, context.config)
    return EndedPairing(name, known.session_id, why)


def _note_change(
    name: Name,
    known: KnownSession | None,
    former: _Lost | None,
    ended: EndedPairing | None,
    session_id: str | None,
    plan: IndexPlan,
) -> None:
    if known is not None and not known.is_live:
        plan.events.append(("session_returned", _about(name, session=known.id, session_id=session_id)))
    if former is not None and known is not None:
        plan.renamed.extend((view.index_id, former.name) for view, _ in former.places)
        detail = _about(
            name, session=known.id, former_key=former.name.session_key, former_agent_id=former.name.agent_id
        )
        plan.events.append(("session_renamed", detail))
    elif known is not None and ended is not None:
        detail = _about(name, session=known.id, former_session_id=ended.session_id, session_id=session_id)
        plan.events.append(("session_id_change", {**detail, "ended_by": ended.ended_by}))


def _plan_removal(item: _Lost, context: PlanContext, plan: IndexPlan) -> float | None:
    """Note the session as missing, or as removed when that is confirmed; else in how many seconds it may be."""
    if not all(view.judges_absence for view, _ in item.places):
        return None  # whatever stands in the way will bring us back
    wait = 0.0
    for view, placed in item.places:
        if placed.missing_at is None:
            plan.missing.append((view.index_id, item.name, context.now_ms))
            wait = max(wait, context.confirm_seconds)
        else:
            gone_for = context.missing_seconds(view.index_id, item.name, placed.missing_at)
            wait = max(wait, context.confirm_seconds - gone_for)
    if wait > 0 or any(placed.missing_at is None for _, placed in item.places):
        return wait
    known = context.session(item.name)
    plan.unplaced.extend((view.index_id, item.name) for view, _ in item.places)
    if known is None or not known.is_live:
        return None
    # OpenClaw folds keys that differ in case only, and the names of the main session, into one.
    key, main_key = item.name.session_key, context.config.main_key
    is_folded = any(is_alias(other.session_key, key, main_key) for other in context.sharers(known))
    why: EndedBy = "migrated" if is_folded else "deleted"
    ended = EndedPairing(item.name, known.session_id, why) if known.session_id is not None else None
    plan.removals.append(Removal(known.id, ended, item.seen_before_at))
    detail = _about(item.name, session=known.id, session_id=known.session_id, ended_by=why)
    plan.events.append(("removal", detail))
    return None


def _lifecycle(entry: object, last_at: int | None, session_id: str | None, context: PlanContext) -> str:
    state = context.transcript_state(session_id) if session_id is not None else None
    if is_archived(entry) or state == "archived":
        return "archived"
    if not has_run(entry) and state is None:
        return "created"
    return "active" if last_at is not None and last_at >= context.now_ms - context.idle_ms else "idle"


def _about(name: Name, **detail: Any) -> dict[str, Any]:
    return {"agent_id": name.agent_id, "session_key": name.session_key, **detail}
