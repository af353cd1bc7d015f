"""An OpenClaw household made by hand: a state dir with real files, a ledger of its own, and lines to write.

Writes as OpenClaw does (append, truncate and rewrite, temporary file and rename); not a writer of
every entry type, the genuine files in tests/data are. Time is wound by hand, so nothing waits.
"""

import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from syncd.clock import SystemClock
from syncd.ledger.database import open_for_reading, open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import CatchUp, CatchUpOptions, Progress, catch_up
from syncd.mirror.verify import Verification, verify

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

RESET_TIME = "2026-11-16T04-22-14.522Z"
LATER_TIME = "2026-11-17T09-00-00.000Z"


def session_id(number: int) -> str:
    return f"0a{number:06x}-0000-4000-8000-{number:012x}"


def line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"


def header(number: int, **fields: object) -> bytes:
    about = {"version": 3, "timestamp": "2026-11-16T04:22:10.000Z", "cwd": "/home/someone", **fields}
    return line({"type": "session", "id": session_id(number), **about})


def message(number: int, text: str | None = None, role: str = "user") -> bytes:
    """Entry `number` of a transcript, following entry `number` - 1."""
    said = text if text is not None else f"what was said as number {number}"
    return line(
        {
            "type": "message",
            "id": f"{number:08x}",
            "parentId": f"{number - 1:08x}" if number > 1 else None,
            "timestamp": "2026-11-16T04:22:11.000Z",
            "message": {"role": role, "content": [{"type": "text", "text": said}], "timestamp": 1794802931000 + number},
        }
    )


def messages(first: int, last: int) -> bytes:
    return b"".join(message(number) for number in range(first, last + 1))


def transcript(number: int, count: int) -> bytes:
    """A header and `count` messages."""
    return header(number) + messages(1, count)


def name_of(number: int) -> str:
    return f"{session_id(number)}.jsonl"


def compressed(content: bytes, level: int = 3) -> bytes:
    """As OpenClaw's .zst archives are."""
    return zstd.compress(content, level)


def decompressed(packed: bytes) -> bytes:
    return zstd.decompress(packed)


class HandClock:
    """Real time of day until somebody waits: then the hands are moved on by that much.

    Monotonic time stands still else: however long this machine takes for a test, it is no wait of the mirror's.
    """

    def __init__(self) -> None:
        self._began = time.monotonic()
        self.slept = 0.0
        self.written = 0.0  # how far the hands were when a file was last written: its times are real ones

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000 + round((self.slept - self.written) * 1000)

    def monotonic(self) -> float:
        return self._began + self.slept

    def sleep(self, seconds: float) -> None:
        self.slept += max(0.0, seconds)


@dataclass(frozen=True)
class Household:
    state_dir: Path
    ledger_path: Path

    def sessions(self, agent: str = "main") -> Path:
        place = self.state_dir / "agents" / agent / "sessions"
        place.mkdir(parents=True, exist_ok=True)
        return place

    def import_archive(self, agent: str = "main") -> Path:
        place = self.state_dir / "agents" / agent / "session-sqlite-import-archive"
        place.mkdir(parents=True, exist_ok=True)
        return place

    def path(self, name: str) -> Path:
        return self.sessions() / name

    def write(self, name: str, data: bytes) -> Path:
        """Truncate and rewrite in place, as pi's _rewriteFile does."""
        path = self.path(name)
        stamp = _stamp(path)
        path.write_bytes(data)
        _move_on(path, stamp)
        return path

    def append(self, name: str, data: bytes) -> Path:
        path = self.path(name)
        stamp = _stamp(path)
        with path.open("ab", buffering=0) as file:
            file.write(data)
        _move_on(path, stamp)
        return path

    def put(self, name: str, data: bytes, at: int) -> Path:
        """Overwrite bytes inside the file."""
        path = self.path(name)
        stamp = _stamp(path)
        with path.open("r+b", buffering=0) as file:
            file.seek(at)
            file.write(data)
        _move_on(path, stamp)
        return path

    def truncate(self, name: str, size: int) -> Path:
        path = self.path(name)
        stamp = _stamp(path)
        os.truncate(path, size)
        _move_on(path, stamp)
        return path

    def replace(self, name: str, data: bytes) -> Path:
        """Temporary file and rename, as OpenClaw's repair does."""
        path = self.path(name)
        temporary = path.with_name(f".{name}.{os.getpid()}.{session_id(1)}.tmp")
        temporary.write_bytes(data)
        temporary.rename(path)
        return path

    def recreate(self, name: str, data: bytes) -> Path:
        """Unlink and create: on ext4 the new file has the old one's inode number."""
        self.path(name).unlink()
        return self.write(name, data)

    def rename(self, name: str, new_name: str) -> Path:
        return self.path(name).rename(self.path(new_name))

    def lock(self, name: str, pid: int) -> Path:
        """A write lock as 2026.5.7 makes it, without a start time: the pid alone is looked at."""
        payload = {"pid": pid, "createdAt": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())}
        return self.write(f"{name}.lock", json.dumps(payload, indent=2).encode())

    def catch_up(self, options: CatchUpOptions | None = None, clock: HandClock | None = None) -> CatchUp:
        with writer_lock(self.ledger_path), open_for_writing(self.ledger_path) as ledger:
            return catch_up(ledger, clock or HandClock(), [str(self.state_dir)], options or CatchUpOptions())

    def catch_up_in_real_time(self, settle_seconds: float = 1.0) -> CatchUp:
        """Beside a writer that is at work: nothing is wound, and nothing is waited for."""
        options = CatchUpOptions(settle_seconds=settle_seconds, lock_wait_seconds=0)
        with writer_lock(self.ledger_path), open_for_writing(self.ledger_path) as ledger:
            return catch_up(ledger, SystemClock(), [str(self.state_dir)], options)

    def verify(self, options: CatchUpOptions | None = None, clock: HandClock | None = None) -> Verification:
        with open_for_reading(self.ledger_path) as ledger:
            chosen = options or CatchUpOptions()
            return verify(ledger, clock or HandClock(), [str(self.state_dir)], chosen, Progress())

    @property
    def environ(self) -> dict[str, str]:
        return {"OPENCLAW_STATE_DIR": str(self.state_dir), "SYNCD_LEDGER": str(self.ledger_path)}


def household(place: Path) -> Household:
    house = Household(place / "openclaw", place / "mirror" / "ledger.db")
    house.sessions()
    return house


def dead_pid() -> int:
    """A pid that no process has now."""
    child = os.spawnvp(os.P_NOWAIT, "true", ["true"])
    os.waitpid(child, 0)
    return child


def require_root() -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root: it mounts a file system or changes the user")


def _stamp(path: Path) -> int | None:
    return path.stat().st_ctime_ns if path.exists() else None


def _move_on(path: Path, stamp: int | None) -> None:
    """On a coarse clock two writes share a timestamp; OpenClaw's are seconds apart, ours must differ too."""
    while stamp is not None and path.stat().st_ctime_ns == stamp:
        path.chmod(path.stat().st_mode & 0o7777)
