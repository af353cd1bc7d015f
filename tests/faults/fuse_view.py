"""`python -m tests.faults.fuse_view [--fold] [--as KIND] DIRECTORY COMMAND...`: sees DIRECTORY through FUSE, read-only.

What is written to DIRECTORY outside reaches the command without any event, as over a network. With --fold a name is
found whatever the case of its letters, as on a disk of a Mac; --as sshfs makes it a mount of the type fuse.sshfs. It is
one of the command's own namespace (start this under `unshare -m`), and ends with it. Speaks the kernel's protocol
itself (7.31): no library, no daemon of others.
"""

from __future__ import annotations

import argparse
import ctypes
import errno
import os
import signal
import stat
import struct
from collections.abc import Callable
from itertools import count
from pathlib import Path

_LIBC = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG = 1
_MOST_BYTES = 1 << 20
_MOUNT_FLAGS = 1 | 2 | 4  # read-only, nosuid, nodev
_DIRECT_IO, _KEEP_NOTHING = 1, 0
_IN, _OUT = struct.Struct("<IIQQIIIHH"), struct.Struct("<IiQ")
_ATTRIBUTES, _ENTRY_HEAD = struct.Struct("<QQQQQQIIIIIIIIII"), struct.Struct("<QQQQII")
_OPENED, _WANTED = struct.Struct("<QII"), struct.Struct("<QQI")
_HAND_OVER = struct.Struct("<QQII")
_SPACE = struct.Struct("<QQQQQIIII24x")
_WELCOME = struct.Struct("<IIIIHHIIHHI28x")
_LOOKUP, _FORGET, _GETATTR, _OPEN, _READ, _STATFS, _RELEASE, _FLUSH = 1, 2, 3, 14, 15, 17, 18, 25
_INIT, _OPENDIR, _READDIR, _RELEASEDIR, _INTERRUPT, _DESTROY, _BATCH_FORGET = 26, 27, 28, 29, 36, 38, 42
_UNANSWERED = (_FORGET, _INTERRUPT, _BATCH_FORGET)
_ROOT = 1


