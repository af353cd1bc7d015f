"""`sessions`, `show`, `search` and `usage`: the work of each inside its process, after imports.

Lists over 10,000 sessions, words over the main corpus: the goals are those of one of 500 MB (`--mb 500`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench import syncd_verbs
from tests.bench.corpus import Corpus
from tests.bench.measure import figure, run
from tests.bench.odd_corpora import many_files_corpus
from tests.bench.table import Goal, Row
from tests.bench.trial import Trial, tell

_LIST, _SEARCH = Goal("<=", 100, " ms"), Goal("<=", 50, " ms")
_REPEATS = 9
_LISTS = {
    "sessions": ("sessions",),
    "sessions --json": ("sessions", "--json"),
    "sessions --project --sort size": ("sessions", "--project", "home", "--sort", "size"),
    "show, by its key": ("show", "agent:main:telegram:dm:7"),
    "show --json, by the end of its key": ("show", "main:telegram:dm:1500", "--json"),
}
_SEARCHES = {
    "a common word": ("the",),
    "a phrase": ('"error timeout"',),
    "a prefix": ("deplo*",),
    "a prefix of one letter": ("t*",),
    "words, one of them not": ("ledger AND offset NOT merge",),
    "a common word, nothing so late": ("the", "--since", "2100-01-01"),
    "a common word of one agent": ("the", "--agent", "coder"),
    "a word that is nowhere": ("nevermore",),
}


def rows(trial: Trial) -> Iterator[Row]:
    many = many_files_corpus()
    home = trial.rounds(many).home
    tell(f"sessions and show, {many.label}")
    for name, verb in _LISTS.items():
        yield _row(name, verb, many, home, _LIST)
    corpus = trial.main_corpus()
    home = trial.rounds(corpus).home
    tell(f"search and usage, {corpus.label}")
    for name, words in _SEARCHES.items():
        yield _row(f"search {name}", ("search", *words), corpus, home, _SEARCH)
    for by in ("day", "model", "session", "tool"):
        yield _row(f"usage --by {by}", ("usage", "--by", by), corpus, home, None)


def _row(name: str, verb: tuple[str, ...], corpus: Corpus, home: Path, goal: Goal | None) -> Row:
    command = [sys.executable, "-m", "tests.bench.work", str(_REPEATS), *verb]
    told = run(command, syncd_verbs.environment(corpus.state_dir, home)).document()
    ours, cpu = figure(told["wall_seconds"]), figure(told["cpu_seconds"])
    return Row(
        row=f"{name}, {corpus.label}, work",
        ours=f"{ours.median * 1e3:.1f} ms",
        goal=goal,
        met=goal.met_by(ours.median * 1e3) if goal else None,
        note=f"best of {ours.repeats}: {ours.best * 1e3:.1f} ms, CPU {cpu.best * 1e3:.1f} ms",
        figures={"work_seconds": ours, "cpu_seconds": cpu},
    )
