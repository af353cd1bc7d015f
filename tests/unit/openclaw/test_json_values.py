"""Single values, and their way back into JSON text."""

import json
from typing import Any

import pytest
from hypothesis import given

from syncd.openclaw.json_values import bindable_int, json_text, real_or_none, text_or_none
from tests.unit.openclaw.json_shapes import JSON


@pytest.mark.parametrize(
    ("value", "number"),
    [
        *((1, 1.0), (0.5, 0.5), (-3, -3.0), (2**70, 2.0**70)),
        *((value, None) for value in (True, "1", None, 10**400, float("nan"), float("inf"))),
    ],
)
def test_a_real_is_a_finite_number(value: object, number: float | None) -> None:
    assert real_or_none(value) == number


def test_only_the_wanted_type_passes() -> None:
    assert [text_or_none(value) for value in ("a", 1, None)] == ["a", None, None]


def test_half_a_surrogate_pair_becomes_what_it_becomes_in_any_text() -> None:
    assert json_text({"a\udc00": "x\ud83dy", "b": 10**30}) == '{"a\ufffd":"x\ufffdy","b":1' + "0" * 30 + "}"


def test_json_text_is_compact() -> None:
    assert json_text({"a": [1, "é", None, {"b": True}]}) == '{"a":[1,"é",null,{"b":true}]}'


def test_json_text_writes_large_integers_exactly() -> None:
    value = {"a": [2**64, {"b": -(2**70)}], "c": "é", "d": [], "e": {}}
    assert json.loads(json_text(value)) == value


def test_json_text_writes_whatever_depth_was_read() -> None:
    value: Any = "€"
    for _ in range(5000):
        value = {"a": [value, 1]}
    text = json_text(value)
    assert text.startswith('{"a":[{"a":[')
    assert text.endswith(",1]},1]}")
    assert text.count("[") == 5000


@given(JSON)
def test_json_text_raises_on_nothing_and_reads_back(value: Any) -> None:
    assert json.loads(json_text(value)) == json.loads(json.dumps(value), parse_constant=_null)


def _null(_: str) -> None:
    return None


@pytest.mark.parametrize(
    ("value", "bound"),
    [
        *((number, number) for number in (0, -1, 2**63 - 1, -(2**63))),
        *((number, None) for number in (2**63, 2**64, -(2**63) - 1)),
        *((1.0, 1), (-2e3, -2000), (1.5, None), (2.0**64, None), (1e300, None)),
        *((float("nan"), None), (float("inf"), None)),
        *((True, None), (None, None), ("1", None), ([], None), ({}, None)),
    ],
)
def test_bindable_int_is_what_sqlite_can_hold_or_none(value: object, bound: int | None) -> None:
    assert bindable_int(value) == bound