class View:
    """What is behind each number that the kernel was given; nothing is ever cached."""

    def __init__(self, root: str, *, folds: bool) -> None:
        self._folds = folds
        self._paths = {_ROOT: root}
        self._numbers = {root: _ROOT}
        self._open: dict[int, int | bytes] = {}
        self._next, self._next_open = count(_ROOT + 1), count(1)
        self._acts: dict[int, Callable[[int, bytes], bytes]] = {
            _INIT: lambda *_: _WELCOME.pack(7, 31, 0, 0, 12, 9, _MOST_BYTES, 1, 0, 0, 0),
            _LOOKUP: self._look_up,
            _GETATTR: lambda node, _: struct.pack("<QII", 0, 0, 0) + _attributes(self._paths[node]),
            _OPEN: self._open_file,
            _OPENDIR: self._open_directory,
            _READ: self._read,
            _READDIR: self._read_directory,
            _RELEASE: self._release,
            _RELEASEDIR: self._release,
            _FLUSH: lambda *_: b"",
            _STATFS: lambda *_: _SPACE.pack(0, 0, 0, 0, 0, 4096, 255, 4096, 0),
            _DESTROY: lambda *_: b"",
        }

    def serve(self, device: int) -> None:
        while True:
            try:
                request = os.read(device, _MOST_BYTES + 4096)
            except OSError as error:
                if error.errno == errno.ENODEV:
                    return  # unmounted
                if error.errno in (errno.ENOENT, errno.EINTR):
                    continue
                raise
            _, act, unique, node, *_ = _IN.unpack_from(request)
            if act not in _UNANSWERED:
                answer, fault = self._answer(act, node, request[_IN.size :])
                os.write(device, _OUT.pack(_OUT.size + len(answer), -fault, unique) + answer)

    def _answer(self, act: int, node: int, body: bytes) -> tuple[bytes, int]:
        if act not in self._acts:
            return b"", errno.ENOSYS
        try:
            return self._acts[act](node, body), 0
        except OSError as error:
            return b"", error.errno or errno.EIO

    def _look_up(self, node: int, body: bytes) -> bytes:
        parent, name = self._paths[node], os.fsdecode(body.rstrip(b"\0"))
        path = os.path.join(parent, name)
        if self._folds and not os.path.lexists(path):
            like = [each for each in os.listdir(parent) if each.casefold() == name.casefold()]
            path = os.path.join(parent, like[0]) if like else path
        attributes = _attributes(path)
        if path not in self._numbers:
            self._numbers[path] = next(self._next)
            self._paths[self._numbers[path]] = path
        return _ENTRY_HEAD.pack(self._numbers[path], 0, 0, 0, 0, 0) + attributes

    def _open_file(self, node: int, body: bytes) -> bytes:
        return self._opened(os.open(self._paths[node], os.O_RDONLY | os.O_NOFOLLOW))

    def _open_directory(self, node: int, body: bytes) -> bytes:
        entries, listing = list(os.scandir(self._paths[node])), b""
        for number, entry in enumerate(entries, 1):
            name = os.fsencode(entry.name)
            kind = stat.S_IFMT(entry.stat(follow_symlinks=False).st_mode) >> 12
            listing += struct.pack("<QQII", entry.inode(), number, len(name), kind) + name + b"\0" * (-len(name) % 8)
        return self._opened(listing)

    def _opened(self, what: int | bytes) -> bytes:
        number = next(self._next_open)
        self._open[number] = what
        return _OPENED.pack(number, _DIRECT_IO, _KEEP_NOTHING)

    def _read(self, node: int, body: bytes) -> bytes:
        number, offset, size = _WANTED.unpack_from(body)
        file = self._open[number]
        assert isinstance(file, int)
        return os.pread(file, size, offset)

    def _read_directory(self, node: int, body: bytes) -> bytes:
        """Whole entries behind the one that was read last."""
        number, behind, size = _WANTED.unpack_from(body)
        listing = self._open[number]
        assert isinstance(listing, bytes)
        at = start = end = 0
        while at < len(listing):
            _, entry, length, _ = _HAND_OVER.unpack_from(listing, at)
            at += _HAND_OVER.size + length + (-length % 8)
            if entry <= behind:
                start = end = at
            elif at - start <= size:
                end = at
        return listing[start:end]

    def _release(self, node: int, body: bytes) -> bytes:
        (number,) = struct.unpack_from("<Q", body)
        what = self._open.pop(number)
        if isinstance(what, int):
            os.close(what)
        return b""


def _attributes(path: str) -> bytes:
    found = os.lstat(path)
    times = (found.st_atime_ns, found.st_mtime_ns, found.st_ctime_ns)
    seconds, rest = [ns // 10**9 for ns in times], [ns % 10**9 for ns in times]
    owner = (found.st_mode, found.st_nlink, found.st_uid, found.st_gid)
    return _ATTRIBUTES.pack(found.st_ino, found.st_size, found.st_blocks, *seconds, *rest, *owner, 0, 4096, 0)


def _mount(device: int, target: Path, kind: str) -> None:
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions".encode()
    if _LIBC.mount(b"view", os.fsencode(target), f"fuse.{kind}".encode(), _MOUNT_FLAGS, options):
        fault = ctypes.get_errno()
        raise OSError(fault, f"FUSE cannot be mounted: {os.strerror(fault)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--fold", action="store_true")
    parser.add_argument("--as", dest="kind", default="view")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    chosen = parser.parse_args()
    # Opened before the mount, and so what lies below it.
    root = os.open(chosen.directory, os.O_RDONLY | os.O_DIRECTORY)
    device = os.open("/dev/fuse", os.O_RDWR)
    _mount(device, chosen.directory.resolve(), chosen.kind)
    parent = os.getpid()
    if os.fork() == 0:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == parent:
            View(f"/proc/self/fd/{root}/.", folds=chosen.fold).serve(device)
        os._exit(0)
    os.execvp(chosen.command[0], chosen.command)


if __name__ == "__main__":
    main()
