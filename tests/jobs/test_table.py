"""The table of jobs and what stands in config.yaml are the same."""

from dataclasses import fields

import pytest

from syncd.jobs.table import JOBS, REMOVING, job_named
from syncd.settings.schema import JobSettings


@pytest.mark.parametrize("name", JOBS)
def test_every_job_of_the_table_can_be_run_and_has_its_key(name: str) -> None:
    assert callable(job_named(name))
    assert name in {field.name for field in fields(JobSettings)}


def test_what_removes_by_age_is_known() -> None:
    assert {field.name for field in fields(JobSettings)} >= REMOVING
