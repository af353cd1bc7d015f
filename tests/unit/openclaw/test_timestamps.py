"""Moments of every shape that transcripts hold (FAULTS B20)."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.openclaw.timestamps import MAX_EPOCH_MS, to_epoch_ms

MOMENT_MS = 1_794_802_934_551


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-16T04:22:14.551Z",
        "2026-11-16t04:22:14.551z",
        "2026-11-16 04:22:14.551",
        "2026-11-16T04:22:14.551999Z",
        "2026-11-16T04:22:14,551Z",
        "2026-11-16T06:22:14.551+02:00",
        "2026-11-16T06:22:14.551+0200",
        "2026-11-15T23:22:14.551-05",
        "+002026-11-16T04:22:14.551Z",
        " 2026-11-16T04:22:14.551Z\n",
        "1794802934551",
    ],
)
def test_one_moment_in_many_spellings(text: str) -> None:
    assert to_epoch_ms(text) == MOMENT_MS
    assert to_epoch_ms(text) == MOMENT_MS  # the second time from the table of minutes


def test_shorter_forms_stand_for_their_beginning() -> None:
    midnight = to_epoch_ms("2026-11-16T00:00:00.000Z")
    assert to_epoch_ms("2026-11-16") == midnight
    assert to_epoch_ms("2026-11-16T00:00Z") == midnight
    assert to_epoch_ms("2026-11-16T00:00:00Z") == midnight


@pytest.mark.parametrize(
    ("value", "ms"),
    [
        (MOMENT_MS, MOMENT_MS),
        (float(MOMENT_MS) + 0.25, MOMENT_MS),
        (1_794_802_934, 1_794_802_934_000),  # nothing of OpenClaw's is from 1970: seconds
        (1_794_802_934.551, MOMENT_MS),
        (0, 0),
        (-1, -1),
        (MAX_EPOCH_MS, MAX_EPOCH_MS),
    ],
)
def test_numbers_are_milliseconds_unless_they_can_only_be_seconds(value: float, ms: int) -> None:
    assert to_epoch_ms(value) == ms


def test_the_last_moment_of_javascript_is_held() -> None:
    assert to_epoch_ms("+275760-09-13T00:00:00.000Z") == MAX_EPOCH_MS
    assert to_epoch_ms("-271821-04-20T00:00:00.000Z") == -MAX_EPOCH_MS
    assert to_epoch_ms("+275760-09-13T00:00:00.001Z") is None


@pytest.mark.parametrize(
    "junk",
    [
        *(None, True, False, [], {}, "", "now", "2026", "2026-13-01", "2026-02-30", "2025-02-29"),
        *("2026-11-16T24:00:00.000Z", "2026-11-16T04:60:00.000Z", "2026-11-16T04:22:60.000Z"),
        *("2026-11-16T04:22:14.551X", "2026-11-16T04:22:+4.551Z", "2026-11-16T04:22: 4.551Z"),
        *(float("nan"), float("inf"), 2**63, -(2**80), 1e300, "9" * 17, "x" * 10_000),
        "٢٠٢٦-11-16T04:22:14.551Z",
    ],
)
def test_junk_is_none(junk: object) -> None:
    assert to_epoch_ms(junk) is None


@given(st.datetimes(dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31)))
def test_agrees_with_the_calendar_of_the_standard_library(moment: dt.datetime) -> None:
    moment = moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    text = moment.isoformat(timespec="milliseconds") + "Z"
    expected = (moment - dt.datetime(1970, 1, 1)) // dt.timedelta(milliseconds=1)
    assert to_epoch_ms(text) == expected


@given(st.one_of(st.text(), st.integers(), st.floats(), st.binary(), st.none()))
def test_nothing_raises_and_every_result_is_an_int64(value: object) -> None:
    result = to_epoch_ms(value)
    assert result is None or -(2**63) <= result < 2**63
