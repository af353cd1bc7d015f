"""A line of the health log as a file for Prometheus' textfile collector: the same figures, replaced whole.

Written beside itself and renamed, so that no reader sees half of it. A new file is 0600; one that is there keeps its
mode, so who lets the collector read it does so once.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from syncd.daemon.codes import CODES
from syncd.errors import SyncdError
from syncd.paths import make_private_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

# Name, kind, what it is; from a field of the line of the same name without `_total`.
_PLAIN = (
    ("transcripts", "gauge", "Transcripts in the ledger."),
    ("sessions", "gauge", "Live sessions in the ledger."),
    ("entries", "gauge", "Entries in the ledger."),
    ("quarantined", "gauge", "Lines that were not understood."),
    ("rewrites", "gauge", "Times that bytes already taken in turned out changed."),
    ("ledger_bytes", "gauge", "Size of the ledger."),
    ("wal_bytes", "gauge", "Size of the ledger's log."),
    ("disk_free_bytes", "gauge", "Space left on the ledger's disk."),
    ("waiting", "gauge", "Files whose look was put off."),
    ("taken_bytes_total", "counter", "Bytes taken in since the daemon follows."),
    ("taken_lines_total", "counter", "Lines taken in since the daemon follows."),
    ("missed_events_total", "counter", "Changes that no event told of."),
    ("overflows_total", "counter", "Bursts of events too large to note file by file."),
    ("rescans_total", "counter", "Times that every file was looked at."),
)
_BY_AGENT = (
    ("behind_bytes", "behind_bytes", 1, "Bytes that OpenClaw has written and the ledger has not."),
    ("behind_seconds", "behind_seconds", 1, "Age of the oldest byte that waits."),
    ("last_write_timestamp_seconds", "last_write_at", 1000, "When OpenClaw last wrote a transcript."),
    ("last_taken_timestamp_seconds", "last_taken_at", 1000, "When the ledger last took something in."),
)
_JOBS = (
    ("job_last_ok", "ok", 1, "Whether the job's last run did what it should."),
    ("job_last_started_timestamp_seconds", "started_at", 1000, "When the job's last run began."),
)
Sample = tuple[str, float]
"""Labels as they are written, and the value."""


def write_figures(path: Path, line: dict[str, Any]) -> str | None:
    """Replace the file by what this line of the health log says. Returns why it could not, or None."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}.tmp")  # the collector reads *.prom only
    try:
        make_private_dir(path.parent)
        with open(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "wb") as file:
            file.write("".join(_text(line)).encode("utf-8", "backslashreplace"))
        with suppress(FileNotFoundError):
            scratch.chmod(stat.S_IMODE(os.stat(path).st_mode))
        scratch.replace(path)
    except OSError as error:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)
        return f"cannot write {path}: {error.strerror or error}"
    except SyncdError as error:
        return error.title
    return None


def _text(line: dict[str, Any]) -> Iterator[str]:
    is_up = line["code"] != "stopped"
    yield from _metric("up", "gauge", "Whether the daemon runs, as it last said itself.", [("", float(is_up))])
    yield from _metric("written_timestamp_seconds", "gauge", "When this was written.", [("", line["at"] / 1000)])
    if not is_up:
        return
    for name, kind, about in _PLAIN:
        value = line[name.removesuffix("_total")]
        yield from _metric(name, kind, about, [("", value)] if value is not None else [])
    for name, field, unit, about in _BY_AGENT:
        yield from _metric(name, "gauge", about, _samples("agent", line["agents"], "agent_id", field, unit))
    for name, field, unit, about in _JOBS:
        yield from _metric(name, "gauge", about, _samples("job", line["job_results"], "job", field, unit))
    quantiles = (("0.5", line["latency_p50_ms"]), ("0.99", line["latency_p99_ms"]))
    latencies = [(f'{{quantile="{share}"}}', value / 1000) for share, value in quantiles if value is not None]
    yield from _metric("append_to_commit_seconds", "gauge", "From a line's append to its commit.", latencies)
    stale = sum(bool(lock["stale"]) for lock in line["locks"])
    locks: list[Sample] = [('{state="held"}', len(line["locks"]) - stale), ('{state="stale"}', stale)]
    yield from _metric("openclaw_locks", "gauge", "Lock files of OpenClaw's.", locks)
    degraded = [item["code"] for item in line["degraded"]]
    codes: list[Sample] = [
        (f"{{code={_quoted(code)}}}", degraded.count(code)) for code in {**CODES, **dict.fromkeys(degraded)}
    ]
    yield from _metric("degraded", "gauge", "Reasons for which the mirror is degraded; 0 everywhere is well.", codes)


def _samples(label: str, items: Iterable[dict[str, Any]], key: str, field: str, unit: float) -> list[Sample]:
    found = [(item[key], item[field]) for item in items]
    return [(f"{{{label}={_quoted(name)}}}", value / unit) for name, value in found if value is not None]


def _metric(name: str, kind: str, about: str, samples: Iterable[Sample]) -> Iterator[str]:
    yield f"# HELP syncd_{name} {about}\n# TYPE syncd_{name} {kind}\n"
    for labels, value in samples:
        yield f"syncd_{name}{labels} {float(value):.15g}\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
