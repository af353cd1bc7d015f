"""What retention would remove: each policy's candidates, the oldest first. Reads only.

Pinned sessions are in no plan, nor is what OpenClaw holds a lock of at this moment. The same lists, without an age,
are what the size cap chooses from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from syncd.ledger.codec import NOT_GONE
from syncd.ledger.dropping import WITH_BODY
from syncd.ledger.figures import free_bytes, page_bytes
from syncd.ledger.pins import pinned_ids
from syncd.ledger.removal import Wanted
from syncd.sources.locks import is_write_locked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from syncd.jobs.policies import Policies
    from syncd.ledger.database import Ledger

    IsFree = Callable[[str, str, str], bool]
    """Of a session id, a path and a state: may something be taken from it?"""

_TRANSCRIPTS = f"""SELECT session_id, path, state, bytes, lines, (SELECT coalesce(sum(length(data)), 0) FROM _blocks
    WHERE transcript_id = transcripts.id AND {NOT_GONE}) FROM transcripts WHERE session_id = ?"""
_TRAJECTORIES = f"""SELECT transcripts.id, session_id, path, state, changed_at, sum(byte_length), sum(length(data))
    FROM transcripts CROSS JOIN _blocks ON transcript_id = transcripts.id AND {NOT_GONE}
    WHERE kind = 'trajectory' AND changed_at < ? GROUP BY transcripts.id ORDER BY changed_at, transcripts.id"""
_SUPERSEDED = f"""SELECT transcript_id, session_id, path, state, min(at), sum(lost), number, stored
    FROM (SELECT transcript_id, at, detail ->> 'generation' AS number, detail ->> 'superseded_bytes' AS lost,
      (SELECT sum(length(data)) FROM _blocks WHERE _blocks.transcript_id = told.transcript_id
        AND {NOT_GONE} AND superseded_in = detail ->> 'generation') AS stored
    FROM (SELECT transcript_id, at, iif(json_valid(detail_json), detail_json, '{{}}') AS detail FROM sync_events
      WHERE kind IN ('rewrite', 'truncation') AND at < ?) AS told)
    JOIN transcripts ON transcripts.id = transcript_id WHERE stored > 0 GROUP BY transcript_id, number
    ORDER BY min(at), transcript_id"""
_TOOL_RESULTS = f"""SELECT transcripts.id, transcripts.session_id, transcripts.path, transcripts.state,
    min(coalesce(messages.at, changed_at)), sum(byte_length), sum(text_bytes) * (SELECT
      total(length(data)) / sum(byte_length) FROM _blocks WHERE transcript_id = transcripts.id),
    count(*), coalesce(sessions.lifecycle, '') AS lifecycle
    FROM transcripts CROSS JOIN entries ON entries.transcript_id = transcripts.id
    CROSS JOIN messages ON messages.id = entries.id LEFT JOIN sessions ON sessions.id = transcripts.session
    WHERE coalesce(messages.at, changed_at) < ?1 AND {WITH_BODY}
    GROUP BY transcripts.id ORDER BY 5, 1"""
_REMOVED = "SELECT id, session_key, removed_at FROM sessions WHERE status = 'removed' AND removed_at < ? ORDER BY 3, 1"
_CRON_RUNS = """SELECT id, session_key, coalesce(last_interaction_at, updated_at, created_at, removed_at) AS last_at
    FROM sessions WHERE kind = 'cron_run' AND last_at < ? ORDER BY last_at, id"""
# An id that a session of OpenClaw's index still stands for, or once did under a key that is still there, stays.
_OWN_IDS = """SELECT session_id FROM session_ids WHERE session = ?1 UNION SELECT session_id FROM sessions WHERE id = ?1
    AND session_id IS NOT NULL EXCEPT SELECT session_ids.session_id FROM session_ids
    JOIN sessions ON sessions.id = session_ids.session WHERE sessions.status = 'live' AND sessions.id != ?1"""
# What no index ever named, and OpenClaw has put away or unlinked.
_DELETED = """SELECT session_id, max(changed_at) FROM transcripts GROUP BY session_id
    HAVING count(session) = 0 AND min(kind = 'deleted' OR state = 'gone') AND max(changed_at) < ? ORDER BY 2, 1"""

_IS_LIVE = "SELECT 1 FROM sessions WHERE session_key = ? AND status = 'live' LIMIT 1"

OLD_VERSIONS = "seen_at < ? AND session NOT IN (SELECT session FROM pins WHERE session IS NOT NULL)"


class Item(NamedTuple):
    """One thing to remove."""

    policy: str
    """The key of the configuration; max_ledger_bytes: the size cap wants it."""
    what: str
    """As in `tombstones`."""
    at: int
    bytes: int
    """Of tool results at most so many: the lines that they are in."""
    stored: int
    """Bytes that the ledger would be smaller by, rather too few than too many: what a plan names is to be enough."""
    entries: int = 0
    transcript_id: int | None = None
    generation: int | None = None
    """Of what a rewrite superseded: the generation that did."""
    wanted: Wanted | None = None
    """Of a session that goes."""


@dataclass(frozen=True, slots=True)
class RetentionPlan:
    made_at: int
    """What is old enough by then."""
    items: tuple[Item, ...] = ()
    session_versions: int = 0
    ledger_bytes: int = 0
    over_bytes: int = 0
    """What no item can bring below the cap: all the rest is live or pinned."""
    openclaw: dict[str, dict[str, str]] = field(default_factory=dict)
    """By state dir, what OpenClaw's own configuration says of removing sessions."""
    unfinished: int = 0
    """Removals that were cut short: traces may be left in the ledger's files and copies."""

    def of(self, policy: str) -> list[Item]:
        return [item for item in self.items if item.policy == policy]


