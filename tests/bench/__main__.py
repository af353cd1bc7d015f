"""`python -m tests.bench`: measures the rows and prints one table.

A missed goal is no failure: exit 0. Exit 1 says that some row could not be measured at all.
"""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from typing import NoReturn

from tests.bench import machine, peers, syncd_verbs
from tests.bench.measure import UnmeasuredError
from tests.bench.rows import ROWS
from tests.bench.table import Row, as_json, as_table
from tests.bench.trial import Plan, Trial, trial

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> int:
    for number in _ENDING:
        signal.signal(number, _end)
    chosen = _arguments()
    plan = Plan(
        mb=chosen.mb,
        repeats=chosen.repeats,
        command=chosen.syncd or syncd_verbs.default_command(),
        agentsview=None if chosen.alone else peers.installed(),
        loading_python=None if chosen.alone else peers.loading_python(),
    )
    with trial(plan) as current:
        where = machine.description(current.scratch)
        rows = [row for name in chosen.only for row in _measured(name, current)]
    if chosen.json != "-":
        print(as_table(where, rows))
    if chosen.json == "-":
        print(as_json(where, rows).decode())
    elif chosen.json:
        Path(chosen.json).write_bytes(as_json(where, rows))
    return 1 if any(row.failed for row in rows) else 0


def _end(number: int, _frame: object) -> NoReturn:
    """On the way out every process that is measured is ended; a second signal must not cut that short."""
    for each in _ENDING:
        signal.signal(each, signal.SIG_IGN)
    sys.exit(128 + number)


def _measured(name: str, current: Trial) -> list[Row]:
    try:
        return list(ROWS[name](current))
    except UnmeasuredError as error:
        return [Row(row=name, ours="failed", note=str(error), failed=True)]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--mb", type=float, default=50, help="size of the main corpus; 500 for the full figures")
    parser.add_argument("--repeats", type=int, default=3, help="rounds of each timed row")
    parser.add_argument(
        "--only",
        type=_row_names,
        default=list(ROWS),
        help=f"comma-separated, of: {', '.join(ROWS)}",
    )
    parser.add_argument("--alone", action="store_true", help="leave out the peers that `make bench-peers` installed")
    parser.add_argument("--syncd", type=syncd_verbs.parse_command, help="the command to measure, in one string")
    parser.add_argument(
        "--json",
        nargs="?",
        const="-",
        help="print JSON in place of the table; with a path, write it there besides",
    )
    return parser.parse_args()


def _row_names(text: str) -> list[str]:
    names = text.split(",")
    unknown = sorted(set(names) - set(ROWS))
    if unknown:
        raise argparse.ArgumentTypeError(f"no row {', '.join(unknown)}; there are {', '.join(ROWS)}")
    return names


if __name__ == "__main__":
    sys.exit(main())
