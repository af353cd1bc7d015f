"""Transcripts and indexes outside the usual place: beside a configured store, behind links, in the oldest layout."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from syncd.clock import SystemClock
from syncd.daemon import timers
from syncd.daemon.follow import Follower
from syncd.daemon.loop import Loop
from syncd.daemon.watch import _watched_inodes
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.writer import Writer
from syncd.mirror.catchup import CatchUpOptions
from tests.daemon.live import Live, following, wait_for
from tests.daemon.process import daemon, environ, syncd
from tests.mirror.household import RESET_TIME, Household, household, message, name_of, session_id, transcript
from tests.mirror.indexed import entry, index_text
from tests.mirror_checks import exported, query, transcript_at
from tests.openclaw_store import OtherProcess


@pytest.fixture
def house(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Household:
    """OpenClaw's home is that of the test."""
    monkeypatch.setenv("HOME", str(tmp_path))
    return household(tmp_path)


def configure(house: Household, **session: Any) -> None:
    scratch = house.state_dir / "openclaw.json.tmp"
    scratch.write_text(json.dumps({"session": session, "agents": {"list": [{"id": "main"}, {"id": "ops"}]}}))
    scratch.rename(house.state_dir / "openclaw.json")


def syncd_bytes(house: Household, *args: str) -> bytes:
    command = [sys.executable, "-m", "syncd", *args]
    return subprocess.run(command, env=environ(house), capture_output=True, timeout=60, check=True).stdout


def put(directory: Path, number: int, lines: int) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / name_of(number)
    path.write_bytes(transcript(number, lines))
    return path


def append(path: Path, number: int) -> None:
    with path.open("ab", buffering=0) as file:
        file.write(message(number))


def equals(house: Household, path: Path) -> Callable[[], bool]:
    def is_equal() -> bool:
        row = transcript_at(house.ledger_path, path.name)
        return exported(house.ledger_path, row.id, row.generation) == path.read_bytes()

    return is_equal


def only_by_events(loop: Loop) -> None:
    """No looks at active files: what is found is found by an event."""
    for follower in loop.followers:
        follower.look_at_active = lambda: None  # type: ignore[method-assign]


def watches_anew(live: Live) -> None:
    """Waits until what lies outside the trees is watched as well."""
    wait_for(lambda: live.loop.watcher.rebuilds == 1 and live.loop.watcher.mode == "events")


def agent_of(house: Household, path: Path) -> str:
    ((agent,),) = query(house.ledger_path, "SELECT agent_id FROM transcripts WHERE path = ?", str(path))
    return str(agent)


def live_sessions(house: Household) -> dict[tuple[str, str], str]:
    rows = query(house.ledger_path, "SELECT agent_id, session_key, session_id FROM sessions WHERE status = 'live'")
    return {(agent, key): sid for agent, key, sid in rows}


def test_transcripts_beside_the_store_of_each_agent_are_mirrored_and_followed_by_events(
    house: Household, tmp_path: Path
) -> None:
    configure(house, store="~/stores/{agentId}/sessions.json")
    one, two = put(tmp_path / "stores/main", 1, 2), put(tmp_path / "stores/ops", 2, 3)
    house.sessions("ops")
    with following(house, prepare=only_by_events) as live:
        watches_anew(live)
        assert (agent_of(house, one), agent_of(house, two)) == ("main", "ops")
        append(two, 4)
        wait_for(equals(house, two))
        new = put(tmp_path / "stores/ops", 3, 1)
        wait_for(equals(house, new))
        (tmp_path / "stores/ops/sessions.json").write_bytes(index_text({"agent:ops:main": entry(3)}))
        wait_for(lambda: live_sessions(house) == {("ops", "agent:ops:main"): session_id(3)})
        assert live.loop.watcher.reason is None
        archive = new.rename(new.with_name(f"{new.name}.reset.{RESET_TIME}"))
        wait_for(equals(house, archive))
    assert house.verify().transcripts == 3


def test_a_store_shared_by_all_agents_holds_the_default_agents_transcripts(house: Household, tmp_path: Path) -> None:
    configure(house, store=str(tmp_path / "all" / "conversations.json"))
    one = put(tmp_path / "all", 1, 2)
    with following(house, prepare=only_by_events) as live:
        watches_anew(live)
        entries = {"agent:ops:main": entry(1), "agent:main:main": entry(2), "global": entry(3)}
        (tmp_path / "all" / "conversations.json").write_bytes(index_text(entries))
        owners = {("ops", "agent:ops:main"), ("main", "agent:main:main"), ("main", "global")}
        wait_for(lambda: set(live_sessions(house)) == owners)
        assert agent_of(house, one) == "main"
    exported_lines = syncd_bytes(house, "export", "agent:ops:main")
    assert exported_lines == one.read_bytes()


def test_a_store_that_is_configured_while_we_follow_is_found(
    house: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timers, "WATCH_CHECK_SECONDS", 0.05)
    path = put(tmp_path / "elsewhere", 1, 2)
    with following(house, prepare=only_by_events) as live:
        configure(house, store=str(tmp_path / "elsewhere" / "sessions.json"))
        wait_for(equals(house, path))
        watches_anew(live)
        append(path, 3)
        wait_for(equals(house, path))


