"""Lines of megabytes: what is taken out is put back exactly, and means what a plain parser says it means."""

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.openclaw import heavy_lines
from syncd.openclaw.heavy_lines import Light, lighten, restore, unescaped
from syncd.openclaw.json_repair import repaired
from tests.unit.openclaw.json_shapes import JSON

texts = st.lists(
    st.sampled_from(
        ["a", "é", "😀", "漢", "\n", '"', "\\", "\0", "\x1b", "/", "\u2028", "\ud83d", "\udc00", "x" * 30, "\\u0041"]
    ),
    max_size=60,
).map("".join)


@pytest.fixture(autouse=True)
def small_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Giants of 20 bytes, read in slices of 16: every border is met."""
    monkeypatch.setattr(heavy_lines, "GIANT_BYTES", 20)
    monkeypatch.setattr(heavy_lines, "_SLICE_BYTES", 16)


def plain(text: str) -> str:
    """A lone surrogate cannot be stored; everybody here sees U+FFFD in its place."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@given(text=texts, is_ascii=st.booleans())
def test_a_body_means_what_a_plain_parser_says(text: str, is_ascii: bool) -> None:
    body = json.dumps(text, ensure_ascii=is_ascii).encode("utf-8", "surrogatepass")[1:-1]
    if not is_ascii and any("\ud800" <= sign <= "\udfff" for sign in text):
        return  # no writer makes such bytes
    assert unescaped(body) == plain(text).encode()


@given(text=texts)
def test_escapes_of_every_spelling_are_read(text: str) -> None:
    body = "".join(f"\\u{unit:04X}" for unit in utf16_units(text)).encode()
    assert unescaped(body) == plain(text).encode()


def utf16_units(text: str) -> list[int]:
    data = text.encode("utf-16-le", "surrogatepass")
    return [int.from_bytes(data[place : place + 2], "little") for place in range(0, len(data), 2)]


@given(
    parts=st.lists(st.sampled_from([b"abc", b"\xff", b"\xf0\x9f", b"\x80\x80", "é".encode(), b"x" * 14]), max_size=20)
)
def test_broken_characters_are_mended_as_elsewhere(parts: list[bytes]) -> None:
    body = b"".join(parts)
    assert unescaped(body) == orjson.loads(repaired(b'"' + body + b'"')[0]).encode()


objects = st.dictionaries(texts.map(plain), JSON | texts.map(plain), max_size=6)


@given(value=objects)
def test_what_is_taken_out_of_a_line_is_put_back_as_it_was(value: dict[str, Any]) -> None:
    raw = json.dumps(value, ensure_ascii=False, allow_nan=False, default=str).encode() if is_finite(value) else b"{}"
    light = lighten(raw)
    assert light is not None
    assert all(len(giant) >= 18 or b"\\u00" in giant for giant in light.giants)
    written = orjson.dumps(orjson.loads(light.line)).decode()
    restored = restore(written, light.giants)
    assert orjson.loads(restored if restored is not None else written) == orjson.loads(raw)
    assert (restored is None) == (not light.giants)


def is_finite(value: object) -> bool:
    return "NaN" not in json.dumps(value) and "Infinity" not in json.dumps(value)


@given(text=texts.map(plain), before=st.sampled_from(["", "a", "é\n"]))
def test_a_text_cell_gets_its_giants_back_between_its_other_words(text: str, before: str) -> None:
    light = lighten(json.dumps([text, "short"], ensure_ascii=False).encode())
    assert light is not None
    cell = before + "\n".join(orjson.loads(light.line))
    restored = restore(cell, light.giants)
    whole = f"{before}{text}\nshort"
    assert (restored.decode() if restored is not None else cell) == whole


def test_short_strings_stay_and_a_light_line_is_the_line_itself() -> None:
    raw = b'{"a":"short","b":["x"],"c":"12345678901234567"}'
    assert lighten(raw) == Light(raw, ())
    assert restore("anything", ()) is None


def test_keys_are_taken_out_too_and_quotes_inside_strings_end_nothing() -> None:
    raw = b'{"a key that is longer than twenty":"and a \\"quoted\\" value of it \\\\","n":1}'
    light = lighten(raw)
    assert light is not None
    assert len(light.giants) == 2
    assert orjson.loads(light.line)["n"] == 1


def test_an_unfinished_string_is_left_to_the_parser() -> None:
    for raw in (b'{"a":"a string that never ends', b'{"a":"a string that never ends \\"', b'{"a":"one that ends in \\'):
        light = lighten(raw)
        assert light is not None
        with pytest.raises(orjson.JSONDecodeError):
            orjson.loads(light.line)


def test_a_marker_in_the_text_itself_is_taken_for_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heavy_lines, "GIANT_BYTES", 40)
    for number in (0, 1, 7):
        said = f"\0syncd-giant-{number}~"
        raw = json.dumps({"a": said, "b": "y" * 40}).encode()
        light = lighten(raw)
        assert light is not None
        cells = orjson.loads(light.line)
        assert (restore(cells["a"], light.giants) or cells["a"].encode()).decode() == said
        assert restore(cells["b"], light.giants) == b"y" * 40


@pytest.mark.parametrize(
    "raw", [b'{"a":[' + b'"",' * 3000 + b'""]}', b'{"a":[' + b"0," * 9000 + b"0]}", b"[" * 9000, b"{" * 9000]
)
def test_more_values_than_memory_should_hold_are_refused(monkeypatch: pytest.MonkeyPatch, raw: bytes) -> None:
    monkeypatch.setattr(heavy_lines, "MAX_STRINGS", 2000)
    monkeypatch.setattr(heavy_lines, "MAX_VALUES", 8000)
    assert lighten(raw) is None


def test_commas_and_quotes_inside_a_giant_are_no_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heavy_lines, "MAX_VALUES", 10)
    monkeypatch.setattr(heavy_lines, "MAX_STRINGS", 10)
    light = lighten(json.dumps({"code": '[{"a": 1}, {"b": 2}, ' * 100}).encode())
    assert light is not None
    assert len(light.giants) == 1
