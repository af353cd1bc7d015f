"""Does the ledger say what the oracle says? Every row, every generation, every byte.

Looks at the tables alone; of the product only `raw.blocks` is used, which is what gives generations back.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, NamedTuple

from syncd.ledger import raw
from syncd.ledger.database import Ledger
from tests.model.folder import COPY_KINDS, SessionsFolder
from tests.model.line_shapes import MAX_LINE_BYTES
from tests.model.oracle import BLANK, Logical, Oracle, lines_of


class Row(NamedTuple):
    """A line in `entries` or `quarantine`."""

    table: str
    id: int
    transcript_id: int
    line_no: int
    offset: int
    length: int
    generation: int
    superseded_in: int | None
    salvaged: int
    what: str
    """The entry's type, or the reason of the quarantine."""

    def is_of(self, generation: int) -> bool:
        return self.generation <= generation and (self.superseded_in is None or self.superseded_in > generation)


_COLUMNS = "id, transcript_id, line_no, byte_offset, byte_length, generation, superseded_in"
_ROWS = f"""SELECT 'entries', {_COLUMNS}, salvaged, type FROM entries
    UNION ALL SELECT 'quarantine', {_COLUMNS}, 0, reason FROM quarantine ORDER BY byte_offset, 1"""
_TRANSCRIPTS = """SELECT id, path, kind, session_id, state, generation, bytes, lines, tail_bytes,
    header_version IS NOT NULL, changed_at, file_sha256 FROM transcripts"""


def rows_of(ledger: Ledger) -> list[Row]:
    return [Row(*row) for row in ledger.execute(_ROWS)]


def transcript_rows(ledger: Ledger) -> dict[int, tuple[Any, ...]]:
    return {row[0]: row for row in ledger.execute(_TRANSCRIPTS)}


def assert_equal(ledger: Ledger, oracle: Oracle, folder: SessionsFolder) -> None:
    """The whole ledger against the whole oracle."""
    found = transcript_rows(ledger)
    _bind(oracle.transcripts, found, folder)
    assert set(found) == {logical.row_id for logical in oracle.transcripts}, "a transcript too many"
    rows = rows_of(ledger)
    for logical in oracle.transcripts:
        assert logical.row_id is not None
        paths = {folder.path_of(name) for name in oracle.places_of(logical) or logical.former_names}
        assert found[logical.row_id][1] in paths, f"{found[logical.row_id][1]} should be in {paths}"
        _assert_facts(logical, found[logical.row_id])
        own = [row for row in rows if row.transcript_id == logical.row_id]
        for generation, content in enumerate(logical.versions, 1):
            assert _raw_bytes(ledger, logical.row_id, generation) == content, (logical.name, generation)
            _assert_lines([row for row in own if row.is_of(generation)], logical, content)
    _assert_tool_calls(ledger)
    _assert_copies_linked(ledger)


def assert_rows_kept(before: Iterable[Row], after: Iterable[Row]) -> None:
    """What was once a row stays that row; at most it becomes superseded."""
    now = {(row.table, row.id): row for row in after}
    for row in before:
        kept = now.get((row.table, row.id))
        assert kept is not None, f"a row vanished: {row}"
        if row.superseded_in is None:
            kept = kept._replace(superseded_in=None)
        assert kept == row


def assert_consistent(ledger: Ledger) -> None:
    """What holds at every commit, whatever was left undone: cursor, raw bytes and rows agree."""
    rows = rows_of(ledger)
    for row_id, _, kind, _, _, generation, taken, line_count, *_ in transcript_rows(ledger).values():
        content = _raw_bytes(ledger, row_id, generation)
        assert (len(content), len(lines_of(content))) == (taken, line_count)
        logical = Logical("", kind, "")
        own = [row for row in rows if row.transcript_id == row_id and row.is_of(generation)]
        _assert_lines(own, logical, content)


