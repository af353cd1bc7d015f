"""A process that dies at a given statement: nothing after it happens, and the open transaction is lost."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from syncd.ledger.database import Ledger


class Killed(BaseException):
    """The process is no more. Not an Exception: nothing may catch and handle it."""


@contextmanager
def dying_at(ledger: Ledger, statement: int) -> Iterator[None]:
    """Raises Killed at the `statement`-th SQL statement and at every one after it."""
    left = statement

    def trace(_cursor: object, sql: str, _bindings: Any) -> bool:
        nonlocal left
        left -= 1
        if left <= 0 and sql != "ROLLBACK":  # which SQLite does by itself for a process that died
            raise Killed
        return True

    ledger.connection.exec_trace = trace
    try:
        yield
    finally:
        ledger.connection.exec_trace = None
