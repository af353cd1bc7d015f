"""FAULTS.md C: what happens to transcript files as such. After each the mirror is equal, nothing is lost or twice."""
# ruff: noqa: N802  the fault's id stands in the test's name

import json
import mmap
import os
import shutil
import stat
import subprocess
import sys
import threading
import unicodedata
from pathlib import Path

import pytest

from tests.bench.measure import run as measured
from tests.conftest import CHECKOUT
from tests.mirror.household import (
    LATER_TIME,
    RESET_TIME,
    Household,
    header,
    household,
    message,
    messages,
    name_of,
    require_root,
    session_id,
    transcript,
)
from tests.mirror_checks import (
    assert_mirrors,
    assert_untouched,
    events,
    exported,
    generations,
    mirrored,
    only_transcript,
    query,
    snapshot,
    transcript_at,
    transcripts,
)
from tests.terminal import at_a_terminal

NAME = name_of(1)


@pytest.fixture
def house(tmp_path: Path) -> Household:
    place = household(tmp_path)
    place.write(NAME, transcript(1, 6))
    mirrored(place)
    return place


def test_C1_a_slow_rewrite_after_a_truncation_is_judged_when_it_rests(house: Household) -> None:
    """The writer truncates and writes half; then a thread writes all of it in small pieces while catch-ups look on."""
    same, other = transcript(1, 6), header(1) + messages(1, 3) + message(4, "other") + messages(5, 8)
    for target in (same, other):
        for half in (b"", target[: len(target) * 2 // 3]):
            house.path(NAME).write_bytes(half)
            house.catch_up_in_real_time(settle_seconds=60)
            assert generations(house.ledger_path, only_transcript(house.ledger_path)) == [same]
        done = threading.Event()

        def write_slowly(content: bytes = target, done: threading.Event = done) -> None:
            with house.path(NAME).open("wb", buffering=0) as file:
                for start in range(0, len(content), 16):
                    file.write(content[start : start + 16])
                    os.fsync(file.fileno())
            done.set()

        writer = threading.Thread(target=write_slowly)
        writer.start()
        while not done.is_set():
            house.catch_up_in_real_time()
        writer.join()
        mirrored(house)
    assert generations(house.ledger_path, only_transcript(house.ledger_path)) == [same, other]


def test_C2_a_same_size_rewrite_in_place_is_found(house: Household) -> None:
    at = len(transcript(1, 3)) + 40
    house.put(NAME, b"#", at)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.generation, events(house.ledger_path)) == (2, ["rewrite"])


def test_C3_a_same_size_rewrite_with_its_old_mtime_is_found(house: Household) -> None:
    before = house.path(NAME).stat()
    house.put(NAME, b"#", len(transcript(1, 3)) + 40)
    os.utime(house.path(NAME), ns=(before.st_atime_ns, before.st_mtime_ns))
    assert house.path(NAME).stat().st_mtime_ns == before.st_mtime_ns
    mirrored(house)
    assert only_transcript(house.ledger_path).generation == 2


def test_C4_an_edit_in_the_middle_and_an_append_in_one_gap_are_both_found(house: Household) -> None:
    for round_number in range(1, 6):
        house.put(NAME, b"%d" % round_number, len(transcript(1, round_number)) + 20)
        house.append(NAME, message(100 + round_number))
        mirrored(house)
        assert only_transcript(house.ledger_path).generation == round_number + 1


def test_C5_a_line_dropped_by_repair_supersedes_what_follows_it(house: Household) -> None:
    cleaned = header(1) + messages(1, 2) + messages(4, 6)
    house.replace(NAME, cleaned)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert generations(house.ledger_path, row) == [transcript(1, 6), cleaned]
    assert query(house.ledger_path, "SELECT count(*) FROM entries WHERE superseded_in = 2") == [(4,)]
    assert query(house.ledger_path, "SELECT count(*) FROM entries WHERE generation = 2") == [(3,)]


def test_C6_a_longer_file_with_the_same_beginning_renamed_over_it_is_an_append(house: Household) -> None:
    house.replace(NAME, transcript(1, 9))
    assert mirrored(house).lines == 3
    assert only_transcript(house.ledger_path).generation == 1


@pytest.mark.parametrize("lines", [2, 9])
@pytest.mark.parametrize("is_same_session", [True, False])
def test_C7_unlink_and_create_with_the_same_inode_is_seen_by_content(
    house: Household, lines: int, *, is_same_session: bool
) -> None:
    """Also where the new file is longer, as if the old one had grown."""
    for number in range(10, 30):  # others use the disk too: the number is reused at once, but not always by us
        old = transcript(number, 6)
        fresh = header(number if is_same_session else number + 100) + message(50, "after the gap") + messages(1, lines)
        house.write(name_of(number), old)
        mirrored(house)
        inode = house.path(name_of(number)).stat().st_ino
        if house.recreate(name_of(number), fresh).stat().st_ino == inode:
            break
        mirrored(house)
    else:
        pytest.skip("this file system does not reuse inode numbers at once (ext4 does)")
    mirrored(house)
    rows = [row for row in transcripts(house.ledger_path) if row.name == name_of(number)]
    if is_same_session:
        assert [generations(house.ledger_path, row) for row in rows] == [[old, fresh]]
    else:
        assert [(row.session_id, row.state, row.generation) for row in rows] == [
            (session_id(number), "gone", 1),
            (session_id(number + 100), "live", 1),
        ]


def test_C8_a_deleted_file_keeps_its_rows_and_makes_no_error_loop(house: Household) -> None:
    house.path(NAME).unlink()
    for _ in range(3):
        mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.state, row.lines, events(house.ledger_path)) == ("gone", 7, ["gone"])
    assert exported(house.ledger_path, row.id, 1) == transcript(1, 6)


