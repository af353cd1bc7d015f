"""What the daemon uses while it lives, and whether that stays flat; and the table of it all."""

import os
import statistics
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from tests.soak.supervisor import Supervisor

SAMPLE_SECONDS = 1.0
WARM_UP_SECONDS = 60.0
SLACK = {"rss_mib": (1.25, 16.0), "wal_mib": (1.5, 64.0), "fds": (1.0, 4.0)}
"""By how much the last third's median may lie above the first's: times this, plus this.

A log that a fault has just removed grows again, and beside a reader up to the 64 MiB that it is cut to afterwards.
"""
LIFE_SECONDS = 60.0
"""Of one process: what it uses must be flat in each that lives for so long. A kill gives back all that had leaked."""
YOUNG_SECONDS = 10.0


@dataclass(frozen=True)
class Sample:
    pid: int
    at: float
    rss_mib: float
    wal_mib: float
    fds: float


class Sampler:
    def __init__(self, supervisor: Supervisor, ledger_path: Path) -> None:
        self._supervisor, self._wal = supervisor, ledger_path.with_name(f"{ledger_path.name}-wal")
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="sampler")
        self._began = time.monotonic()
        self.samples: list[Sample] = []

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ends.set()
        self._thread.join(10)

    def _watch(self) -> None:
        while not self._ends.wait(SAMPLE_SECONDS):
            pid = self._supervisor.pid
            if pid is None:
                continue
            with suppress(OSError, StopIteration, IndexError):
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
                rss = next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024
                fds = len(os.listdir(f"/proc/{pid}/fd"))
                wal = self._wal.stat().st_size / (1 << 20) if self._wal.exists() else 0.0
                self.samples.append(Sample(pid, time.monotonic() - self._began, rss, wal, fds))


@dataclass(frozen=True)
class Course:
    """Of one figure: medians of the first and the last third, and the largest; of one life where that is not flat."""

    first: float
    last: float
    largest: float
    is_flat: bool


def courses(samples: list[Sample]) -> dict[str, Course]:
    """A short soak has no minute to leave out: then a quarter of it is."""
    end = samples[-1].at if samples else 0.0
    warm = [each for each in samples if each.at >= min(WARM_UP_SECONDS, end / 4)]
    if len(warm) < 3:
        return {}
    found = {name: _course(warm, name) for name in SLACK}
    for life in _long_lives(samples):
        for name, course in found.items():
            if course.is_flat and not (of_life := _course(life, name)).is_flat:
                found[name] = of_life
    return found


def _long_lives(samples: list[Sample]) -> Iterator[list[Sample]]:
    """Without what a process needs to begin."""
    for _, group in groupby(samples, lambda each: each.pid):
        life = list(group)
        if life[-1].at - life[0].at >= LIFE_SECONDS:
            yield [each for each in life if each.at - life[0].at >= YOUNG_SECONDS]


def _course(samples: list[Sample], name: str) -> Course:
    (factor, plus), third = SLACK[name], len(samples) // 3
    values = [getattr(each, name) for each in samples]
    first, last = statistics.median(values[:third]), statistics.median(values[-third:])
    return Course(round(first, 1), round(last, 1), round(max(values), 1), last <= first * factor + plus)


@dataclass(frozen=True)
class Met:
    """One fault that was made."""

    id: str
    about: str
    at: float
    healthy_after: float | None
    """Seconds from its end to a healthy mirror; None: not within the time that is waited."""
    note: str = ""
    is_felt: bool = True
    """Did `status` tell of it, where it must?"""

    @property
    def took(self) -> str:
        told = "never" if self.healthy_after is None else f"{self.healthy_after:.1f} s"
        return told if self.is_felt else f"{told} (not felt)"


@dataclass
class Report:
    seed: int
    seconds: float
    every: float
    release: str
    """Of OpenClaw."""
    met: list[Met] = field(default_factory=list)
    not_here: dict[str, str] = field(default_factory=dict)
    courses: dict[str, Course] = field(default_factory=dict)
    counts: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def never_felt(self) -> list[str]:
        """Faults that were made, but not once so that anybody noticed: they prove nothing."""
        felt = {(met.id, met.about) for met in self.met if met.is_felt}
        return sorted({f"{met.id} {met.about}" for met in self.met if (met.id, met.about) not in felt})

    def as_document(self) -> dict[str, Any]:
        return {"ok": not self.problems, **asdict(self)}

    def as_table(self) -> str:
        lines = [
            f"soak of {self.seconds:.0f} s, a fault every {self.every:g} s, OpenClaw {self.release}, seed {self.seed}",
            "",
        ]
        lines.append(f"{'fault':<8}{'':<50}{'times':>5}   healthy again after")
        grouped: defaultdict[tuple[str, str], list[Met]] = defaultdict(list)
        for met in self.met:
            grouped[met.id, met.about].append(met)
        for (identity, about), times in sorted(grouped.items(), key=lambda item: _order(item[0][0])):
            took = ", ".join(met.took for met in times)
            lines.append(f"{identity:<8}{about:<50}{len(times):>5}   {took}")
        lines += [f"{about}: not here, {why}" for about, why in self.not_here.items()]
        lines.append("")
        for name, course in self.courses.items():
            flat = "flat" if course.is_flat else "NOT FLAT"
            lines.append(f"{name:<10}{course.first:g} -> {course.last:g}, at most {course.largest:g}: {flat}")
        lines += [f"{name.replace('_', ' ')}: {value}" for name, value in self.counts.items()]
        lines.append("")
        lines += [f"PROBLEM: {problem}" for problem in self.problems] or ["no problem"]
        return "\n".join(lines)


def _order(identity: str) -> tuple[str, int]:
    return identity[0], int(identity[1:].partition("-")[0])
