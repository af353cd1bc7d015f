"""One appended line until another process reads it from the ledger, in a small transcript and in one of 25 MB.

The bytes are those that the daemon read of the transcript per line, as strace tells; the lines for it are apart.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

from tests.bench.corpus import FIRST_DAY_AT, sessions_folder
from tests.bench.daemon import Daemon, following, percentile
from tests.bench.measure import UnmeasuredError
from tests.bench.odd_corpora import message_line
from tests.bench.prose import prose
from tests.bench.table import Goal, Row
from tests.bench.transcript import write_transcript
from tests.bench.trial import Trial, tell

_P50, _P99 = Goal("<=", 3, " ms"), Goal("<=", 25, " ms")
_READ = Goal("<=", 16, " KiB")
_SIZES = {"small": 20_000, "25 MB": 25_000_000}
_LINES = 300
_TRACED_LINES = 50
_PAUSE_SECONDS = 0.02
_POLL_SECONDS = 0.0002
_LONGEST_SECONDS = 5.0
_IS_THERE = """SELECT 1 FROM entries WHERE byte_offset = ? AND superseded_in IS NULL
    AND transcript_id = (SELECT id FROM transcripts WHERE path = ?)"""


def rows(trial: Trial) -> Iterator[Row]:
    for label, size in _SIZES.items():
        tell(f"append to queryable, {label} transcript")
        place = trial.scratch / f"append-{size}"
        folder = sessions_folder(place / "state", "main")
        rng = random.Random(size)
        written = write_transcript(folder, size, FIRST_DAY_AT, rng, prose("salad", rng))
        path = folder / f"{written.session_id}.jsonl"
        with following(trial.plan.command, place / "state", place / "home") as daemon:
            _measured(daemon, path, 20)  # what is made at the first line is no part of the others
            milliseconds, _ = _measured(daemon, path, _LINES)
            with daemon.reads_of(path) as reads:
                _, line_bytes = _measured(daemon, path, _TRACED_LINES)
        for share, goal in ((0.5, _P50), (0.99, _P99)):
            value = percentile(milliseconds, share)
            yield Row(
                row=f"append to queryable, {label} transcript, p{share * 100:.0f}",
                ours=f"{value:.1f} ms",
                goal=goal,
                met=goal.met_by(value),
                note=f"{_LINES} lines, slowest {max(milliseconds):.1f} ms" if share > 0.5 else "",
                figures={"milliseconds": value},
            )
        name = f"bytes read per append, {label} transcript"
        if not reads:
            yield Row(row=name, ours="", goal=_READ, note="needs strace, and the right to trace")
            continue
        beyond = (sum(reads) / _TRACED_LINES - line_bytes) / 1024
        yield Row(
            row=name,
            ours=f"line + {beyond:.1f} KiB",
            goal=_READ,
            met=_READ.met_by(beyond),
            figures={"read_bytes": sum(reads) / _TRACED_LINES, "line_bytes": line_bytes},
        )


def _measured(daemon: Daemon, path: Path, lines: int) -> tuple[list[float], float]:
    """Milliseconds of each line, and the lines' mean length."""
    milliseconds = []
    start = offset = path.stat().st_size
    for _ in range(lines):
        line = message_line(uuid.uuid4().hex[:8], None, time.time_ns() // 1_000_000, "user", "How late is it? " * 20)
        with path.open("ab", buffering=0) as file:
            file.write(line)
        appended = time.perf_counter()
        while next(daemon.ledger.execute(_IS_THERE, (offset, str(path.resolve()))), None) is None:
            if time.perf_counter() - appended > _LONGEST_SECONDS:
                raise UnmeasuredError(f"a line was not in the ledger after {_LONGEST_SECONDS:g} s")
            time.sleep(_POLL_SECONDS)
        milliseconds.append((time.perf_counter() - appended) * 1000)
        offset += len(line)
        time.sleep(_PAUSE_SECONDS)
    return milliseconds, (offset - start) / lines
