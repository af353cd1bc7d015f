"""Tables on narrow terminals: what is left out, what is cut, and what never is."""

import pytest
from rich.cells import cell_len

from syncd.cli.table import table

COLUMNS = ("session", "title", "size", "words")
ROWS = [
    ("agent:main:cron:job-1:run:0c000000-0000-4000-8000-00000000000c", "Cron: nightly", "801 B", "one two three four"),
    ("agent:main:main", "你好, a long title of many words", "312 kB", "five"),
]


def drawn(width: int | None) -> list[str]:
    least = {"session": 20, "size": 99}
    return list(table(COLUMNS, ROWS, width, least=least, expendable=("words", "title"), ends="session"))


def test_off_a_terminal_everything_is_there() -> None:
    text = "\n".join(drawn(None))
    assert all(value in text for row in ROWS for value in row)


@pytest.mark.parametrize("width", range(28, 140))
def test_no_line_is_wider_than_the_terminal_and_sizes_are_whole(width: int) -> None:
    lines = drawn(width)
    assert max(map(cell_len, lines)) <= width
    assert "312 kB" in "\n".join(lines)
    assert "agent:main:main" in "\n".join(lines)


def test_columns_are_left_out_in_their_order() -> None:
    heads = {tuple(drawn(width)[0].split()) for width in range(28, 140)}
    assert heads == {("session", "title", "size", "words"), ("session", "title", "size"), ("session", "size")}


def test_a_key_is_cut_in_front_since_its_end_is_what_show_takes() -> None:
    (line,) = (line for line in drawn(40) if "801 B" in line)
    assert line.startswith("…")
    assert line.split()[0].endswith("8000-00000000000c")


def test_where_nothing_fits_columns_stand_below_each_other_and_none_is_left_out() -> None:
    lines = drawn(20)
    assert [line.split()[0] for line in lines[:5]] == ["--", "session", "title", "size", "words"]
