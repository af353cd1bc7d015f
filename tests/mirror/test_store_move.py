"""The move into OpenClaw's own SQLite and back: the same transcripts, the same rows, another place."""

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from syncd.jobs.policies import Policies
from syncd.ledger.database import open_for_writing
from tests.jobs.old_sessions import DAY, retained, talk
from tests.mirror.household import Household, compressed, header, household, message, session_id, transcript
from tests.mirror.test_store import caught_up, live, store_path
from tests.mirror_checks import events, exported, query, transcripts
from tests.openclaw_store import RELEASES, AgentStore

ONE, TWO = session_id(1), session_id(2)
DERIVED = ("entries", "messages", "turns", "tool_calls", "quarantine")


def derived(house: Household) -> dict[str, list[tuple[Any, ...]]]:
    return {table: query(house.ledger_path, f"SELECT * FROM {table} ORDER BY id") for table in DERIVED}


def imported(house: Household, store: AgentStore, number: int, at: int = 1794802732071) -> Path:
    """What doctor does: the lines into the database, the file into the import archive."""
    name = f"{session_id(number)}.jsonl"
    content = house.path(name).read_bytes()
    store.import_lines(session_id(number), content)
    return house.path(name).rename(house.import_archive() / f"agent_main_main.{name}.imported-{at}")


def test_the_genuine_migration_changes_no_row(tmp_path: Path) -> None:
    house = household(tmp_path)
    shutil.rmtree(house.state_dir)
    shutil.copytree(RELEASES / "2026.7.1", house.state_dir)
    caught_up(house)
    before, files = derived(house), transcripts(house.ledger_path)
    shutil.rmtree(house.state_dir)
    shutil.copytree(RELEASES / "migrated-7.1-to-9.6", house.state_dir)
    caught_up(house)
    assert derived(house) == before
    after = transcripts(house.ledger_path)
    assert [row.id for row in after] == [row.id for row in files]
    assert [(row.kind, row.state, row.bytes) for row in after] == [(row.kind, row.state, row.bytes) for row in files]
    moved = [row for row in after if "/openclaw-agent.sqlite/" in row.path]
    assert len(moved) == 13
    assert events(house.ledger_path).count("migration") == 13
    assert "gone" not in events(house.ledger_path)


def test_what_was_appended_since_the_move_is_all_that_is_new(house: Household) -> None:
    house.write(f"{ONE}.jsonl", transcript(1, 3))
    caught_up(house)
    before = derived(house)
    with AgentStore(store_path(house)) as store:
        imported(house, store, 1)
        store.append(ONE, message(4), message(5))
        caught_up(house)
        store.append(ONE, message(6))
        caught_up(house)
    after = derived(house)
    assert after["entries"][: len(before["entries"])] == before["entries"]
    assert len(after["entries"]) == len(before["entries"]) + 3
    assert live(house, ONE) == transcript(1, 6)
    assert len(transcripts(house.ledger_path)) == 1


def test_files_that_are_kept_beside_the_store_are_stale_and_no_difference(house: Household) -> None:
    house.write(f"{ONE}.jsonl", transcript(1, 3))
    with AgentStore(store_path(house)) as store:
        store.import_lines(ONE, transcript(1, 3))
        store.append(ONE, message(4))
        caught_up(house)
        (row,) = transcripts(house.ledger_path)
        assert row.generation == 1
        assert live(house, ONE) == transcript(1, 4)
        stale = house.verify().stale
        assert [item.path for item in stale] == [str(house.path(f"{ONE}.jsonl"))]


def test_after_a_restore_the_files_go_on_and_the_store_is_stale(house: Household) -> None:
    house.write(f"{ONE}.jsonl", transcript(1, 3))
    caught_up(house)
    with AgentStore(store_path(house)) as store:
        archived = imported(house, store, 1)
        caught_up(house)
        archived.rename(house.path(f"{ONE}.jsonl"))
        caught_up(house)
        house.append(f"{ONE}.jsonl", message(4))
        caught_up(house)
    (row,) = transcripts(house.ledger_path)
    assert (row.generation, row.path) == (1, str(house.path(f"{ONE}.jsonl")))
    assert live(house, ONE) == transcript(1, 4)
    assert [Path(item.path).parent for item in house.verify().stale] == [store_path(house)]


