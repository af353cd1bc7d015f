"""Size of the ledger over size of the transcripts, raw bytes included, for both kinds of text.

Salad compresses too well to be believed alone; rich text compresses worse than most of people's.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.table import Goal, Row, beside
from tests.bench.trial import Trial

_SHARE = Goal("<=", 0.7)
_LARGEST_RICH_MB = 50


def rows(trial: Trial) -> Iterator[Row]:
    rich = trial.sessions(min(trial.plan.mb, _LARGEST_RICH_MB), "rich")
    for corpus in (trial.main_corpus(), rich):
        rounds = trial.rounds(corpus)
        ledger_bytes = rounds.catch_ups[-1].ledger_bytes
        others = dict(trial.loaded()) if corpus == trial.main_corpus() else {}
        if (synced := rounds.peers[-1] if rounds.peers else trial.synced(corpus)) is not None:
            others["agentsview"] = synced
        ratio = ledger_bytes / corpus.bytes
        yield Row(
            row=f"ledger size, {corpus.label}",
            ours=f"{ledger_bytes / 1e6:.1f} MB",
            reference=f"corpus {corpus.bytes / 1e6:.1f} MB",
            ratio=ratio,
            goal=_SHARE,
            met=_SHARE.met_by(ratio),
            others={
                name: beside(run.database_bytes, ledger_bytes, f"{run.database_bytes / corpus.bytes:.2f} of the corpus")
                for name, run in others.items()
            },
            figures={"ledger_bytes": ledger_bytes, "corpus_bytes": corpus.bytes},
        )
