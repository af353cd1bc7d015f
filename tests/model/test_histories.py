"""Random histories of a sessions folder: the ledger equals the files after each, and has all that ever was.

A quick set by default, a larger one in tests/faults. The quick one is the same again only where the same modules are
loaded: Hypothesis draws what they hold as constants, too. SYNCD_MODEL_HISTORIES=10000 plays that many new ones, all at
once or in parts: each run draws others, and --hypothesis-seed=N draws the same again.
"""

import os
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from syncd.ledger import codec, raw, writer
from syncd.ledger.database import open_for_writing
from syncd.mirror import catchup, compare, departures, ingest, reading, settling
from syncd.sources import lines
from tests.model.machine import RACY_SECONDS, Machine

HISTORIES = int(os.environ.get("SYNCD_MODEL_HISTORIES", "0"))
QUICK_HISTORIES = 20
STEPS = 40

# Borders of blocks, chunks and batches that a file of some hundred bytes crosses.
SMALL = (
    (raw, "BLOCK_BYTES", 700),
    (raw, "PIECE_BYTES", 500),
    (lines, "CHUNK_BYTES", 512),
    (compare, "_WINDOW_BYTES", 100),
    (departures, "PIECE_BYTES", 300),
    (reading, "PIECE_BYTES", 300),
    (reading, "RACY_SECONDS", RACY_SECONDS),
    (ingest, "RACY_SECONDS", RACY_SECONDS),
    (settling, "RACY_SECONDS", RACY_SECONDS),
    (writer, "BATCH_BYTES", 2000),
    (writer, "BATCH_TRANSCRIPTS", 2),
    (codec, "SMALLEST_PACKED", 100),
    (catchup, "synced_at_the_end", nullcontext),  # no power is cut here
)


@pytest.mark.timeout(0 if HISTORIES else 900)  # a failure is made as short as it can be, which takes its time
def test_every_history_of_the_files_is_in_the_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(HISTORIES or QUICK_HISTORIES, tmp_path, monkeypatch)


def play(histories: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, value in SMALL:
        monkeypatch.setattr(module, name, value)
    Machine.root = tmp_path
    Machine.empty_ledger = tmp_path / "empty.db"
    open_for_writing(Machine.empty_ledger).close()
    profile = settings(
        max_examples=histories,
        stateful_step_count=STEPS,
        derandomize=not HISTORIES,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Machine, settings=profile)