def test_a_store_that_is_configured_elsewhere_again_loses_nothing(house: Household, tmp_path: Path) -> None:
    configure(house, store=str(tmp_path / "elsewhere" / "sessions.json"))
    path = put(tmp_path / "elsewhere", 1, 2)
    house.catch_up()
    configure(house)
    house.catch_up()
    assert transcript_at(house.ledger_path, path.name).state == "live"


@pytest.mark.parametrize("place", ["stores", "openclaw/stores"])
def test_asking_for_one_agent_leaves_the_other_agents_store_alone(house: Household, tmp_path: Path, place: str) -> None:
    configure(house, store=f"~/{place}/{{agentId}}/sessions.json")
    one, two = put(tmp_path / place / "main", 1, 2), put(tmp_path / place / "ops", 2, 3)
    house.catch_up()
    append(one, 3)
    append(two, 4)
    code, told = syncd(house, "resync", "--agent", "ops")
    assert (code, told["lines"]) == (0, 1)
    assert equals(house, two)()
    assert not equals(house, one)()
    assert transcript_at(house.ledger_path, one.name).state == "live"


def test_a_store_whose_disk_is_away_has_removed_nothing(house: Household, tmp_path: Path) -> None:
    store = tmp_path / "disk" / "sessions.json"
    configure(house, store=str(store))
    path = put(tmp_path / "disk", 1, 2)
    store.write_bytes(index_text({"agent:main:main": entry(1)}))
    options = {"confirm_removal_seconds": 0.2, "rescan_seconds": 0.3, "is_level_after": False}
    with following(house, **options) as live:  # type: ignore[arg-type]
        (tmp_path / "disk").rename(tmp_path / "away")
        wait_for(lambda: [item.reason for item in live.loop.indexes[0].degraded] == ["absent"])
        rescans = live.loop.followers[0].figures.rescans
        wait_for(lambda: live.loop.followers[0].figures.rescans > rescans + 3)
        assert set(live_sessions(house)) == {("main", "agent:main:main")}
        (tmp_path / "away").rename(tmp_path / "disk")
        append(path, 3)
        wait_for(equals(house, path))
        wait_for(lambda: live.loop.indexes[0].degraded == ())
    assert set(live_sessions(house)) == {("main", "agent:main:main")}


def test_a_transcript_outside_is_verified_exported_and_counted_by_status(house: Household, tmp_path: Path) -> None:
    configure(house, store=str(tmp_path / "all" / "sessions.json"))
    path = put(tmp_path / "all", 1, 2)
    with daemon(house) as running:
        running.is_following()
        wait_for(equals(house, path))
        (tmp_path / "all" / "sessions.json.lock").write_text(json.dumps({"pid": os.getpid(), "startedAt": 1}))
        code, status = syncd(house, "status")
        assert (code, status["behind_bytes"]) == (0, 0)
        assert [(lock["kind"], lock["reason"]) for lock in status["locks"]] == [("index", "live")]
    append(path, 3)
    code, status = syncd(house, "status")
    assert (code, status["behind_bytes"]) == (3, len(message(3)))
    code, told = syncd(house, "verify")
    assert (code, [item["path"] for item in told["differences"]]) == (1, [str(path)])
    path.unlink()
    house.catch_up()
    assert transcript_at(house.ledger_path, path.name).state == "gone"


def test_a_sessions_directory_behind_a_link_is_followed_by_events(house: Household, tmp_path: Path) -> None:
    real = tmp_path / "disk" / "sessions"
    real.mkdir(parents=True)
    (house.state_dir / "agents" / "ops").mkdir()
    (house.state_dir / "agents" / "ops" / "sessions").symlink_to(real)
    path = put(real, 1, 2)
    with following(house, prepare=only_by_events) as live:
        watches_anew(live)
        append(path, 3)
        wait_for(equals(house, path))
        assert agent_of(house, house.state_dir / "agents" / "ops" / "sessions" / path.name) == "ops"


def test_an_agents_directory_behind_a_link_is_followed_by_events(tmp_path: Path) -> None:
    house = household(tmp_path)
    os.rmdir(house.sessions())
    os.rmdir(house.state_dir / "agents" / "main")
    os.rmdir(house.state_dir / "agents")
    (tmp_path / "disk" / "main" / "sessions").mkdir(parents=True)
    (house.state_dir / "agents").symlink_to(tmp_path / "disk")
    path = put(tmp_path / "disk" / "main" / "sessions", 1, 2)
    with following(house, prepare=only_by_events) as live:
        append(path, 3)
        wait_for(equals(house, path))
        new = put(tmp_path / "disk" / "crew" / "sessions", 2, 2)
        wait_for(equals(house, new))
        assert live.loop.watcher.mode == "events"


