"""More of what is played every day: other histories of the files and of both sides, and more deaths."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.daemon import test_both_sides as live
from tests.examples import examples
from tests.mirror import test_both_sides as looked_at
from tests.mirror.both_sides import Act, histories
from tests.model.test_histories import play
from tests.model.test_real_deaths import die


@pytest.mark.timeout(900)
def test_a_hundred_histories_of_the_files_are_in_the_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(100, tmp_path, monkeypatch)


@pytest.mark.timeout(900)
def test_a_mirror_killed_twenty_times_loses_and_doubles_nothing(tmp_path: Path) -> None:
    die(20, tmp_path)


@pytest.mark.timeout(900)
@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories(20))
def test_more_histories_of_both_sides_are_looked_at(acts: list[Act]) -> None:
    looked_at.play(acts)


@pytest.mark.timeout(900)
@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories(16))
def test_more_histories_of_both_sides_are_followed(acts: list[Act]) -> None:
    live.play(acts)
