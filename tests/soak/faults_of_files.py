"""Faults in OpenClaw's files: content, life cycle, index and locks. Each spoils files of its own agent only."""

import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.mirror.household import dead_pid, message
from tests.soak.field import MISHAPS, Fault, Field

HUGE_BYTES = 20 << 20
"""Above limits.max_line_bytes."""
_ODD_LINES = {
    "B4": b'{"type":"message","id":"cut","mess{"type":"custom","id":"whole","customType":"x"}\n',
    "B5": b'{"type":"custom","id":"one","customType":"x"}{"type":"custom","id":"two","customType":"x"}\n',
    "B6": b"\0" * 4096 + b'{"type":"custom","id":"nul","customType":"x"}\n',
    "B8": b'{"type":"custom","id":"utf","customType":"\xff\xfe\xc3"}\n',
    "B9": b'{"type":"custom","id":"half","customType":"\\ud800"}\n',
    "B12": b"[" * 100_000 + b"\n",
    "B19": b"42\n[]\nnull\n",
}


@contextmanager
def _torn(field: Field) -> Iterator[None]:
    path, line = field.new_file(), message(31, "whole at last ✿")
    with path.open("ab", buffering=0) as file:
        file.write(line[: len(line) - 9])
        yield
        file.write(line[len(line) - 9 :])


@contextmanager
def _odd_lines(field: Field) -> Iterator[None]:
    path = field.new_file()
    with path.open("ab", buffering=0) as file:
        for line in _ODD_LINES.values():
            file.write(line)
        yield
        file.write(field.lines(31, 33))


@contextmanager
def _huge_line(field: Field) -> Iterator[None]:
    with field.new_file().open("ab", buffering=0) as file:
        file.write(b'{"type":"custom","id":"huge","data":"' + b"x" * HUGE_BYTES)
        yield
        file.write(b'"}\n' + field.lines(31, 33))


@contextmanager
def _slow_rewrite(field: Field) -> Iterator[None]:
    path = field.new_file()
    content = path.read_bytes()
    with path.open("wb", buffering=0) as file:
        file.write(content[: len(content) // 3])
        yield
        file.write(content[len(content) // 3 :] + field.lines(31, 32))


@contextmanager
def _same_size(field: Field) -> Iterator[None]:
    path = field.new_file()
    before, at = path.stat(), path.read_bytes().rindex(b"mishap")
    with path.open("r+b", buffering=0) as file:
        file.seek(at)
        file.write(b"MISHAP")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    yield


@contextmanager
def _dropped_line(field: Field) -> Iterator[None]:
    path = field.new_file()
    lines = path.read_bytes().splitlines(keepends=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    temporary.write_bytes(b"".join(lines[:5] + lines[6:]))
    temporary.rename(path)
    yield


@contextmanager
def _truncated(field: Field) -> Iterator[None]:
    path = field.new_file()
    os.truncate(path, path.stat().st_size // 2)
    yield
    with path.open("ab") as file:
        file.write(b"\n" + field.lines(31, 33))


@contextmanager
def _inode_reused(field: Field) -> Iterator[None]:
    path = field.new_file()
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content.splitlines(keepends=True)[0] + field.lines(40, 60))
    yield


@contextmanager
def _gone(field: Field) -> Iterator[None]:
    field.new_file().unlink()
    yield


@contextmanager
def _renamed(field: Field) -> Iterator[None]:
    path = field.new_file()
    with path.open("ab", buffering=0) as file:
        file.write(field.lines(31, 40))
        path.rename(path.with_name(f"{path.name}.reset.{time.strftime('%Y-%m-%dT%H-%M-%S')}.000Z"))
        yield
        file.write(field.lines(41, 43))


@contextmanager
def _no_files(field: Field) -> Iterator[None]:
    """Things that bear a transcript's name and are none."""
    target = field.new_file()
    place = target.parent
    fifo, link, folder, door = (place / f"0e00000{n}-0000-4000-8000-00000000000{n}.jsonl" for n in range(4))
    os.mkfifo(fifo)
    link.symlink_to("/etc/passwd")
    folder.mkdir()
    listener = socket.socket(socket.AF_UNIX)
    here = os.open(place, os.O_RDONLY)
    listener.bind(f"/proc/self/fd/{here}/{door.name}")  # a socket's path is short
    os.close(here)
    yield
    listener.close()
    for path in (fifo, link, door):
        path.unlink()
    folder.rmdir()


@contextmanager
def _half_an_index(field: Field) -> Iterator[None]:
    field.new_file()
    index = field.write_index()
    content = index.read_bytes()
    index.write_bytes(content[: len(content) // 2])
    yield
    field.write_index()


@contextmanager
def _emptied_index(field: Field) -> Iterator[None]:
    index = field.write_index()
    index.write_bytes(field.random.choice((b"", b"{}")))
    yield
    field.write_index()


def _lock(pid: int) -> bytes:
    return json.dumps({"pid": pid, "createdAt": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())}).encode()


@contextmanager
def _held_locks(field: Field) -> Iterator[None]:
    """By this process, which is alive: a shrink waits for it, appended lines do not."""
    path = field.new_file()
    locks = (path.with_name(f"{path.name}.lock"), field.house.sessions(MISHAPS) / "sessions.json.lock")
    for lock in locks:
        lock.write_bytes(_lock(os.getpid()))
    with path.open("ab") as file:
        file.write(field.lines(31, 40))
    os.truncate(path, 2000)
    yield
    for lock in locks:
        lock.unlink()


@contextmanager
def _stale_locks(field: Field) -> Iterator[None]:
    paths = [field.new_file(3) for _ in range(3)]
    locks = [path.with_name(f"{path.name}.lock") for path in paths]
    for lock, content in zip(locks, (_lock(dead_pid()), b"", b"\xffgarbage"), strict=True):
        lock.write_bytes(content)
    os.truncate(paths[0], 500)
    yield
    for lock in locks:
        lock.unlink()


FAULTS = (
    Fault("B1", "line torn for seconds", _torn),
    Fault("B4-B19", "spliced, glued, NUL, not UTF-8, deep, no object", _odd_lines),
    Fault("B13", "line of 20 MB", _huge_line),
    Fault("C1", "truncated, then slowly rewritten", _slow_rewrite),
    Fault("C3", "same-size rewrite, mtime restored", _same_size),
    Fault("C4", "cut in half, then appended to", _truncated),
    Fault("C5", "repair drops a line", _dropped_line),
    Fault("C7", "unlink and create, inode reused", _inode_reused),
    Fault("C8", "deleted for good", _gone),
    Fault("C10", "archived with an unread tail, written on", _renamed),
    Fault("C14", "FIFO, symlink, directory, socket", _no_files),
    Fault("D1", "index half written", _half_an_index, told_as=frozenset({"index_unreadable"})),
    Fault("D2", "index emptied", _emptied_index),
    Fault("D8", "locks held for long", _held_locks),
    Fault("D9", "stale locks", _stale_locks),
)
