"""What a daemon might have told of itself."""

from syncd.daemon.beat import Beat, awake_seconds


def a_beat(**fields: object) -> Beat:
    problems = ({"path": "/x", "reason": "why"},)
    about = {"watch_mode": "events", "watch_reason": None, "watch_code": "", "problems": problems, "degraded": ()}
    names = (
        "looks",
        "rescans",
        "missed_events",
        "overflows",
        "watch_rebuilds",
        "taken_bytes",
        "taken_lines",
        "waiting",
    )
    counts = dict.fromkeys(names, 3)
    times = {"pid": 7, "started_at": 5, "boot_seconds": awake_seconds(), "latency_p50_ms": 1.5, "latency_p99_ms": None}
    return Beat(**{**about, **counts, **times, **fields})  # type: ignore[arg-type]
