"""`syncd resync`: all, one agent, one session, or everything derived anew; never more than was asked for."""

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from syncd.ledger.lock import writer_lock
from tests.cli.quick import Syncd, environ, quick_household, syncd
from tests.conftest import CHECKOUT, Cli
from tests.derived_rows import derived_rows
from tests.mirror.household import RESET_TIME, Household, header, message, messages, name_of, session_id, transcript
from tests.mirror_checks import assert_mirrors, assert_sound, generations, only_transcript, query, transcripts

PROMISED = {"ok", "transcripts", "lines", "bytes", "quarantined", "seconds"}
KEY = "agent:main:telegram:direct:42"


@pytest.fixture
def house(tmp_path: Path) -> Household:
    return quick_household(tmp_path)


@pytest.fixture
def run(cli_in_process: Cli, house: Household) -> Syncd:
    return syncd(cli_in_process, house)


def known(house: Household) -> dict[str, tuple[str, int]]:
    """Session id -> state and lines."""
    return {row.session_id: (row.state, row.lines) for row in transcripts(house.ledger_path)}


def test_everything_is_caught_up_and_told(run: Syncd, house: Household) -> None:
    house.write(name_of(1), transcript(1, 3))
    done = run("resync", "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.json.keys() >= PROMISED
    assert "rebuilt" not in done.json
    assert [done.json[name] for name in ("ok", "transcripts", "lines", "bytes")] == [True, 1, 4, len(transcript(1, 3))]
    assert_mirrors(house)


def test_one_agent_leaves_the_others_as_they_were(run: Syncd, house: Household) -> None:
    main, ops = (house.sessions(agent) for agent in ("main", "ops"))
    (main / name_of(1)).write_bytes(transcript(1, 3))
    (ops / name_of(2)).write_bytes(transcript(2, 3))
    assert run("resync", "--agent", "ops", "--json").json["transcripts"] == 1
    assert known(house) == {session_id(2): ("live", 4)}
    run("resync")
    (main / name_of(1)).unlink()
    (ops / name_of(2)).unlink()
    assert run("resync", "--agent", "ops").exit_code == 0
    assert known(house) == {session_id(1): ("live", 4), session_id(2): ("gone", 4)}, "not asked for is not gone"
    run("resync")
    assert {state for state, _ in known(house).values()} == {"gone"}


def test_an_agent_that_nobody_knows_is_refused_and_the_known_ones_are_named(run: Syncd, house: Household) -> None:
    house.write(name_of(1), transcript(1, 3))
    (house.sessions("ops") / name_of(2)).write_bytes(transcript(2, 1))
    (house.state_dir / "agents" / "idle").mkdir()
    assert run("resync").exit_code == 0
    shutil.rmtree(house.state_dir / "agents" / "ops")  # known to the ledger alone
    for verb in ("resync", "verify"):
        done = run(verb, "--agent", "nobody", "--json")
        assert (done.exit_code, done.json["ok"]) == (1, False)
        assert done.json["error"]["message"] == "no agent is known as nobody"
        assert done.json["error"]["hint"] == "known agents: idle, main, ops"
        for agent in ("idle", "main"):
            assert run(verb, "--agent", agent, "--json").json["ok"] is True
    assert run("resync", "--agent", "ops", "--json").json["ok"] is True
    assert run("verify", "--agent", "ops", "--json").json["ok"] is True


def test_one_session_by_its_id_leaves_the_others_as_they_were(run: Syncd, house: Household) -> None:
    for number in (1, 2):
        house.write(name_of(number), transcript(number, 2))
    done = run("resync", "--session", session_id(1), "--json")
    assert (done.exit_code, done.json["transcripts"]) == (0, 1)
    assert known(house) == {session_id(1): ("live", 3)}
    run("resync")
    for number in (1, 2):
        house.append(name_of(number), message(3))
    run("resync", "--session", session_id(2))
    assert known(house) == {session_id(1): ("live", 3), session_id(2): ("live", 4)}
    for number in (1, 2):
        house.path(name_of(number)).unlink()
    run("resync", "--session", session_id(1))
    assert known(house) == {session_id(1): ("gone", 3), session_id(2): ("live", 4)}


def test_one_session_by_its_key(run: Syncd, house: Household) -> None:
    for number in (1, 2):
        house.write(name_of(number), transcript(number, 2))
    house.write("sessions.json", json.dumps({KEY: {"sessionId": session_id(2), "updatedAt": 1}}).encode())
    done = run("resync", "--session", KEY, "--json")
    assert (done.exit_code, done.json["transcripts"]) == (0, 1)
    assert known(house) == {session_id(2): ("live", 3)}


def test_a_session_is_all_its_files_also_those_whose_name_does_not_tell(run: Syncd, house: Household) -> None:
    house.write(name_of(1), transcript(1, 2))
    run("resync")
    house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    house.write("another-name.jsonl", header(1) + messages(5, 6))
    house.write(name_of(2), transcript(2, 2))
    run("resync", "--session", session_id(1))
    found = {(row.name, row.session_id) for row in transcripts(house.ledger_path)}
    assert found == {(f"{name_of(1)}.reset.{RESET_TIME}", session_id(1)), ("another-name.jsonl", session_id(1))}


def test_a_session_that_nobody_knows_is_exit_1_with_what_to_do(run: Syncd, house: Household) -> None:
    house.write(name_of(1), transcript(1, 2))
    for verb in ("resync", "verify"):
        run("resync")
        done = run(verb, "--session", "no-such-session", "--json")
        assert (done.exit_code, done.json["ok"]) == (1, False)
        assert done.json["error"]["message"] == "no session is known as no-such-session"
        assert "session key" in done.json["error"]["hint"]


def test_a_rebuild_mends_what_the_files_have_and_names_what_is_lost(run: Syncd, house: Household) -> None:
    for number in (1, 2):
        house.write(name_of(number), transcript(number, 4))
    run("resync")
    house.path(name_of(2)).unlink()
    run("resync")
    script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('DELETE FROM _blocks'); c.commit()"
    subprocess.run([sys.executable, "-c", script, house.ledger_path], check=True)
    assert run("resync", "--json").json["lines"] == 0, "a plain one opens no file that looks as it did"
    shown = run("verify")
    assert shown.exit_code == 1
    assert shown.stdout.count(": raw bytes are missing in the ledger (transcript ") == 2
    assert "`syncd resync --rebuild` mends the ledger" in shown.stdout
    checked = run("ledger", "check")
    assert (checked.exit_code, "`syncd repair` mends" in checked.stdout) == (1, True)
    done = run("resync", "--rebuild", "--json")
    assert (done.exit_code, done.json["ok"], done.json["repaired"], done.json["rebuilt"]) == (1, False, 1, 1)
    (lost,) = done.json["lost"]
    assert lost["path"] == str(house.path(name_of(2)))
    assert f"generation 1, bytes 0 to {len(transcript(2, 4))}" in lost["reason"]
    again = run("resync", "--rebuild")
    assert (again.exit_code, "lost:\n" in again.stdout, "mended" in again.stdout) == (1, True, False)
    assert run("export", session_id(1)).stdout_bytes == transcript(1, 4)
    assert [row.generation for row in transcripts(house.ledger_path)] == [1, 1]
    assert query(house.ledger_path, "SELECT count(*) FROM messages") == [(8,)]


def test_a_rebuild_tells_how_many_transcripts_and_changes_no_row(run: Syncd, house: Household) -> None:
    for form in (transcript(1, 4), header(1) + messages(2, 4) + b"junk\n"):
        house.write(name_of(1), form)
        run("resync")
    house.write(name_of(2), transcript(2, 2))
    run("resync")
    house.path(name_of(2)).unlink()
    run("resync")
    before = derived_rows(house.ledger_path)
    done = run("resync", "--rebuild", "--json")
    assert (done.exit_code, done.json["rebuilt"], done.json["ok"]) == (0, 2, True)
    assert [done.json[name] for name in ("transcripts", "lines", "bytes")] == [0, 0, 0]
    assert derived_rows(house.ledger_path) == before
    assert run("resync", "--rebuild").stdout.startswith("2 transcripts derived anew from the ledger's own bytes\n")
    assert_sound(house.ledger_path)


def test_a_rebuild_brings_back_rows_that_somebody_broke(run: Syncd, house: Household) -> None:
    import apsw

    house.write(name_of(1), transcript(1, 4))
    run("resync")
    before = derived_rows(house.ledger_path)
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute("DELETE FROM messages WHERE id % 2; UPDATE entries SET type = 'nonsense', at = NULL")
    connection.close()
    assert run("resync", "--rebuild").exit_code == 0
    assert derived_rows(house.ledger_path) == before


def test_a_rebuild_reads_every_file_again_even_where_its_stat_says_that_nothing_changed(
    run: Syncd, house: Household
) -> None:
    import apsw

    path = house.write(name_of(1), transcript(1, 4))
    run("resync")
    house.write(name_of(1), transcript(1, 4).replace(b"number 3", b"number X"))
    found = path.stat()
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute("UPDATE _files SET mtime_ns = ?, ctime_ns = ?", (found.st_mtime_ns, found.st_ctime_ns))
    connection.close()
    run("resync")
    assert only_transcript(house.ledger_path).generation == 1, "the stat was made to lie"
    run("resync", "--rebuild")
    row = only_transcript(house.ledger_path)
    assert generations(house.ledger_path, row) == [transcript(1, 4), path.read_bytes()]


@pytest.mark.parametrize("more", [("--agent", "ops"), ("--session", session_id(2)), ("--session", KEY)])
def test_a_rebuild_of_one_agent_or_session_leaves_the_others_as_they_were(
    run: Syncd, house: Household, more: tuple[str, ...]
) -> None:
    import apsw

    house.write(name_of(1), transcript(1, 4))
    (house.sessions("ops") / name_of(2)).write_bytes(transcript(2, 4))
    (house.sessions("ops") / "sessions.json").write_text(json.dumps({KEY: {"sessionId": session_id(2)}}))
    run("resync")
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute("UPDATE messages SET text = 'nonsense'")
    connection.close()
    done = run("resync", "--rebuild", *more, "--json")
    assert (done.exit_code, done.json["ok"], done.json["rebuilt"]) == (0, True, 1)
    broken = "SELECT session_id, text = 'nonsense' FROM messages JOIN transcripts ON transcripts.id = transcript_id"
    assert set(query(house.ledger_path, broken)) == {(session_id(1), 1), (session_id(2), 0)}
    assert run("resync", "--rebuild", "--session", "nobody").exit_code == 1
    run("resync", "--rebuild")
    assert_sound(house.ledger_path)


def test_beside_another_writer_it_is_exit_75_and_reading_verbs_go_on(run: Syncd, house: Household) -> None:
    house.write(name_of(1), transcript(1, 2))
    run("resync")
    with writer_lock(house.ledger_path):
        for verb in (("resync",), ("resync", "--rebuild"), ("run", "--once"), ("run",)):
            done = run(*verb, "--json")
            assert (done.exit_code, done.json["error"]["type"]) == (75, "already_running")
            assert done.json["error"]["pid"] == os.getpid()
        assert run("verify", "--json").json["ok"] is True


def test_a_person_at_a_terminal_sees_a_bar_and_stdout_is_still_one_document(house: Household) -> None:
    house.write(name_of(1), header(1) + b"".join(message(number, "word " * 2000) for number in range(1, 300)))
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "syncd", "resync", "--rebuild", "--json"],
            env={**os.environ, **environ(house), "PYTHONPATH": str(CHECKOUT), "TERM": "xterm", "COLUMNS": "100"},
            stdout=subprocess.PIPE,
            stderr=theirs,
            check=True,
            timeout=60,
        )
        os.set_blocking(ours, False)
        drawn = os.read(ours, 1 << 20).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert json.loads(done.stdout)["ok"] is True
    assert "reading" in drawn
    assert "MB" in drawn
    assert query(house.ledger_path, "SELECT count(*) FROM messages") == [(299,)]
