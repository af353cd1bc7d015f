"""The reference of tables, columns and views, made from the comments that SQLite keeps with the schema.

What a table or view is for stands in the metadata for Datasette (`syncd/ledger/datasette.yaml`), what a column means in
the migrations. Not a parser of SQL: it knows the form in which the migrations are written.
"""

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

_COMMENT = re.compile(r"--(?P<rest>.*)$|/\*(?P<inner>.*?)\*/")
_COLUMN = re.compile(r"(?:^\s+|,\s*)([a-z]\w*) (INTEGER|TEXT|REAL|BLOB)\b([^,]*)")
_NAMED = re.compile(r"\bAS (\w+)\b,?\s*$")
_TARGET = re.compile(r"REFERENCES (\w+)\(")


@dataclass(frozen=True)
class Column:
    name: str
    kind: str  # INTEGER, TEXT, REAL, BLOB; empty for a view's
    meaning: str
    refers_to: str = ""
    words: str = ""  # the only ones it takes, in quotes


def ledger_reference(ledger: sqlite3.Connection, about: dict[str, dict[str, Any]]) -> str:
    """Markdown: what people open, then the tables, then the internals."""
    kinds = dict(
        ledger.execute(
            "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
        )
    )
    public = [name for name in about if not about[name].get("hidden")]
    views = [name for name in public if kinds[name] == "view"]
    tables = [name for name in public if kinds[name] == "table"]
    inner = [name for name in about if name.startswith("_") and kinds[name] == "table"]
    parts = [
        "## Views for people",
        *(_section(ledger, name, about[name]) for name in views),
        "## Tables",
        *(_section(ledger, name, about[name]) for name in tables),
        "## Search",
        about["search"]["description"],
        "## Internals",
        "Not for others to rely on: any release may change them. The raw bytes of every line are in `_blocks`.",
        *(_section(ledger, name, about[name]) for name in inner),
    ]
    return "\n\n".join(parts) + "\n"


def _section(ledger: sqlite3.Connection, name: str, about: dict[str, Any]) -> str:
    found = columns(ledger, name)
    if any(column.kind for column in found):
        head, line = "| column | type | meaning |\n|---|---|---|", "| `{0}` | {1} | {2} |"
    else:
        head, line = "| column | meaning |\n|---|---|", "| `{0}` | {2} |"
    rows = (line.format(column.name, column.kind.lower(), _meaning(column)) for column in found)
    return "\n".join((f"### {name}\n\n{about['description']}\n", head, *rows))


def _meaning(column: Column) -> str:
    text = column.meaning.replace("|", "\\|").replace("<", "&lt;")
    words = " (" + column.words.replace("'", "`") + ")" if column.words else ""
    link = f" → [{column.refers_to}](#{column.refers_to})" if column.refers_to else ""
    return text + words + link


def columns(ledger: sqlite3.Connection, name: str) -> list[Column]:
    """In the order of the table. A column that nothing explains has an empty meaning."""
    kind, sql = ledger.execute("SELECT type, sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    explained = {column.name: column for column in (_of_table(sql) if kind == "table" else _of_view(sql))}
    found = [row[1] for row in ledger.execute(f"PRAGMA table_xinfo({name})")]
    return [explained.get(each, Column(each, "", "")) for each in found]


def _of_table(sql: str) -> Iterator[Column]:
    """A comment in /* */ is that of the column before it, one behind -- that of its line's columns without one.

    SQLite puts an added column behind the last one, before the comment of that line; a line that is only a comment goes
    on with the last column's.
    """
    known: dict[str, Column] = {}
    going_on: list[str] = []  # columns that the last comment of a line's end was about
    for line in sql.splitlines():
        here: list[str] = []
        start = 0
        for comment in _COMMENT.finditer(line):
            code = line[start : comment.start()]
            for name, kind, rest in _COLUMN.findall(code):
                words = re.search(rf"\b{name} IN \(('.*?')\)", code)
                known[name] = Column(name, kind, "", (_TARGET.findall(rest) or [""])[0], words[1] if words else "")
                here.append(name)
            start = comment.end()
            if comment["inner"] and here:
                _explain(known, here[-1:], comment["inner"])
            elif here:
                going_on = [name for name in here if not known[name].meaning]
                _explain(known, going_on, comment["rest"])
            elif going_on:
                _explain(known, going_on, comment["rest"])
    yield from known.values()


def _explain(known: dict[str, Column], names: list[str], text: str) -> None:
    for name in names:
        known[name] = replace(known[name], meaning=f"{known[name].meaning} {text.strip()}".strip())


def _of_view(sql: str) -> Iterator[Column]:
    for line in sql.splitlines():
        expression, dashes, comment = line.partition(" -- ")
        named = _NAMED.search(expression)
        if dashes and named:
            yield Column(named[1], "", comment.strip())