def plan_retention(ledger: Ledger, policies: Policies, now_ms: int) -> RetentionPlan:
    """Everything the policies say, then what the cap wants beyond that."""
    if policies.keeps_everything:
        return RetentionPlan(now_ms, ledger_bytes=used_bytes(ledger))
    found: list[Item] = []
    for name, candidates in _CANDIDATES.items():
        before = policies.before_ms(name, now_ms)
        if before is not None:
            found += candidates(ledger, before, now_ms)
    found = list(_each_once(found))
    versions = count_versions(ledger, policies.before_ms("session_versions", now_ms))
    size = used_bytes(ledger)
    over = size - policies.max_ledger_bytes if policies.max_ledger_bytes is not None else 0
    over -= sum(item.stored for item in found)
    if over > 0:
        taken = {_identity(item): item for item in found}
        for item in evictable(ledger, now_ms):
            if over <= 0:
                break
            rest = _beyond(item, taken.get(_identity(item)))
            if rest is not None:
                found.append(rest)
                over -= rest.stored
    return RetentionPlan(now_ms, tuple(found), versions, size, max(0, over))


def evictable(ledger: Ledger, now_ms: int) -> Iterator[Item]:
    """For the size cap, in its order: trajectories, superseded lines, tool results, removed sessions; nothing live."""
    for item in _each_once(_evictable(ledger, now_ms)):
        yield item._replace(policy="max_ledger_bytes")


def _evictable(ledger: Ledger, now_ms: int) -> Iterator[Item]:
    for name in ("trajectories", "superseded", "tool_results", "removed_sessions"):
        yield from (
            _CANDIDATES[name](ledger, now_ms + 1, now_ms) if name != "tool_results" else _idle_results(ledger, now_ms)
        )


def used_bytes(ledger: Ledger) -> int:
    """The ledger's size without its free pages."""
    return page_bytes(ledger) - free_bytes(ledger)


def count_versions(ledger: Ledger, before_ms: int | None) -> int:
    if before_ms is None:
        return 0
    row = ledger.row(f"SELECT count(*) FROM session_versions WHERE {OLD_VERSIONS}", (before_ms,))
    return int(row[0]) if row else 0


# Each: those older than `before_ms`, the oldest first.


def _trajectories(ledger: Ledger, before_ms: int, now_ms: int) -> list[Item]:
    is_free = _free(ledger, now_ms)
    return [
        Item("trajectories", "trajectory", at, size, stored, transcript_id=number)
        for number, session_id, path, state, at, size, stored in list(ledger.execute(_TRAJECTORIES, (before_ms,)))
        if is_free(session_id, path, state)
    ]


def _superseded(ledger: Ledger, before_ms: int, now_ms: int) -> list[Item]:
    is_free = _free(ledger, now_ms)
    return [
        Item("superseded", "superseded", at, size, stored, transcript_id=number, generation=generation)
        for number, session_id, path, state, at, size, generation, stored in list(
            ledger.execute(_SUPERSEDED, (before_ms,))
        )
        if is_free(session_id, path, state)
    ]


def _tool_results(ledger: Ledger, before_ms: int, now_ms: int) -> list[Item]:
    return [item for item, _ in _results(ledger, before_ms, now_ms)]


def _idle_results(ledger: Ledger, now_ms: int) -> list[Item]:
    """Whatever their age, but none of a session that is active."""
    return [item for item, lifecycle in _results(ledger, now_ms + 1, now_ms) if lifecycle != "active"]


