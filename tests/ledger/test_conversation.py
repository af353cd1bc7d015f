"""Active path and turns: placed line by line or worked out all at once, they are what their definition says."""

import json
from array import array
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from syncd.ledger import growth as growth_module
from syncd.ledger import projection as projection_module
from syncd.ledger import transcripts
from syncd.ledger import writer as writer_module
from syncd.ledger.database import Ledger
from syncd.ledger.growth import Growth, Growths
from syncd.ledger.refold import next_turn_id, refold
from syncd.ledger.transaction import writing
from syncd.ledger.transcripts import Transcript
from syncd.ledger.writer import Writer
from syncd.openclaw.tree import CANONICAL_TYPES
from tests.examples import examples
from tests.ledger.scratch import StillClock, scratch_ledger, scratch_writer, started
from tests.ledger.turns_defined import Defined, Entry

OWN, LAST, NOT_SAID = "own", "last", "not said"
IDS = st.sampled_from([OWN] * 12 + ["a", "b", None])
PLACES = st.one_of(st.just(LAST), st.just(LAST), st.integers(0, 13), st.sampled_from(["a", "b", "A", None]))
REWRITE = "rewrite"
KINDS = ["message"] * 20 + ["leaf"] * 6 + [REWRITE] * 3 + ["reset"] * 3 + ["label", "label", "odd", "session"]
ROLES = ["user", "assistant", "assistant", "assistant", "toolResult", "custom"]
MODELS = ["one", "one", "other", "delivery-mirror"]


def entry_of(
    kind: str, entry_id: str | None, parent: str | int | None, mode: str, role: str, stop: str, model: str = "one",
    calls: int = 0, append: str | int | None = NOT_SAID,
) -> Entry:  # fmt: skip
    entry: Entry = {"type": kind, "timestamp": 5}
    if entry_id is not None:
        # What is no step takes no step's id: whoever knows only the tip's id could not tell which of the two is meant.
        entry["id"] = entry_id if kind in CANONICAL_TYPES and mode != "side" else entry_id.upper()
    if mode != "unlinked":
        entry["parentId"] = parent
    if mode == "side":
        entry["appendMode"] = "side"
    if kind == "leaf":
        entry["targetId"] = parent
        if append != NOT_SAID:
            entry["appendParentId"] = append
    if kind == "message":
        content = [{"type": "toolCall", "id": f"call{number}", "name": "read"} for number in range(calls)]
        usage = {"input": 2, "output": 3, "cost": {"total": 0.5}}
        entry["message"] = {"role": role, "content": content, "stopReason": stop, "usage": usage, "model": model}
        if model == "delivery-mirror":
            entry["message"]["provider"] = "openclaw"
    return entry


entries = st.lists(
    st.builds(
        entry_of,
        st.sampled_from(KINDS),
        IDS,
        PLACES,
        st.sampled_from(["linked"] * 14 + ["side"] * 3 + ["unlinked"]),
        st.sampled_from(ROLES),
        st.sampled_from(["stop", "stop", "toolUse", "error", "aborted"]),
        st.sampled_from(MODELS),
        st.integers(0, 2),
        st.one_of(st.just(NOT_SAID), PLACES),
    ),
    min_size=1,
    max_size=14,
)


def linked(found: list[Entry]) -> list[Entry]:
    """Most entries have an id of their own and simply go on; a number means one of those before. Times may lack."""
    laid_out: list[Entry] = []
    ids: list[str | None] = [None]
    for number, entry in enumerate(found):
        if entry["type"] == REWRITE:
            laid_out += rewritten(laid_out, f"r{number}")
            ids += [each["id"] for each in laid_out[-1:] if "id" in each]
            continue
        if entry.get("id") in (OWN, OWN.upper()):
            entry["id"] = f"e{number}"
        for field in ("parentId", "targetId", "appendParentId"):
            if entry.get(field) == LAST:
                entry[field] = ids[-1]
            elif isinstance(place := entry.get(field), int):
                entry[field] = ids[place % len(ids)]
        ids.append(entry.get("id", ids[-1]))
        entry["timestamp"] += number
        if number % 5 == 4:
            del entry["timestamp"]
        laid_out.append(entry)
    return laid_out or [entry_of("session", "s", None, "linked", "user", "stop")]


def rewritten(before: list[Entry], name: str) -> list[Entry]:
    """As OpenClaw rewrites the latest messages: copies of them beside the conversation, and the tip is the last one."""
    latest = [entry for entry in before[-4:] if "message" in entry and "id" in entry]
    parent, copies = latest[0].get("parentId") if latest else None, []
    for number, entry in enumerate(latest):
        copies.append({**entry, "id": f"{name}{number}", "parentId": parent, "appendMode": "side"})
        parent = f"{name}{number}"
    return [*copies, {"type": "leaf", "id": name, "parentId": parent, "targetId": parent}] if copies else []


