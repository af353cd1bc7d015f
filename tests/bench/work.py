"""What a verb costs inside its process, after imports: `python -m tests.bench.work REPEATS VERB ...`

The verb runs once to have everything imported, then REPEATS times; each opens the ledger anew. What it says goes
nowhere. Prints a JSON document. The syncd measured is the one this Python imports.
"""

from __future__ import annotations

import json
import os
import sys
import time

from syncd.cli.main import main as syncd


def main() -> int:
    repeats, *verb = sys.argv[1:]
    own = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        code = syncd(verb)
        wall, cpu = [], []
        for _ in range(int(repeats)):
            started, used = time.perf_counter(), time.process_time()
            syncd(verb)
            wall.append(time.perf_counter() - started)
            cpu.append(time.process_time() - used)
    finally:
        os.dup2(own, 1)
    print(json.dumps({"wall_seconds": wall, "cpu_seconds": cpu}))
    return code


if __name__ == "__main__":
    sys.exit(main())
