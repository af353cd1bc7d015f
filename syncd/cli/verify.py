"""`syncd verify`: the files against the ledger, byte for byte."""

from __future__ import annotations

import click

from syncd.cli import options
from syncd.cli.app import App
from syncd.cli.catching_up import catch_up_options, refused_document, refused_text, state_dirs_to_mirror
from syncd.cli.output import NAMED_AT_MOST, Report, closing, counted, reports
from syncd.cli.progress import progress_bar
from syncd.clock import SystemClock
from syncd.ledger.database import open_for_reading
from syncd.mirror.difference import Difference
from syncd.mirror.locate import session_ids_meant
from syncd.mirror.resync import Wish, options_for, refuse_unknown, refuse_unknown_agent
from syncd.mirror.verify import Verification
from syncd.mirror.verify import verify as compare


@click.command(
    epilog=closing(
        "syncd verify",
        "syncd verify --agent main",
        "syncd verify --session 0a000002",
        "syncd verify --json | jq -r '.differences[].path'",
        exits={0: "equal", 1: "not; file, generation and first differing offset are named"},
    )
)
@options.only_agent()
@options.only_session()
@options.lock_wait()
@reports
def verify(app: App, *, agent: str | None, session: str | None, lock_wait: float) -> Report:
    """Re-read every source and compare it byte for byte with the ledger.

    Bytes are compared with bytes: OpenClaw's files with the raw bytes in the ledger, and of what no file has any more,
    that these are whole. The rows made from them are `syncd ledger check`'s business.

    What the files have and the ledger has not, `syncd resync` takes in; damage of the ledger itself, `syncd resync
    --rebuild` mends.
    """
    found = state_dirs_to_mirror(app)
    with open_for_reading(app.ledger_path) as ledger, progress_bar(app, "comparing") as bar:
        refuse_unknown_agent(ledger, found, agent)
        wanted = session_ids_meant(ledger, found, session) if session else None
        chosen = options_for(
            Wish(agent, session, lock_wait_seconds=lock_wait), wanted, catch_up_options(app, lock_wait)
        )
        result = compare(ledger, SystemClock(), found, chosen, bar)
        if result.ok:
            refuse_unknown(ledger, wanted, session)
    return Report(_document(result), _text(result), 0 if result.ok else 1)


def _document(result: Verification) -> dict[str, object]:
    return {
        "ok": result.ok,
        "transcripts": result.transcripts,
        "bytes": result.bytes,
        "differences": result.differences,
        "in_progress": [{"path": item.path, "reason": item.reason} for item in result.in_progress],
        "stale": [{"path": item.path, "reason": item.reason} for item in result.stale],
        **refused_document(result.refused),
        "kept_out": result.kept_out,
        "seconds": round(result.seconds, 6),
    }


def _difference(item: Difference) -> str:
    """Of what could not be compared at all (generation 0) there is no place to be told."""
    where = f"generation {item.generation}, offset {item.offset}: " if item.generation else ""
    return f"{item.path}: {where}{item.reason}"


def _text(result: Verification) -> list[str]:
    lines = [_difference(item) for item in result.differences[:NAMED_AT_MOST]]
    if len(result.differences) > NAMED_AT_MOST:
        lines.append(f"and {len(result.differences) - NAMED_AT_MOST} more (all of them with --json)")
    lines += [f"{item.path}: still being written" for item in result.in_progress[:NAMED_AT_MOST]]
    lines += [f"{item.path}: {item.reason}" for item in result.stale[:NAMED_AT_MOST]]
    if len(result.stale) > NAMED_AT_MOST:
        lines.append(f"and {len(result.stale) - NAMED_AT_MOST} more that are no longer written")
    lines += refused_text(result.refused)
    if result.kept_out:
        lines.append(f"{counted(result.kept_out, 'file')} of purged sessions passed over")
    if result.has_damage:
        lines.append("`syncd resync --rebuild` mends the ledger, as far as OpenClaw's files still have the bytes")
    verdict = "equal" if result.ok else counted(len(result.differences), "difference")
    what = f"{counted(result.transcripts, 'transcript')}, {counted(result.bytes, 'byte')}"
    return [*lines, f"{what} compared in {result.seconds:.2f} s: {verdict}"]
