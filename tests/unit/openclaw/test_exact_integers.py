"""Integers of any size are read exactly, whatever stands around them; floats stay floats."""

import json
from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from syncd.openclaw.exact_integers import made_exact, may_be_inexact

large = st.integers(min_value=-(10**40), max_value=10**40) | st.sampled_from(
    [2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**64 + 1, -(2**63), -(2**63) - 1]
)
values = st.recursive(
    large | st.floats(allow_nan=False, allow_infinity=False) | st.text() | large.map(str) | st.none() | st.booleans(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | large.map(str), inner, max_size=4),
    max_leaves=12,
)


@given(value=values, separators=st.sampled_from([(",", ":"), (" , ", " : ")]))
@example(value=[2**64, '\\"18446744073709551617', {"18446744073709551617": 1e30}], separators=(",", ":"))
@example(value=[2**64, -(2**64), 0.0008340459827515886, -1.5e-300, 1e22], separators=(",", ":"))
def test_what_python_reads_exactly_is_read_exactly(value: Any, separators: tuple[str, str]) -> None:
    body = json.dumps(value, separators=separators).encode()
    found = made_exact(body, orjson.loads(body))
    assert found == json.loads(body)
    assert repr(found) == repr(json.loads(body))  # 1 == 1.0


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 10**300])
@pytest.mark.parametrize("shape", ["%d", "[%d]", '{"a":%d}', '{"a":[1,{"b":[[%d]]}]}'])
def test_a_large_integer_is_seen_wherever_it_stands(shape: str, number: int) -> None:
    assert may_be_inexact(orjson.loads(shape % number))


@pytest.mark.parametrize("text", ["1", '"18446744073709551616"', "[1.5,1e18]", '{"a":[9223372036854775807]}', "null"])
def test_usual_values_are_not_suspected(text: str) -> None:
    assert not may_be_inexact(orjson.loads(text))


def test_digits_of_fractions_and_exponents_are_no_integers() -> None:
    floats = b"12345678901234567890.5,0.12345678901234567890,1e-00000000000000000000001,1E+0000000000000000000009"
    body = b"[18446744073709551616,%b]" % floats
    assert made_exact(body, orjson.loads(body)) == json.loads(body)


def test_depth_is_no_limit() -> None:
    body = b'{"a":' * 1000 + b"%d" % 2**70 + b"}" * 1000
    found = made_exact(body, orjson.loads(body))
    for _ in range(1000):
        found = found["a"]
    assert found == 2**70
