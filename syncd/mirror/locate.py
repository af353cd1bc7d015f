"""Which transcript a person means by a session key or id, the start of either, a title, a path or a file name.

The one home of the question for every verb. A path means what is there now, else what was there last. A session means
the session as it goes on, else its archive; copies and trajectories only where there is nothing else. What stays
unclear is asked back with what tells the candidates apart, never guessed. A title comes last: anything else is exact.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.errors import AmbiguousName, SyncdError, UserError
from syncd.ledger import transcripts
from syncd.ledger.reading.naming import MAX_CANDIDATES, beginning_with, ending_with, titled
from syncd.ledger.tombstones import is_purged
from syncd.path_text import printable
from syncd.sources.session_index import sessions_behind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.ledger.database import Ledger
    from syncd.ledger.reading.naming import Candidate
    from syncd.ledger.transcripts import Transcript

_MAX_LISTED = 20
_HOW_TO_LIST = "`syncd sessions` lists what there is"

_GOING_ON = frozenset({"primary", "fork", "successor"})
_ARCHIVES = frozenset({"reset", "deleted"})
_KEY_NOW = """SELECT installation_id, agent_id, session_id,
    iif(json_valid(entry_json), entry_json ->> 'sessionFile', NULL) FROM sessions
    WHERE id IN (SELECT id FROM sessions WHERE session_key = ?) AND session_id IS NOT NULL"""
_KEY_ONCE = """SELECT installation_id, session_ids.agent_id, session_ids.session_id, NULL FROM session_ids
    JOIN sessions ON sessions.id = session_ids.session WHERE session_ids.session_key = ?
    ORDER BY last_seen_at DESC LIMIT 1"""
_OF_SAME_KEY = """session_id IN (SELECT other.session_id FROM session_ids AS this
    JOIN session_ids AS other ON other.session = this.session WHERE this.session_id = ?) AND installation_id = ?"""
_RENAMED = "kind IN ('archive_rename', 'returned')"
# An event that rotted names no place, and is no reason to know none.
_FORMER, _PATH = (f"iif(json_valid(detail_json), detail_json ->> '{name}', NULL)" for name in ("former", "path"))
_MOVES = f"""SELECT {_FORMER} AS former, {_PATH} AS path FROM sync_events WHERE kind = 'moved'
    AND former IS NOT NULL AND path IS NOT NULL ORDER BY id"""


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
        raise _unknown(ledger, name)
    if transcript_id is not None:
        named = _Named([found for found in named.all if found.id == transcript_id], named.all)
        if not named.choices:
            raise UserError(
                f"transcript {transcript_id} is not one of {printable(name)}", f"these are:{_listing(named.all)}"
            )
    if len(named.choices) > 1:
        raise AmbiguousName(
            f"{printable(name)} can mean {len(named.choices)} transcripts:{_listing(named.choices)}",
            "say which with --transcript ID",
            [_about(item) for item in named.choices[:_MAX_LISTED]],
        )
    return named.choices[0]


def transcripts_meant(ledger: Ledger, name: str) -> list[Transcript]:
    """All transcripts of the session that is meant: archives, copies and trajectories, and of a key those of all its
    session ids.
    """
    named = _named(ledger, name)
    if named is None:
        raise _unknown(ledger, name)
    found = named.all
    is_id_or_file = "/" in name or ".jsonl" in name or found[0].session_id.startswith(printable(name))
    if not is_id_or_file:
        found = found + transcripts.load_where(ledger, _OF_SAME_KEY, (found[0].session_id, found[0].installation_id))
    return _each_once(found)


def _unknown(ledger: Ledger, name: str) -> SyncdError:
    """Sessions stand in the index some time before they have a file."""
    found = _alike(ledger, printable(name))
    if found is not None:
        return SyncdError(
            f"{printable(name)} has no transcript",
            "OpenClaw makes the file with the first answer: try again then; if it is there, `syncd run --once` says why"
            " it is not read",
        )
    if is_purged(ledger, printable(name)):
        return purged_session(name)
    return SyncdError(f"no session or transcript is known as {printable(name)}", _HOW_TO_LIST)


def purged_session(name: str) -> SyncdError:
    return SyncdError(f"{printable(name)} was purged", "it is kept out for good; what it was is known to nobody here")


def _by_id(ledger: Ledger, transcript_id: int | None) -> Transcript:
    found = transcripts.load_where(ledger, "id = ?", (transcript_id,)) if transcript_id is not None else []
    if not found:
        raise SyncdError(f"there is no transcript {transcript_id}", _HOW_TO_LIST)
    return found[0]


def _listing(found: list[Transcript]) -> str:
    lines = [f"\n  {item.id}  {item.kind}, {item.state}  {item.path}" for item in found[:_MAX_LISTED]]
    return "".join(lines) + (f"\n  and {len(found) - _MAX_LISTED} more" if len(found) > _MAX_LISTED else "")


def _about(item: Transcript) -> dict[str, object]:
    return {
        "transcript_id": item.id,
        "agent_id": item.agent_id,
        "session_id": item.session_id,
        "kind": item.kind,
        "state": item.state,
        "path": item.path,
    }


def _named(ledger: Ledger, name: str) -> _Named | None:
    for way in (_at_path, _of_file_name, _of_session_id, _of_session_key, _of_likeness, _of_key_in_index):
        found = way(ledger, name)
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
    if ".jsonl" not in name or "/" in name:
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
    """The current session id behind the key, else the one it last stood for."""
    owners: list[tuple[Any, ...]] = []
    for query in (_KEY_NOW, _KEY_ONCE):
        owners = owners or list(ledger.execute(query, (printable(key),)))
    of_each = [named for owner in owners if (named := _of_owner_of_key(ledger, *owner)) is not None]
    if not of_each:
        return None
    # Of several installations or agents each may be meant, in whatever state it is there.
    return _Named(
        _each_once(item for named in of_each for item in named.choices),
        _each_once(item for named in of_each for item in named.all),
    )


def _of_owner_of_key(ledger: Ledger, installation: int, agent_id: str, session_id: str, file: object) -> _Named | None:
    named = _preferred(_of_owner(ledger, installation, agent_id, session_id))
    if named is None or len(named.choices) == 1 or not isinstance(file, str):
        return named
    # Topics share their session's id; the index says in which file each one is.
    choices = [item for item in named.choices if os.path.basename(item.path) == os.path.basename(file)]
    return _Named(choices or named.choices, named.all)


def _of_key_in_index(ledger: Ledger, key: str) -> _Named | None:
    """By OpenClaw's own index, which may know a key that the ledger does not know yet."""
    return _preferred([item for owner in _owners_in_index(ledger, key) for item in _of_owner(ledger, *owner)])