def _results(ledger: Ledger, before_ms: int, now_ms: int) -> Iterator[tuple[Item, str]]:
    is_free = _free(ledger, now_ms)
    rows = list(ledger.execute(_TOOL_RESULTS, (before_ms,)))
    for number, session_id, path, state, at, size, stored, count, lifecycle in rows:
        if is_free(session_id, path, state):
            item = Item("tool_results", "tool_results", at, size, int(stored or 0), count, transcript_id=number)
            yield item, lifecycle


def _removed_sessions(ledger: Ledger, before_ms: int, now_ms: int) -> list[Item]:
    found = [*_sessions(ledger, "removed_sessions", _REMOVED, before_ms, now_ms)]
    is_free = _free(ledger, now_ms)
    for session_id, at in list(ledger.execute(_DELETED, (before_ms,))):
        found += _purge(ledger, "removed_sessions", at, Wanted(frozenset({session_id})), is_free)
    return found


def _cron_runs(ledger: Ledger, before_ms: int, now_ms: int) -> list[Item]:
    return [*_sessions(ledger, "cron_runs", _CRON_RUNS, before_ms, now_ms)]


def _sessions(ledger: Ledger, policy: str, query: str, before_ms: int, now_ms: int) -> Iterator[Item]:
    is_free, pinned = _free(ledger, now_ms), pinned_ids(ledger)
    for session, key, at in list(ledger.execute(query, (before_ms,))):
        ids = frozenset(row[0] for row in ledger.execute(_OWN_IDS, (session,)))
        if ids and ids.isdisjoint(pinned):  # some of them may have no transcript
            yield from _purge(ledger, policy, at, Wanted(ids, frozenset({key})), is_free)


def _purge(ledger: Ledger, policy: str, at: int, wanted: Wanted, is_free: IsFree) -> Iterator[Item]:
    rows = [row for each in wanted.session_ids for row in ledger.execute(_TRANSCRIPTS, (each,))]
    if all(is_free(*row[:3]) for row in rows):
        size, lines, stored = (sum(row[place] for row in rows) for place in (3, 4, 5))
        yield Item(policy, "session", at, size, stored, lines, wanted=wanted)


def _free(ledger: Ledger, now_ms: int) -> IsFree:
    """Not pinned, and no turn of OpenClaw's is under way in it."""
    pinned = pinned_ids(ledger)
    return lambda session_id, path, state: (
        session_id not in pinned and not (state == "live" and is_write_locked(path, now_ms))
    )


def is_still_to_go(ledger: Ledger, item: Item, now_ms: int) -> bool:
    """Asked again right before it goes: live files had their turns since the plan was made."""
    is_free = _free(ledger, now_ms)
    if item.wanted is None:
        row = ledger.row("SELECT session_id, path, state FROM transcripts WHERE id = ?", (item.transcript_id,))
        return row is not None and is_free(*row)
    if not item.wanted.session_ids.isdisjoint(pinned_ids(ledger)):
        return False
    if item.policy != "cron_runs" and any(ledger.row(_IS_LIVE, (key,)) is not None for key in item.wanted.keys):
        return False
    rows = [row[:3] for each in item.wanted.session_ids for row in ledger.execute(_TRANSCRIPTS, (each,))]
    return all(is_free(*row) for row in rows)


_CANDIDATES: dict[str, Callable[[Ledger, int, int], list[Item]]] = {
    "removed_sessions": _removed_sessions,
    "cron_runs": _cron_runs,
    "trajectories": _trajectories,
    "superseded": _superseded,
    "tool_results": _tool_results,
}
"""By policy, in the order in which they are applied: what goes as a whole needs no holes first."""


def _each_once(items: Iterable[Item]) -> Iterator[Item]:
    """A cron run that OpenClaw removed is of two policies, and goes by the first; so are past lines of a trajectory."""
    seen: set[object] = set()
    for item in items:
        if seen.isdisjoint((_identity(item), ("trajectory", item.transcript_id, None))):
            seen.add(_identity(item))
            yield item


def _identity(item: Item) -> object:
    return item.wanted.session_ids if item.wanted is not None else (item.what, item.transcript_id, item.generation)


def _beyond(item: Item, taken: Item | None) -> Item | None:
    """What the cap takes where an age takes some already: of tool results the younger ones, else nothing."""
    if taken is None:
        return item
    entries, size = item.entries - taken.entries, item.bytes - taken.bytes
    if item.what != "tool_results" or entries <= 0:
        return None
    return item._replace(entries=entries, bytes=size, stored=max(0, item.stored - taken.stored))


def mark_of(item: Item) -> str:
    """Knows an item again in a later plan. Short: a daemon is told those of a whole plan."""
    ages = item.policy if item.what == "tool_results" else ""  # the cap takes those of any age
    which = sorted(item.wanted.session_ids) if item.wanted is not None else (item.transcript_id, item.generation)
    return sha256(repr((item.what, ages, which)).encode()).hexdigest()[:16]