@pytest.mark.parametrize("real", ["disk", "openclaw/agents/.disk"], ids=["elsewhere", "in the tree"])
def test_a_database_behind_a_link_is_followed_by_events(tmp_path: Path, real: str) -> None:
    house, directory = household(tmp_path), tmp_path / real
    directory.mkdir()
    (house.state_dir / "agents" / "ops").mkdir()
    (house.state_dir / "agents" / "ops" / "agent").symlink_to(directory)
    with OtherProcess(directory / "openclaw-agent.sqlite") as store:
        store.do("import_lines", session_id(1), transcript(1, 2), "agent:ops:main")
        with following(house, prepare=only_by_events) as live:
            store.do("append", session_id(1), message(3))
            wait_for(lambda: live.row(name_of(1)).lines == 4)
            store.do("append", session_id(1), message(4))
            wait_for(lambda: live.row(name_of(1)).lines == 5)
            assert live.loop.figures.rescans <= 2
            assert (live.loop.watcher.mode, live.loop.watcher.reason) == ("events", None)


def test_an_agent_behind_a_link_is_followed_into_its_database(tmp_path: Path) -> None:
    """The directory of the database is made only then."""
    house, real = household(tmp_path), tmp_path / "disk" / "ops"
    (real / "sessions").mkdir(parents=True)
    (house.state_dir / "agents" / "ops").symlink_to(real)
    file = put(real / "sessions", 1, 2)
    with following(house, prepare=only_by_events) as live:
        watches_anew(live)
        with OtherProcess(real / "agent" / "openclaw-agent.sqlite") as store:
            store.do("import_lines", session_id(1), file.read_bytes(), "agent:ops:main")
            archived = house.import_archive("ops") / f"agent_ops_main.{file.name}.imported-1794802732071"
            file.rename(archived)
            store.do("append", session_id(1), message(3))
            wait_for(lambda: live.row(name_of(1)).lines == 4)
            store.do("append", session_id(1), message(4))
            wait_for(lambda: live.row(name_of(1)).lines == 5)
    assert len(query(house.ledger_path, "SELECT id FROM transcripts")) == 1


def test_another_name_of_an_agents_directory_does_not_keep_events_from_coming(house: Household) -> None:
    with OtherProcess(house.state_dir / "agents" / "ops" / "agent" / "openclaw-agent.sqlite") as store:
        store.do("import_lines", session_id(1), transcript(1, 2), "agent:ops:main")
        with following(house, prepare=only_by_events) as live:
            (house.state_dir / "agents" / "alias").symlink_to("ops")
            live.loop.dirty.add_everything()
            wait_for(lambda: live.loop.figures.rescans == 2)
            store.do("append", session_id(1), message(3))
            wait_for(lambda: live.row(name_of(1)).lines == 4)
            assert live.loop.watcher._unwatched_of(live.loop.followers[0].directories) == frozenset()
            assert (live.loop.watcher.mode, live.loop.watcher.reason) == ("events", None)


def test_what_lies_outside_the_trees_is_watched_before_ready_is_said(house: Household, tmp_path: Path) -> None:
    configure(house, store="~/stores/{agentId}/sessions.json")
    path = put(tmp_path / "stores/ops", 1, 2)
    watched: list[bool] = []

    def note_watches_at_ready(loop: Loop) -> None:
        usual = loop._telling.tell

        def tell() -> None:
            watched.append(path.parent.stat().st_ino in _watched_inodes())
            usual()

        loop._telling.tell = tell  # type: ignore[method-assign]

    with following(house, prepare=note_watches_at_ready):
        assert watched[0]


def test_an_agent_that_only_its_store_names_is_found(house: Household, tmp_path: Path) -> None:
    """OpenClaw makes a store for whatever agent a session key names, configured or not."""
    configure(house, store="~/stores/{agentId}/here/sessions.json")
    path = put(tmp_path / "stores/guest/here", 1, 2)
    put(tmp_path / "stores/notes/here", 2, 2)  # no index: not a store
    (path.parent / "sessions.json").write_bytes(index_text({"agent:guest:main": entry(1)}))
    with following(house, prepare=only_by_events):
        wait_for(equals(house, path))
        assert agent_of(house, path) == "guest"
        wait_for(lambda: live_sessions(house) == {("guest", "agent:guest:main"): session_id(1)})
        append(path, 3)
        wait_for(equals(house, path))
    assert len(query(house.ledger_path, "SELECT id FROM transcripts")) == 1


def test_a_file_that_goes_as_its_directory_is_configured_no_more_is_gone_before_a_rescan(
    house: Household, tmp_path: Path
) -> None:
    configure(house, store=str(tmp_path / "data" / "{agentId}" / "sessions.json"))
    path = put(tmp_path / "data" / "ops", 2, 3)
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        follower = Follower(Writer(ledger, SystemClock()), str(house.state_dir), CatchUpOptions(settle_seconds=0.05))
        follower.look_at_everything(counts_missed=False)
        configure(house, store=str(tmp_path / "data" / "foo.json"))
        path.unlink()
        follower.look_at([str(house.state_dir / "openclaw.json"), str(path)])
        assert follower.deferred

        def is_decided() -> bool:
            follower.look_at_due()
            return not follower.deferred

        wait_for(is_decided)
        assert query(house.ledger_path, "SELECT state FROM transcripts") == [("gone",)]
