"""Moments and zones as people type them, on days when the clock is changed too."""

from datetime import UTC, datetime

import pytest

from syncd.cli.moments import day_of, moment, zone_of
from syncd.errors import UserError

NOW = 1_774_780_200_000
"""29 March 2026, 10:30 UTC: the day on which Berlin loses an hour."""


def utc(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("text", "zone", "start", "end"),
    [
        ("2026-03-29", "UTC", "2026-03-29T00:00", "2026-03-30T00:00"),
        ("2026-03-29", "Europe/Berlin", "2026-03-28T23:00", "2026-03-29T22:00"),  # 23 hours
        ("2026-10-25", "Europe/Berlin", "2026-10-24T22:00", "2026-10-25T23:00"),  # 25 hours
        ("2026-03-29", "Asia/Beirut", "2026-03-28T22:00", "2026-03-29T21:00"),  # midnight itself is skipped
        ("2026-01-01", "Asia/Kathmandu", "2025-12-31T18:15", "2026-01-01T18:15"),
        ("today", "Pacific/Auckland", "2026-03-28T11:00", "2026-03-29T11:00"),
        ("yesterday", "UTC", "2026-03-28T00:00", "2026-03-29T00:00"),
    ],
)
def test_a_day_is_a_whole_day_of_its_zone(text: str, zone: str, start: str, end: str) -> None:
    assert moment(text, zone_of(zone), NOW) == utc(start)
    assert moment(text, zone_of(zone), NOW, is_end=True) == utc(end)


@pytest.mark.parametrize(
    ("text", "zone", "found"),
    [
        ("2026-03-29T14:30", "Europe/Berlin", "2026-03-29T12:30"),
        ("2026-03-29 14:30:10", "UTC", "2026-03-29T14:30:10"),
        ("2026-03-29T14:30+02:00", "America/New_York", "2026-03-29T12:30"),
        ("2026-03-29T14:30Z", "Europe/Berlin", "2026-03-29T14:30"),
        ("90m", "UTC", "2026-03-29T09:00"),
        ("24h", "Europe/Berlin", "2026-03-28T10:30"),
        ("2w", "UTC", "2026-03-15T10:30"),
    ],
)
def test_a_time_or_how_long_ago_is_a_moment(text: str, zone: str, found: str) -> None:
    assert moment(text, zone_of(zone), NOW) == moment(text, zone_of(zone), NOW, is_end=True) == utc(found)


@pytest.mark.parametrize("text", ["", "2026-02-30", "2026-3-1", "soon", "7 days", "-1d", "999999w", "0001-01-01", "٣d"])
def test_what_is_no_moment_is_refused_with_what_would_be(text: str) -> None:
    with pytest.raises(UserError) as refused:
        moment(text, zone_of("Asia/Tokyo"), NOW)
    assert "2026-03-29" in refused.value.hint


@pytest.mark.parametrize(
    "name", ["", "Mars/Olympus", "../../etc/passwd", "/etc/localtime", "Europe", "a\0b", "x" * 5000]
)
def test_an_unknown_zone_is_refused_with_an_example(name: str) -> None:
    with pytest.raises(UserError) as refused:
        zone_of(name)
    assert "Europe/Berlin" in refused.value.hint


@pytest.mark.parametrize(
    ("at", "zone", "day"),
    [
        ("2026-03-28T22:59:59.999", "Europe/Berlin", "2026-03-28"),
        ("2026-03-28T23:00", "Europe/Berlin", "2026-03-29"),
        ("2026-03-29T21:59", "Europe/Berlin", "2026-03-29"),
        ("2026-03-29T22:00", "Europe/Berlin", "2026-03-30"),
        ("2026-10-25T22:59", "Europe/Berlin", "2026-10-25"),
        ("2026-11-01T04:30", "America/New_York", "2026-11-01"),
    ],
)
def test_the_day_of_an_instant_follows_the_clocks_of_the_zone(at: str, zone: str, day: str) -> None:
    assert day_of(utc(at), zone_of(zone)) == day


def test_an_instant_that_no_calendar_has_is_of_no_day() -> None:
    assert day_of(8_640_000_000_000_000, zone_of("Europe/Berlin")) is None


def test_local_is_the_zone_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    with monkeypatch.context() as patch:
        patch.setenv("TZ", "America/New_York")
        time.tzset()
        local = zone_of("local")
        found = [day_of(utc(f"2026-11-0{number}T04:30"), local) for number in (1, 2)]
        start, end = moment("2026-11-01", local, NOW), moment("2026-11-01", local, NOW, is_end=True)
    time.tzset()
    assert found == ["2026-11-01", "2026-11-01"]  # the clocks went back in between
    assert (end - start) / 3_600_000 == 25
