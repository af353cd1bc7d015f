"""Active path and turns: what is placed line by line is what working it all out at once says."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from syncd.ledger import transcripts
from syncd.ledger.database import Ledger
from syncd.ledger.refold import next_turn_id, refold
from syncd.ledger.transaction import writing
from tests.ledger.scratch import scratch_ledger, scratch_writer, started

Entry = dict[str, Any]
IDS = st.sampled_from("abcdef")
PLACES = st.one_of(st.none(), IDS, st.just("last"))


def entry_of(kind: str, entry_id: str | None, parent: str | None, mode: str, role: str, stop: str) -> Entry:
    entry: Entry = {"type": kind, "timestamp": 5}
    if entry_id is not None:
        entry["id"] = entry_id
    if mode != "unlinked":
        entry["parentId"] = parent
    if mode == "side":
        entry["appendMode"] = "side"
    if kind == "leaf":
        entry["targetId"] = parent
    if kind == "message":
        entry["message"] = {"role": role, "content": "text", "stopReason": stop, "usage": {"input": 2, "output": 3}}
    return entry


entries = st.lists(
    st.builds(
        entry_of,
        st.sampled_from(["message"] * 6 + ["label", "leaf", "odd", "session"]),
        st.one_of(IDS, IDS, st.none()),
        PLACES,
        st.sampled_from(["linked"] * 5 + ["side", "unlinked"]),
        st.sampled_from(["user", "assistant", "assistant", "toolResult", "custom"]),
        st.sampled_from(["stop", "toolUse", "error", "aborted"]),
    ),
    max_size=12,
)


def linked(found: list[Entry]) -> list[Entry]:
    """`last` becomes the id of the entry before: most entries simply go on."""
    last = None
    for entry in found:
        for field in ("parentId", "targetId"):
            if entry.get(field) == "last":
                entry[field] = last
        last = entry.get("id", last)
    return found


def state(ledger: Ledger) -> tuple[list[Any], ...]:
    """Paths and turns, the turns named by their first message."""
    first = "(SELECT min(id) FROM messages AS one WHERE one.turn_id = {})"
    own, parent = first.format("turns.id"), first.format("turns.parent_turn_id")
    facts = "user_message_id, final_message_id, ended_at, status, tool_call_count, input_tokens, output_tokens"
    return (
        list(ledger.execute("SELECT id, on_active_path FROM entries ORDER BY id")),
        list(ledger.execute(f"SELECT id, {first.format('messages.turn_id')} FROM messages ORDER BY id")),
        list(ledger.execute(f"SELECT {own}, {parent}, {facts} FROM turns ORDER BY 1")),
        list(ledger.execute("SELECT leaf_entry_id, append_entry_id, is_tree_due FROM transcripts")),
    )


@settings(max_examples=150, deadline=None)
@given(found=entries.map(linked), cuts=st.lists(st.integers(0, 12), max_size=3))
def test_line_by_line_and_all_at_once_say_the_same(tmp_path_factory: Any, found: list[Entry], cuts: list[int]) -> None:
    directory: Path = tmp_path_factory.mktemp("ledger")
    with scratch_ledger(directory) as ledger:
        with scratch_writer(ledger) as writer:
            transcript = started(writer)
            for start, end in pairwise([0, *sorted(cuts), len(found)]):
                lines = b"".join(json.dumps(entry).encode() + b"\n" for entry in found[start:end])
                if lines:
                    writer.append(transcript, lines)
                    writer.flush()
                    transcript = writer.load(transcript.id)
        live = state(ledger)
        if found:
            with writing(ledger):
                again = transcripts.load(ledger, transcript.id)
                refold(ledger, again, next_turn_id(ledger))
                ledger.run(transcripts.UPDATE, again.update_row())
        assert state(ledger) == live
