"""Which transcript a person means by a session id, a session key, a path, a file name or the start of an id.

A path means what is there now, else what was there last. A session id means the session as it goes on, else its
archive; copies and trajectories only where there is nothing else. What stays unclear is asked back, never guessed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.errors import SyncdError, UserError
from syncd.ledger import transcripts
from syncd.mirror.path_text import printable
from syncd.sources.session_index import sessions_behind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript

SHORTEST_PREFIX = 6
MAX_LISTED = 20

_GOING_ON = frozenset({"primary", "fork", "successor"})
_ARCHIVES = frozenset({"reset", "deleted"})
_LAST_CHARACTER = "\U0010ffff"
_KEY_NOW = "SELECT installation_id, agent_id, session_id FROM sessions WHERE session_key = ? AND session_id IS NOT NULL"
_KEY_ONCE = """SELECT installation_id, session_ids.agent_id, session_ids.session_id FROM session_ids
    JOIN sessions ON sessions.id = session_ids.session WHERE session_ids.session_key = ?
    ORDER BY last_seen_at DESC LIMIT 1"""
_RENAMED = "kind IN ('archive_rename', 'returned')"
_FORMER = "json_extract(detail_json, '$.former')"
_MOVES = f"SELECT {_FORMER}, json_extract(detail_json, '$.path') FROM sync_events WHERE kind = 'moved' ORDER BY id"


class _Named(NamedTuple):
    """`choices` are those meant before the others of `all`; one means it is clear."""

    choices: list[Transcript]
    all: list[Transcript]


def transcript_meant(ledger: Ledger, name: str | None, transcript_id: int | None = None) -> Transcript:
    """The one transcript meant; UserError where that is not clear, SyncdError where there is none."""
    if name is None:
        return _by_id(ledger, transcript_id)
    named = _named(ledger, name)
    if named is None:
        raise SyncdError(
            f"no transcript is known as {printable(name)}",
            "list what there is: syncd sql 'SELECT id, session_id, kind, state, path FROM transcripts'",
        )
    if transcript_id is not None:
        named = _Named([found for found in named.all if found.id == transcript_id], named.all)
        if not named.choices:
            raise UserError(
                f"transcript {transcript_id} is not one of {printable(name)}", f"these are:{_listing(named.all)}"
            )
    if len(named.choices) > 1:
        raise UserError(
            f"{printable(name)} can mean {len(named.choices)} transcripts:{_listing(named.choices)}",
            "say which with --transcript ID",
        )
    return named.choices[0]


def _by_id(ledger: Ledger, transcript_id: int | None) -> Transcript:
    found = transcripts.load_where(ledger, "id = ?", (transcript_id,)) if transcript_id is not None else []
    if not found:
        raise SyncdError(
            f"there is no transcript {transcript_id}",
            "list what there is: syncd sql 'SELECT id, session_id, kind, state, path FROM transcripts'",
        )
    return found[0]


def _listing(found: list[Transcript]) -> str:
    lines = [f"\n  {item.id}  {item.kind}, {item.state}  {item.path}" for item in found[:MAX_LISTED]]
    return "".join(lines) + (f"\n  and {len(found) - MAX_LISTED} more" if len(found) > MAX_LISTED else "")


def _named(ledger: Ledger, name: str) -> _Named | None:
    for ways in (_at_path, _of_file_name, _of_session_id, _of_session_key, _of_prefix):
        found = ways(ledger, name)
        if found is not None:
            return found
    return None


# By place


def _at_path(ledger: Ledger, name: str) -> _Named | None:
    if "/" not in name:
        return None
    beside = os.path.abspath(name)
    through_links = os.path.join(os.path.realpath(os.path.dirname(beside)), os.path.basename(beside))
    below = [] if os.path.isabs(name) else [os.path.normpath(f"{top}/{name}") for _, top in _installations(ledger)]
    places = dict.fromkeys([*below, beside, through_links])
    return _of_places(ledger, places) or _of_places(ledger, _before_and_after_moves(ledger, places))


def _before_and_after_moves(ledger: Ledger, places: Iterable[str]) -> Iterable[str]:
    """The same places below every path that their state dir has had."""
    moves = [(str(former), str(now)) for former, now in ledger.execute(_MOVES)]
    found = dict.fromkeys(places)
    for top, other_top in [*moves, *((now, former) for former, now in reversed(moves))]:
        below = [place.removeprefix(top) for place in found if place.startswith(f"{top}/")]
        found.update(dict.fromkeys(f"{other_top}{rest}" for rest in below))
    return found


def _of_file_name(ledger: Ledger, name: str) -> _Named | None:
    if not name or "/" in name:
        return None
    tops = dict(_installations(ledger))
    ending = b"/" + os.fsencode(name)
    here = ledger.execute("SELECT installation_id, path FROM _files WHERE substr(path, ?) = ?", (-len(ending), ending))
    places = [os.path.join(tops[installation], os.fsdecode(path)) for installation, path in here]
    end = "/" + printable(name)
    for query in (
        "SELECT path FROM transcripts WHERE substr(path, ?1) = ?2",
        f"SELECT {_FORMER} FROM sync_events WHERE {_RENAMED} AND substr({_FORMER}, ?1) = ?2",
    ):
        places += [place for (place,) in ledger.execute(query, (-len(end), end))]
    return _of_places(ledger, dict.fromkeys(places))


def _of_places(ledger: Ledger, places: Iterable[str]) -> _Named | None:
    """What is meant at each of these absolute paths: the newest there; the others can be chosen by their id."""
    found = [at_one for place in places if (at_one := _at_place(ledger, place))]
    if not found:
        return None
    return _Named(_each_once(at_one[0] for at_one in found), _each_once(item for at_one in found for item in at_one))


def _at_place(ledger: Ledger, place: str) -> list[Transcript]:
    """Transcripts that are or were at this path, the present one first, then the newest."""
    ids = [*_in_files(ledger, place)]
    name = printable(place)
    ids += _ids(ledger, "SELECT id FROM transcripts WHERE path = ? ORDER BY id DESC", (name,))
    archived = f"SELECT transcript_id FROM sync_events WHERE {_RENAMED} AND {_FORMER} = ? ORDER BY id DESC"
    ids += _ids(ledger, archived, (name,))
    return [transcripts.load(ledger, transcript_id) for transcript_id in dict.fromkeys(ids)]


def _in_files(ledger: Ledger, place: str) -> Iterator[int]:
    for installation, top in _installations(ledger):
        relative = os.fsencode(place.removeprefix(top + "/"))
        yield from _ids(
            ledger,
            # A hard link's own row has no transcript; the row of the same file's other name has.
            """SELECT coalesce(this.transcript_id, other.transcript_id) FROM _files AS this
               LEFT JOIN _files AS other ON this.role = 'hard_link' AND other.installation_id = this.installation_id
                 AND other.dev = this.dev AND other.ino = this.ino AND other.role = 'place'
               WHERE this.installation_id = ? AND this.path = ?""",
            (installation, relative),
        )


# By session


def _of_session_id(ledger: Ledger, session_id: str) -> _Named | None:
    return _preferred(transcripts.load_where(ledger, "session_id = ?", (printable(session_id),)))


def _of_session_key(ledger: Ledger, key: str) -> _Named | None:
    """The current session id behind the key, by the ledger's tables, else by OpenClaw's own index."""
    for query in (_KEY_NOW, _KEY_ONCE):
        owners = list(ledger.execute(query, (printable(key),)))
        if owners:
            break
    else:
        owners = list(_owners_in_index(ledger, key))
    return _preferred([item for owner in owners for item in _of_owner(ledger, *owner)])


def _of_owner(ledger: Ledger, installation: int, agent_id: str, session_id: str) -> list[Transcript]:
    """Those of the agent; in a store that all agents share, a transcript does not say whose it is."""
    condition, bindings = "installation_id = ? AND session_id = ?", (installation, session_id)
    found = transcripts.load_where(ledger, condition, bindings)
    return [item for item in found if item.agent_id == agent_id] or found


def _owners_in_index(ledger: Ledger, key: str) -> Iterator[tuple[int, str, str]]:
    for installation, top in _installations(ledger):
        for agent_id, session_id in sessions_behind(top, key):
            yield installation, printable(agent_id), printable(session_id)


def session_ids_meant(ledger: Ledger, state_dirs: Iterable[str], key_or_id: str) -> frozenset[str]:
    """Every session id that a key stands or stood for; an id stands for itself."""
    name = printable(key_or_id)
    ids = {name} | {
        row[0] for row in ledger.execute("SELECT session_id FROM session_ids WHERE session_key = ?", (name,))
    }
    return frozenset(ids.union(session_id for top in state_dirs for _, session_id in sessions_behind(top, key_or_id)))


def _of_prefix(ledger: Ledger, prefix: str) -> _Named | None:
    if len(prefix) < SHORTEST_PREFIX:
        return None
    query = "SELECT DISTINCT session_id FROM transcripts WHERE session_id >= ? AND session_id < ? ORDER BY 1 LIMIT ?"
    start = printable(prefix)
    found = [row[0] for row in ledger.execute(query, (start, start + _LAST_CHARACTER, MAX_LISTED + 1))]
    if len(found) > 1:
        listing = "".join(f"\n  {session_id}" for session_id in found[:MAX_LISTED])
        more = "\n  and more" if len(found) > MAX_LISTED else ""
        raise UserError(f"several session ids begin with {start}:{listing}{more}", "give more of the id")
    return _of_session_id(ledger, found[0]) if found else None


def _preferred(found: list[Transcript]) -> _Named | None:
    if not found:
        return None
    best = min(map(_rank, found))
    return _Named([item for item in found if _rank(item) == best], found)


def _rank(item: Transcript) -> int:
    if item.kind in _GOING_ON and item.state == "live":
        return 0
    if item.kind in _GOING_ON | _ARCHIVES:
        return 1
    return 3 if item.kind == "trajectory" else 2


def _each_once(found: Iterable[Transcript]) -> list[Transcript]:
    return list({item.id: item for item in found}.values())


def _ids(ledger: Ledger, query: str, bindings: tuple[Any, ...]) -> list[int]:
    return [int(row[0]) for row in ledger.execute(query, bindings) if row[0] is not None]


def _installations(ledger: Ledger) -> list[tuple[int, str]]:
    return [(int(row[0]), str(row[1])) for row in ledger.execute("SELECT id, state_dir FROM installations ORDER BY id")]
