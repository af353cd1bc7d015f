"""A state dir that was moved, by OpenClaw or by its owner, is the installation that it was; a second one is another."""

import shutil
from functools import partial
from pathlib import Path

import pytest

from syncd.clock import SystemClock
from syncd.daemon import timers
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import CatchUpOptions, catch_up
from syncd.sources.state_dirs import find_state_dirs
from tests.cli.quick import quick_household
from tests.conftest import CHECKOUT, Cli, Result
from tests.daemon.live import following, wait_for
from tests.mirror.household import RESET_TIME, Household, message, name_of, session_id, transcript
from tests.mirror_checks import assert_mirrors, events, mirrored, query

GENUINE = CHECKOUT / "tests" / "data" / "openclaw" / "2026.7.1"
COUNTED = ("installations", "transcripts", "sessions", "session_versions", "session_ids", "entries", "_files",
           "_indexes", "_index_entries", "_cron_logs", "cron_runs", "messages")  # fmt: skip


def counts(ledger_path: Path) -> dict[str, int]:
    return {table: query(ledger_path, f"SELECT count(*) FROM {table}")[0][0] for table in COUNTED}


def tops(ledger_path: Path) -> set[str]:
    """The state dirs under which absolute paths are kept."""
    tables = ("transcripts", "_indexes", "_cron_logs")
    paths = [str(path, "utf-8") if isinstance(path, bytes) else path
             for table in tables for (path,) in query(ledger_path, f"SELECT path FROM {table}")]  # fmt: skip
    assert paths
    return {path[: min(at for name in ("/agents/", "/cron/") if (at := path.find(name)) > 0)] for path in paths}


def moved(house: Household, name: str, *, leaves_link: bool) -> Household:
    there = house.state_dir.with_name(name)
    house.state_dir.rename(there)
    if leaves_link:
        house.state_dir.symlink_to(there)
    return Household(there, house.ledger_path)


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = quick_household(tmp_path)
    made.write(name_of(1), transcript(1, 3))
    return made


@pytest.mark.parametrize("verb", [("run", "--once"), ("resync",)], ids=["run", "resync"])
def test_openclaw_s_own_move_of_a_legacy_state_dir_doubles_nothing(
    tmp_path: Path, home: Path, cli_in_process: Cli, verb: tuple[str, ...]
) -> None:
    legacy, usual, ledger_path = home / ".clawdbot", home / ".openclaw", tmp_path / "ledger.db"
    shutil.copytree(GENUINE, legacy)
    (legacy / "cron" / "runs").mkdir(parents=True)
    (legacy / "cron" / "runs" / "job-1.jsonl").write_bytes(b'{"ts":1794802931000,"jobId":"job-1","status":"ok"}\n')
    (tmp_path / "config.yaml").write_text("watch: {settle_seconds: 0}\n")

    def syncd(*args: str) -> Result:
        return cli_in_process(
            *args, env={"SYNCD_LEDGER": str(ledger_path), "SYNCD_CONFIG": str(tmp_path / "config.yaml")}
        )

    assert syncd("run", "--once").exit_code == 0
    before = counts(ledger_path)
    assert before["installations"] == before["_cron_logs"] == 1
    key = "agent:main:main"
    content = syncd("export", key).stdout_bytes
    ((old_path,),) = query(
        ledger_path,
        "SELECT path FROM transcripts WHERE state = 'live' AND kind != 'trajectory' ORDER BY bytes DESC LIMIT 1",
    )
    of_path = Path(old_path).read_bytes()

    legacy.rename(usual)
    legacy.symlink_to(usual)
    looked = syncd("verify", "--json")
    assert (looked.exit_code, looked.json["differences"]) == (0, [])
    done = syncd(*verb, "--json")
    assert (done.exit_code, done.json["lines"], done.json["sessions"]) == (0, 0, 0)
    assert counts(ledger_path) == before
    assert tops(ledger_path) == {str(usual)}
    assert query(ledger_path, "SELECT state_dir FROM installations") == [(str(usual),)]
    told = "SELECT json_extract(detail_json, '$.former'), json_extract(detail_json, '$.path') FROM sync_events"
    assert query(ledger_path, f"{told} WHERE kind = 'moved'") == [(str(legacy), str(usual))]
    assert syncd("verify").exit_code == 0
    assert syncd("export", key).stdout_bytes == content
    legacy.unlink()
    for path in (old_path, old_path.replace("/.clawdbot/", "/.openclaw/")):
        assert syncd("export", path).stdout_bytes == of_path
    assert syncd("run", "--once", "--json").json["lines"] == 0
    assert events(ledger_path).count("moved") == 1


@pytest.mark.parametrize("leaves_link", [True, False])
def test_a_moved_state_dir_goes_on_where_it_was_left(house: Household, *, leaves_link: bool) -> None:
    house.write(name_of(2), transcript(2, 3))
    mirrored(house)
    there = moved(house, "elsewhere", leaves_link=leaves_link)
    there.append(name_of(1), message(4))
    there.rename(name_of(2), f"{name_of(2)}.reset.{RESET_TIME}")
    assert there.verify().ok is False
    mirrored(there)
    found = query(house.ledger_path, "SELECT session_id, kind, generation, lines, path FROM transcripts ORDER BY id")
    assert found == [
        (session_id(1), "primary", 1, 5, str(there.path(name_of(1)))),
        (session_id(2), "reset", 1, 4, str(there.path(f"{name_of(2)}.reset.{RESET_TIME}"))),
    ]
    assert query(house.ledger_path, "SELECT count(*) FROM installations") == [(1,)]


