"""Retention: removing what the configuration says, and nothing without it. Plan first, then apply.

What somebody was shown a plan of is removed by that plan: what it did not name stays, whatever the size cap says.
Also finishes purges that were cut short. Every removal leaves a tombstone with what, when and why, never content.
Bytes are dropped in place, sessions are purged; at the end the ledger is written anew, so that no byte is left.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from syncd.jobs.job import Outcome
from syncd.jobs.policies import policies_from, policies_of
from syncd.jobs.purge import Purged, finish, is_finish_due, take_out, take_returned_out
from syncd.jobs.retention_plan import (
    OLD_VERSIONS,
    count_versions,
    evictable,
    is_still_to_go,
    mark_of,
    plan_retention,
    used_bytes,
)
from syncd.ledger.dropping import BEFORE_ALL, Dropped, drop_blocks, drop_past_lines, drop_results
from syncd.ledger.past_seals import seal_past, seal_unsealed_past
from syncd.ledger.raw import TornBlock
from syncd.ledger.removal import deleting
from syncd.ledger.tombstones import Tombstone, bury, unscoured
from syncd.ledger.transaction import writing
from syncd.mirror.errands import Hands
from syncd.sources.openclaw_config import read_openclaw_config
from syncd.sources.session_index import Standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from syncd.jobs.job import Tools
    from syncd.jobs.policies import Policies
    from syncd.jobs.retention_plan import Item, RetentionPlan
    from syncd.ledger.database import Ledger
    from syncd.mirror.errands import Answer, Arguments


@dataclass(slots=True)
class Retained:
    """What was done, by policy."""

    removed: dict[str, Dropped] = field(default_factory=lambda: defaultdict(Dropped))
    sessions: int = 0
    session_versions: int = 0
    over_bytes: int = 0
    """The ledger is still so much larger than its cap."""
    left: int = 0
    """Things that are to go as well, but that the plan did not name. None: all the rest is live, pinned or locked."""
    gone: list[Item] = field(default_factory=list)
    """Sessions. Not for the ledger, in which no name of theirs may stay."""
    finished: int = 0
    """Removals that had been cut short before, of which no trace is left now."""
    returned: int = 0
    """Session ids that were purged before, and had come back with an older ledger."""
    purged: Purged = field(default_factory=Purged)
    is_scoured: bool = True

    @property
    def ok(self) -> bool:
        return self.is_scoured and not self.purged.failed_copies and not self.over_bytes and not self.left

    def document(self) -> dict[str, object]:
        by_policy = {policy: {"entries": went.entries, "bytes": went.bytes} for policy, went in self.removed.items()}
        return {
            "ok": self.ok,
            "removed": by_policy,
            "sessions": self.sessions,
            "session_versions": self.session_versions,
            "over_bytes": self.over_bytes,
            "left": self.left,
            "finished": self.finished,
            "returned": self.returned,
            "copies": [each._asdict() for each in self.purged.copies],
            "failed_copies": [{"path": path, "reason": reason} for path, reason in self.purged.failed_copies],
            "is_scoured": self.is_scoured,
            **({"reason": reason} if (reason := self._reason()) else {}),
        }

    def _reason(self) -> str:
        above = f"the ledger is {self.over_bytes} bytes above max_ledger_bytes" if self.over_bytes else ""
        if self.left:
            more = "more is to go than the plan named: a next run plans anew"
            return f"{above}, and {more}" if above else more
        if above:
            return f"{above}, and all the rest of it is live"
        if self.purged.failed_copies:
            return "a copy of the ledger could not be cleaned"
        return "" if self.is_scoured else "another program reads the ledger: old pages may be left in it"

    def hint(self) -> str:
        """What to do about the reason."""
        if self.over_bytes:
            return "raise `retention.max_ledger_bytes`, or purge sessions that nobody needs any more"
        if self.purged.failed_copies:
            path, why = self.purged.failed_copies[0]
            return f"{path}: {why}; let syncd write there, or remove it; it is tried again"
        return "close what has the ledger open (`syncd status` names it); it is tried again"


class Named(NamedTuple):
    """What a plan that somebody was shown names."""

    made_at: int
    marks: frozenset[str]


def run(tools: Tools) -> Outcome:
    """The scheduled job."""
    hands = Hands(tools.writer, tools.homes, tools.pace)
    done = apply(hands, policies_of(tools.settings.retention))
    tools.forget_in_logs(tools.ledger)
    hint = {} if done.ok else {"hint": done.hint()}
    return Outcome(done.ok, {**done.document(), **hint}, retries=not done.over_bytes)


def retention_errand(hands: Hands, arguments: Arguments) -> Answer:
    """`policies`: those of the command's own configuration; `made_at` and `marks`: of the plan that it showed."""
    named = Named(int(arguments["made_at"]), frozenset(map(str, arguments["marks"])))
    done = apply(hands, policies_from(arguments["policies"]), named)
    return {**done.document(), "purged": [_purged(item) for item in done.gone]}


def _purged(item: Item) -> dict[str, object]:
    assert item.wanted is not None  # a session
    keys, ids = sorted(item.wanted.keys), sorted(item.wanted.session_ids)
    return {"policy": item.policy, "session_ids": ids, "session_keys": keys}


