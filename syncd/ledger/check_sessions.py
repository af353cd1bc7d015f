"""Are the rows of `sessions` what their entries make, and the entries what their versions tell?

The entry is a session's record, as the raw bytes are a transcript's: columns can be made again from it. Left out is
what depends on more than the entry: the title, the kind (on OpenClaw's configuration), when it was first known.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.ledger.session_history import is_thinned_out, told_entry, told_fields
from syncd.ledger.sessions import INSERT_VERSION
from syncd.openclaw.session_entries import (
    NOT_AN_OBJECT,
    SessionColumns,
    changed_fields,
    columns_of,
    entry_of,
    entry_text,
)
from syncd.openclaw.session_keys import parse_session_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.ledger.database import Ledger

_NOT_COMPARED = frozenset({"title", "kind", "created_at", "parent_key"})
_COMPARED = tuple(name for name in SessionColumns._fields if name not in _NOT_COMPARED)
# Purge blanks the entry of a session of which it leaves a part.
_ROWS = f"""SELECT id, session_key, entry_json, {", ".join(_COMPARED)} FROM sessions
    WHERE status = 'live' OR entry_json != '{{}}' ORDER BY id"""
_ROW = f"""SELECT session_key, entry_json, {", ".join(_COMPARED)} FROM sessions
    WHERE id = ? AND (status = 'live' OR entry_json != '{{}}')"""
_SET = f"UPDATE sessions SET {', '.join(f'{name} = ?' for name in _COMPARED)} WHERE id = ?"


class SessionFault(NamedTuple):
    session: int
    message: str
    is_of_entry: bool
    """The record itself; else only columns, which it makes again."""


def session_faults(ledger: Ledger, *, reads_versions: bool) -> Iterator[SessionFault]:
    has_witness = reads_versions and not is_thinned_out(ledger)
    for session, key, text, *columns in ledger.execute(_ROWS):
        try:
            entry = entry_of(text)
        except ValueError:
            yield SessionFault(session, f"session {session}: its entry is no JSON any more", True)
            continue
        except RecursionError:
            continue  # deeper than Python reads it: nothing is known of it
        if has_witness and (name := _denied_field(ledger, session, entry)) is not None:
            yield SessionFault(session, f"session {session}: its entry and its versions disagree on {name!r}", True)
        made = _compared(key, entry)
        wrong = [name for name, here, there in zip(_COMPARED, columns, made, strict=True) if here != there]
        if wrong:
            yield SessionFault(session, f"session {session}: {wrong[0]} is not what its entry says", False)


def mend_sessions(ledger: Ledger, sessions: Iterable[int]) -> None:
    """Columns from the entry; the entry from its versions where it is no JSON, or columns and versions both deny it.

    Inside a transaction.
    """
    has_witness = not is_thinned_out(ledger)
    for session in sessions:
        row = ledger.row(_ROW, (session,))
        if row is None:
            continue
        key, text, *columns = row
        told = told_fields(ledger, session)
        try:
            entry, is_whole = entry_of(text), True
        except ValueError:
            entry, is_whole = told_entry(told), False
        if is_whole and has_witness and told and tuple(columns) != _compared(key, entry):
            is_whole = tuple(columns) != _compared(key, told_entry(told))
            entry = entry if is_whole else told_entry(told)
        if not is_whole:
            ledger.run("UPDATE sessions SET entry_json = ? WHERE id = ?", (entry_text(entry), session))
        if is_whole or told:  # else the columns say more
            ledger.run(_SET, (*_compared(key, entry), session))


def agree_on_removed(ledger: Ledger, sessions: Iterable[int], now_ms: int) -> None:
    """What has left the index and is told otherwise by its versions, one of which was lost: its own entry counts.

    One more version says what it has. Inside a transaction, behind `mend_sessions`.
    """
    if is_thinned_out(ledger):
        return
    for session in sessions:
        row = ledger.row("SELECT entry_json FROM sessions WHERE id = ? AND status = 'removed'", (session,))
        with suppress(ValueError, RecursionError):
            if row is not None and _denied_field(ledger, session, entry := entry_of(row[0])) is not None:
                changed = changed_fields(told_entry(told_fields(ledger, session)), entry)
                ledger.run(INSERT_VERSION, (session, now_ms, entry_text(changed)))


def put_entry(ledger: Ledger, session: int, entry: object) -> None:
    """Another entry, with the columns that it makes. Inside a transaction."""
    row = ledger.row("SELECT session_key FROM sessions WHERE id = ?", (session,))
    if row is not None:
        ledger.run("UPDATE sessions SET entry_json = ? WHERE id = ?", (entry_text(entry), session))
        ledger.run(_SET, (*_compared(row[0], entry), session))


def _compared(key: str, entry: object) -> tuple[Any, ...]:
    made = columns_of(parse_session_key(key), entry)
    return tuple(getattr(made, name) for name in _COMPARED)


def _denied_field(ledger: Ledger, session: int, entry: object) -> str | None:
    """The first field that the versions know otherwise."""
    fields: dict[str, Any] = entry if type(entry) is dict else {NOT_AN_OBJECT: entry}
    told = told_fields(ledger, session)
    if not told:
        return None
    for name in sorted({*told, *fields}):
        if entry_text(told.get(name)) != entry_text(fields.get(name)):
            return name
    return None
