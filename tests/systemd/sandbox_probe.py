"""Run in the place of the daemon, under the daemon's own unit: tries what it must not be able to do, and what it must.

Its answers go into `probe.json` in the data directory, which is one of the few places that it can write to.
"""

import ctypes
import json
import mmap
import os
import socket
from collections.abc import Callable
from pathlib import Path

HOME = Path.home()
DATA = HOME / ".local/share/syncd"


def _write(place: Path) -> Callable[[], object]:
    def attempt() -> None:
        file = place / "probe.tmp"
        file.write_bytes(b"x")
        file.unlink()

    return attempt


def _connect() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()


def _namespace() -> None:
    if ctypes.CDLL(None, use_errno=True).unshare(0x10000000):  # CLONE_NEWUSER
        raise OSError(ctypes.get_errno(), "unshare")


def _map() -> None:
    with open(DATA / "probe.map", "w+b") as file:
        file.truncate(4096)
        with mmap.mmap(file.fileno(), 4096) as mapped:
            mapped[:4] = b"mmap"
            mapped.flush()
        os.fsync(file.fileno())


def _inotify() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.inotify_init()
    if descriptor < 0 or libc.inotify_add_watch(descriptor, os.fsencode(HOME / ".openclaw"), 0x100) < 0:
        raise OSError(ctypes.get_errno(), "inotify")
    os.close(descriptor)


def _unix_socket() -> None:
    with socket.socket(socket.AF_UNIX) as door:
        path = DATA / "probe.sock"
        path.unlink(missing_ok=True)
        door.bind(str(path))
        door.listen()
        path.unlink()


ATTEMPTS: dict[str, Callable[[], object]] = {
    "write data": _write(DATA),
    "write state": _write(HOME / ".local/state/syncd"),
    "write OpenClaw": _write(HOME / ".openclaw"),
    "write home": _write(HOME),
    "write config": _write(HOME / ".config"),
    "chmod OpenClaw": lambda: os.chmod(HOME / ".openclaw", 0o700),
    "read OpenClaw": lambda: os.listdir(HOME / ".openclaw/agents"),
    "write /var/tmp": _write(Path("/var/tmp")),
    "see others' temporary files": Path("/var/tmp/shared-marker").read_bytes,
    "network": _connect,
    "namespace": _namespace,
    "raise priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, -5),
    "change root": lambda: os.chroot("/"),
    "map memory": _map,
    "inotify": _inotify,
    "unix socket": _unix_socket,
    "another process": lambda: os.stat(f"/proc/{os.getppid()}/stat"),
}


def main() -> None:
    answers = {}
    for name, attempt in ATTEMPTS.items():
        try:
            attempt()
            answers[name] = "done"
        except OSError as fault:
            answers[name] = f"refused: {fault.strerror}"
    (DATA / "probe.json").write_text(json.dumps(answers))


if __name__ == "__main__":
    main()