def test_C8_a_deleted_directory_keeps_all_its_rows(house: Household) -> None:
    shutil.rmtree(house.state_dir / "agents" / "main")
    mirrored(house)
    assert only_transcript(house.ledger_path).state == "gone"
    shutil.rmtree(house.state_dir / "agents")
    mirrored(house)
    house.write(NAME, transcript(1, 7))
    mirrored(house)
    assert (only_transcript(house.ledger_path).state, only_transcript(house.ledger_path).lines) == ("live", 8)


def test_C9_a_file_deleted_before_it_was_all_read_keeps_what_was_read_and_the_loss_is_counted(house: Household) -> None:
    """Unread is a line whose end never came, and more of it than a ledger keeps for later."""
    unread = 40 << 20
    with house.path(NAME).open("ab") as file:
        file.write(b"u" * unread)
    house.catch_up()
    assert only_transcript(house.ledger_path).tail_bytes == unread
    house.path(NAME).unlink()
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert exported(house.ledger_path, row.id, 1)[: len(transcript(1, 6))] == transcript(1, 6)
    ((detail,),) = query(house.ledger_path, "SELECT detail_json FROM sync_events WHERE kind = 'gone'")
    assert json.loads(detail)["lost_bytes"] == len(transcript(1, 6)) + unread - row.bytes


def test_C10_an_archive_rename_with_an_unread_tail_is_read_on_under_the_same_transcript(house: Household) -> None:
    house.append(NAME, messages(7, 9) + message(10)[:30])
    with house.path(NAME).open("ab", buffering=0) as still_open:
        house.rename(NAME, f"{NAME}.reset.{RESET_TIME}")
        house.write(NAME, transcript(2, 1))
        house.catch_up()
        still_open.write(message(10)[30:] + message(11))
    mirrored(house)
    archived = transcript_at(house.ledger_path, f"{NAME}.reset.{RESET_TIME}")
    assert (archived.id, archived.session_id, archived.state) == (1, session_id(1), "archived")
    assert exported(house.ledger_path, 1, archived.generation) == transcript(1, 11)
    live_ids = "SELECT entry_id, count(*) FROM entries WHERE transcript_id = 1 AND superseded_in IS NULL GROUP BY 1"
    assert {count for _, count in query(house.ledger_path, live_ids)} == {1}


def test_C11_a_copy_under_another_name_is_another_transcript(house: Household) -> None:
    shutil.copy(house.path(NAME), house.path("copy.jsonl"))
    mirrored(house)
    first, second = transcripts(house.ledger_path)
    assert (second.session_id, second.lines, second.parent_transcript_id) == (session_id(1), 7, first.id)
    house.append("copy.jsonl", message(7, "only here"))
    house.append(NAME, message(7, "only there"))
    mirrored(house)
    assert [row.lines for row in transcripts(house.ledger_path)] == [8, 8]


def test_C12_a_fork_with_the_same_first_kilobytes_is_a_transcript_of_its_own(house: Household) -> None:
    long = b"".join(message(number, "shared " * 700) for number in range(7, 30))
    house.append(NAME, long)
    fork = f"2026-11-16T04-22-14-584Z_{session_id(2)}.jsonl"
    parent = str(house.path(NAME))
    house.write(fork, header(2, parentSession=parent) + messages(1, 6) + long + message(40, "forked"))
    mirrored(house)
    row = transcript_at(house.ledger_path, fork)
    assert (row.kind, row.parent_transcript_id, row.session_id) == ("fork", 1, session_id(2))
    assert row.lines == transcript_at(house.ledger_path, NAME).lines + 1


