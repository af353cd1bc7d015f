"""OpenClaw's own doctor beside a following syncd: it is never held up for longer than 200 ms.

What could hold it up are locks on its databases, and those the kernel lists. How much longer it takes beside syncd is
printed, not judged: both want the same processors.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import pytest

from tests.daemon.live import wait_for
from tests.daemon.process import daemon, syncd
from tests.mirror.household import Household, household, name_of, session_id, transcript
from tests.mirror_checks import assert_sound
from tests.openclaw.checks import QUIET_SECONDS, SECONDS
from tests.openclaw.doctor import compact, move_back, move_into_store
from tests.openclaw.held_locks import LOCKS, HeldLocks, locks_of
from tests.openclaw.releases import Release, installed, require

LONGEST_BLOCK_MS = 200
ROUNDS = 3
SESSIONS, MESSAGES = 60, 400
"""More than 16 MiB: a log of that length is read under SQLite's own locks."""
ACTS = (move_into_store, compact, move_back)
pytestmark = pytest.mark.skipif(not SECONDS, reason="make test-openclaw runs these")


def peopled(place: Path) -> Household:
    """As a release before the move leaves it."""
    place.mkdir()
    house = household(place)
    entries = {}
    for number in range(1, SESSIONS + 1):
        path = house.write(name_of(number), transcript(number, MESSAGES))
        about = {"sessionId": session_id(number), "updatedAt": 1_794_802_931_000 + number, "sessionFile": str(path)}
        entries[f"agent:main:direct:{number}"] = about
    (house.sessions() / "sessions.json").write_text(json.dumps(entries, indent=2))
    (house.state_dir / "openclaw.json").write_text("{}")
    return house


def doctored(release: Release, house: Household) -> list[float]:
    """How many seconds each act took."""
    seconds = []
    for act in ACTS:
        begun = time.monotonic()
        report = act(release, house.state_dir)
        seconds.append(time.monotonic() - begun)
        assert report["totals"]["issues"] == 0, report
    return seconds


@contextmanager
def followed(house: Household) -> Iterator[HeldLocks]:
    with daemon(house) as follower:
        follower.is_following()
        wait_for(lambda: syncd(house, "status")[1]["behind_bytes"] == 0, QUIET_SECONDS)
        with locks_of(follower.pid, house.state_dir) as held:
            yield held
        wait_for(lambda: syncd(house, "verify")[0] == 0, QUIET_SECONDS)
        assert follower.terminate()[0] == 0


@pytest.mark.timeout(900)
def test_the_doctor_is_never_held_up_by_one_who_follows(tmp_path: Path) -> None:
    require("2026.9.6")
    if not LOCKS.exists():
        pytest.skip("this kernel does not list its locks")
    release = installed("2026.9.6")
    alone, beside, longest, looks = [], [], 0.0, 0
    for number in range(ROUNDS):
        alone.append(doctored(release, peopled(tmp_path / f"alone-{number}")))
        house = peopled(tmp_path / f"beside-{number}")
        with followed(house) as held:
            beside.append(doctored(release, house))
        assert held.is_listed
        longest, looks = max(longest, held.longest_ms), looks + held.looks
        print(
            f"\n  round {number}: {len(held.times)} locks, longest {held.longest_ms:.1f} ms, {held.gaps} gaps", end=""
        )
        assert_sound(house.ledger_path)
    for place, act in enumerate(ACTS):
        ratio = median(each[place] for each in beside) / median(each[place] for each in alone)
        took = "; ".join(f"{each[place]:.1f}" for each in (*alone, *beside))
        print(f"\n  {act.__name__}: {ratio:.2f} times as long beside syncd ({took} s)", end="")
    print(f"\n  the longest lock of syncd's on a database of OpenClaw's: {longest:.1f} ms, in {looks} looks")
    assert longest < LONGEST_BLOCK_MS
