"""The page of the benchmark: every row is on it, and the plot's lengths are the seconds'."""

from typing import Any
from xml.etree import ElementTree as ET

from tests.bench.page import as_page, as_plot

_SVG = "{http://www.w3.org/2000/svg}"


def _row(name: str, *, met: bool | None = None, note: str = "", **others: dict[str, Any]) -> dict[str, Any]:
    return {
        "row": name, "ours": "1 s", "reference": "", "ratio": 2.0, "goal": "2x", "met": met, "note": note,
        "others": others, "figures": {},
    }  # fmt: skip


_CATCH_UP = _row(
    "first catch-up, 500 MB, wall",
    met=False,
    agentsview={"text": "32 s", "times": 800.0},
    duckdb={"text": "8 s", "times": 2.0},
)
_CATCH_UP["figures"] = {
    "ours_seconds": {"median": 4.0},
    "reference_seconds": {"median": 1.0},
    "others_seconds": {"agentsview": 32.0, "duckdb": 8.0},
}
DOCUMENT: dict[str, Any] = {
    "machine": {"cores": 2},
    "rows": [
        _CATCH_UP,
        _row("append, lost", note="none", agentsview={"text": "7 lines", "times": None}),
        _row("idle", met=True),
    ],
}


def _tables(page: str) -> list[dict[str, str]]:
    """Of each table its lines, by their first cell."""
    return [
        {line.split(" | ")[0].removeprefix("| "): line for line in part.splitlines() if line.startswith("| ")}
        for part in page.split("## Beside others")
    ]


def test_every_row_is_on_the_page_and_a_missed_goal_stands_out() -> None:
    page = as_page(DOCUMENT, "bench.svg")
    lines, _ = _tables(page)
    assert {row["row"] for row in DOCUMENT["rows"]} <= lines.keys()
    assert lines["first catch-up, 500 MB, wall"].endswith("| **no** |")
    assert lines["idle"].endswith("| yes |")
    assert "- cores: 2" in page
    assert "(bench.svg)" in page
    assert "- append, lost: none" in page


def test_what_others_took_stands_beside_ours_each_in_its_column() -> None:
    _, lines = _tables(as_page(DOCUMENT, "bench.svg"))
    assert lines["first catch-up, 500 MB, wall"].endswith("| 1 s | 32 s (800x) |  | 8 s (2x) |")
    assert lines["append, lost"].endswith("| 1 s | 7 lines |  |  |")
    assert "idle" not in lines


def test_twice_the_seconds_are_twice_the_length() -> None:
    drawn = ET.fromstring(as_plot(DOCUMENT))
    names = [text.text for text in drawn.iter(f"{_SVG}text")][::2]
    lengths = dict(zip(names, (int(bar.attrib["width"]) for bar in drawn.iter(f"{_SVG}rect")), strict=True))
    assert list(lengths) == ["REF (parse only)", "syncd", "duckdb", "agentsview"]
    assert abs(lengths["agentsview"] - 8 * lengths["syncd"]) <= 8
    assert abs(lengths["duckdb"] - 2 * lengths["syncd"]) <= 2
