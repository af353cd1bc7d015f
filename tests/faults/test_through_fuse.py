"""FAULTS.md C17, E11 and F12 on a real file system that folds case, gives no events, or is one of a network: FUSE."""
# ruff: noqa: N802  the fault's id stands in the test's name

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from tests.daemon.live import wait_for
from tests.daemon.process import daemon, environ, in_ledger, rows, syncd
from tests.mirror.household import Household, message, name_of, require_root, transcript
from tests.mirror_checks import events, transcripts

NAME = name_of(1)


def through_fuse(directory: Path, *options: str) -> tuple[str, ...]:
    """A prefix: the command sees the directory by FUSE alone; skips where that cannot be had."""
    require_root()
    prefix = ("unshare", "-m", sys.executable, "-m", "tests.faults.fuse_view", *options, str(directory))
    tried = subprocess.run([*prefix, "true"], capture_output=True, check=False, timeout=60)
    if tried.returncode:
        print(tried.stderr.decode())
        pytest.skip("FUSE cannot be had here: it needs /dev/fuse, and the right to mount")
    return prefix


def _degraded(house: Household, prefix: tuple[str, ...]) -> list[str]:
    _, told = syncd(house, "status", prefix=prefix)
    return [each["code"] for each in told["degraded"]]


@contextmanager
def _writing_on(house: Household, numbers: Iterator[int]) -> Iterator[None]:
    """Whenever all is listed, there is a file that was written some seconds ago, and never looked at: each is another,
    since one that was read a moment ago is looked at anyway.
    """
    is_over = threading.Event()

    def write_on() -> None:
        while not is_over.wait(0.25):
            number = next(numbers)
            house.write(name_of(number), transcript(number, 2))

    writing = threading.Thread(target=write_on)
    writing.start()
    try:
        yield
    finally:
        is_over.set()
        writing.join()


def test_E11_without_any_event_it_polls_says_so_and_has_every_line(house: Household) -> None:
    """What is written outside reaches the daemon as over a network: nobody tells it."""
    house.write(NAME, transcript(1, 3))
    prefix = through_fuse(house.state_dir)
    environ(house)
    (house.state_dir.parent / "config.yaml").write_text("watch: {rescan_seconds: 3}\n")
    numbers = count(2)
    with daemon(house, prefix=prefix) as running:
        running.is_following()
        with _writing_on(house, numbers):
            wait_for(lambda: "no_events" in _degraded(house, prefix))
        missed = events(house.ledger_path).count("missed_event")
        assert missed
        house.append(NAME, message(4))
        number = next(numbers)
        house.write(name_of(number), transcript(number, 2))
        wait_for(in_ledger(house, NAME, 5))
        wait_for(in_ledger(house, name_of(number), 3))
        assert events(house.ledger_path).count("missed_event") == missed, "who polls misses nothing"
        code, told = syncd(house, "verify", prefix=prefix)
        assert (code, told["ok"], told["transcripts"]) == (0, True, number), told
        assert running.terminate()[0] == 0
    assert {row.generation for row in transcripts(house.ledger_path)} == {1}


def test_C17_where_case_is_folded_one_file_of_many_spellings_is_one_transcript(house: Household) -> None:
    prefix = through_fuse(house.state_dir, "--fold")
    house.write("Abc.jsonl", transcript(1, 3))
    assert syncd(house, "run", "--once", prefix=prefix)[0] == 0
    house.rename("Abc.jsonl", "aBC.jsonl")
    house.append("aBC.jsonl", message(4))
    assert syncd(house, "run", "--once", prefix=prefix)[0] == 0
    code, told = syncd(house, "verify", prefix=prefix)
    assert (code, told["ok"], told["transcripts"]) == (0, True, 1), told
    assert [(row.name, row.lines) for row in rows(house) if row.state == "live"] == [("aBC.jsonl", 5)]


def test_where_case_is_folded_nothing_is_followed_by_a_spelling_that_it_does_not_have_any_more(
    house: Household,
) -> None:
    prefix = through_fuse(house.state_dir, "--fold")
    house.write("Abc.jsonl", transcript(1, 3))
    environ(house)
    (house.state_dir.parent / "config.yaml").write_text("watch: {rescan_seconds: 2}\n")
    with daemon(house, prefix=prefix) as running:
        running.is_following()
        house.append("Abc.jsonl", message(4))
        wait_for(in_ledger(house, "Abc.jsonl", 5))
        house.rename("Abc.jsonl", "aBC.jsonl")
        house.append("aBC.jsonl", message(5))
        wait_for(in_ledger(house, "aBC.jsonl", 6))
        wait_for(lambda: {row.name for row in rows(house) if row.state == "live"} == {"aBC.jsonl"})
        assert running.terminate()[0] == 0
    assert [(row.name, row.lines) for row in rows(house) if row.state == "gone"] == [("Abc.jsonl", 5)]


def test_F12_a_ledger_on_a_mounted_network_file_system_is_refused(house: Household) -> None:
    house.write(NAME, transcript(1, 3))
    place = house.ledger_path.parent
    place.mkdir(parents=True)
    prefix = through_fuse(place, "--as", "sshfs")
    done = subprocess.run(
        [*prefix, sys.executable, "-m", "syncd", "run", "--once", "--json"],
        env=environ(house), capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["type"]) == (78, "config")
    assert "(fuse.sshfs)" in error["message"]
    assert list(place.iterdir()) == []
