"""Who writes during the soak: genuine OpenClaw, slowed down a little, and other agents' files written by hand."""

import json
import os
import random
import threading
import time
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

from tests.mirror.household import Household, header, message, session_id
from tests.openclaw.real_openclaw import RealOpenClaw
from tests.openclaw.releases import Release
from tests.openclaw.scenario import FileWitness
from tests.soak.gate import Gate

AGENTS = ("alpha", "beta", "gamma")
FILES = 6
ACT_SECONDS = 0.1
_ONLY_ADDS = frozenset(
    {"put", "patch", "append", "burst", "entries", "lock", "unlock", "checkpoint", "fork", "raw", "truncate_wal"}
)
_LARGEST = 5000


class GatedOpenClaw(RealOpenClaw):
    """Waits where nobody may write, and writes moderately: the soak is about faults, not about size."""

    def __init__(self, release: Release, state_dir: Path, log: IO[str], gate: Gate) -> None:
        super().__init__(release, state_dir, log)
        self._gate = gate

    def do(self, command: str, key: str, **fields: Any) -> dict[str, Any]:
        if "size" in fields:
            fields["size"] = min(fields["size"], _LARGEST)
        time.sleep(ACT_SECONDS)
        with self._gate.writing(loses=command not in _ONLY_ADDS):
            return super().do(command, key, **fields)

    def turn(self, message: str, agent: str = "main") -> bool:
        with self._gate.writing(loses=True):
            return super().turn(message, agent)


class NoWitness(FileWitness):
    """The soak has a witness of its own, who knows of faults."""

    def look(self, key: str | None = None) -> None:
        pass


class _File:
    def __init__(self, place: Path, number: int) -> None:
        self.path, self.number, self.lines = place / f"{session_id(number)}.jsonl", number, 0

    def next_line(self) -> bytes:
        self.lines += 1
        text = f"{uuid4()} said with ünïcode ✿ " + "word " * random.randrange(60)
        return message(self.lines, text, random.choice(("user", "assistant")))


class Load:
    """Appends, torn appends, rewrites, renames, archives and index rewrites in directories of its own."""

    def __init__(self, house: Household, gate: Gate, seed: int) -> None:
        self._house, self._gate, self._random = house, gate, random.Random(seed)
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._write, name="load")
        self._number = 1 << 16
        self._files: dict[str, list[_File]] = {agent: [] for agent in AGENTS}
        self.appended = 0
        self.acts = 0
        self.failure: BaseException | None = None

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ends.set()
        self._thread.join(30)
        if self.failure is not None:
            raise self.failure

    def _write(self) -> None:
        acts = (
            (10, self._append, False), (4, self._append_torn, False), (1, self._reset, False),
            (1, self._delete, False), (1, self._remove, True), (1, self._rewrite, True), (1, self._replace, True),
            (2, self._write_index, False),
        )  # fmt: skip
        try:
            while not self._ends.wait(self._random.uniform(0, 2 * ACT_SECONDS)):
                ((_, act, loses),) = self._random.choices(acts, [weight for weight, _, _ in acts])
                agent = self._random.choice(AGENTS)
                with self._gate.writing(loses=loses):
                    while len(self._files[agent]) < FILES:
                        self._begin(agent)
                    act(agent, self._random.choice(self._files[agent]))
                self.acts += 1
        except BaseException as error:  # noqa: BLE001 - raised again by stop()
            self.failure = error

    def _begin(self, agent: str) -> None:
        self._number += 1
        made = _File(self._house.sessions(agent), self._number)
        made.path.write_bytes(header(self._number) + self._lines(made, 3))
        self._files[agent].append(made)

    def _lines(self, file: _File, count: int) -> bytes:
        self.appended += count
        return b"".join(file.next_line() for _ in range(count))

    def _append(self, agent: str, file: _File) -> None:
        with file.path.open("ab", buffering=0) as opened:
            opened.write(self._lines(file, self._random.randrange(1, 12)))

    def _append_torn(self, agent: str, file: _File) -> None:
        data = self._lines(file, self._random.randrange(1, 4))
        cut = self._random.randrange(1, len(data))
        with file.path.open("ab", buffering=0) as opened:
            opened.write(data[:cut])
            time.sleep(self._random.choice((0.01, 0.1, 0.6)))
            opened.write(data[cut:])

    def _archive(self, agent: str, file: _File, how: str) -> None:
        now = time.time()
        moment = time.strftime("%Y-%m-%dT%H-%M-%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03}Z"
        file.path.rename(file.path.with_name(f"{file.path.name}.{how}.{moment}"))
        self._files[agent].remove(file)

    def _reset(self, agent: str, file: _File) -> None:
        self._append(agent, file)  # with a tail that nobody had time to read
        self._archive(agent, file, "reset")

    def _delete(self, agent: str, file: _File) -> None:
        self._archive(agent, file, "deleted")

    def _remove(self, agent: str, file: _File) -> None:
        file.path.unlink()
        self._files[agent].remove(file)

    def _rewrite(self, agent: str, file: _File) -> None:
        """Truncated and written again in place, from some line on otherwise."""
        lines = file.path.read_bytes().splitlines(keepends=True)
        kept = b"".join(lines[: self._random.randrange(1, len(lines) + 1)])
        with file.path.open("wb", buffering=0) as opened:
            opened.write(kept)
            opened.write(self._lines(file, 2))

    def _replace(self, agent: str, file: _File) -> None:
        """As OpenClaw's repair: a line dropped, a temporary file, a rename."""
        lines = file.path.read_bytes().splitlines(keepends=True)
        del lines[self._random.randrange(1, len(lines))]
        _put(file.path, b"".join(lines))

    def _write_index(self, agent: str, _file: _File) -> None:
        now_ms = int(time.time() * 1000)
        entries = {
            f"agent:{agent}:direct:{file.number:x}": {
                "sessionId": session_id(file.number), "sessionFile": str(file.path), "updatedAt": now_ms,
                "totalTokens": file.lines,
            } for file in self._files[agent]
        }  # fmt: skip
        _put(self._house.sessions(agent) / "sessions.json", json.dumps(entries, indent=2).encode())


def _put(path: Path, data: bytes) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{uuid4()}.tmp")
    temporary.write_bytes(data)
    temporary.rename(path)
