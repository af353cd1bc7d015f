"""What every test stands on: a home of its own, nothing left behind, and the command line to call.

Temporary directories lie on a real disk: tmpfs never reuses an inode, and so hides the faults that
OpenClaw's files meet on ext4. SYNCD_TEST_TMP names another place.
"""

import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from syncd.ledger import database
from tests.command import Result, called
from tests.examples import examples
from tests.fresh_ledger import copied_from_the_first
from tests.mirror.household import Household, household

if "PYTEST_XDIST_WORKER" in os.environ:
    # This process is measured already; the commands it starts need not be, and are quicker without.
    os.environ.pop("COVERAGE_PROCESS_CONFIG", None)
    os.environ.pop("COVERAGE_PROCESS_START", None)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background of a script: children would ignore it too
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples each time where a failure stops others; fresh ones on a developer's machine.
# How slow an input comes says something of the machine, not of the code.
settings.register_profile(
    "everyday", max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("steady", settings.get_profile("everyday"), derandomize=True)
settings.load_profile("steady" if os.environ.get("CI") else "everyday")

__all__ = ["CHECKOUT", "Cli", "Result"]

_HOMES = count()
CHECKOUT = Path(__file__).resolve().parents[1]
NEEDED_SPACE = 2 << 30  # a few tests have half a gigabyte each for a moment


def pytest_configure(config: pytest.Config) -> None:
    chosen = os.environ.pop("SYNCD_TEST_TMP", None)
    if chosen is None and _is_tmpfs(Path(os.environ.get("TMPDIR", "/tmp"))):
        chosen = str(CHECKOUT / ".cache" / "tmp")
    if chosen:
        Path(chosen).mkdir(parents=True, exist_ok=True)
        os.environ["PYTEST_DEBUG_TEMPROOT"] = chosen  # pytest's own name for the root of tmp_path


def pytest_sessionstart(session: pytest.Session) -> None:
    """A disk that fills up in mid-run fails every test after that for a reason that none of them names."""
    place = os.environ.get("PYTEST_DEBUG_TEMPROOT") or tempfile.gettempdir()
    free = shutil.disk_usage(place).free
    if free < NEEDED_SPACE:
        pytest.exit(f"{place} has {free >> 20} MB left, the tests need {NEEDED_SPACE >> 20}", returncode=1)


def _is_tmpfs(directory: Path) -> bool:
    try:
        mounts = Path("/proc/self/mounts").read_text().splitlines()
    except OSError:
        return False
    kinds = {Path(fields[1]): fields[2] for fields in map(str.split, mounts)}
    real = directory.resolve()
    return next((kinds[at] for at in (real, *real.parents) if at in kinds), "") == "tmpfs"


@pytest.fixture(autouse=True, scope="session")
def _new_ledgers_are_copies() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_make_private", copied_from_the_first())
        yield


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of the test's own; nothing of this machine's OpenClaw or syncd is seen."""
    # Not by mktemp, which searches all former ones for the next number.
    place = tmp_path_factory.getbasetemp() / "homes" / str(next(_HOMES))
    place.mkdir(0o700, parents=True)
    for name in [*os.environ]:
        if name.startswith(("XDG_", "OPENCLAW_", "SYNCD_", "CLAWDBOT_")) or name == "NO_COLOR":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(place))
    for variable, folder in {
        "XDG_CONFIG_HOME": ".config",
        "XDG_DATA_HOME": ".local/share",
        "XDG_STATE_HOME": ".local/state",
        "XDG_CACHE_HOME": ".cache",
    }.items():
        monkeypatch.setenv(variable, str(place / folder))
    yield place
    shutil.rmtree(place, ignore_errors=True)


@pytest.fixture
def house(tmp_path: Path) -> Household:
    """An OpenClaw that has written nothing yet."""
    return household(tmp_path)


@pytest.fixture(autouse=True)
def leaves_nothing_behind() -> Iterator[None]:
    """Fails a test that leaves a thread, an open ledger or a changed signal handler."""
    threads = set(threading.enumerate())
    handlers = _handlers()
    ledgers = _open_ledgers()
    yield
    for thread in set(threading.enumerate()) - threads:
        thread.join(timeout=30)
    assert not [thread for thread in threading.enumerate() if thread not in threads], "threads left"
    assert _handlers() == handlers, "signal handlers changed"
    if _open_ledgers() - ledgers:
        gc.collect()
    assert not _open_ledgers() - ledgers, "ledger connections left open"


def _handlers() -> list[object]:
    return [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE)]


def _open_ledgers() -> set[Any]:
    apsw: Any = sys.modules.get("apsw")
    return set(apsw.connections()) if apsw is not None else set()


Cli = Callable[..., Result]


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """The real command line in a process of its own: cli("verify", "--json", env={...})."""

    def call(*args: str | Path, env: Mapping[str, str] | None = None, stdin: bytes = b"") -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "syncd", *map(str, args)],
            input=stdin,
            capture_output=True,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT), **(env or {})},
            cwd=tmp_path,
            timeout=100,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr.decode())

    return call


@pytest.fixture
def cli_in_process() -> Cli:
    """The same call through main() in this process: quick, and seen by coverage."""

    def call(*args: str | Path, env: Mapping[str, str] | None = None, stdin: bytes = b"") -> Result:
        return called(args, {**os.environ, **(env or {})}, stdin)

    return call
