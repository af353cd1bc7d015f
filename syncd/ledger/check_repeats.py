"""Does each answer count once? Which repeat which, counted again from the rows, not as `originals` keeps it up.

SQLite sorts the answers of each lineage by id and by facts; only those that meet again are held in memory. Lineages
whose parents are still to be looked for, or whose rows are to be derived anew, are not judged: the next catch-up does
that. Only reads, inside the caller's read transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from syncd.ledger.projection import VERSION
from syncd.ledger.transcripts import NOT_LINKED
from syncd.openclaw.file_kinds import COPY_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.database import Ledger

_AT_ONCE: Final = 5000
_USAGE: Final = "input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, total_tokens, cost_total"
_FACTS: Final = f"messages.at, provider, model, response_id, {_USAGE}"
_IS_ANSWER: Final = "role = 'assistant' AND is_delivery_mirror = 0"
_PENDING: Final = f"""(SELECT iif(lineage_id = {NOT_LINKED}, id, lineage_id) FROM transcripts
    WHERE lineage_id = {NOT_LINKED} OR projection != {VERSION})"""
_SETTLED: Final = f"""(SELECT id FROM transcripts WHERE lineage_id != {NOT_LINKED}
    AND lineage_id NOT IN {_PENDING})"""
_ANSWERS: Final = f"""messages CROSS JOIN entries ON entries.id = messages.id
    CROSS JOIN transcripts ON transcripts.id = messages.transcript_id
    WHERE {_IS_ANSWER} AND messages.transcript_id IN {_SETTLED}"""
_MEETINGS: Final = f"""SELECT id, first FROM (
      SELECT messages.id, min(messages.id) OVER (PARTITION BY lineage_id, entry_id) AS first
      FROM {_ANSWERS} AND entry_id IS NOT NULL
      UNION ALL
      SELECT messages.id, min(messages.id) OVER (PARTITION BY lineage_id, {_FACTS})
      FROM {_ANSWERS} AND messages.at IS NOT NULL)
    WHERE id != first"""
_VERSIONS: Final = f"""SELECT messages.id, messages.transcript_id, kind, started_at, entries.generation, byte_offset,
      coalesce({_USAGE}) IS NOT NULL, {_FACTS} FROM json_each(?) AS given
    CROSS JOIN messages ON messages.id = given.value CROSS JOIN entries ON entries.id = messages.id
    CROSS JOIN transcripts ON transcripts.id = messages.transcript_id"""
_KEPT: Final = f"""SELECT message_id, counted_id FROM _repeats JOIN messages ON messages.id = message_id
    WHERE transcript_id IN {_SETTLED}"""
# Which version is the newest goes by when transcripts began. Where a header was rewritten to say otherwise, an answer
# of before is still counted as it was decided then.
_BEGAN_OTHERWISE: Final = """SELECT transcripts.id FROM transcripts WHERE lineage_id IN (
    SELECT lineage_id FROM transcripts JOIN entries ON entries.transcript_id = transcripts.id AND byte_offset = 0
    WHERE transcripts.generation > 1 AND type = 'session' AND entries.at IS NOT started_at)"""
_ID_ROWS: Final = f"""SELECT messages.transcript_id, substr(entry_id, -8), messages.id FROM messages
    CROSS JOIN entries ON entries.id = messages.id WHERE {_IS_ANSWER} AND entry_id IS NOT NULL"""
_ID_ROWS_KEPT: Final = "SELECT transcript_id, id_tail, message_id FROM _answer_ids"
_UNDERIVED: Final = f"(SELECT id FROM transcripts WHERE projection != {VERSION})"
_IDS_AT_ODDS: Final = "SELECT * FROM ({} EXCEPT {}) WHERE transcript_id NOT IN {}"


class _Version(NamedTuple):
    id: int
    transcript_id: int
    kind: str
    started_at: int | None
    generation: int
    byte_offset: int
    tells_usage: int
    facts: tuple[Any, ...]


class RepeatFault(NamedTuple):
    message: str
    transcript_id: int | None


def repeat_faults(ledger: Ledger) -> Iterator[RepeatFault]:
    """Where `_repeats` and `_answer_ids` are not what follows from the answers."""
    kept: dict[int, int] = dict(ledger.execute(_KEPT))
    expected = dict(_expected(ledger, kept))
    for message_id in sorted({message_id for message_id, _ in expected.items() ^ kept.items()}):
        right, found = expected.get(message_id), kept.get(message_id)
        is_counted = "is counted" if found is None else f"is counted as answer {found}"
        repeats = "it repeats none" if right is None else f"it repeats answer {right}"
        yield RepeatFault(f"answer {message_id} {is_counted}, but {repeats}", _transcript_of(ledger, message_id))
    missing = _IDS_AT_ODDS.format(_ID_ROWS, _ID_ROWS_KEPT, _UNDERIVED)
    for transcript_id, _, message_id in ledger.execute(missing):
        yield RepeatFault(f"answer {message_id} would not be found by its id", transcript_id)
    spurious = _IDS_AT_ODDS.format(_ID_ROWS_KEPT, _ID_ROWS, _UNDERIVED)
    for transcript_id, tail, message_id in ledger.execute(spurious):
        yield RepeatFault(f"answer {message_id} would be found by the id {tail}, which it has not", transcript_id)


def _expected(ledger: Ledger, kept: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Each repeat and the answer that counts in its place."""
    family_of: dict[int, int] = {}
    for pair in ledger.execute(_MEETINGS):
        one, other = (_head(family_of, message_id) for message_id in pair)
        family_of[max(one, other)] = min(one, other)
    families: dict[int, list[int]] = {}
    for message_id in family_of:
        families.setdefault(_head(family_of, message_id), []).append(message_id)
    began_otherwise = {row[0] for row in ledger.execute(_BEGAN_OTHERWISE)}
    for versions in _in_groups(ledger, list(families.values())):
        newest = max(versions, key=_newness)
        counted = min((each for each in versions if each.facts == newest.facts), key=_remoteness).id
        if newest.transcript_id in began_otherwise:
            counted = next((each.id for each in versions if each.id not in kept), counted)
        yield from ((each.id, counted) for each in versions if each.id != counted)


