"""Corpora that are hard in one way: very many files, or one line too long or too wide to decode.

Each is made in seconds. The lines just below syncd's default max_line_bytes are parsed, and so cost
memory by what they decode to: "emoji" (4 bytes a character both ways), "wide" (ASCII that one emoji
per fragment turns into 4 bytes a character), "objects" (3 bytes of JSON to 64 of Python).
"""

from __future__ import annotations

import itertools
import random
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import orjson

from tests.bench.corpus import (
    AGENTS,
    CACHE,
    FIRST_DAY_AT,
    Corpus,
    Tally,
    cached,
    sessions_folder,
    write_index,
)
from tests.bench.prose import prose
from tests.bench.transcript import iso

MAX_LINE_BYTES = 16_777_216
LineKind = Literal["text", "emoji", "wide", "objects"]
_PIECE_BYTES = 1 << 18
_EMOJI = "😀🚀🦞🧪🔥🌍🎉🤖"


def many_files_corpus(files: int = 10_000, agents: int = 5, cache: Path = CACHE) -> Corpus:
    """That many short transcripts: what is left to do when nothing has changed."""
    return cached(
        f"files-{files}-{agents}",
        f"{files:,} files",
        lambda state_dir: _write_files(state_dir, files, agents),
        cache,
    )


def long_line_corpus(kind: LineKind, line_bytes: int = MAX_LINE_BYTES - 1024, cache: Path = CACHE) -> Corpus:
    """One transcript: header, a message line of exactly that many bytes, a short line after it."""
    label = f"{line_bytes / 1e6:.3g} MB line of {kind}"
    return cached(
        f"line-{kind}-{line_bytes}",
        label,
        lambda state_dir: _write_line(state_dir, kind, line_bytes),
        cache,
    )


def _write_files(state_dir: Path, files: int, agents: int) -> Tally:
    rng = random.Random(files)
    text = prose("salad", rng)
    total = 0
    for agent in AGENTS[:agents]:
        folder = sessions_folder(state_dir, agent)
        index = {}
        for number in range(files // agents + (agent == AGENTS[0]) * (files % agents)):
            session_id = str(uuid.UUID(int=rng.getrandbits(128), version=4))
            at = FIRST_DAY_AT + rng.randrange(60 * 86_400_000)
            content = b"".join(
                [
                    header_line(session_id, at),
                    message_line("aaaaaaaa", None, at, "user", text(rng.randint(60, 300))),
                    message_line("bbbbbbbb", "aaaaaaaa", at + 900, "assistant", text(rng.randint(60, 600))),
                ]
            )
            total += (folder / f"{session_id}.jsonl").write_bytes(content)
            index[f"agent:{agent}:telegram:dm:{number}"] = {
                "sessionId": session_id,
                "updatedAt": at + 900,
            }
        write_index(state_dir, agent, index)
    return Tally(files, total, files * 3)


def _write_line(state_dir: Path, kind: LineKind, line_bytes: int) -> Tally:
    session_id = str(uuid.UUID(int=line_bytes, version=4))
    filler_mark = "\x00"
    shell = message_line("aaaaaaaa", None, FIRST_DAY_AT, "user", filler_mark)
    before, after = shell.split(orjson.dumps(filler_mark)[1:-1])
    if kind == "objects":
        before, after = before + b'","rows":[', b'{}],"end":"' + after
    missing = line_bytes - len(before) - len(after)
    path = sessions_folder(state_dir, AGENTS[0]) / f"{session_id}.jsonl"
    with path.open("wb") as file:
        file.write(header_line(session_id, FIRST_DAY_AT) + before)
        for piece in _pieces(kind):
            if len(piece) >= missing:
                break
            file.write(piece)
            missing -= len(piece)
        file.write(b" " * missing + after)
        file.write(message_line("bbbbbbbb", "aaaaaaaa", FIRST_DAY_AT + 900, "assistant", "That was long."))
    return Tally(1, path.stat().st_size, 3)


def _pieces(kind: LineKind) -> Iterator[bytes]:
    """Endless JSON text without escapes, in pieces that may stand side by side."""
    if kind == "objects":
        return itertools.repeat(b"{}," * (_PIECE_BYTES // 3))
    if kind == "emoji":
        return itertools.repeat((_EMOJI * (_PIECE_BYTES // 4 // len(_EMOJI))).encode())
    rng = random.Random(kind)
    text = prose("salad", rng)
    fragment_end = ". 🦞 " if kind == "wide" else ". "
    return (text(_PIECE_BYTES).replace("\n", " ").replace(". ", fragment_end).encode() for _ in itertools.count())


def header_line(session_id: str, at: int) -> bytes:
    document = {
        "type": "session",
        "version": 3,
        "id": session_id,
        "timestamp": iso(at),
        "cwd": "/home/u/clawd",
    }
    return orjson.dumps(document) + b"\n"


def message_line(identifier: str, parent: str | None, at: int, role: str, text: str) -> bytes:
    message = {"role": role, "content": [{"type": "text", "text": text}], "timestamp": at}
    entry = {
        "type": "message",
        "id": identifier,
        "parentId": parent,
        "timestamp": iso(at),
        "message": message,
    }
    return orjson.dumps(entry) + b"\n"
