"""The nearest peer at work, agentsview (a Go program in a PyPI wheel that `peers` installs apart).

Its help names the way to run without its server: AGENTSVIEW_NO_DAEMON=1 agentsview sync; `serve` is what follows live.
OPENCLAW_DIR is the agents folder, AGENTSVIEW_DATA_DIR holds its database. Telemetry and the look for updates are off.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.corpus import Corpus
from tests.bench.daemon import READY_SECONDS, Daemon, Questions, process_of, reading, tail
from tests.bench.measure import Sample, UnmeasuredError, run
from tests.bench.peers import PeerRun

NAME = "agentsview"
_ONCE = {"AGENTSVIEW_NO_DAEMON": "1"}
_READY = b"listening at"
_LOOK_SECONDS = 0.005
_QUESTIONS = Questions(
    last_line="SELECT max(ordinal) FROM messages WHERE session_id = (SELECT id FROM sessions WHERE file_path = ?)",
    last_row="SELECT coalesce(max(id), 0) FROM messages",
    rows_after="""SELECT m.id, s.file_path, m.ordinal FROM messages m JOIN sessions s ON s.id = m.session_id
        WHERE m.id > ? ORDER BY m.id""",
)


def environment(state_dir: Path, home: Path) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "OPENCLAW_DIR": str(state_dir / "agents"),
        "AGENTSVIEW_DATA_DIR": str(home / "data"),
        "AGENTSVIEW_TELEMETRY_ENABLED": "0",
        "AGENTSVIEW_DISABLE_UPDATE_CHECK": "1",
        "DO_NOT_TRACK": "1",
    }


def sync_once(binary: Path, corpus: Corpus, home: Path) -> PeerRun:
    """A first sync of the whole corpus into an empty home."""
    shutil.rmtree(home, ignore_errors=True)
    (home / "data").mkdir(parents=True)
    sample = run([str(binary), "sync"], {**environment(corpus.state_dir, home), **_ONCE})
    if f"{corpus.files} sessions synced".encode() not in sample.output:
        raise UnmeasuredError(f"agentsview did not sync all {corpus.files} files: {sample.output[-200:]!r}")
    return PeerRun(sample, sum(path.stat().st_size for path in (home / "data").glob("sessions.db*")))


def no_op(binary: Path, corpus: Corpus, home: Path) -> Sample:
    """A sync where nothing has changed since the last one."""
    return run([str(binary), "sync"], {**environment(corpus.state_dir, home), **_ONCE})


@contextmanager
def following(binary: Path, state_dir: Path, home: Path) -> Iterator[Daemon]:
    """Its server, caught up and watching; ended when the block ends."""
    (home / "data").mkdir(parents=True, exist_ok=True)
    said = home / "said"
    command = [str(binary), "serve", "--no-browser", "--no-update-check", "--port", "0"]
    started = time.perf_counter()
    with process_of(command, environment(state_dir, home), said) as process:
        while _READY not in said.read_bytes():
            if process.poll() is not None or time.perf_counter() - started > READY_SECONDS:
                raise UnmeasuredError(f"agentsview did not come to listen: {tail(said)}")
            time.sleep(_LOOK_SECONDS)
        seconds = time.perf_counter() - started
        with reading(home / "data" / "sessions.db") as database:
            yield Daemon(process.pid, seconds, database, _QUESTIONS)
