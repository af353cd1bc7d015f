"""What must hold for any bytes at all: of a transcript, and of a session index. Each is a function of bytes.

Callers bring the bytes: atheris by the million (`fuzz`), hypothesis a few in every run of the tests (`test_targets`).
"""

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

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


_SALVAGED = "SELECT byte_offset, byte_length FROM entries WHERE salvaged = 1"
_TOLD = "SELECT byte_offset, type, entry_id FROM entries WHERE salvaged = 0"
_SURELY_READ = 256
"""So many brackets can be nested for every parser."""
_DECODER = json.JSONDecoder()


def _finite(text: str) -> float | None:
    """Else it is null, as JavaScript would write it."""
    return number if math.isfinite(number := float(text)) else None


def _plain(text: str) -> Any:
    return json.loads(text, parse_float=_finite, parse_constant=lambda _: None)


def _as_text(value: object) -> str:
    return storable(json.dumps(value, sort_keys=True, ensure_ascii=False))


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
                salvaged = list(ledger.execute(_SALVAGED))
                told = {offset: (kind, entry_id) for offset, kind, entry_id in ledger.execute(_TOLD)}
            finally:
                ledger.run("ROLLBACK")
            assert (transcript.bytes, transcript.lines) == (len(data), data.count(b"\n")), "the cursor is at the end"
            assert own == list(_lines(data)), "every line is an entry or in quarantine, once"
            for offset, length in salvaged:
                assert 0 <= offset < offset + length <= len(data), "a row lies within the file"
            for offset, length in own:
                line = data[offset : offset + length]
                if (entry := _entry_in(line)) is not None:
                    assert told.get(offset) == entry, "what is an entry to everybody is that entry"
                for start, end in _glued_in(line) if offset not in told else ():
                    assert (offset + start, end - start) in salvaged, "every whole record of a glued line is salvaged"

        yield check


def _lines(data: bytes) -> Iterator[tuple[int, int]]:
    """Where each line that is not blank begins, and how long it is."""
    start = 0
    while (stop := data.find(b"\n", start)) >= 0:
        if not is_blank(data[start : stop + 1]):
            yield start, stop + 1 - start
        start = stop + 1


def _entry_in(line: bytes) -> tuple[str, str] | None:
    """Type and id, as Python's own parser has them; None where it has none, or not as texts."""
    try:
        value = _plain(line.decode())
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or _brackets(line) > _SURELY_READ:
        return None
    kind, entry_id = value.get("type"), value.get("id")
    is_told = isinstance(kind, str) and kind and isinstance(entry_id, str)
    return (storable(str(kind)), storable(str(entry_id))) if is_told else None


def _glued_in(line: bytes) -> list[tuple[int, int]]:
    """From where to where the objects lie, where a line is nothing but several of them in a row; by Python's parser."""
    spans: list[tuple[int, int]] = []
    try:
        text, start = line.decode("ascii").rstrip("\r\n"), 0
        while start < len(text):
            value, end = _DECODER.raw_decode(text, start)
            if not isinstance(value, dict):
                return []
            spans.append((start, end))
            start = end
    except (ValueError, RecursionError):
        return []
    return spans if len(spans) > 1 and _brackets(line) <= _SURELY_READ else []


def _brackets(line: bytes) -> int:
    return line.count(b"[") + line.count(b"{")


def check_index(data: bytes) -> None:
    """An index or none; what JSON is to everybody is an index with the same entries, in OpenClaw's own layout too."""
    value = _check_index(data)
    if value:
        _check_index(json.dumps(value, indent=2).encode())


def _check_index(data: bytes) -> dict[str, Any] | None:
    """The object that it is to everybody."""
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
        value = _plain(data.decode())
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    assert found is not None, "valid JSON is read"
    assert found.keys() == {storable(key) for key in value}, "every entry is"
    for key, entry in value.items():
        read = found[key] if storable(key) == key else None  # two keys may become one
        if isinstance(read, ReadEntry):
            assert _as_text(read.value()) == _as_text(entry), "and says what it says"
    return value
