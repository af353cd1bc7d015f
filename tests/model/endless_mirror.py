"""A process that catches up without end, to be killed: `python -m tests.model.endless_mirror LEDGER STATE_DIR`."""

import sys
from pathlib import Path

from syncd.clock import SystemClock
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import CatchUpOptions, catch_up
from tests.model.line_shapes import MAX_LINE_BYTES

OPTIONS = CatchUpOptions(settle_seconds=0.01, max_line_bytes=MAX_LINE_BYTES, lock_wait_seconds=0.2)


def main() -> None:
    ledger_path, state_dir = Path(sys.argv[1]), sys.argv[2]
    with writer_lock(ledger_path), open_for_writing(ledger_path) as ledger:
        print("ready", flush=True)
        while True:
            catch_up(ledger, SystemClock(), [state_dir], OPTIONS)


if __name__ == "__main__":
    main()
