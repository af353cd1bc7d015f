"""The life of one OpenClaw in chapters: everything that can befall a transcript, an index and a log, in few bytes.

syncd looks after each chapter, so that a ledger holds what no look at the last state could tell: generations, archives,
what is gone. The same bytes come out each time, so that the sources of a ledger which was recorded long ago can be laid
out again.
"""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.jobs.old_sessions import talk, tool_result
from tests.mirror.household import (
    LATER_TIME,
    RESET_TIME,
    Household,
    compressed,
    header,
    line,
    message,
    name_of,
    session_id,
)
from tests.openclaw_store import AgentStore

GENUINE = Path(__file__).parents[1] / "data" / "openclaw" / "2026.7.1"
LARGE = (
    "main/sessions/0a000002-0000-4000-8000-000000000002.jsonl",
    "main/sessions/7e43ba47-0cbe-40b4-b916-3f4f519a1810.jsonl.reset.2026-11-16T04-18-31.354Z",
    "ops/sessions/0a00000a-0000-4000-8000-00000000000a.jsonl",
)
"""Left out, so that the ledgers are small."""

REWRITTEN, TRUNCATED, RESET, SUCCESSOR, DELETED, GONE, FORKED, ODD = range(0x101, 0x109)
TORN, HOLED, PURGED, PINNED, REMOVED, LONG, SPOKEN = range(0x109, 0x110)
MOVED, BORN_IN_STORE, LET_GO = range(0x201, 0x204)
STORE_AGENT = "lab"
IMPORTED_AT = 1794802732071
NOW = 1_794_802_930_000


def said(number: int, place: int, text: str | None = None, role: str = "user") -> bytes:
    """The message at this place of a session; no two sessions share an id."""
    base = number << 12
    made = message(base + place, text or f"what was said as number {place}", role)
    return made.replace(f'"{base:08x}"'.encode(), b"null")


def talked(number: int, count: int) -> bytes:
    return header(number) + b"".join(said(number, place) for place in range(1, count + 1))


ODD_LINES = (
    b" \t \r\n"
     b"no json\n"
    + b"\0" * 40 + b"\n"
    + b'{"type":"message","id":"torn\n'
    + said(ODD, 3)[:-1] + said(ODD, 4)
    + said(ODD, 5)[:40] + said(ODD, 6)
    + said(ODD, 7, "broken").replace(b"broken", b"\xff\xfe\xfd")
    + b'{"type":"unheard_of","id":"x"}\n'
    + said(ODD, 8)
)  # fmt: skip


def key_of(number: int, agent: str = "main") -> str:
    return f"agent:{agent}:direct:{number:x}"


def first(house: Household) -> None:
    """A household of 2026.7.1 that another one shares."""
    shutil.rmtree(house.state_dir)
    shutil.copytree(GENUINE, house.state_dir)
    (house.state_dir / "MANIFEST.json").unlink()
    for name in LARGE:
        (house.state_dir / "agents" / name).unlink()
    for number in (REWRITTEN, TRUNCATED, RESET, DELETED, GONE, PINNED, REMOVED):
        house.write(name_of(number), talked(number, 4))
    house.write(name_of(ODD), talked(ODD, 2))
    house.write(name_of(TORN), talked(TORN, 2))
    house.write(name_of(HOLED), talk(HOLED, text="wolpertinger " * 20))
    house.write(name_of(PURGED), header(PURGED) + said(PURGED, 1, "never to be seen again"))
    house.write(name_of(LONG), talked(LONG, 1) + _long_results(2, 8))
    house.write(
        name_of(SPOKEN), header(SPOKEN) + said(SPOKEN, 1, "hello") + said(SPOKEN, 2, "good day", role="assistant")
    )
    house.write(_trajectory(REWRITTEN), _recorded(0, 3))
    house.write(_trajectory(GONE), _recorded(0, 2))
    there = [number for number in range(REWRITTEN, SPOKEN + 1) if number not in (SUCCESSOR, FORKED)]
    _index(house, {number: {"label": f"number {number:x}"} for number in there})
    runs = house.state_dir / "cron" / "runs"
    runs.mkdir(parents=True)
    (runs / "job-1.jsonl").write_bytes(_cron_run(1) + _cron_run(2))
    for number in (MOVED, LET_GO):
        (house.sessions(STORE_AGENT) / name_of(number)).write_bytes(talked(number, 3))
    about = {key_of(number, STORE_AGENT): _entry(number) for number in (MOVED, LET_GO)}
    (house.sessions(STORE_AGENT) / "sessions.json").write_text(json.dumps(about))