def test_a_second_move_is_a_migration_as_the_first_was(house: Household) -> None:
    house.write(f"{ONE}.jsonl", transcript(1, 3))
    caught_up(house)
    with AgentStore(store_path(house)) as store:
        archived = imported(house, store, 1)
        caught_up(house)
        archived.rename(house.path(f"{ONE}.jsonl"))
        house.append(f"{ONE}.jsonl", message(4))
        caught_up(house)
        store.append(ONE, message(4))
        house.path(f"{ONE}.jsonl").rename(archived)
        caught_up(house)
    assert live(house, ONE) == transcript(1, 4)
    assert events(house.ledger_path).count("migration") == 3
    assert "returned" not in events(house.ledger_path)


def test_a_file_that_was_put_back_and_does_not_move_takes_nothing_back_that_the_store_removed(house: Household) -> None:
    """A look at it that came too soon after the rename to prove anything is repeated: that is no move of its."""
    house.write(f"{ONE}.jsonl", transcript(1, 3))
    caught_up(house)
    with AgentStore(store_path(house)) as store:
        archived = imported(house, store, 1)
        caught_up(house)
        archived.rename(house.path(f"{ONE}.jsonl"))
        caught_up(house)
        store.remove_trailing(ONE, 1)
        caught_up(house)
        with open_for_writing(house.ledger_path) as ledger:
            ledger.run("UPDATE _files SET is_proven = 0 WHERE role = 'stale'")
        caught_up(house)
        assert live(house, ONE) == transcript(1, 2)
        house.append(f"{ONE}.jsonl", message(4))
        caught_up(house)
    assert live(house, ONE) == transcript(1, 4)


def test_a_restore_after_appends_to_the_store_loses_none_of_them(house: Household) -> None:
    house.write(f"{ONE}.jsonl", transcript(1, 3))
    caught_up(house)
    with AgentStore(store_path(house)) as store:
        archived = imported(house, store, 1)
        store.append(ONE, message(4, "in the store"))
        caught_up(house)
        archived.rename(house.path(f"{ONE}.jsonl"))
        caught_up(house)
        assert live(house, ONE) == transcript(1, 3) + message(4, "in the store")
        house.append(f"{ONE}.jsonl", message(4, "in the file"))
        caught_up(house)
    (row,) = transcripts(house.ledger_path)
    assert row.generation == 2
    assert exported(house.ledger_path, row.id, 1) == transcript(1, 3) + message(4, "in the store")
    assert live(house, ONE) == transcript(1, 3) + message(4, "in the file")


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_file_beside_a_store_that_deletes_its_session_stays_stale_until_it_is_the_source(
    house: Household, *, goes_on: bool
) -> None:
    house.write(f"{ONE}.jsonl", transcript(1, 3))
    archive = house.path(f"{ONE}.jsonl.deleted.2026-11-16T04-20-49.549Z.54f8826cc57545478efb2eddd618fe4d.zst")
    with AgentStore(store_path(house)) as store:
        store.import_lines(ONE, transcript(1, 3))
        store.append(ONE, message(4))
        caught_up(house)
        archive.write_bytes(compressed(store.content(ONE)))
        store.delete_session(ONE)
        caught_up(house)
        os.utime(house.path(f"{ONE}.jsonl"))
        caught_up(house)
        (row,) = transcripts(house.ledger_path)
        assert (row.kind, row.state, row.path, row.generation) == ("deleted", "archived", str(archive), 1)
        if goes_on:
            house.append(f"{ONE}.jsonl", message(5))
        else:
            archive.unlink()
        caught_up(house)
    (row,) = transcripts(house.ledger_path)
    assert (row.kind, row.state, row.generation) == ("primary", "live", 2)
    assert exported(house.ledger_path, row.id, 1) == transcript(1, 4)
    assert live(house, ONE) == house.path(f"{ONE}.jsonl").read_bytes()


