"""Looking at the indexes of an installation, without waiting: what may be read, what is there, when to look again.

OpenClaw's lock of an index is honoured as the contract says: polled for a bounded time, then the version that was last
renamed into place is read. A torn or absent index is tried again a few times, then given up until it changes.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from syncd.ledger import sessions
from syncd.mirror.settling import RACY_SECONDS, is_racy
from syncd.openclaw.config_file import is_sqlite_store
from syncd.openclaw.state_dirs import agents_dir, import_archive_dir, old_import_archive_dir
from syncd.records import FileStat
from syncd.sources.index_file import Index, Unchanged, Unreadable, look_at_index
from syncd.sources.index_places import IndexPlace, index_places
from syncd.sources.locks import read_lock
from syncd.sources.openclaw_config import home_of
from syncd.sources.scan import is_wanted
from syncd.sources.store_index import look_at_store_index, store_stat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from syncd.ledger.database import Ledger
    from syncd.ledger.session_changes import Name
    from syncd.ledger.sessions import KnownIndex, PlacedEntry
    from syncd.mirror.index_memory import IndexMemory, StoreMemory
    from syncd.openclaw.config_file import OpenClawConfig
    from syncd.sources.index_file import IndexLook

LOCK_POLL_SECONDS = 0.025
_LOCKED_RECHECK_SECONDS = 0.25
_PASSING_FAULTS = frozenset({"absent", "empty", "torn", "busy"})
"""What OpenClaw's own way of writing can show for a moment."""
_REST_PER_READING = 20.0
_LONGEST_REST_SECONDS = 5.0
"""After reading a database that was written to since, so many times as long is left until the next reading."""


@dataclass(frozen=True, slots=True)
class IndexOptions:
    environ: Mapping[str, str]
    agents: tuple[str, ...] = ("*",)
    confirm_removal_seconds: float = 60.0
    lock_poll_seconds: float = 2.0
    """A live lock is waited for this long; then the version that was last renamed into place is read."""
    idle_seconds: float = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Sight:
    """What one call looks with."""

    ledger: Ledger
    installation_id: int
    state_dir: str
    options: IndexOptions
    memory: IndexMemory
    config: OpenClawConfig
    now_ms: int
    monotonic: float


class Looked(NamedTuple):
    """One index after a look."""

    place: IndexPlace
    known: KnownIndex | None
    look: IndexLook | None
    """None: not looked at, because of its lock or because the next attempt is not due."""
    is_lock_free: bool
    retry_after: float | None
    placed: dict[Name, PlacedEntry] | None = None
    """What the ledger has of it, if it was asked for."""


class Degraded(NamedTuple):
    """A state that `status` shows: a stable code, the file, and why."""

    code: str
    path: str
    reason: str


def places_of(sight: Sight, known: Mapping[str, KnownIndex]) -> list[IndexPlace]:
    """Where an index may be now, and where one was before. SourceError: the agents cannot be listed."""
    globs = sight.options.agents
    found = index_places(sight.state_dir, sight.config, globs, home_of(sight.options.environ))
    places = {place.path: place for place in found}
    prefix = agents_dir(sight.state_dir) + "/"
    for path, index in known.items():
        agent = path.removeprefix(prefix).split("/", 1)[0] if path.startswith(prefix) else None
        if path not in places and (agent is None or is_wanted(agent, globs)):
            places[path] = _former_place(sight, path, agent, index.id)
    return list(places.values())


def _former_place(sight: Sight, path: str, agent: str | None, index_id: int) -> IndexPlace:
    """Of an index that the configuration names no more: what is in it stays whose it was known to be."""
    default = sight.config.default_agent
    if agent is None and (only := sessions.only_agent_in(sight.ledger, index_id)) is not None:
        default, is_its_own = only
        agent = default if is_its_own else None
    return IndexPlace(path, agent, default)


def look(sight: Sight, place: IndexPlace, known: KnownIndex | None) -> Looked:
    store, now = sight.memory.store(place.path), sight.monotonic
    if place.is_store and now < store.next_reading:
        return Looked(place, known, None, True, store.next_reading - now)
    lock = read_lock(place.path + ".lock", "index", sight.now_ms) if not place.is_store else None
    is_free = lock is None or not lock.held
    retry: float | None = None
    if is_free:
        store.locked_since = None
    else:
        store.locked_since = store.locked_since if store.locked_since is not None else now
        if now - store.locked_since < sight.options.lock_poll_seconds:
            return Looked(place, known, None, is_free, LOCK_POLL_SECONDS)
        retry = _LOCKED_RECHECK_SECONDS
    if store.fault is not None and not store.is_given_up and now < store.next_attempt:
        return Looked(place, known, None, is_free, store.next_attempt - now)
    asked: list[dict[Name, PlacedEntry]] = []
    began = time.monotonic()
    found = _read(sight, place, known, store, asked)
    if isinstance(found, Index):
        store.broken = found.broken
    if place.is_store and not isinstance(found, Unchanged):
        store.next_reading = now + min((time.monotonic() - began) * _REST_PER_READING, _LONGEST_REST_SECONDS)
    if not isinstance(found, Unreadable):
        if is_racy(found.stat, sight.now_ms):
            retry = _sooner(retry, RACY_SECONDS)
    elif found.reason != "absent" or known is not None:
        if found.reason == "absent":
            store.proven = None  # what follows from its absence is made good by its return, be it the same file
        store.read_badly(found, now)
        if found.reason in _PASSING_FAULTS and not store.is_given_up:
            retry = _sooner(retry, store.next_attempt - now)
    else:
        store.forget_fault()  # there is none, and none was known
    return Looked(place, known, found, is_free, retry, asked[0] if asked else None)


