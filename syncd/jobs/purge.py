"""Purging a session: out of the ledger, its backups and copies, its files' last gaps; and kept out from then on.

Plan first (reads only, for people to look at), then apply. A purge that was cut short leaves a tombstone that says so,
and `finish` goes on with it: nothing of it needs the session's name, the hashes in the tombstones find it in any copy.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from syncd.errors import AmbiguousName, SyncdError, UserError
from syncd.jobs.beside import do_beside
from syncd.ledger.backups import kept_backups
from syncd.ledger.burial_note import write_note
from syncd.ledger.copies import clean_copy, copies_of, remove_lone_sidecars
from syncd.ledger.leftovers import remove_leftovers
from syncd.ledger.pins import pinned_ids
from syncd.ledger.reading.naming import MAX_CANDIDATES
from syncd.ledger.removal import Counts, Wanted, count, remove, remove_returned, transcripts_of, with_descendants
from syncd.ledger.row_mending import mend_names
from syncd.ledger.scour import scour
from syncd.ledger.tombstones import burials_of, is_purged, unscoured
from syncd.mirror.locate import listing_of, only_titled
from syncd.mirror.sessions_meant import sessions_meant
from syncd.path_text import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from syncd.clock import Clock
    from syncd.ledger.copies import CleanedCopy
    from syncd.ledger.database import Ledger
    from syncd.ledger.reading.naming import Candidate
    from syncd.ledger.tombstones import Burials
    from syncd.ledger.writer import Writer
    from syncd.mirror.catchup import Home, Pace
    from syncd.mirror.errands import Answer, Arguments, Hands

_RELATIVES = """SELECT DISTINCT transcripts.session_id, transcripts.kind, transcripts.path, sessions.session_key
    FROM transcripts LEFT JOIN sessions ON sessions.id = transcripts.session
    WHERE lineage_id IN (SELECT lineage_id FROM transcripts WHERE id IN (SELECT value FROM json_each(?1)))
    AND lineage_id != 0 AND transcripts.id NOT IN (SELECT value FROM json_each(?1)) ORDER BY transcripts.id"""


_NAMES = """SELECT session_key, coalesce(title, label, display_name, subject), session_id IS ?1 FROM sessions
    WHERE id IN (SELECT session FROM session_ids WHERE session_id = ?1
        UNION SELECT id FROM sessions WHERE session_id = ?1) ORDER BY id"""
_OWN_TITLE = "SELECT title FROM transcripts WHERE session_id = ? AND title IS NOT NULL ORDER BY id LIMIT 1"
_WITHOUT_ID = """SELECT session_key, coalesce(title, label, display_name, subject) FROM sessions
    WHERE session_key = ? AND session_id IS NULL"""


class Going(NamedTuple):
    """A session that goes, as people know it."""

    session_key: str | None
    session_id: str | None
    title: str | None


class Relative(NamedTuple):
    """A transcript of another session that repeats lines of the one to go."""

    session_id: str
    kind: str
    path: str
    session_key: str | None
    is_descendant: bool
    """Forked, continued or copied from it; False: it is what that itself came from, or another branch."""


@dataclass(frozen=True, slots=True)
class PurgePlan:
    wanted: Wanted
    counts: Counts
    relatives: tuple[Relative, ...]
    """In kept sessions: with `--with-forks` the descendants are among what goes."""
    files: tuple[str, ...]
    """OpenClaw's own, which stay where they are."""
    copies: tuple[str, ...]
    going: tuple[Going, ...] = ()
    is_again: bool = False
    """It was purged before; only traces are looked for."""


@dataclass(slots=True)
class Purged:
    counts: Counts = field(default_factory=Counts)
    copies: list[CleanedCopy] = field(default_factory=list)
    failed_copies: list[tuple[str, str]] = field(default_factory=list)
    """Path and reason."""
    is_scoured: bool = False

    @property
    def ok(self) -> bool:
        return self.is_scoured and not self.failed_copies


def plan_purge(ledger: Ledger, name: str, *, with_forks: bool) -> PurgePlan:
    """What would go. SyncdError: no such session; UserError: it is pinned, or named by words of a title only."""
    copies = tuple(map(str, copies_of(ledger.path)))
    again = PurgePlan(Wanted(frozenset(), with_forks=with_forks), Counts(), (), (), copies, is_again=True)
    if titles := only_titled(ledger, name):
        if is_purged(ledger, name):
            return again
        raise _titled(name, titles)
    try:
        meant = sessions_meant(ledger, name)
    except SyncdError as unknown:
        if not isinstance(unknown, UserError) and is_purged(ledger, name):
            return again
        raise
    children = with_descendants(ledger, meant.session_ids)
    wanted = Wanted(children if with_forks else meant.session_ids, meant.keys, with_forks)
    if pinned := sorted(wanted.session_ids & pinned_ids(ledger)):
        raise _pinned(pinned)
    going = transcripts_of(ledger, wanted.session_ids)
    found = ledger.execute(_RELATIVES, (f"[{','.join(map(str, going))}]",))
    relatives = tuple(Relative(row[0], row[1], row[2], row[3], row[0] in children) for row in found)
    files, named = tuple(_files(ledger, going)), tuple(_going(ledger, wanted))
    return PurgePlan(wanted, count(ledger, wanted), relatives, files, copies, named)


