"""Every scheduled job, once: its name in config.yaml and `job_runs`, and the module whose `run` it is.

Modules, not functions: a job is loaded when it is first due, so an idle daemon has none of them in memory.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from syncd.jobs.job import Job

JOBS = {
    "repair": "syncd.jobs.repair",
    "backup": "syncd.jobs.backup",
    "scrub": "syncd.jobs.scrub",
    "retention": "syncd.jobs.retention",
    "optimize": "syncd.jobs.optimize",
}
"""In the order in which `status` names them."""
REMOVING = frozenset({"retention"})
"""Those that judge by age what is to be removed: they wait while the clock is in doubt."""


def job_named(name: str) -> Job:
    found: Job = import_module(JOBS[name]).run
    return found
