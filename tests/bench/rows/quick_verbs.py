"""`--help` and `status` as multiples of what Python itself takes to start; status also over 10,000 files.

The goals are those of a machine on which `python -c pass` takes 13 ms.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tests.bench import syncd_verbs
from tests.bench.measure import figure, run
from tests.bench.odd_corpora import many_files_corpus
from tests.bench.table import Goal, Row
from tests.bench.trial import Trial, tell

_PYTHON_MS = 13
_HELP, _STATUS = Goal("<=", round(150 / _PYTHON_MS), "x"), Goal("<=", round(200 / _PYTHON_MS), "x")
_LEAST_REPEATS = 9
_STOPPED = 3


def rows(trial: Trial) -> Iterator[Row]:
    corpus = many_files_corpus()
    home = trial.scratch / "verbs"
    tell("--help and status")
    empty = trial.scratch / "verbs-empty"
    (empty / "home").mkdir(parents=True)
    trial.catch_up(corpus, home)
    command = trial.plan.command
    nothing, full = syncd_verbs.environment(empty, empty / "home"), syncd_verbs.environment(corpus.state_dir, home)
    cases = {
        "syncd --help": ([*command, "--help"], nothing, 0, _HELP),
        "syncd status": ([*command, "status"], nothing, _STOPPED, _STATUS),
        f"syncd status, {corpus.label}": ([*command, "status"], full, _STOPPED, _STATUS),
    }
    for name, (verb, env, exit_code, goal) in cases.items():
        starts, verbs = [], []
        for _ in range(max(_LEAST_REPEATS, trial.plan.repeats)):
            starts.append(run([sys.executable, "-c", "pass"], env))
            verbs.append(run(verb, env, exit_code=exit_code))
        ours = figure(each.times.wall_seconds for each in verbs)
        python = figure(each.times.wall_seconds for each in starts)
        cpu = figure(each.times.cpu_seconds for each in verbs)
        ratio = ours.median / python.median
        yield Row(
            row=name,
            ours=f"{ours.median * 1e3:.0f} ms",
            reference=f"python -c pass {python.median * 1e3:.0f} ms",
            ratio=ratio,
            goal=goal,
            met=goal.met_by(ratio),
            note=f"best of {ours.repeats}: {ours.best * 1e3:.0f} ms, CPU {cpu.best * 1e3:.0f} ms",
            figures={"ours_seconds": ours, "python_seconds": python, "cpu_seconds": cpu},
        )
