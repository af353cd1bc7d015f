"""A transcript as the writer holds it: identity, cursor and header facts, loaded from and stored to its row.

The cursor (`bytes`, `lines`, `generation`) moves in memory while rows are made and reaches the ledger in the same
transaction as those rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from syncd.errors import UserError
from syncd.ledger.row_checksums import row_checksum
from syncd.ledger.unfinished import status_of_words
from syncd.openclaw.entries import header_version
from syncd.openclaw.file_kinds import COPY_KINDS, RAW_KINDS
from syncd.openclaw.letter_case import folded
from syncd.openclaw.timestamps import to_epoch_ms
from syncd.openclaw.titles import Opening
from syncd.openclaw.turns import IN_PROGRESS, TURN_FIELDS, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from syncd.ledger.database import Ledger
    from syncd.ledger.growth import Growth


def _sql_list(kinds: Iterable[str]) -> str:
    return "({})".format(", ".join(f"'{kind}'" for kind in sorted(kinds)))


_COLUMNS = (
    "id, installation_id, agent_id, session_id, topic_id, path, kind, parent_transcript_id, parent_session,"
    " lineage_id, cwd, header_version, started_at, leaf_entry_id, append_entry_id, is_tree_due, tip_turn_id,"
    " generation, bytes, lines, tail_bytes, open_bytes, file_sha256, state, projection, first_seen_at, changed_at,"
    " title, mentions"
)

_STORED = f"{_COLUMNS}, folded_cwd"
_INSERT = f"INSERT INTO transcripts ({_STORED}) VALUES ({', '.join('?' * len(_STORED.split(',')))})"
UPDATE = """UPDATE transcripts SET lineage_id = iif(session_id IS ?1 AND parent_session IS ?5 OR lineage_id != id
    OR parent_transcript_id IS NOT NULL, lineage_id, 0), session_id = ?1, topic_id = ?2, path = ?3, kind = ?4,
    parent_session = ?5, cwd = ?, header_version = ?, started_at = ?, leaf_entry_id = ?, append_entry_id = ?,
    is_tree_due = ?, tip_turn_id = ?, generation = ?, bytes = ?, lines = ?, tail_bytes = ?, open_bytes = ?,
    file_sha256 = ?, state = ?, projection = ?, changed_at = ?, title = ?, mentions = ?, folded_cwd = ?
    WHERE id = ?"""
"""Its parent and lineage are found beside the lines, and whoever holds the transcript may not know of them; where its
header comes late, or is another now, they are to be looked for again."""
# Most appends change nothing that stands in an index: each one named would be a page more to write and to sync.
_GO_ON = """UPDATE transcripts SET leaf_entry_id = ?, append_entry_id = ?, is_tree_due = ?, bytes = ?, lines = ?,
    tail_bytes = ?, open_bytes = ?, changed_at = ?,
    checksum = iif(checksum = -1, -1, (checksum & 0xFFFFFFFF) | (? << 32)) WHERE id = ?"""
_SET_TIP = "UPDATE transcripts SET tip_turn_id = ? WHERE id = ?"

SQL_COPIES = _sql_list(COPY_KINDS)
SQL_NO_SESSIONS = _sql_list((COPY_KINDS | RAW_KINDS) - {"import_archive"})
"""Kinds that are no session of their own. What an import moved away may be all there is of one."""
NOT_LINKED = 0
"""`lineage_id` of a transcript whose parent was not looked for yet."""
_OPENING_LIMIT = 16
# Looked for among the first entries only: a file that never had one would be searched at every append.
_HEADER = """SELECT 1 FROM (SELECT type FROM entries WHERE transcript_id = ? AND superseded_in IS NULL
    ORDER BY byte_offset LIMIT 64) WHERE type = 'session'"""
_ONE = f"SELECT {_COLUMNS} FROM transcripts WHERE id = ?"
_TURN = f"SELECT {', '.join(TURN_FIELDS)} FROM turns WHERE id = ?"


@dataclass(slots=True, eq=False)
class Transcript:
    """One row of `transcripts`, mutable while it is being read."""

    id: int
    installation_id: int
    agent_id: str
    session_id: str
    topic_id: str | None
    path: str
    kind: str
    parent_transcript_id: int | None
    parent_session: str | None
    lineage_id: int
    cwd: str | None
    header_version: str | None
    started_at: int | None
    leaf_entry_id: str | None
    append_entry_id: str | None
    is_tree_due: bool
    tip_turn_id: int | None
    generation: int
    bytes: int
    lines: int
    tail_bytes: int
    open_bytes: int
    file_sha256: str | None
    state: str
    projection: int
    first_seen_at: int
    changed_at: int
    title: str | None = None
    mentions: str | None = None
    is_stored: bool = True
    is_opening: bool = False
    turn: Turn | None = None
    """The turn at the tip of the conversation."""
    is_beside: bool = False
    """The entry at hand is no step of the conversation."""
    growth: Growth | None = None
    """Its tree in memory, as far as it is known; None: only lines that simply go on can be placed."""
    is_more_at_hand: bool = False
    """More lines follow at once: what is due can wait for them."""
    opening_ids: list[str | None] = field(default_factory=list)
    is_header_due: bool = field(init=False)
    told: tuple[str, str | None] | None = field(init=False)
    """Session id and title as its session was last told them; None = not yet."""
    _stored_facts: tuple[Any, ...] | None = field(init=False)
    _stored_tip: int | None = field(init=False)

    def __post_init__(self) -> None:
        self.is_header_due = self.bytes == 0
        self.told = (self.session_id, self.title) if self.is_stored else None
        self._stored_facts, self._stored_tip = self._facts() if self.is_stored else None, self.tip_turn_id

    @property
    def opening(self) -> Opening:
        return Opening(self.title, self.mentions)

    @opening.setter
    def opening(self, value: Opening) -> None:
        self.title, self.mentions = value

    def tree_falls_due(self) -> None:
        """Its entries are to be placed anew, all of them: no line from here on can be placed by itself."""
        self.is_tree_due, self.growth = True, None

    def take_header(self, value: dict[str, Any], at: int | None) -> None:
        """The first header names the session; a later one (a known bug of old writers) changes nothing.

        A header that was rewritten, as a migration of its version does, is read again.
        """
        is_rewritten = self.is_header_due and value.get("id") == self.session_id
        self.is_header_due = False
        if self.header_version is not None and not is_rewritten:
            return
        self.header_version = header_version(value)
        if isinstance(header_id := value.get("id"), str) and header_id:
            self.session_id = header_id
        self.started_at = at if at is not None else to_epoch_ms(value.get("timestamp"))
        self.cwd = cwd if isinstance(cwd := value.get("cwd"), str) else None
        parent = value.get("parentSession")
        self.parent_session = parent if isinstance(parent, str) and parent else None
        if self.kind in ("primary", "fork", "successor"):
            is_fork = self.parent_session is not None
            self.kind = "fork" if is_fork else "primary"
            self.is_opening, self.opening_ids = is_fork, []

    def is_second_header(self) -> bool:
        """Would a header at the cursor be one too many?"""
        return self.header_version is not None and not self.is_header_due

    def note_opening(self, entry_type: str, entry_id: str | None) -> None:
        """Remember the entries up to the first message: note_compaction asks for them."""
        self.opening_ids.append(entry_id)
        if entry_type == "message" or len(self.opening_ids) >= _OPENING_LIMIT:
            self.is_opening = False

    def recall_opening(self, entries: Iterable[tuple[str, str | None]]) -> None:
        """What an earlier reading of this file knew: (type, id) of its first entries, in order."""
        for entry_type, entry_id in entries:
            if self.is_opening:
                self.note_opening(entry_type, entry_id)
            elif not self.opening_ids:
                self.is_opening = entry_type == "session"

    def note_compaction(self, first_kept_entry_id: str | None) -> None:
        """A file that begins with what a compaction kept is the successor which that compaction made, not a fork."""
        if self.kind == "fork" and first_kept_entry_id is not None and first_kept_entry_id in self.opening_ids:
            self.kind = "successor"

    def _insert_row(self) -> tuple[Any, ...]:
        return (
            self.id, self.installation_id, self.agent_id, self.session_id, self.topic_id, self.path, self.kind,
            self.parent_transcript_id, self.parent_session, self.lineage_id, self.cwd, self.header_version,
            self.started_at, self.leaf_entry_id, self.append_entry_id, int(self.is_tree_due), self._tip_turn_id(),
            self.generation, self.bytes, self.lines, self.tail_bytes, self.open_bytes, self.file_sha256, self.state,
            self.projection, self.first_seen_at, self.changed_at, self.title, self.mentions, self._folded_cwd(),
        )  # fmt: skip

    def update_row(self) -> tuple[Any, ...]:
        return (
            self.session_id, self.topic_id, self.path, self.kind, self.parent_session, self.cwd,
            self.header_version, self.started_at, self.leaf_entry_id, self.append_entry_id, int(self.is_tree_due),
            self._tip_turn_id(), self.generation, self.bytes, self.lines, self.tail_bytes, self.open_bytes,
            self.file_sha256, self.state, self.projection, self.changed_at, self.title, self.mentions,
            self._folded_cwd(), self.id,
        )  # fmt: skip

    def store(self, connection: apsw.Connection) -> None:
        """Its present facts, in the transaction of whoever calls."""
        facts, tip = self._facts(), self._tip_turn_id()
        if not self.is_stored:
            connection.execute(_INSERT, self._insert_row())
        elif facts != self._stored_facts:
            connection.execute(UPDATE, self.update_row())
        else:
            where = (self.leaf_entry_id, self.append_entry_id, int(self.is_tree_due), self.bytes, self.lines)
            time_sum = row_checksum(self.id, self.changed_at)
            bindings = (*where, self.tail_bytes, self.open_bytes, self.changed_at, time_sum, self.id)
            connection.execute(_GO_ON, bindings)
            if tip != self._stored_tip:
                connection.execute(_SET_TIP, (tip, self.id))
        self.is_stored, self._stored_facts, self._stored_tip = True, facts, tip

    def _facts(self) -> tuple[Any, ...]:
        """All that `_GO_ON` leaves alone, but for the tip."""
        return (
            self.session_id, self.topic_id, self.path, self.kind, self.parent_session, self.cwd, self.header_version,
            self.started_at, self.generation, self.file_sha256, self.state, self.projection, self.title, self.mentions,
        )  # fmt: skip

    def _folded_cwd(self) -> str | None:
        return None if self.cwd is None else folded(self.cwd)

    def _tip_turn_id(self) -> int | None:
        return self.turn.id if self.turn is not None else self.tip_turn_id


def load(ledger: Ledger, transcript_id: int, as_kind: str | None = None) -> Transcript:
    """The transcript of that id, which must exist."""
    row = ledger.row(_ONE, (transcript_id,))
    assert row is not None
    transcript = Transcript(*row)
    transcript.kind = as_kind or transcript.kind
    if transcript.generation > 1 and transcript.bytes:
        transcript.is_header_due = lacks_header(ledger, transcript_id)
    if transcript.tip_turn_id is not None and (row := ledger.row(_TURN, (transcript.tip_turn_id,))) is not None:
        turn = transcript.turn = Turn(*row)
        if turn.status == IN_PROGRESS and turn.ended_at is None:  # perhaps only a lock says so
            turn.status, turn.ended_at = status_of_words(ledger.connection, turn.id)
    if transcript.kind == "fork":
        first_entries = """SELECT type, entry_id FROM entries WHERE transcript_id = ? AND superseded_in IS NULL
            ORDER BY byte_offset LIMIT ?"""
        transcript.recall_opening(ledger.execute(first_entries, (transcript_id, _OPENING_LIMIT + 1)))
    return transcript


def generation_asked_for(transcript: Transcript, generation: int | None) -> int:
    """None is the present one; UserError where there is no such."""
    if generation is None:
        return transcript.generation
    if not 1 <= generation <= transcript.generation:
        has = "only generation 1" if transcript.generation == 1 else f"generations 1 to {transcript.generation}"
        title = f"transcript {transcript.id} has {has}, not {generation}"
        raise UserError(title, "leave --generation out for the present one")
    return generation


def lacks_header(ledger: Ledger, transcript_id: int) -> bool:
    """Has a rewrite taken the header away? The next one that comes says again what the file is, whenever that is."""
    return ledger.row(_HEADER, (transcript_id,)) is None


def live_kind(ledger: Ledger, transcript: Transcript, first_kept: Iterable[str | None]) -> str:
    """What a transcript was before it was archived. `first_kept`: of each of its compactions."""
    if transcript.parent_session is None:
        return "primary"
    found = load(ledger, transcript.id, as_kind="fork")
    for entry_id in first_kept:
        found.note_compaction(entry_id)
    return found.kind


def load_where(ledger: Ledger, condition: str, bindings: tuple[Any, ...]) -> list[Transcript]:
    """Transcripts in order of their id; `condition` is our own SQL."""
    query = f"SELECT {_COLUMNS} FROM transcripts WHERE {condition} ORDER BY id"
    return [Transcript(*row) for row in ledger.execute(query, bindings)]