@pytest.mark.parametrize("said_in_the_store", [b"", message(4, "in the store")])
def test_a_restore_of_what_the_store_has_deleted_goes_on_beside_the_archive(
    house: Household, said_in_the_store: bytes
) -> None:
    house.write(f"{ONE}.jsonl", transcript(1, 3))
    caught_up(house)
    archive = house.path(f"{ONE}.jsonl.deleted.2026-11-16T04-20-49.549Z.54f8826cc57545478efb2eddd618fe4d.zst")
    with AgentStore(store_path(house)) as store:
        moved = imported(house, store, 1)
        store.append(ONE, *said_in_the_store.splitlines())
        caught_up(house)
        archive.write_bytes(compressed(store.content(ONE)))
        store.delete_session(ONE)
        caught_up(house)
        moved.rename(house.path(f"{ONE}.jsonl"))
        caught_up(house)
        assert live(house, ONE) == transcript(1, 3) + said_in_the_store
        house.append(f"{ONE}.jsonl", message(4, "in the file"))
        caught_up(house)
    (row,) = transcripts(house.ledger_path)
    assert (row.kind, row.state, row.generation) == ("primary", "live", 2 if said_in_the_store else 1)
    assert live(house, ONE) == transcript(1, 3) + message(4, "in the file")
    assert [item.path for item in house.verify().stale] == [str(archive)]


def test_an_archive_beside_two_sides_that_both_began_anew_is_the_oldest_of_three(house: Household) -> None:
    archive = house.path(f"{ONE}.jsonl.deleted.2026-11-16T04-20-49.549Z.54f8826cc57545478efb2eddd618fe4d.zst")
    archive.write_bytes(compressed(transcript(1, 3)))  # today, as all files of a state dir that was copied
    file = house.write(f"{ONE}.jsonl", header(1) + message(8))
    with AgentStore(store_path(house)) as store:
        store.import_lines(ONE, header(1) + message(7))
        caught_up(house)
        (row,) = transcripts(house.ledger_path)
        assert (row.kind, row.state, row.path, row.generation) == ("primary", "live", str(file), 3)
        contents = [exported(house.ledger_path, row.id, number) for number in (1, 2, 3)]
        assert contents == [transcript(1, 3), store.content(ONE), file.read_bytes()]
        assert {item.path for item in house.verify().stale} == {str(archive), f"{store_path(house)}/{ONE}.jsonl"}


