"""docs/faults.md: every fault of the catalogue, the tests that make it, and what became of them in the last whole run.

The tests are found in their files, so `make docs` keeps them true; outcomes come from a run alone (`make faults-page`),
and stay as they are until the next one.
"""

import ast
import os
import platform
import re
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from syncd.ledger.surroundings import file_system
from tests.fault_catalogue import FAULTS, ids_of

CHECKOUT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = CHECKOUT / "docs" / "faults.md"
NOT_RUN: Final = "not run"
_ELSEWHERE: Final = ("openclaw", "systemd")  # not part of that run
_ROW = re.compile(r"^\| ([A-F]\d+) \|.*\| ([^|]*) \|$", re.MULTILINE)
_TABLE = re.compile(r"(<!-- made: faults -->\n).*?(<!-- end -->)", re.DOTALL)
_RUN = re.compile(r"(<!-- run -->\n).*?(\n<!-- end run -->)", re.DOTALL)


def shown_by_fault() -> dict[str, list[str]]:
    """What each proves, as its name says it, with its file."""
    found: dict[str, list[str]] = {fault: [] for fault in FAULTS}
    for file in sorted((CHECKOUT / "tests").rglob("test_*.py")):
        place = file.relative_to(CHECKOUT).as_posix()
        if place.split("/")[1] in _ELSEWHERE:
            continue
        names = [each.name for each in ast.parse(file.read_text()).body if isinstance(each, ast.FunctionDef)]
        for name in names:
            for fault in ids_of(name):
                found[fault].append(f"{_sentence(name)} ([{file.stem}](../{place}))")
    return found


def _sentence(name: str) -> str:
    return re.sub(r"^test((?:_[A-Fa-f]\d+)+)_", "", name).replace("_", " ")


def table(outcomes: Mapping[str, str]) -> str:
    tests = shown_by_fault()
    rows = (
        f"| {fault} | {about} | {'; '.join(tests[fault])} | {outcomes.get(fault, NOT_RUN).replace('|', '/')} |"
        for fault, about in FAULTS.items()
    )
    return "\n".join(("| id | fault | what is shown | outcome |", "|---|---|---|---|", *rows)) + "\n"


def outcomes_of(page: str) -> dict[str, str]:
    return dict(_ROW.findall(page))


def faults() -> str:
    """The table with the outcomes that the page has."""
    return table(outcomes_of(PAGE.read_text()))


def after_run(outcomes: Mapping[str, str]) -> str:
    """The page with those of this run in the place of all former ones."""
    page = _TABLE.sub(lambda part: f"{part[1]}\n{table(outcomes)}\n{part[2]}", PAGE.read_text())
    return _RUN.sub(lambda part: f"{part[1]}{_surroundings()}{part[2]}", page)


def _surroundings() -> str:
    place = Path(os.environ.get("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir()))
    user = "root" if os.geteuid() == 0 else "a user who is not root"
    system = f"{platform.system()} {platform.release().partition('-')[0]}, {file_system(place)}"
    return f"The outcomes below: {datetime.now(UTC):%Y-%m-%d}, {system}, Python {platform.python_version()}, as {user}."
