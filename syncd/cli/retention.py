"""`syncd retention`: the scheduled job by hand; what it would remove, and what OpenClaw itself removes, first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from syncd.cli.app import App
from syncd.cli.output import NAMED_AT_MOST, Report, closing, counted, note, reports
from syncd.cli.readable import size

if TYPE_CHECKING:
    from syncd.jobs.policies import Policies
    from syncd.jobs.retention_plan import Item, RetentionPlan
    from syncd.settings.schema import RetentionSettings

_MOST_NAMED = 100_000
"""So many a daemon can be told at once; the rest goes with the next run."""
_NOUNS = {
    "removed_sessions": "session",
    "cron_runs": "session",
    "superseded": "rewrite",
    "tool_results": "transcript",
    "trajectories": "trajectory file",
    "max_ledger_bytes": "thing",
}


@click.command(
    epilog=closing(
        "syncd retention --dry-run",
        "syncd retention",
        exits={0: "what is old enough is gone", 1: "not all of it; why is said"},
    )
)
@click.option("--dry-run", is_flag=True, help="Only show what would be removed.")
@reports
def retention(app: App, *, dry_run: bool) -> Report:
    """Remove what `retention` in config.yaml says is old enough, and nothing else: by default nothing at all.

    Pinned sessions and what OpenClaw is writing to at this moment are left alone. Sessions that go are purged (`syncd
    purge --help`); of tool results, old generations and trajectories, length and sha256 stay. Every removal leaves a
    tombstone in the table of that name. OpenClaw's own settings for removing sessions are shown beside ours.
    """
    from syncd.cli.catching_up import state_dirs
    from syncd.cli.errands import have_done
    from syncd.cli.health_traces import forget_in_health_log
    from syncd.clock import SystemClock
    from syncd.jobs.policies import plain, policies_of
    from syncd.jobs.retention import plan
    from syncd.jobs.retention_plan import mark_of
    from syncd.ledger.database import open_for_reading
    from syncd.ledger.snapshot import snapshot

    policies = policies_of(app.settings.retention)
    with open_for_reading(app.ledger_path) as ledger, snapshot(ledger):
        found = plan(ledger, policies, SystemClock().now_ms(), state_dirs(app), app.environ)
    document: dict[str, Any] = {"ok": True, "dry_run": dry_run, "plan": _document(found, app.settings.retention)}
    lines = _planned(found, app.settings.retention)
    if dry_run:
        return Report(document, lines)
    if not app.json:
        for line in lines:
            note(line)
    marks = [mark_of(item) for item in found.items[:_MOST_NAMED]]
    done = have_done(app, "retention", {"policies": plain(policies), "made_at": found.made_at, "marks": marks})
    with open_for_reading(app.ledger_path) as ledger:
        forget_in_health_log(app.health_log_path, ledger)
    return Report({**document, **done}, _told(done, policies), 0 if done["ok"] else 1)


def _document(found: RetentionPlan, settings: RetentionSettings) -> dict[str, object]:
    return {
        "policies": _written(settings),
        "openclaw": found.openclaw,
        "ledger_bytes": found.ledger_bytes,
        "over_bytes": found.over_bytes,
        "session_versions": found.session_versions,
        "unfinished": found.unfinished,
        "items": [_item(item) for item in found.items],
    }


def _item(item: Item) -> dict[str, object]:
    about: dict[str, object] = {
        "policy": item.policy, "what": item.what, "at": item.at, "bytes": item.bytes, "entries": item.entries,
        "transcript_id": item.transcript_id, "generation": item.generation,
    }  # fmt: skip
    if item.wanted is not None:
        about |= {"session_ids": sorted(item.wanted.session_ids), "session_keys": sorted(item.wanted.keys)}
    return about


def _written(settings: RetentionSettings) -> dict[str, str]:
    ages = ("removed_sessions", "cron_runs", "superseded", "tool_results", "trajectories", "session_versions")
    words = {name: getattr(settings, name) for name in ages}
    told = {name: "keep" if each is None else f"after {each.text}" for name, each in words.items()}
    cap = settings.max_ledger_bytes
    return {**told, "max_ledger_bytes": "none" if cap is None else str(cap)}


def _planned(found: RetentionPlan, settings: RetentionSettings) -> list[str]:
    written = _written(settings)
    kept = all(word in ("keep", "none") for word in written.values())
    lines = ["the ledger keeps everything" if kept else "the ledger:"]
    lines += [] if kept else [f"  {name}: {word}" for name, word in written.items()]
    for state_dir, said in found.openclaw.items():
        if said:
            lines += [f"OpenClaw in {state_dir}:", *(f"  {name}: {word}" for name, word in said.items())]
        else:
            lines.append(f"OpenClaw in {state_dir}: its own defaults (recent releases delete after 30 days)")
    if found.unfinished:
        lines.append(f"{counted(found.unfinished, 'removal')} cut short: to be finished in the ledger and its copies")
    if kept:
        return lines
    for policy in written:
        items = found.of(policy)
        if items:
            what = counted(len(items), _NOUNS.get(policy, "thing"))
            until = ", until the ledger is small enough" if policy == "max_ledger_bytes" else ""
            at_most = "at most " if any(item.what == "tool_results" for item in items) else ""
            lines.append(f"to go by {policy}{until}: {what}, {at_most}{size(sum(item.bytes for item in items))}")
            lines += [f"  {_shown(item)}" for item in items[:NAMED_AT_MOST]]
            if len(items) > NAMED_AT_MOST:
                lines.append(f"  and {len(items) - NAMED_AT_MOST} more (all of them with --json)")
    if found.session_versions:
        lines.append(f"to go by session_versions: {counted(found.session_versions, 'version')} of index entries")
    if not found.items and not found.session_versions:
        lines.append("nothing is old enough to go")
    return lines


def _shown(item: Item) -> str:
    if item.wanted is not None:
        return ", ".join(sorted(item.wanted.keys) or sorted(item.wanted.session_ids))
    of_generation = f" up to generation {item.generation}" if item.generation is not None else ""
    at_most = "at most " if item.what == "tool_results" else ""
    return f"{item.what} of transcript {item.transcript_id}{of_generation}, {at_most}{size(item.bytes)}"


def _told(done: dict[str, Any], policies: Policies) -> list[str]:
    lines = [f"{policy}: {size(went['bytes'])} removed" for policy, went in done["removed"].items()]
    purged = [", ".join(each["session_keys"] or each["session_ids"]) for each in done["purged"]]
    lines += [f"  purged: {name}" for name in purged[:NAMED_AT_MOST]]
    if len(purged) > NAMED_AT_MOST:
        lines.append(f"  and {len(purged) - NAMED_AT_MOST} sessions more (all of them with --json)")
    if done["session_versions"]:
        lines.append(f"session_versions: {counted(done['session_versions'], 'version')} removed")
    if done["finished"]:
        lines.append(f"{counted(done['finished'], 'removal')} that had been cut short finished: no trace is left")
    if done["returned"]:
        lines.append(f"{counted(done['returned'], 'session')} purged before had come back, and went again")
    if "reason" in done:
        lines.append(done["reason"])
    if not lines:
        lines.append("nothing was removed" if not policies.keeps_everything else "nothing to do: everything is kept")
    return lines
