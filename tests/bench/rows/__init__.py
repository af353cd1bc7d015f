"""The rows of the benchmark: a file each, with one function from a trial to lines of the table.

A new row is a new file here and its name in ROWS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.bench.rows import (
    append,
    catch_up,
    idle,
    ledger_size,
    memory,
    no_op,
    peer,
    quick_verbs,
    reading,
    start,
    verify,
    writers,
)
from tests.bench.table import Row
from tests.bench.trial import Trial

ROWS: dict[str, Callable[[Trial], Iterator[Row]]] = {
    "catchup": catch_up.rows,
    "peer": peer.rows,
    "size": ledger_size.rows,
    "memory": memory.rows,
    "noop": no_op.rows,
    "verify": verify.rows,
    "append": append.rows,
    "writers": writers.rows,
    "idle": idle.rows,
    "start": start.rows,
    "verbs": quick_verbs.rows,
    "reading": reading.rows,
}
