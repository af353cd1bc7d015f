"""Words in what people and the model said, ranked, with snippets: SQLite's FTS5 over `messages.text`.

Bounded whatever the word: ranked are the newest hits only, however many there are. A query that FTS5 does not
understand is looked for word by word as it stands. What OpenClaw rewrote since, and copies of transcripts, are found
only when asked for; of a message that several transcripts repeat, one is shown.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import apsw

from syncd.errors import UserError
from syncd.ledger.reading.short_prefix import NEWEST, is_short_prefix, newest_hits
from syncd.ledger.transcripts import SQL_COPIES

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger

RANKED: Final = 2000
"""So many hits, the newest, are weighed against each other."""
_MAX_QUERY_CHARACTERS: Final = 1000
_SNIPPET_WORDS: Final = 24
_OPEN, _CLOSE = "\x02", "\x03"
_MARKS: Final = re.compile(f"{_OPEN}|{_CLOSE}")
_TERM: Final = re.compile(r'"([^"]*)"(\*?)|(\S+)')

_HITS = """SELECT search.rowid, {rank}, entries.entry_id, transcripts.id, transcripts.session_id, transcripts.agent_id,
      transcripts.installation_id, transcripts.lineage_id, entries.on_active_path, entries.superseded_in,
      messages.role, messages.at, {shown}
    FROM {source} {joined}
    WHERE {match}{conditions} ORDER BY search.rowid DESC LIMIT ?2"""
_WHERE_SAID = """CROSS JOIN entries ON entries.id = search.rowid
    CROSS JOIN transcripts ON transcripts.id = entries.transcript_id"""
_WHEN_SAID = "CROSS JOIN messages ON messages.id = search.rowid"
# FTS5's own grows with the square of a text's hits: a long text's snippet is cut here.
_LONGEST_FOR_FTS5: Final = 16_384
_SHORT_SNIPPET = f"""iif({{}} <= {_LONGEST_FOR_FTS5},
    snippet(search, 0, char(2), char(3), '…', {_SNIPPET_WORDS}), NULL)"""
_SNIPPET = _SHORT_SNIPPET.format("(SELECT text_bytes FROM messages AS said WHERE said.id = search.rowid)")
_WORD: Final = re.compile(r"\w+")
_OPERATORS: Final = frozenset({"AND", "OR", "NOT", "NEAR"})
_BEFORE, _AFTER = 60, 120  # characters around the first hit
_SESSION = """SELECT sessions.session_key, title FROM session_ids JOIN sessions ON sessions.id = session_ids.session
    WHERE session_ids.session_id = ? AND installation_id = ? ORDER BY ended_by IS NULL DESC, status, last_seen_at DESC
    LIMIT 1"""


class Wanted(NamedTuple):
    """Where to look; None: everywhere."""

    agent: str | None = None
    channel: str | None = None
    role: str | None = None
    since: int | None = None
    until: int | None = None
    transcripts: tuple[int, ...] | None = None
    everything: bool = False
    """Superseded lines and copies too, and each message as often as it is there."""


class Hit(NamedTuple):
    entry: int
    entry_id: str | None
    session_key: str | None
    session_id: str
    transcript_id: int
    agent_id: str
    title: str | None
    role: str
    at: int | None
    on_active_path: bool
    is_superseded: bool
    rank: float | None
    """Of bm25: the lower, the better; null where the newest come first."""
    snippet: str
    matches: list[tuple[int, int]]
    """Where in the snippet the words stand: start and end."""


class Found(NamedTuple):
    hits: list[Hit]
    is_literal: bool
    """The query was no valid one, and was looked for word by word."""
    is_cut: bool
    """There are more hits than were weighed."""
    has_words: bool
    """The query has a letter or a digit: nothing else is ever found."""


def search(ledger: Ledger, query: str, wanted: Wanted, limit: int, *, newest: bool = False) -> Found:
    """The best `limit` hits; to be used inside one read transaction. A query of nothing is a UserError."""
    plain = _as_utf8(query).replace("\0", " ").strip()
    if not plain:
        raise UserError("there is nothing to search for", 'give a word, a "phrase", or the start of a word: deploy*')
    if len(plain) > _MAX_QUERY_CHARACTERS:
        raise UserError(f"the query is longer than {_MAX_QUERY_CHARACTERS} characters", "search for less of it")
    expression = plain
    try:
        rows, is_cut = _rows(ledger, expression, wanted, limit, newest=newest)
    except apsw.SQLError:  # FTS5's word for syntax that it does not know
        expression = literal(plain)
        rows, is_cut = _rows(ledger, expression, wanted, limit, newest=newest)
    chosen = rows[:limit] if wanted.everything else _each_once(rows, limit)
    snippets = _snippets(ledger, expression, chosen)
    hits = [_hit(ledger, row, snippets.get(row[0], "")) for row in chosen]
    return Found(hits, expression != plain, is_cut, any(map(str.isalnum, plain)))


def _as_utf8(query: str) -> str:
    """What a shell without a locale passed on byte by byte is put together again."""
    try:
        return query.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:  # other lone surrogates
        return query.encode("utf-8", "replace").decode()


def literal(query: str) -> str:
    """The same words as plain terms: phrases stay phrases, a star at the end stays a prefix, all else is text."""
    terms = []
    for phrase, star, word in _TERM.findall(query):
        body, ending = (phrase, star) if not word else (word.rstrip("*"), "*" if word.endswith("*") else "")
        if body.strip():
            terms.append('"{}"{}'.format(body.replace('"', '""'), ending))
    return " ".join(terms) or '""'


def _rows(
    ledger: Ledger, expression: str, wanted: Wanted, limit: int, *, newest: bool
) -> tuple[list[tuple[Any, ...]], bool]:
    """The hits in their order, and whether there are more."""
    is_short = is_short_prefix(expression)
    by_time = newest or is_short  # weighing all words that begin with a letter or two costs more than it tells
    conditions, bindings = _conditions(wanted)
    look_at = max(limit * 4, 100) if by_time else max(RANKED, limit)
    # What can leave out most is asked first, and nothing else of what it leaves out.
    is_when = wanted.since is not None or wanted.until is not None
    is_where = any(each is not None for each in (wanted.agent, wanted.channel, wanted.transcripts))
    order = (_WHEN_SAID, _WHERE_SAID) if is_when and not is_where else (_WHERE_SAID, _WHEN_SAID)
    asked = partial(_HITS.format, joined=" ".join(order), conditions=conditions)
    if is_short and wanted.transcripts is None:
        newest_first = asked(rank="NULL", shown="search.text", source=NEWEST, match="?1 IS NOT NULL")
        size = _SHORT_SNIPPET.format("octet_length(text)")
        found = newest_hits(ledger, newest_first, (expression, -1, *bindings), expression, look_at, size)
        if found is not None:
            return found, True
    rank, shown = ("NULL", _SNIPPET) if by_time else ("search.rank", "NULL")
    query = asked(rank=rank, shown=shown, source="search", match="search MATCH ?1")
    rows = list(ledger.execute(query, (expression, look_at, *bindings)))
    if not by_time:
        rows.sort(key=lambda row: (row[1], -row[0]))
    return rows, len(rows) == look_at


def _conditions(wanted: Wanted) -> tuple[str, tuple[Any, ...]]:
    parts, values = [], []
    for condition, value in (
        ("transcripts.agent_id = ?{}", wanted.agent),
        (
            """EXISTS (SELECT 1 FROM session_ids JOIN sessions ON sessions.id = session_ids.session
                WHERE session_ids.session_id = transcripts.session_id AND channel = lower(?{}))""",
            wanted.channel,
        ),
        ("messages.role = ?{}", wanted.role),
        ("messages.at >= ?{}", wanted.since),
        ("messages.at < ?{}", wanted.until),
    ):
        if value is not None:
            values.append(value)
            parts.append(condition.format(len(values) + 2))
    if wanted.transcripts is not None:
        parts.append(f"entries.transcript_id IN ({', '.join(map(str, wanted.transcripts))})")
    if not wanted.everything:
        parts.append("entries.superseded_in IS NULL")
        if wanted.transcripts is None:
            parts.append(f"transcripts.kind NOT IN {SQL_COPIES}")
    return "".join(f" AND {part}" for part in parts), tuple(values)


def _each_once(rows: list[tuple[Any, ...]], limit: int) -> list[tuple[Any, ...]]:
    """Of what forks, successors and archives repeat, the one in a conversation as it stands, and of those the first."""
    best: dict[object, tuple[Any, ...]] = {}
    for row in rows:
        row_id, _, entry_id, _, _, _, _, lineage, on_path, *_ = row
        same = (lineage, entry_id) if entry_id is not None and lineage else row_id
        if same not in best or (on_path, -row_id) > (best[same][8], -best[same][0]):
            best[same] = row
    return list(best.values())[:limit]


def _snippets(ledger: Ledger, expression: str, rows: list[tuple[Any, ...]]) -> dict[int, str]:
    """By rowid. Rows that were not weighed have their own, or are too long for FTS5's."""
    found = {row[0]: row[-1] for row in rows if row[-1] is not None}
    found |= {row[0]: _cut(ledger, row[0], expression) for row in rows if row[-1] is None and row[1] is None}
    ids = sorted(row[0] for row in rows if row[0] not in found)
    if not ids:
        return found
    # A prefix is costly to look up, so then one walk serves all rows.
    these = f"rowid IN ({', '.join(map(str, ids))})"
    where, shown = these, _SNIPPET
    if "*" in expression:
        where, shown = f"rowid BETWEEN {ids[0]} AND {ids[-1]}", f"CASE WHEN {these} THEN {_SNIPPET} END"
    query = f"SELECT rowid, {shown} FROM search WHERE search MATCH ? AND {where}"
    found |= {row_id: text for row_id, text in ledger.execute(query, (expression,)) if text is not None}
    return found | {row_id: _cut(ledger, row_id, expression) for row_id in ids if row_id not in found}


