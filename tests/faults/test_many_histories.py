"""More of what tests/model plays every day: other histories, and more deaths."""

from pathlib import Path

import pytest

from tests.model.test_histories import play
from tests.model.test_real_deaths import die


@pytest.mark.timeout(900)
def test_a_hundred_histories_of_the_files_are_in_the_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(100, tmp_path, monkeypatch)


@pytest.mark.timeout(900)
def test_a_mirror_killed_twenty_times_loses_and_doubles_nothing(tmp_path: Path) -> None:
    die(20, tmp_path)
