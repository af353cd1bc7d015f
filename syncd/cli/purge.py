"""`syncd purge`: a session out of the ledger for good, and kept out. The plan is shown first; then it asks."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from syncd.cli.app import App
from syncd.cli.completing import session_names
from syncd.cli.output import Report, closing, counted, named, note, reports
from syncd.cli.plain_text import one_line
from syncd.errors import UserError

if TYPE_CHECKING:
    from syncd.jobs.purge import Going, PurgePlan, Relative

_TITLE_CHARACTERS = 60


@click.command(
    epilog=closing(
        "syncd purge agent:main:main",
        "syncd purge 0a000002 --with-forks --yes",
        exits={0: "no trace is left", 1: "a trace may be left: where, and what to do about it, is named"},
    )
)
@click.argument("session", shell_complete=session_names)
@click.option("--with-forks", is_flag=True, help="What was forked, continued or copied from it goes too.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@reports
def purge(app: App, *, session: str, with_forks: bool, yes: bool) -> Report:
    """Remove a session for good: rows, raw bytes, search, backups and copies; and keep it out.

    SESSION is a session key (then all session ids it ever had go) or its end, a session id, the unique start of either,
    a path or a file name; not words of a title, which may be those of another one. What went is named.

    OpenClaw's own files are not touched: as long as they are there they are passed over, wherever they are moved, also
    when OpenClaw goes on writing to them. What remains is a tombstone with keyed hashes, a date and counts. A new
    session id under the same key is another session, and is mirrored. Live files wait while the ledger is written anew.
    """
    from syncd.cli.errands import have_done
    from syncd.cli.health_traces import forget_in_health_log
    from syncd.jobs.purge import plan_purge
    from syncd.ledger.database import open_for_reading
    from syncd.ledger.snapshot import snapshot

    with open_for_reading(app.ledger_path) as ledger, snapshot(ledger):
        plan = plan_purge(ledger, session, with_forks=with_forks)
    if not yes:
        _ask(app, plan)
    wanted = plan.wanted
    names = sorted({*wanted.session_ids, *wanted.keys}) if not plan.is_again else [session]
    arguments = {"session_ids": sorted(wanted.session_ids), "keys": sorted(wanted.keys), "with_forks": with_forks}
    done = have_done(app, "purge", arguments)
    with open_for_reading(app.ledger_path) as ledger:
        done["log_lines"] = forget_in_health_log(app.health_log_path, ledger, names)
    kept = [item for item in plan.relatives if not with_forks or not item.is_descendant]
    document = {
        **done,
        "session_ids": sorted(wanted.session_ids),
        "removed": [item._asdict() for item in plan.going],
        "kept_relatives": [item._asdict() for item in kept],
    }
    return Report(document, [*_told(done, plan), *_relatives(kept)], 0 if done["ok"] else 1)


def _ask(app: App, plan: PurgePlan) -> None:
    """On a terminal only: a program must say --yes."""
    if app.json or sys.stdin is None or not sys.stdin.isatty() or not app.draws:
        raise UserError("a purge cannot be undone", "say --yes where nobody can be asked")
    for line in [*_planned(plan), *_relatives(list(plan.relatives))]:
        note(line)
    click.confirm("Remove it for good?", abort=True, err=True)


def _planned(plan: PurgePlan) -> list[str]:
    if plan.is_again:
        return [f"it was purged before; traces are looked for in {counted(len(plan.copies), 'copy')} of the ledger"]
    counts = plan.counts
    what = f"{counted(counts.transcripts, 'transcript')}, {counted(counts.entries, 'line')}"
    lines = [f"to be removed for good: {what}, {counted(counts.bytes, 'byte')}, of:"]
    lines += named(map(_known_as, plan.going))
    if plan.copies:
        lines += ["and from these copies of the ledger (those that cannot be read any more are deleted):"]
        lines += named(plan.copies)
    if plan.files:
        lines += [
            "OpenClaw's own files stay where they are, and are passed over from now on:",
            *named(plan.files),
        ]
    return lines


def _known_as(item: Going) -> str:
    title = f"  {one_line(item.title, _TITLE_CHARACTERS)}" if item.title else ""
    return f"{item.session_key or 'no key'}  {item.session_id or 'no id'}{title}"


def _relatives(relatives: list[Relative]) -> list[str]:
    forks = [item for item in relatives if item.is_descendant]
    others = [item for item in relatives if not item.is_descendant]
    lines: list[str] = []
    if forks:
        lines += [
            "kept, though they may repeat lines of it (--with-forks takes them too):",
            *named(map(_shown, forks)),
        ]
    if others:
        lines += ["kept, of the same family:", *named(map(_shown, others))]
    return lines


def _shown(item: Relative) -> str:
    return f"{item.session_key or item.session_id}  {item.kind}  {item.path}"


def _told(done: dict[str, Any], plan: PurgePlan) -> list[str]:
    lines = []
    if plan.is_again:
        has_trace = done["copies"] or done["failed_copies"] or done["log_lines"] or not done["is_scoured"]
        lines.append(f"it was purged before{'' if has_trace else '; no trace of it was found'}")
    else:
        what = f"{counted(done['transcripts'], 'transcript')}, {counted(done['bytes'], 'byte')} removed for good, of:"
        lines += [what, *named(map(_known_as, plan.going))]
    rewritten = [item for item in done["copies"] if not item["is_deleted"]]
    if rewritten:
        lines.append(f"written anew without it: {', '.join(item['path'] for item in rewritten)}")
    lines += [
        f"deleted, since it could not be read any more: {item['path']}" for item in done["copies"] if item["is_deleted"]
    ]
    lines += [f"NOT cleaned: {item['path']}: {item['reason']}" for item in done["failed_copies"]]
    if done["log_lines"]:
        lines.append(f"removed from the health log: {counted(done['log_lines'], 'line')}")
    if not done["is_scoured"]:
        lines.append(
            "another program still reads the ledger, old pages may be left: close it and run `syncd retention`"
        )
    return lines
