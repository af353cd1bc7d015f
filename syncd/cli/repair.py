"""`syncd repair`: what is wrong with the ledger is found, shown, and put right; `--dry-run` only shows it.

Whoever holds the ledger does it: this process, or the running daemon, which also recovers a damaged file by itself.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from syncd.cli.app import App
from syncd.cli.catching_up import catch_up_options, refuse_ledger_inside, state_dirs
from syncd.cli.errands import have_done
from syncd.cli.output import Report, closing, counted, note, reports
from syncd.errors import AlreadyRunning, LedgerCorrupt, LedgerOlder, SyncdError

if TYPE_CHECKING:
    from syncd.mirror.repair_plan import Plan

_LOCK_WAIT_SECONDS = 5.0


@click.command(
    epilog=closing(
        "syncd repair --dry-run",
        "syncd repair",
        "syncd repair --json | jq .ok",
        exits={
            0: "all is right now; with --dry-run: the plan was made, whatever is in it",
            1: "something could not be put right; it is named",
        },
    )
)
@click.option("--dry-run", is_flag=True, help="Only print what would be done; in --json, `plan` and `damage`.")
@reports
def repair(app: App, *, dry_run: bool) -> Report:
    """Find what is wrong with the ledger, and put it right.

    Raw bytes that are damaged, from OpenClaw's files or a backup; rows that are not what those make, or made by older
    rules; values that changed by themselves; sessions that are not what OpenClaw's index says; quarantined lines that
    can be read now; files that no event told of; parents, sessions and tool results that were not linked; the search
    index.

    A ledger of an older syncd is brought forward first. One whose file itself is damaged is moved aside; the newest
    sound backup takes its place, with all that only the damaged one still has, and is caught up with OpenClaw's files.
    `syncd run` does all of this by itself.
    """
    refuse_ledger_inside(app)
    if not dry_run:
        _finish_former(app)
    try:
        plan, damage = _plan(app, is_dry=dry_run), None
    except LedgerCorrupt as error:
        from syncd.ledger.recovery import refuse_not_ours

        refuse_not_ours(app.ledger_path)
        plan, damage = None, error
    document: dict[str, Any] = {"ok": True, "dry_run": dry_run, "plan": _planned(plan),
                                "damage": damage.title if damage is not None else None}  # fmt: skip
    if dry_run:
        return Report(document, _plan_lines(app, plan, damage))
    if not app.json:
        for line in _plan_lines(app, plan, damage):
            note(line)
    recovered = _recover(app, damage) if damage is not None else None
    done, late = _have_done(app)
    document |= {**done, "recovered": recovered or late}
    return Report(document, _lines(done, recovered or late), 0 if done["ok"] else 1)


def _finish_former(app: App) -> None:
    """An earlier repair may have been killed between moving the damaged ledger aside and putting another there."""
    from syncd.ledger.lock import writer_lock
    from syncd.ledger.replacing import finish_replacing, is_cut_short

    if is_cut_short(app.ledger_path):
        with suppress(AlreadyRunning), writer_lock(app.ledger_path):  # who runs, has done it or is at it
            finish_replacing(app.ledger_path)


def _plan(app: App, *, is_dry: bool) -> Plan:
    from syncd.ledger.database import open_for_reading
    from syncd.mirror.repair_plan import plan_repairs

    try:
        with open_for_reading(app.ledger_path) as ledger:
            return plan_repairs(ledger, state_dirs(app), catch_up_options(app, 0.0), is_thorough=True)
    except LedgerOlder:
        if is_dry:
            raise
        _bring_forward(app)  # where that fails for damage, it is this verb that puts it right
        return _plan(app, is_dry=True)


def _bring_forward(app: App) -> None:
    from syncd.ledger.database import open_for_writing
    from syncd.ledger.lock import writer_lock

    with writer_lock(app.ledger_path):
        open_for_writing(app.ledger_path).close()


def _planned(plan: Plan | None) -> list[dict[str, object]]:
    from syncd.mirror.repair_plan import ACTIONS

    found = plan.findings if plan is not None else ()
    return [{"action": item.kind, "count": item.count, "what": ACTIONS[item.kind]} for item in found]


def _plan_lines(app: App, plan: Plan | None, damage: LedgerCorrupt | None) -> list[str]:
    from syncd.ledger.backups import kept_backups

    if damage is not None:
        copies = kept_backups(app.ledger_path)
        copy = f"restored from {copies[0].path}" if copies else "begun anew, since there is no backup"
        in_place = "where only its schema or its search index is wrong, that is put right in place"
        return [
            damage.title,
            f"{in_place}; else it is to be moved aside, {copy}, filled with what only it has, and caught up",
        ]
    items = _planned(plan)
    return [f"{item['count']:>8}  {item['what']}" for item in items] or ["nothing to be put right"]


def _recover(app: App, damage: LedgerCorrupt) -> dict[str, Any] | None:
    """None: the running daemon does it, as soon as it comes upon it."""
    from syncd.clock import SystemClock
    from syncd.ledger.lock import writer_lock
    from syncd.mirror.recovery import recover

    try:
        with writer_lock(app.ledger_path):
            return recover(app.ledger_path, damage, SystemClock()).summary()
    except AlreadyRunning:
        return None


def _have_done(app: App) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The act, once more where the ledger proved damaged under way: by then it was put right."""
    chosen = catch_up_options(app, _LOCK_WAIT_SECONDS)
    arguments = {
        "agents": list(chosen.agents), "settle_seconds": chosen.settle_seconds,
        "max_line_bytes": chosen.max_line_bytes, "lock_wait_seconds": chosen.lock_wait_seconds,
    }  # fmt: skip
    try:
        return have_done(app, "repair", arguments), None
    except LedgerCorrupt as damage:
        recovered = _recover(app, damage)
    except SyncdError as error:
        if error.type != LedgerCorrupt.type:  # in the daemon's words
            raise
        recovered = None
    return have_done(app, "repair", arguments), recovered


def _lines(done: dict[str, Any], recovered: dict[str, Any] | None) -> list[str]:
    lines = []
    if recovered is not None and recovered["search_mended"]:
        lines.append("the search index was damaged, and is made anew")
    elif recovered is not None and recovered["schema_mended"]:
        lines.append("bytes of the ledger's schema had changed, and are as they were written")
    elif recovered is not None:
        origin = recovered["restored_from"]
        source = f"restored from {origin}" if origin else "begun anew"
        lines.append(f"the damaged ledger was moved to {recovered['moved_aside']}, and {source}")
        saved, parts = counted(recovered["transcripts"], "transcript"), counted(recovered["fragments"], "fragment")
        lines.append(f"{saved} and {parts} were saved out of it")
    if done["mended"]:
        lines.append(f"{counted(done['mended'], 'transcript')} had lost raw bytes, now found again")
    if done["rows_mended"]:
        lines.append(f"{counted(done['rows_mended'], 'row')} had changed by themselves, and are as they were written")
    if done["derived"]:
        lines.append(f"{counted(done['derived'], 'transcript')} derived anew")
    if done["lines"]:
        lines.append(f"{counted(done['lines'], 'line')} read that had been missed")
    if not done["ok"]:
        lines += [str(done.get("reason", "")), str(done.get("hint", ""))]
    return lines or ["nothing was wrong" if not done["found"] else "done"]
