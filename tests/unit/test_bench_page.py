"""The page of the benchmark: every row is on it, and the plot's lengths are the seconds'."""

from typing import Any
from xml.etree import ElementTree as ET

from tests.bench.page import as_page, as_plot

_SVG = "{http://www.w3.org/2000/svg}"


def _row(name: str, *, met: bool | None = None, note: str = "", **figures: Any) -> dict[str, Any]:
    return {
        "row": name, "ours": "1 s", "reference": "", "ratio": 2.0, "goal": "2x", "met": met, "note": note,
        "figures": figures,
    }  # fmt: skip


DOCUMENT: dict[str, Any] = {
    "machine": {"cores": 2},
    "rows": [
        _row(
            "first catch-up, 500 MB, wall", ours_seconds={"median": 4.0}, reference_seconds={"median": 1.0}, met=False
        ),
        _row("against agentsview, 500 MB, wall", peer_seconds={"median": 32.0}, note="keeps no raw bytes"),
        _row("against duckdb, 500 MB, wall", peer_seconds=8.0),
        _row("idle", met=True),
    ],
}


def test_every_row_is_on_the_page_and_a_missed_goal_stands_out() -> None:
    page = as_page(DOCUMENT, "bench.svg")
    lines = {line.split(" | ")[0].removeprefix("| "): line for line in page.splitlines() if line.startswith("| ")}
    assert {row["row"] for row in DOCUMENT["rows"]} <= lines.keys()
    assert lines["first catch-up, 500 MB, wall"].endswith("| **no** |")
    assert lines["idle"].endswith("| yes |")
    assert "- cores: 2" in page
    assert "(bench.svg)" in page
    assert "keeps no raw bytes" in page


def test_twice_the_seconds_are_twice_the_length() -> None:
    drawn = ET.fromstring(as_plot(DOCUMENT))
    names = [text.text for text in drawn.iter(f"{_SVG}text")][::2]
    lengths = dict(zip(names, (int(bar.attrib["width"]) for bar in drawn.iter(f"{_SVG}rect")), strict=True))
    assert list(lengths) == ["REF (parse only)", "syncd", "duckdb", "agentsview"]
    assert abs(lengths["agentsview"] - 8 * lengths["syncd"]) <= 8
    assert abs(lengths["duckdb"] - 2 * lengths["syncd"]) <= 2
