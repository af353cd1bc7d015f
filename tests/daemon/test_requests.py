"""Writing verbs beside the running daemon: it does them, goes on following, and never are there two writers."""

import json
import os
import pty
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from syncd.daemon.door import MAX_VISITORS
from syncd.daemon.messages import (
    MAX_REQUEST_BYTES,
    PROTOCOL,
    line_of,
    message_of,
    message_of_result,
    result_of,
    short_address,
    socket_path,
)
from syncd.ledger.lock import writer_lock, writer_pid
from syncd.mirror.catchup import CatchUp
from syncd.mirror.index_look import Degraded
from syncd.mirror.resync import Resynced
from syncd.records import FileProblem
from tests.command import called
from tests.daemon.live import wait_for
from tests.daemon.process import PROMPTLY_SECONDS, Daemon, daemon, environ, in_ledger, rows, syncd
from tests.derived_rows import derived_rows
from tests.mirror.household import Household, message, name_of, session_id, transcript
from tests.mirror_checks import assert_mirrors, assert_sound, query, transcripts

NAME = name_of(1)
MANY, SOME = 250, 100


def filled(house: Household, files: int) -> Household:
    for number in range(2, files):
        house.write(name_of(number), transcript(number, 1) + b"".join(message(n, "word " * 60) for n in range(2, 120)))
    return house


@pytest.fixture
def full_house(house: Household) -> Household:
    """Enough for a rebuild that takes seconds."""
    return filled(house, MANY)


@pytest.fixture
def busy_house(house: Household) -> Household:
    """Enough for a rebuild that is not done at once."""
    return filled(house, SOME)


def start(house: Household, *args: str, **options: Any) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "syncd", *args]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen(command, env=environ(house), **pipes)


@contextmanager
def rebuilding(house: Household) -> Iterator[tuple[Daemon, "subprocess.Popen[bytes]"]]:
    """A daemon, and the command for which it has just begun a rebuild: it stands still until it is told to go on."""
    with daemon(house) as running:
        running.is_following()
        with start(house, "resync", "--rebuild", "--json") as rebuild:
            running.has_said("request")
            running.process.send_signal(signal.SIGSTOP)
            yield running, rebuild


@contextmanager
def connected(house: Household) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(60)
        with short_address(socket_path(house.ledger_path)) as address:
            connection.connect(address)
        yield connection


def answers(connection: socket.socket, request: bytes) -> list[Any]:
    """All that is said, from the greeting on."""
    with connection.makefile("rb") as file:
        hello = json.loads(file.readline())
        connection.sendall(request)
        return [hello, *map(json.loads, file)]


def test_a_resync_is_done_by_the_running_daemon_and_told_as_ever(house: Household) -> None:
    house.write("UPPER.JSONL", b"{}\n")
    with daemon(house) as running:
        running.is_following()
        code, done = syncd(house, "resync")
        assert (code, done["ok"], done["problems"], done["unknown_files"]) == (0, True, [], 1)
        assert done.keys() >= {"transcripts", "lines", "bytes", "quarantined", "seconds", "sessions", "in_progress"}
        assert "rebuilt" not in done
        assert running.has_said("request_done")["verb"] == "resync"
        command = [sys.executable, "-m", "syncd", "resync"]
        text = subprocess.run(command, env=environ(house), capture_output=True, check=False)
        assert (text.returncode, text.stderr) == (0, b"")
        assert text.stdout.startswith(b"0 transcripts, 0 lines, 0 bytes taken in")
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))
        assert running.terminate()[0] == 0
    assert not socket_path(house.ledger_path).exists()
    assert_mirrors(house)


def test_agent_and_session_mean_the_same_beside_the_daemon(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        assert syncd(house, "resync", "--agent", "main")[0] == 0
        assert syncd(house, "resync", "--session", session_id(1))[0] == 0
        code, document = syncd(house, "resync", "--session", "nobody")
        assert (code, document["error"]["message"]) == (1, "no session is known as nobody")
        assert "session key" in document["error"]["hint"]
        assert running.terminate()[0] == 0


def test_an_outcome_is_the_same_on_the_other_side_of_the_socket() -> None:
    """Also its problems, and names that are no UTF-8."""
    result = CatchUp(transcripts=3, lines=4, bytes=5, quarantined=1, seconds=0.25, sessions=2)
    result.problems = [FileProblem("/x/\udcff.jsonl", "Permission denied")]
    result.in_progress = [FileProblem("/x/y.jsonl", "locked")]
    result.degraded = [Degraded("index_unreadable", "/x/sessions.json", "torn")]
    said = message_of(line_of(message_of_result(Resynced(result, 7))))
    assert said is not None
    assert result_of(said) == Resynced(result, 7)


def test_a_rebuild_beside_the_daemon_changes_no_row(house: Household) -> None:
    house.write(name_of(2), transcript(2, 3) + b"junk\n")
    with daemon(house) as running:
        running.is_following()
        wait_for(lambda: query(house.ledger_path, "SELECT count(*) FROM turns WHERE status = 'in_progress'") == [(0,)])
        before = derived_rows(house.ledger_path)
        code, done = syncd(house, "resync", "--rebuild")
        assert (code, done["rebuilt"], done["lines"]) == (0, 2, 0)
        assert derived_rows(house.ledger_path) == before
        code, done = syncd(house, "resync", "--rebuild", "--session", session_id(2))
        assert (code, done["rebuilt"]) == (0, 1)
        assert derived_rows(house.ledger_path) == before
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))
        assert running.terminate()[0] == 0
    assert_mirrors(house)
    assert_sound(house.ledger_path)


