"""Listing: every directory that may hold transcripts, once; every change seen; nothing taken for gone by mistake."""

import os
from pathlib import Path

import pytest

from syncd.errors import SourceError
from syncd.records import FileStat
from syncd.sources.scan import KnownStats, Scan, SessionDirectory, list_one, scan, session_directories
from tests.other_user import as_another_user, common_place, give_away


def directories(state_dir: Path, *globs: str) -> list[tuple[str, str]]:
    found = session_directories(str(state_dir), globs or ("*",))
    return [(item.agent_id, os.path.relpath(item.path, state_dir)) for item in found]


def made(state_dir: Path, *relative: str) -> None:
    for path in relative:
        (state_dir / path).mkdir(parents=True)


def test_every_agents_sessions_and_import_archive_are_found(tmp_path: Path) -> None:
    made(tmp_path, "agents/main/sessions", "agents/main/session-sqlite-import-archive", "agents/ops/sessions")
    made(tmp_path, "agents/new/agent", "credentials", "cron")
    (tmp_path / "agents" / "notes.txt").write_text("no agent")
    assert sorted(directories(tmp_path)) == [
        ("main", "agents/main/session-sqlite-import-archive"),
        ("main", "agents/main/sessions"),
        ("ops", "agents/ops/sessions"),
    ]


def test_globs_choose_agents(tmp_path: Path) -> None:
    made(tmp_path, "agents/main/sessions", "agents/ops/sessions", "agents/ops-2/sessions", "sessions")
    assert directories(tmp_path, "ops*") == [("ops", "agents/ops/sessions"), ("ops-2", "agents/ops-2/sessions")]
    assert directories(tmp_path, "main") == [("main", "agents/main/sessions"), ("main", "sessions")]
    assert directories(tmp_path, "o?s", "main") == [
        ("main", "agents/main/sessions"),
        ("ops", "agents/ops/sessions"),
        ("main", "sessions"),
    ]
    assert directories(tmp_path, "OPS") == []


def test_the_very_old_layout_belongs_to_the_agent_main(tmp_path: Path) -> None:
    made(tmp_path, "sessions", "session-sqlite-import-archive")
    assert directories(tmp_path) == [("main", "sessions"), ("main", "session-sqlite-import-archive")]


def test_a_state_dir_without_anything_has_no_directories(tmp_path: Path) -> None:
    assert directories(tmp_path) == []
    assert directories(tmp_path / "nowhere") == []


def test_a_directory_reached_by_links_too_is_found_once_under_its_own_name(tmp_path: Path) -> None:
    made(tmp_path, "agents/zeta/sessions")
    (tmp_path / "agents" / "alpha").symlink_to("zeta")
    (tmp_path / "sessions").symlink_to("agents/zeta/sessions")
    assert directories(tmp_path) == [("zeta", "agents/zeta/sessions")]


def test_an_agent_behind_a_link_is_found_under_its_own_name_beside_another_link_to_it(tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "zeta" / "sessions").mkdir(parents=True)
    (tmp_path / "agents").symlink_to("elsewhere")
    (tmp_path / "agents" / "alpha").symlink_to("zeta")
    assert [item.agent_id for item in session_directories(str(tmp_path), ("*",))] == ["zeta"]


def test_a_link_to_a_directory_elsewhere_is_followed(tmp_path: Path) -> None:
    made(tmp_path, "elsewhere", "state/agents/main")
    (tmp_path / "state" / "agents" / "main" / "sessions").symlink_to(tmp_path / "elsewhere")
    assert directories(tmp_path / "state") == [("main", "agents/main/sessions")]


def test_an_agents_directory_that_cannot_be_listed_is_not_an_empty_household() -> None:
    with common_place() as place:
        agents = place / "agents"
        made(place, "agents/main/sessions")
        give_away(agents)
        agents.chmod(0o300)
        with as_another_user(), pytest.raises(SourceError, match="agents cannot be listed: Permission denied"):
            directories(place)


def scanned(directory: Path, known: KnownStats | None = None) -> Scan:
    return scan([SessionDirectory("main", str(directory))], known or {})


def stats(directory: Path) -> dict[str, FileStat | None]:
    return {item.path: item.stat for item in scanned(directory).changed}


def names(found: Scan) -> list[str]:
    return sorted(item.name for item in found.changed)


