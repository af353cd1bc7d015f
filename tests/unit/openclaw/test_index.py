"""Session keys, ids and entries out of sessions.json, also when it is only nearly JSON (FAULTS D1, D2, D7)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.openclaw.index import IndexEntries, KnownEntry, ReadEntry, read_entries
from syncd.openclaw.session_entries import entry_text, storable
from tests.unit.openclaw.json_shapes import JSON
from tests.unit.openclaw.session_ids import session_ids

CHECKOUT = Path(__file__).parents[3]


def test_each_key_gives_its_session_id() -> None:
    raw = b'{"agent:main:main": {"sessionId": "s1", "updatedAt": 1}, "global": {"sessionId": "s2"}}'
    assert session_ids(raw) == {"agent:main:main": "s1", "global": "s2"}


def test_entries_without_a_usable_id_are_left_out() -> None:
    raw = b'{"a":{"sessionId":"s"},"b":{},"c":{"sessionId":7},"d":null,"e":[],"f":{"sessionId":" "}}'
    assert session_ids(raw) == {"a": "s"}


@pytest.mark.parametrize("raw", [b"", b"\0" * 100, b" \n", b'{"a":{"sessionId":"s1"', b"[]", b"42"])
def test_what_is_no_index_is_none_and_not_empty(raw: bytes) -> None:
    assert session_ids(raw) is None


def test_an_empty_index_is_empty() -> None:
    assert session_ids(b"{}") == {}


def test_json5_is_read() -> None:
    raw = b"// by hand\n{'agent:main:main': {sessionId: 's1', updatedAt: 0x10,}, /* end */}"
    assert session_ids(raw) == {"agent:main:main": "s1"}


def test_a_byte_order_mark_and_half_an_emoji_do_no_harm() -> None:
    raw = b'\xef\xbb\xbf{"a":{"sessionId":"s","subject":"\\ud83d"}}'
    assert session_ids(raw) == {"a": "s"}


def test_bottomless_nesting_is_none() -> None:
    assert session_ids(b'{"a":' * 100_000) is None


@given(st.one_of(st.binary(max_size=60), st.text(alphabet="{}[]'\":,a\\ud8\n/*", max_size=60)))
def test_no_bytes_raise(raw: bytes | str) -> None:
    found = session_ids(raw.encode() if isinstance(raw, str) else raw)
    for key, session_id in (found or {}).items():
        assert (key + session_id).encode()


def test_the_json5_parser_is_loaded_only_when_plain_json_fails() -> None:
    program = (
        "import sys; from syncd.openclaw.index import read_entries as read;"
        "read(b'{}'); assert 'pyjson5' not in sys.modules; read(b'{a:1}');"
        "assert 'pyjson5' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=CHECKOUT)


# Every entry, with its text


def stringify(index: object) -> bytes:
    return json.dumps(index, indent=2, ensure_ascii=False).encode("utf-8", "surrogatepass")


INDEX = {
    "agent:main:main": {"sessionId": "s1", "updatedAt": 1, "skills": [{"a": {"b": ["\n", "}", ',\n  "x": {']}}]},
    'odd " key, \\ and {': {"sessionId": "s2"},
    "empty": {},
    "junk": 5,
    "": None,
}


def values(entries: IndexEntries | None) -> dict[str, object]:
    assert entries is not None
    return {key: entry.value() for key, entry in entries.items() if isinstance(entry, ReadEntry)}


@pytest.mark.parametrize("indent", [None, 0, 1, 2, 4])
def test_every_entry_is_given_in_whatever_layout(indent: int | None) -> None:
    assert values(read_entries(json.dumps(INDEX, indent=indent).encode())) == INDEX


def test_an_entry_read_before_is_not_parsed_again() -> None:
    first = read_entries(stringify(INDEX))
    assert first is not None
    known = {entry.digest: key for key, entry in first.items()}
    changed = {**INDEX, "agent:main:main": {"sessionId": "s9"}, "new": {"sessionId": "s3"}}
    second = read_entries(stringify(changed), known)
    assert values(second) == {"agent:main:main": {"sessionId": "s9"}, "new": {"sessionId": "s3"}}
    assert second is not None
    assert set(second) == set(changed)


@pytest.mark.parametrize("release", ["2026.5.7", "2026.7.1"])
def test_a_genuine_index_is_read_member_by_member(release: str) -> None:
    raw = (CHECKOUT / f"tests/data/openclaw/{release}/agents/main/sessions/sessions.json").read_bytes()
    entries = read_entries(raw)
    assert values(entries) == json.loads(raw)
    assert entries is not None
    again = read_entries(raw, {entry.digest: key for key, entry in entries.items()})
    assert again is not None
    assert all(isinstance(entry, KnownEntry) for entry in again.values())
    for cut in range(1, len(raw), 997):
        assert read_entries(raw[:-cut], {entry.digest: key for key, entry in entries.items()}) is None


def test_half_an_emoji_stays_half_an_emoji() -> None:
    index = {"a": {"sessionId": "s", "subject": "\ud83d", "n": 2**70}}
    for indent in (2, None):
        assert values(read_entries(json.dumps(index, indent=indent).encode())) == index


@pytest.mark.parametrize("indent", [None, 2])
def test_the_digits_of_a_large_integer_are_kept(indent: int | None) -> None:
    index = {"k": {"sessionId": "s", "peer": 2**70, "deep": [{"x": -(2**64)}]}}
    found = read_entries(json.dumps(index, indent=indent).encode())
    assert values(found) == index
    assert entry_text(values(found)["k"]) == json.dumps(index["k"], separators=(",", ":"))


def test_a_key_counts_for_an_entrys_digest() -> None:
    for indent in (2, None):
        entries = read_entries(json.dumps({"a": {}, "b": {}}, indent=indent).encode())
        assert entries is not None
        assert entries["a"].digest != entries["b"].digest


def test_two_versions_glued_together_are_no_index() -> None:
    whole, shorter = stringify(INDEX), stringify({"agent:main:main": {"sessionId": "s1"}})
    assert read_entries(shorter + whole[len(shorter) :]) is None


@given(st.dictionaries(st.text(max_size=6), JSON, max_size=4), st.integers(0, 400))
def test_member_by_member_is_the_same_as_all_at_once(index: dict[str, object], cut: int) -> None:
    raw = json.dumps(index, indent=2, allow_nan=True).encode()
    entries = read_entries(raw)
    assert entries is not None
    assert {storable(key) for key in index} == set(entries)
    if 0 < cut < len(raw):
        torn = read_entries(raw[:-cut], {entry.digest: key for key, entry in entries.items()})
        assert torn is None
