"""One soak: everybody is started, faults are made one after the other, and at the end everything is asked for."""

import json
import random
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from syncd.jobs.table import JOBS
from syncd.openclaw.file_kinds import classify
from tests.faults.shifted_clock import ShiftedClock
from tests.faults.test_f_under_the_daemon import UNPRIVILEGED
from tests.mirror.household import Household, household
from tests.mirror_checks import assert_mirrors, query
from tests.openclaw.checks import entries_in_stores, indexes_on_disk, sessions_in_ledger
from tests.openclaw.releases import Release
from tests.openclaw.scenario import Scenario
from tests.openclaw.store_scenario import StoreScenario
from tests.soak import faults_of_files, faults_of_stores, faults_of_the_ledger, faults_of_the_process
from tests.soak.field import Fault, Field, NotHere
from tests.soak.figures import Met, Report, Sampler, courses
from tests.soak.gate import Gate
from tests.soak.supervisor import Supervisor
from tests.soak.witness import Witness
from tests.soak.writers import GatedOpenClaw, Load, NoWitness

FAULTS = (
    *faults_of_the_process.FAULTS, *faults_of_files.FAULTS, *faults_of_stores.FAULTS, *faults_of_the_ledger.FAULTS
)  # fmt: skip
HEALTHY_SECONDS = 300.0
SETTLE_SECONDS = 120.0
FELT_SECONDS = 20.0
LONG_SECONDS = 15.0
"""After which it is told what was in the way of being healthy."""
ALL_JOBS_SECONDS = 300.0
"""So long a soak has seen each job go well, whatever was killed."""
DISK_BYTES = 8 << 30
_COUNTS = ("SELECT count(*) FROM entries", "SELECT count(*) FROM transcripts WHERE generation > 1")
CONFIG = """
watch: {settle_seconds: 0.5, rescan_seconds: 5, confirm_removal_seconds: 5}
jobs: {repair: 15s, scrub: 30s, backup: 40s, optimize: 50s, retention: 45s}
health: {log_path: logs/health.log, interval_seconds: 5}
"""


def in_turn(rng: random.Random, only: tuple[str, ...] = ()) -> Iterator[Fault]:
    """Every fault once, in any order, before one comes again."""
    chosen = [fault for fault in FAULTS if not only or fault.id in only]
    while True:
        yield from rng.sample(chosen, len(chosen))


def soak(release: Release, place: Path, report: Report, only: tuple[str, ...] = ()) -> None:
    """What goes wrong is in the report's problems."""
    house, gate = household(place), Gate()
    (place / "config.yaml").write_text(CONFIG)
    house.ledger_path.parent.mkdir(mode=0o700)
    with ExitStack() as stack:
        has_own_disk = stack.enter_context(_own_disk(place, house))
        clocks = _clocks(place)
        prefix = (*(clocks.prefix if clocks is not None else ()), *UNPRIVILEGED)
        supervisor = Supervisor(house, prefix, place / "daemon.log")
        log = stack.enter_context(open(place / "openclaw.log", "w", buffering=1))
        claw = GatedOpenClaw(release, house.state_dir, log, gate)
        stack.callback(claw.close)
        supervisor.start()
        stack.callback(supervisor.abandon)
        witness, load, sampler = Witness(house), Load(house, gate, report.seed), Sampler(supervisor, house.ledger_path)
        field = Field(house, supervisor, gate, clocks, random.Random(report.seed), witness, has_own_disk)
        scenario = (StoreScenario if release.has_store else Scenario)(claw, report.seed)
        scenario.witness = NoWitness(house.state_dir)
        playing = threading.Thread(target=_play, args=(scenario, field, report), name="scenario")
        for each in (witness, load, sampler, playing):
            each.start()
        try:
            _make_faults(field, report, only)
        finally:
            field.over.set()
            for thread in (load, sampler):
                thread.stop()
            playing.join(180)
            if playing.is_alive():
                report.problems.append("OpenClaw's part did not end")
            if not witness.stop():
                report.problems.append("the witness ended early")
        report.courses = courses(sampler.samples)
        report.problems += _unproven(report, {
            "no fault was made": report.met, "no figure was taken": report.courses,
            "the witness saw no line": witness.lines, "nobody appended": load.appended,
            "OpenClaw did nothing": claw.done,
        })  # fmt: skip
        report.counts |= {"appended_lines": load.appended, "acts": load.acts + sum(claw.done.values())}
        claw.finish()  # takes the log of each of its databases away from under the follower
        _settle(field, report)
        code = supervisor.stop()
        if code != 0:
            report.problems.append(f"a clean stop ended with {code}")
        _judge(field, report, place)


