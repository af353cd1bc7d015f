"""What sessions and transcripts know of each other: whose transcript it is, and the title its first words give.

Kept up by whoever changes one side, in the same transaction: the writer tells sessions of transcripts, the index's
changes look for theirs. Neither needs the other to have come first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from syncd.ledger import raw
from syncd.openclaw.titles import is_in_head, opening_of_lines, session_title

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript
    from syncd.openclaw.session_entries import SessionColumns
    from syncd.openclaw.titles import Opening

# Of several transcripts of one session id the one that OpenClaw would read: the agent's own, live, and no copy.
_WORDS = """SELECT title FROM transcripts WHERE session_id = ?1 AND installation_id = ?2
    AND kind IN ('primary', 'fork', 'successor', 'reset', 'deleted')
    ORDER BY agent_id IS ?4 DESC, state = 'live' DESC, topic_id IS ?3 DESC, id DESC LIMIT 1"""
_LINES_OF_USER = """SELECT line_no, byte_offset, byte_length FROM entries JOIN messages USING (id)
    WHERE entries.transcript_id = ? AND byte_offset < ? AND superseded_in IS NULL AND role = 'user'
    ORDER BY byte_offset"""
OWNER = """(SELECT session_ids.session FROM session_ids JOIN sessions ON sessions.id = session_ids.session
    WHERE session_ids.session_id = transcripts.session_id AND sessions.installation_id = transcripts.installation_id
    ORDER BY session_ids.agent_id = transcripts.agent_id DESC, ended_by IS NOT NULL, session_ids.last_seen_at DESC,
    session_ids.id DESC LIMIT 1)"""
"""Of a transcript, as a part of a query: the session that its id stands behind. Two agents may have one each under the
same id; where its own has none it is another's, since agents may share a place. NULL: no index names it.
"""
_ADOPT = f"""UPDATE transcripts SET session = coalesce({OWNER}, session) WHERE session_id = ? AND installation_id = ?
    AND session IS NOT coalesce({OWNER}, session)"""
_NAMES = """SELECT sessions.id, iif(titles_by_label, label, NULL), display_name, subject, thread_id, session_id,
    updated_at, installation_id, agent_id FROM sessions JOIN installations ON installations.id = installation_id
    WHERE """
_BY_LABEL = "SELECT titles_by_label FROM installations WHERE id = ?"


def tell_sessions(ledger: Ledger, transcripts: Iterable[Transcript]) -> None:
    """Of transcripts that are new, or whose session id or first words changed. Their rows are stored."""
    due = [each for each in transcripts if each.told != (each.session_id, each.title)]
    is_any_known = bool(due) and ledger.row("SELECT 1 FROM session_ids LIMIT 1") is not None
    for transcript in due:
        if is_any_known:  # not in a first catch-up, which reads the index last
            _tell(ledger.connection, transcript)
        transcript.told = (transcript.session_id, transcript.title)


def _tell(connection: apsw.Connection, transcript: Transcript) -> None:
    of_session = (transcript.installation_id, transcript.session_id)
    adopt_transcripts(connection, *of_session)
    _retitle(connection, "installation_id = ? AND session_id = ?", of_session)


def call_by_label(connection: apsw.Connection, installation_id: int) -> None:
    """From now on the label is the first name of a session: it is a release that does so."""
    if not connection.execute(_BY_LABEL, (installation_id,)).get:
        connection.execute("UPDATE installations SET titles_by_label = 1 WHERE id = ?", (installation_id,))
        _retitle(connection, "installation_id = ? AND label IS NOT NULL", (installation_id,))


def _retitle(connection: apsw.Connection, condition: str, bindings: tuple[Any, ...]) -> None:
    found: list[tuple[Any, ...]] = connection.execute(_NAMES + condition, bindings).fetchall()
    for session, *names, thread_id, session_id, updated_at, in_installation, agent_id in found:
        words = _words(connection, in_installation, agent_id, session_id, thread_id)
        title = session_title(names, words, session_id, updated_at)
        connection.execute("UPDATE sessions SET title = ?1 WHERE id = ?2 AND title IS NOT ?1", (title, session))


def opening_before(ledger: Ledger, transcript: Transcript, offset: int) -> Opening:
    """What lines before `offset`, which is in the head, say of the transcript: all others are of the past."""
    head = b"".join(part for _, part in raw.blocks(ledger, transcript.id, transcript.generation, 0, offset))
    found = ledger.execute(_LINES_OF_USER, (transcript.id, offset))
    lines = [head[start : start + length] for line_no, start, length in found if is_in_head(line_no, start, length)]
    return opening_of_lines(lines, has_cwd=transcript.cwd is not None)


def title_of(connection: apsw.Connection, installation_id: int, agent_id: str, columns: SessionColumns) -> str | None:
    """Of an agent's session whose entry says this."""
    words = None
    if columns.session_id is not None:
        words = _words(connection, installation_id, agent_id, columns.session_id, columns.thread_id)
    by_label = connection.execute(_BY_LABEL, (installation_id,)).get if columns.label is not None else None
    names = (columns.label if by_label else None, columns.display_name, columns.subject)
    return session_title(names, words, columns.session_id, columns.updated_at)


def adopt_transcripts(connection: apsw.Connection, installation_id: int, session_id: str) -> None:
    """The transcripts of a session id are those of the sessions that it stands behind, as these are known by now."""
    connection.execute(_ADOPT, (session_id, installation_id))


def _words(
    connection: apsw.Connection, installation_id: int, agent_id: str, session_id: str, thread_id: str | None
) -> str | None:
    words: str | None = connection.execute(_WORDS, (session_id, installation_id, thread_id, agent_id)).get
    return words
