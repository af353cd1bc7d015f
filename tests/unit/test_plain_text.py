"""Words, times and sizes as a person reads them."""

import sys

from syncd.cli.output import counted
from syncd.cli.plain_text import one_line, readable, shortened
from syncd.cli.readable import age, local_time, size, utc_time

NOW_MS = 1794830400000  # 2026-11-16 12:00 UTC


def test_no_control_of_a_terminal_passes_and_every_letter_does() -> None:
    kept = "Grüße 你好 🌻 👩\u200d💻 nbsp\xa0 tab\t line\n"
    assert readable(kept) == kept
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    left = readable(every)
    assert not {chr(code) for code in (*range(9), *range(11, 32), *range(127, 160), *range(0x202A, 0x202F))} & set(left)
    assert readable("a\r\nb\rc\x1b[2J") == "a\nb\nc\\x1b[2J"


def test_texts_are_cut_by_lines_and_by_characters() -> None:
    assert shortened("a\nb\nc", 2, 100) == ("a\nb", 2)
    assert shortened("abcdef", 5, 4) == ("abcd", 2)
    assert shortened("a\nb\n", 2, 100) == ("a\nb", 0)
    assert shortened("", 2, 100) == ("", 0)
    assert one_line("  two\n words ", 20) == "two words"
    assert one_line("a" * 30, 10) == "a" * 9 + "…"


def test_ages_and_sizes_are_short() -> None:
    ages = {0: "now", 59_000: "now", 61_000: "1 min", 7_200_000: "2 h", 3 * 86_400_000: "3 d", -5000: "now"}
    assert {before: age(NOW_MS - before, NOW_MS) for before in ages} == ages
    assert age(None, NOW_MS) == ""
    assert [size(count) for count in (0, 812, 1200, 307_200, 12_000_000, 3 * 10**9, 5 * 10**12)] == [
        "0 B", "812 B", "1.2 kB", "307 kB", "12.0 MB", "3.0 GB", "5.0 TB",
    ]  # fmt: skip


def test_times_that_no_calendar_has_are_shown_as_numbers() -> None:
    assert utc_time(NOW_MS) == "2026-11-16 12:00:00 UTC"
    assert utc_time(None) == local_time(None) == ""
    assert utc_time(10**17) == str(10**17)
    assert local_time(-(10**17)) == str(-(10**17))


def test_nouns_go_by_their_number() -> None:
    assert [counted(count, "line") for count in (0, 1, 2)] == ["0 lines", "1 line", "2 lines"]
    assert [counted(count, "copy") for count in (1, 2)] == ["1 copy", "2 copies"]
