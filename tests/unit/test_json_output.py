import json
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest

from syncd.cli.output import encoded, printable


@dataclass(frozen=True)
class Row:
    path: str
    places: frozenset[str]


@pytest.mark.parametrize("name", ["plain", "caf\udce9"])
def test_records_paths_sets_and_views_are_written_with_either_encoder(name: str) -> None:
    document = {"row": Row(name, frozenset("ba")), "file": Path("/x"), "view": MappingProxyType({"k": 1})}
    written = encoded(document)
    assert json.loads(written) == {"row": {"path": name, "places": ["a", "b"]}, "file": "/x", "view": {"k": 1}}
    assert written.endswith(b"}\n")


def test_integers_beyond_64_bits_come_out_whole() -> None:
    assert json.loads(encoded([2**64, -(2**90)])) == [2**64, -(2**90)]


def test_a_value_without_a_json_form_is_a_fault_and_not_a_guess() -> None:
    with pytest.raises(TypeError, match="a bytes has no place in a JSON document"):
        encoded({"raw": b"\xff"})


def test_words_of_others_cannot_steer_the_terminal() -> None:
    assert printable("né\t\n") == "né\t\n"
    assert printable("\x1b]0;x\x07\r\u202e\udcff") == "\\x1b]0;x\\x07\\r\\u202e\\udcff"
