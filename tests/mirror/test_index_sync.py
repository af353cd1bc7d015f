"""sessions.json into sessions, session_ids and session_versions: changes, session ids, renames."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from syncd.mirror.index_sync import IndexOptions, IndexOutcome
from tests.mirror.household import RESET_TIME, header, household, message, name_of, session_id
from tests.mirror.indexed import MAIN, Indexed, entry, index_text, indexed
from tests.mirror_fixtures import DATA, JSONL_RELEASES, genuine

NOW = 1_794_802_930_000
DAY = 86_400_000
TELEGRAM = "agent:main:telegram:direct:4242"


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Indexed]:
    with indexed(tmp_path) as made:
        yield made


# What the index says


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


# Lifecycle


def test_a_session_is_created_then_active_then_idle_and_archived_when_openclaw_says_so(index: Indexed) -> None:
    now = index.clock.now_ms()
    index.write({MAIN: entry(1, updated_at=now), TELEGRAM: entry(2, updated_at=now, outputTokens=5)})
    index.settle()
    assert [index.sessions()[key]["lifecycle"] for key in (MAIN, TELEGRAM)] == ["created", "active"]
    index.house.write(name_of(1), header(1) + message(1))
    index.writer.flush()
    index.ledger.run("UPDATE sessions SET title = title")  # nothing of the index changes
    index.clock.sleep(61)
    index.house.path("sessions.json").touch()
    _take_transcripts(index)
    index.look()
    assert index.sessions()[MAIN]["lifecycle"] == "active"
    index.clock.sleep(24 * 3600)
    index.look()
    assert {row["lifecycle"] for row in index.sessions().values()} == {"idle"}
    index.write({MAIN: entry(1, updated_at=now, archivedAt=now), TELEGRAM: entry(2, updated_at=now, outputTokens=5)})
    index.settle()
    assert index.sessions()[MAIN]["lifecycle"] == "archived"


def test_idle_counts_from_the_last_interaction_not_from_the_last_write(index: Indexed) -> None:
    now = index.clock.now_ms()
    index.options = IndexOptions(index.options.environ, idle_seconds=3600)
    index.write({MAIN: entry(1, updated_at=now, lastInteractionAt=now - 3_600_001, totalTokens=1)})
    index.settle()
    assert index.sessions()[MAIN]["lifecycle"] == "idle"


def _take_transcripts(index: Indexed) -> None:
    from syncd.mirror.catchup import CatchUpOptions, catch_up

    index.writer.flush()
    catch_up(index.ledger, index.clock, [str(index.house.state_dir)], CatchUpOptions())


# Session ids


def test_a_reset_of_2026_5_7_keeps_the_path_and_changes_the_id(index: Indexed) -> None:
    """Index first, then the rename, then a header-only file under the old path."""
    path = index.house.write(name_of(1), header(1) + message(1))
    index.write({MAIN: entry(1, sessionFile=str(path), sessionStartedAt=NOW)})
    index.settle()
    _take_transcripts(index)
    index.write({MAIN: entry(2, updated_at=NOW + 60_000, sessionFile=str(path), sessionStartedAt=NOW + 60_000)})
    index.look()
    index.house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    index.house.write(name_of(1), header(2))
    _take_transcripts(index)
    index.settle()
    assert index.pairings() == {(MAIN, session_id(1)): "reset", (MAIN, session_id(2)): None}
    assert index.sessions()[MAIN]["session_id"] == session_id(2)
    assert [kind for kind, _ in index.events() if kind.startswith("session")] == ["session_id_change"]


def test_a_reset_of_2026_7_1_comes_with_a_new_file_first(index: Indexed) -> None:
    """Index, then a header-only file under the new name, then the rename; the index is read after all of it."""
    old = index.house.write(name_of(1), header(1) + message(1))
    index.write({MAIN: entry(1, sessionFile=str(old))})
    index.settle()
    _take_transcripts(index)
    new = index.house.write(name_of(2), header(2, timestamp="2027-01-01T00:00:00.000Z"))
    index.write({MAIN: entry(2, updated_at=NOW + 60_000, sessionFile=str(new))})
    index.house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    _take_transcripts(index)
    index.settle()
    assert index.pairings() == {(MAIN, session_id(1)): "reset", (MAIN, session_id(2)): None}


@pytest.mark.parametrize("seen_first", ["index", "archive"])
@pytest.mark.parametrize("is_transcript_known", [True, False])
def test_a_reset_is_a_reset_whichever_is_seen_first(index: Indexed, seen_first: str, is_transcript_known: bool) -> None:
    """With the index alone, and a header older than the pairing, it looks as if an older session came back."""
    index.house.write(name_of(1), header(1) + message(1))
    index.write({MAIN: entry(1)})
    index.settle()
    if is_transcript_known:
        _take_transcripts(index)
    new = index.house.write(name_of(2), header(2, timestamp="2025-01-01T00:00:00.000Z"))
    index.write({MAIN: entry(2, updated_at=NOW + 60_000, sessionFile=str(new))})
    if seen_first == "index":
        index.settle()
        assert index.pairings()[MAIN, session_id(1)] == "switch"
    index.house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    _take_transcripts(index)
    index.settle()
    assert index.pairings() == {(MAIN, session_id(1)): "reset", (MAIN, session_id(2)): None}


def test_the_archive_of_a_session_says_nothing_of_pairings_before_its_last(index: Indexed) -> None:
    index.house.write(name_of(1), header(1) + message(1))
    index.write({MAIN: entry(1), TELEGRAM: entry(3)})
    index.settle()
    index.write({MAIN: {"sessionId": "my-notes", "updatedAt": NOW + 5}, TELEGRAM: entry(1, updated_at=NOW + 5)})
    index.settle()
    index.house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    _take_transcripts(index)  # of TELEGRAM's session, whose change is still to be read
    index.write({MAIN: {"sessionId": "my-notes", "updatedAt": NOW + 5}, TELEGRAM: entry(4, updated_at=NOW + 9)})
    index.settle()
    found = index.pairings()
    assert (found[MAIN, session_id(1)], found[TELEGRAM, session_id(1)]) == ("switch", "reset")


def test_a_new_id_the_next_morning_is_a_rollover(index: Indexed) -> None:
    index.write({MAIN: entry(1, lastInteractionAt=NOW)})
    index.settle()
    index.write({MAIN: entry(2, updated_at=NOW + 2 * DAY, sessionStartedAt=NOW + 2 * DAY)})
    index.settle()
    assert index.pairings()[MAIN, session_id(1)] == "rollover"


def test_a_successor_file_means_compaction_and_is_seen_before_the_ledger_has_it(index: Indexed) -> None:
    old = index.house.write(name_of(1), header(1) + message(1))
    index.write({MAIN: entry(1, sessionFile=str(old))})
    index.settle()
    name = f"2026-11-16T04-22-14-637Z_{session_id(2)}.jsonl"
    new = index.house.write(name, header(2, parentSession=str(old)) + message(1))
    index.write({MAIN: entry(2, updated_at=NOW + 5, sessionFile=str(new))})
    index.settle()
    assert index.pairings()[MAIN, session_id(1)] == "compaction"


def test_a_restored_checkpoint_is_a_rewind(index: Indexed) -> None:
    index.write({MAIN: entry(1)})
    index.settle()
    checkpoint = index.house.sessions() / f"{session_id(1)}.checkpoint.{session_id(9)}.jsonl"
    new = index.house.write(f"2026-11-16T04-22-14-637Z_{session_id(2)}.jsonl", header(2, parentSession=str(checkpoint)))
    index.write({MAIN: entry(2, updated_at=NOW + 5, sessionFile=str(new))})
    index.settle()
    assert index.pairings()[MAIN, session_id(1)] == "rewind"


def test_an_id_that_was_there_before_is_a_switch_and_its_pairing_is_true_again(index: Indexed) -> None:
    for number in (1, 2, 1):
        index.write({MAIN: entry(number, updated_at=NOW + number)})
        index.settle()
    assert index.pairings() == {(MAIN, session_id(1)): None, (MAIN, session_id(2)): "switch"}


def test_the_command_lines_own_session_id_is_a_switch(index: Indexed) -> None:
    index.write({MAIN: entry(1)})
    index.settle()
    index.write({MAIN: {"sessionId": "my-notes", "updatedAt": NOW + 5}})
    index.settle()
    assert index.pairings() == {(MAIN, session_id(1)): "switch", (MAIN, "my-notes"): None}


def test_a_pairing_remembers_when_it_was_first_and_last_seen(index: Indexed) -> None:
    index.write({MAIN: entry(1)})
    index.settle()
    index.clock.sleep(100)
    index.look()
    seen = index.clock.now_ms()
    index.clock.sleep(100)
    index.write({MAIN: entry(2, updated_at=NOW + 5)})
    index.settle()
    [(first, last)] = index.rows(
        "SELECT first_seen_at, last_seen_at FROM session_ids WHERE session_id = ?", session_id(1)
    )
    assert seen - 102_000 < first < seen - 98_000
    assert seen - 2000 < last < seen + 2000


def test_two_keys_may_stand_for_one_session(index: Indexed) -> None:
    index.write({MAIN: entry(1), "agent:main:explicit:x": entry(1)})
    index.settle()
    index.write({MAIN: entry(1)})
    index.confirm()
    assert index.pairings() == {(MAIN, session_id(1)): None, ("agent:main:explicit:x", session_id(1)): "deleted"}


# Renames


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("agent:main:Telegram:direct:4242", TELEGRAM),
        ("main", MAIN),
        ("agent:main:main", "agent:main:home"),
        ("+15551234567", "agent:main:whatsapp:direct:+15551234567"),
    ],
)
def test_a_renamed_key_keeps_its_row(index: Indexed, old: str, new: str) -> None:
    index.write({old: entry(1, label="mine"), "agent:main:cron:x": entry(3)})
    index.settle()
    row = index.sessions()[old]
    index.write({new: entry(1, updated_at=NOW + 1, label="mine"), "agent:main:cron:x": entry(3)})
    assert index.look().changed == 1
    assert index.sessions()[new]["id"] == row["id"]
    assert set(index.live()) == {new, "agent:main:cron:x"}
    assert index.sessions("removed") == {}
    assert index.pairings()[old, session_id(1)] == "migrated"
    assert index.pairings()[new, session_id(1)] is None
    assert index.versions(new) == [entry(1, label="mine"), {"updatedAt": NOW + 1}]
    [(kind, detail)] = index.events()
    assert (kind, detail["former_key"], detail["session_key"]) == ("session_renamed", old, new)
    index.confirm()
    assert set(index.live()) == {new, "agent:main:cron:x"}


def test_keys_collapsed_into_one_that_stays_are_folded_and_not_deleted(index: Indexed) -> None:
    upper = "agent:main:Telegram:direct:4242"
    index.write({upper: entry(1), TELEGRAM: entry(1, updated_at=NOW + 1)})
    index.settle()
    index.write({TELEGRAM: entry(1, updated_at=NOW + 2)})
    index.confirm()
    assert set(index.live()) == {TELEGRAM}
    assert index.pairings() == {(upper, session_id(1)): "migrated", (TELEGRAM, session_id(1)): None}


def test_several_variants_collapsed_into_a_new_key_leave_one_row(index: Indexed) -> None:
    variants = ["agent:main:Telegram:direct:4242", "agent:main:TELEGRAM:direct:4242"]
    index.write({variants[0]: entry(1), variants[1]: entry(1, updated_at=NOW + 1)})
    index.settle()
    kept = index.sessions()[variants[1]]["id"]
    index.write({TELEGRAM: entry(1, updated_at=NOW + 2)})
    index.confirm()
    assert {key: row["id"] for key, row in index.sessions().items()} == {TELEGRAM: kept}
    assert index.pairings() == {
        (variants[0], session_id(1)): "migrated",
        (variants[1], session_id(1)): "migrated",
        (TELEGRAM, session_id(1)): None,
    }


def test_an_older_entry_under_another_key_is_no_rename(index: Indexed) -> None:
    index.write({MAIN: entry(1, updated_at=NOW + 5)})
    index.settle()
    index.write({TELEGRAM: entry(1, updated_at=NOW)})
    index.confirm()
    assert set(index.live()) == {TELEGRAM}
    assert set(index.sessions("removed")) == {MAIN}


def test_a_key_may_be_renamed_back(index: Indexed) -> None:
    for number, key in enumerate((MAIN, TELEGRAM, MAIN)):
        index.write({key: entry(1, updated_at=NOW + number)})
        index.settle()
    assert set(index.live()) == {MAIN}
    assert index.rows("SELECT count(*) FROM sessions") == [(1,)]
    assert index.pairings() == {(MAIN, session_id(1)): None, (TELEGRAM, session_id(1)): "migrated"}


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


def test_a_session_is_archived_with_its_transcript_and_comes_back_with_it(index: Indexed) -> None:
    now = index.clock.now_ms()
    index.house.write(name_of(1), header(1) + message(1))
    _take_transcripts(index)
    index.write({MAIN: entry(1, updated_at=now)})
    index.settle()
    assert index.sessions()[MAIN]["lifecycle"] == "active"
    archive = f"{name_of(1)}.deleted.2026-11-16T04-22-14.522Z"
    index.house.rename(name_of(1), archive)
    _take_transcripts(index)
    index.clock.sleep(61)
    index.look()
    assert index.sessions()[MAIN]["lifecycle"] == "archived"
    index.house.rename(archive, name_of(1))
    _take_transcripts(index)
    index.clock.sleep(61)
    index.look()
    assert index.sessions()[MAIN]["lifecycle"] == "active"


def test_a_reset_begins_a_new_life(index: Indexed) -> None:
    now = index.clock.now_ms()
    index.house.write(name_of(1), header(1) + message(1))
    _take_transcripts(index)
    index.write({MAIN: entry(1, updated_at=now)})
    index.settle()
    index.house.rename(name_of(1), f"{name_of(1)}.reset.2026-11-16T04-22-14.522Z")
    _take_transcripts(index)
    index.write({MAIN: entry(2, updated_at=now)})
    index.settle()
    assert index.sessions()[MAIN]["lifecycle"] == "created"