def plan(
    ledger: Ledger, policies: Policies, now_ms: int, state_dirs: Iterable[str], environ: Mapping[str, str]
) -> RetentionPlan:
    """For people: also what OpenClaw itself will remove."""
    said = {each: dict(read_openclaw_config(each, environ).config.retention) for each in state_dirs}
    return replace(plan_retention(ledger, policies, now_ms), openclaw=said, unfinished=len(unscoured(ledger)))


def apply(hands: Hands, policies: Policies, named: Named | None = None) -> Retained:
    """Do what the policies say now, one small step after another. With the default: nothing at all is written.

    `named`: only this, and by the time of its plan; None: nobody was shown a plan.
    """
    done, writer = Retained(), hands.writer
    writer.flush()
    cut_short = len(unscoured(writer.ledger))
    cap, unnamed = policies.max_ledger_bytes, 0
    if not policies.keeps_everything:
        now_ms = named.made_at if named is not None else writer.clock.now_ms()
        with writing(writer.ledger):
            seal_unsealed_past(writer.ledger, writer.clock.now_ms())
        standing = Standing(home.state_dir for home in hands.homes)
        for item in plan_retention(writer.ledger, replace(policies, max_ledger_bytes=None), now_ms).items:
            if _is_named(item, named):
                _remove(hands, item, standing, policies.before_ms("tool_results", now_ms), done)
            else:
                done.left += 1
        _drop_versions(hands, policies.before_ms("session_versions", now_ms), done)
        if cap is not None:
            unnamed = _shrink(hands, cap, standing, now_ms, named, done)
    done.returned = take_returned_out(writer, hands.homes)
    if is_finish_due(writer.ledger):
        finish(writer, hands.pace, done.purged)
        done.is_scoured = done.purged.is_scoured
        done.finished = cut_short if done.purged.ok else 0
    if cap is not None:  # asked only now: pages that were emptied in part are full again
        done.over_bytes = max(0, used_bytes(writer.ledger) - cap)
        done.left += unnamed if done.over_bytes else 0
    return done


def _shrink(hands: Hands, most_bytes: int, standing: Standing, now_ms: int, named: Named | None, done: Retained) -> int:
    """In the cap's order, until the ledger is small enough; how many things could go, had they been named."""
    ledger, unnamed = hands.writer.ledger, 0
    for item in evictable(ledger, now_ms):
        if used_bytes(ledger) <= most_bytes:
            break
        if _is_named(item, named):
            _remove(hands, item, standing, now_ms + 1, done)
        else:
            unnamed += 1
    return unnamed


def _is_named(item: Item, named: Named | None) -> bool:
    return named is None or mark_of(item) in named.marks


def _remove(hands: Hands, item: Item, standing: Standing, before_ms: int | None, done: Retained) -> None:
    """A step of its own: live files get their turn before it."""
    hands.pace.at_border()
    hands.writer.flush()
    if not is_still_to_go(hands.writer.ledger, item, hands.writer.clock.now_ms()):
        return
    if item.wanted is not None:
        if item.policy != "cron_runs" and standing.may_hold(item.wanted.keys | item.wanted.session_ids):
            return  # OpenClaw has it, whatever the ledger knows of that: what goes is kept out for good
        take_out(hands.writer, hands.homes, item.wanted, item.policy, done.purged)
        done.sessions += 1
        done.gone.append(item)
        _add(done, item.policy, Dropped(item.entries, item.bytes))
    elif item.transcript_id is not None:
        _drop(hands, item, item.transcript_id, before_ms, done)


def _drop(hands: Hands, item: Item, transcript_id: int, before_ms: int | None, done: Retained) -> None:
    """In place, with its tombstone in the same transaction.

    What is torn waits until it is mended: what is left of it is in its rows, which stay so long.
    """
    ledger, after = hands.writer.ledger, BEFORE_ALL
    is_more = True
    while is_more:
        went, is_more = Dropped(), False
        with suppress(TornBlock), deleting(ledger) as connection:  # not of what live files meet in their turn
            if item.what == "tool_results":
                went, last = drop_results(ledger, transcript_id, before_ms or item.at + 1, after)
                after, is_more = last or after, last is not None
            elif item.generation is not None:
                went, is_more = drop_past_lines(ledger, transcript_id, item.generation), False
                seal_past(ledger, transcript_id, item.generation, hands.writer.clock.now_ms())
            else:
                went, is_more = Dropped(0, drop_blocks(ledger, transcript_id)), False
            if went.bytes:
                counts = Tombstone(item.what, item.policy, 0, 1, *went, transcript_id=transcript_id)
                bury(connection, hands.writer.clock.now_ms(), counts)
        _add(done, item.policy, went)
        if is_more:
            hands.pace.at_border()
            hands.writer.flush()


def _drop_versions(hands: Hands, before_ms: int | None, done: Retained) -> None:
    ledger = hands.writer.ledger
    done.session_versions = count_versions(ledger, before_ms)
    if done.session_versions:
        with deleting(ledger) as connection:
            connection.execute(f"DELETE FROM session_versions WHERE {OLD_VERSIONS}", (before_ms,))
            counts = Tombstone("session_versions", "session_versions", entries=done.session_versions)
            bury(connection, hands.writer.clock.now_ms(), counts)


def _add(done: Retained, policy: str, went: Dropped) -> None:
    if went == Dropped():
        return
    before = done.removed[policy]
    done.removed[policy] = Dropped(before.entries + went.entries, before.bytes + went.bytes)
