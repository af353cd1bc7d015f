"""`syncd ledger`: where it is, what is in it, a copy of it, that copy put back, and whether it is sound."""

import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from syncd.cli.app import App
from syncd.cli.output import AsItIs, Report, closing, counted, reports
from syncd.cli.readable import size

if TYPE_CHECKING:
    from syncd.ledger.check import Check
    from syncd.ledger.info import LedgerInfo


@click.group(
    epilog=closing(
        "syncd ledger info",
        "syncd ledger backup",
        "syncd ledger check",
        'datasette "$(syncd ledger path)" --metadata "$(syncd ledger metadata)"',
    )
)
def ledger() -> None:
    """Path, figures, backup, restore and check of the ledger."""


@ledger.command(
    epilog=closing(
        "syncd ledger path",
        'sqlite3 -readonly "$(syncd ledger path)" .schema',
    )
)
@reports
def path(app: App) -> Report:
    """Print where the ledger is, or would be."""
    file = app.ledger_path
    origin = app.loaded.origins["ledger.path"]
    return Report({"ok": True, "path": str(file), "exists": os.path.exists(file), "origin": origin}, AsItIs(file))


@ledger.command(
    epilog=closing(
        'datasette "$(syncd ledger path)" --metadata "$(syncd ledger metadata)"',
    )
)
@reports
def metadata(app: App) -> Report:  # noqa: ARG001 - as every verb
    """Print where the file is that explains the ledger to Datasette."""
    import syncd.ledger

    file = Path(syncd.ledger.__path__[0]) / "datasette.yaml"
    return Report({"ok": True, "path": str(file)}, AsItIs(file))


@ledger.command(
    epilog=closing(
        "syncd ledger info",
        "syncd ledger info --json | jq .tables",
    )
)
@reports
def info(app: App) -> Report:
    """Print its size, versions and how much of what it holds."""
    from syncd.ledger.database import open_for_reading
    from syncd.ledger.info import ledger_info

    with open_for_reading(app.ledger_path) as opened:
        found = ledger_info(opened)
    ratios = {"stored_ratio": found.stored_ratio, "ledger_ratio": found.ledger_ratio}
    return Report({"ok": True, **asdict(found), **ratios}, _info_lines(found))


@ledger.command(
    epilog=closing(
        "syncd ledger backup",
        "syncd ledger backup /media/disk/ledger.db",
    )
)
@click.argument("file", type=click.Path(), required=False)
@reports
def backup(app: App, file: str | None) -> Report:
    """Copy the ledger to FILE, also while it is written to.

    Without FILE the copy goes into `backups` beside the ledger. An existing file is never replaced,
    and FILE's directory must be there.
    """
    from syncd.clock import SystemClock
    from syncd.ledger.backup import back_up, usual_place
    from syncd.ledger.backups import date_back
    from syncd.ledger.database import open_for_reading
    from syncd.mirror.export import refuse_inside_openclaw
    from syncd.paths import refuse_without_directory

    now_ms = SystemClock().now_ms()
    if file is not None:
        refuse_without_directory(file)
    target = Path(file).absolute() if file else usual_place(app.ledger_path.absolute(), now_ms)
    with open_for_reading(app.ledger_path) as opened:
        refuse_inside_openclaw(opened, str(target))
        if file is None:
            date_back(app.ledger_path.absolute(), now_ms)
        made = back_up(opened, target)
    document = {"ok": True, "path": str(made.path), "bytes": made.bytes, "schema_version": made.schema_version}
    return Report(document, f"wrote {made.path}: {size(made.bytes)}, checked")


