"""FAULTS.md F5, for any byte of the file: one that flips costs nothing that a file or a backup still has, and is told.

SYNCD_FLIPS=1000 tries as many; a few at each run of the tests.
"""
# ruff: noqa: N802  the fault's id stands in the test's name

import os
import random
from pathlib import Path

import pytest

from tests.command import called
from tests.derived_rows import derived_rows
from tests.ledger.damaging import all_generations, flip, laid_out, pages_of
from tests.ledger.testimony import testify
from tests.mirror.household import Household, household
from tests.mirror_checks import query

SHARES = 4
# Read here: a test's own environment has none of ours.
FLIPS = int(os.environ.get("SYNCD_FLIPS", "24"))
PAGE = 16384


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Household:
    house = household(tmp_path_factory.mktemp("whole"))
    testify(house)
    assert called(("ledger", "backup"), house.environ).exit_code == 0
    query(house.ledger_path, "PRAGMA wal_checkpoint(TRUNCATE)")
    return house


@pytest.mark.parametrize("share", range(SHARES))
def test_F5_a_byte_that_flips_anywhere_loses_nothing_that_a_file_or_a_backup_has(
    whole: Household, tmp_path: Path, share: int
) -> None:
    expected, rows = all_generations(whole.ledger_path), derived_rows(whole.ledger_path)
    pages, content = pages_of(whole.ledger_path), whole.ledger_path.read_bytes()
    for seed in range(share, FLIPS, SHARES):
        rng = random.Random(seed)
        has_backup = seed // SHARES % 2 == 0
        house = laid_out(whole, tmp_path / "mirror", has_backup=has_backup)
        place = rng.randrange(len(content))
        while not any(content[max(0, place - 8) : place + 8]):  # most of a young page is empty
            place = rng.randrange(len(content))
        flip(house.ledger_path, place, 1 << rng.randrange(8))
        about = (seed, place // PAGE + 1, pages[place // PAGE + 1], place % PAGE)
        done = [called(verb, house.environ) for verb in (("run", "--once"), ("repair", "--json"))]
        assert not [each for each in done if "internal" in each.stdout or "Traceback" in each.stderr], (about, done)
        is_told = done[1].exit_code != 0
        assert not (is_told and has_backup), (about, done)
        if is_told:  # bytes that nothing else has: `verify` and `ledger check` name them from now on
            assert "lost" in done[1].json["reason"], (about, done)
            continue
        assert called(("verify",), house.environ).exit_code == 0, (about, done)
        assert called(("ledger", "check"), house.environ).exit_code == 0, (about, done)
        found = all_generations(house.ledger_path)
        for session_id, generations in expected.items():
            file = house.path(f"{session_id}.jsonl")
            refilled = [file.read_bytes()] if file.exists() else []  # what retention had dropped is there again
            assert found.get(session_id) in (generations, refilled), (about, session_id)
        assert derived_rows(house.ledger_path) == rows, about
