"""sessions.json into sessions and session_versions: what it says, every change of it, and nothing else."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from syncd.mirror.index_sync import IndexOutcome
from tests.mirror.household import household, name_of, session_id
from tests.mirror.indexed import MAIN, NOW, TELEGRAM, Indexed, entry, index_text, indexed
from tests.mirror_fixtures import DATA, JSONL_RELEASES, genuine


@pytest.mark.parametrize("release", JSONL_RELEASES)
def test_sessions_equal_the_genuine_index_of_each_release(tmp_path: Path, release: str) -> None:
    with indexed(tmp_path, genuine(tmp_path, release)) as index:
        assert index.settle().changed == 12
        for agent in ("main", "ops"):
            written = json.loads((DATA / release / f"agents/{agent}/sessions/sessions.json").read_bytes())
            live = {key: value for key, value in index.live().items() if key.startswith(f"agent:{agent}:")}
            assert live == written
            for key, value in written.items():
                assert index.pairings()[key, value["sessionId"]] is None
                assert index.versions(key) == [value]
        rows = index.sessions()
        topic = rows["agent:main:telegram:group:-1001234:topic:7"]
        assert (topic["kind"], topic["channel"], topic["chat_type"]) == ("group", "telegram", "group")
        assert (topic["peer"], topic["thread_id"], topic["title"]) == ("-1001234", "7", "Garden ✿ group")
        assert rows["agent:main:direct:forked"]["parent_session_key"] == "agent:main:direct:branchy"
        subagent = rows["agent:main:subagent:0b000000-0000-4000-8000-00000000000b"]
        assert (subagent["kind"], subagent["spawned_by"], subagent["label"]) == ("subagent", MAIN, "sub-one")
        assert rows["agent:ops:main"]["agent_id"] == "ops"
        assert {row["lifecycle"] for row in rows.values()} <= {"active", "idle"}
        assert index.events() == []


def test_an_index_that_did_not_change_costs_no_write(index: Indexed) -> None:
    path = index.write({MAIN: entry(1)})
    assert index.settle().changed == 1
    before = index.writes()
    assert index.settle() == IndexOutcome()
    path.chmod(0o640)
    assert index.settle() == IndexOutcome()
    index.rename_in(path.read_bytes())
    assert index.settle() == IndexOutcome()
    index.restart()
    assert index.settle() == IndexOutcome()
    assert index.writes() == before


def test_every_change_of_an_entry_is_a_version_of_the_changed_fields(index: Indexed) -> None:
    versions = [
        entry(1, label="a", skills=[1]),
        entry(1, updated_at=NOW + 1, label="a", skills=[1], status="running"),
        entry(1, updated_at=NOW + 2, skills=[1], status="done"),
    ]
    for version in versions:
        index.write({MAIN: version, TELEGRAM: entry(2)})
        assert index.settle().changed >= 1
    assert index.versions() == [
        versions[0],
        {"updatedAt": NOW + 1, "status": "running"},
        {"label": None, "updatedAt": NOW + 2, "status": "done"},
    ]
    assert index.versions(TELEGRAM) == [entry(2)]
    assert index.live()[MAIN] == versions[2]


def test_d4_a_storm_of_rewrites_of_one_size_leaves_no_version_out(index: Indexed) -> None:
    for number in range(60):
        index.write({MAIN: entry(1, updated_at=NOW + number), TELEGRAM: entry(2)})
        index.look()
    assert index.settle().changed == 0
    assert index.live()[MAIN]["updatedAt"] == NOW + 59
    assert [version["updatedAt"] for version in index.versions()] == list(range(NOW, NOW + 60))
    assert index.pairings() == {(MAIN, session_id(1)): None, (TELEGRAM, session_id(2)): None}


def test_a_rewrite_of_one_size_under_the_same_inode_within_one_tick_of_the_clock_is_seen(
    index: Indexed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ext4 gives the freed inode to the next file at once, and its clock need not have moved on by then."""
    index.write({MAIN: entry(1, updated_at=NOW)})
    frozen = index.path().stat()
    monkeypatch.setattr("syncd.sources.index_file.os.fstat", lambda _: frozen)
    assert index.look().retry_after is not None
    index.path().write_bytes(index_text({MAIN: entry(1, updated_at=NOW + 1)}))
    index.settle()
    assert index.live()[MAIN]["updatedAt"] == NOW + 1


