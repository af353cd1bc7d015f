"""The sessions of OpenClaw's own databases as a listing: which are new or look changed, which are missing.

What `scan` is for directories. A database that cannot be read is a problem, and nothing in it is taken for gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.errors import SourceError
from syncd.records import FileProblem, ListedFile
from syncd.sources.cold_archive import missing_archives
from syncd.sources.opening import NotThereError, StoreError, problem_of
from syncd.sources.scan import SessionDirectory
from syncd.sources.store_archives import stored_archives
from syncd.sources.store_opening import NEWEST_SCHEMA, last_schema_version
from syncd.sources.store_paths import stored_name, stored_path
from syncd.sources.store_sessions import is_same_but_for_size, list_sessions, measure, stat_without_size, store_inode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.sources.scan import KnownStats, Scan
    from syncd.sources.store_places import StorePlace
    from syncd.sources.store_sessions import StoredSession

NEWER_CODE = "store_newer"


def add_stores(found: Scan, places: Iterable[StorePlace], known: KnownStats) -> None:
    """Add what the databases hold to what the directories do."""
    seen: set[str] = set()
    kept: list[str] = []
    for place in places:
        try:
            if not _add_store(found, place, known, seen):
                continue
        except NotThereError:
            continue
        except SourceError as error:
            found.problems.append(problem_of(error, place.path))
            kept.append(f"{place.path}/")
        found.directories.append(SessionDirectory(place.agent_id, place.path))
        found.notes += newer_schema(place.path)
    found.missing = [path for path in found.missing if path not in seen and not path.startswith(tuple(kept))]


def _add_store(found: Scan, place: StorePlace, known: KnownStats, seen: set[str]) -> bool:
    """False: no sessions are kept there."""
    inode = store_inode(place.path)
    changed: set[str] = set()

    def is_known(session: StoredSession) -> bool:
        path = stored_path(place.path, session.session_id)
        seen.add(path)
        proven = known.get(path)
        if proven is not None and is_same_but_for_size(proven, stat_without_size(session, inode)):
            return True
        changed.add(session.session_id)
        return False

    sessions = list_sessions(place.path, inode, is_known)
    if sessions is None:
        if any(path.startswith(f"{place.path}/") for path in known):
            reason = "has no table of transcript events any more"
            raise StoreError("store_unknown", place.path, reason, "what was read is kept; `openclaw doctor` may help")
        return False
    newest = found.written_ns.get(place.agent_id, 0)
    for session in sessions:
        newest = max(newest, session.updated_at * 1_000_000)
        if session.session_id not in changed:
            continue
        sized = session if session.size is not None else measure(place.path, inode, session.session_id)
        if sized is not None and sized.size is not None:
            stat = stat_without_size(sized, inode)._replace(size=sized.size)
            name = stored_name(session.session_id)
            found.changed.append(ListedFile(place.agent_id, place.path, name, stat, 1, is_regular=True))
    for archive in stored_archives(place.path):
        path, stat = f"{place.path}/{archive.name}", archive.stat(inode)
        seen.add(path)
        if known.get(path) != stat:
            found.changed.append(ListedFile(place.agent_id, place.path, archive.name, stat, 1, is_regular=True))
    for session_id, error in missing_archives(place.path).items():
        if session_id not in changed:  # nobody would look at it for what is known already
            found.problems.append(problem_of(error, stored_path(place.path, session_id)))
    if newest:
        found.written_ns[place.agent_id] = newest
    return True


def newer_schema(store_path: str) -> list[FileProblem]:
    """A database of a release that is not known, when it was last read: what is known of it is mirrored, and this is
    said.
    """
    version = last_schema_version(store_path)
    if version is None or version <= NEWEST_SCHEMA:
        return []
    reason = f"has schema {version}, newer than the {NEWEST_SCHEMA} that is known; what is known of it is mirrored"
    return [FileProblem(store_path, reason, "upgrade syncd", NEWER_CODE)]
