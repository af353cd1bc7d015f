"""Whom the daemon's tests follow, where they do not say otherwise."""

from pathlib import Path

import pytest

from tests.mirror.household import Household, household, name_of, transcript


@pytest.fixture
def house(tmp_path: Path) -> Household:
    """One transcript of five messages; the ledger is still to be made."""
    made = household(tmp_path)
    made.write(name_of(1), transcript(1, 5))
    return made
