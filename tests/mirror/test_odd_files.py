"""What is no plain file under a transcript's name: links, pipes, directories, sockets; and names that are odd."""

import os
import shutil
import socket
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.quick import quick_household, syncd
from tests.conftest import CHECKOUT, Cli
from tests.mirror.household import (
    RESET_TIME,
    Household,
    header,
    message,
    name_of,
    session_id,
    transcript,
)
from tests.mirror_checks import events, exported, mirrored, only_transcript, query, transcripts


def test_what_is_no_regular_file_is_named_by_every_run_and_by_verify_and_is_no_fault(
    tmp_path: Path, cli_in_process: Cli
) -> None:
    house = quick_household(tmp_path)
    run = syncd(cli_in_process, house)
    house.write(name_of(1), transcript(1, 3))
    os.mkfifo(house.path(name_of(2)))
    house.path(name_of(3)).symlink_to(house.path(name_of(1)))
    house.path(name_of(4)).mkdir()
    with socket.socket(socket.AF_UNIX) as listener, bound_beside(listener, house.path("x.jsonl")):
        expected = [
            {"path": str(house.path(name)), "reason": f"is a {what}"}
            for name, what in ((name_of(2), "FIFO"), (name_of(3), "symlink"), (name_of(4), "directory"))
        ] + [{"path": str(house.path("x.jsonl")), "reason": "is a socket"}]
        for verb in (("run", "--once"), ("run", "--once"), ("resync",), ("resync", "--rebuild"), ("verify",)):
            done = run(*verb, "--json")
            assert (done.exit_code, done.json["ok"], done.json["refused_count"]) == (0, True, 4)
            assert [{"path": item["path"], "reason": item["reason"]} for item in done.json["refused"]] == expected
            said = run(*verb).stdout
            assert "4 left alone, since only regular files are read:" in said
            assert f"  {house.path(name_of(3))} is a symlink" in said
    house.path(name_of(2)).unlink()
    assert run("run", "--once", "--json").json["refused_count"] == 3, "of the socket only its name is left"
    assert run("resync", "--session", session_id(1), "--json").json["refused_count"] == 0
    (house.state_dir / "agents" / "ops" / "sessions").mkdir(parents=True)
    assert run("resync", "--agent", "ops", "--json").json["refused_count"] == 0


def test_what_looks_like_a_transcript_under_an_unknown_name_is_counted_and_named_and_is_no_fault(
    tmp_path: Path, cli_in_process: Cli
) -> None:
    house = quick_household(tmp_path)
    run = syncd(cli_in_process, house)
    house.write(name_of(1), transcript(1, 3))
    known = ("sessions.json.bak", "notes.txt", ".usage-cost-cache.json", f"{session_id(1)}.trajectory-path.json",
             f"{name_of(1)}.repair-1-2.tmp", f"{name_of(1)}.lock", f".{name_of(1)}.1.{session_id(2)}.tmp")  # fmt: skip
    for name in known:
        house.write(name, b"{}\n")
    for verb in (("run", "--once"), ("resync",)):
        assert run(*verb, "--json").json["unknown_files"] == 0
    odd = [f"{name_of(1)}.reset.bad", "UPPER.JSONL"]
    for name in odd:
        house.write(name, transcript(2, 1))
    for verb in (("run", "--once"), ("run", "--once"), ("resync",), ("resync", "--rebuild")):
        done = run(*verb, "--json")
        assert (done.exit_code, done.json["ok"], done.json["unknown_files"]) == (0, True, 2)
        said = run(*verb).stdout
        assert "2 left alone, since OpenClaw gives no transcript such a name:" in said
        assert all(f"  {house.path(name)}\n" in said for name in odd)
    assert run("resync", "--session", session_id(1), "--json").json["unknown_files"] == 0
    assert run("verify").exit_code == 0
    assert len(transcripts(house.ledger_path)) == 1


@pytest.mark.parametrize("release", ["2026.5.7", "2026.7.1", "2026.9.6", "migrated-7.1-to-9.6"])
def test_no_release_of_openclaw_gives_a_name_that_is_unknown(house: Household, release: str) -> None:
    shutil.copytree(CHECKOUT / "tests" / "data" / "openclaw" / release, house.state_dir, dirs_exist_ok=True)
    assert house.catch_up().unknown == []


