"""The benchmark's corpora: the same bytes each time, lines that parse, and the size that was asked.

Not about speed: no test here or elsewhere asserts a time.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import orjson
import pytest

from tests.bench.corpus import Corpus, Shape, sessions_corpus
from tests.bench.odd_corpora import LineKind, long_line_corpus, many_files_corpus
from tests.bench.prose import TEXT_KINDS, TextKind

_SMALL_MB = 1.0
_LINE_BYTES = 300_000


def _small(cache: Path, text: TextKind, seed: int = 1) -> Corpus:
    return sessions_corpus(Shape(_SMALL_MB, text, sessions=12, seed=seed), cache)


def _hashes(corpus: Corpus) -> dict[str, str]:
    return {
        str(path.relative_to(corpus.state_dir)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(corpus.state_dir.rglob("*"))
        if path.is_file()
    }


def _lines(corpus: Corpus) -> list[bytes]:
    contents = [path.read_bytes() for path in corpus.transcripts()]
    assert all(content.endswith(b"\n") for content in contents)
    return [line for content in contents for line in content.splitlines(keepends=True)]


@pytest.mark.parametrize("text", TEXT_KINDS)
def test_the_same_parameters_give_the_same_files_byte_for_byte(tmp_path: Path, text: TextKind) -> None:
    first = _hashes(_small(tmp_path / "first", text))
    assert first == _hashes(_small(tmp_path / "second", text))
    assert first != _hashes(_small(tmp_path / "other", text, seed=2))


@pytest.mark.parametrize("text", TEXT_KINDS)
def test_a_corpus_is_within_ten_percent_of_the_size_asked(tmp_path: Path, text: TextKind) -> None:
    corpus = _small(tmp_path, text)
    on_disk = sum(path.stat().st_size for path in corpus.transcripts())
    assert on_disk == corpus.bytes
    assert abs(on_disk - _SMALL_MB * 1e6) <= 0.1 * _SMALL_MB * 1e6


@pytest.mark.parametrize("text", TEXT_KINDS)
def test_every_line_is_json_and_every_parent_stands_before_its_child(tmp_path: Path, text: TextKind) -> None:
    corpus = _small(tmp_path, text)
    assert len(_lines(corpus)) == corpus.lines
    for path in corpus.transcripts():
        header, *entries = map(orjson.loads, path.read_bytes().splitlines())
        assert header["type"] == "session"
        assert header["id"] == path.stem
        seen = {None}
        for entry in entries:
            assert entry["parentId"] in seen
            assert entry["id"] not in seen
            seen.add(entry["id"])


def test_the_index_names_every_transcript_once(tmp_path: Path) -> None:
    corpus = _small(tmp_path, "salad")
    indexes = (orjson.loads(path.read_bytes()) for path in corpus.state_dir.rglob("sessions.json"))
    named = sorted(entry["sessionFile"] for index in indexes for entry in index.values())
    assert named == sorted(path.name for path in corpus.transcripts())


def test_a_corpus_is_made_once_and_made_again_when_its_files_are_not_whole(tmp_path: Path) -> None:
    corpus = _small(tmp_path, "salad")
    path = corpus.transcripts()[0]
    made = path.stat().st_ino, path.read_bytes()
    assert _small(tmp_path, "salad") == corpus
    assert path.stat().st_ino == made[0]
    path.write_bytes(b"")
    assert _small(tmp_path, "salad") == corpus
    assert path.read_bytes() == made[1]


def test_many_files_are_exactly_as_many_as_asked(tmp_path: Path) -> None:
    corpus = many_files_corpus(53, 5, tmp_path)
    assert len(corpus.transcripts()) == corpus.files == 53
    assert len([orjson.loads(line) for line in _lines(corpus)]) == corpus.lines


@pytest.mark.parametrize("kind", ["text", "emoji", "wide", "objects"])
def test_a_long_line_has_the_length_asked_and_parses(tmp_path: Path, kind: LineKind) -> None:
    corpus = long_line_corpus(kind, _LINE_BYTES, tmp_path)
    header, long, after = _lines(corpus)
    assert len(long) == _LINE_BYTES
    block = orjson.loads(long)["message"]["content"][0]
    assert orjson.loads(header)["type"] == "session"
    assert orjson.loads(after)["parentId"] == orjson.loads(long)["id"]
    if kind == "objects":
        assert len(block["rows"]) > _LINE_BYTES / 4
    else:
        is_beyond_two_bytes = max(map(ord, block["text"])) > 0xFFFF
        assert is_beyond_two_bytes == (kind != "text")