def _unproven(report: Report, needed: dict[str, object]) -> list[str]:
    """What would make the table say less than it seems to."""
    return [what for what, found in needed.items() if not found] + [
        f"made, but never felt: {fault}" for fault in report.never_felt()
    ]


def _play(scenario: Scenario, field: Field, report: Report) -> None:
    try:
        scenario.play(report.seconds + 3600, field.over.is_set)
    except BaseException as error:  # noqa: BLE001 - a thread: told at the end
        report.problems.append(f"OpenClaw's part ended early: {error!r}")


def _clocks(place: Path) -> ShiftedClock | None:
    try:
        return ShiftedClock(place)
    except pytest.skip.Exception:
        return None


@contextmanager
def _own_disk(place: Path, house: Household) -> Iterator[bool]:
    """A real ext4 for the ledger, seen by this soak alone: `__main__` has put it into a namespace of its own."""
    image, ledgers = place / "image", house.ledger_path.parent
    with image.open("wb") as file:
        file.truncate(DISK_BYTES)
    made = subprocess.run(["mkfs.ext4", "-q", "-F", "-m", "0", str(image)], capture_output=True, check=False)
    mount = ["mount", "-o", "loop,discard", str(image), str(ledgers)]
    if made.returncode or subprocess.run(mount, capture_output=True, check=False).returncode:
        image.unlink()
        yield False
        return
    ledgers.chmod(0o700)
    (ledgers / "lost+found").rmdir()
    try:
        yield True
    finally:
        subprocess.run(["umount", "-l", str(ledgers)], check=False)


def _make_faults(field: Field, report: Report, only: tuple[str, ...]) -> None:
    began = time.monotonic()
    faults = in_turn(field.random, only)
    next_at = began + min(report.every, 10.0)
    is_healthy, wrong = _wait_healthy(field, HEALTHY_SECONDS)
    if not is_healthy:
        report.problems.append(f"not healthy {HEALTHY_SECONDS:.0f} s after the start: {wrong}")
        return
    while True:
        field.over.wait(max(0.0, min(next_at, began + report.seconds) - time.monotonic()))
        now = time.monotonic()
        if now + min(report.every, 10.0) > began + report.seconds:
            field.over.wait(max(0.0, began + report.seconds - now))
            return
        next_at = max(next_at + report.every, now)
        fault = next(faults)
        try:
            met = _meet(fault, field, now - began)
        except (NotHere, pytest.skip.Exception) as why:
            report.not_here[f"{fault.id} {fault.about}"] = str(why)
            continue
        report.met.append(met)
        print(f"{met.at:6.1f} s  {met.id:<6} {met.about}: healthy after {met.healthy_after}  {met.note}", flush=True)
        if met.healthy_after is None:
            report.problems.append(f"not healthy {HEALTHY_SECONDS:.0f} s after {met.id} {met.about}: {met.note}")
            return
        _clear_away(field)


def _meet(fault: Fault, field: Field, at: float) -> Met:
    field.note = ""
    with fault.make(field):
        is_felt = not fault.told_as or field.wait_until(lambda: bool(fault.told_as & field.codes()), FELT_SECONDS)
        field.last(*fault.seconds)
    healed = time.monotonic()
    is_healthy, wrong = _wait_healthy(field, HEALTHY_SECONDS, checks_ledger=fault.checks_ledger)
    took = round(time.monotonic() - healed, 1)
    note = "; ".join(filter(None, (field.note, wrong if took > LONG_SECONDS else "")))
    return Met(fault.id, fault.about, round(at, 1), took if is_healthy else None, note, is_felt)


def _wait_healthy(field: Field, seconds: float, *, checks_ledger: bool = False) -> tuple[bool, str]:
    """Does `status` say that all is well, of the daemon that runs now? And what was wrong at last."""
    deadline, pause, wrong = time.monotonic() + seconds, threading.Event(), ""
    while True:
        code, told = field.verb("status")
        if code == 0 and told["pid"] == field.supervisor.pid:
            if checks_ledger:
                code, told = field.verb("ledger", "check")
            if code == 0:
                return True, wrong
        wrong = f"exit {code}: {told.get('degraded') or told if isinstance(told, dict) else told}"[:1500]
        if field.supervisor.given_up is not None:
            return False, f"the daemon ended with {field.supervisor.given_up}, which is for good; {wrong}"
        if time.monotonic() > deadline:
            return False, wrong
        pause.wait(0.3)


