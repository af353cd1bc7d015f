"""Cron run logs: appended, pruned, edited and torn, and every line in cron_runs once (FORMAT 8)."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.writer import Writer
from syncd.mirror.cron_logs import overlap_length, sync_cron_logs
from syncd.mirror.cron_store import CronMemory, CronOutcome
from syncd.mirror.enrolment import enrol
from tests.examples import examples
from tests.mirror.household import HandClock, Household, household, session_id

JOB = "7f1d9c1e-0000-4000-8000-00000000000a"


def run(number: int, **fields: Any) -> bytes:
    """A line as 2026.5.7 writes it."""
    record = {
        "ts": 1_794_802_930_000 + number,
        "jobId": JOB,
        "action": "finished",
        "status": "ok",
        "summary": f"run number {number}",
        "sessionId": session_id(number),
        "sessionKey": f"agent:main:cron:{JOB}:run:{session_id(number)}",
        "runAtMs": 1_794_802_929_000 + number,
        "durationMs": 1000 + number,
        "nextRunAtMs": 1_794_806_530_000,
        "model": "stub-1",
        "provider": "stub",
        "usage": {"input_tokens": 10, "output_tokens": number},
        **fields,
    }
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


class Logs:
    def __init__(self, house: Household, writer: Writer, clock: HandClock) -> None:
        self.house = house
        self.writer = writer
        self.clock = clock
        self.memory = CronMemory()
        self.environ = {"HOME": str(house.state_dir.parent)}
        self.installation_id = enrol(writer, str(house.state_dir)).installation_id
        self.directory = house.state_dir / "cron" / "runs"
        self.directory.mkdir(parents=True)
        self.path = self.directory / f"{JOB}.jsonl"

    def append(self, data: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(data)

    def prune(self, keep: int) -> None:
        """The last lines into a temporary file, renamed over the log."""
        lines = self.path.read_bytes().splitlines(keepends=True)[-keep:]
        temporary = self.path.with_name(f"{self.path.name}.{os.getpid()}.00ff.tmp")
        temporary.write_bytes(b"".join(lines))
        temporary.rename(self.path)

    def look(self) -> CronOutcome:
        self.clock.sleep(1)  # nothing is too young to be believed
        state_dir = str(self.house.state_dir)
        return sync_cron_logs(self.writer, self.installation_id, state_dir, self.clock, self.environ, self.memory)

    def rows(self, columns: str = "raw_json") -> list[Any]:
        rows = list(self.writer.ledger.execute(f"SELECT {columns} FROM cron_runs ORDER BY id"))
        return [row[0] for row in rows] if "," not in columns else rows

    def lines(self) -> bytes:
        return b"".join(text.encode() + b"\n" for text in self.rows())

    def writes(self) -> int:
        return self.writer.ledger.connection.total_changes()


def opened(place: Path) -> Iterator[Logs]:
    house = household(place)
    clock = HandClock()
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        writer = Writer(ledger, clock)
        try:
            yield Logs(house, writer, clock)
        finally:
            writer.close()


@pytest.fixture
def logs(tmp_path: Path) -> Iterator[Logs]:
    yield from opened(tmp_path)


def test_each_line_is_a_run_with_its_columns(logs: Logs) -> None:
    logs.append(run(1) + run(2, status="error", error="model refused", usage=None))
    assert logs.look().added == 2
    assert logs.lines() == run(1) + run(2, status="error", error="model refused", usage=None)
    assert logs.rows("job_id, at, status, session_id, session_key, duration_ms, usage") == [
        (
            JOB,
            1_794_802_930_001,
            "ok",
            session_id(1),
            f"agent:main:cron:{JOB}:run:{session_id(1)}",
            1001,
            '{"input_tokens":10,"output_tokens":1}',
        ),
        (
            JOB,
            1_794_802_930_002,
            "error",
            session_id(2),
            f"agent:main:cron:{JOB}:run:{session_id(2)}",
            1002,
            None,
        ),
    ]


def test_an_append_is_read_from_the_cursor_and_an_unchanged_log_costs_no_write(logs: Logs) -> None:
    logs.append(run(1))
    logs.look()
    before = logs.writes()
    assert logs.look() == CronOutcome()
    logs.memory = CronMemory()
    assert logs.look() == CronOutcome()
    assert logs.writes() == before
    logs.append(run(2))
    assert logs.look().added == 1
    assert logs.lines() == run(1) + run(2)


def test_a_young_log_is_looked_at_again(logs: Logs) -> None:
    logs.append(run(1))
    logs.clock.sleep(-1)
    state_dir = str(logs.house.state_dir)
    found = sync_cron_logs(logs.writer, logs.installation_id, state_dir, logs.clock, logs.environ, logs.memory)
    assert found.retry_after is not None
    assert found.retry_after <= 0.1
    assert logs.look() == CronOutcome()


def test_half_a_line_waits_for_its_newline(logs: Logs) -> None:
    logs.append(run(1) + run(2)[:20])
    assert logs.look().added == 1
    logs.append(run(2)[20:])
    assert logs.look().added == 1
    assert logs.lines() == run(1) + run(2)


def test_pruning_doubles_nothing_and_loses_nothing(logs: Logs) -> None:
    logs.append(b"".join(map(run, range(1, 11))))
    logs.look()
    logs.prune(keep=4)
    assert logs.look().added == 0
    logs.append(run(11))
    assert logs.look().added == 1
    assert logs.lines() == b"".join(map(run, range(1, 12)))


def test_lines_appended_before_and_after_a_pruning_nobody_watched_are_both_taken(logs: Logs) -> None:
    logs.append(b"".join(map(run, range(1, 6))))
    logs.look()
    logs.append(run(6) + run(7))
    logs.prune(keep=4)
    logs.append(run(8))
    assert logs.look().added == 3
    assert logs.lines() == b"".join(map(run, range(1, 9)))


def test_a_log_pruned_past_everything_known_is_all_new(logs: Logs) -> None:
    logs.append(run(1) + run(2))
    logs.look()
    logs.append(b"".join(map(run, range(3, 9))))
    logs.prune(keep=3)
    assert logs.look().added == 3
    assert logs.lines() == b"".join(map(run, (1, 2, 6, 7, 8)))


def test_runs_that_say_the_same_are_still_runs_of_their_own(logs: Logs) -> None:
    logs.append(run(1) * 3)
    assert logs.look().added == 3
    logs.append(run(1))
    assert logs.look().added == 1
    logs.append(run(2))
    logs.prune(keep=3)
    assert logs.look().added == 1
    assert logs.lines() == run(1) * 4 + run(2)


def test_a_rewrite_in_place_that_is_seen_half_way_doubles_nothing(logs: Logs) -> None:
    whole = b"".join(map(run, range(1, 6)))
    logs.append(whole)
    logs.look()
    for cut in (0, len(run(1)), len(run(1) + run(2)) + 10, len(whole)):
        logs.path.write_bytes(whole[:cut])
        assert logs.look().added == 0
    logs.append(run(6))
    assert logs.look().added == 1
    assert logs.lines() == whole + run(6)


def test_a_log_edited_by_hand_gives_only_what_is_new_in_it(logs: Logs) -> None:
    logs.append(b"".join(map(run, range(1, 6))))
    logs.look()
    logs.path.write_bytes(run(2) + run(4) + run(7))
    assert logs.look().added == 1
    logs.append(run(8))
    assert logs.look().added == 1
    assert logs.lines() == b"".join(map(run, (1, 2, 3, 4, 5, 7, 8)))


def test_a_deleted_log_keeps_its_runs_and_a_new_one_goes_on(logs: Logs) -> None:
    logs.append(run(1) + run(2))
    logs.look()
    logs.path.unlink()
    assert logs.look() == CronOutcome()
    logs.append(run(3))
    assert logs.look().added == 1
    assert logs.lines() == run(1) + run(2) + run(3)


def test_what_is_no_record_is_kept_as_its_line(logs: Logs) -> None:
    odd = b'not json\n\n42\n{"ts":"soon","jobId":7,"durationMs":1e400}\n\xff\xfe\n'
    logs.append(odd)
    assert logs.look().added == 4
    assert logs.rows("job_id, at, status") == [(JOB, None, None)] * 4
    assert logs.rows()[3] == "\\xff\\xfe"


def test_temporary_files_links_and_other_names_are_left_alone(logs: Logs, tmp_path: Path) -> None:
    logs.append(run(1))
    (logs.directory / f"{JOB}.jsonl.123.00ff.tmp").write_bytes(run(2))
    (logs.directory / "notes.txt").write_bytes(run(3))
    (tmp_path / "outside.jsonl").write_bytes(run(4))
    (logs.directory / "link.jsonl").symlink_to(tmp_path / "outside.jsonl")
    os.mkfifo(logs.directory / "pipe.jsonl")
    assert logs.look() == CronOutcome(added=1)


def test_logs_beside_a_configured_store_are_read_too(logs: Logs, tmp_path: Path) -> None:
    (logs.house.state_dir / "openclaw.json").write_text("{cron: {store: '~/elsewhere/jobs.json'}}")
    runs = tmp_path / "elsewhere" / "runs"
    runs.mkdir(parents=True)
    (runs / "nightly.jsonl").write_bytes(run(1, jobId="nightly"))
    logs.append(run(2))
    assert logs.look().added == 2
    assert sorted(logs.rows("job_id")) == sorted([JOB, "nightly"])


def test_no_cron_at_all_is_nothing_to_report(logs: Logs) -> None:
    logs.directory.rmdir()
    assert logs.look() == CronOutcome()


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_the_overlap_is_the_longest_there_is(before: list[str], after: list[str]) -> None:
    fitting = [n for n in range(min(len(before), len(after)) + 1) if before[len(before) - n :] == after[:n]]
    assert overlap_length(before, after) == max(fitting)


steps = st.lists(st.one_of(st.integers(1, 4), st.just("prune"), st.just("look"), st.just("restart")), max_size=12)


@settings(max_examples=examples(15), deadline=None, suppress_health_check=list(HealthCheck))
@given(steps)
def test_however_appends_prunings_and_looks_follow_each_other_every_line_seen_is_there_once(
    tmp_path_factory: pytest.TempPathFactory, doings: list[Any]
) -> None:
    for logs in opened(tmp_path_factory.mktemp("logs")):
        written, unseen = 0, 0
        expected: list[int] = []
        for doing in [*doings, "look"]:
            if doing == "prune" and logs.path.exists():
                logs.prune(keep=3)
                unseen = min(unseen, 3)
            elif doing == "restart":
                logs.memory = CronMemory()
            elif doing == "look":
                logs.look()
                expected += range(written - unseen + 1, written + 1)
                unseen = 0
            elif isinstance(doing, int):
                logs.append(b"".join(run(written + n + 1) for n in range(doing)))
                written, unseen = written + doing, unseen + doing
        assert logs.lines() == b"".join(map(run, expected))


def test_a_directory_of_logs_that_cannot_be_listed_is_named(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> list[str]:
        raise PermissionError(13, "Permission denied", path)

    logs.append(run(1))
    monkeypatch.setattr("syncd.mirror.cron_logs.os.listdir", refuse)
    (problem,) = logs.look().problems
    assert problem.reason == "cannot be listed: Permission denied"
    assert "give this user the right to read it" in problem.hint