def degraded(sight: Sight, item: Looked) -> Degraded | None:
    """An index that cannot be read, or was there and is not: its last good reading stands.

    Of a database that OpenClaw is at work in, whoever lists its sessions says so. What else is wrong with it is said
    here too: its list of sessions may be damaged alone.
    """
    store = sight.memory.store(item.place.path)
    if store.fault is None or (store.fault in _PASSING_FAULTS and not store.is_given_up):
        return _broken_entries(item.place.path, store.broken) if store.broken else None
    if store.fault == "absent":
        if item.known is None or not sessions.has_entries(sight.ledger, item.known.id):
            return None
        if _is_migrated(sight, item.place):
            return None  # its sessions are in OpenClaw's SQLite now
        if item.place.is_store:
            is_there = os.path.lexists(item.place.path)
            reason = "has no tables of sessions any more" if is_there else "is gone, with the sessions that it held"
            return Degraded("store_gone", item.place.path, reason)
    elif item.place.is_store:
        if store.fault == "busy" or store.fault_told is None:
            return None
        return Degraded(store.fault_told[0], item.place.path, store.fault_told[1])
    return Degraded("index_unreadable", item.place.path, store.fault)


def _broken_entries(path: str, keys: frozenset[str]) -> Degraded:
    return Degraded(
        "store_bad_entry", path, f"entries of sessions that are no JSON: {len(keys)}, such as {min(keys)}'s"
    )


def is_away(sight: Sight, item: Looked) -> bool:
    """Is an index that was there not there, for longer than OpenClaw's renaming takes?"""
    is_absent = isinstance(item.look, Unreadable) and item.look.reason == "absent"
    return is_absent and item.known is not None and sight.memory.store(item.place.path).is_given_up


def is_gone(sight: Sight, item: Looked) -> bool:
    """Is it away with all that it is the index of, in a household that is there? Then its sessions are gone with it.

    An index that only is not there says nothing of sessions. Nor are they gone where they moved into OpenClaw's SQLite.
    """
    if not is_away(sight, item) or not item.is_lock_free or _is_migrated(sight, item.place):
        return False
    directory, agents = os.path.dirname(item.place.path), agents_dir(sight.state_dir)
    agent = os.path.dirname(directory)
    if os.path.dirname(agent) == agents:
        kept = (os.path.join(agent, name) for name in ("sessions", "agent"))  # OpenClaw deletes an agent with both
        return os.path.isdir(agents) and not any(map(os.path.isdir, kept))
    is_outside = not directory.startswith(sight.state_dir + "/") and directory != sight.state_dir
    home = directory if is_outside else agents  # that of a store elsewhere: a disk may be away
    return os.path.isdir(home) and not _has(directory, ".jsonl")


def _read(
    sight: Sight,
    place: IndexPlace,
    known: KnownIndex | None,
    store: StoreMemory,
    asked: list[dict[Name, PlacedEntry]],
) -> IndexLook:
    is_seen = store.is_given_up and store.fault_stat is not None and store.fault_stat == _stat(place.path)
    if is_seen and store.fault is not None:
        return Unreadable(store.fault, store.fault_stat, store.fault_told)
    look_at = look_at_store_index if place.is_store else look_at_index
    if known is None:
        return look_at(place.path)
    index_id = known.id

    def known_entries() -> dict[bytes, str]:
        asked.append(sessions.placed_entries(sight.ledger, index_id))
        return {entry.digest: name.session_key for name, entry in asked[0].items()}

    # Without a digest it is to be read, whatever its stat was when that was known.
    proven = (store.proven or known.stat) if known.digest else None
    return look_at(place.path, proven, known.digest or None, known_entries)


def _stat(path: str) -> FileStat | None:
    if is_sqlite_store(path):
        return store_stat(path)
    try:
        return FileStat.of(os.lstat(path))
    except OSError:
        return None


def _sooner(one: float | None, other: float) -> float:
    return other if one is None else min(one, other)


def _is_migrated(sight: Sight, place: IndexPlace) -> bool:
    """Did OpenClaw move the sessions of this sessions.json into its SQLite?"""
    if place.is_store:
        return False
    agent = place.agent_id
    archive = import_archive_dir(sight.state_dir, agent) if agent else old_import_archive_dir(sight.state_dir)
    return _has(archive, "sessions.json.imported-") or _has(os.path.dirname(place.path), "sessions.json.migrated")


def _has(directory: str, part: str) -> bool:
    try:
        return any(part in name for name in os.listdir(directory))
    except OSError:
        return False