def _clear_away(field: Field) -> None:
    """Damaged ledgers that were moved aside: somebody has looked at them. Three within an hour would be a bad disk."""
    for path in field.house.ledger_path.parent.glob("ledger.db.corrupt-*"):
        path.unlink()


def _settle(field: Field, report: Report) -> None:
    deadline, pause = time.monotonic() + SETTLE_SECONDS, threading.Event()
    checks = (("verify",), ("status",), ("ledger", "check"))
    while True:
        said = [(" ".join(check), *field.verb(*check)) for check in checks]
        wrong = [f"{name} {code}: {json.dumps(told)[:1500]}" for name, code, told in said if code != 0]
        others = _sessions_that_differ(field.house) if not wrong else []
        if not wrong and not others:
            break
        if time.monotonic() > deadline:
            report.problems += wrong or [f"sessions that are not as OpenClaw has them: {others[:10]}"]
            break
        pause.wait(1.0)
    code, last = field.verb("health", "-n", "1")
    if code != 0 or last is None or last.get("degraded"):
        report.problems.append(f"health {code}: {json.dumps(last)[:500]}")


def _sessions_that_differ(house: Household) -> list[tuple[str, str]]:
    """Agent and key of each whose entry in the ledger is not the one in its index or its store."""
    kept = {**indexes_on_disk(house), **entries_in_stores(house.state_dir)}
    known = sessions_in_ledger(house)
    return sorted(name for name in kept.keys() | known.keys() if kept.get(name) != known.get(name))


def _judge(field: Field, report: Report, place: Path) -> None:
    """After the daemon's end: nothing but files is asked."""
    house, supervisor = field.house, field.supervisor
    try:
        assert_mirrors(house)
    except AssertionError as error:
        report.problems.append(f"the ledger does not mirror the files: {error}"[:1500])
    missing = field.witness.missing()
    if missing:
        shown = "; ".join(map(str, missing[:5]))
        report.problems.append(f"{len(missing)} lines are lost that the ledger had: {shown}")
    for name, course in report.courses.items():
        if not course.is_flat:
            report.problems.append(f"{name} is not flat: {course.first:g} -> {course.last:g}")
    for path in house.state_dir.glob("agents/*/sessions/*"):
        if classify(path.name).kind in ("unknown", "lock", "tmp", "index_tmp"):
            report.problems.append(f"left in OpenClaw's house: {path.relative_to(house.state_dir)}")
    events, strange = _log(place / "daemon.log")
    report.problems += [f"the daemon's log says: {line}" for line in strange[:5]]
    if report.seconds >= ALL_JOBS_SECONDS:
        report.problems += [f"the job {name} never went well" for name in jobs_without_success(house)]
    exits = {str(code): count for code, count in sorted(supervisor.exits.items())}
    (entries,), (generations,) = (query(house.ledger_path, sql)[0] for sql in _COUNTS)
    report.counts |= {
        "entries": entries, "transcripts_rewritten": generations, "ledger_mib": house.ledger_path.stat().st_size >> 20,
        "lines_promised": field.witness.lines, "lost": len(missing), "exits": exits, "events": events,
    }  # fmt: skip
    report.problems += [f"the daemon ended with {code} by itself" for code in supervisor.odd_exits]


def jobs_without_success(house: Household) -> list[str]:
    """What never ran cannot fail: no status tells of it."""
    well = {name for (name,) in query(house.ledger_path, "SELECT DISTINCT job FROM job_runs WHERE ok = 1")}
    return sorted(JOBS.keys() - well)


def _log(path: Path) -> tuple[dict[str, int], list[str]]:
    """Events by name, and what no daemon should say."""
    events: Counter[str] = Counter()
    strange = []
    for line in path.read_text(errors="replace").splitlines():
        try:
            events[json.loads(line)["event"]] += 1
        except (ValueError, KeyError, TypeError):
            if line.startswith(("Traceback", "Exception", "Fatal Python error")):
                strange.append(line[:300])
    return dict(events.most_common()), strange