@contextmanager
def bound_beside(listener: socket.socket, path: Path) -> Iterator[None]:
    """A socket's path may be 100 bytes long at most: bound from inside its directory."""
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        listener.bind(path.name)
    finally:
        os.chdir(before)
    yield


def test_a_hard_link_is_noted_and_its_bytes_are_taken_in_once(house: Household) -> None:
    first = house.write(name_of(1), transcript(1, 3))
    os.link(first, house.path(name_of(2)))
    mirrored(house)
    assert only_transcript(house.ledger_path).name == name_of(1)
    assert events(house.ledger_path) == ["hard_link"]
    house.append(name_of(2), message(4))
    mirrored(house)
    assert only_transcript(house.ledger_path).lines == 5
    assert events(house.ledger_path) == ["hard_link"]


def test_a_hard_link_made_later_with_an_earlier_name_is_noted_too(house: Household) -> None:
    second = house.write(name_of(2), transcript(2, 3))
    mirrored(house)
    os.link(second, house.path(name_of(1)))
    mirrored(house)
    assert only_transcript(house.ledger_path).name == name_of(2)


def test_a_hard_link_that_outlives_the_first_name_loses_nothing(house: Household) -> None:
    first = house.write(name_of(1), transcript(1, 3))
    os.link(first, house.path(name_of(2)))
    mirrored(house)
    first.unlink()
    mirrored(house)
    house.append(name_of(2), message(4))
    mirrored(house)
    live = [row for row in transcripts(house.ledger_path) if row.state == "live"]
    assert [(row.name, row.lines) for row in live] == [(name_of(2), 5)]


def test_an_archive_made_by_link_and_unlink_continues_the_transcript(house: Household) -> None:
    archive = f"{name_of(1)}.reset.{RESET_TIME}"
    first = house.write(name_of(1), transcript(1, 3))
    mirrored(house)
    os.link(first, house.path(archive))
    mirrored(house)
    first.unlink()
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.name, row.kind, row.state, row.generation) == (archive, "reset", "archived", 1)


def test_hard_links_that_part_ways_are_two_transcripts(house: Household) -> None:
    first = house.write(name_of(1), transcript(1, 3))
    os.link(first, house.path(name_of(2)))
    mirrored(house)
    house.replace(name_of(2), transcript(2, 2))
    mirrored(house)
    assert [(row.session_id, row.lines) for row in transcripts(house.ledger_path)] == [
        (session_id(1), 4),
        (session_id(2), 3),
    ]


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _directory(path: Path) -> None:
    path.mkdir()


def _socket(path: Path) -> None:
    # A socket's address is short: bound in its own directory, then moved to its long name.
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("s")
        os.rename("s", path.name)
    finally:
        os.chdir(before)


