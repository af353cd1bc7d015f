"""Trajectories of OpenClaw's own database in all the ways that events come and go: none is lost, none comes twice."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from syncd.mirror import trajectory_store
from syncd.mirror.trajectory_compare import compare, last_taken
from syncd.mirror.trajectory_places import known_trajectory
from syncd.sources.opening import BUSY_POLL_SECONDS, StoreError
from tests.examples import examples
from tests.mirror.indexed import indexed
from tests.mirror.recorder import SESSION, Recorder


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[Recorder]:
    with indexed(tmp_path) as index:
        yield Recorder(index)


def all_of(recorder: Recorder) -> bytes:
    return b"".join(recorder.ever)


@pytest.mark.parametrize("is_restarted", [False, True])
@pytest.mark.parametrize("count", [5, 8, 30])
def test_what_is_counted_anew_between_two_looks_is_taken_from_its_beginning(
    recorder: Recorder, count: int, *, is_restarted: bool
) -> None:
    """OpenClaw lets all of a session go after two weeks; what comes then is numbered from 0, however much it is."""
    recorder.record(*range(1, 9))
    recorder.look()
    recorder.let_go(100)
    recorder.record(*range(21, 21 + count))
    if is_restarted:
        recorder.restart()
    recorder.look()
    assert b"".join(recorder.generations()).count(b"\n") >= 8 + count
    assert recorder.content().endswith(b"".join(recorder.ever[8:]))
    assert recorder.generations()[0].startswith(b"".join(recorder.ever[:8]))


@pytest.mark.parametrize("count", [5, 8, 30])
def test_what_is_counted_anew_is_followed_live(recorder: Recorder, count: int) -> None:
    """Also if exactly as many rows come as were let go: their numbers are the same then, what they say is not."""
    recorder.record(*range(1, 9))
    recorder.look()
    recorder.let_go(100)
    recorder.record(*range(21, 21 + count))
    assert recorder.follow() is None
    assert recorder.content().endswith(b"".join(recorder.ever[8:]))


def test_events_under_the_numbers_of_a_session_that_was_let_go_are_followed_live(recorder: Recorder) -> None:
    """Of another session, and with later ones behind them: the newest rows went, and more came than went."""
    recorder.record(1, 2)
    recorder.record_texts('{"other":1}', '{"other":2}', session_id="other")
    recorder.look()
    recorder.execute("DELETE FROM trajectory_runtime_events WHERE session_id = 'other'")
    recorder.record(3)
    recorder.record_texts('{"third":1}', '{"third":2}', session_id="third")
    assert recorder.follow() is None
    assert recorder.content().count(b"\n") == 3
    assert recorder.content("third") == b'{"third":1}\n{"third":2}\n'


def test_an_older_state_of_the_database_is_noticed_behind_what_was_followed(recorder: Recorder) -> None:
    recorder.record(1)
    recorder.look()
    older = recorder.path.read_bytes()
    recorder.record(2)
    recorder.follow()
    assert recorder.content() == b"".join(recorder.ever)
    recorder.path.write_bytes(older)
    recorder.follow()
    assert recorder.content() == recorder.ever[0]
    assert recorder.generations() == [b"".join(recorder.ever), recorder.ever[0]]


def test_an_event_that_comes_a_second_time_hides_none_before_it(recorder: Recorder) -> None:
    recorder.record_texts('{"a":1}', '{"same":1}')
    recorder.look()
    recorder.record_texts('{"between":1}', '{"same":1}')
    recorder.restart()
    assert recorder.look() == all_of(recorder)


@pytest.mark.parametrize("text", ["", "  ", "{\n}", "\n", '{"nul":"\0"}', "x" * 5_000_000, "\ud7ff\U0001f600"])
def test_odd_events_are_taken_once(recorder: Recorder, text: str) -> None:
    recorder.record_texts("{}", text)
    for compares_all in (False, True, False, True):
        assert recorder.look(compares_all=compares_all) == all_of(recorder)
        recorder.restart()
    recorder.record_texts("[]")
    assert recorder.look(compares_all=True) == all_of(recorder)


@pytest.mark.parametrize("number", [-1, -9, 2**62, 2**63 - 1])
def test_numbers_that_no_release_gives_are_taken_once_too(recorder: Recorder, number: int) -> None:
    recorder.record(1, 2, 3)
    first_or_last = 0 if number < 0 else 2
    recorder.execute("UPDATE trajectory_runtime_events SET seq = ? WHERE seq = ?", number, first_or_last)
    for compares_all in (False, True, False, True):
        assert recorder.look(compares_all=compares_all) == all_of(recorder)
        recorder.restart()
    assert len(recorder.generations()) == 1


def test_an_event_that_no_release_writes_is_told_of_and_stops_no_other(recorder: Recorder) -> None:
    recorder.execute("ALTER TABLE trajectory_runtime_events RENAME TO before")
    recorder.execute(
        """CREATE TABLE trajectory_runtime_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, run_id TEXT,
        event_json TEXT, created_at INTEGER NOT NULL, event_zstd BLOB, PRIMARY KEY (session_id, seq))"""
    )
    recorder.record_texts("{}", "[]")
    recorder.execute("INSERT INTO trajectory_runtime_events VALUES (?, 2, 'run', NULL, 1, x'00')", SESSION)
    recorder.record_texts('{"other":1}', session_id="other")
    assert recorder.look() == b"{}\n[]\n"
    assert recorder.content("other") == b'{"other":1}\n'
    (problem,) = recorder.unread
    assert (problem.code, problem.path) == ("store_bad_event", f"{recorder.path}/{SESSION}.trajectory.jsonl")
    recorder.execute("UPDATE trajectory_runtime_events SET event_json = '3' WHERE event_json IS NULL")
    assert recorder.look() == b"{}\n[]\n3\n"
    assert recorder.unread == []


def test_one_that_was_let_go_as_a_whole_is_gone_until_it_goes_on(recorder: Recorder) -> None:
    recorder.record(1, 2)
    recorder.look()
    assert recorder.state() == "live"
    recorder.let_go(100)
    assert recorder.look() == all_of(recorder)
    assert recorder.state() == "gone"
    recorder.record(3)
    assert recorder.look() == all_of(recorder)
    assert recorder.state() == "live"
    recorder.path.unlink()
    assert recorder.look() == all_of(recorder)
    assert recorder.state() == "gone"


def test_a_session_id_that_is_no_file_name_has_a_trajectory_too(recorder: Recorder) -> None:
    for odd in ("a/b", "..", "x.trajectory", "50%", "ünï"):
        recorder.record_texts('{"of":1}', session_id=odd)
        recorder.look()
        recorder.look(compares_all=True)
        assert recorder.content(odd) == b'{"of":1}\n'
        assert recorder.state(odd) == "live"


def test_a_kill_behind_what_became_of_the_past_loses_nothing_of_what_took_its_place(recorder: Recorder) -> None:
    recorder.record(*range(1, 9))
    recorder.look()
    index = recorder.index
    for offset in (len(b"".join(recorder.ever[:5])), 0):
        transcript = known_trajectory(index.ledger, index.installation_id, str(recorder.path), SESSION)
        assert transcript is not None
        index.writer.supersede_from(transcript, offset)
        recorder.restart()
        assert recorder.look() == all_of(recorder)


def test_a_busy_database_is_told_of_and_looked_at_again(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder.record(1)
    recorder.look()
    recorder.record(2)

    def busy(*_: object) -> None:
        raise StoreError("store_busy", str(recorder.path), "is locked", "wait")

    with monkeypatch.context() as patched:
        patched.setattr(trajectory_store, "events_after", busy)
        assert recorder.follow() == BUSY_POLL_SECONDS
        recorder.look()
    assert [(each.code, each.path) for each in recorder.unread] == [("store_busy", str(recorder.path))]
    assert recorder.follow() is None
    assert recorder.content() == all_of(recorder)


@pytest.mark.parametrize("seed", range(examples(8)))
def test_whatever_openclaw_does_nothing_that_was_there_at_a_look_is_lost(recorder: Recorder, seed: int) -> None:
    chance, number, seen = random.Random(seed), 0, dict[bytes, None]()
    for _ in range(60):
        act = chance.choice(
            ["record", "record", "record", "front", "run", "all", "look", "follow", "compare", "restart"]
        )
        if act == "record":
            run = chance.choice(["one", "two", "three"])
            for _ in range(chance.choice([1, 3, 12])):
                number += 1
                recorder.record_texts(f'{{"n":{number}}}', run=run)
        elif act == "front":
            recorder.let_go(chance.randrange(12))
        elif act == "run":
            recorder.execute("DELETE FROM trajectory_runtime_events WHERE run_id = ?", chance.choice(["one", "two"]))
        elif act == "all":
            recorder.let_go(10**6)
        elif act == "restart":
            recorder.restart()
        elif act == "follow":
            recorder.follow()
        else:
            recorder.look(compares_all=act == "compare")
            seen |= dict.fromkeys(recorder.stored())
    recorder.look(compares_all=True)
    seen |= dict.fromkeys(recorder.stored())
    kept = b"".join(recorder.generations()).splitlines(keepends=True)
    assert [line for line in seen if line not in set(kept)] == []
    assert_equal(recorder)


def assert_equal(recorder: Recorder) -> None:
    """As `verify` asks it."""
    index = recorder.index
    transcript = known_trajectory(index.ledger, index.installation_id, str(recorder.path), SESSION)
    if transcript is None:
        assert recorder.stored() == []
        return
    mark = last_taken(index.ledger, str(recorder.path), transcript)
    found = compare(index.ledger, transcript, str(recorder.path), mark.seq)
    assert (found.parting, found.is_anew, mark.is_moved) == (None, False, False)
    live = recorder.content().splitlines(keepends=True)
    assert len(live) == len(set(live))  # none came twice
