"""Which answers are the same original, so that what was spent is counted once.

Forks, copies, rewrites and replays repeat an answer: within one lineage under its entry id, or under another id with
the same facts. `_repeats` names, for each repeat, the answer that is counted in its place; one that is not there counts
itself. Kept up in the transaction that brings the rows, at a cost that depends on the new ones and on their repeats
only. Inside a lineage what is the same original stays so: rows are added, lineages united, never parted.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from syncd.ledger.transcripts import NOT_LINKED
from syncd.openclaw.file_kinds import COPY_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import apsw

_AT_ONCE = 5000
_USAGE = (
    "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "total_tokens", "cost_total",
)  # fmt: skip
_FACTS = ("at", "provider", "model", "response_id", *_USAGE)

_IS_ANSWER = "{0}.role = 'assistant' AND {0}.is_delivery_mirror = 0"
SAME_FACTS = " AND ".join(
    [f"twin.{_FACTS[0]} = answer.{_FACTS[0]}", *[f"twin.{name} IS answer.{name}" for name in _FACTS[1:]]]
)
"""SQL: `twin` and `answer` are the same original, if they are of one lineage."""
_KEEP_IDS = f"""INSERT INTO _answer_ids (transcript_id, id_tail, message_id)
    SELECT answer.transcript_id, substr(line.entry_id, -8), answer.id
    FROM messages AS answer CROSS JOIN entries AS line ON line.id = answer.id
    WHERE {{}} AND {_IS_ANSWER.format("answer")} AND line.entry_id IS NOT NULL ORDER BY 1, 2"""

_KEEP_IDS_OF_NEW = _KEEP_IDS.format("answer.id BETWEEN ? AND ?")


def _twins(place: str, relatives: str = "") -> tuple[str, str]:
    """SQL of one answer with the same id, and of one with the same facts, in transcript `place`.

    One is enough: the others are known to be the same original as that one.
    """
    by_id = f"""(SELECT known.message_id FROM {relatives} _answer_ids AS known
        CROSS JOIN entries AS other ON other.id = known.message_id
        WHERE {place.format("known.transcript_id")} AND known.id_tail = substr(line.entry_id, -8)
        AND known.message_id < {{before}} AND other.entry_id = line.entry_id LIMIT 1)"""
    by_facts = f"""(SELECT twin.id FROM {relatives} messages AS twin INDEXED BY messages_by_answer
        WHERE {place.format("twin.transcript_id")} AND {_IS_ANSWER.format("twin")} AND {SAME_FACTS}
        AND twin.id < {{before}} LIMIT 1)"""
    return by_id, by_facts


_RELATIVES = "transcripts AS relative CROSS JOIN"
_OWN = _twins("{} = own.id")
_OTHERS = _twins("{} = relative.id AND relative.lineage_id = own.lineage_id AND relative.id != own.id", _RELATIVES)
_ACROSS = _twins("{} = relative.id AND relative.lineage_id = ?2", _RELATIVES)
_IS_LINKED = f"own.lineage_id != {NOT_LINKED}"
# An answer older than its transcript's header was replayed from another session, which `replays` finds.
_IS_REPLAY = """answer.at < own.started_at AND own.lineage_id = own.id
    AND own.parent_transcript_id IS NULL AND own.parent_session IS NULL"""
_LINE = "CROSS JOIN entries AS line ON line.id = answer.id"
_OWN_TRANSCRIPT = "CROSS JOIN transcripts AS own ON own.id = answer.transcript_id"


def _repeating(answers: str, replay: str, twins: Iterable[str], before: str) -> str:
    """SQL of (answer, transcript that is a replay, twins) for those among `answers` that have any of it."""
    columns = [replay, *twins]
    named = ", ".join(f"{column} AS c{number}" for number, column in enumerate(columns))
    some = " OR ".join(f"c{number} IS NOT NULL" for number in range(len(columns)))
    return f"SELECT * FROM (SELECT answer.id, {named} FROM {answers}) WHERE {some}".replace("{before}", before)


_IN_ITS_LINEAGE = (
    f"CASE WHEN {_IS_REPLAY} THEN own.id END",
    [*_OWN, *[f"CASE WHEN {_IS_LINKED} THEN {twin} END" for twin in _OTHERS]],
    "answer.id",
)
_OF_THESE = _repeating(
    f"""json_each(?1) AS given CROSS JOIN messages AS answer ON answer.id = given.value {_LINE} {_OWN_TRANSCRIPT}
        WHERE {_IS_ANSWER.format("answer")}""",
    *_IN_ITS_LINEAGE,
)
_OF_LINEAGE = _repeating(
    f"""transcripts AS own CROSS JOIN messages AS answer INDEXED BY messages_by_answer
        ON answer.transcript_id = own.id {_LINE}
        WHERE own.lineage_id = ?1 AND (?3 IS NULL OR own.id = ?3) AND {_IS_ANSWER.format("answer")}""",
    "NULL",
    _ACROSS,
    str(2**63 - 1),
)
_LOOK_AGAIN = f"UPDATE transcripts SET lineage_id = {NOT_LINKED} WHERE id = ?"
_PUT_REPEAT = "INSERT OR REPLACE INTO _repeats (message_id, counted_id) VALUES (?, ?)"
_REPEATS_OF = "SELECT message_id, counted_id FROM _repeats WHERE {} IN (SELECT value FROM json_each(?))"
_VERSIONS = f"""SELECT answer.id, {", ".join(f"answer.{name}" for name in _FACTS)}, line.generation, line.byte_offset,
    own.id, own.started_at, own.kind FROM json_each(?) AS given CROSS JOIN messages AS answer ON answer.id = given.value
    {_LINE} {_OWN_TRANSCRIPT}"""
_COUNTED_OF_TRANSCRIPT = f"""SELECT coalesce(_repeats.counted_id, answer.id)
    FROM messages AS answer INDEXED BY messages_by_answer LEFT JOIN _repeats ON _repeats.message_id = answer.id
    WHERE answer.transcript_id = ? AND {_IS_ANSWER.format("answer")} AND (_repeats.message_id IS NOT NULL
    OR answer.id IN (SELECT counted_id FROM _repeats))"""


class _Version(NamedTuple):
    """One appearance of an original."""

    id: int
    facts: tuple[object, ...]
    generation: int
    byte_offset: int
    transcript_id: int
    started_at: int | None
    is_copy: bool

    def newness(self) -> tuple[object, ...]:
        """Of two versions the newer is the greater. One that tells nothing of its cost is no version of the cost."""
        tells = any(value is not None for value in self.facts[-len(_USAGE) :])
        started_at = -1 if self.started_at is None else self.started_at
        return tells, not self.is_copy, self.generation, started_at, self.transcript_id, self.byte_offset

    def distance(self) -> tuple[object, ...]:
        """Of two equal versions the one nearer to the place where it was first said is the smaller."""
        started_at = (1, 0) if self.started_at is None else (0, self.started_at)
        return self.is_copy, started_at, self.transcript_id, -self.generation, self.byte_offset


def keep_ids_again(connection: apsw.Connection, transcript_id: int) -> None:
    """By which the answers of one transcript are found: made again from the rows that it has."""
    connection.execute("DELETE FROM _answer_ids WHERE transcript_id = ?", (transcript_id,))
    connection.execute(_KEEP_IDS.format("answer.transcript_id = ?"), (transcript_id,))


def note_answers(connection: apsw.Connection, first_id: int, last_id: int, doubtful: list[int]) -> None:
    """The answers among these new rows: find what the doubtful ones repeat, in their transcript and in its lineage."""
    connection.execute(_KEEP_IDS_OF_NEW, (first_id, last_id))
    rejoin(connection, doubtful)


def unite_lineages(connection: apsw.Connection, lineage_id: int, elder_id: int, only_id: int | None = None) -> None:
    """Two lineages are about to be one: find what the one, or only one transcript of it, repeats of the other."""
    _note(connection, connection.execute(_OF_LINEAGE, (lineage_id, elder_id, only_id)))


def part_from(connection: apsw.Connection, transcript_id: int) -> list[int]:
    """The transcript's rows are about to go: nothing is a repeat of them any more. `rejoin` is due for the result."""
    counted = [row[0] for row in connection.execute(_COUNTED_OF_TRANSCRIPT, (transcript_id,))]
    repeats = list(connection.execute(_REPEATS_OF.format("counted_id"), (_json(counted),)))
    connection.executemany("DELETE FROM _repeats WHERE message_id = ?", [(row[0],) for row in repeats])
    return sorted({*counted, *[row[0] for row in repeats]})