def _cut(ledger: Ledger, row_id: int, expression: str) -> str:
    """The words around the first hit, letters compared without their case only; else how the text begins."""
    row = ledger.row("SELECT text FROM messages WHERE id = ?", (row_id,))
    text = row[0] if row is not None and row[0] else ""
    words = [re.escape(word) for word in _WORD.findall(expression) if word not in _OPERATORS]
    pattern = re.compile(rf"\b(?:{'|'.join(words)})", re.IGNORECASE) if words else None
    first = pattern.search(text) if pattern is not None else None
    start = max(0, first.start() - _BEFORE) if first is not None else 0
    end = (first.end() if first is not None else 0) + _AFTER
    window = text[start:end]
    marked = pattern.sub(lambda match: f"{_OPEN}{match[0]}{_CLOSE}", window) if pattern is not None else window
    return f"{'…' if start else ''}{marked}{'…' if end < len(text) else ''}"


def _hit(ledger: Ledger, row: tuple[Any, ...], marked: str) -> Hit:
    entry, rank, entry_id, transcript_id, session_id, agent_id, installation, _, on_path, superseded, role, at, _ = row
    key, title = ledger.row(_SESSION, (session_id, installation)) or (None, None)
    if title is None:  # no index knows it, or names it: as its own first words do
        (title,) = ledger.row("SELECT title FROM transcripts WHERE id = ?", (transcript_id,)) or (None,)
    snippet, matches = _unmarked(marked)
    return Hit(
        entry, entry_id, key, session_id, transcript_id, agent_id, title, role, at, bool(on_path),
        superseded is not None, rank, snippet, matches,
    )  # fmt: skip


def _unmarked(marked: str) -> tuple[str, list[tuple[int, int]]]:
    """The snippet without its marks, and where they stood; a text may hold such characters itself."""
    parts, matches, start, size = [], [], None, 0
    for piece in re.split(f"({_MARKS.pattern})", marked):
        if piece == _OPEN:
            start = size
        elif piece == _CLOSE:
            if start is not None:
                matches.append((start, size))
            start = None
        else:
            parts.append(piece)
            size += len(piece)
    return "".join(parts), matches