def _outward_symlink(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def _inward_symlink(path: Path) -> None:
    path.symlink_to(name_of(9))


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


def _dangling(path: Path) -> None:
    path.symlink_to("nowhere")


NOT_PLAIN = [_fifo, _directory, _socket, _outward_symlink, _inward_symlink, _loop, _dangling]


@pytest.mark.parametrize("make", NOT_PLAIN)
def test_what_is_no_plain_file_is_refused_once_and_never_blocks(house: Household, make: Callable[[Path], None]) -> None:
    house.write(name_of(9), transcript(9, 1))
    make(house.path(name_of(1)))
    mirrored(house)
    mirrored(house)
    assert only_transcript(house.ledger_path).name == name_of(9)
    assert events(house.ledger_path) == ["refused"]


@pytest.mark.parametrize("make", NOT_PLAIN)
def test_a_transcript_swapped_for_something_else_and_back_is_still_one(
    house: Household, make: Callable[[Path], None]
) -> None:
    house.write(name_of(9), transcript(9, 1))
    path = house.write(name_of(1), transcript(1, 3))
    mirrored(house)
    away = path.rename(house.state_dir / "away")
    make(path)
    mirrored(house)
    row = next(row for row in transcripts(house.ledger_path) if row.session_id == session_id(1))
    assert row.state == "gone", "its file is not there any more"
    path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    away.rename(path)
    mirrored(house)
    rows = [row for row in transcripts(house.ledger_path) if row.session_id == session_id(1)]
    assert [(row.state, row.generation, row.lines) for row in rows] == [("live", 1, 4)]


def test_a_plain_file_in_the_place_of_a_refused_one_is_taken_in(house: Household) -> None:
    os.mkfifo(house.path(name_of(1)))
    mirrored(house)
    house.path(name_of(1)).unlink()
    house.write(name_of(1), transcript(1, 2))
    mirrored(house)
    assert only_transcript(house.ledger_path).lines == 3


def test_a_symlinked_sessions_directory_is_seen_once(house: Household) -> None:
    house.write(name_of(1), transcript(1, 2))
    (house.state_dir / "agents" / "alias").symlink_to("main")
    mirrored(house)
    assert only_transcript(house.ledger_path).lines == 3


NAMES = [
    b"x" * 249 + b".jsonl",
    b"line\nbreak.jsonl",
    b"caf\xe9.jsonl",
    b"\xff\xfe.jsonl",
    unicodedata.normalize("NFC", "caf\u00e9-composed.jsonl").encode(),
    unicodedata.normalize("NFD", "caf\u00e9-composed.jsonl").encode(),
    b"UPPER.jsonl",
    b"upper.jsonl",
    b" leading and trailing .jsonl",
    b"quo'te\"d;--.jsonl",
    b"100%.jsonl",
    b"-topic-.jsonl",
]


def test_every_name_that_a_file_can_have_is_a_place_of_its_own(house: Household) -> None:
    place = os.fsencode(house.sessions())
    for number, name in enumerate(NAMES, 1):
        with open(place + b"/" + name, "wb") as file:
            file.write(transcript(number, number))
    mirrored(house)
    assert sorted(row.session_id for row in transcripts(house.ledger_path)) == sorted(
        session_id(number) for number in range(1, len(NAMES) + 1)
    )
    for number, name in enumerate(NAMES, 1):
        with open(place + b"/" + name, "ab") as file:
            file.write(message(number + 1))
    mirrored(house)
    for number in range(1, len(NAMES) + 1):
        (row,) = [row for row in transcripts(house.ledger_path) if row.session_id == session_id(number)]
        assert (row.generation, row.lines) == (1, number + 2)


def test_an_archive_of_a_name_that_is_no_utf8_continues_its_transcript(house: Household) -> None:
    place = os.fsencode(house.sessions())
    with open(place + b"/caf\xe9.jsonl", "wb") as file:
        file.write(transcript(1, 2))
    mirrored(house)
    archive = place + b"/caf\xe9.jsonl.reset." + RESET_TIME.encode()
    os.rename(place + b"/caf\xe9.jsonl", archive)
    with open(place + b"/caf\xe9.jsonl", "wb") as file:
        file.write(header(2))
    mirrored(house)
    first, second = transcripts(house.ledger_path)
    assert (first.session_id, first.kind, first.state) == (session_id(1), "reset", "archived")
    assert (second.session_id, second.state) == (session_id(2), "live")


def test_an_archive_beside_a_living_file_whose_name_is_no_utf8_is_not_taken_for_its_rename(house: Household) -> None:
    place = os.fsencode(house.sessions())
    for name in (b"/caf\xe9.jsonl", b"/caf\xe9.jsonl.reset." + RESET_TIME.encode()):
        with open(place + name, "wb") as file:
            file.write(transcript(1, 2))
        mirrored(house)
    assert [(row.kind, row.state) for row in transcripts(house.ledger_path)] == [
        ("primary", "live"),
        ("reset", "archived"),
    ]


def test_an_agent_whose_name_is_no_utf8_has_its_sessions_mirrored(house: Household) -> None:
    place = os.fsencode(house.state_dir) + b"/agents/\xffagent/sessions"
    os.makedirs(place)
    with open(place + b"/" + name_of(1).encode(), "wb") as file:
        file.write(transcript(1, 2))
    mirrored(house)
    assert query(house.ledger_path, "SELECT agent_id FROM transcripts") == [("\\udcffagent",)]
    row = only_transcript(house.ledger_path)
    assert exported(house.ledger_path, row.id, 1) == transcript(1, 2)