def test_live_lines_are_followed_while_a_rebuild_is_at_work(full_house: Household) -> None:
    """Of transcripts it has done, of those it has not come to yet, and of new ones."""
    house = full_house
    with rebuilding(house) as (running, rebuild):
        for number in (1, MANY - 1, MANY + 5):
            house.append(name_of(number), transcript(number, 2) if number > MANY else message(500))
        running.process.send_signal(signal.SIGCONT)
        for number, lines in ((1, 7), (MANY - 1, 121), (MANY + 5, 3)):
            wait_for(in_ledger(house, name_of(number), lines))
        assert rebuild.poll() is None, "the lines were in the ledger before it was done"
        stdout, stderr = rebuild.communicate(timeout=60)
        assert (rebuild.returncode, stderr) == (0, b"")
        assert json.loads(stdout)["rebuilt"] == MANY - 1
        assert query(house.ledger_path, "SELECT count(*) FROM transcripts WHERE projection = 0") == [(0,)]
        assert running.terminate()[0] == 0
    assert_mirrors(house)
    assert_sound(house.ledger_path)
    assert {row.generation for row in transcripts(house.ledger_path)} == {1}
    found = query(house.ledger_path, "SELECT count(*) FROM search WHERE search MATCH 'word'")
    assert found == query(house.ledger_path, "SELECT count(*) FROM messages WHERE text LIKE '%word%'")


def test_ctrl_c_of_the_command_ends_the_request_at_a_border(busy_house: Household) -> None:
    house = busy_house
    with rebuilding(house) as (running, rebuild):
        rebuild.send_signal(signal.SIGINT)
        assert json.loads(rebuild.communicate(timeout=60)[0])["error"]["type"] == "interrupted"
        assert rebuild.returncode == 130
        running.process.send_signal(signal.SIGCONT)
        assert "interrupted" in running.has_said("request_failed")["reason"]
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))
        left = "SELECT count(*) FROM transcripts WHERE projection = 0"
        wait_for(lambda: query(house.ledger_path, left) == [(0,)])  # what is half rebuilt is not left so
        code, done = syncd(house, "resync")
        assert (code, done["ok"]) == (0, True)
        assert running.terminate()[0] == 0
    assert_mirrors(house)
    assert_sound(house.ledger_path)


def test_a_daemon_that_is_stopped_meanwhile_says_so_and_ends_in_time(busy_house: Household) -> None:
    house = busy_house
    with rebuilding(house) as (running, rebuild):
        running.process.send_signal(signal.SIGTERM)  # comes to it when it goes on
        code, seconds = running.ended_after(signal.SIGCONT)
        error = json.loads(rebuild.communicate(timeout=60)[0])["error"]
        assert (code, seconds < PROMPTLY_SECONDS) == (0, True), seconds
        assert rebuild.returncode == 1
        assert (error["message"], error["hint"]) == ("syncd is stopping", "run the command again")
    assert syncd(house, "resync")[0] == 0
    assert_mirrors(house)


def test_a_daemon_that_is_killed_meanwhile_is_told_and_nothing_is_lost(busy_house: Household) -> None:
    house = busy_house
    with rebuilding(house) as (running, rebuild):
        running.kill()
        error = json.loads(rebuild.communicate(timeout=60)[0])["error"]
        assert rebuild.returncode == 1
        assert "ended before it had answered" in error["message"]
    assert socket_path(house.ledger_path).exists()
    with daemon(house) as running:  # the socket that was left is replaced
        running.is_following()
        assert syncd(house, "resync")[0] == 0
        assert running.terminate()[0] == 0
    assert_mirrors(house)


