"""REF: read + split + orjson.loads over every transcript; reference.py STATE_DIR prints JSON.

The least that any program must do that looks at each line once: other figures are ratios to it.
Counted after imports. Standard library and orjson only, and no import of tests.
"""

import sys
import time
from pathlib import Path

import orjson


def main() -> None:
    paths = sorted(Path(sys.argv[1]).glob("agents/*/sessions/*.jsonl"))
    wall, cpu = time.perf_counter(), time.process_time()
    total_bytes = lines = 0
    for path in paths:
        with path.open("rb", buffering=0) as file:
            content = file.read()
        total_bytes += len(content)
        for line in content.split(b"\n"):
            if line:
                orjson.loads(line)
                lines += 1
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(orjson.dumps({"bytes": total_bytes, "lines": lines, "wall_seconds": wall, "cpu_seconds": cpu}).decode())


if __name__ == "__main__":
    main()
