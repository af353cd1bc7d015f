"""What the daemon says of itself: one document a line, bounded, and never what people said."""

import json
import threading

import pytest

from syncd.daemon import timers
from syncd.daemon.follow import Follower
from syncd.daemon.log import LINES_A_MINUTE, MAX_VALUE_CHARACTERS, Log
from tests.daemon.live import following, wait_for
from tests.daemon.process import daemon, in_ledger, syncd
from tests.mirror.household import Household, header, message, name_of

NAME = name_of(1)


def test_every_line_is_a_document_and_none_holds_what_was_said(house: Household) -> None:
    house.append(NAME, message(6, "SECRET words") + b"SECRET junk\n")
    house.write("sessions.json", b'{"SECRET": ')
    with daemon(house) as running:
        running.is_following()
        house.append(NAME, message(7, "SECRET more"))
        wait_for(in_ledger(house, NAME, 9))
        assert syncd(house, "resync", "--rebuild")[0] == 0
        assert syncd(house, "resync", "--session", "SECRET of nobody")[0] == 1
        running.process.terminate()
        _, stderr = running.process.communicate(timeout=60)
    said = [json.loads(line) for line in stderr.splitlines()]
    assert all(line.keys() >= {"at", "event"} for line in said)
    events = [line["event"] for line in said]
    assert [events[0], events[-1]] == ["started", "stopping"]
    assert {"caught_up", "following", "watching", "request", "request_done", "request_failed"} <= set(events)
    assert b"SECRET" not in stderr


def test_the_log_does_not_tell_what_sessions_are_called(house: Household) -> None:
    """A title may be the first words that were said; who asked is told all the same, as without a daemon."""
    for number in (2, 3):
        house.write(name_of(number), header(number) + message(1, f"SECRET plan {number}"))
    code, alone = syncd(house, "run", "--once")
    assert code == 0
    code, alone = syncd(house, "resync", "--session", "SECRET")
    assert code == 2
    assert len(alone["error"]["candidates"]) == 2
    with daemon(house) as running:
        running.is_following()
        assert syncd(house, "resync", "--session", "SECRET") == (2, alone)
        assert syncd(house, "resync", "--session", "SECRET plan 2")[0] == 0
        running.process.terminate()
        _, stderr = running.process.communicate(timeout=60)
    said = [json.loads(line) for line in stderr.splitlines()]
    assert [line["reason"] for line in said if line["event"] == "request_failed"] == ["ambiguous"]
    assert b"SECRET" not in stderr


def test_too_many_lines_of_one_kind_are_counted_instead(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    log = Log()
    for number in range(1000):
        log.say("storm", number=number)
    log.say("other")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == LINES_A_MINUTE + 1
    now += 61
    log.say("storm", number=1000)
    assert json.loads(capsys.readouterr().err) | {"at": ""} == {
        "at": "", "event": "storm", "number": 1000, "suppressed": 1000 - LINES_A_MINUTE,
    }  # fmt: skip


def test_long_values_are_cut_and_odd_names_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    Log().say("x", reason="r" * 10_000, path="/a/\udcff\n", paths=["p"] * 100)
    (line,) = capsys.readouterr().err.splitlines()
    said = json.loads(line)
    assert len(said["reason"]) == MAX_VALUE_CHARACTERS + 1
    assert said["path"] == "/a/\udcff\n"
    assert len(said["paths"]) == 20


def test_a_person_at_a_terminal_reads_plain_words(capsys: pytest.CaptureFixture[str]) -> None:
    Log(as_json=False).say("watching", mode="events", reason=None)
    assert capsys.readouterr().err.split(" ", 1)[1] == 'watching mode="events" reason=null\n'


def test_a_loop_that_hangs_feeds_no_watchdog(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timers, "LONGEST_WAIT_SECONDS", 0.01)
    hangs, may_go_on = threading.Event(), threading.Event()
    real = Follower.look_at

    def hang(self: Follower, paths: frozenset[str]) -> None:
        hangs.set()
        may_go_on.wait(60)
        real(self, paths)

    with following(house, beat_seconds=0.01) as live:
        wait_for(lambda: live.heard.messages.count("WATCHDOG=1") > 3)
        monkeypatch.setattr(Follower, "look_at", hang)
        house.append(NAME, message(6))
        assert hangs.wait(60)
        before = live.heard.messages.count("WATCHDOG=1")
        assert not threading.Event().wait(0.3)
        assert live.heard.messages.count("WATCHDOG=1") == before
        monkeypatch.setattr(Follower, "look_at", real)
        may_go_on.set()
        wait_for(lambda: live.heard.messages.count("WATCHDOG=1") > before)
