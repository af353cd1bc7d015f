"""What the rows share: corpora, catch-ups and reference runs, each measured once and in turns.

A row asks for what it needs; the first to ask pays. Rounds go REF, syncd, peer, REF, syncd, peer:
a ratio is between neighbours in time. Homes live under .cache/bench and go when the benchmark ends.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench import agentsview, peers, syncd_verbs
from tests.bench import corpus as corpora
from tests.bench.corpus import Corpus, Shape
from tests.bench.measure import Sample, Times, UnmeasuredError, run
from tests.bench.peers import PeerRun
from tests.bench.prose import TextKind
from tests.bench.syncd_verbs import CatchUp

_REFERENCE = Path(__file__).with_name("reference.py")


@dataclass(frozen=True)
class Plan:
    """What the command line asked for."""

    mb: float
    repeats: int
    command: tuple[str, ...]
    agentsview: Path | None
    loading_python: Path | None


@dataclass(frozen=True)
class Rounds:
    """First catch-ups of one corpus, and what ran between them."""

    references: list[Times]
    catch_ups: list[CatchUp]
    peers: list[PeerRun]
    home: Path


@dataclass
class Trial:
    plan: Plan
    scratch: Path
    _corpora: dict[Shape, Corpus] = field(default_factory=dict)
    _rounds: dict[Path, Rounds] = field(default_factory=dict)
    _warmed: set[Path] = field(default_factory=set)
    _synced: dict[Path, PeerRun] = field(default_factory=dict)
    _loaded: dict[str, PeerRun] = field(default_factory=dict)

    def sessions(self, mb: float, text: TextKind = "salad") -> Corpus:
        shape = Shape(mb, text)
        if shape not in self._corpora:
            tell(f"corpus of {mb:g} MB, {text}")
            self._corpora[shape] = corpora.sessions_corpus(shape)
        return self._corpora[shape]

    def main_corpus(self) -> Corpus:
        return self.sessions(self.plan.mb)

    def rounds(self, corpus: Corpus) -> Rounds:
        """All repeats and the peer for the main corpus; one run where size or memory is asked."""
        if corpus.state_dir not in self._rounds:
            is_main = corpus == self.main_corpus()
            repeats = self.plan.repeats if is_main else 1
            self._rounds[corpus.state_dir] = self._measure(corpus, repeats, compared=is_main)
        return self._rounds[corpus.state_dir]

    def reference(self, corpus: Corpus) -> Times:
        """One run of REF, counted after its imports."""
        self.warm(corpus)
        sample = run([sys.executable, str(_REFERENCE), str(corpus.state_dir)], {})
        document = sample.document()
        if document["bytes"] != corpus.bytes:
            raise UnmeasuredError(f"REF read {document['bytes']} of {corpus.bytes} bytes")
        return Times(document["wall_seconds"], document["cpu_seconds"])

    def catch_up(self, corpus: Corpus, home: Path) -> CatchUp:
        self.warm(corpus)
        shutil.rmtree(home, ignore_errors=True)
        return syncd_verbs.catch_up(self.plan.command, corpus, home)

    def no_op(self, corpus: Corpus, home: Path) -> Sample:
        return syncd_verbs.no_op(self.plan.command, corpus, home)

    def verify(self, corpus: Corpus, home: Path) -> Sample:
        self.warm(corpus)
        return syncd_verbs.verify(self.plan.command, corpus, home)

    def home(self, corpus: Corpus) -> Path:
        return self.scratch / f"home-{corpus.state_dir.parent.name}"

    def agentsview_home(self, corpus: Corpus) -> Path:
        return self.scratch / f"agentsview-{corpus.state_dir.parent.name}"

    def synced(self, corpus: Corpus) -> PeerRun | None:
        """agentsview's first sync of a corpus that is in no rounds; None without agentsview."""
        if self.plan.agentsview is not None and corpus.state_dir not in self._synced:
            tell(f"agentsview, {corpus.label}")
            self.warm(corpus)
            home = self.agentsview_home(corpus)
            self._synced[corpus.state_dir] = agentsview.sync_once(self.plan.agentsview, corpus, home)
        return self._synced.get(corpus.state_dir)

    def loaded(self) -> dict[str, PeerRun]:
        """What the loaders that are installed made of the main corpus, each once."""
        corpus, python = self.main_corpus(), self.plan.loading_python
        if python is None or self._loaded:
            return self._loaded
        self.warm(corpus)
        for name in peers.LOADERS:
            tell(f"{name}, {corpus.label}")
            home = self.scratch / name
            try:
                self._loaded[name] = peers.load(python, name, corpus, home)
            except UnmeasuredError as error:
                tell(f"{name} gave no figure: {error}")  # ours are not to hang on it
            finally:
                shutil.rmtree(home, ignore_errors=True)
        return self._loaded

    def warm(self, corpus: Corpus) -> None:
        """Reads the corpus once, so that nobody pays for the disk."""
        if corpus.state_dir in self._warmed:
            return
        for path in corpus.transcripts():
            with path.open("rb", buffering=0) as file:
                while file.read(1 << 20):
                    pass
        self._warmed.add(corpus.state_dir)

    def _measure(self, corpus: Corpus, repeats: int, *, compared: bool) -> Rounds:
        rounds = Rounds([], [], [], self.home(corpus))
        for number in range(1, repeats + 1):
            tell(f"first catch-up, {corpus.label}, round {number} of {repeats}")
            if compared:
                rounds.references.append(self.reference(corpus))
            rounds.catch_ups.append(self.catch_up(corpus, rounds.home))
            if compared and self.plan.agentsview is not None:
                home = self.agentsview_home(corpus)
                rounds.peers.append(agentsview.sync_once(self.plan.agentsview, corpus, home))
        return rounds


@contextmanager
def trial(plan: Plan, cache: Path = corpora.CACHE) -> Iterator[Trial]:
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="scratch-", dir=cache) as scratch:
        yield Trial(plan, Path(scratch))


def tell(progress: str) -> None:
    print(f"... {progress}", file=sys.stderr, flush=True)
