"""The repair job: a plan made beside the loop, then applied on it. The same by hand, then thorough.

A ledger whose file is damaged is no business of a plan: that is raised, and whoever called recovers it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.errors import LedgerError, SyncdError
from syncd.jobs.beside import read_beside
from syncd.jobs.job import Outcome, Tools
from syncd.jobs.runs import REASON, begin_run, end_run
from syncd.mirror.catchup import CatchUpOptions
from syncd.mirror.index_look import IndexOptions
from syncd.mirror.repair import apply_repairs
from syncd.mirror.repair_plan import plan_repairs
from syncd.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from syncd.ledger.database import Ledger
    from syncd.mirror.errands import Answer, Arguments, Hands
    from syncd.mirror.repair_plan import Plan

_NAMED = 20
_INDEX_SHARE = 500
"""The look at the indexes has at most one part in so many of the time: every run, if it takes a second."""
# A summary that rotted is for this very job to find: it may not end over it.
_INDEX_LOOK = """SELECT started_at, iif(json_valid(summary_json), summary_json ->> '$.index_seconds', NULL) AS seconds
    FROM job_runs WHERE job = 'repair' AND seconds IS NOT NULL ORDER BY id DESC LIMIT 1"""


def run(tools: Tools) -> Outcome:
    return _repaired(tools, is_thorough=False)


def repair_errand(hands: Hands, arguments: Arguments) -> Answer:
    """For the verb. `arguments`: agents, settle_seconds, max_line_bytes and lock_wait_seconds of a catch-up."""
    writer, agents = hands.writer, tuple(arguments["agents"])
    options = CatchUpOptions(
        agents=agents,
        settle_seconds=float(arguments["settle_seconds"]),
        max_line_bytes=int(arguments["max_line_bytes"]),
        lock_wait_seconds=float(arguments["lock_wait_seconds"]),
        index=IndexOptions(os.environ, agents),
    )
    tools = Tools(writer.ledger, writer, writer.clock, Settings(), hands.homes, hands.pace, options)
    begun = begin_run(writer.ledger, "repair", writer.clock.now_ms())
    try:
        outcome = _repaired(tools, is_thorough=True)
    except LedgerError:
        raise  # it may not be asked now: whoever takes it up again ends the run
    except SyncdError as error:  # at a border, as where nobody waits for it any more: nothing is half done
        writer.flush()
        end_run(writer.ledger, begun._replace(summary={REASON: error.title}), writer.clock.now_ms(), ok=None)
        raise
    end_run(writer.ledger, begun._replace(summary=outcome.summary), writer.clock.now_ms(), ok=outcome.ok)
    return {"ok": outcome.ok, **outcome.summary}


def _repaired(tools: Tools, *, is_thorough: bool) -> Outcome:
    tools.writer.flush()
    state_dirs = [home.state_dir for home in tools.homes]

    def plan_beside(ledger: Ledger, is_given_up: Callable[[], bool]) -> Plan:
        return plan_repairs(
            ledger, state_dirs, tools.options, is_thorough=is_thorough, is_given_up=is_given_up,
            reads_indexes=is_thorough or _is_index_look_due(ledger, tools.clock.now_ms()),
        )  # fmt: skip

    plan = read_beside(tools.ledger.path, tools.pace, plan_beside)
    done = apply_repairs(tools.writer, tools.homes, plan, tools.options, tools.pace)
    found = {finding.kind: finding.count for finding in plan.findings}
    if plan.is_cut:
        rows, plan = done.rows, read_beside(tools.ledger.path, tools.pace, plan_beside)
        done = apply_repairs(tools.writer, tools.homes, plan, tools.options, tools.pace)
        done.rows.right, done.rows.doubtful = rows.right + done.rows.right, rows.doubtful + done.rows.doubtful
        found = {finding.kind: finding.count for finding in plan.findings} | found
    read = done.caught_up
    summary: dict[str, object] = {
        "found": found,
        "derived": done.derived, "mended": done.mended, "lost": len(done.lost),
        "transcripts": read.transcripts, "lines": read.lines, "bytes": read.bytes, "sessions": read.sessions,
        "problems": len(read.problems), "audited_to": plan.audited_to,
        "index_seconds": plan.index_seconds, "checksums_to": plan.checksums_to,
        "rows_mended": done.rows.right, "rows_in_doubt": len(done.rows.doubtful),
    }  # fmt: skip
    if done.lost:
        named = ", ".join(map(str, done.lost[:_NAMED]))
        summary["reason"] = f"raw bytes are lost that neither a file nor a backup has: transcript {named}"
        summary["hint"] = "`syncd ledger check` says which bytes; an older copy may have them (`syncd ledger restore`)"
    elif done.rows.doubtful:
        named = ", ".join(row.name for row in done.rows.doubtful[:_NAMED])
        summary["reason"] = (
            f"values are lost that no backup has as they were, and nothing proves what is there: {named}"
        )
        summary["hint"] = (
            "told once: the rows count as sound from now on; `sync_events` keeps what was done (kind repair)"
        )
    return Outcome(not done.lost and not done.rows.doubtful, summary, retries=False)


def _is_index_look_due(ledger: Ledger, now_ms: int) -> bool:
    row = ledger.row(_INDEX_LOOK)
    return row is None or not 0 <= now_ms - row[0] < 1000 * _INDEX_SHARE * float(row[1])
