"""Runs one command and writes what it cost to a file: launch.py REPORT COMMAND...

A process of its own, as small as Python gets: on Linux a child inherits the high-water mark of the
process that spawned it, so one started by the benchmark itself would show the benchmark's memory.
Standard library only, and no import of tests.
"""

import os
import sys
import time


def main() -> None:
    report, *command = sys.argv[1:]
    started = time.perf_counter()
    try:
        child = os.posix_spawnp(command[0], command, os.environ)
    except OSError as error:
        sys.exit(error.strerror)
    _, status, usage = os.wait4(child, 0)
    wall_seconds = time.perf_counter() - started
    rss_unit = 1 if sys.platform == "darwin" else 1024
    figures = (
        os.waitstatus_to_exitcode(status),
        wall_seconds,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss * rss_unit,
    )
    with open(report, "w", encoding="ascii") as file:
        file.write(" ".join(map(repr, figures)))


if __name__ == "__main__":
    main()
