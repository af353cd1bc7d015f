"""`--help`, `status`, `doctor` and a Tab as multiples of what Python itself takes to start, by wall clock and by CPU.

status also over 10,000 files and over the large ledger of the main corpus.

The goals are those of a machine on which `python -c pass` takes 13 ms.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tests.bench import agentsview, syncd_verbs
from tests.bench.measure import CLOCKS, figure, run
from tests.bench.odd_corpora import many_files_corpus
from tests.bench.table import Goal, Other, Row, beside
from tests.bench.trial import Trial, tell

_PYTHON_MS = 13
_HELP, _STATUS = Goal("<=", round(150 / _PYTHON_MS), "x"), Goal("<=", round(200 / _PYTHON_MS), "x")
_LEAST_REPEATS = 9
_STOPPED = 3


def rows(trial: Trial) -> Iterator[Row]:
    corpus, main = many_files_corpus(), trial.main_corpus()
    home = trial.scratch / "verbs"
    tell("--help and status")
    empty = trial.scratch / "verbs-empty"
    (empty / "home").mkdir(parents=True)
    trial.catch_up(corpus, home)
    trial.catch_up(main, trial.scratch / "verbs-main")
    command = trial.plan.command
    nothing, full = syncd_verbs.environment(empty, empty / "home"), syncd_verbs.environment(corpus.state_dir, home)
    large = syncd_verbs.environment(main.state_dir, trial.scratch / "verbs-main")
    tab = {**large, "_SYNCD_COMPLETE": "bash_complete", "COMP_LINE": "syncd show agent:"}
    cases = {
        "syncd --help": ([*command, "--help"], nothing, 0, _HELP),
        "syncd status": ([*command, "status"], nothing, _STOPPED, _STATUS),
        f"syncd status, {corpus.label}": ([*command, "status"], full, _STOPPED, _STATUS),
        f"syncd status, ledger of {main.label}": ([*command, "status"], large, _STOPPED, _STATUS),
        f"syncd doctor, {main.label}": ([*command, "doctor"], large, 0, None),
        f"Tab for a session, {main.label}": ([*command], tab, 0, _STATUS),
    }
    theirs = {"syncd --help": ["--help"], "syncd status": ["serve", "status"]}
    their_env = agentsview.environment(empty, empty / "home")
    for name, (verb, env, exit_code, goal) in cases.items():
        starts, verbs, peers = [], [], []
        for _ in range(max(_LEAST_REPEATS, trial.plan.repeats)):
            starts.append(run([sys.executable, "-c", "pass"], env))
            verbs.append(run(verb, env, exit_code=exit_code))
            if trial.plan.agentsview is not None and name in theirs:
                peers.append(run([str(trial.plan.agentsview), *theirs[name]], their_env))
        for clock in CLOCKS:
            ours = figure(each.times.by(clock) for each in verbs)
            python = figure(each.times.by(clock) for each in starts)
            ratio = ours.median / python.median
            yield Row(
                row=f"{name}, {clock}",
                ours=f"{ours.median * 1e3:.0f} ms",
                reference=f"python -c pass {python.median * 1e3:.0f} ms",
                ratio=ratio,
                goal=goal,
                met=goal.met_by(ratio) if goal is not None else None,
                note=f"best of {ours.repeats}: {ours.best * 1e3:.0f} ms",
                others=_beside(figure(each.times.by(clock) for each in peers).median, ours.median) if peers else {},
                figures={"ours_seconds": ours, "python_seconds": python},
            )


def _beside(seconds: float, ours_seconds: float) -> dict[str, Other]:
    return {agentsview.NAME: beside(seconds, ours_seconds, f"{seconds * 1e3:.0f} ms")}
