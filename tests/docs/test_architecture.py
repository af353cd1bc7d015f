"""ARCHITECTURE.md names what is there: rooms in their order, modules, tables, make targets and libraries."""

import re
import tomllib
from pathlib import Path

from tests.conftest import CHECKOUT

PAGE = (CHECKOUT / "ARCHITECTURE.md").read_text()
PACKAGE = CHECKOUT / "syncd"
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
QUOTED = sorted(set(re.findall(r"`([^`\n]+)`", PAGE)))
ROOMS = {item.stem for item in PACKAGE.iterdir() if item.is_dir() or item.suffix == ".py"} - {"__init__", "__main__"}
ROOMS.discard("__pycache__")


def section(title: str) -> str:
    return PAGE.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def first_cells(title: str) -> list[str]:
    rows = [line for line in section(title).splitlines() if line.startswith("| ")]
    return [row.split("|")[1].strip() for row in rows[1:]]


def layers() -> list[list[str]]:
    """From the top down; those of one line know nothing of each other."""
    written = PROJECT["tool"]["importlinter"]["contracts"][0]["layers"]
    return [[room.strip("() ") for room in line.split("|")] for line in written]


def test_every_room_of_the_package_is_in_the_table_in_the_order_of_the_layers() -> None:
    named = [room.strip("`/ ") for cell in first_cells("The rooms") for room in cell.split(",")]
    assert sorted(named) == sorted(ROOMS)
    ranks = {room: rank for rank, line in enumerate(layers()) for room in line}
    assert [ranks[room] for room in named] == sorted(ranks.values())


def test_every_module_that_it_names_is_there() -> None:
    modules = [name for name in QUOTED if "/" in name and name.split("/", 1)[0] in ROOMS]
    assert len(modules) > 80
    missing = [name for name in modules if not is_there(PACKAGE / name)]
    assert missing == []


def test_every_line_of_the_data_s_way_is_a_module() -> None:
    drawn = re.findall(r"^(\w+/\w+)  ", section("The data's way"), re.MULTILINE)
    assert len(drawn) > 5
    assert [name for name in drawn if not is_there(PACKAGE / name)] == []


def test_every_other_path_that_it_names_is_there() -> None:
    paths = [name for name in QUOTED if re.fullmatch(r"(?:docs|tests|syncd)/[\w./]*", name)]
    assert len(paths) > 3
    assert [name for name in paths if not is_there(CHECKOUT / name)] == []


def test_every_table_that_it_names_is_made_by_a_migration() -> None:
    migrations = "".join(file.read_text() for file in sorted((PACKAGE / "ledger" / "migrations").glob("*.sql")))
    made = set(re.findall(r"CREATE (?:TABLE|VIEW) (\w+)", migrations))
    tables = [name for name in QUOTED if re.fullmatch(r"_[a-z_]+|sync_events", name)]
    assert "_blocks" in tables
    assert set(tables) <= made


def test_every_make_target_that_it_names_is_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (CHECKOUT / "Makefile").read_text(), re.MULTILINE))
    named = {name.split()[1] for name in QUOTED if name.startswith("make ")}
    assert len(named) > 5
    assert named <= targets


def test_every_library_has_its_home_in_the_table() -> None:
    required = {re.split(r"[<>=; ]", line, maxsplit=1)[0] for line in PROJECT["project"]["dependencies"]}
    named = {
        part.strip()
        for cell in first_cells("Libraries, one home each")
        for part in re.sub(r"\(.*\)", "", cell).split(",")
    }
    assert named == required


def is_there(path: Path) -> bool:
    return path.exists() or path.with_name(f"{path.name}.py").exists()