def rejoin(connection: apsw.Connection, message_ids: list[int]) -> None:
    """Those that are still there may be repeats, of each other as well."""
    if message_ids:
        _note(connection, connection.execute(_OF_THESE, (_json(message_ids),)))


def _note(connection: apsw.Connection, found: Iterator[tuple[Any, ...]]) -> None:
    while rows := list(islice(found, _AT_ONCE)):
        replays = {row[1] for row in rows if row[1] is not None}
        connection.executemany(_LOOK_AGAIN, [(transcript_id,) for transcript_id in replays])
        _unite(connection, [(row[0], twin) for row in rows for twin in row[2:] if twin is not None])


def _unite(connection: apsw.Connection, pairs: list[tuple[int, int]]) -> None:
    """Make one original of each pair, and of all they are already one with: those that count stand for the others."""
    if not pairs:
        return
    ids = _json({message_id for pair in pairs for message_id in pair})
    counted = dict(connection.execute(_REPEATS_OF.format("message_id"), (ids,)))
    one_of: dict[int, int] = {}
    for one, other in pairs:
        one_of[_root(one_of, counted.get(one, one))] = _root(one_of, counted.get(other, other))
    families: dict[int, list[_Version]] = {}
    for version in _versions(connection, one_of):
        families.setdefault(_root(one_of, version.id), []).append(version)
    for versions in families.values():
        if len(versions) > 1:
            _count_one(connection, versions)


