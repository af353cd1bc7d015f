"""`syncd ledger`: where it is, what is in it, a copy of it, and whether it is sound."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from syncd.cli.app import App
from syncd.cli.output import Report, counted, printable, reports

if TYPE_CHECKING:
    from syncd.ledger.check import Check
    from syncd.ledger.info import LedgerInfo


@click.group()
def ledger() -> None:
    """Path, figures, backup and check of the ledger."""


@ledger.command()
@reports
def path(app: App) -> Report:
    """Print where the ledger is, or would be."""
    file = app.ledger_path
    origin = app.loaded.origins["ledger.path"]
    return Report({"ok": True, "path": str(file), "exists": file.exists(), "origin": origin}, str(file))


@ledger.command()
@reports
def metadata(app: App) -> Report:  # noqa: ARG001 - as every verb
    """Print where the file is that explains the ledger to Datasette.

    datasette "$(syncd ledger path)" --metadata "$(syncd ledger metadata)"
    """
    import syncd.ledger

    file = Path(syncd.ledger.__path__[0]) / "datasette.yaml"
    return Report({"ok": True, "path": str(file)}, str(file))


@ledger.command()
@reports
def info(app: App) -> Report:
    """Print its size, versions and how much of what it holds."""
    from syncd.ledger.database import open_for_reading
    from syncd.ledger.info import ledger_info

    with open_for_reading(app.ledger_path) as opened:
        found = ledger_info(opened)
    ratios = {"stored_ratio": found.stored_ratio, "ledger_ratio": found.ledger_ratio}
    return Report({"ok": True, **asdict(found), **ratios}, _info_lines(found))


@ledger.command()
@click.argument("file", required=False)
@reports
def backup(app: App, file: str | None) -> Report:
    """Copy the ledger to FILE, also while it is written to.

    Without FILE the copy goes into `backups` beside the ledger. An existing file is never replaced.
    """
    from syncd.clock import SystemClock
    from syncd.ledger.backup import back_up, usual_place
    from syncd.ledger.database import open_for_reading
    from syncd.mirror.export import refuse_inside_openclaw

    target = Path(file).absolute() if file else usual_place(app.ledger_path.absolute(), SystemClock().now_ms())
    with open_for_reading(app.ledger_path) as opened:
        refuse_inside_openclaw(opened, str(target))
        made = back_up(opened, target)
    document = {"ok": True, "path": str(made.path), "bytes": made.bytes, "schema_version": made.schema_version}
    return Report(document, f"wrote {printable(str(made.path))}: {_size(made.bytes)}, checked")


@ledger.command()
@click.option("--quick", is_flag=True, help="Leave out the raw bytes and the indexes.")
@reports
def check(app: App, *, quick: bool) -> Report:
    """Look for damage, in the raw bytes and in the rows made from them; exit code 1 if there is any.

    Not a comparison with OpenClaw's files: that is `syncd verify`.
    """
    from syncd.ledger.check import check as look
    from syncd.ledger.database import open_for_reading

    with open_for_reading(app.ledger_path) as opened:
        found = look(opened, is_quick=quick)
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
        yield printable(f"{place}{finding.message}")
    looked_at = f"{counted(found.transcripts, 'transcript')}, {_size(found.raw_bytes)}"
    if found.is_sound:
        yield f"sound: {looked_at}{' (raw bytes not read)' if found.is_quick else ''}"
        return
    count = counted(len(found.findings), "fault")
    yield f"{'more than ' if found.is_cut else ''}{count} in {looked_at}"
    yield (
        "`syncd resync --rebuild` mends what OpenClaw's files still have;"
        " else put back a copy made by `syncd ledger backup`, then run `syncd resync`"
    )


def _info_lines(found: "LedgerInfo") -> Iterator[str]:
    yield f"path          {printable(str(found.path))}"
    yield f"size          {_size(found.ledger_bytes)}, {_size(found.free_bytes)} of it free"
    yield f"wal           {_size(found.wal_bytes)}"
    yield f"schema        {found.schema_version}"
    yield f"sqlite        {found.sqlite_version}, pages of {found.page_size} bytes"
    packed = f", packed to {_size(found.stored_bytes)} ({found.stored_ratio:.2f})" if found.stored_ratio else ""
    yield f"raw bytes     {_size(found.raw_bytes)}{packed}"
    if found.ledger_ratio:
        yield f"ledger / raw  {found.ledger_ratio:.2f}"
    yield f"quarantined   {found.quarantined} lines"
    yield ""
    yield f"{'transcripts':<26}{'count':>10}{'bytes':>12}"
    for row in found.transcripts:
        yield f"  {f'{row.kind}, {row.state}':<24}{row.transcripts:>10}{_size(row.bytes):>12}"
    yield ""
    yield f"{'table':<26}{'rows':>10}"
    for name, count in found.tables.items():
        yield f"  {name:<24}{count:>10}"


def _size(count: int) -> str:
    """Bytes for people, in powers of 1000 as file managers and disks have them."""
    if count < 1000:
        return f"{count} B"
    value = float(count)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 1000:
            return f"{value:.1f} {unit}"
    return f"{value / 1000:.1f} TB"
