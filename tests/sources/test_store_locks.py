"""OpenClaw finds no handle and no lock of ours on its SQLite, while it is asked and afterwards."""

import gc
import os
from pathlib import Path

import pytest

from syncd.sources import store_opening
from syncd.sources.store_opening import Store, handles_kept, read_store
from tests.openclaw_store import OtherProcess
from tests.sources.store_questions import events, one

ONE = "0a000001-0000-4000-8000-000000000001"


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return tmp_path / "agent" / "openclaw-agent.sqlite"


def test_no_handle_and_no_lock_is_left_behind(store_path: Path) -> None:
    with OtherProcess(store_path) as store:
        store.do("add_session", ONE)
        store.do("append", ONE, b"{}")
        gc.collect()  # what an earlier test dropped must not close in the midst of this one
        open_before = len(os.listdir("/proc/self/fd"))
        assert events(store_path) == 1
        assert len(os.listdir("/proc/self/fd")) == open_before
        store.do("append", ONE, b"{}")
        assert store.do("checkpoint") is True
        assert events(store_path) == 2


def own_locks(directory: Path) -> list[str]:
    """POSIX locks of this process on the files of a directory, as the kernel knows them."""
    inodes = {str(path.stat().st_ino) for path in directory.iterdir()}
    held = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    held = [fields for fields in held if "->" not in fields and fields[5].rpartition(":")[2] in inodes]
    return [" ".join(fields) for fields in held if fields[4] == str(os.getpid())]


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="the kernel tells of its locks on Linux")
@pytest.mark.parametrize("is_long", [False, True])
def test_no_lock_is_held_while_a_question_is_asked_unless_the_log_is_long(
    store_path: Path, monkeypatch: pytest.MonkeyPatch, is_long: bool
) -> None:
    if is_long:
        monkeypatch.setattr(store_opening, "_LONG_LOG_FRAMES", 1)

    def held(store: Store) -> list[str]:
        assert one(store, "SELECT count(*) FROM transcript_events") == 1
        return own_locks(store_path.parent)

    with OtherProcess(store_path) as store:
        store.do("add_session", ONE)
        store.do("append", ONE, b"{}")
        assert bool(read_store(str(store_path), held)) is is_long
        assert own_locks(store_path.parent) == []


@pytest.mark.parametrize("with_locks", [False, True])
def test_a_handle_with_locks_is_kept_only_for_questions_with_nothing_between(
    store_path: Path, monkeypatch: pytest.MonkeyPatch, with_locks: bool
) -> None:
    """Who closes the database as the last one finds our lock on the main file as long as the handle is there."""
    monkeypatch.setattr(store_opening, "_LONG_LOG_FRAMES", 1)  # too long to be gone through: read with locks
    with OtherProcess(store_path) as store:
        store.do("add_session", ONE)
        store.do("append", ONE, b"{}")
        gc.collect()
        before = len(os.listdir("/proc/self/fd"))
        with handles_kept(), handles_kept(with_locks=with_locks):
            assert events(store_path) == 1
            assert (len(os.listdir("/proc/self/fd")) > before) is with_locks
            assert events(store_path) == 1
        assert len(os.listdir("/proc/self/fd")) == before