def second(house: Household) -> None:
    """Turns, a repair, a truncation, a reset, a deletion, a fork."""
    house.replace(name_of(REWRITTEN), talked(REWRITTEN, 4).replace(b"number 2", b"number 2, repaired"))
    house.truncate(name_of(TRUNCATED), len(talked(TRUNCATED, 2)))
    house.rename(name_of(RESET), f"{name_of(RESET)}.reset.{RESET_TIME}")
    house.write(name_of(SUCCESSOR), talked(SUCCESSOR, 1))
    house.rename(name_of(DELETED), f"{name_of(DELETED)}.deleted.{LATER_TIME}")
    house.append(name_of(GONE), said(GONE, 5) + said(GONE, 6)[:60])
    house.write(
        name_of(FORKED),
        header(FORKED, parentSession=f"/home/claw/.openclaw/agents/main/sessions/{name_of(REWRITTEN)}")
        + said(REWRITTEN, 1)
        + said(REWRITTEN, 2)
        + said(REWRITTEN, 3, "another way"),
    )
    house.append(name_of(ODD), ODD_LINES)
    house.append(name_of(TORN), said(TORN, 3) + said(TORN, 4)[:50])
    house.append(name_of(LONG), _long_results(9, 10))
    house.append(name_of(SPOKEN), said(SPOKEN, 3, "and then?") + said(SPOKEN, 4, "NO_REPLY", role="assistant"))
    house.write(f"{session_id(SPOKEN)}.checkpoint.{session_id(0x301)}.jsonl", house.path(name_of(SPOKEN)).read_bytes())
    house.write(f"{name_of(SPOKEN)}.bak-31223-1794802934685", house.path(name_of(SPOKEN)).read_bytes()[:-1])
    house.append(_trajectory(REWRITTEN), _recorded(3, 5))
    _index(
        house,
        {RESET: {"sessionId": session_id(SUCCESSOR), "updatedAt": NOW + 10}, FORKED: {}, PINNED: {"label": "renamed"}},
        without=[DELETED],
    )
    with (house.state_dir / "cron" / "runs" / "job-1.jsonl").open("ab") as log:
        log.write(_cron_run(3))


def third(house: Household) -> None:
    """A second rewrite, what was truncated goes on, and OpenClaw prunes."""
    house.write(
        name_of(REWRITTEN), header(REWRITTEN) + said(REWRITTEN, 1, "all else is compacted") + said(REWRITTEN, 2)
    )
    house.append(name_of(TRUNCATED), said(TRUNCATED, 3, "otherwise") + said(TRUNCATED, 4, "than before"))
    house.path(name_of(GONE)).unlink()
    house.path(_trajectory(GONE)).unlink()
    house.path(name_of(REMOVED)).unlink()
    house.append(name_of(TORN), said(TORN, 4)[50:] + said(TORN, 5)[:70])
    house.write(_trajectory(REWRITTEN), _recorded(2, 6))
    house.write(f"{session_id(0x302)}.jsonl.reset.{LATER_TIME}.{'ab' * 16}.zst", compressed(talked(0x302, 2)))
    _index(house, {PINNED: {"label": "renamed again", "updatedAt": NOW + 20}}, without=[REMOVED])


