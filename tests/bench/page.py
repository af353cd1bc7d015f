"""The figures as a page: every row, what peers took for the same, a plot of the catch-ups, and where they were taken.

`python -m tests.bench.page BENCH.json docs/bench.md` writes the page and the plot beside it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import orjson

from tests.bench.table import PEERS, Other

_WIDTH, _BAR, _LEFT = 640, 22, 190
_HEAD = """# The benchmark

Made by `make bench-page`: one run on one machine, every row after its neighbour. Ratios travel from machine to
machine, seconds do not. REF reads the same files, splits them into lines and calls `orjson.loads` on each: what no
mirror can be faster than.

All files were read once before, so that nobody waits for the disk. A command is timed as a whole process, with the
start of Python, but for three kinds of rows, which leave that out: `no-op` (unless it says `whole process`) and
`after imports` are the seconds that the verb itself counted, and `work` is a verb called again in a process that has
called it once. `find` and all peers are timed whole; REF is counted after its imports.
"""


_BESIDE = """The same corpora, files and lines, in the same run; in brackets how many times ours. agentsview keeps no
raw bytes. Live it takes what comes within seconds of its last pass together, so where one line is timed
its lines are 6 s apart (median of 8), ours 20 ms (of 300). sqlite-utils and DuckDB put the lines into one
table once, and follow nothing. Rows that are not here have no counterpart there."""


def as_page(document: dict[str, Any], plot: str) -> str:
    rows = document["rows"]
    lines = [_HEAD, "## Where", "", *(f"- {name}: {value}" for name, value in document["machine"].items()), ""]
    lines += ["## Every row", "", "| row | ours | reference | ratio | goal | met |", "|---|---|---|---|---|---|"]
    lines += ["| " + " | ".join(_cells(row)) + " |" for row in rows]
    lines += ["", "## Beside others", "", _BESIDE, "", f"![the first catch-up: seconds, shorter is better]({plot})", ""]
    lines += ["| row | syncd | " + " | ".join(PEERS) + " |", "|---|---|" + "---|" * len(PEERS)]
    lines += ["| " + " | ".join(_beside(row)) + " |" for row in rows if row["others"]]
    notes = [f"- {row['row']}: {row['note']}" for row in rows if row["note"]]
    return "\n".join([*lines, "", "## Notes", "", *notes, ""])


def _cells(row: dict[str, Any]) -> list[str]:
    ratio = "" if row["ratio"] is None else f"{row['ratio']:.3g}"
    met = "" if row["met"] is None else "yes" if row["met"] else "**no**"
    return [row["row"], row["ours"], row["reference"], ratio, row["goal"] or "", met]


def _beside(row: dict[str, Any]) -> list[str]:
    others = {name: str(Other(**other)) for name, other in row["others"].items()}
    return [row["row"], row["ours"], *(others.get(name, "") for name in PEERS)]


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
    """By who took them, from the row that compares first catch-ups by wall clock."""
    figures = next(row["figures"] for row in rows if row["row"].startswith("first catch-up") and "wall" in row["row"])
    ours = {"syncd": figures["ours_seconds"]["median"], "REF (parse only)": figures["reference_seconds"]["median"]}
    return {**ours, **figures["others_seconds"]}


def main() -> None:
    source, target = map(Path, sys.argv[1:])
    document = orjson.loads(source.read_bytes())
    plot = target.with_suffix(".svg")
    target.parent.mkdir(parents=True, exist_ok=True)
    plot.write_text(as_plot(document))
    target.write_text(as_page(document, plot.name))


if __name__ == "__main__":
    main()
