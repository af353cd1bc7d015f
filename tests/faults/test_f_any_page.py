"""FAULTS.md F5, for every sort of page: scrambled whole or by a few bytes, it is found, put right and verified."""
# ruff: noqa: N802  the fault's id stands in the test's name

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import called
from tests.conftest import CHECKOUT
from tests.derived_rows import derived_rows
from tests.ledger.damaging import all_generations, pages_of, rich_household, scramble
from tests.mirror.household import Household, household, message, name_of, transcript
from tests.mirror_checks import assert_mirrors

SHARES = 4
OF_EACH_KIND = 1


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Household:
    house = household(tmp_path_factory.mktemp("whole"))
    rich_household(house, longest=120)
    assert called(("ledger", "backup"), house.environ).exit_code == 0
    house.append(name_of(1), message(6))
    house.write(name_of(8), transcript(8, 30))
    house.catch_up()
    return house


def _chosen(path: Path) -> list[tuple[int, str]]:
    """Of each table's and index's sorts of pages the first ones: a text that fills many is the same in each."""
    found: dict[str, list[int]] = {}
    for page, what in pages_of(path).items():
        found.setdefault(what, []).append(page)
    return sorted((page, what) for what, pages in found.items() for page in pages[:OF_EACH_KIND])


@pytest.mark.parametrize("count", [None, 40, 1])
@pytest.mark.parametrize("share", range(SHARES))
def test_F5_whatever_page_is_damaged_all_is_there_again_after_a_repair(
    whole: Household, tmp_path: Path, share: int, count: int | None
) -> None:
    expected, rows = all_generations(whole.ledger_path), derived_rows(whole.ledger_path)
    pristine = tmp_path / "pristine"
    shutil.copytree(whole.ledger_path.parent, pristine)
    house = Household(whole.state_dir, tmp_path / "mirror" / "ledger.db")
    for page, what in _chosen(whole.ledger_path)[share::SHARES]:
        shutil.rmtree(house.ledger_path.parent, ignore_errors=True)
        shutil.copytree(pristine, house.ledger_path.parent)
        for sidecar in house.ledger_path.parent.glob("ledger.db-*"):
            sidecar.unlink()
        scramble(house.ledger_path, page, seed=count or 0, count=count)
        done = called(("repair", "--json"), house.environ)
        assert done.exit_code == 0, (page, what, done)
        assert called(("verify",), house.environ).exit_code == 0, (page, what)
        assert called(("ledger", "check"), house.environ).exit_code == 0, (page, what)
        assert all_generations(house.ledger_path) == expected, (page, what)
        assert derived_rows(house.ledger_path) == rows, (page, what)
    assert_mirrors(house)


# While another is made beside it, while it is filled, and at each step of putting it in place.
MOMENTS = [("pwrite64", 200), ("fdatasync", 6), ("fdatasync", 12), ("fsync", 1), *(("rename", n) for n in range(1, 6)),
           ("fsync", 3), ("fsync", 4)]  # fmt: skip


@pytest.mark.parametrize(("call", "number"), MOMENTS)
def test_F5_a_kill_at_any_moment_of_a_recovery_leaves_what_the_next_one_needs(
    whole: Household, tmp_path: Path, call: str, number: int
) -> None:
    if shutil.which("strace") is None:
        pytest.skip("needs strace")
    expected = all_generations(whole.ledger_path)
    house = Household(whole.state_dir, tmp_path / "mirror" / "ledger.db")
    shutil.copytree(whole.ledger_path.parent, house.ledger_path.parent)
    scramble(house.ledger_path, next(page for page, what in _chosen(whole.ledger_path) if what == "entries leaf"))
    environ = {**os.environ, **house.environ, "PYTHONPATH": str(CHECKOUT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}"]
    command += ["-e", f"inject={call}:signal=KILL:when={number}", sys.executable, "-m", "syncd", "repair"]
    done = subprocess.run(command, env=environ, capture_output=True, check=False)
    if b"ptrace" in done.stderr.lower():
        pytest.skip(f"strace may not trace here: {done.stderr.decode()[:200]}")
    assert done.returncode == -signal.SIGKILL, done
    assert called(("repair", "--json"), house.environ).exit_code == 0
    assert called(("verify",), house.environ).exit_code == 0
    assert all_generations(house.ledger_path) == expected
    assert [file.name for file in house.ledger_path.parent.iterdir() if "restoring" in file.name] == []
    assert_mirrors(house)
