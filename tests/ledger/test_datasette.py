"""The metadata file for Datasette, against the schema: it names what is there, and its questions can be asked."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from syncd.ledger.database import open_for_writing
from tests.conftest import CHECKOUT

METADATA = yaml.safe_load((CHECKOUT / "syncd/ledger/datasette.yaml").read_text())["databases"]["ledger"]
TABLES: dict[str, dict[str, Any]] = METADATA["tables"]
QUERIES: dict[str, dict[str, Any]] = METADATA["queries"]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """The ledger as Datasette opens it: Python's own SQLite, without any function of syncd's."""
    path: Path = tmp_path_factory.mktemp("datasette") / "ledger.db"
    open_for_writing(path).close()
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    yield connection
    connection.close()


def names(browser: sqlite3.Connection) -> set[str]:
    rows = browser.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
    )
    return {name for (name,) in rows}


def test_every_table_and_view_is_explained_and_no_other(browser: sqlite3.Connection) -> None:
    assert set(TABLES) == names(browser)


def test_internals_are_hidden_and_nothing_else(browser: sqlite3.Connection) -> None:
    hidden = {name for name, about in TABLES.items() if about.get("hidden")}
    assert hidden == {name for name in names(browser) if name.startswith(("_", "search"))}
    assert all(TABLES[name].get("title") for name in names(browser) - hidden)


@pytest.mark.parametrize("table", TABLES)
def test_every_column_that_is_named_exists(browser: sqlite3.Connection, table: str) -> None:
    about = TABLES[table]
    columns = {row[1] for row in browser.execute(f"PRAGMA table_xinfo({table})")}
    single = {about[key] for key in ("label_column", "sort", "sort_desc", "fts_pk") if key in about}
    assert single | set(about.get("facets", ())) | set(about.get("columns", ())) <= columns
    known = {
        "title",
        "description",
        "label_column",
        "sort",
        "sort_desc",
        "facets",
        "columns",
        "fts_table",
        "fts_pk",
        "hidden",
    }
    assert set(about) <= known


def test_every_table_that_others_refer_to_has_a_label(browser: sqlite3.Connection) -> None:
    referred = {row[2] for table in TABLES for row in browser.execute(f"PRAGMA foreign_key_list({table})")}
    assert [table for table in referred if not table.startswith("_") and "label_column" not in TABLES[table]] == []


@pytest.mark.parametrize("name", QUERIES)
def test_every_question_can_be_asked(browser: sqlite3.Connection, name: str) -> None:
    sql = QUERIES[name]["sql"]
    assert QUERIES[name]["title"]
    browser.execute(sql, dict.fromkeys(re.findall(r":(\w+)", sql), "x")).fetchall()


@pytest.mark.parametrize("view", [name for name in TABLES if not name.startswith(("_", "search"))])
def test_every_view_opens_without_functions_of_syncd(browser: sqlite3.Connection, view: str) -> None:
    browser.execute(f"SELECT * FROM {view} LIMIT 101").fetchall()
