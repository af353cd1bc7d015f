"""Every code that the pages promise is brought about by some test: what nobody has seen may not work."""

import ast
import re

from tests.conftest import CHECKOUT

_ROW = re.compile(r"^\| `([a-z_]+)` \|", re.MULTILINE)
_NAME = re.compile(r"`([a-z_]+)`")


def _promised() -> set[str]:
    operations, page = ((CHECKOUT / "docs" / name).read_text() for name in ("operations.md", "json.md"))
    health = operations.partition("## Health codes")[2].partition("## Exit codes")[0]
    (findings,) = (line for line in page.splitlines() if line.startswith("The codes of findings:"))
    (troubles,) = (line for line in page.splitlines() if line.startswith("| `problems[].code` | string | stable:"))
    return {*_ROW.findall(health), *_NAME.findall(findings), *_NAME.findall(troubles.partition("stable:")[2])}


def _words_of_tests() -> set[str]:
    """Every string that stands by itself in a test; those of the pages' own tests do not count."""
    found: set[str] = set()
    for file in (CHECKOUT / "tests").rglob("test_*.py"):
        if file.parent.name != "docs":
            tree = ast.parse(file.read_text())
            found |= {
                node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
    return found


def test_every_code_of_the_pages_is_brought_about_by_a_test() -> None:
    promised = _promised()
    assert promised >= {"ledger_gone", "restart_needed", "disk_small", "interpreter_gone"}, "the pages changed"
    assert sorted(promised - _words_of_tests()) == []
