"""A mirror that is killed for real, again and again, while the files change under it.

SYNCD_MODEL_DEATHS sets how often; the default is few, for everyday use. tests/faults has more.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from syncd.clock import SystemClock
from syncd.ledger.database import open_for_writing
from syncd.mirror.catchup import Progress, catch_up
from syncd.mirror.verify import verify
from tests.model import ledger_checks
from tests.model.adoption import adopted, assert_nothing_lost
from tests.model.endless_mirror import OPTIONS
from tests.model.folder import HOWS, PRIMARIES, SESSION_IDS, SessionsFolder
from tests.model.line_shapes import SHAPE_NAMES, header, line
from tests.model.oracle import Oracle, complete, lines_of

DEATHS = int(os.environ.get("SYNCD_MODEL_DEATHS", "4"))
CHECKOUT = Path(__file__).resolve().parents[2]
LINES_AT_MOST = 60


@pytest.mark.timeout(300 + 10 * DEATHS)
def test_a_mirror_killed_at_any_moment_loses_and_doubles_nothing(tmp_path: Path) -> None:
    die(DEATHS, tmp_path)


def die(deaths: int, tmp_path: Path) -> None:
    random = Random(deaths)
    folder = SessionsFolder(str(tmp_path / "openclaw"))
    ledger_path = tmp_path / "ledger.db"
    known = Oracle()
    for _ in range(deaths):
        _kill_while_files_change(ledger_path, str(tmp_path / "openclaw"), folder, random)
        with open_for_writing(ledger_path) as ledger:
            ledger_checks.assert_consistent(ledger)
            former, known = known, adopted(ledger, folder)
            assert_nothing_lost(former, known, generations=None)
    with open_for_writing(ledger_path) as ledger:
        catch_up(ledger, SystemClock(), [str(tmp_path / "openclaw")], OPTIONS)
        assert verify(ledger, SystemClock(), [str(tmp_path / "openclaw")], OPTIONS, Progress()).differences == []
        level = adopted(ledger, folder)
        assert_nothing_lost(known, level, generations=None)
        ledger_checks.assert_consistent(ledger)
        ledger_checks.assert_sound(ledger)
    for name, content in folder.content.items():
        is_live = level.at[name].state == "live"
        assert level.at[name].taken == (complete(content) if is_live else content)


def _kill_while_files_change(ledger_path: Path, state_dir: str, folder: SessionsFolder, random: Random) -> None:
    command = [sys.executable, "-m", "tests.model.endless_mirror", str(ledger_path), state_dir]
    with subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE) as mirror:
        assert mirror.stdout is not None
        assert mirror.stdout.readline() == b"ready\n"
        for _ in range(random.randrange(600)):  # the disk is the clock: a mirror dies after so many writes
            _change_something(folder, random)
        assert mirror.poll() is None, "it died by itself"
        mirror.send_signal(signal.SIGKILL)


def _change_something(folder: SessionsFolder, random: Random) -> None:
    name = random.choice(PRIMARIES)
    content = folder.content.get(name)
    if content is None:
        folder.write(name, header(random.choice(SESSION_IDS)), "in_place")
        return
    if name in folder.torn:
        folder.append(name, folder.torn[name])
        return
    parts = [each.text for each in lines_of(content)]
    if len(parts) > LINES_AT_MOST:
        folder.archive(name, random.choice(["reset", "deleted"]), packed=random.random() < 0.5)
        return
    choice = random.random()
    if choice < 0.01 and parts:
        del parts[random.randrange(len(parts))]
        folder.write(name, b"".join(parts), random.choice(HOWS))
    elif choice < 0.02:
        folder.truncate(name, random.randrange(len(content) + 1))
    else:
        text = line(random.choice(SHAPE_NAMES), random.randrange(10))
        cut = random.randrange(1, len(text) + 1)
        folder.append(name, text[:cut])
        if cut < len(text):
            folder.torn[name] = text[cut:]
