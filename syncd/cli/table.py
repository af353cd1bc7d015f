"""Rows as an aligned table for people, or one column below the other where the terminal is too narrow.

Not for JSON. Widths are those of terminal cells (rich knows them), so that emoji and East Asian text line up.
"""

from collections.abc import Iterator, Mapping, Sequence

from syncd.cli.output import line_of

_GAP = "  "
_LONGEST_RULE = 80  # cells below a name: one long value need not draw it across ten thousand
_NARROWEST = 8  # cells a column needs before a table is worth reading
_MAX_SHOWN_BLOB_BYTES = 16
_MAX_CELLS = 10_000  # of one value off a terminal, where nothing else cuts it


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    width: int | None,
    *,
    least: Mapping[str, int] | None = None,
    expendable: Sequence[str] = (),
    ends: str | None = None,
) -> Iterator[str]:
    """Lines of text; `width` None: as wide as it needs to be.

    Where it is too narrow, columns that are `expendable` are left out, in that order, and then the widest are cut:
    none below the cells that it has in `least`, and the one that tells by its end, `ends`, in front.
    """
    from rich.cells import cell_len

    names = [_one_line(name) for name in columns]
    cells = [[_shown(value) for value in row] for row in rows]
    natural = [max(map(cell_len, column)) for column in zip(names, *cells, strict=True)]
    floors = [min(size, (least or {}).get(name, _NARROWEST)) for name, size in zip(columns, natural, strict=True)]
    shown = _places_shown(columns, floors, expendable, width)
    if shown is None:
        assert width is not None
        yield from _records(names, cells, width)
        return
    widths = _fitted([natural[place] for place in shown], [floors[place] for place in shown], width)
    is_number = [
        any(row[place] is not None for row in rows)
        and all(row[place] is None or isinstance(row[place], int | float) for row in rows)
        for place in shown
    ]
    at_end = [columns[place] == ends for place in shown]
    yield _line([names[place] for place in shown], widths, is_number, at_end)
    yield _line(["-" * min(size, _LONGEST_RULE) for size in widths], widths, is_number, at_end)
    for row in cells:
        yield _line([row[place] for place in shown], widths, is_number, at_end)


def _places_shown(
    columns: Sequence[str], floors: list[int], expendable: Sequence[str], width: int | None
) -> list[int] | None:
    """None where not even the columns that must be there fit beside each other."""
    shown = list(range(len(columns)))
    for name in (None, *expendable):
        shown = [place for place in shown if columns[place] != name]
        if width is None or sum(floors[place] for place in shown) + len(_GAP) * (len(shown) - 1) <= width:
            return shown
    return None


def _records(names: list[str], cells: list[list[str]], width: int) -> Iterator[str]:
    from rich.cells import cell_len

    longest = max(map(cell_len, names))
    for number, row in enumerate(cells, 1):
        yield f"-- {number} --"
        for name, value in zip(names, row, strict=True):
            label = name + " " * (longest - cell_len(name)) + _GAP
            yield label + _cut(value, max(width - longest - len(_GAP), _NARROWEST))


def _fitted(natural: list[int], floors: list[int], width: int | None) -> list[int]:
    """The natural widths, the widest columns made equal and narrower, down to their floors, until all fit."""
    if width is None:
        return natural
    available = width - len(_GAP) * (len(natural) - 1)
    narrow, wide = 0, max(natural)
    while narrow < wide:  # the widest cap with which all fit
        cap = (narrow + wide + 1) // 2
        if sum(_capped(natural, floors, cap)) <= available:
            narrow = cap
        else:
            wide = cap - 1
    return _capped(natural, floors, narrow)


def _capped(natural: list[int], floors: list[int], cap: int) -> list[int]:
    return [max(min(size, cap), floor) for size, floor in zip(natural, floors, strict=True)]


def _line(cells: Sequence[str], widths: list[int], is_number: list[bool], at_end: list[bool]) -> str:
    from rich.cells import cell_len

    parts = []
    for cell, size, right, is_end in zip(cells, widths, is_number, at_end, strict=True):
        shown = _cut(cell, size) if not is_end else _end(cell, size)
        blank = " " * (size - cell_len(shown))
        parts.append(blank + shown if right else shown + blank)
    return _GAP.join(parts).rstrip()


def _cut(text: str, size: int) -> str:
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= size:
        return text
    return set_cell_size(text, size - 1).rstrip() + "…" if size > 1 else "…"


def _end(text: str, size: int) -> str:
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= size:
        return text
    return "…" + set_cell_size(text[::-1], size - 1)[::-1]


def _shown(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        head = value[:_MAX_SHOWN_BLOB_BYTES].hex()
        return f"x'{head}'" if len(value) <= _MAX_SHOWN_BLOB_BYTES else f"x'{head}…' ({len(value)} bytes)"
    return _one_line(str(value))


def _one_line(text: str) -> str:
    shown = line_of(text[:_MAX_CELLS])
    return shown if len(text) <= _MAX_CELLS else f"{shown}…"
