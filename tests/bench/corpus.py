"""Synthetic OpenClaw state dirs of any size, the same bytes for the same parameters.

`python -m tests.bench.corpus --mb 50 --text rich` makes one (or finds it) and prints where it is.
Corpora live under .cache/bench of the checkout, keyed by what they were made from, and are only
ever read afterwards. Sizes are of transcripts alone; the session index comes on top.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from tests.bench.prose import TEXT_KINDS, WORDS, Prose, TextKind, prose
from tests.bench.transcript import Written, write_transcript

CACHE = Path(__file__).resolve().parents[2] / ".cache" / "bench"
AGENTS = ("main", "coder", "research", "ops", "family")
FIRST_DAY_AT = 1_767_225_600_000
"""1 January 2026, UTC."""
_GENERATOR_VERSION = 1
_SMALLEST_SESSION_BYTES = 2500


@dataclass(frozen=True)
class Tally:
    files: int
    bytes: int
    lines: int


@dataclass(frozen=True)
class Corpus:
    """A state dir on disk and what its transcripts hold."""

    label: str
    state_dir: Path
    files: int
    bytes: int
    lines: int

    def transcripts(self) -> list[Path]:
        return sorted(self.state_dir.glob("agents/*/sessions/*.jsonl"))


@dataclass(frozen=True)
class Shape:
    """What a corpus of sessions is made from."""

    mb: float
    text: TextKind = "salad"
    sessions: int = 200
    agents: int = 3
    seed: int = 1

    @property
    def key(self) -> str:
        return f"sessions-{self.mb:g}mb-{self.text}-{self.sessions}x{self.agents}-s{self.seed}"


def sessions_corpus(shape: Shape, cache: Path = CACHE) -> Corpus:
    """Sessions with heavy-tailed sizes, as in a household that has used OpenClaw for two months."""
    return cached(
        shape.key,
        f"{shape.mb:g} MB {shape.text}",
        lambda state_dir: write_sessions(state_dir, shape),
        cache,
    )


def cached(key: str, label: str, build: Callable[[Path], Tally], cache: Path = CACHE) -> Corpus:
    """The corpus of that key; built beside and renamed: a broken-off build is never used."""
    home = cache / f"{key}-v{_GENERATOR_VERSION}"
    if (home / "corpus.json").exists():
        corpus = Corpus(label, home / "state", **orjson.loads((home / "corpus.json").read_bytes()))
        if sum(path.stat().st_size for path in corpus.transcripts()) == corpus.bytes:
            return corpus
        shutil.rmtree(home)
    partial = home.with_name(f"{home.name}.partial-{os.getpid()}")
    shutil.rmtree(partial, ignore_errors=True)
    (partial / "state").mkdir(parents=True)
    tally = build(partial / "state")
    (partial / "corpus.json").write_bytes(orjson.dumps(asdict(tally)))
    partial.rename(home)
    return Corpus(label, home / "state", **asdict(tally))


def write_sessions(state_dir: Path, shape: Shape) -> Tally:
    rng = random.Random(shape.seed)
    text = prose(shape.text, rng)
    agents = AGENTS[: shape.agents]
    weights = [min(rng.paretovariate(1.1), 40) for _ in range(shape.sessions)]
    bytes_per_weight = shape.mb * 1e6 / sum(weights)
    indexes: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
    written_bytes = lines = 0
    due_bytes = 0.0
    for number, weight in enumerate(weights):
        agent = agents[0 if rng.random() < 0.6 else rng.randrange(len(agents))]
        # What is due in all: one session's last turn runs over, the next session makes up for it.
        due_bytes += weight * bytes_per_weight
        budget = max(_SMALLEST_SESSION_BYTES, int(due_bytes - written_bytes))
        started_at = FIRST_DAY_AT + rng.randrange(60 * 86_400_000)
        folder = sessions_folder(state_dir, agent)
        written = write_transcript(folder, budget, started_at, rng, text)
        os.utime(
            folder / f"{written.session_id}.jsonl",
            (written.ended_at / 1000, written.ended_at / 1000),
        )
        written_bytes += written.bytes
        lines += written.lines
        indexes[agent][_session_key(rng, agent, indexes[agent])] = _index_entry(number, written, text)
    for agent, index in indexes.items():
        write_index(state_dir, agent, index)
    return Tally(shape.sessions, written_bytes, lines)


def sessions_folder(state_dir: Path, agent: str) -> Path:
    folder = state_dir / "agents" / agent / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_index(state_dir: Path, agent: str, index: dict[str, Any]) -> None:
    path = sessions_folder(state_dir, agent) / "sessions.json"
    path.write_bytes(orjson.dumps(index, option=orjson.OPT_INDENT_2))


def _session_key(rng: random.Random, agent: str, index: dict[str, Any]) -> str:
    if rng.random() < 0.15:
        return f"agent:{agent}:cron:{uuid.UUID(int=rng.getrandbits(128), version=4)}"
    if f"agent:{agent}:main" not in index:
        return f"agent:{agent}:main"
    channel, kind = rng.choice(("telegram", "discord", "whatsapp")), rng.choice(("dm", "group"))
    return f"agent:{agent}:{channel}:{kind}:{rng.getrandbits(34)}"


def _index_entry(number: int, written: Written, text: Prose) -> dict[str, Any]:
    return {
        "sessionId": written.session_id,
        "updatedAt": written.ended_at,
        "sessionFile": f"{written.session_id}.jsonl",
        "systemSent": True,
        "abortedLastRun": False,
        "compactionCount": written.compactions,
        "inputTokens": written.input_tokens,
        "outputTokens": written.output_tokens,
        "totalTokens": written.context_tokens,
        "contextTokens": 200_000,
        "modelProvider": written.provider,
        "model": written.model,
        "chatType": "direct",
        "lastChannel": "telegram",
        "lastTo": "telegram:7123",
        "displayName": f"Chat {number}",
        "origin": {"provider": "telegram", "label": f"User {number}"},
        "deliveryContext": {"channel": "telegram", "to": "telegram:7123"},
        "skillsSnapshot": {"prompt": text(9000), "skills": [{"name": word} for word in WORDS[:20]]},
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.corpus", description="make a synthetic state dir")
    parser.add_argument("--mb", type=float, default=50, help="megabytes (10^6) of transcripts")
    parser.add_argument("--text", choices=TEXT_KINDS, default="salad")
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--agents", type=int, default=3, choices=range(1, len(AGENTS) + 1))
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    corpus = sessions_corpus(Shape(chosen.mb, chosen.text, chosen.sessions, chosen.agents, chosen.seed))
    print(f"{corpus.state_dir}: {corpus.files} files, {corpus.bytes} bytes, {corpus.lines} lines")


if __name__ == "__main__":
    main()
