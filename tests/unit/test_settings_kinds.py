from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.settings import Cron, Duration
from syncd.settings.cron import parse_cron
from syncd.settings.kinds import byte_count, duration, keep_or_after, or_none, schedule, seconds


@pytest.mark.parametrize(
    ("text", "span"),
    [("30s", 30), ("15m", 900), ("24h", 86400), ("7d", 604800), (" 1d ", 86400), ("036h", 129600)],
)
def test_durations_are_a_whole_number_and_a_unit(text: str, span: int) -> None:
    assert duration(text) == Duration(span, text.strip())


@pytest.mark.parametrize(
    "raw",
    ["", "30", "s", "0s", "-1d", "1.5h", "15 m", "1w", "1h30m", "٣d", "9999999999d", 30, True, None,
     date(2026, 1, 1)],
)  # fmt: skip
def test_what_is_no_duration_is_refused(raw: object) -> None:
    with pytest.raises(ValueError, match=r"must be (a time such as|within)"):
        duration(raw)


def test_a_job_has_an_interval_a_cron_expression_or_false() -> None:
    assert schedule("15m") == Duration(900, "15m")
    assert schedule(False) is None
    at_night = schedule("30 2 * * mon-fri")
    assert isinstance(at_night, Cron)
    assert (at_night.minutes, at_night.hours, at_night.weekdays) == (
        frozenset({30}),
        frozenset({2}),
        frozenset({1, 2, 3, 4, 5}),
    )


@pytest.mark.parametrize("raw", [True, None, 15, "soon", [], {}, "off"])
def test_what_is_no_schedule_names_the_three_ways(raw: object) -> None:
    with pytest.raises(ValueError, match="interval such as 15m, a five-field cron expression"):
        schedule(raw)


@pytest.mark.parametrize(
    ("text", "field", "numbers"),
    [
        ("*/15 * * * *", "minutes", {0, 15, 30, 45}),
        ("5/20 * * * *", "minutes", {5, 25, 45}),
        ("0 8-18/5 * * *", "hours", {8, 13, 18}),
        ("0 0 1,15 * *", "days", {1, 15}),
        ("0 0 * JAN,Dec *", "months", {1, 12}),
        ("0 0 * * 7", "weekdays", {0}),
        ("0 0 * * 5-7", "weekdays", {5, 6, 0}),
        ("0 0 29 2 *", "days", {29}),
        ("0 0 31 2 mon", "days", {31}),
    ],
)
def test_cron_fields_are_read_as_crontab_reads_them(text: str, field: str, numbers: set[int]) -> None:
    assert getattr(parse_cron(text), field) == numbers


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("* * * *", "five fields .* not 4"),
        ("* * * * * *", "five fields .* not 6"),
        ("60 * * * *", "minute: 60 is not within 0-59"),
        ("* 24 * * *", "hour: 24"),
        ("* * 0 * *", "day: 0"),
        ("* * * 13 *", "month: 13"),
        ("* * * * 8", "weekday: 8"),
        ("*/0 * * * *", "step .* at least 1"),
        ("9-5 * * * *", "runs backwards"),
        ("x * * * *", "'x' is not a number"),
        ("1,,2 * * * *", "'' is not a number"),
        ("-1 * * * *", "'' is not a number"),
        ("² * * * *", "is not a number"),
        ("* * * mon *", "month: 'mon' is not a number"),
        ("0 0 31 4,6 *", "never comes"),
        ("0 0 30 2 *", "never comes"),
    ],
)
def test_a_wrong_cron_field_is_named(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        schedule(text)


@given(st.text(max_size=40))
def test_any_text_is_a_schedule_or_a_value_error(text: str) -> None:
    try:
        made = schedule(text)
    except ValueError:
        return
    assert isinstance(made, Duration | Cron)


def test_each_retention_key_takes_its_own_verb_only() -> None:
    purge = keep_or_after("purge_after")
    assert purge("keep") is None
    assert purge({"purge_after": "30d"}) == Duration(30 * 86400, "30d")
    for wrong in ({"drop_after": "30d"}, {}, {"purge_after": "30d", "x": 1}, "30d", None, 30):
        with pytest.raises(ValueError, match=r"must be keep or a map such as \{purge_after: 30d\}"):
            purge(wrong)
    with pytest.raises(ValueError, match="purge_after must be a time such as"):
        purge({"purge_after": 30})


def test_byte_sizes_are_whole_numbers_or_none() -> None:
    size = or_none(byte_count(1000), "none")
    assert (size("none"), size(None), size(7)) == (None, None, 7)
    for wrong in (True, 1.0, "1G", 0, 1001, -1):
        with pytest.raises(ValueError, match="or write none"):
            size(wrong)


@pytest.mark.parametrize("raw", [True, "1", None, float("nan"), float("inf"), -0.1, 10.1, [1]])
def test_seconds_are_finite_and_within_their_bounds(raw: object) -> None:
    assert seconds(0, 10)(3) == 3.0
    with pytest.raises(ValueError, match=r"must be (a number of|within)"):
        seconds(0, 10)(raw)


def test_a_message_stays_short_however_large_the_value_is() -> None:
    for raw in ("x" * 100_000, ["y" * 1000] * 1000, 10**5000, {"k": {"k": {"k": "v" * 999}}}):
        with pytest.raises(ValueError, match="must be") as caught:
            schedule(raw)
        assert len(str(caught.value)) < 600
