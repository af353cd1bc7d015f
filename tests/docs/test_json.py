"""docs/json.md and what the verbs print: no field without a word, no word without a field."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import click

from syncd.cli.main import VERBS, syncd
from syncd.errors import SyncdError
from syncd.ledger.database import open_for_writing
from tests.conftest import CHECKOUT
from tests.docs.json_page import Section, faults, never_seen, sections
from tests.docs.json_scenes import all_documents

SECTIONS = sections((CHECKOUT / "docs/json.md").read_text())
# What takes a fault that no test of documents can bring about quickly, or as root.
RARE = {
    "Failures": {"error.path"},
    "run": {"lost[]", "lost[].path", "lost[].reason", "lost[].hint", "stopped"},
    "status": {"daemon.behind.*", "daemon.degraded[].hint"},
    "repair": {"reason", "hint"},
    "doctor": {"not_fixed[]"},
    "verify": {"stale[]", "stale[].path", "stale[].reason"},
    "show": {f"pending[]{name}" for name in ("", ".state", ".role", ".text", ".at")},
    "purge": {"failed_copies[]", "failed_copies[].path", "failed_copies[].reason"},
}
RARE |= {"resync": RARE["run"], "retention": RARE["purge"]}


def _reporting_verbs() -> set[str]:
    """Every verb and verb of a verb that takes --json."""
    context = click.Context(syncd)
    found = set()
    for name in VERBS:
        verb = syncd.get_command(context, name)
        if isinstance(verb, click.Group):
            found |= {f"{name} {each}" for each, command in verb.commands.items() if _takes_json(command)}
        elif verb is not None and _takes_json(verb):
            found.add(name)
    return found


def _takes_json(command: click.Command) -> bool:
    return any("--json" in parameter.opts for parameter in command.params)


def test_every_verb_that_takes_json_has_a_section() -> None:
    assert set(SECTIONS) == _reporting_verbs() | {"Failures", "health --codes"}


def test_every_field_is_documented_with_its_type_and_every_documented_one_is_seen(tmp_path: Path) -> None:
    open_for_writing(tmp_path / "ledger.db").close()
    with closing(sqlite3.connect(tmp_path / "ledger.db")) as ledger:
        columns = {"sessions": {row[1] for row in ledger.execute("PRAGMA table_xinfo(sessions)")}}
    seen, seen["Failures"] = all_documents(tmp_path / "scenes")
    assert set(seen) == set(SECTIONS)
    wrong = []
    for verb, about in SECTIONS.items():
        wrong += [f"{verb}: {fault}" for fault in sorted(set(faults(about, seen[verb], columns)))]
        together = [each for name in SECTIONS if SECTIONS[name] is about for each in seen[name]]
        unseen = never_seen(about, together)
        wrong += [f"{verb}: {path} was never seen" for path in sorted(unseen - RARE.get(verb, set()))]
        wrong += [f"{verb}: {path} is seen, and no longer rare" for path in sorted(RARE.get(verb, set()) - unseen)]
    assert wrong == [], "\n".join(wrong)


def test_every_type_of_error_is_listed() -> None:
    page = (CHECKOUT / "docs/json.md").read_text()
    (listed,) = (line for line in page.splitlines() if line.startswith("| `error.type` |"))
    kinds, types = [SyncdError], {"interrupted", "internal"}
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        types.add(kind.type)
    assert sorted(types) == sorted(re.findall(r"`([a-z_]+)`", listed.partition("stable:")[2]))


def test_every_code_of_doctor_and_of_the_service_is_listed() -> None:
    page = (CHECKOUT / "docs/json.md").read_text()
    sources = [*(CHECKOUT / "syncd/cli/checkup").glob("*.py"), CHECKOUT / "syncd/cli/doctor.py"]
    written = "".join(file.read_text() for file in [*sources, CHECKOUT / "syncd/cli/service_status.py"])
    codes = set(re.findall(r'(?:Finding|well|Trouble|": )\(\s*"([a-z_]+)"', written))
    assert {"own_owner", "service_outdated", "no_linger", "disk"} <= codes
    assert sorted(code for code in codes if f"`{code}`" not in page) == []


def test_an_undocumented_a_missing_and_a_mistyped_field_are_found() -> None:
    about = Section({"a": {"integer"}, "b": {"list"}, "b[]": {"object"}, "b[].c": {"string"}}, set())
    assert list(faults(about, [{"a": 1, "b": [{"c": "x"}]}], {})) == []
    told = list(faults(about, [{"b": [{"c": 1, "d": 2}]}], {}))
    assert told == [
        "a is missing", "b[].c is integer, documented as string", "b[].d is not documented (integer)"
    ]  # fmt: skip
    assert list(faults(about, [{"a": 1, "b": [{}]}], {})) == ["b[].c is missing"]
    assert never_seen(about, [{"a": 1, "b": []}]) == {"b[]", "b[].c"}