def test_a_store_that_is_configured_by_the_old_path_is_not_another_one(
    tmp_path: Path, home: Path, cli_in_process: Cli
) -> None:
    legacy, ledger_path = Household(home / ".clawdbot", tmp_path / "ledger.db"), tmp_path / "ledger.db"
    (tmp_path / "config.yaml").write_text("watch: {settle_seconds: 0}\n")
    store = legacy.state_dir / "store" / "main"
    store.mkdir(parents=True)
    legacy.write(name_of(2), transcript(2, 3))
    (store / name_of(1)).write_bytes(transcript(1, 3))
    (store / "sessions.json").write_text(f'{{"agent:main:main":{{"sessionId":"{session_id(1)}","updatedAt":1}}}}')
    configured = '{"session":{"store":"~/.clawdbot/store/{agentId}/sessions.json"}}'
    (legacy.state_dir / "openclaw.json").write_text(configured)
    env = {"SYNCD_LEDGER": str(ledger_path), "SYNCD_CONFIG": str(tmp_path / "config.yaml")}
    assert cli_in_process("run", "--once", env=env).exit_code == 0
    before = counts(ledger_path)
    assert (before["transcripts"], before["sessions"]) == (2, 1)
    there = moved(legacy, ".openclaw", leaves_link=True)
    assert cli_in_process("verify", env=env).exit_code == 0
    done = cli_in_process("run", "--once", "--json", env=env)
    assert (done.exit_code, done.json["lines"], done.json["sessions"]) == (0, 0, 0)
    assert counts(ledger_path) == before
    assert query(ledger_path, "SELECT path FROM transcripts WHERE session_id = ?", session_id(1)) == [
        (str(there.state_dir / "store" / "main" / name_of(1)),)
    ]


def test_a_copy_on_another_disk_with_a_link_in_the_old_place_is_a_move(house: Household) -> None:
    mirrored(house)
    there = Household(house.state_dir.with_name("elsewhere"), house.ledger_path)
    shutil.copytree(house.state_dir, there.state_dir)
    shutil.rmtree(house.state_dir)
    house.state_dir.symlink_to(there.state_dir)
    mirrored(there)
    assert query(house.ledger_path, "SELECT state_dir FROM installations") == [(str(there.state_dir),)]
    assert query(house.ledger_path, "SELECT count(*), max(generation) FROM transcripts") == [(1, 1)]


def test_a_copy_beside_the_original_is_another_installation(house: Household) -> None:
    mirrored(house)
    there = Household(house.state_dir.with_name("elsewhere"), house.ledger_path)
    shutil.copytree(house.state_dir, there.state_dir)
    there.catch_up()
    assert query(house.ledger_path, "SELECT count(*) FROM installations") == [(2,)]
    assert "moved" not in events(house.ledger_path)
    assert (house.verify().differences, there.verify().differences) == ([], [])


def test_a_state_dir_made_after_another_went_is_another_installation(house: Household) -> None:
    mirrored(house)
    shutil.rmtree(house.state_dir)
    there = Household(house.state_dir.with_name("elsewhere"), house.ledger_path)
    there.write(name_of(2), transcript(2, 1))
    mirrored(there)
    assert query(house.ledger_path, "SELECT count(*) FROM installations") == [(2,)]


def test_a_new_state_dir_in_the_place_of_a_moved_one_is_another_installation(house: Household, cli: Cli) -> None:
    mirrored(house)
    there = moved(house, "elsewhere", leaves_link=False)
    mirrored(there)
    house.write(name_of(1), transcript(1, 1))
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        both = [str(house.state_dir), str(there.state_dir)]
        catch_up(ledger, SystemClock(), both, CatchUpOptions(settle_seconds=0))
    assert query(house.ledger_path, "SELECT state_dir FROM installations ORDER BY id") == [
        (str(there.state_dir),),
        (str(house.state_dir),),
    ]
    done = cli("export", house.path(name_of(1)), env=house.environ)  # what is there now, not what was moved from there
    assert done.stdout_bytes == transcript(1, 1)


def test_an_archive_of_before_the_move_is_found_by_the_path_it_had(house: Household, cli: Cli) -> None:
    mirrored(house)
    house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    mirrored(house)
    once = moved(house, "elsewhere", leaves_link=False)
    mirrored(once)
    twice = moved(once, "elsewhere-still", leaves_link=False)
    mirrored(twice)
    for each in (house, once, twice):
        place = each.state_dir / "agents" / "main" / "sessions" / name_of(1)
        assert cli("export", place, env=twice.environ).stdout_bytes == transcript(1, 3)


@pytest.mark.parametrize("leaves_link", [True, False])
def test_a_daemon_goes_on_following_a_state_dir_that_moves_meanwhile(
    house: Household, home: Path, monkeypatch: pytest.MonkeyPatch, *, leaves_link: bool
) -> None:
    for name in ("WATCH_CHECK_SECONDS", "LONGEST_WAIT_SECONDS"):
        monkeypatch.setattr(timers, name, 0.05)
    house.state_dir.rename(home / ".clawdbot")
    legacy = Household(home / ".clawdbot", house.ledger_path)
    find = partial(find_state_dirs, None, {"HOME": str(home)}, None)
    with following(legacy, find_state_dirs=find, is_level_after=False) as live:
        assert [one.state_dir for one in live.loop.followers] == [str(legacy.state_dir)]
        there = moved(legacy, ".openclaw", leaves_link=leaves_link)
        wait_for(lambda: [one.state_dir for one in live.loop.followers] == [str(there.state_dir)])
        there.write(name_of(2), transcript(2, 2))
        live.has_lines(name_of(2), 3)
        there.append(name_of(1), message(4))
        live.has_lines(name_of(1), 5)
    assert_mirrors(there)
    assert query(house.ledger_path, "SELECT state_dir FROM installations") == [(str(there.state_dir),)]
    assert query(house.ledger_path, "SELECT count(*), max(generation) FROM transcripts") == [(2, 1)]
