"""The figures as a page: a plot of the catch-ups beside each other, every row, and the machine they were taken on.

`python -m tests.bench.page BENCH.json docs/bench.md` writes the page and the plot beside it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import orjson

_WIDTH, _BAR, _LEFT = 640, 22, 190
_HEAD = """# The benchmark

Made by `make bench-page`: one run on one machine, every row after its neighbour. Ratios travel from machine to
machine, seconds do not. REF reads the same files, splits them into lines and calls `orjson.loads` on each: what no
mirror can be faster than.
"""


def as_page(document: dict[str, Any], plot: str) -> str:
    lines = [_HEAD, "## Where", "", *(f"- {name}: {value}" for name, value in document["machine"].items()), ""]
    lines += ["## The first catch-up, and what others take for the same files", ""]
    lines += [f"![seconds, shorter is better]({plot})", ""]
    lines += ["agentsview keeps no raw bytes; sqlite-utils and DuckDB put the lines into one table.", ""]
    lines += ["## Every row", "", "| row | ours | reference | ratio | goal | met |", "|---|---|---|---|---|---|"]
    lines += ["| " + " | ".join(_cells(row)) + " |" for row in document["rows"]]
    notes = [f"- {row['row']}: {row['note']}" for row in document["rows"] if row["note"]]
    return "\n".join([*lines, "", "## Notes", "", *notes, ""])


def _cells(row: dict[str, Any]) -> list[str]:
    ratio = "" if row["ratio"] is None else f"{row['ratio']:.3g}"
    met = "" if row["met"] is None else "yes" if row["met"] else "**no**"
    return [row["row"], row["ours"], row["reference"], ratio, row["goal"] or "", met]


def as_plot(document: dict[str, Any]) -> str:
    """Bars of seconds from zero on: twice the time is twice the length."""
    bars = sorted(_seconds(document["rows"]).items(), key=lambda item: item[1])
    longest = max(seconds for _, seconds in bars)
    height = len(bars) * (_BAR + 8) + 4
    drawn = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" font-family="sans-serif">']
    for number, (name, seconds) in enumerate(bars):
        top = number * (_BAR + 8) + 4
        length = max(2, round((_WIDTH - _LEFT - 80) * seconds / longest))
        colour = "#c2410c" if name == "syncd" else "#64748b"
        drawn.append(f'<text x="{_LEFT - 8}" y="{top + 16}" text-anchor="end" font-size="13">{name}</text>')
        drawn.append(f'<rect x="{_LEFT}" y="{top}" width="{length}" height="{_BAR}" fill="{colour}"/>')
        drawn.append(f'<text x="{_LEFT + length + 6}" y="{top + 16}" font-size="13">{seconds:.2f} s</text>')
    return "\n".join([*drawn, "</svg>", ""])


def _seconds(rows: list[dict[str, Any]]) -> dict[str, float]:
    """By who took them, from the rows that compare first catch-ups by wall clock."""
    found: dict[str, float] = {}
    for row in rows:
        figures = row["figures"]
        if row["row"].startswith("first catch-up") and row["row"].endswith("wall"):
            found["syncd"] = figures["ours_seconds"]["median"]
            found["REF (parse only)"] = figures["reference_seconds"]["median"]
        elif row["row"].startswith("against ") and row["row"].endswith("wall"):
            seconds = figures["peer_seconds"]
            found[row["row"].removeprefix("against ").partition(",")[0]] = (
                seconds if isinstance(seconds, float) else seconds["median"]
            )
    return found


def main() -> None:
    source, target = map(Path, sys.argv[1:])
    document = orjson.loads(source.read_bytes())
    plot = target.with_suffix(".svg")
    target.parent.mkdir(parents=True, exist_ok=True)
    plot.write_text(as_plot(document))
    target.write_text(as_page(document, plot.name))


if __name__ == "__main__":
    main()
