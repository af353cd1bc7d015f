"""The knowledge of this package held against files that OpenClaw itself wrote, release by release.

MANIFEST.json beside each set was counted by other means (node, no code of ours).
"""

import hashlib
import json
import sqlite3
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from syncd.openclaw.entries import ENTRY_TYPES, entry_type, header_version
from syncd.openclaw.file_kinds import classify
from syncd.openclaw.lines import Decoded, Undecodable, decode_line
from syncd.openclaw.messages import answer_parts, message_of, usage_of
from syncd.openclaw.timestamps import to_epoch_ms
from tests.unit.openclaw.session_ids import session_ids

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

DATA = Path(__file__).parents[2] / "data" / "openclaw"
RELEASES = ("2026.5.7", "2026.7.1", "2026.9.6", "migrated-7.1-to-9.6")
OUR_KIND = {
    "transcript": "primary",
    "checkpoint": "checkpoint",
    "reset": "reset",
    "deleted": "deleted",
    "repair-backup": "backup",
    "trajectory": "trajectory_path",
    "index": "index",
}
MANIFESTS: dict[str, dict[str, Any]] = {
    release: json.loads((DATA / release / "MANIFEST.json").read_text()) for release in RELEASES
}
FILES: list[tuple[Path, dict[str, Any]]] = [
    (DATA / release / name, about) for release in RELEASES for name, about in MANIFESTS[release]["files"].items()
]
TRANSCRIPTS = [(path, about) for path, about in FILES if "entryTypes" in about]
DATABASES = [(path, about) for path, about in FILES if about["kind"] == "database"]


def named(value: object) -> str:
    return "/".join((value.parts[-5], value.name)) if isinstance(value, Path) else ""


def complete_lines(path: Path) -> list[bytes]:
    raw = path.read_bytes()
    if path.suffix == ".zst":
        raw = zstd.decompress(raw)
    return raw.split(b"\n")[:-1]


def type_and_role(value: dict[str, Any]) -> str:
    kind = entry_type(value)
    return f"message:{message_of(value).get('role')}" if kind == "message" else kind


@pytest.mark.parametrize(("path", "about"), FILES, ids=named)
def test_the_copy_is_byte_for_byte_the_genuine_file(path: Path, about: dict[str, Any]) -> None:
    raw = path.read_bytes()
    assert (len(raw), hashlib.sha256(raw).hexdigest()) == (about["bytes"], about["sha256"])


@pytest.mark.parametrize("release", RELEASES)
def test_no_file_is_missing_and_none_was_added(release: str) -> None:
    there = {str(p.relative_to(DATA / release)) for p in (DATA / release).rglob("*") if p.is_file()}
    assert there - {"MANIFEST.json"} == set(MANIFESTS[release]["files"])


@pytest.mark.parametrize(("path", "about"), FILES, ids=named)
def test_the_name_tells_the_kind(path: Path, about: dict[str, Any]) -> None:
    found = classify(path.name)
    if about["kind"] == "import-archive":
        assert found.archive_reason == "imported"
        assert found.kind in ("import_archive", "trajectory_path", "index_backup")
        assert (found.kind == "import_archive") is ("entryTypes" in about)
    elif about["kind"] in OUR_KIND:
        assert found.kind == OUR_KIND[about["kind"]]
    else:
        assert found.kind == "unknown"  # the database and the prompts lie in other directories


@pytest.mark.parametrize(("path", "about"), TRANSCRIPTS, ids=named)
def test_every_line_decodes_to_the_counted_types(path: Path, about: dict[str, Any]) -> None:
    found: Counter[str] = Counter()
    for line in complete_lines(path):
        result = decode_line(line)
        if isinstance(result, Undecodable):
            assert result == Undecodable("not_json")
            found["!malformed"] += 1
        else:
            assert entry_type(result.value) in ENTRY_TYPES
            found[type_and_role(result.value)] += 1
    assert found == about["entryTypes"]


@pytest.mark.parametrize(("path", "about"), TRANSCRIPTS, ids=named)
def test_the_header_has_the_counted_id_and_a_known_version(path: Path, about: dict[str, Any]) -> None:
    first = decode_line(complete_lines(path)[0])
    assert isinstance(first, Decoded)
    assert first.value["type"] == "session"
    assert first.value["id"] == about["headerId"]
    assert header_version(first.value) in ("1", "2", "3", "4")
    assert to_epoch_ms(first.value["timestamp"]) is not None


@pytest.mark.parametrize(("path", "about"), TRANSCRIPTS, ids=named)
def test_every_entry_and_message_is_understood(path: Path, about: dict[str, Any]) -> None:
    for line in complete_lines(path):
        result = decode_line(line)
        if isinstance(result, Undecodable):
            continue
        assert to_epoch_ms(result.value["timestamp"]) is not None
        if entry_type(result.value) != "message":
            continue
        message = message_of(result.value)
        content = message["content"]
        assert to_epoch_ms(message["timestamp"]) is not None
        assert answer_parts(content) != (None, None, []) or content == []
        if message["role"] == "assistant":
            used = usage_of(message)
            assert used is not None
            assert None not in used


def test_the_lone_surrogates_of_node_are_among_the_genuine_lines() -> None:
    flags = {
        flag
        for path, _ in TRANSCRIPTS
        for line in complete_lines(path)
        if isinstance(found := decode_line(line), Decoded)
        for flag in found.flags
    }
    assert flags == {"surrogate"}


@pytest.mark.parametrize("release", RELEASES)
def test_the_index_gives_the_counted_sessions(release: str) -> None:
    for agent, about in MANIFESTS[release]["agents"].items():
        path = DATA / release / "agents" / agent / "sessions" / "sessions.json"
        if path.exists():
            expected = {pair["key"]: pair["sessionId"] for pair in about["keys"]}
            assert session_ids(path.read_bytes()) == expected


@pytest.mark.parametrize(("path", "about"), DATABASES, ids=named)
def test_every_event_of_openclaws_own_database_decodes(path: Path, about: dict[str, Any]) -> None:
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    rows = connection.execute("SELECT session_id, event_json, event_zstd FROM transcript_events")
    counts: Counter[str] = Counter()
    for session_id, text, compressed in rows:
        raw = text.encode() if text is not None else zstd.decompress(compressed)
        result = decode_line(raw)
        assert isinstance(result, Decoded)
        assert entry_type(result.value) in ENTRY_TYPES
        counts[session_id] += 1
    connection.close()
    assert counts == {session: events["rows"] for session, events in about["events"].items()}