def fourth(house: Household) -> None:
    """One agent moves from files into OpenClaw's own SQLite, and goes on there."""
    place = house.import_archive(STORE_AGENT)
    with AgentStore(_store(house)) as store:
        for number in (MOVED, LET_GO):
            path, key = house.sessions(STORE_AGENT) / name_of(number), key_of(number, STORE_AGENT)
            store.import_lines(session_id(number), path.read_bytes(), key)
            path.rename(place / f"{key.replace(':', '_')}.{path.name}.imported-{IMPORTED_AT}")
        store.append(session_id(MOVED), said(MOVED, 4), said(MOVED, 5))
        store.add_session(session_id(BORN_IN_STORE), key_of(BORN_IN_STORE, STORE_AGENT), label="born there")
        store.append(session_id(BORN_IN_STORE), *talked(BORN_IN_STORE, 5).splitlines(keepends=True))
        store.record(session_id(BORN_IN_STORE), *_recorded(0, 3).splitlines(keepends=True))
    index = house.sessions(STORE_AGENT) / "sessions.json"
    index.rename(place / f"legacy-store.sessions.json.imported-{IMPORTED_AT}")


def fifth(house: Household) -> None:
    """Rewrites in the database, one of its sessions deleted, and one more turn everywhere."""
    with AgentStore(_store(house)) as store:
        store.remove_trailing(session_id(MOVED), 2)
        store.append(session_id(MOVED), said(MOVED, 4, "otherwise"))
        store.rewrite_row(session_id(BORN_IN_STORE), 2, said(BORN_IN_STORE, 2, "repaired there"))
        store.append(session_id(BORN_IN_STORE), said(BORN_IN_STORE, 6))
        store.record(session_id(BORN_IN_STORE), *_recorded(3, 4).splitlines(keepends=True))
        store.delete_session(session_id(LET_GO))
    house.append(name_of(REWRITTEN), said(REWRITTEN, 4, "after two rewrites"))
    house.append(name_of(FORKED), said(REWRITTEN, 4, "and further"))


def last(house: Household) -> None:
    """After retention, a purge and pins, where the program has them: what lost something grows, too."""
    house.append(name_of(HOLED), tool_result(7, "wolpertinger " * 20) + message(8, "still there"))
    house.append(name_of(PINNED), said(PINNED, 5))
    house.append(name_of(PURGED), said(PURGED, 2, "nor this"))


CHAPTERS: tuple[Callable[[Household], None], ...] = (first, second, third, fourth, fifth)


def lived(house: Household) -> None:
    """The sources as the last chapter left them."""
    for chapter in (*CHAPTERS, last):
        chapter(house)


def _trajectory(number: int) -> str:
    return f"{session_id(number)}.trajectory.jsonl"


def _recorded(start: int, end: int) -> bytes:
    return b"".join(line({"type": "trajectory", "seq": number, "prompt": "x" * 200}) for number in range(start, end))


def _long_results(start: int, end: int) -> bytes:
    """Enough for several blocks, and next to nothing when packed."""
    return b"".join(tool_result((LONG << 12) + number, f"{number} " * 20_000, NOW) for number in range(start, end + 1))


def _cron_run(number: int) -> bytes:
    return line(
        {
            "ts": NOW + number, "jobId": "job-1", "action": "finished", "status": "ok", "summary": f"run {number}",
            "sessionId": session_id(SPOKEN), "sessionKey": "agent:main:cron:job-1", "runAtMs": NOW,
            "durationMs": number,
            "usage": {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7},
        }
    )  # fmt: skip


def _entry(number: int, **fields: Any) -> dict[str, Any]:
    return {"sessionId": session_id(number), "updatedAt": NOW + number, **fields}


def _index(house: Household, entries: dict[int, dict[str, Any]], without: list[int] | None = None) -> None:
    """Temporary file and rename, with what these entries say now and without those that OpenClaw took out."""
    path = house.path("sessions.json")
    known = json.loads(path.read_text())
    for number, fields in entries.items():
        known[key_of(number)] = {**known.get(key_of(number), _entry(number)), **fields}
    for number in without or ():
        del known[key_of(number)]
    temporary = path.with_name("sessions.json.tmp")
    temporary.write_text(json.dumps(known, indent=2))
    os.replace(temporary, path)


def _store(house: Household) -> Path:
    return house.state_dir / "agents" / STORE_AGENT / "agent" / "openclaw-agent.sqlite"
