"""What a fault has at hand: household, daemon and who keeps it, the other writers' gate, clocks, files to spoil."""

import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from tests.daemon.process import environ
from tests.faults.shifted_clock import ShiftedClock
from tests.mirror.household import Household, header, message, name_of, session_id
from tests.soak.gate import Gate
from tests.soak.supervisor import Supervisor
from tests.soak.witness import Witness

MISHAPS = "mishaps"
"""An agent whose files only faults write."""
VERB_SECONDS = 600
TAKEN_SECONDS = 30.0


class NotHere(Exception):
    """The fault could not be made, on this machine or at this moment."""


@dataclass
class Field:
    house: Household
    supervisor: Supervisor
    gate: Gate
    clocks: ShiftedClock | None
    random: random.Random
    witness: Witness
    has_own_disk: bool
    over: threading.Event = field(default_factory=threading.Event)
    note: str = ""
    """What the present fault has chosen, for whoever has to find out what came of it."""
    _number: int = 1 << 20

    def last(self, low: float, high: float) -> None:
        """The fault is there for so many seconds."""
        self.over.wait(self.random.uniform(low, high))

    def verb(self, *arguments: str) -> tuple[int, Any]:
        """Exit code and document of a verb; None where it printed none."""
        command = [sys.executable, "-m", "syncd", *arguments, "--json"]
        done = subprocess.run(
            command, env=environ(self.house), capture_output=True, timeout=VERB_SECONDS, check=False
        )  # fmt: skip
        with suppress(ValueError):
            return done.returncode, json.loads(done.stdout)
        return done.returncode, None

    def new_number(self) -> int:
        """Of a session that nobody else writes."""
        self._number += 1
        return self._number

    def new_file(self, lines: int = 30) -> Path:
        """A transcript that the ledger has: what is done to one that it never saw is no fault."""
        number = self.new_number()
        path = self.house.sessions(MISHAPS) / name_of(number)
        path.write_bytes(header(number) + self.lines(1, lines))
        if not self.wait_until(lambda: self.ledger_bytes(path) == path.stat().st_size, TAKEN_SECONDS):
            raise NotHere(f"the file to be spoiled was not in the ledger after {TAKEN_SECONDS:.0f} s")
        return path

    def lines(self, first: int, last: int) -> bytes:
        texts = (f"mishap {self.random.getrandbits(64):x}" for _ in range(first, last + 1))
        return b"".join(message(number, text) for number, text in zip(range(first, last + 1), texts, strict=True))

    def ledger_bytes(self, path: Path) -> int:
        return self.bytes_of_session(path.name.removesuffix(".jsonl"))

    def bytes_of_session(self, session: str) -> int:
        """How much the ledger has of its newest transcript; -1: it cannot be asked just now."""
        with suppress(apsw.Error), self.witness.ledger_use:
            connection = apsw.Connection(str(self.house.ledger_path), flags=apsw.SQLITE_OPEN_READONLY)
            try:
                sql = "SELECT bytes FROM transcripts WHERE session_id = ? ORDER BY id DESC LIMIT 1"
                return int(connection.execute(sql, (session,)).get or 0)
            finally:
                connection.close()
        return -1

    def write_index(self) -> Path:
        """The index of the mishaps' agent: every file of it."""
        place = self.house.sessions(MISHAPS)
        entries = {
            f"agent:{MISHAPS}:direct:{path.stem[:8]}": {"sessionId": path.stem, "updatedAt": 1794802931000}
            for path in sorted(place.glob("*.jsonl"))
            if path.is_file() and not path.is_symlink()
        }
        index = place / "sessions.json"
        temporary = index.with_name(f"sessions.json.{os.getpid()}.{session_id(1)}.tmp")
        temporary.write_text(json.dumps(entries, indent=2))
        temporary.rename(index)
        return index

    def codes(self) -> set[str]:
        """What `status` calls wrong now."""
        told = self.verb("status")[1]
        return {each["code"] for each in told.get("degraded", ())} if isinstance(told, dict) else set()

    def wait_until(self, condition: Callable[[], bool], seconds: float = 8.0) -> bool:
        """False: not within this time."""
        pause = threading.Event()
        for _ in range(int(seconds / 0.1)):
            if condition():
                return True
            pause.wait(0.1)
        return False


@dataclass(frozen=True)
class Fault:
    id: str
    """Of the catalogue of faults; S: of OpenClaw's own SQLite, of which it has none."""
    about: str
    make: Callable[[Field], AbstractContextManager[None]]
    """Made at the beginning of the block, there inside, healed at its end."""
    seconds: tuple[float, float] = (2.0, 6.0)
    checks_ledger: bool = False
    """Healed is only what `ledger check` finds sound."""
    told_as: frozenset[str] = frozenset()
    """One of these codes must be what `status` says while it is there: else nobody has felt it."""