@ledger.command(
    epilog=closing(
        "syncd ledger restore",
        "syncd ledger restore /media/disk/ledger.db",
    )
)
@click.argument("file", type=click.Path(), required=False)
@reports
def restore(app: App, file: str | None) -> Report:
    """Put a backup in the ledger's place: FILE, or the newest sound one in `backups` beside the ledger.

    The copy is checked first, to the last byte; rows in it that are damaged are put right by their checksums, or made
    again from its raw bytes, where those are whole. The ledger that was there is moved aside and kept. What OpenClaw's
    files have and the backup has not is read again by the next `syncd resync`. Not while `syncd run` is at work: that
    puts a damaged ledger right by itself.
    """
    from syncd.cli.catching_up import refuse_ledger_inside
    from syncd.clock import SystemClock
    from syncd.ledger.lock import writer_lock
    from syncd.ledger.restore import restore as put_back
    from syncd.mirror.rows_audit import rows_care

    refuse_ledger_inside(app)
    source, now_ms = Path(file).absolute() if file else None, SystemClock().now_ms()
    with writer_lock(app.ledger_path), rows_care(app.settings.limits.max_line_bytes) as care:
        done = put_back(app.ledger_path, source, now_ms, care)
    document = {"ok": True, "path": str(app.ledger_path), **asdict(done)}
    lines = [f"restored {done.source}: {counted(done.transcripts, 'transcript')}, {size(done.bytes)}"]
    if done.derived:
        lines.append(f"transcripts and rows that were damaged in it, and are right again: {done.derived}")
    if done.in_doubt:
        lines.append(f"rows that were damaged in it, and of which values are lost: {done.in_doubt}")
    if done.moved_aside is not None:
        lines.append(f"what was there before is kept as {done.moved_aside}")
    lines.append("run `syncd resync` to read what OpenClaw has written since")
    return Report(document, lines)


@ledger.command(
    epilog=closing(
        "syncd ledger check",
        "syncd ledger check --quick",
        exits={0: "sound", 1: "not; what is wrong is named"},
    )
)
@click.option("--quick", is_flag=True, help="Leave out the raw bytes, what the rows say of them, and the indexes.")
@reports
def check(app: App, *, quick: bool) -> Report:
    """Look for damage, in the raw bytes and in the rows made from them; exit code 1 if there is any.

    Not a comparison with OpenClaw's files: that is `syncd verify`.
    """
    from syncd.ledger.check import check as look
    from syncd.ledger.database import open_for_reading
    from syncd.mirror.rows_audit import rows_care

    with open_for_reading(app.ledger_path) as opened, rows_care(app.settings.limits.max_line_bytes) as care:
        found = look(opened, is_quick=quick, has_wrong_rows=care.has_wrong_rows)
    document = {
        "ok": found.is_sound,
        "path": str(app.ledger_path),
        "quick": found.is_quick,
        "transcripts": found.transcripts,
        "bytes": found.raw_bytes,
        "findings": [asdict(finding) for finding in found.findings],
        "is_cut": found.is_cut,
    }
    return Report(document, _check_lines(found), 0 if found.is_sound else 1)


def _check_lines(found: "Check") -> Iterator[str]:
    for finding in found.findings:
        place = f"transcript {finding.transcript_id}: " if finding.transcript_id is not None else ""
        yield f"{place}{finding.message}"
    looked_at = f"{counted(found.transcripts, 'transcript')}, {size(found.raw_bytes)}"
    if found.is_sound:
        yield f"sound: {looked_at}{' (raw bytes not read)' if found.is_quick else ''}"
        return
    count = counted(len(found.findings), "fault")
    yield f"{'more than ' if found.is_cut else ''}{count} in {looked_at}"
    yield (
        "`syncd repair` mends what raw bytes, OpenClaw's files or backups still have;"
        " else put back a copy made by `syncd ledger backup`, then run `syncd resync`"
    )


def _info_lines(found: "LedgerInfo") -> Iterator[str]:
    yield f"path          {found.path}"
    yield f"size          {size(found.ledger_bytes)}, {size(found.free_bytes)} of it free"
    yield f"wal           {size(found.wal_bytes)}"
    yield f"schema        {found.schema_version}"
    yield f"sqlite        {found.sqlite_version}, pages of {found.page_size} bytes"
    packed = f", packed to {size(found.stored_bytes)} ({found.stored_ratio:.2f})" if found.stored_ratio else ""
    yield f"raw bytes     {size(found.raw_bytes)}{packed}"
    if found.ledger_ratio:
        yield f"ledger / raw  {found.ledger_ratio:.2f}"
    yield f"quarantined   {counted(found.quarantined, 'line')}"
    yield ""
    yield f"{'transcripts':<26}{'count':>10}{'bytes':>12}"
    for row in found.transcripts:
        yield f"  {f'{row.kind}, {row.state}':<24}{row.transcripts:>10}{size(row.bytes):>12}"
    yield ""
    yield f"{'table':<26}{'rows':>10}"
    for name, count in found.tables.items():
        yield f"  {name:<24}{count:>10}"