State = tuple[dict[int, int], dict[int, int | None], dict[int, tuple[Any, ...]], tuple[Any, ...]]


def state(ledger: Ledger) -> State:
    """Active path, turn of each message, turns and tip: entries by their place, turns named by their first message."""
    place = "(SELECT count(*) FROM entries AS before WHERE before.id < {})"
    first = place.format("(SELECT min(id) FROM messages AS one WHERE one.turn_id = {})")
    own, parent = first.format("turns.id"), first.format("turns.parent_turn_id")
    messages = [f"iif({name} IS NULL, NULL, {place.format(name)})" for name in ("user_message_id", "final_message_id")]
    facts = "started_at, ended_at, status, tool_call_count, input_tokens, output_tokens, cost_total, model"
    parent = f"iif(parent_turn_id IS NULL, NULL, {parent})"
    turn = f"iif(turn_id IS NULL, NULL, {first.format('messages.turn_id')})"
    found: list[tuple[Any, ...]] = list(
        ledger.execute(f"SELECT {own}, {parent}, {', '.join(messages)}, {facts} FROM turns ORDER BY 1")
    )
    return (
        dict(ledger.execute(f"SELECT {place.format('entries.id')}, on_active_path FROM entries")),
        dict(ledger.execute(f"SELECT {place.format('messages.id')}, {turn} FROM messages")),
        {row[0]: row[1:] for row in found},
        next(iter(ledger.execute("SELECT leaf_entry_id, append_entry_id, is_tree_due FROM transcripts"))),
    )


def state_by_definition(found: list[Entry], *, version: str | None) -> State:
    defined = Defined(found, version=version)
    tree = defined.tree
    path = tree.path()
    return (
        {place: int(place in path) for place in range(len(found))},
        {place: defined.turn_of(place) for place, entry in enumerate(found) if "message" in entry},
        {turn: tuple(facts) for turn, facts in defined.turns().items()},
        (tree.tip_id, tree.append_id, 0),
    )


def step(entry_id: str, parent: str | None, role: str, stop: str = "stop", mode: str = "linked") -> Entry:
    return entry_of("message", entry_id, parent, mode, role, stop)


HEADER = entry_of("session", "s", None, "unlinked", "user", "stop")
AFTER_A_SIDE_RESET = [
    HEADER,
    entry_of("reset", "E1", "gone", "side", "user", "stop"),
    step("e2", "E1", "user"),
    step("e5", "gone too", "user"),
    step("e7", "e2", "assistant"),
]
"""No entry of it follows the reset but by its own word: all of them follow the tip."""
LED_TO_WHERE_IT_IS = [
    HEADER,
    step("a", None, "user"),
    entry_of("reset", "R", "a", "side", "user", "stop"),
    entry_of("leaf", "L", "R", "linked", "user", "stop", append="R") | {"targetId": "a"},
    step("c", "R", "assistant"),
]
"""No control leads behind a reset, not even to go on from there."""
REACHED_BEFORE_IT_FAILED = [
    HEADER,
    step("a", None, "user"),
    step("b", "a", "assistant"),
    step("C", "b", "user", mode="side"),
    step("D", "C", "assistant", mode="side"),
    entry_of("leaf", "L", "D", "linked", "user", "stop"),
    step("F", "C", "assistant", "error", mode="side"),
]
"""Once the conversation ran through a turn, what is added beside it does not change how that stands."""


@settings(max_examples=examples(50), deadline=None)
@example(found=AFTER_A_SIDE_RESET, cuts=[])
@example(found=LED_TO_WHERE_IT_IS, cuts=[(2, False), (3, False), (4, False)])
@example(found=REACHED_BEFORE_IT_FAILED, cuts=[])
@given(
    found=entries.map(linked),
    cuts=st.lists(st.tuples(st.integers(0, 14), st.booleans()), max_size=3),
)
def test_line_by_line_and_all_at_once_say_what_the_definition_says(
    tmp_path_factory: Any, found: list[Entry], cuts: list[tuple[int, bool]]
) -> None:
    """`cuts`: where a batch ends, and whether the next one knows the tree from the one before."""
    directory: Path = tmp_path_factory.mktemp("ledger")
    with scratch_ledger(directory) as ledger:
        with scratch_writer(ledger) as writer:
            transcript = started(writer)
            for (start, is_known), (end, _) in pairwise([(0, True), *sorted(cuts), (len(found), True)]):
                lines = b"".join(json.dumps(entry).encode() + b"\n" for entry in found[start:end])
                if lines:
                    transcript.growth = transcript.growth if is_known else None
                    writer.append(transcript, lines)
                    writer.flush()
                    transcript = writer.load(transcript.id)
        expected = state_by_definition(found, version=transcript.header_version)
        assert state(ledger) == expected
        with writing(ledger):
            again = transcripts.load(ledger, transcript.id)
            refold(ledger, again, next_turn_id(ledger))
            ledger.run(transcripts.UPDATE, again.update_row())
        assert state(ledger) == expected


