"""Cron runs brought into cron_runs, each once: from logs (`<state>/cron/runs/<jobId>.jsonl`), then from `cron_store`.

OpenClaw appends, and now and then keeps only the last lines by writing the file anew. A log that only grew is read from
the cursor; any other is laid over the lines already known, so that none is doubled and none lost. Never waits.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from syncd.errors import SourceError
from syncd.ledger import cron_runs
from syncd.ledger.cron_runs import LogState
from syncd.ledger.raw import PIECE_BYTES
from syncd.ledger.tombstones import KeptOut
from syncd.ledger.transaction import writing
from syncd.mirror.compare import fingerprint
from syncd.mirror.cron_store import CronMemory, CronOutcome, take_stored_runs, unmatched
from syncd.mirror.settling import RACY_SECONDS, is_racy
from syncd.openclaw.config_file import store_path
from syncd.openclaw.cron_runs import cron_run
from syncd.path_text import printable
from syncd.records import FileProblem, FileStat
from syncd.sources.openclaw_config import home_of, read_openclaw_config
from syncd.sources.opening import NotThereError, RefusedError, open_source, read_pieces, reason_and_hint

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from syncd.clock import Clock
    from syncd.ledger.cron_runs import KnownLog
    from syncd.ledger.database import Ledger
    from syncd.ledger.writer import Writer
    from syncd.openclaw.cron_runs import CronRun

_SUFFIX = ".jsonl"
MAX_READ_BYTES = 64 * 1024 * 1024
_MARK_BYTES = 256


def sync_cron_logs(
    writer: Writer,
    installation_id: int,
    state_dir: str,
    clock: Clock,
    environ: Mapping[str, str],
    memory: CronMemory,
) -> CronOutcome:
    """Look at every log once and take in what is new. Needs the writer lock; flushes the writer before it writes."""
    memory.config = read_openclaw_config(state_dir, environ, memory.config)
    known = cron_runs.known_logs(writer.ledger, installation_id)
    added, problems, retry_after = 0, list[FileProblem](), None
    for directory in _cron_log_dirs(state_dir, memory.config.config.cron_store, home_of(environ)):
        try:
            names = sorted(
                name for name in os.listdir(directory) if name.endswith(_SUFFIX) and not name.startswith(".")
            )
        except (FileNotFoundError, NotADirectoryError):
            continue  # no cron jobs here
        except OSError as error:
            problems.append(FileProblem(directory, *reason_and_hint("listed", error)))
            continue
        for name in names:
            path = os.path.join(directory, name)
            try:
                count, is_proven = _take(writer, installation_id, path, known.get(path), clock, memory)
            except (NotThereError, RefusedError):
                continue
            except SourceError as error:
                problems.append(FileProblem(path, error.reason, error.hint))
                continue
            added += count
            if not is_proven:
                retry_after = RACY_SECONDS
    kept = partial(_kept, writer.ledger)
    stored = take_stored_runs(writer, installation_id, state_dir, clock, memory, kept)
    waits = [wait for wait in (retry_after, stored.retry_after) if wait is not None]
    return replace(
        stored,
        added=added + stored.added,
        problems=(*problems, *stored.problems),
        retry_after=min(waits, default=None),
    )


def _cron_log_dirs(state_dir: str, cron_store: str | None, home: str) -> tuple[str, ...]:
    """Where run logs lie: in `runs` beside the configured store, and in the usual place."""
    usual = os.path.join(state_dir, "cron", "runs")
    if cron_store is None:
        return (usual,)
    beside = os.path.join(os.path.dirname(store_path(cron_store, "", home)), "runs")
    return tuple(dict.fromkeys((usual, beside)))


def _take(
    writer: Writer, installation_id: int, path: str, known: KnownLog | None, clock: Clock, memory: CronMemory
) -> tuple[int, bool]:
    """Lines added, and whether the file needs no second look."""
    with open_source(path) as source:
        before = FileStat.of(os.fstat(source.fileno()))
        if before == (memory.proven.get(path) or (known.stat if known is not None and known.is_proven else None)):
            return 0, True
        start = known.cursor if known is not None and _has_grown(known, before, source) else 0
        raw = b"".join(read_pieces(source, start, start + MAX_READ_BYTES, PIECE_BYTES))
        after = FileStat.of(os.fstat(source.fileno()))
        if len(raw) == MAX_READ_BYTES and b"\n" not in raw:
            raise SourceError(f"has a line of more than {MAX_READ_BYTES} bytes", "it is read up to that line")
        end = start + raw.rfind(b"\n") + 1
        job_id = printable(os.path.basename(path).removesuffix(_SUFFIX))
        lines = [line for line in raw[: end - start].split(b"\n") if line.strip()]
        runs = _kept(writer.ledger, (cron_run(line, job_id) for line in lines))
        mark_bytes = min(_MARK_BYTES, end)
        mark = fingerprint(source, end - mark_bytes, end)
    is_settled = (before.size, before.mtime_ns) == (after.size, after.mtime_ns) and start + len(raw) == before.size
    is_proven = is_settled and not is_racy(before, clock.now_ms())
    new = runs
    if start == 0 and known is not None:
        writer.flush()
        new, is_aligned = _unknown(writer.ledger, known, runs)
        if not is_aligned:
            end, mark_bytes, mark = 0, 0, b""  # what comes next must be compared as well
    state = LogState(end, mark_bytes, mark, before, is_proven)
    if new or known is None or (known.cursor, known.mark_hash) != (state.cursor, state.mark_hash):
        writer.flush()
        # A log that came back: its runs were read from OpenClaw's database meanwhile.
        log_id = known.id if known is not None else None
        new = list(unmatched(partial(cron_runs.runs_at, writer.ledger, installation_id, log_id), new))
        with writing(writer.ledger) as connection:
            cron_runs.write_runs(connection, installation_id, path, state, new)
    if is_proven:
        memory.proven[path] = before
    else:
        memory.proven.pop(path, None)
    return len(new), is_proven


def _kept(ledger: Ledger, runs: Iterable[CronRun]) -> list[CronRun]:
    """Without the runs of purged sessions."""
    purged = KeptOut.now(ledger)
    return [run for run in runs if not (purged and purged.is_named(run.session_id, run.session_key))]


def _has_grown(known: KnownLog, stat: FileStat, source: BinaryIO) -> bool:
    """Is all that was read still there, as far as a cheap look tells?"""
    is_same = (known.stat.dev, known.stat.ino) == (stat.dev, stat.ino) and stat.size >= known.cursor > 0
    return is_same and fingerprint(source, known.cursor - known.mark_bytes, known.cursor) == known.mark_hash


def _unknown(ledger: Ledger, known: KnownLog, lines: Sequence[CronRun]) -> tuple[list[CronRun], bool]:
    """The lines that are new in a log written anew, and whether the log now ends as the ledger does.

    Pruned, it begins with the last lines known; what follows those is new. If it does not (somebody edited it, or it is
    being rewritten), only lines are taken that it holds more often than the ledger does.
    """
    texts = [line.raw_json for line in lines]
    before = cron_runs.last_lines(ledger, known.id, len(texts))
    overlap = overlap_length(before, texts)
    if overlap > 0 or not before:
        return list(lines[overlap:]), True
    counts = cron_runs.counts_of_lines(ledger, known.id, texts)
    new = []
    for line, text in zip(lines, texts, strict=True):
        if counts.get(text, 0) > 0:
            counts[text] -= 1
        else:
            new.append(line)
    return new, len(new) == len(lines)


def overlap_length(before: Sequence[str], after: Sequence[str]) -> int:
    """How many lines `after` begins with that `before` ends with: the most that fit."""
    # Knuth, Morris, Pratt: `after` is laid along `before`, never looking back.
    borders = [0] * len(after)
    length = 0
    for index in range(1, len(after)):
        while length and after[index] != after[length]:
            length = borders[length - 1]
        length += after[index] == after[length]
        borders[index] = length
    length = 0
    for line in before:
        if length == len(after):
            length = borders[length - 1] if length else 0
        while length and line != after[length]:
            length = borders[length - 1]
        length += bool(after) and line == after[length]
    return length
