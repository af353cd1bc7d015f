"""The session indexes of an installation, brought into the ledger: one look, one plan, at most one transaction.

Never waits: whatever needs another look (a lock held, a torn file, an entry missing for the first time) comes back as
`retry_after`. `sync_index_patiently` is the same for those who may wait. An index that did not change costs no write.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from syncd.errors import SourceError
from syncd.ledger import sessions
from syncd.ledger.session_changes import Name
from syncd.ledger.tombstones import KeptOut
from syncd.ledger.transaction import writing
from syncd.mirror.index_doubt import recollection
from syncd.mirror.index_evidence import gather_evidence
from syncd.mirror.index_hollow import without_hollow
from syncd.mirror.index_look import (
    LOCK_POLL_SECONDS,
    Degraded,
    IndexOptions,
    Looked,
    Sight,
    degraded,
    is_away,
    is_gone,
    look,
    places_of,
)
from syncd.mirror.index_plan import FoundEntries, IndexView, PlanContext, plan_index
from syncd.mirror.settling import is_racy
from syncd.openclaw.index import KnownEntry, ReadEntry
from syncd.openclaw.state_dirs import agents_dir
from syncd.path_text import printable
from syncd.sources.index_file import Index, Unchanged, Unreadable, look_at_index
from syncd.sources.openclaw_config import read_openclaw_config
from syncd.sources.scan import is_wanted
from syncd.sources.store_index import look_at_store_index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.clock import Clock
    from syncd.ledger.sessions import KnownSession
    from syncd.ledger.writer import Writer
    from syncd.mirror.index_memory import IndexMemory
    from syncd.openclaw.endings import Evidence
    from syncd.sources.index_places import IndexPlace

_LIFECYCLE_SECONDS = 60.0
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class IndexOutcome:
    changed: int = 0
    """Sessions whose row changed, removals included."""
    removed: int = 0
    degraded: tuple[Degraded, ...] = ()
    retry_after: float | None = None
    """Seconds until another look is due, whether or not a file changes; None = no need."""


def sync_index(
    writer: Writer, installation_id: int, state_dir: str, clock: Clock, options: IndexOptions, memory: IndexMemory
) -> IndexOutcome:
    """Look at every index once and write what changed. Needs the writer lock; flushes the writer before it writes."""
    memory.config = read = read_openclaw_config(state_dir, options.environ, memory.config)
    sight = Sight(
        writer.ledger, installation_id, state_dir, options, memory, read.config, clock.now_ms(), clock.monotonic()
    )
    faults = [Degraded("config_unreadable", read.path or state_dir, read.problem)] if read.problem else []
    known = sessions.known_indexes(sight.ledger, installation_id)
    try:
        places = places_of(sight, known)
    except SourceError as error:
        return IndexOutcome(degraded=(*faults, Degraded("index_unreadable", agents_dir(state_dir), error.reason)))
    looked = [look(sight, place, known.get(place.path)) for place in places]
    changed, removed, confirm_after = _bring_in(writer, sight, looked)
    _move_lifecycles_on(writer, sight)
    faults += [fault for item in looked if (fault := degraded(sight, item)) is not None]
    waits = [wait for wait in (*(item.retry_after for item in looked), confirm_after) if wait is not None]
    return IndexOutcome(changed, removed, tuple(faults), min(waits, default=None))


def sync_index_patiently(
    writer: Writer,
    installation_id: int,
    state_dir: str,
    clock: Clock,
    options: IndexOptions,
    memory: IndexMemory,
    wait_seconds: float = 5.0,
) -> IndexOutcome:
    """The same, looking again for at most `wait_seconds` while an index is locked, torn or not yet confirmed."""
    waited, changed, removed = 0.0, 0, 0
    while True:
        outcome = sync_index(writer, installation_id, state_dir, clock, options, memory)
        changed, removed = changed + outcome.changed, removed + outcome.removed
        pause = max(outcome.retry_after, LOCK_POLL_SECONDS) if outcome.retry_after is not None else None
        if pause is None or waited + pause > wait_seconds:
            return replace(outcome, changed=changed, removed=removed)
        clock.sleep(pause)
        waited += pause


def _bring_in(writer: Writer, sight: Sight, looked: list[Looked]) -> tuple[int, int, float | None]:
    """Sessions changed, sessions removed, and seconds until something missing may be confirmed."""
    views = _views(writer, sight, looked)
    changed = removed = 0
    wait, unfinished = None, set[str]()
    if views:
        plan, wait = plan_index(views, _context(sight, views, {item.place.path: item.place for item in looked}))
        if not plan.is_empty():
            writer.flush()
            with writing(sight.ledger) as connection:
                sessions.apply_index(connection, sight.installation_id, plan, sight.now_ms)
        since_when = sight.memory.missing
        for index_id, name, since in plan.missing:
            if since is not None:
                since_when[index_id, name] = sight.monotonic
            else:
                since_when.pop((index_id, name), None)
        for index_id, name in (*plan.unplaced, *plan.renamed):
            since_when.pop((index_id, name), None)
        changed, removed = len(plan.changes) + len(plan.removals), len(plan.removals)
        stored = {state.index_id: state.digest for state in plan.states}
        unfinished = {view.path for view in views if not stored.get(view.index_id, view.known_digest)}
    # Only now is the ledger what these looks saw.
    for item in looked:
        if isinstance(item.look, (Unchanged, Index)):
            is_proven = item.place.path not in unfinished and not is_racy(item.look.stat, sight.now_ms)
            sight.memory.store(item.place.path).read_well(item.look.stat if is_proven else None, sight.now_ms)
    return changed, removed, wait


def _views(writer: Writer, sight: Sight, looked: list[Looked]) -> list[IndexView]:
    """The indexes as a plan wants them; none if there is nothing to plan."""
    if not any(_is_of_interest(sight, item) for item in looked):
        return []
    is_read = any(isinstance(item.look, Index) for item in looked)
    views = {item.place: view for item in looked if (view := _view(writer, sight, item, is_read=is_read)) is not None}
    contested = _contested(list(views.values()))
    if contested:
        # Which of two entries counts is decided by both of them, so all of the index must be at hand.
        views = {
            place: _read_whole(sight, place, view) if any(map(view.holds, contested)) else view
            for place, view in views.items()
        }
    return _with_outdated(looked, views)


def _with_outdated(looked: list[Looked], views: dict[IndexPlace, IndexView]) -> list[IndexView]:
    """Where an agent has a database and a sessions.json, what the one written last has lost is not in the other either.

    After a way back, OpenClaw's database keeps all that it had, while the files go on. Either may be shared by all
    agents: a name has its agent in it, so that only an agent's own sessions are compared.
    """
    written = {item.place: item.look.stat.mtime_ns for item in looked if isinstance(item.look, (Unchanged, Index))}
    for mover in [place for place in views if place in written]:
        lost = frozenset(_lost_in(views[mover]))
        for place in views if lost else ():
            is_beside = place.is_store != mover.is_store
            if is_beside and place in written and written[place] < written[mover]:
                views[place] = replace(views[place], outdated=views[place].outdated | lost)
    return list(views.values())


def _lost_in(view: IndexView) -> Iterator[Name]:
    for name, placed in view.placed.items():
        if name not in view.found if view.found is not None else placed.missing_at is not None:
            yield name


def _is_of_interest(sight: Sight, item: Looked) -> bool:
    """Does the ledger depend on this look: new bytes, another sight of something missing, a copy that is left."""
    if isinstance(item.look, Index) or is_gone(sight, item):
        return True
    if item.known is not None and is_away(sight, item):
        return sessions.has_entries_elsewhere(sight.ledger, item.known.id)
    is_sighted = item.known is not None and isinstance(item.look, Unchanged)
    return is_sighted and item.known is not None and sessions.has_missing_entries(sight.ledger, item.known.id)


def _view(writer: Writer, sight: Sight, item: Looked, *, is_read: bool) -> IndexView | None:
    """`is_read`: there is news from some index."""
    known, path = item.known, item.place.path
    if known is None:
        if not isinstance(item.look, Index):
            return None
        writer.flush()
        known = sessions.add_index(sight.ledger, sight.installation_id, path)
    placed = item.placed if item.placed is not None else sessions.placed_entries(sight.ledger, known.id)
    wanted = _of_wanted_agents(sight, placed)
    view = IndexView(
        known.id,
        path,
        wanted,
        is_partial=len(wanted) < len(placed),
        known_digest=known.digest,
        judges_absence=item.is_lock_free and isinstance(item.look, (Unchanged, Index)),
        seen_before_at=sight.memory.store(path).seen_at,
    )
    if is_gone(sight, item):
        is_news = any(entry.missing_at is None for entry in view.placed.values())
        return replace(view, found={} if is_news else None, judges_absence=True)
    if isinstance(item.look, Unreadable) and item.look.reason == "absent" and (is_read or is_away(sight, item)):
        return replace(view, found={})  # its entries may have moved, to where the news is or was
    if not isinstance(item.look, Index):
        return view
    view = _with_found(sight, item.place, view, item.look)
    if any(isinstance(entry, KnownEntry) and name not in view.placed for name, entry in (view.found or {}).items()):
        # Known under another agent's name, before the configuration changed: their text is needed.
        return _read_whole(sight, item.place, view)
    return view


def _with_found(sight: Sight, place: IndexPlace, view: IndexView, index: Index) -> IndexView:
    names = {_name(place, key): entry for key, entry in index.entries.items()}
    found = _of_wanted_agents(sight, names)
    # Else the others are still to be read; what cannot be read is told as long as it is so.
    is_whole = len(found) == len(index.entries) and not view.is_partial and not index.broken
    stat = None if is_racy(index.stat, sight.now_ms) else index.stat
    session = partial(sessions.session_named, sight.ledger, sight.installation_id)
    return replace(
        view,
        found=_without_purged(sight, without_hollow(index, found, view.placed, session)),
        digest=index.digest if is_whole else b"",
        windows=index.windows,
        stat=stat if is_whole else None,
    )


def _name(place: IndexPlace, key: str) -> Name:
    return Name(printable(place.agent_id) if place.agent_id is not None else place.agent_of(key), key)


def _of_wanted_agents(sight: Sight, named: dict[Name, T]) -> dict[Name, T]:
    if sight.options.agents == ("*",):
        return named
    return {name: item for name, item in named.items() if is_wanted(name.agent_id, sight.options.agents)}


def _without_purged(sight: Sight, found: FoundEntries) -> FoundEntries:
    """An entry that was known before is of no purged session: such a one would be read anew."""
    purged = KeptOut.now(sight.ledger)
    if not purged:
        return found

    def is_out(name: Name, entry: KnownEntry | ReadEntry) -> bool:
        return isinstance(entry, ReadEntry) and purged.is_named(entry.session_id, name.session_key)

    return {name: entry for name, entry in found.items() if not is_out(name, entry)}


def _read_whole(sight: Sight, place: IndexPlace, view: IndexView) -> IndexView:
    """The same index with the text of every entry, if it can be had now."""
    found = look_at_store_index(view.path) if place.is_store else look_at_index(view.path)
    return _with_found(sight, place, view, found) if isinstance(found, Index) else view


def _contested(views: list[IndexView]) -> set[Name]:
    """Names that changed in one index and stand in another one too."""
    contested: set[Name] = set()
    for view in views if len(views) > 1 else ():
        found = view.found if view.found is not None else {}
        touched = {name for name, entry in found.items() if isinstance(entry, ReadEntry)}
        if view.found is not None:
            touched.update(name for name in view.placed if name not in found)
        others = [other for other in views if other is not view]
        contested.update(name for name in touched if any(other.holds(name) for other in others))
    return contested


def _context(sight: Sight, views: list[IndexView], places: dict[str, IndexPlace]) -> PlanContext:
    ledger, installation_id, config = sight.ledger, sight.installation_id, sight.config

    is_first = not sessions.has_sessions(ledger, installation_id)

    def session(name: Name) -> KnownSession | None:
        return sessions.session_named(ledger, installation_id, name) if not is_first else None

    def evidence(name: Name, known: KnownSession, entry: Any, new_id: str) -> Evidence:
        directory = os.path.dirname(next(view.path for view in views if view.holds(name)))
        hour, now_ms = config.reset_hour, sight.now_ms
        return gather_evidence(ledger, installation_id, directory, known, entry, new_id, hour, now_ms)

    def missing_seconds(index_id: int, name: Name, missing_at: int) -> float:
        since = sight.memory.missing.get((index_id, name))
        if since is not None:
            return sight.monotonic - since
        gone_for = (sight.now_ms - missing_at) / 1000  # missed by an earlier process: only the wall clock spans both
        if gone_for < 0:  # which was ahead then: it is missing since now, or nobody would ever confirm it
            sight.memory.missing[index_id, name] = sight.monotonic
            return 0.0
        return gone_for

    @cache
    def purged() -> KeptOut:
        return KeptOut.now(ledger)

    return PlanContext(
        now_ms=sight.now_ms,
        config=config,
        confirm_seconds=sight.options.confirm_removal_seconds,
        idle_ms=round(sight.options.idle_seconds * 1000),
        session=session,
        transcript_state=lambda session_id: sessions.transcript_state(ledger, installation_id, session_id),
        sharers=lambda known: sessions.sharers_of(ledger, known),
        evidence=evidence,
        missing_seconds=missing_seconds,
        pairings=lambda: sessions.pairings(ledger, installation_id),
        name_in=lambda view, key: _name(places[view.path], key),
        recall=lambda known: recollection(ledger, known.id),
        has_made=lambda known, name, columns: sessions.has_made(ledger, installation_id, known.id, name, columns),
        is_purged=lambda session_id: purged().is_session(session_id),
    )


def _move_lifecycles_on(writer: Writer, sight: Sight) -> None:
    """Sessions become idle, active or archived without a word in the index."""
    if sight.monotonic < sight.memory.lifecycles_due:
        return
    sight.memory.lifecycles_due = sight.monotonic + _LIFECYCLE_SECONDS
    idle_before = sight.now_ms - round(sight.options.idle_seconds * 1000)
    aged = sessions.aged_sessions(sight.ledger, sight.installation_id, idle_before)
    if aged:
        writer.flush()
        with writing(sight.ledger) as connection:
            sessions.set_lifecycles(connection, aged)
