"""Opening: only plain files, never blocking, never noticed; archives as what they hold."""

import gc
import os
import random
import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
import tenacity

from syncd.errors import SourceError
from syncd.sources.opening import NotThereError, RefusedError, open_source, read_pieces
from tests.mirror.household import compressed, require_root
from tests.other_user import as_another_user, common_place

CONTENT = random.Random(7).randbytes(400_000) + b"\n"  # does not shrink: several blocks of a frame


def read(path: Path, *, is_zst: bool = False, start: int = 0, piece_bytes: int = 50_000) -> bytes:
    with open_source(str(path), is_zst=is_zst) as source:
        return b"".join(read_pieces(source, start, None, piece_bytes))


def test_a_plain_file_is_read_from_any_place(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(CONTENT)
    assert read(path) == CONTENT
    assert read(path, start=123_456) == CONTENT[123_456:]
    assert read(path, start=10**12) == b""


def test_a_symlink_is_refused_also_to_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(CONTENT)
    (tmp_path / "link.jsonl").symlink_to("x.jsonl")
    (tmp_path / "loop.jsonl").symlink_to("loop.jsonl")
    (tmp_path / "nowhere.jsonl").symlink_to("nowhere")
    for name in ("link", "loop", "nowhere"):
        with pytest.raises(RefusedError):
            open_source(str(tmp_path / f"{name}.jsonl"))


def test_a_fifo_without_a_writer_is_refused_and_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.jsonl")
    with pytest.raises(RefusedError):
        open_source(str(tmp_path / "x.jsonl"))


def test_a_directory_a_socket_and_a_device_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.jsonl")
        for path in (tmp_path / "folder.jsonl", tmp_path / "socket.jsonl", Path(os.devnull)):
            with pytest.raises(RefusedError):
                open_source(str(path))


def test_what_is_refused_leaves_no_descriptor_open(tmp_path: Path) -> None:
    gc.collect()  # what an earlier test dropped must not close in the midst of this one
    before = os.listdir("/proc/self/fd")
    for _ in range(3):
        with pytest.raises(RefusedError):
            open_source(str(tmp_path))
    assert os.listdir("/proc/self/fd") == before


def test_a_file_that_has_gone_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "gone.jsonl", tmp_path / "file" / "x.jsonl"):
        with pytest.raises(NotThereError):
            open_source(str(path))


def test_a_file_that_may_not_be_read_is_a_fault_that_names_it() -> None:
    with common_place() as place:
        path = place / "x.jsonl"
        path.write_bytes(CONTENT)
        path.chmod(0)
        with (
            as_another_user(),
            pytest.raises(SourceError, match=r"x\.jsonl cannot be read: Permission denied") as fault,
        ):
            open_source(str(path))
        assert not isinstance(fault.value, RefusedError | NotThereError)


def test_reading_leaves_the_access_time_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(CONTENT)
    os.utime(path, (1, 2))  # older than the content: even relatime would move it
    assert read(path) == CONTENT
    assert path.stat().st_atime == 1


def test_a_file_that_opens_only_when_descriptors_are_free_again_keeps_its_access_time(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(CONTENT)
    os.utime(path, (1, 2))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    freed = threading.Timer(0.01, resource.setrlimit, (resource.RLIMIT_NOFILE, (soft, hard)))
    freed.start()
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        assert read(path) == CONTENT
    finally:
        freed.join()
    assert path.stat().st_atime == 1


def test_another_users_file_is_read_without_the_owners_privilege() -> None:
    require_root()
    with common_place() as place:
        path = place / "x.jsonl"
        path.write_bytes(CONTENT)  # root's
        path.chmod(0o644)
        with as_another_user():
            with pytest.raises(PermissionError):
                os.open(path, os.O_RDONLY | os.O_NOATIME)
            assert read(path) == CONTENT


def test_an_archive_is_read_as_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl.deleted.1.zst"
    path.write_bytes(compressed(CONTENT[:1000]) + compressed(CONTENT[1000:]))
    assert read(path, is_zst=True) == CONTENT
    assert read(path, is_zst=True, start=399_000) == CONTENT[399_000:]
    assert read(path) == path.read_bytes()


def test_an_archive_answers_and_gives_back_its_descriptor(tmp_path: Path) -> None:
    path = tmp_path / "x.zst"
    path.write_bytes(compressed(CONTENT))
    with open_source(str(path), is_zst=True) as source:
        descriptor = source.fileno()
        assert os.fstat(descriptor).st_ino == path.stat().st_ino
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


@pytest.mark.parametrize("kept", [0.0001, 0.5, 0.9])
def test_a_truncated_archive_is_a_fault_after_what_it_still_holds(tmp_path: Path, kept: float) -> None:
    path = tmp_path / "x.zst"
    packed = compressed(CONTENT)
    path.write_bytes(packed[: int(kept * len(packed))])
    assert_damaged(path, at_least=0 if kept < 0.5 else 100_000)


def test_a_damaged_archive_is_a_fault_after_what_stands_before_the_damage(tmp_path: Path) -> None:
    path = tmp_path / "x.zst"
    packed = bytearray(compressed(CONTENT))
    packed[-60_000:] = bytes(60_000)
    path.write_bytes(packed)
    assert_damaged(path, at_least=100_000)


def test_a_file_that_only_calls_itself_an_archive_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "x.zst"
    path.write_bytes(b'{"type":"session"}\n')
    assert_damaged(path, at_least=0)


def assert_damaged(path: Path, *, at_least: int) -> None:
    found: list[bytes] = []
    with open_source(str(path), is_zst=True) as source:
        pieces = read_pieces(source, 0, None, 50_000)
        with pytest.raises(SourceError, match="archive is damaged"):
            found.extend(pieces)
    assert len(b"".join(found)) >= at_least
    assert b"".join(found)[:at_least] == CONTENT[:at_least]


@contextmanager
def no_descriptor_left() -> Iterator[list[int]]:
    """The process may open nothing more; what is taken from the list and closed may be opened again."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    spare: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
    try:
        with pytest.raises(OSError, match="Too many open files"):
            spare.extend(os.open(os.devnull, os.O_RDONLY) for _ in count())
        yield spare
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for descriptor in spare:
            os.close(descriptor)


def test_too_many_open_files_are_waited_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, waits = tmp_path / "x.jsonl", list[float]()
    path.write_bytes(CONTENT)
    assert tenacity.__name__  # loaded before the descriptors are gone, as it is in every run
    with no_descriptor_left() as spare:

        def others_close_a_file(seconds: float) -> None:
            waits.append(seconds)
            if len(waits) == 2:
                os.close(spare.pop())

        monkeypatch.setattr(time, "sleep", others_close_a_file)
        assert read(path) == CONTENT
    assert len(waits) == 2


def test_too_many_open_files_for_good_are_a_fault_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, waits = tmp_path / "x.jsonl", list[float]()
    path.write_bytes(CONTENT)
    monkeypatch.setattr(time, "sleep", waits.append)
    with no_descriptor_left(), pytest.raises(SourceError, match="Too many open files"):
        open_source(str(path))
    assert 2 <= len(waits) <= 10
    assert sum(waits) < 10
