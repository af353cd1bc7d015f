"""syncd as the benchmark sees it: the command line, an environment of its own, and JSON documents.

Each home is a scratch directory that stands for a user's: nothing of the person who runs the
benchmark is read or written. Nothing is imported from syncd; only `work`, a process of its own, does.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.bench.corpus import Corpus
from tests.bench.measure import Sample, UnmeasuredError, run

_CHECKPOINT = """
import apsw, sys
list(apsw.Connection(sys.argv[1]).execute("pragma wal_checkpoint(truncate)"))
"""


@dataclass(frozen=True)
class CatchUp:
    """One first catch-up, and the size of the ledger it left."""

    sample: Sample
    seconds: float
    ledger_bytes: int


def default_command() -> tuple[str, ...]:
    """The console script beside the running Python: the venv's syncd is the one measured."""
    script = Path(sys.executable).with_name("syncd")
    return (str(script),) if script.exists() else (sys.executable, "-m", "syncd")


def parse_command(text: str) -> tuple[str, ...]:
    return tuple(shlex.split(text))


def catch_up(command: tuple[str, ...], corpus: Corpus, home: Path) -> CatchUp:
    """`run --once` into a new home; every byte must have been read for the figure to count."""
    home.mkdir(parents=True)
    sample = run([*command, "run", "--once", "--json"], environment(corpus.state_dir, home))
    document = sample.document()
    if document.get("bytes") != corpus.bytes:
        raise UnmeasuredError(f"run --once read {document.get('bytes')} of {corpus.bytes} bytes")
    return CatchUp(sample, seconds_after_imports(sample), ledger_bytes(home))


def no_op(command: tuple[str, ...], corpus: Corpus, home: Path) -> Sample:
    """`run --once` where nothing has changed since the last one."""
    return run([*command, "run", "--once", "--json"], environment(corpus.state_dir, home))


def verify(command: tuple[str, ...], corpus: Corpus, home: Path) -> Sample:
    sample = run([*command, "verify", "--json"], environment(corpus.state_dir, home))
    document = sample.document()
    if document.get("ok") is not True or document.get("bytes") != corpus.bytes:
        raise UnmeasuredError(f"verify compared {document.get('bytes')} of {corpus.bytes} bytes")
    return sample


def ledger_bytes(home: Path) -> int:
    """The ledger and its WAL once the WAL has been taken into it, as a ledger at rest is."""
    ledger = ledger_path(home)
    wal = ledger.with_name(f"{ledger.name}-wal")
    if wal.exists() and wal.stat().st_size:
        subprocess.run([sys.executable, "-c", _CHECKPOINT, str(ledger)], check=False)
    return sum(path.stat().st_size for path in (ledger, wal) if path.exists())


def seconds_after_imports(sample: Sample) -> float:
    """What the verb itself counted; the process's wall clock holds the start of Python as well."""
    seconds = sample.document().get("seconds")
    if not isinstance(seconds, int | float):
        raise UnmeasuredError("the JSON document has no seconds")
    return float(seconds)


def ledger_path(home: Path) -> Path:
    return home / "ledger" / "ledger.db"


def environment(state_dir: Path, home: Path) -> dict[str, str]:
    ledger_path(home).parent.mkdir(mode=0o700, exist_ok=True)
    own = {
        f"XDG_{kind}": str(home / kind.lower())
        for kind in ("CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR")
    }
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "OPENCLAW_STATE_DIR": str(state_dir),
        "SYNCD_LEDGER": str(ledger_path(home)),
        **own,
    }