def test_C13_empty_files_are_registered_and_not_taken_for_each_other(house: Household) -> None:
    for number in range(2, 6):
        house.write(name_of(number), b"")
    house.write(f"{name_of(6)}.reset.{RESET_TIME}", b"")
    mirrored(house)
    assert len(transcripts(house.ledger_path)) == 6
    for number in range(2, 6):
        house.append(name_of(number), transcript(number, number))
    mirrored(house)
    for number in range(2, 6):
        row = transcript_at(house.ledger_path, name_of(number))
        assert (row.session_id, row.lines, row.generation) == (session_id(number), number + 1, 1)


def test_C14_pipes_directories_sockets_and_devices_under_a_transcript_s_name_never_block(house: Household) -> None:
    os.mkfifo(house.path(name_of(2)))
    house.path(name_of(3)).mkdir()
    os.mknod(house.path(name_of(4)), stat.S_IFSOCK | 0o600)
    expected = 3
    if os.geteuid() == 0:
        os.mknod(house.path(name_of(5)), stat.S_IFCHR | 0o600, os.makedev(1, 5))  # /dev/zero: endless, if it were read
        expected = 4
    mirrored(house)
    mirrored(house)
    assert events(house.ledger_path) == ["refused"] * expected
    assert only_transcript(house.ledger_path).lines == 7


def test_C15_symlinks_are_never_followed_nor_is_a_swap_of_file_and_symlink(house: Household, tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_bytes(transcript(9, 3))
    house.path(name_of(2)).symlink_to("/etc/passwd")
    house.path(name_of(3)).symlink_to(house.path(name_of(3)))
    house.path(name_of(4)).symlink_to(outside)
    mirrored(house)
    assert [row.session_id for row in transcripts(house.ledger_path)] == [session_id(1)]
    path = house.path(NAME)
    for _ in range(5):
        kept = path.rename(tmp_path / "kept")
        path.symlink_to(outside)
        mirrored(house)
        path.unlink()
        kept.rename(path)
        mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.session_id, row.state, row.lines, row.generation) == (session_id(1), "live", 7, 1)


def test_C15_a_file_swapped_for_a_symlink_during_the_look_is_refused(house: Household, tmp_path: Path) -> None:
    """The race itself: one thread swaps as fast as it can, the mirror looks again and again."""
    outside = tmp_path / "outside.jsonl"
    outside.write_bytes(transcript(9, 3))
    path, link, kept = house.path(NAME), house.state_dir / "link", house.state_dir / "kept"
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            os.link(path, kept)
            link.symlink_to(outside)
            link.rename(path)
            kept.rename(path)

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        for _ in range(15):
            house.catch_up()
    finally:
        stop.set()
        swapper.join()
    mirrored(house)
    assert session_id(9) not in {row.session_id for row in transcripts(house.ledger_path)}
    live = [row for row in transcripts(house.ledger_path) if row.state == "live"]
    assert [(row.session_id, row.lines) for row in live] == [(session_id(1), 7)]


def test_C16_a_hard_link_is_noted_and_one_of_the_two_taken_in(house: Household) -> None:
    os.link(house.path(NAME), house.path(name_of(2)))
    mirrored(house)
    house.append(NAME, message(7))
    mirrored(house)
    assert only_transcript(house.ledger_path).lines == 8
    assert events(house.ledger_path) == ["hard_link"]


def test_C17_odd_names_keep_their_bytes_in_the_ledger_and_in_every_report(house: Household) -> None:
    place = os.fsencode(house.sessions())
    names = [
        b"n" * 249 + b".jsonl",
        b"new\nline.jsonl",
        b"\xff\xfe.jsonl",
        unicodedata.normalize("NFC", "\u00e9.jsonl").encode(),
        unicodedata.normalize("NFD", "\u00e9.jsonl").encode(),
        b"A.jsonl",
        b"a.jsonl",
        b"\x1b[31m.jsonl",
    ]
    for number, name in enumerate(names, 2):
        with open(place + b"/" + name, "wb") as file:
            file.write(transcript(number, 1))
    mirrored(house)
    assert len(transcripts(house.ledger_path)) == len(names) + 1
    stored = {path.rpartition(b"/")[2] for (path,) in query(house.ledger_path, "SELECT path FROM _files")}
    assert set(names) <= stored
    for name in names:
        with open(place + b"/" + name, "ab") as file:
            file.write(b"more\n")
    env = {**os.environ, **house.environ, "PYTHONPATH": str(CHECKOUT)}
    for args in (["verify", "--json"], ["verify"], ["run", "--once", "--json"], ["verify", "--json"]):
        done = subprocess.run([sys.executable, "-m", "syncd", *args], env=env, capture_output=True, check=False)
        assert b"Traceback" not in done.stderr
        if "--json" in args:
            document = json.loads(done.stdout)
            assert document["ok"] is (done.returncode == 0)
        else:
            assert b"\x1b[31m" not in done.stdout, "a name must not steer the terminal"
    assert done.returncode == 0
    house.put("\x1b[31m.jsonl", b"#", 30)
    house.put("new\nline.jsonl", b"#", 30)
    _, shown = at_a_terminal(house.environ, "verify", "--lock-wait", "0")
    assert b"\x1b[31m.jsonl" not in shown
    assert b"\nline.jsonl" not in shown
    assert b"\\x1b[31m.jsonl" in shown
    assert b"new\\nline.jsonl" in shown