def _of_owner(ledger: Ledger, installation: int, agent_id: str, session_id: str) -> list[Transcript]:
    """Those of the agent; in a store that all agents share, a transcript does not say whose it is."""
    condition, bindings = "installation_id = ? AND session_id = ?", (installation, session_id)
    found = transcripts.load_where(ledger, condition, bindings)
    return [item for item in found if item.agent_id == agent_id] or found


def _owners_in_index(ledger: Ledger, key: str) -> Iterator[tuple[int, str, str]]:
    for installation, top in _installations(ledger):
        for agent_id, session_id in sessions_behind(top, key):
            yield installation, printable(agent_id), printable(session_id)


def session_ids_meant(ledger: Ledger, state_dirs: Iterable[str], name: str) -> frozenset[str]:
    """Every session id that a key stands or stood for; an id stands for itself, also one that is not known yet."""
    plain = printable(name)
    ids = {row[0] for row in ledger.execute("SELECT session_id FROM session_ids WHERE session_key = ?", (plain,))}
    ids.update(session_id for top in state_dirs for _, session_id in sessions_behind(top, name))
    if not ids and not transcripts.load_where(ledger, "session_id = ?", (plain,)):
        found = _alike(ledger, plain)
        ids = {found.session_id} if found is not None and found.session_id is not None else set()
    return frozenset(ids | {plain})


def _of_likeness(ledger: Ledger, name: str) -> _Named | None:
    found = _alike(ledger, printable(name))
    if found is None or found.session_id is None:
        return None
    if found.session_key is not None:
        named = _of_session_key(ledger, found.session_key)
        owner = (found.installation_id, found.session_id)
        choices = [item for item in named.choices if (item.installation_id, item.session_id) == owner] if named else []
        if named is not None and choices:  # else the key has moved on
            return _Named(choices, [item for item in named.all if item.installation_id == found.installation_id])
    return _preferred(_of_owner(ledger, found.installation_id, found.agent_id, found.session_id))


def only_titled(ledger: Ledger, name: str) -> list[Candidate]:
    """The sessions that this is nothing but words of the titles of; none where it is a name of any other kind."""
    plain = printable(name)
    exact = (_at_path, _of_file_name, _of_session_id, _of_session_key)
    if not plain.strip() or any(way(ledger, name) is not None for way in exact):
        return []
    return titled(ledger, plain) if not ending_with(ledger, plain) and not beginning_with(ledger, plain) else []


def _alike(ledger: Ledger, name: str) -> Candidate | None:
    """The one session that is meant by a part of its key, the start of its key or id, or its title."""
    if not name.strip():
        return None
    for search in (ending_with, beginning_with, titled):
        found = search(ledger, name)
        if len(found) > 1:
            raise ambiguous(name, found)
        if found:
            return found[0]
    return None


def ambiguous(name: str, found: list[Candidate]) -> AmbiguousName:
    count = str(len(found)) if len(found) <= MAX_CANDIDATES else f"more than {MAX_CANDIDATES}"
    shown = found[:MAX_CANDIDATES]
    return AmbiguousName(
        f"{name} can mean {count} sessions:{listing_of(shown)}",
        "give more of the key or the id",
        [item._asdict() for item in shown],
    )


def listing_of(shown: list[Candidate]) -> str:
    lines = [
        f"\n  {item.session_id or '-'}  {item.session_key or f'agent {item.agent_id}, no key'}"
        + (f"  {' '.join(item.title.split())[:60]}" if item.title else "")
        + (f"  ({item.status})" if item.status not in ("live", "archived") else "")
        for item in shown
    ]
    return "".join(lines)


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
