"""`syncd purge` and `syncd pin`: what they say, whom they ask, and the same with a daemon at work."""

import json
import os

import pytest

from tests.conftest import Cli
from tests.daemon.live import wait_for
from tests.daemon.process import daemon, rows, syncd
from tests.jobs.traces import places_with
from tests.mirror.household import Household, header, message, name_of, session_id, transcript
from tests.mirror.indexed import entry, index_text
from tests.mirror_checks import assert_sound, query

KEY = "agent:main:direct:vexillology"
WORD = "zyxquandary"


@pytest.fixture
def household_of_two(house: Household) -> Household:
    house.write(name_of(7), header(7) + message(901, f"what of the {WORD}?"))
    house.write(name_of(8), transcript(8, 3))
    house.write("sessions.json", index_text({KEY: entry(7), "agent:main:main": entry(8)}))
    return house


def test_nobody_can_be_asked_off_a_terminal(household_of_two: Household, cli_in_process: Cli) -> None:
    house = household_of_two
    assert cli_in_process("run", "--once", env=house.environ).exit_code == 0
    refused = cli_in_process("purge", KEY, env=house.environ)
    assert refused.exit_code == 2
    assert "--yes" in refused.stderr
    assert query(house.ledger_path, "SELECT count(*) FROM tombstones") == [(0,)]


def test_a_purge_says_what_went_and_what_did_not(household_of_two: Household, cli_in_process: Cli) -> None:
    house = household_of_two
    fork = header(9, parentSession=str(house.path(name_of(7)))) + message(901, f"what of the {WORD}?")
    house.write(name_of(9), fork)
    assert cli_in_process("run", "--once", env=house.environ).exit_code == 0
    assert cli_in_process("ledger", "backup", env=house.environ).exit_code == 0

    done = cli_in_process("purge", KEY, "--yes", "--json", env=house.environ)

    assert done.exit_code == 0, done.stderr
    document = done.json
    assert (document["ok"], document["sessions"], document["transcripts"]) == (True, 1, 1)
    assert document["session_ids"] == [session_id(7)]
    title = f"what of the {WORD}?"
    assert document["removed"] == [{"session_key": KEY, "session_id": session_id(7), "title": title}]
    assert [item["session_id"] for item in document["kept_relatives"]] == [session_id(9)]
    assert [item["is_deleted"] for item in document["copies"]] == [False]
    again = cli_in_process("purge", session_id(9), "--yes", env=house.environ)
    assert "removed for good" in again.stdout
    assert places_with(house.ledger_path.parent, WORD, session_id(9)) == []
    assert cli_in_process("purge", "nobody", "--yes", env=house.environ).exit_code == 1
    once_more = cli_in_process("purge", KEY, "--yes", env=house.environ)
    assert (once_more.exit_code, once_more.stdout) == (0, "it was purged before; no trace of it was found\n")
    assert cli_in_process("resync", "--rebuild", env=house.environ).exit_code == 0
    assert cli_in_process("verify", env=house.environ).exit_code == 0
    assert places_with(house.ledger_path.parent, WORD, session_id(9)) == []


def test_what_goes_is_called_as_everywhere_else(household_of_two: Household, cli_in_process: Cli) -> None:
    house = household_of_two
    house.write("sessions.json", index_text({KEY: {**entry(7), "displayName": "Flags"}, "agent:main:main": entry(8)}))
    assert cli_in_process("run", "--once", env=house.environ).exit_code == 0
    (session,) = [each for each in cli_in_process("sessions", "--json", env=house.environ).json["sessions"]
                  if each["session_key"] == KEY]  # fmt: skip
    done = cli_in_process("purge", KEY, "--yes", "--json", env=house.environ)
    assert [each["title"] for each in done.json["removed"]] == ["Flags"] == [session["title"]]


def test_words_of_a_title_are_no_name_to_purge_by(household_of_two: Household, cli_in_process: Cli) -> None:
    house = household_of_two
    assert cli_in_process("run", "--once", env=house.environ).exit_code == 0
    for words in (WORD, WORD.upper(), f"what of the {WORD}?"):
        assert cli_in_process("show", words, env=house.environ).exit_code == 0
        refused = cli_in_process("purge", words, "--yes", "--json", env=house.environ)
        assert (refused.exit_code, refused.json["error"]["type"]) == (2, "ambiguous")
        assert [each["session_key"] for each in refused.json["error"]["candidates"]] == [KEY]
        assert KEY in refused.json["error"]["message"]
    assert query(house.ledger_path, "SELECT count(*) FROM tombstones") == [(0,)]


@pytest.mark.parametrize(
    "name", [KEY, "vexillology", "direct:vexillology", "agent:main:dir", session_id(7), "0a000007"]
)
def test_what_is_named_exactly_goes_and_is_told(household_of_two: Household, cli_in_process: Cli, name: str) -> None:
    house = household_of_two
    assert cli_in_process("run", "--once", env=house.environ).exit_code == 0
    done = cli_in_process("purge", name, "--yes", env=house.environ)
    assert done.exit_code == 0
    assert f"  {KEY}  {session_id(7)}  what of the {WORD}?\n" in done.stdout
    assert query(house.ledger_path, "SELECT session_id FROM transcripts") == [(session_id(8),)]