def assert_sound(ledger: Ledger) -> None:
    """SQLite's own checks."""
    assert ledger.row("PRAGMA integrity_check") == ("ok",)
    assert list(ledger.execute("PRAGMA foreign_key_check")) == []
    ledger.run("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    messages = "SELECT (SELECT count(*) FROM entries WHERE type = 'message') = (SELECT count(*) FROM messages)"
    assert ledger.row(messages) == (1,)


def _bind(transcripts: list[Logical], found: dict[int, tuple[Any, ...]], folder: SessionsFolder) -> None:
    """A transcript new to the oracle is the new row at its path."""
    bound = {logical.row_id for logical in transcripts}
    by_path = {path: row_id for row_id, path, *_ in found.values() if row_id not in bound}
    for logical in transcripts:
        if logical.row_id is None:
            logical.row_id = by_path.pop(folder.path_of(logical.name), None)
            assert logical.row_id is not None, f"no transcript for {logical.name}"


def _assert_facts(logical: Logical, row: tuple[Any, ...]) -> None:
    kind = "fork" if row[2] == "successor" else row[2]  # the difference is not the model's concern
    row = (*row[:2], kind, *row[3:])
    expected = (
        logical.kind,
        logical.session_id,
        logical.state,
        len(logical.versions),
        len(logical.taken),
        len(lines_of(logical.taken)),
        len(logical.tail),
        logical.has_header,
    )
    assert row[2:10] == expected, f"{row[2:10]} should be {expected}"
    if logical.state == logical.state_when_there == "archived":
        assert row[11] == sha256(logical.taken).hexdigest(), "hash of the archive's bytes"


def _raw_bytes(ledger: Ledger, row_id: int, generation: int) -> bytes:
    content = b""
    for offset, part in raw.blocks(ledger, row_id, generation):
        assert offset == len(content), "a hole or an overlap in the raw bytes"
        content += part
    return content


def _assert_lines(rows: list[Row], logical: Logical, content: bytes) -> None:
    """The rows are the content's lines, each once; what was salvaged lies inside a quarantined line."""
    lines = [line for line in lines_of(content) if line.text.strip(BLANK)] if logical.kind != "trajectory" else []
    whole = [row for row in rows if not row.salvaged]
    found = [(row.line_no, row.offset, row.length) for row in whole]
    assert found == [line[:3] for line in lines], f"{logical.name}: {found} should be {lines}"
    for row, line in zip(whole, lines, strict=True):
        is_long = len(line.text.removesuffix(b"\n")) > MAX_LINE_BYTES
        assert (row.what == "too_long") == is_long, (row, line)
    quarantined = {row.line_no: row for row in whole if row.table == "quarantine"}
    for row in rows:
        if row.salvaged:
            around = quarantined[row.line_no]
            assert around.offset <= row.offset
            assert row.offset + row.length <= around.offset + around.length
            assert (row.generation, row.superseded_in) == (around.generation, around.superseded_in)


_CALLS_AND_RESULTS = """SELECT entries.transcript_id, byte_offset, entries.id, call_id, 1, tool_calls.id,
      result_message_id, status, tool_calls.is_error
    FROM tool_calls JOIN entries ON entries.id = message_id WHERE superseded_in IS NULL
  UNION ALL SELECT entries.transcript_id, byte_offset, entries.id, tool_call_id, 0, NULL, NULL, NULL, is_error
    FROM messages JOIN entries USING (id) WHERE superseded_in IS NULL AND role = 'toolResult'
  ORDER BY 1, 2"""


_UNANSWERED = ("pending", "missing_result")
"""Which of the two depends on whether the file was found at rest."""


def _assert_tool_calls(ledger: Ledger) -> None:
    """Each live result belongs to the last live call of its id before it; the first one is the pair."""
    latest: dict[tuple[int, str], list[tuple[int, int]]] = {}
    expected: list[tuple[tuple[Any, ...], list[tuple[int, int]]]] = []
    for transcript_id, _, entry, call_id, is_call, *call, is_error in ledger.execute(_CALLS_AND_RESULTS):
        if is_call:
            results: list[tuple[int, int]] = []
            latest[transcript_id, call_id] = results
            expected.append(((*call, is_error), results))
        elif (transcript_id, call_id) in latest:
            latest[transcript_id, call_id].append((entry, is_error))
    for (call_row, result, status, is_error), results in expected:
        wanted = (status if status in _UNANSWERED else "pending", "paired", "duplicate_result")[min(2, len(results))]
        first = results[0] if results else (None, None)
        assert (result, is_error, status) == (*first, wanted), f"tool call {call_row}"


def _assert_copies_linked(ledger: Ledger) -> None:
    marks = ", ".join(f"'{kind}'" for kind in (*COPY_KINDS, "import_archive"))
    orphans = f"""SELECT id FROM transcripts AS copy WHERE kind IN ({marks}) AND parent_transcript_id IS NULL
        AND EXISTS (SELECT 1 FROM transcripts AS twin WHERE twin.session_id = copy.session_id
                    AND twin.kind NOT IN ({marks}, 'trajectory')
                    AND twin.lineage_id != copy.lineage_id)"""  # it may be the elder, with another id then
    assert list(ledger.execute(orphans)) == [], "copies without the transcript they repeat"
    split = """SELECT child.id FROM transcripts AS child JOIN transcripts AS parent
        ON parent.id = child.parent_transcript_id WHERE child.lineage_id != parent.lineage_id"""
    assert list(ledger.execute(split)) == [], "a family with two lineages"
