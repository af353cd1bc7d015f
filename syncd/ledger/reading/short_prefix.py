"""Hits of a prefix of a letter or two among the newest messages, without FTS5's walk through all words that begin so.

Nearly every text has such a word: the newest few hundred, in a small index of their own, hold as many hits as are
asked for. Answers what the large index would, or nothing: then that one is to be asked. Only reads the ledger.
"""

from __future__ import annotations

import re
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import apsw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.database import Ledger

_SHORT_PREFIX: Final = re.compile(r"""(?<!\w)\w{1,2}"?\s*\*""")
_MESSAGES: Final = 250
_TEXT_CHARACTERS: Final = 262_144
NEWEST: Final = """(SELECT id AS rowid, text FROM messages WHERE text IS NOT NULL AND role IN ('user', 'assistant')
    ORDER BY id DESC LIMIT 2000) AS search"""
"""SQL in the place of `search`: what is there to be found, the newest of it."""


def is_short_prefix(expression: str) -> bool:
    return _SHORT_PREFIX.search(expression) is not None


def newest_hits(
    ledger: Ledger, candidates: str, bindings: tuple[Any, ...], expression: str, wanted: int, snippet: str
) -> list[tuple[Any, ...]] | None:
    """Exactly `wanted` rows of `candidates`, whose last column is the text, with a snippet for it; or None.

    `candidates` selects from NEWEST, the newest first, and begins with the rowid. apsw.SQLError as FTS5 raises it.
    """
    if wanted > _MESSAGES:
        return None
    rows = {row[0]: row for row in islice(_short_enough(ledger.execute(candidates, bindings)), _MESSAGES)}
    with closing(apsw.Connection(":memory:")) as small:
        small.execute("CREATE VIRTUAL TABLE search USING fts5(text)")
        with small:
            small.executemany(
                "INSERT INTO search (rowid, text) VALUES (?, ?)", [(row[0], row[-1]) for row in rows.values()]
            )
        asked = f"SELECT rowid, {snippet} FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ?"
        hits = [(*rows[rowid][:-1], shown) for rowid, shown in small.execute(asked, (expression, wanted))]
    return hits if len(hits) == wanted else None


def _short_enough(rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    left = _TEXT_CHARACTERS
    for row in rows:
        left -= len(row[-1])
        if left < 0:
            return
        yield row
