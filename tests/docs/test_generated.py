"""What docs/ takes from the code is what the code says."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from syncd.ledger.database import open_for_writing
from tests.conftest import CHECKOUT
from tests.docs.generated import PAGES, as_made
from tests.docs.schema_page import columns


@pytest.mark.parametrize("page", PAGES)
def test_what_is_made_from_the_code_is_up_to_date(page: str) -> None:
    text = (CHECKOUT / page).read_text()
    assert "<!-- made: " in text
    assert as_made(text) == text, "make docs writes it anew"


def test_every_column_of_every_table_and_public_view_has_a_meaning(tmp_path: Path) -> None:
    open_for_writing(tmp_path / "ledger.db").close()
    with closing(sqlite3.connect(tmp_path / "ledger.db")) as ledger:
        names = [
            name
            for name, kind in ledger.execute("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')")
            if not name.startswith(("search", "sqlite_")) and not (kind == "view" and name.startswith("_"))
        ]
        bare = [(name, column.name) for name in names for column in columns(ledger, name) if len(column.meaning) < 3]
    assert len(names) > 30
    assert bare == []


def test_a_column_that_was_added_later_keeps_its_own_comment(tmp_path: Path) -> None:
    """SQLite puts it before the comment of the last column."""
    with closing(sqlite3.connect(":memory:")) as ledger:
        ledger.execute(
            "CREATE TABLE t (\n  a INTEGER,  -- first\n  b TEXT,  -- second,\n  -- and more\n  UNIQUE (a)\n)"
        )
        ledger.execute("ALTER TABLE t ADD COLUMN c TEXT REFERENCES t(a) /* third */")
        found = [(column.name, column.meaning, column.refers_to) for column in columns(ledger, "t")]
    assert found == [("a", "first", ""), ("b", "second, and more", ""), ("c", "third", "t")]


def test_a_column_without_a_comment_is_found(tmp_path: Path) -> None:
    with closing(sqlite3.connect(":memory:")) as ledger:
        ledger.execute("CREATE TABLE t (\n  a INTEGER,  -- first\n  b TEXT\n)")
        ledger.execute("CREATE VIEW v AS SELECT\n  a AS a,  -- first\n  b AS b\nFROM t")
        assert [column.meaning for column in columns(ledger, "t")] == ["first", ""]
        assert [column.meaning for column in columns(ledger, "v")] == ["first", ""]
