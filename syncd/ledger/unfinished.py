"""Turns that are in progress and tool calls that wait for their result: which transcripts have any, and their end.

Only the rows; whether a session is at rest is mirror.at_rest's judgement. Asked through indexes that hold nothing but
what is unfinished, so the work does not grow with the ledger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.openclaw.turns import ABORTED, IN_PROGRESS, status_after

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from syncd.ledger.database import Ledger

_UNFINISHED = """SELECT id FROM transcripts WHERE installation_id = ? AND id IN (
    SELECT transcript_id FROM tool_calls WHERE status = 'pending' UNION
    SELECT transcript_id FROM turns WHERE status = 'in_progress')"""
_IS_UNFINISHED = """SELECT 1 FROM tool_calls WHERE status = 'pending' AND transcript_id = ?1 UNION ALL
    SELECT 1 FROM turns WHERE status = 'in_progress' AND transcript_id = ?1 LIMIT 1"""
_LAST_STEP = """SELECT messages.at, role, stop_reason, (SELECT count(*) FROM tool_calls WHERE message_id = messages.id)
    FROM messages JOIN entries USING (id) WHERE turn_id = ? AND superseded_in IS NULL AND on_active_path = 1
    AND (role = 'toolResult' OR role = 'assistant' AND is_delivery_mirror = 0) ORDER BY messages.id DESC LIMIT 1"""
_TIP = """SELECT turns.id, turns.status, turns.started_at FROM transcripts JOIN turns ON turns.id = tip_turn_id
    WHERE transcripts.id = ?"""
_HOLD = "UPDATE turns SET status = 'in_progress', ended_at = NULL WHERE id = ? AND status != 'in_progress'"
_END = "UPDATE turns SET status = ?, ended_at = coalesce(ended_at, ?) WHERE id = ?"
_MISS_RESULTS = "UPDATE tool_calls SET status = 'missing_result' WHERE transcript_id = ? AND status = 'pending'"
_ABORT = "UPDATE turns SET status = 'aborted' WHERE transcript_id = ? AND status = 'in_progress' AND id IS NOT ?"


def unfinished_transcripts(ledger: Ledger, installation_id: int) -> list[int]:
    return [row[0] for row in ledger.execute(_UNFINISHED, (installation_id,))]


def is_finished(ledger: Ledger, transcript_id: int) -> bool:
    """Does nothing in it wait for an end?"""
    return ledger.row(_IS_UNFINISHED, (transcript_id,)) is None


def is_tip_in_progress(ledger: Ledger, transcript_id: int) -> bool:
    """Is the turn at the tip marked so; also where there is no turn to mark."""
    tip = ledger.row(_TIP, (transcript_id,))
    return tip is None or tip[1] == IN_PROGRESS


def mark_in_progress(connection: apsw.Connection, transcript_ids: Iterable[int]) -> None:
    """A turn is under way in them: the one at the tip. That only a lock says so shows by its having no `ended_at`."""
    for transcript_id in transcript_ids:
        for turn_id, _, _ in connection.execute(_TIP, (transcript_id,)).fetchall():
            connection.execute(_HOLD, (turn_id,))


def put_to_rest(connection: apsw.Connection, transcript_ids: Iterable[int]) -> None:
    """No turn is under way in them: what has no end has none, what waits for a result gets none."""
    for transcript_id in transcript_ids:
        connection.execute(_MISS_RESULTS, (transcript_id,))
        tip: tuple[int, str, int | None] | None = connection.execute(_TIP, (transcript_id,)).fetchone()
        if tip is not None and tip[1] == IN_PROGRESS:
            status, at = status_of_words(connection, tip[0])
            ended = (ABORTED if status == IN_PROGRESS else status, at if at is not None else tip[2], tip[0])
            connection.execute(_END, ended)
        connection.execute(_ABORT, (transcript_id, tip[0] if tip is not None else None))


def status_of_words(connection: apsw.Connection, turn_id: int) -> tuple[str, int | None]:
    """How a turn stands by its messages alone, whatever a lock says, and since when."""
    step: tuple[int | None, str, str | None, int] | None = connection.execute(_LAST_STEP, (turn_id,)).fetchone()
    if step is None:
        return IN_PROGRESS, None
    at, role, stop_reason, calls = step
    return IN_PROGRESS if role == "toolResult" else status_after(stop_reason, calls), at
