"""A plugin of pytest for `make test-faults`: only tests that carry a fault's id are run, and a table says which pass.

`-p tests.fault_table`. An id stands in a test's name (`test_C4_...`); tests below tests/faults are run without one too.
A fault without a test, and one that this machine does not let be made, are in the table with the reason. The table is
written as a page too (`--faults-page`), by default where it changes nothing of the checkout.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path, PurePath

import pytest

from tests.docs.faults_page import after_run
from tests.fault_catalogue import FAULTS, ids_of


class _Outcomes:
    """What became of each test, by fault."""

    def __init__(self) -> None:
        self.passed: defaultdict[str, int] = defaultdict(int)
        self.failed: defaultdict[str, list[str]] = defaultdict(list)
        self.skipped: defaultdict[str, list[str]] = defaultdict(list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = report.nodeid.rpartition("::")[2]
        for fault in ids_of(name):
            if report.skipped:
                why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
                self.skipped[fault].append(why.removeprefix("Skipped: "))
            elif report.failed:
                self.failed[fault].append(name)
            elif report.when == "call":
                self.passed[fault] += 1

    def rows(self) -> Iterator[str]:
        for fault, about in FAULTS.items():
            yield f"{fault:<4} {about:<42} {self.outcome(fault)}"

    def outcome(self, fault: str) -> str:
        why = "; ".join(dict.fromkeys(" ".join(each.split())[:120] for each in self.skipped[fault]))
        if self.failed[fault]:
            return f"FAILED: {', '.join(dict.fromkeys(self.failed[fault]))}"
        if self.passed[fault]:
            return f"pass ({self.passed[fault]})" + (f"; not here: {why}" if why else "")
        return f"not here: {why}" if why else "not run"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--faults-page", default=".cache/faults.md", help="where the table is written as a page")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Outcomes(), "fault outcomes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    chosen: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        is_chosen = bool(ids_of(item.name)) or "faults" in PurePath(item.nodeid.partition("::")[0]).parts
        (chosen if is_chosen else others).append(item)
    items[:] = chosen
    config.hook.pytest_deselected(items=others)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    outcomes = config.pluginmanager.get_plugin("fault outcomes")
    assert isinstance(outcomes, _Outcomes)
    if config.option.collectonly:
        return
    rows = list(outcomes.rows())
    terminalreporter.section("faults")
    for row in rows:
        terminalreporter.write_line(row)
    passed = [row for row in rows if " pass (" in row]
    partly = sum("; not here: " in row for row in passed)
    rest = f", {partly} of them with a part that was not made here" if partly else ""
    terminalreporter.write_line(f"{len(passed)} of {len(rows)} faults pass{rest}")
    page = Path(config.getoption("--faults-page"))
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(after_run({fault: outcomes.outcome(fault) for fault in FAULTS}))