def test_a_version_overwritten_before_it_was_read_is_one_that_nobody_saw(index: Indexed) -> None:
    index.write({MAIN: entry(1)})
    index.settle()
    for number in range(5):
        index.write({MAIN: entry(1, updated_at=NOW + number)})
    assert index.settle().changed == 1
    assert len(index.versions()) == 2


def test_d7_an_index_in_json5_is_read(index: Indexed) -> None:
    index.rename_in(b"// old\n{'agent:main:main': {sessionId: 's1', updatedAt: 5,},}")
    index.settle()
    assert index.live() == {MAIN: {"sessionId": "s1", "updatedAt": 5}}


def test_entries_that_are_no_entries_are_kept_too(index: Indexed) -> None:
    odd: dict[str, Any] = {
        "a": None,
        "b": 5,
        "c": [],
        "d": {},
        "e": {"sessionId": 7},
        "": {"sessionId": "x"},
        "f": {"subject": "\ud83d"},
    }
    index.write({key: value for key, value in odd.items() if key != "f"} | {MAIN: entry(1)})
    index.rename_in(json.dumps({**odd, MAIN: entry(1)}, indent=2).encode())
    index.settle()
    assert index.live() == {**odd, MAIN: entry(1)}
    assert set(index.pairings()) == {("", "x"), (MAIN, session_id(1))}


def test_another_layout_of_the_same_entries_is_no_change(index: Indexed) -> None:
    entries = {MAIN: entry(1, label="x"), TELEGRAM: entry(2)}
    index.write(entries)
    index.settle()
    index.rename_in(json.dumps(entries).encode())
    assert index.settle().changed == 0
    assert len(index.versions()) == 1


def test_d5_an_entry_whose_transcript_does_not_exist_yet_is_pending(index: Indexed) -> None:
    path = str(index.house.sessions() / name_of(1))
    index.write({MAIN: entry(1, updated_at=index.clock.now_ms(), sessionFile=path, status="running")})
    assert index.settle().degraded == ()
    assert index.sessions()[MAIN]["lifecycle"] == "created"
    assert index.events() == []


@pytest.mark.parametrize("path", ["/etc/passwd", "../../../../etc/passwd", "/home/x/.openclaw/credentials/a.json"])
def test_d6_a_session_file_outside_the_household_is_refused_once(index: Indexed, path: str) -> None:
    for number in range(3):
        index.write({MAIN: entry(1, updated_at=NOW + number, sessionFile=path)})
        index.settle()
    detail = {"agent_id": "main", "session_key": MAIN, "session_id": session_id(1)}
    assert index.events() == [("refused_session_file", detail)]
    assert index.live()[MAIN]["sessionFile"] == path


def test_markers_of_the_database_and_old_places_are_no_escape(index: Indexed) -> None:
    index.write(
        {
            MAIN: entry(1, sessionFile=f"sqlite:main:{session_id(1)}:/x/openclaw-agent.sqlite"),
            TELEGRAM: entry(2, sessionFile=f"/home/claw/.openclaw/agents/main/sessions/{name_of(2)}"),
        }
    )
    index.settle()
    assert index.events() == []


def test_nothing_below_the_state_dir_is_touched(tmp_path: Path) -> None:
    house = household(tmp_path)
    shutil.copytree(DATA / "2026.7.1", house.state_dir, dirs_exist_ok=True)

    def facts() -> dict[str, Any]:
        every = [house.state_dir, *house.state_dir.rglob("*")]
        stats = {str(path): path.lstat() for path in every}
        return {path: (s.st_mode, s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns) for path, s in stats.items()}

    before = facts()
    with indexed(tmp_path, house) as index:
        index.settle()
        assert len(index.live()) == 12
    assert facts() == before