def _titled(name: str, found: list[Candidate]) -> AmbiguousName:
    """Words of a title are no name to destroy something by: the next session may begin with the same."""
    shown = found[:MAX_CANDIDATES]
    return AmbiguousName(
        f"{printable(name)} is in the title of:{listing_of(shown)}",
        "a purge goes by the key or its end, the id, or the start of either: say which by one of these",
        [item._asdict() for item in shown],
    )


def _going(ledger: Ledger, wanted: Wanted) -> Iterator[Going]:
    for session_id in sorted(wanted.session_ids):
        own = ledger.row(_OWN_TITLE, (session_id,))
        title = own[0] if own is not None else None
        for key, of_session, is_present in list(ledger.execute(_NAMES, (session_id,))) or [(None, None, False)]:
            yield Going(key, session_id, (of_session or title) if is_present else (title or of_session))
    for key in sorted(wanted.keys):
        yield from (Going(found, None, title) for found, title in ledger.execute(_WITHOUT_ID, (key,)))


def _files(ledger: Ledger, going: list[int]) -> Iterable[str]:
    query = "SELECT path FROM transcripts WHERE id = ? AND state != 'gone'"
    return dict.fromkeys(row[0] for each in going for row in ledger.execute(query, (each,)))


def purge(writer: Writer, homes: Iterable[Home], pace: Pace, wanted: Wanted) -> Purged:
    """Take it out, everywhere. Needs the writer lock; live files get their turn between two steps."""
    done = Purged()
    if wanted.session_ids or wanted.keys:
        take_out(writer, homes, wanted, "purge", done)
    take_returned_out(writer, homes)
    finish(writer, pace, done)
    return done


def take_out(writer: Writer, homes: Iterable[Home], wanted: Wanted, why: str, done: Purged) -> None:
    """Out of the ledger's tables; what the files still hold of it is for `finish`."""
    writer.flush()
    _, counts = remove(writer.ledger, wanted, why, writer.clock.now_ms())
    writer.renumber()
    for home in homes:
        home.files.kept_out.refresh()
    done.counts = Counts(*(one + other for one, other in zip(done.counts, counts, strict=True)))


def take_returned_out(writer: Writer, homes: Iterable[Home]) -> int:
    """What came back with an older ledger that was put in this one's place; how many session ids."""
    writer.flush()
    count = remove_returned(writer.ledger, writer.clock.now_ms())
    if count:
        writer.renumber()
        for home in homes:
            home.files.kept_out.refresh()
    return count


def finish(writer: Writer, pace: Pace, done: Purged) -> None:
    """No byte of what was purged in any copy, nor in a gap of the ledger's own files."""
    ledger, clock = writer.ledger, writer.clock
    write_note(ledger)  # not with each session that goes: it is as long as all that ever went
    burials = burials_of(ledger)
    remove_leftovers(ledger.path, growing_seconds=0.0)
    done.failed_copies += remove_lone_sidecars(ledger.path)
    seen: set[Path] = set()
    while burials is not None and (new := [path for path in copies_of(ledger.path) if path not in seen]):
        for path in new:  # and then those that were made meanwhile
            seen.add(path)
            _clean(path, burials, clock, pace, done)
    pace.at_border()
    writer.flush()
    is_left = bool(done.failed_copies)
    done.is_scoured = scour(ledger, clock, is_done=not is_left)
    write_note(ledger)
    writer.renumber()


def purge_errand(hands: Hands, arguments: Arguments) -> Answer:
    """`session_ids`, `keys` and `with_forks` of a plan that was looked at before; none of them: only `finish`."""
    ids, keys = frozenset(map(str, arguments["session_ids"])), frozenset(map(str, arguments["keys"]))
    wanted = Wanted(ids, keys, with_forks=bool(arguments["with_forks"]))
    hands.writer.flush()
    ledger = hands.writer.ledger
    mend_names(ledger, [kept.path for kept in kept_backups(ledger.path.absolute())], hands.writer.clock.now_ms())
    if pinned := sorted(ids & pinned_ids(ledger)):
        raise _pinned(pinned)
    done = purge(hands.writer, hands.homes, hands.pace, wanted)
    return {
        **done.counts._asdict(),
        "copies": [each._asdict() for each in done.copies],
        "failed_copies": [{"path": path, "reason": reason} for path, reason in done.failed_copies],
        "is_scoured": done.is_scoured,
        "ok": done.ok,
    }


def _pinned(session_ids: list[str]) -> UserError:
    return UserError(f"{', '.join(session_ids)} is pinned", "`syncd unpin` it first, if it is to go all the same")


def is_finish_due(ledger: Ledger) -> bool:
    return bool(unscoured(ledger))


def _clean(path: Path, burials: Burials, clock: Clock, pace: Pace, done: Purged) -> None:
    """Beside the loop: no live line waits for the writing of a backup. Once begun, it is not given up."""
    outcome = do_beside(pace, lambda _: _cleaned(path, burials, clock.now_ms()))
    if isinstance(outcome, Exception):
        done.failed_copies.append((str(path), str(outcome)))
    elif outcome is not None:
        done.copies.append(outcome)


def _cleaned(path: Path, burials: Burials, now_ms: int) -> CleanedCopy | Exception | None:
    """Its faults are the copy's; what `pace` raises is none of them."""
    try:
        return clean_copy(path, burials, now_ms)
    except (SyncdError, OSError) as fault:
        return fault