def lines_of(*entries: tuple[str, str | None]) -> bytes:
    """Prompts, each with its id and that of the one before it."""
    found = (entry_of("message", entry_id, parent, "linked", "user", "stop") for entry_id, parent in entries)
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in found)


def chain(length: int) -> list[tuple[str, str | None]]:
    return [(str(number), str(number - 1) if number else None) for number in range(length)]


def rows_changed_by(writer: Writer, transcript_id: int, lines: bytes) -> int:
    before = writer.ledger.connection.total_changes()
    writer.append(writer.load(transcript_id), lines)
    writer.flush()
    return writer.ledger.connection.total_changes() - before


def test_a_branch_costs_the_way_to_it_in_a_transcript_of_any_length(tmp_path: Path) -> None:
    costs = []
    for length in (40, 400):
        (tmp_path / str(length)).mkdir()
        with scratch_ledger(tmp_path / str(length)) as ledger:
            with scratch_writer(ledger) as writer:
                transcript = started(writer)
                writer.append(transcript, lines_of(*chain(length)))
                writer.flush()
            with scratch_writer(ledger) as writer:  # which knows no tree yet: the first branch makes it
                tip = str(length - 3)
                rows_changed_by(writer, transcript.id, lines_of(("a", tip)))
                costs.append([rows_changed_by(writer, transcript.id, lines_of((name, tip))) for name in "bcd"])
            on_path = ledger.execute("SELECT count(*), max(byte_offset) FROM entries WHERE on_active_path = 1")
            assert next(on_path)[0] == length - 1
    assert costs[0] == costs[1]


def grown_transcripts(directory: Path, count: int) -> list[Transcript]:
    with scratch_ledger(directory) as ledger, scratch_writer(ledger) as writer:
        found = [started(writer, number) for number in range(count)]
    for each in found:
        each.growth = Growth(row_ids=array("q", [1, 2]), has_branched=True)
    return found


def test_trees_that_no_memory_holds_are_given_up_the_oldest_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growth_module, "MOST_ENTRIES", 5)
    growths, grown = Growths(), grown_transcripts(tmp_path, 3)
    for each in grown:
        growths.keep(each)
    taken_up = []
    for each in grown:
        each.growth = None
        growths.take_up(each)
        taken_up.append(each.growth is not None)
    assert taken_up == [False, True, True]


def test_a_tree_is_not_given_back_to_a_transcript_that_went_on_without_it(tmp_path: Path) -> None:
    growths, (transcript,) = Growths(), grown_transcripts(tmp_path, 1)
    growths.keep(transcript)
    transcript.growth, transcript.bytes = None, transcript.bytes + 1
    growths.take_up(transcript)
    assert transcript.growth is None


def test_a_big_tree_is_put_off_until_it_is_asked_for_and_no_line_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "MOST_ENTRIES", 5)
    monkeypatch.setattr(projection_module, "MOST_ENTRIES", 5)
    with scratch_ledger(tmp_path) as ledger, closing(Writer(ledger, StillClock(), puts_big_trees_off=True)) as writer:
        transcript = started(writer)
        writer.append(transcript, lines_of(*chain(8)))
        writer.append(transcript, lines_of(("a", "2")))
        writer.flush()
        counts = "SELECT count(*), sum(on_active_path), is_tree_due FROM entries JOIN transcripts ON 1"
        assert next(ledger.execute(counts)) == (9, 8, 1)
        writer.place_due_trees()
        assert next(ledger.execute(counts)) == (9, 4, 0)


AIMLESS = {
    "where it stands": b'{"type":"leaf","id":"x","targetId":"0"}\n',
    "where it leads": b'{"type":"leaf","id":"x","parentId":"2"}\n',
}


@pytest.mark.parametrize("control", AIMLESS.values(), ids=AIMLESS.keys())
@pytest.mark.parametrize("is_known", [True, False], ids=["in a known tree", "in an unknown tree"])
def test_a_leaf_control_that_does_not_say_all_steers_nothing(tmp_path: Path, control: bytes, *, is_known: bool) -> None:
    with scratch_ledger(tmp_path) as ledger, scratch_writer(ledger) as writer:
        transcript = started(writer)
        writer.append(transcript, lines_of(*chain(3)))
        transcript.growth = transcript.growth if is_known else None
        writer.append(transcript, control + lines_of(("3", "2")))
        writer.flush()
        tip = "SELECT leaf_entry_id, (SELECT sum(on_active_path) FROM entries) FROM transcripts"
        assert next(ledger.execute(tip)) == ("3", 4)
