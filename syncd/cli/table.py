"""Rows as an aligned table for people, or one column below the other where the terminal is too narrow.

Not for JSON. Widths are those of terminal cells (rich knows them), so that emoji and East Asian text line up.
"""

from collections.abc import Iterator, Sequence

from syncd.cli.output import printable

_GAP = "  "
_LONGEST_RULE = 80  # cells below a name: one long value need not draw it across ten thousand
_NARROWEST = 8  # cells a column needs before a table is worth reading
_MAX_SHOWN_BLOB_BYTES = 16
_MAX_CELLS = 10_000  # of one value off a terminal, where nothing else cuts it


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], width: int | None) -> Iterator[str]:
    """Lines of text; `width` None: as wide as it needs to be."""
    from rich.cells import cell_len

    names = [_one_line(name) for name in columns]
    cells = [[_shown(value) for value in row] for row in rows]
    natural = [max(map(cell_len, column)) for column in zip(names, *cells, strict=True)]
    if width is not None and sum(min(size, _NARROWEST) for size in natural) + len(_GAP) * (len(names) - 1) > width:
        yield from _records(names, cells, width)
        return
    widths = _fitted(natural, width)
    is_number = [
        any(row[place] is not None for row in rows)
        and all(row[place] is None or isinstance(row[place], int | float) for row in rows)
        for place in range(len(names))
    ]
    yield _line(names, widths, is_number)
    yield _line(["-" * min(size, _LONGEST_RULE) for size in widths], widths, is_number)
    for row in cells:
        yield _line(row, widths, is_number)


def _records(names: list[str], cells: list[list[str]], width: int) -> Iterator[str]:
    from rich.cells import cell_len

    longest = max(map(cell_len, names))
    for number, row in enumerate(cells, 1):
        yield f"-- {number} --"
        for name, value in zip(names, row, strict=True):
            label = name + " " * (longest - cell_len(name)) + _GAP
            yield label + _cut(value, max(width - longest - len(_GAP), _NARROWEST))


def _fitted(natural: list[int], width: int | None) -> list[int]:
    """The natural widths, the widest columns made equal and narrower until all fit."""
    if width is None:
        return natural
    left, available = len(natural), width - len(_GAP) * (len(natural) - 1)
    for size in sorted(natural):
        cap = max(1, available // left)
        if size > cap:
            return [min(size, cap) for size in natural]
        available -= size
        left -= 1
    return natural


def _line(cells: Sequence[str], widths: list[int], is_number: list[bool]) -> str:
    from rich.cells import cell_len

    parts = []
    for cell, size, right in zip(cells, widths, is_number, strict=True):
        shown = _cut(cell, size)
        blank = " " * (size - cell_len(shown))
        parts.append(blank + shown if right else shown + blank)
    return _GAP.join(parts).rstrip()


def _cut(text: str, size: int) -> str:
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= size:
        return text
    return set_cell_size(text, size - 1).rstrip() + "…" if size > 1 else "…"


def _shown(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        head = value[:_MAX_SHOWN_BLOB_BYTES].hex()
        return f"x'{head}'" if len(value) <= _MAX_SHOWN_BLOB_BYTES else f"x'{head}…' ({len(value)} bytes)"
    return _one_line(str(value))


def _one_line(text: str) -> str:
    shown = printable(text[:_MAX_CELLS]).replace("\n", "\\n").replace("\t", "\\t")
    return shown if len(text) <= _MAX_CELLS else f"{shown}…"