def test_two_sides_that_went_different_ways_are_both_kept(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        store.import_lines(ONE, transcript(1, 2))
        store.append(ONE, message(3, "in the store"))
        house.write(f"{ONE}.jsonl", transcript(1, 2) + message(3, "in the file"))
        caught_up(house)
    (row,) = transcripts(house.ledger_path)
    assert row.generation == 2
    both = {exported(house.ledger_path, row.id, generation) for generation in (1, 2)}
    assert both == {transcript(1, 2) + message(3, where) for where in ("in the store", "in the file")}
    assert live(house, ONE).endswith(message(3, "in the file"))  # it was written last


def test_a_stale_store_that_is_only_copied_stays_stale(house: Household) -> None:
    path = store_path(house)
    with AgentStore(path) as store:
        store.import_lines(ONE, transcript(1, 3))
    caught_up(house)
    house.write(f"{ONE}.jsonl", transcript(1, 2) + message(3, "in the file"))
    caught_up(house)
    before, (row,) = derived(house), transcripts(house.ledger_path)
    assert (row.path, row.generation) == (str(house.path(f"{ONE}.jsonl")), 2)
    copy = path.read_bytes()
    path.rename(path.with_name("former"))
    path.write_bytes(copy)
    caught_up(house)
    assert derived(house) == before
    assert [item.generation for item in transcripts(house.ledger_path)] == [2]


def test_the_side_that_moves_is_the_source_whatever_the_time_of_the_other_is(house: Household) -> None:
    file = house.write(f"{ONE}.jsonl", transcript(1, 2) + message(3, "in the file"))
    ahead = time.time() + 3600
    os.utime(file, (ahead, ahead))
    with AgentStore(store_path(house)) as store:
        store.import_lines(ONE, transcript(1, 2))
        store.append(ONE, message(3, "in the store"))
        caught_up(house)
        assert live(house, ONE).endswith(message(3, "in the file"))  # nothing but the times can tell
        generations = transcripts(house.ledger_path)[0].generation
        store.append(ONE, message(4))
        caught_up(house)
        assert live(house, ONE) == store.content(ONE)
        store.append(ONE, message(5))
        caught_up(house)
        assert live(house, ONE) == store.content(ONE)
    (row,) = transcripts(house.ledger_path)
    assert row.generation == generations + 1
    assert [item.path for item in house.verify().stale] == [str(file)]


def test_a_store_that_vanishes_leaves_the_session_where_its_file_is(house: Household) -> None:
    house.write(f"{ONE}.jsonl", transcript(1, 3))
    with AgentStore(store_path(house)) as store:
        store.import_lines(ONE, transcript(1, 3))
        caught_up(house)
    store_path(house).unlink()
    caught_up(house)
    (row,) = transcripts(house.ledger_path)
    assert (row.state, row.path, row.generation) == ("live", str(house.path(f"{ONE}.jsonl")), 1)


def test_an_import_archive_found_after_the_session_was_rewritten_makes_no_new_rows(house: Household) -> None:
    house.write(f"{ONE}.jsonl", transcript(1, 5))
    caught_up(house)
    with AgentStore(store_path(house)) as store:
        imported(house, store, 1)
        store.remove_trailing(ONE, 3)
        store.append(ONE, message(9))
        caught_up(house)
    assert len(transcripts(house.ledger_path)) == 1
    assert live(house, ONE) == transcript(1, 2) + message(9)


def test_a_file_that_was_torn_when_it_moved_goes_on_in_the_store(house: Household) -> None:
    torn = message(4)[:-10]
    house.write(f"{ONE}.jsonl", transcript(1, 3) + torn)
    caught_up(house)
    with AgentStore(store_path(house)) as store:
        store.import_lines(ONE, transcript(1, 3))
        house.path(f"{ONE}.jsonl").unlink()
        store.append(ONE, message(4))
        caught_up(house)
    assert live(house, ONE) == transcript(1, 4)


def test_a_session_of_another_agent_is_another_session(house: Household) -> None:
    house.write(f"{ONE}.jsonl", transcript(1, 3))
    with AgentStore(store_path(house, "ops")) as store:
        store.import_lines(ONE, header(1))
        caught_up(house)
    assert {row.bytes for row in transcripts(house.ledger_path)} == {len(transcript(1, 3)), len(header(1))}
    assert TWO not in {row.session_id for row in transcripts(house.ledger_path)}


def test_a_database_that_is_put_elsewhere_keeps_its_rows(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        store.import_lines(ONE, transcript(1, 3))
        caught_up(house)
    before = derived(house)
    there = house.state_dir.parent / "elsewhere" / "openclaw-agent.sqlite"
    there.parent.mkdir()
    store_path(house).rename(there)
    config = {"agents": {"entries": {"main": {"agentDir": str(there.parent)}}}}
    (house.state_dir / "openclaw.json").write_text(json.dumps(config))
    caught_up(house)
    assert derived(house) == before
    with AgentStore(there) as store:
        store.append(ONE, message(4))
        caught_up(house)
    (row,) = transcripts(house.ledger_path)
    assert (row.path, row.state, row.generation) == (f"{there}/{ONE}.jsonl", "live", 1)
    assert live(house, ONE) == transcript(1, 4)


@pytest.mark.parametrize("is_archived", [True, False])
def test_a_file_is_known_by_what_retention_left_of_its_session(house: Household, *, is_archived: bool) -> None:
    """Touched, it is still the older form: neither a second transcript, nor the source once more."""
    house.write(f"{ONE}.jsonl", talk(1))
    caught_up(house)
    with AgentStore(store_path(house)) as store:
        if is_archived:
            file = imported(house, store, 1)
        else:
            file = house.path(f"{ONE}.jsonl")
            store.import_lines(ONE, file.read_bytes())
        caught_up(house)
        store.rewrite_row(ONE, 1, message(1, "another question"))
        caught_up(house)
        retained(house, Policies(tool_results=DAY), days=2)
        assert query(house.ledger_path, "SELECT count(*) FROM _cut_results") != [(0,)]
        os.utime(file)
        for _ in range(2):
            caught_up(house)
            (row,) = transcripts(house.ledger_path)
            assert (row.generation, row.path) == (2, f"{store_path(house)}/{ONE}.jsonl")
