"""One look at one sessions.json: whatever is there, the outcome is a value (FAULTS D1, D2, D4, D7, D10, D11)."""

import gc
import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from syncd.openclaw.index import KnownEntry, ReadEntry
from syncd.records import FileStat
from syncd.sources import index_file
from syncd.sources.index_file import Index, IndexLook, Unchanged, Unreadable, look_at_index
from syncd.sources.opening import read_pieces
from tests.mirror.indexed import entry, index_text
from tests.other_user import as_another_user, common_place

Found = TypeVar("Found")
ENTRIES = {"agent:main:main": entry(1), "agent:main:direct:7": entry(2)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "sessions.json"
    place.write_bytes(index_text(ENTRIES))
    return place


def index_at(path: Path) -> Index:
    found = look_at_index(str(path))
    assert isinstance(found, Index)
    return found


def values(found: IndexLook) -> dict[str, object]:
    assert isinstance(found, Index)
    return {key: item.value() for key, item in found.entries.items() if isinstance(item, ReadEntry)}


def test_the_entries_come_with_stat_and_digest(path: Path) -> None:
    found = index_at(path)
    assert values(found) == ENTRIES
    assert found.stat == FileStat.of(path.stat())


def test_a_proven_stat_spares_the_reading(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proven = FileStat.of(path.stat())
    monkeypatch.setattr(index_file, "read_pieces", None)
    assert look_at_index(str(path), proven) == Unchanged(proven)


def test_d10_a_chmod_or_a_rewrite_alike_is_no_change(path: Path) -> None:
    first = index_at(path)
    path.chmod(0o640)
    found = look_at_index(str(path), first.stat, first.digest)
    assert found == Unchanged(FileStat.of(path.stat()))
    temporary = path.with_name("sessions.json.tmp")
    temporary.write_bytes(path.read_bytes())
    temporary.rename(path)
    assert isinstance(look_at_index(str(path), first.stat, first.digest), Unchanged)


def test_only_entries_not_known_are_given_with_their_text(path: Path) -> None:
    known = {item.digest: key for key, item in index_at(path).entries.items()}
    path.write_bytes(index_text({**ENTRIES, "agent:main:main": entry(3)}))
    found = look_at_index(str(path), known=lambda: known)
    assert isinstance(found, Index)
    assert isinstance(found.entries["agent:main:direct:7"], KnownEntry)
    assert values(found) == {"agent:main:main": entry(3)}


def link_elsewhere(path: Path) -> None:
    path.rename(path.with_name("elsewhere.json"))
    path.symlink_to(path.with_name("elsewhere.json"))


def make_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def make_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


FAULTS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "absent": ("absent", Path.unlink),
    "0 bytes": ("empty", lambda path: path.write_bytes(b"")),
    "nothing but NULs after a power cut": ("empty", lambda path: path.write_bytes(b"\0" * 4096)),
    "half-written": ("torn", lambda path: path.write_bytes(index_text(ENTRIES)[:50])),
    "all but the last byte": ("torn", lambda path: path.write_bytes(index_text(ENTRIES)[:-1])),
    "a list": ("torn", lambda path: path.write_bytes(b"[]")),
    "garbage": ("torn", lambda path: path.write_bytes(b"\xff\xfe\x00{")),
    "a symlink": ("symlink", link_elsewhere),
    "a fifo": ("not_regular", make_fifo),
    "a directory": ("not_regular", make_directory),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_cannot_be_read_is_named(path: Path, name: str) -> None:
    reason, spoil = FAULTS[name]
    spoil(path)
    found = look_at_index(str(path))
    assert isinstance(found, Unreadable)
    assert found.reason == reason


def test_an_index_above_the_limit_is_not_read(path: Path) -> None:
    assert look_at_index(str(path), max_bytes=10) == Unreadable("too_large", FileStat.of(path.stat()))


def test_an_index_that_may_not_be_read_is_unreadable() -> None:
    with common_place() as place:
        path = place / "sessions.json"
        path.write_bytes(index_text(ENTRIES))
        path.chmod(0)
        with as_another_user():
            assert look_at_index(str(path)) == Unreadable("unreadable")


def test_d7_json5_is_read(path: Path) -> None:
    path.write_bytes(b"// by hand\n{'agent:main:main': {sessionId: 's1', updatedAt: 5,},}")
    assert values(look_at_index(str(path))) == {"agent:main:main": {"sessionId": "s1", "updatedAt": 5}}


def test_a_file_that_changes_under_the_reading_is_torn(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = read_pieces

    def read_while_written(*arguments: object) -> object:
        yield from real(*arguments)  # type: ignore[arg-type]
        with path.open("ab") as file:
            file.write(b" ")

    monkeypatch.setattr(index_file, "read_pieces", read_while_written)
    found = look_at_index(str(path))
    assert isinstance(found, Unreadable)
    assert found.reason == "torn"


def test_d4_a_storm_of_renames_never_shows_a_mix(path: Path) -> None:
    texts = [index_text({f"agent:main:direct:{n}": entry(version) for n in range(40)}) for version in range(3)]
    whole = [json.loads(text) for text in texts]
    path.write_bytes(texts[0])
    stop = threading.Event()

    def storm() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            temporary = path.with_name(f"sessions.json.{number % 2}.tmp")
            temporary.write_bytes(texts[number % 3])
            temporary.rename(path)

    writer = threading.Thread(target=storm)
    writer.start()
    try:
        found = [look_at_index(str(path)) for _ in range(150)]
    finally:
        stop.set()
        writer.join()
    assert all(values(item) in whole for item in found)


def test_d11_fifty_megabytes_are_read_in_time(path: Path) -> None:
    report = {"systemPrompt": {"chars": 16160}, "files": [{"name": f"file-{n}", "rawChars": n} for n in range(100)]}
    member = index_text({"agent:main:direct:NUMBER": entry(1, systemPromptReport=report, note="x" * 4000)})[2:-2]
    path.write_bytes(b"{\n" + b",\n".join(member.replace(b"NUMBER", b"%d" % n) for n in range(5000)) + b"\n}")
    assert path.stat().st_size > 50_000_000
    _, plain = timed(lambda: json.loads(path.read_bytes()))  # 0.4 s where the two allowed seconds were measured
    found, seconds = timed(lambda: index_at(path))
    assert len(found.entries) == 5000
    assert seconds < 8 * plain  # under load one of the two may be measured at twice what it costs
    known = {item.digest: key for key, item in found.entries.items()}
    again, seconds = timed(lambda: look_at_index(str(path), known=lambda: known))
    assert isinstance(again, Index)
    assert all(isinstance(item, KnownEntry) for item in again.entries.values())
    assert seconds < 4 * plain


def timed(act: Callable[[], Found]) -> tuple[Found, float]:
    """What it gives, and the processor's time for it."""
    gc.collect()
    started = time.process_time()
    return act(), time.process_time() - started