CASEFOLD = """
set -e
truncate -s 64M "$1/disk" && mkfs.ext4 -q -O casefold "$1/disk" && mount -o loop "$1/disk" "$1/openclaw"
mkdir -p "$1/openclaw/agents/main/sessions" && chattr +F "$1/openclaw/agents/main/sessions"
cp "$1/seed" "$1/openclaw/agents/main/sessions/Abc.jsonl"
"$2" -m syncd run --once --json > "$1/first"
mv "$1/openclaw/agents/main/sessions/Abc.jsonl" "$1/openclaw/agents/main/sessions/aBC.jsonl"
cat "$1/seed" >> "$1/openclaw/agents/main/sessions/ABC.JSONL"
"$2" -m syncd run --once --json > "$1/second"
"$2" -m syncd verify --json > "$1/third"
"""


def test_C17_a_directory_that_folds_case_holds_one_transcript_for_all_spellings(tmp_path: Path) -> None:
    require_root()
    house = household(tmp_path)
    (tmp_path / "seed").write_bytes(transcript(1, 3))
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", CASEFOLD, "sh", tmp_path, sys.executable],
        env={**os.environ, **house.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        check=False,
    )
    if not (tmp_path / "first").exists():
        print(done.stderr.decode())
        pytest.skip("no ext4 that folds case can be mounted here: the kernel must have Unicode for it")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "third").read_bytes())["ok"] is True
    live = [row for row in transcripts(house.ledger_path) if row.state == "live"]
    assert [(row.name, row.lines) for row in live] == [("aBC.jsonl", 8)]


def test_C18_neighbours_are_typed_or_ignored_and_never_taken_for_transcripts(house: Household) -> None:
    uuid = "11546cb9-b0a8-4517-95a1-4efe05f46fd5"
    stem = session_id(1)
    neighbours = {
        f"{stem}.trajectory.jsonl": "trajectory",
        f"{stem}.checkpoint.{uuid}.jsonl": "checkpoint",
        f"{NAME}.corrupt-2026-11-16T04-22-14-522Z-0a1b2c3d.jsonl": "corrupt",
        f"{NAME}.bak-31223-1794802934685": "backup",
        f"{NAME}.bak.{LATER_TIME}": "backup",
        f"{NAME}.lock": None,
        f"{NAME}.repair-1-2.tmp": None,
        f".{NAME}.1.{uuid}.tmp": None,
        "sessions.json": None,
        f"sessions.json.{uuid}.tmp": None,
        f"{stem}.trajectory-path.json": None,
    }
    for name in neighbours:
        house.write(name, transcript(1, 6))
    mirrored(house)
    found = {row.name: row.kind for row in transcripts(house.ledger_path)}
    assert found == {NAME: "primary", **{name: kind for name, kind in neighbours.items() if kind}}


def test_C19_ten_thousand_sessions_at_the_first_start_fit_into_the_memory(tmp_path: Path) -> None:
    house = household(tmp_path)
    for number in range(10_000):
        (house.sessions(f"agent{number % 4}") / name_of(number)).write_bytes(transcript(number, 3))
    before = snapshot(house.state_dir)
    env = {**os.environ, **house.environ, "PYTHONPATH": str(CHECKOUT)}
    sample = measured([sys.executable, "-m", "syncd", "run", "--once", "--json"], env)
    assert (sample.document()["transcripts"], sample.document()["lines"]) == (10_000, 40_000)
    assert sample.peak_rss_bytes < 150 << 20
    assert_untouched(house.state_dir, before)
    second = measured([sys.executable, "-m", "syncd", "run", "--once", "--json"], env)
    assert (second.document()["transcripts"], second.document()["bytes"]) == (0, 0)
    verified = measured([sys.executable, "-m", "syncd", "verify", "--json"], env).document()
    assert (verified["ok"], verified["transcripts"]) == (True, 10_000)


def test_C20_a_change_through_a_memory_map_is_found(house: Household) -> None:
    at = len(transcript(1, 3)) + 40
    with house.path(NAME).open("r+b") as file, mmap.mmap(file.fileno(), 0) as view:
        view[at : at + 1] = b"#"
        view.flush()
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert row.generation == 2
    assert exported(house.ledger_path, row.id, 2)[at : at + 1] == b"#"
    assert_mirrors(house)