def _root(one_of: dict[int, int], message_id: int) -> int:
    path = []
    while (above := one_of.setdefault(message_id, message_id)) != message_id:
        path.append(message_id)
        message_id = above
    for passed in path:
        one_of[passed] = message_id
    return message_id


def _count_one(connection: apsw.Connection, candidates: list[_Version]) -> None:
    """Of answers that counted each for itself, and for its repeats, only one does from now on."""
    versions = candidates
    if any(version.facts != candidates[0].facts for version in candidates):
        # Which version is the newest is for all to say: the one that counts is not the newest, only equal to it.
        ids = {version.id for version in candidates}
        repeats = connection.execute(_REPEATS_OF.format("counted_id"), (_json(ids),))
        versions = list(_versions(connection, ids.union(row[0] for row in repeats)))
    winner = _counted(versions)
    connection.execute("DELETE FROM _repeats WHERE message_id = ?", (winner,))
    for loser in candidates:
        if loser.id != winner:
            connection.execute("UPDATE _repeats SET counted_id = ? WHERE counted_id = ?", (winner, loser.id))
            connection.execute(_PUT_REPEAT, (loser.id, winner))


def _versions(connection: apsw.Connection, ids: Iterable[int]) -> Iterator[_Version]:
    for row in list(connection.execute(_VERSIONS, (_json(ids),))):
        yield _Version(row[0], row[1:-5], row[-5], row[-4], row[-3], row[-2], row[-1] in COPY_KINDS)


def _counted(versions: list[_Version]) -> int:
    """The newest version, where it was first said."""
    newest = max(versions, key=_Version.newness)
    return min((item for item in versions if item.facts == newest.facts), key=_Version.distance).id


def _json(ids: Iterable[int]) -> str:
    return orjson.dumps(list(ids)).decode()
