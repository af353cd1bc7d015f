"""What a tally counts came into the ledger: nothing that was rolled back, and all that was committed before that."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw
import pytest

from syncd.errors import LedgerFull
from syncd.ledger import writer as writer_module
from syncd.ledger.tally import Tally
from tests.ledger.scratch import scratch_ledger, scratch_writer, started
from tests.mirror.household import header, message
from tests.mirror_checks import query

LINES = 20
FAILS_AT = 4


@pytest.mark.parametrize(("batch_bytes", "comes_in"), [(1, "some"), (500, "some"), (1 << 20, "all")])
def test_only_what_is_committed_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch_bytes: int, comes_in: str
) -> None:
    monkeypatch.setattr(writer_module, "BATCH_BYTES", batch_bytes)
    commits = iter(range(1, 100))

    def full(_cursor: object, sql: str, _bindings: Any) -> bool:
        if sql == "COMMIT" and next(commits) == FAILS_AT:
            raise apsw.FullError("database or disk is full")
        return True

    tally, long_line = Tally(), message(1, "x" * 400)
    with scratch_ledger(tmp_path) as ledger:
        with scratch_writer(ledger) as writer:
            one = started(writer, 1)
            ledger.connection.exec_trace = full
            try:
                writer.append(one, header(1), tally=tally)
                assert writer.append_long_line(one, len(long_line), [long_line], tally=tally)
                with suppress(LedgerFull):
                    for number in range(2, 2 + LINES):
                        writer.append(one, message(number), tally=tally)
                    writer.flush()
            finally:
                ledger.connection.exec_trace = None
        ((lines, size),) = query(ledger.path, "SELECT lines, bytes FROM transcripts")
    assert tally == Tally({1}, lines, size)
    assert lines == LINES + 2 if comes_in == "all" else 2 < lines < LINES


def test_what_fails_at_once_is_not_counted(tmp_path: Path) -> None:
    def full(_cursor: object, sql: str, _bindings: Any) -> bool:
        if sql == "COMMIT":
            raise apsw.FullError("database or disk is full")
        return True

    tally = Tally()
    with scratch_ledger(tmp_path) as ledger, scratch_writer(ledger) as writer:
        ledger.connection.exec_trace = full
        writer.append(started(writer, 1), header(1), tally=tally)
        for _ in range(2):
            with pytest.raises(LedgerFull):
                writer.flush()
        ledger.connection.exec_trace = None
    assert tally == Tally()