def test_new_changed_unchanged_unproven_and_missing_files_are_told_apart(tmp_path: Path) -> None:
    for name in ("same", "grown", "touched", "unproven", "gone"):
        (tmp_path / name).write_bytes(b"{}\n")
    known = stats(tmp_path)
    known[str(tmp_path / "unproven")] = None
    with (tmp_path / "grown").open("ab") as file:
        file.write(b"{}\n")
    os.utime(tmp_path / "touched", (1, 1))
    (tmp_path / "gone").unlink()
    (tmp_path / "new").write_bytes(b"{}\n")
    found = scanned(tmp_path, known)
    assert names(found) == ["grown", "new", "touched", "unproven"]
    assert found.missing == [str(tmp_path / "gone")]
    assert found.problems == []


def test_an_unchanged_file_that_is_listed_twice_is_unchanged_both_times(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(b"{}\n")
    twice = [SessionDirectory("main", str(tmp_path))] * 2
    found = scan(twice, stats(tmp_path))
    assert (found.changed, found.missing) == ([], [])


def test_a_rewrite_of_the_same_size_with_its_time_put_back_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"a":1}\n')
    before = path.stat()
    known = stats(tmp_path)
    while path.stat().st_ctime_ns == before.st_ctime_ns:  # a coarse clock
        with path.open("r+b") as file:
            file.write(b'{"a":2}\n')
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert path.stat().st_size == before.st_size
    assert names(scanned(tmp_path, known)) == ["x.jsonl"]


def test_a_file_put_in_place_of_another_is_seen(tmp_path: Path) -> None:
    path, other = tmp_path / "x.jsonl", tmp_path / "y"
    path.write_bytes(b"{}\n")
    known = stats(tmp_path)
    other.write_bytes(b"[]\n")
    os.utime(other, ns=(0, path.stat().st_mtime_ns))
    other.rename(path)
    assert names(scanned(tmp_path, known)) == ["x.jsonl"]


def test_a_listing_tells_what_each_file_is_and_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    os.link(tmp_path / "file", tmp_path / "twin")
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "pipe")
    found = {item.name: item for item in scanned(tmp_path).changed}
    assert {name: (item.is_regular, item.link_count) for name, item in found.items()} == {
        "file": (True, 2),
        "twin": (True, 2),
        "link": (False, 1),
        "pipe": (False, 1),
    }
    assert (found["file"].stat.size, found["link"].stat.size) == (5, 4)
    assert all(list_one("main", item.path) == item for item in found.values())
    assert list_one("main", str(tmp_path / "none")) is None


def test_names_that_are_no_utf8_come_back_as_the_bytes_they_are(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/\xff\n\xe9.jsonl"
    Path(os.fsdecode(raw)).write_bytes(b"")
    (found,) = scanned(tmp_path).changed
    assert os.fsencode(found.path) == raw


def test_a_directory_that_vanished_makes_its_files_missing(tmp_path: Path) -> None:
    made(tmp_path, "gone")
    (tmp_path / "gone" / "x").write_bytes(b"")
    known = stats(tmp_path / "gone")
    (tmp_path / "gone" / "x").unlink()
    (tmp_path / "gone").rmdir()
    found = scanned(tmp_path / "gone", known)
    assert (found.changed, found.missing, found.problems) == ([], [str(tmp_path / "gone" / "x")], [])


@pytest.mark.parametrize("closed", ["agents/main/sessions", "agents/main"])
@pytest.mark.parametrize("mode", [0o000, 0o300, 0o400])
def test_files_in_a_closed_directory_are_a_problem_and_not_missing(closed: str, mode: int) -> None:
    """Mode 400 lists the names but not their inodes, 300 the other way round."""
    with common_place() as place:
        made(place, "agents/main/sessions", "agents/ops/sessions")
        path, other = place / "agents/main/sessions/x.jsonl", place / "agents/ops/sessions/y.jsonl"
        for file in (path, other):
            file.write_bytes(b"{}\n")
        give_away(*place.rglob("*"))
        known = stats(path.parent) | stats(other.parent)
        (place / closed).chmod(mode)
        with as_another_user():
            found = scan(session_directories(str(place), ["*"]), known)
        if closed == "agents/main" and mode == 0o300:
            listed = (found.changed, found.missing, found.problems)
            assert listed == ([], [], []), "a directory that can be walked through need not be listed"
        else:
            assert found.missing == []
            assert found.problems
            assert all(problem.path.startswith(f"{place}/agents/main/") for problem in found.problems)
            assert all("Permission denied" in problem.reason and problem.hint for problem in found.problems)
        other.unlink()
        with as_another_user():
            assert scan(session_directories(str(place), ["*"]), known).missing == [str(other)]
