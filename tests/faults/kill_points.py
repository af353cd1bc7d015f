"""Kills a catch-up at chosen calls of the product's functions, goes on, and compares with one that was never killed.

Run as a program: kill_points.py SCRATCH COUNT SEED first|second, the first look at the household or one after
everything in it changed. Each catch-up is a forked child, so hundreds of kills take seconds; batches,
reads and blocks are made small, so that few lines give many commits.
"""

import json
import os
import random
import shutil
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from syncd.ledger import raw, writer
from syncd.mirror.catchup import CatchUpOptions
from syncd.sources import lines
from tests.faults.busy_household import contents, first, then
from tests.mirror.household import Household, household
from tests.mirror_checks import assert_mirrors, assert_untouched, snapshot

OPTIONS = CatchUpOptions(max_line_bytes=4000)


def main() -> None:
    scratch, count, seed, look = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    writer.BATCH_BYTES, lines.CHUNK_BYTES, raw.BLOCK_BYTES, raw.PIECE_BYTES = 1500, 1000, 4000, 3000
    house = household(scratch)
    first(house)
    if look == "second" and (said := _in_child(lambda: _check(house, house.catch_up(OPTIONS)))):
        sys.exit(said)
    then(house)
    before = snapshot(house.state_dir)
    unkilled = _with_ledger(house, scratch / "unkilled.db")
    calls = int(_in_child(lambda: _counted(unkilled)))
    expected = contents(unkilled.ledger_path)
    points = sorted(random.Random(seed).sample(range(1, calls + 1), min(count, calls)))
    outcomes = [_killed_at(house, scratch, point, expected) for point in points]
    assert_untouched(house.state_dir, before)
    failures = list(filter(None, outcomes))
    killed = sum(outcome is not None for outcome in outcomes)
    print(json.dumps({"calls": calls, "points": len(points), "killed": killed, "failures": failures}))


def _with_ledger(house: Household, path: Path) -> Household:
    """The same files with a copy of the ledger as it was after the first look, or with none."""
    if house.ledger_path.exists():
        shutil.copy(house.ledger_path, path)
    return Household(house.state_dir, path)


def _killed_at(house: Household, scratch: Path, point: int, expected: dict[str, list[object]]) -> str | None:
    """What was wrong afterwards; None: it came to its end before that call."""
    target = _with_ledger(house, scratch / f"{point}.db")
    status = _status_of_child(lambda: _kill_at(point, target))
    if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
        return None if status == 0 else f"call {point}: ended with {status} before the kill"
    said = _in_child(lambda: _resume(target, expected))
    if not said:
        for path in scratch.glob(f"{point}.db*"):
            path.unlink()
    return f"call {point}: {said}" if said else ""


def _resume(target: Household, expected: dict[str, list[object]]) -> str:
    target.catch_up(OPTIONS)
    assert_mirrors(target, OPTIONS)
    found = contents(target.ledger_path)
    for table, rows in expected.items():
        missing = [row for row in rows if row not in found[table]]
        surplus = [row for row in found[table] if row not in rows]
        if missing or surplus or len(rows) != len(found[table]):
            return f"{table}: missing {str(missing)[:600]} surplus {str(surplus)[:600]}"
    return ""


def _check(house: Household, _result: object) -> str:
    assert_mirrors(house, OPTIONS)
    return ""


def _counted(house: Household) -> str:
    count = 0

    def profile(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        if event == "call" and "/syncd/" in frame.f_code.co_filename:
            count += 1

    sys.setprofile(profile)
    house.catch_up(OPTIONS)
    sys.setprofile(None)
    assert_mirrors(house, OPTIONS)
    return str(count)


def _kill_at(point: int, house: Household) -> str:
    left = point

    def profile(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal left
        if event == "call" and "/syncd/" in frame.f_code.co_filename:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(profile)
    house.catch_up(OPTIONS)
    sys.setprofile(None)
    return ""


def _in_child(work: Callable[[], str]) -> str:
    """What the work says, done in a process of its own; a failure says why."""
    reader, said = os.pipe()
    child = os.fork()
    if child == 0:
        _work_and_exit(work, said)
    os.close(said)
    with open(reader, encoding="utf-8") as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    return text if status == 0 or text else f"ended with {status}"


def _status_of_child(work: Callable[[], str]) -> int:
    child = os.fork()
    if child == 0:
        _work_and_exit(work, os.open(os.devnull, os.O_WRONLY))
    return os.waitpid(child, 0)[1]


def _work_and_exit(work: Callable[[], str], said: int) -> None:
    code = 1
    try:
        os.write(said, work().encode("utf-8", "backslashreplace"))
        code = 0
    except BaseException:  # noqa: BLE001  the parent is told; this process ends here in any case
        os.write(said, traceback.format_exc()[-1500:].encode("utf-8", "backslashreplace"))
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
