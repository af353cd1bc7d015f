"""`python loaders.py sqlite-utils|duckdb DATABASE FILE...`: the lines of these files in one table, as others load them.

Run by an interpreter that has them (`peers`). They keep no raw bytes, no search and no cursor: for scale only.
"""

import json
import sys
from collections.abc import Iterator


def by_sqlite_utils(database: str, files: list[str]) -> None:
    import sqlite_utils

    sqlite_utils.Database(database)["lines"].insert_all(_lines(files), alter=True, batch_size=1000)


def _lines(files: list[str]) -> Iterator[object]:
    for name in files:
        with open(name, "rb") as file:
            yield from map(json.loads, file)


def by_duckdb(database: str, files: list[str]) -> None:
    import duckdb

    connection = duckdb.connect(database)
    connection.execute(
        """CREATE TABLE lines AS SELECT * FROM read_json(?, format = 'newline_delimited', union_by_name = true,
           maximum_object_size = 67108864)""",
        [files],
    )


if __name__ == "__main__":
    {"sqlite-utils": by_sqlite_utils, "duckdb": by_duckdb}[sys.argv[1]](sys.argv[2], sys.argv[3:])