def test_a_socket_that_was_left_behind_stops_no_command(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        running.kill()
    assert syncd(house, "resync")[0] == 0  # nobody holds the ledger: it does the work itself
    with writer_lock(house.ledger_path):  # somebody does, who takes no requests
        code, document = syncd(house, "resync")
        assert (code, document["error"]["pid"]) == (75, os.getpid())


def test_once_beside_the_daemon_is_75(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        assert syncd(house, "run", "--once")[0] == 75


def test_a_request_waits_for_a_daemon_that_is_still_catching_up(busy_house: Household) -> None:
    house = busy_house
    with daemon(house) as running:
        wait_for(lambda: writer_pid(house.ledger_path) == running.pid and socket_path(house.ledger_path).exists())
        code, done = syncd(house, "resync")
        assert (code, done["ok"]) == (0, True)
        assert len(rows(house)) == SOME - 1
        assert running.terminate()[0] == 0
    assert_mirrors(house)


def test_several_commands_at_once_are_done_one_after_another(house: Household) -> None:
    for number in range(2, 40):
        house.write(name_of(number), transcript(number, 20))
    with daemon(house) as running:
        running.is_following()
        with ExitStack() as stack:
            kinds: tuple[list[str], ...] = (
                ["--rebuild"],
                [],
                ["--agent", "main"],
                ["--session", session_id(3)],
                ["--rebuild"],
            )
            asked = [stack.enter_context(start(house, "resync", *more, "--json")) for more in kinds]
            for number in range(6, 40):
                house.append(NAME, message(number))
            for process in asked:
                stdout, stderr = process.communicate(timeout=60)
                assert (process.returncode, stderr) == (0, b""), stdout
                assert json.loads(stdout)["ok"] is True
        wait_for(in_ledger(house, NAME, 40))
        assert running.terminate()[0] == 0
    assert_mirrors(house)
    assert_sound(house.ledger_path)


def test_more_visitors_than_there_is_room_for_are_refused_with_a_word(house: Household) -> None:
    with daemon(house) as running, ExitStack() as stack:
        running.is_following()
        for _ in range(MAX_VISITORS):  # they say nothing
            stack.enter_context(connected(house)).recv(1)
        code, document = syncd(house, "resync")
        assert code == 1
        assert "requests wait" in document["error"]["message"]
        stack.close()

        def is_let_in() -> bool:
            return syncd(house, "resync")[0] == 0

        wait_for(is_let_in)


def test_visitors_who_say_nothing_hold_up_no_stop(house: Household) -> None:
    with daemon(house) as running, ExitStack() as stack:
        running.is_following()
        silent = [stack.enter_context(connected(house)) for _ in range(MAX_VISITORS)]
        for connection in silent:
            assert connection.recv(1) == b"{"
        code, seconds = running.terminate()
        assert (code, seconds < PROMPTLY_SECONDS) == (0, True), seconds


@pytest.mark.parametrize(
    ("request_line", "word"),
    [
        (line_of({"protocol": PROTOCOL + 1, "verb": "resync"}), f"protocol {PROTOCOL}"),
        (b"nonsense\n", f"protocol {PROTOCOL}"),
        (line_of({"protocol": PROTOCOL, "verb": "dance", "wish": {}, "state_dirs": []}), "no sense"),
        (line_of({"protocol": PROTOCOL, "verb": "resync", "wish": {"agent": 5}, "state_dirs": []}), "no sense"),
        (b"x" * (MAX_REQUEST_BYTES + 1) + b"\n", "too long"),
    ],
)
def test_a_request_that_is_none_is_answered_with_why(house: Household, request_line: bytes, word: str) -> None:
    with daemon(house) as running:
        running.is_following()
        with connected(house) as connection:
            hello, answer = answers(connection, request_line)
        assert (hello["protocol"], hello["pid"]) == (PROTOCOL, running.pid)
        assert word in answer["error"]["title"]
        assert running.terminate()[0] == 0


def test_a_daemon_of_another_protocol_is_named_and_what_to_do(house: Household) -> None:
    """One of a later release, say: the test plays it."""
    syncd(house, "resync")
    path = socket_path(house.ledger_path)
    with writer_lock(house.ledger_path), socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(1)

        def greet() -> None:
            with listener.accept()[0] as connection:
                connection.sendall(b'{"protocol": 99, "version": "9.9", "pid": 7}\n')
                connection.recv(1)

        greeting = threading.Thread(target=greet)
        greeting.start()
        code, document = syncd(house, "resync")
        greeting.join()
    assert code == 1
    assert "pid 7" in document["error"]["message"]
    assert "protocol 99" in document["error"]["message"]
    assert "restart" in document["error"]["hint"]


def test_a_command_for_another_openclaw_is_refused(house: Household, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with daemon(house) as running:
        running.is_following()
        done = called(("resync", "--json"), {**environ(house), "OPENCLAW_STATE_DIR": str(tmp_path / "other")})
        assert done.exit_code == 1
        assert "does not follow" in done.json["error"]["message"]


def test_a_person_at_a_terminal_sees_the_same_bar(busy_house: Household) -> None:
    house = busy_house
    ours, theirs = pty.openpty()
    drawn: list[bytes] = []

    def watch() -> None:
        with suppress(OSError):  # the other end was closed
            while data := os.read(ours, 4096):
                drawn.append(data)

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        with daemon(house) as running:
            running.is_following()
            with start(house, "resync", "--rebuild", stderr=theirs) as rebuild:
                assert rebuild.stdout is not None
                said = rebuild.stdout.read()
            assert (rebuild.wait(), said.startswith(f"{SOME - 1} transcripts derived".encode())) == (0, True)
    finally:
        os.close(theirs)
        watching.join()
        os.close(ours)
    seen = b"".join(drawn)
    assert b"deriving" in seen
    assert b"reading" in seen
    assert b"MB" in seen