def _head(family_of: dict[int, int], message_id: int) -> int:
    while (above := family_of.setdefault(message_id, message_id)) != message_id:
        family_of[message_id] = family_of[above]
        message_id = above
    return message_id


def _in_groups(ledger: Ledger, families: list[list[int]]) -> Iterator[list[_Version]]:
    while families:
        some: list[list[int]] = []
        while families and (not some or sum(map(len, some)) < _AT_ONCE):
            some.append(families.pop())
        ids = orjson.dumps([message_id for family in some for message_id in family]).decode()
        found = {row[0]: _Version._make((*row[:7], row[7:])) for row in ledger.execute(_VERSIONS, (ids,))}
        yield from ([found[message_id] for message_id in family] for family in some)


def _newness(version: _Version) -> tuple[Any, ...]:
    """What tells its usage before what does not, a copy last; then the latest."""
    started_at = -1 if version.started_at is None else version.started_at
    is_own = version.kind not in COPY_KINDS
    return version.tells_usage, is_own, version.generation, started_at, version.transcript_id, version.byte_offset


def _remoteness(version: _Version) -> tuple[Any, ...]:
    """From where it was first said."""
    began = (version.started_at is None, version.started_at or 0)
    return version.kind in COPY_KINDS, began, version.transcript_id, -version.generation, version.byte_offset


def _transcript_of(ledger: Ledger, message_id: int) -> int | None:
    row = ledger.row("SELECT transcript_id FROM messages WHERE id = ?", (message_id,))
    return None if row is None else int(row[0])
