"""What `doctor` makes of facts that a test cannot bring about on this machine: records in, findings out."""
# ruff: noqa: N802  the fault's id stands in the test's name

import errno
from dataclasses import replace

import pytest

from syncd.cli.checkup.finding import Finding
from syncd.cli.checkup.machine import bugs_of, check_programs, check_watching
from syncd.cli.checkup.service import check_service
from syncd.cli.service_status import Trouble, troubles
from syncd.openclaw.release_traces import release_by_names, release_by_schema
from syncd.service import ServiceState

RUNNING = ServiceState(
    manager="systemd", name="syncd.service", file="/home/u/.config/systemd/user/syncd.service", installed=True,
    foreign=None, enabled=True, active=True, phase="active (running)", pid=7, last_exit=None,
    interpreter="/opt/venv/bin/python", interpreter_exists=True, linger=True, problem=None,
)  # fmt: skip


def _said(state: ServiceState, running_pid: int | None = 7) -> dict[str, str]:
    return {each.code: each.severity for each in _found(state, running_pid)}


def _found(state: ServiceState, running_pid: int | None = 7, drift: Trouble | None = None) -> list[Finding]:
    return list(check_service(state, troubles(state, drift), running_pid, None))


def test_a_service_that_runs_is_well() -> None:
    assert _said(RUNNING) == {"service": "ok"}
    assert _said(replace(RUNNING, manager=None)) == {}


def test_an_interpreter_that_vanished_is_an_error_even_while_the_old_process_runs() -> None:
    (finding,) = _found(RUNNING, drift=Trouble("interpreter_gone", "it starts /gone", "`syncd service install`"))
    assert (finding.code, finding.severity) == ("service_interpreter", "error")
    assert finding.what == "syncd.service: it starts /gone"


def test_a_system_wide_unit_that_runs_it_needs_no_other() -> None:
    missing = replace(RUNNING, installed=False, active=False)
    (finding,) = check_service(missing, troubles(missing, None), 7, "syncd-you.service")
    assert (finding.code, finding.severity, "syncd-you.service" in finding.what) == ("service", "ok", True)


@pytest.mark.parametrize(
    ("state", "code", "severity", "remedy"),
    [
        (replace(RUNNING, installed=False), "service_missing", "note", "syncd service install"),
        (replace(RUNNING, enabled=False), "service_disabled", "warning", "syncd service install"),
        (replace(RUNNING, linger=False), "linger", "note", "loginctl enable-linger"),
        (replace(RUNNING, problem="no bus", active=None), "service_unknown", "note", "log in"),
        (
            replace(RUNNING, phase="activating (auto-restart)", last_exit=1),
            "service_failing",
            "error",
            "syncd service logs",
        ),
        (replace(RUNNING, active=False), "service_beside", "note", "syncd service start"),
    ],
)
def test_each_state_of_a_service_has_its_remedy(state: ServiceState, code: str, severity: str, remedy: str) -> None:
    found = {each.code: each for each in _found(state)}
    assert found[code].severity == severity
    assert remedy in found[code].remedy


def test_a_service_at_rest_while_nothing_else_runs_is_an_error_with_its_last_exit() -> None:
    (finding,) = _found(replace(RUNNING, active=False, phase="failed", last_exit=78), None)
    assert (finding.code, finding.severity) == ("service_stopped", "error")
    assert "(exit 78)" in finding.what
    assert "syncd config check" in finding.remedy


@pytest.mark.parametrize(
    ("version", "count"),
    [("3.40.1", 1), ("3.44.5", 1), ("3.44.6", 0), ("3.50.6", 1), ("3.50.7", 0), ("3.51.2", 1), ("3.51.3", 0),
     ("3.52.0", 1), ("3.54.1", 0), ("3.6.23", 0)],
)  # fmt: skip
def test_F13_the_known_bugs_of_sqlite_go_by_version_and_branch(version: str, count: int) -> None:
    assert len(bugs_of(version)) == count
    found = [(each.code, each.severity) for each in check_programs(version)]
    assert found == [("sqlite_bug", "error") if count else ("programs", "ok")]


@pytest.mark.parametrize(("fault", "limit"), [(errno.ENOSPC, "max_user_watches"), (errno.EMFILE, "max_user_instances")])
def test_a_watch_limit_comes_with_the_sysctl_that_raises_it(fault: int, limit: str) -> None:
    (finding,) = check_watching(["/a", "/b"], "auto", lambda _: (1, fault))
    assert (finding.code, finding.severity) == ("watch_limit", "warning")
    assert "1 of 2 directories" in finding.what
    assert f"sudo sysctl fs.inotify.{limit}=" in finding.remedy
    assert "/etc/sysctl.d/" in finding.remedy


def test_a_kernel_that_tells_of_no_changes_is_a_note() -> None:
    (finding,) = check_watching(["/a"], "auto", lambda _: (0, errno.ENOSYS))
    assert (finding.code, finding.severity) == ("no_events", "note")


def test_who_polls_anyway_hears_nothing_of_watch_limits() -> None:
    assert list(check_watching(["/a"], "poll", lambda _: (0, errno.ENOSPC))) == []


@pytest.mark.parametrize(
    ("names", "release"),
    [
        ((), None),
        (("a.jsonl",), "up to 2026.7.1"),
        (("a.jsonl", "a.checkpoint.b.jsonl"), "2026.4.14 to 2026.5"),
        (("a.trajectory.jsonl", "a.checkpoint.b.jsonl"), "2026.4.23 to 2026.7.1"),
        (("skills-prompts", ".usage-cost-cache.json"), "2026.6 to 2026.7.1"),
    ],
)
def test_the_newest_trace_tells_the_release(names: tuple[str, ...], release: str | None) -> None:
    assert release_by_names(names) == release


def test_a_schema_tells_the_release_of_a_store() -> None:
    assert [release_by_schema(number) for number in (4, 19, 23, 24)] == [
        "2026.7.2-beta.1 to 2026.8", "2026.8 to 2026.9", "2026.9", "later than 2026.9.6",
    ]  # fmt: skip
