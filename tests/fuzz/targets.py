"""What must hold for any bytes at all: of a transcript, and of a session index. Each is a function of bytes.

Callers bring the bytes: atheris by the million (`fuzz`), hypothesis a few in every run of the tests (`test_targets`).
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from syncd.ledger import rows
from syncd.ledger.projection import project_lines
from syncd.openclaw.index import ReadEntry, read_entries
from syncd.openclaw.lines import is_blank
from syncd.openclaw.session_entries import storable
from tests.ledger.projected import TABLES
from tests.ledger.scratch import scratch_ledger, scratch_writer, started

Target = Callable[[bytes], None]
_OWN_LINES = """SELECT byte_offset, byte_length FROM entries WHERE salvaged = 0
    UNION ALL SELECT byte_offset, byte_length FROM quarantine ORDER BY byte_offset"""


@contextmanager
def lines_target(directory: Path) -> Iterator[Target]:
    """A real ledger, whose STRICT tables refuse what has the wrong type; nothing stays in it."""
    with scratch_ledger(directory) as ledger, scratch_writer(ledger) as writer:
        numbers = count(1)

        def check(data: bytes) -> None:
            data = data if data.endswith(b"\n") or not data else data + b"\n"
            ledger.run("BEGIN")
            try:
                transcript = started(writer, next(numbers))
                transcript.store(ledger.connection)
                batch = rows.Rows(1, 1)
                project_lines(batch, transcript, data)
                rows.store(ledger.connection, batch)
                ledger.run(rows.INDEX_TEXT, (0, 1 << 40))
                for table in TABLES:  # a text that is no UTF-8 is found when it is read
                    list(ledger.execute(f"SELECT * FROM {table}"))
                own = list(ledger.execute(_OWN_LINES))
                salvaged = list(ledger.execute("SELECT byte_offset, byte_length FROM entries WHERE salvaged = 1"))
            finally:
                ledger.run("ROLLBACK")
            assert (transcript.bytes, transcript.lines) == (len(data), data.count(b"\n")), "the cursor is at the end"
            assert own == list(_lines(data)), "every line is an entry or in quarantine, once"
            for offset, length in salvaged:
                assert 0 <= offset < offset + length <= len(data), "a row lies within the file"

        yield check


def _lines(data: bytes) -> Iterator[tuple[int, int]]:
    """Where each line that is not blank begins, and how long it is."""
    start = 0
    while (stop := data.find(b"\n", start)) >= 0:
        if not is_blank(data[start : stop + 1]):
            yield start, stop + 1 - start
        start = stop + 1


def check_index(data: bytes) -> None:
    """An index or none; what JSON is to everybody is an index with the same keys."""
    found = read_entries(data)
    if found is not None:
        for key, entry in found.items():
            assert isinstance(entry, ReadEntry)
            key.encode()
            entry.value()
            assert entry.session_id is None or entry.session_id.encode()
            assert entry.updated_at is None or -(2**63) <= entry.updated_at < 2**63
        known = {entry.digest: key for key, entry in found.items()}
        again = read_entries(data, known)
        assert again is not None
        assert again.keys() == found.keys(), "what is known is not lost"
    try:
        value = json.loads(data.decode())
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict):
        assert found is not None, "valid JSON is read"
        assert found.keys() == {storable(key) for key in value}, "every entry is"
