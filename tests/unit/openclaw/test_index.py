"""Session keys and ids out of sessions.json, also when it is only nearly JSON (FAULTS D1, D2, D7)."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.openclaw.index import session_ids_by_key

CHECKOUT = Path(__file__).parents[3]


def test_each_key_gives_its_session_id() -> None:
    raw = b'{"agent:main:main": {"sessionId": "s1", "updatedAt": 1}, "global": {"sessionId": "s2"}}'
    assert session_ids_by_key(raw) == {"agent:main:main": "s1", "global": "s2"}


def test_entries_without_a_usable_id_are_left_out() -> None:
    raw = b'{"a":{"sessionId":"s"},"b":{},"c":{"sessionId":7},"d":null,"e":[],"f":{"sessionId":" "}}'
    assert session_ids_by_key(raw) == {"a": "s"}


@pytest.mark.parametrize("raw", [b"", b"\0" * 100, b" \n", b'{"a":{"sessionId":"s1"', b"[]", b"42"])
def test_what_is_no_index_is_none_and_not_empty(raw: bytes) -> None:
    assert session_ids_by_key(raw) is None


def test_an_empty_index_is_empty() -> None:
    assert session_ids_by_key(b"{}") == {}


def test_json5_is_read() -> None:
    raw = b"// by hand\n{'agent:main:main': {sessionId: 's1', updatedAt: 0x10,}, /* end */}"
    assert session_ids_by_key(raw) == {"agent:main:main": "s1"}


def test_a_byte_order_mark_and_half_an_emoji_do_no_harm() -> None:
    raw = b'\xef\xbb\xbf{"a":{"sessionId":"s","subject":"\\ud83d"}}'
    assert session_ids_by_key(raw) == {"a": "s"}


def test_bottomless_nesting_is_none() -> None:
    assert session_ids_by_key(b'{"a":' * 100_000) is None


@given(st.one_of(st.binary(max_size=60), st.text(alphabet="{}[]'\":,a\\ud8\n/*", max_size=60)))
def test_no_bytes_raise(raw: bytes | str) -> None:
    found = session_ids_by_key(raw.encode() if isinstance(raw, str) else raw)
    for key, session_id in (found or {}).items():
        assert (key + session_id).encode()


def test_the_json5_parser_is_loaded_only_when_plain_json_fails() -> None:
    program = (
        "import sys; from syncd.openclaw.index import session_ids_by_key as read;"
        "read(b'{}'); assert 'pyjson5' not in sys.modules; read(b'{a:1}');"
        "assert 'pyjson5' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=CHECKOUT)