@pytest.mark.parametrize("verb", [("purge", "--yes"), ("pin",)])
def test_a_key_of_two_agents_is_asked_back_and_an_id_is_clear(
    household_of_two: Household, cli_in_process: Cli, verb: tuple[str, ...]
) -> None:
    house = household_of_two
    other = house.state_dir / "agents" / "ops" / "sessions"
    other.mkdir(parents=True)
    (other / name_of(9)).write_bytes(transcript(9, 3))
    (other / "sessions.json").write_bytes(index_text({KEY: entry(9)}))
    assert cli_in_process("run", "--once", env=house.environ).exit_code == 0

    refused = cli_in_process(*verb, KEY, "--json", env=house.environ)

    assert refused.exit_code == 2
    named = refused.json["error"]["candidates"]
    assert {(each["agent_id"], each["session_id"]) for each in named} == {
        ("main", session_id(7)),
        ("ops", session_id(9)),
    }
    assert query(house.ledger_path, "SELECT count(*) FROM sessions") == [(3,)]
    assert cli_in_process(*verb, session_id(9), env=house.environ).exit_code == 0


def test_verbs_say_of_a_purged_session_that_it_was_purged(household_of_two: Household, cli_in_process: Cli) -> None:
    house = household_of_two
    assert cli_in_process("run", "--once", env=house.environ).exit_code == 0
    assert cli_in_process("purge", KEY, "--yes", env=house.environ).exit_code == 0
    for verb in (["show", KEY], ["export", session_id(7)], ["resync", "--session", session_id(7)], ["pin", KEY]):
        told = cli_in_process(*verb, env=house.environ)
        assert (told.exit_code, "was purged" in told.stderr) == (1, True), (verb, told.stderr)
    assert cli_in_process("search", WORD, "--json", env=house.environ).json["hits"] == []


def test_a_pin_holds_until_it_is_taken_out(household_of_two: Household, cli_in_process: Cli) -> None:
    house = household_of_two
    assert cli_in_process("run", "--once", env=house.environ).exit_code == 0
    assert cli_in_process("pin", KEY, "--json", env=house.environ).json["changed"] == 1
    assert cli_in_process("pin", KEY, "--json", env=house.environ).json["changed"] == 0
    refused = cli_in_process("purge", session_id(7), "--yes", env=house.environ)
    assert (refused.exit_code, "unpin" in refused.stderr) == (2, True)
    assert cli_in_process("unpin", KEY, "--json", env=house.environ).json["changed"] == 1
    assert cli_in_process("purge", session_id(7), "--yes", env=house.environ).exit_code == 0


def test_the_health_log_names_it_no_more(household_of_two: Household, cli_in_process: Cli) -> None:
    house = household_of_two
    assert cli_in_process("run", "--once", env=house.environ).exit_code == 0
    log = house.ledger_path.with_name("health.log")
    config = house.state_dir.parent / "config.yaml"
    config.write_text(f"health: {{log_path: {log}}}\n")
    for path in (log, log.with_name("health.log.1")):
        path.write_text('{"code": "fine"}\n' + json.dumps({"code": "unreadable", "path": name_of(7)}) + "\n")
    done = cli_in_process("--config", config, "purge", KEY, "--yes", "--json", env=house.environ)
    assert done.json["log_lines"] == 2
    assert log.read_text() == '{"code": "fine"}\n'
    log.write_text(json.dumps({"code": "unreadable", "path": name_of(7)}) + "\n")
    again = cli_in_process("--config", config, "purge", KEY, "--yes", env=house.environ)
    assert (again.exit_code, again.stdout) == (0, "it was purged before\nremoved from the health log: 1 line\n")


def test_a_running_daemon_does_it_and_goes_on_following(household_of_two: Household) -> None:
    house = household_of_two
    with daemon(house) as running:
        running.is_following()
        assert syncd(house, "pin", "agent:main:main")[0] == 0
        code, done = syncd(house, "purge", KEY, "--yes")
        assert (code, done["ok"]) == (0, True)
        assert places_with(house.ledger_path.parent, WORD, session_id(7), "vexillology") == []
        house.append(name_of(7), message(902, f"{WORD} again"))
        house.append(name_of(8), message(4, "heard"))
        wait_for(lambda: [row.lines for row in rows(house)] == [5])
        status = syncd(house, "status")[1]
        assert (status["behind_bytes"], status["degraded"]) == (0, [])
        assert syncd(house, "purge", "agent:main:main", "--yes")[0] == 2, "it is pinned"
        running.terminate()
    with daemon(house) as running:
        running.is_following()
        running.terminate()
    assert places_with(house.ledger_path.parent, WORD, session_id(7), "vexillology") == []
    assert_sound(house.ledger_path)


def test_a_scheduled_removal_leaves_no_name_in_the_health_log(household_of_two: Household) -> None:
    house = household_of_two
    log = house.ledger_path.with_name("health.log")
    (house.state_dir.parent / "config.yaml").write_text(f"""
watch: {{settle_seconds: 0.2, rescan_seconds: 0.5, confirm_removal_seconds: 0.5}}
health: {{log_path: {log}, interval_seconds: 0.2}}
jobs: {{retention: 1s}}
retention: {{removed_sessions: {{purge_after: 1s}}}}
""")

    def named() -> bool:
        return session_id(7) in log.read_text()

    with daemon(house) as running:
        running.is_following()
        lock = house.lock(name_of(7), os.getpid())
        wait_for(named)
        lock.unlink()
        house.path(name_of(7)).unlink()
        house.write("sessions.json", index_text({"agent:main:main": entry(8)}))
        sql = "SELECT count(*) FROM tombstones WHERE scoured_at IS NOT NULL"
        wait_for(lambda: query(house.ledger_path, sql) == [(1,)])
        wait_for(lambda: not named())
        house.lock(name_of(7), os.getpid())  # OpenClaw goes on with it: nothing is said of that
        house.lock(name_of(8), os.getpid())
        wait_for(lambda: session_id(8) in log.read_text().splitlines()[-1])
        assert not named()
        assert running.terminate()[0] == 0
    assert places_with(house.ledger_path.parent, WORD, session_id(7), "vexillology") == []
