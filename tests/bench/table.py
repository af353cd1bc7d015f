"""The benchmark's result: rows with a goal, as a table for people or as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import orjson

_COLUMNS = ("row", "ours", "reference", "ratio", "goal", "met?")
PEERS = ("agentsview", "sqlite-utils", "duckdb")


@dataclass(frozen=True)
class Goal:
    """What a row's value should be: its ratio, or ours itself where there is no reference."""

    sense: Literal[">=", "<="]
    value: float
    unit: str = ""

    def met_by(self, value: float) -> bool:
        return value >= self.value if self.sense == ">=" else value <= self.value

    def __str__(self) -> str:
        return f"{self.sense} {self.value:g}{self.unit}"


@dataclass(frozen=True)
class Other:
    """What a peer took for the same, and how many times ours that is, where ours is not 0."""

    text: str
    times: float | None = None

    def __str__(self) -> str:
        if self.times is None:
            return self.text
        return f"{self.text} ({self.times:,.0f}x)" if self.times >= 100 else f"{self.text} ({self.times:.2g}x)"


def beside(theirs: float, ours: float, text: str) -> Other:
    return Other(text, theirs / ours if ours else None)


@dataclass(frozen=True)
class Row:
    """One line of the table; `figures` holds the bare numbers behind the texts, for JSON, `others` what PEERS took."""

    row: str
    ours: str
    reference: str = ""
    ratio: float | None = None
    goal: Goal | None = None
    met: bool | None = None
    note: str = ""
    failed: bool = False
    others: dict[str, Other] = field(default_factory=dict)
    figures: dict[str, Any] = field(default_factory=dict)


def as_table(machine: dict[str, str], rows: list[Row]) -> str:
    lines = [tuple(_COLUMNS), *(_cells(row) for row in rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(_COLUMNS))]
    drawn = [_line(line, widths) for line in lines]
    drawn.insert(1, "-" * max(map(len, drawn)))
    notes = [f"  {row.row}: {row.note}" for row in rows if row.note]
    peers = [f"  {row.row}: {name} {other}" for row in rows for name, other in row.others.items()]
    head = [f"{name}: {value}" for name, value in machine.items()]
    return "\n".join([*head, "", *drawn, *_section("notes", notes), *_section("others", peers)])


def _section(head: str, lines: list[str]) -> list[str]:
    return ["", head, *lines] if lines else []


def as_json(machine: dict[str, str], rows: list[Row]) -> bytes:
    document = {"machine": machine, "rows": [{**asdict(row), "goal": _goal(row)} for row in rows]}
    return orjson.dumps(document, option=orjson.OPT_INDENT_2)


def _cells(row: Row) -> tuple[str, ...]:
    ratio = "" if row.ratio is None else f"{row.ratio:.3g}"
    met = "" if row.met is None else "yes" if row.met else "no"
    return (row.row, row.ours, row.reference, ratio, _goal(row) or "", met)


def _goal(row: Row) -> str | None:
    return None if row.goal is None else str(row.goal)


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    first, *others = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return "  ".join([first, *others]).rstrip()
