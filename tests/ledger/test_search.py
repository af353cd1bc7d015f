"""Short prefixes and filters: the quick ways give what the index itself would, and leave it alone where they can."""

from collections.abc import Iterator

import pytest

from syncd.ledger.database import Ledger, open_for_reading
from syncd.ledger.reading import short_prefix
from syncd.ledger.reading.search import Wanted, search
from syncd.ledger.snapshot import snapshot
from tests.mirror.household import header, household, message, name_of

WORDS = ("Tulip thing", "rose", "ünder tree\x02 odd\x03 marks", "té again", "", "a T-shirt")
FIRST_AT = 1_794_802_931_001


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    house = household(tmp_path_factory.mktemp("search"))
    for number in (1, 2):
        lines = [
            message(at, f"{WORDS[at % len(WORDS)]} {number}", role="user" if at % 3 else "assistant")
            for at in range(1, 301)
        ]
        house.write(name_of(number), header(number) + b"".join(lines))
    house.catch_up()
    with open_for_reading(house.ledger_path) as found, snapshot(found):
        yield found


def asked_of_index(ledger: Ledger, expression: str, wanted: Wanted) -> tuple[list[int], list[str], bool]:
    """Hits, their snippets, and whether the large index was asked for them."""
    statements: list[str] = []

    def note(_: object, sql: str, __: object) -> bool:
        statements.append(sql)
        return True

    ledger.connection.exec_trace = note
    found = search(ledger, expression, wanted, 20)
    ledger.connection.exec_trace = None
    return [hit.entry for hit in found.hits], [hit.snippet for hit in found.hits], "search MATCH" in "".join(statements)


EXPRESSIONS = ("t*", '"t"*', "t* AND r*", "t* OR u*", "t* NOT tulip", "text : t*", "T *", '"a t"*', "^t*")


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("wanted", [Wanted(), Wanted(role="user"), Wanted(since=FIRST_AT + 150), Wanted(agent="main")])
def test_a_short_prefix_has_the_newest_hits_of_the_index_with_its_snippets(
    ledger: Ledger, expression: str, wanted: Wanted, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick, snippets, _ = asked_of_index(ledger, expression, wanted)
    monkeypatch.setattr(short_prefix, "_MESSAGES", 0)
    slow, expected, is_asked = asked_of_index(ledger, expression, wanted)
    assert (quick, snippets) == (slow, expected)
    assert is_asked


def test_the_newest_messages_answer_a_short_prefix_without_the_index(ledger: Ledger) -> None:
    hits, _, is_asked = asked_of_index(ledger, "t*", Wanted())
    assert len(hits) == 20
    assert hits == sorted(hits, reverse=True)
    assert not is_asked


def test_where_the_newest_are_too_few_or_too_long_the_index_answers(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked_of_index(ledger, "t*", Wanted(until=FIRST_AT + 4))[2]
    monkeypatch.setattr(short_prefix, "_TEXT_CHARACTERS", 50)
    assert asked_of_index(ledger, "t*", Wanted())[2]


@pytest.mark.parametrize("word", ["rose", "1", "tul*"])
@pytest.mark.parametrize(
    "wanted",
    [Wanted(), Wanted(since=FIRST_AT + 290), Wanted(until=FIRST_AT + 9), Wanted(agent="main", since=FIRST_AT + 290)],
)
def test_filters_by_time_leave_exactly_what_was_said_then(ledger: Ledger, word: str, wanted: Wanted) -> None:
    found = search(ledger, word, wanted, 1000)
    said = """SELECT messages.id FROM messages JOIN search ON search.rowid = messages.id WHERE search MATCH ?
        AND at >= ? AND at < ? ORDER BY 1"""
    span = (wanted.since or 0, wanted.until or 2**60)
    assert sorted(hit.entry for hit in found.hits) == [row[0] for row in ledger.execute(said, (word, *span))]


def test_a_prefix_of_three_letters_is_weighed(ledger: Ledger) -> None:
    assert all(hit.rank is not None for hit in search(ledger, "tul*", Wanted(), 20).hits)
    assert all(hit.rank is None for hit in search(ledger, '"tu"*', Wanted(), 20).hits)
