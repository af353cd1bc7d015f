"""`folded()` in SQL: letters without their case, of any alphabet. Of this connection only; views do without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.openclaw.letter_case import folded

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger


def can_fold(ledger: Ledger) -> None:
    ledger.connection.create_scalar_function("folded", _folded, 1, deterministic=True)


def _folded(*values: object) -> str | None:
    (value,) = values
    return folded(value) if isinstance(value, str) else None
