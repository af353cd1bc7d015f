"""`python dump.py LEDGER STATE_DIR > schema-N.sql`: a ledger as SQL, to be kept when its schema is about to change.

Of a catch-up of the fixture that tests/ledger/test_older_ledgers.py lays out. What names the machine becomes a
placeholder. The search index is made anew.
"""

import re
import sqlite3
import sys


def literal(value: object) -> str:
    match value:
        case None:
            return "NULL"
        case bytes():
            return f"x'{value.hex()}'"
        case str() if "\0" in value:
            return f"CAST(x'{value.encode().hex()}' AS TEXT)"
        case str():
            return "'" + value.replace("'", "''") + "'"
        case _:
            return repr(value)


def main() -> None:
    connection = sqlite3.connect(sys.argv[1])
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    host = connection.execute("SELECT host FROM installations").fetchone()[0]
    shadows = re.compile(r"search_(data|idx|docsize|config|content)|sqlite_.*")
    lines = ["PRAGMA page_size = 16384;", f"PRAGMA application_id = {application};", "BEGIN;"]
    objects = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
    ).fetchall()
    tables = [item for item in objects if item[0] == "table" and not shadows.fullmatch(item[1])]
    lines += [f"{sql};" for _, _, sql in tables]
    for _, name, sql in tables:
        if not sql.startswith("CREATE VIRTUAL"):
            rows = connection.execute(f"SELECT * FROM {name}")
            lines += [f"INSERT INTO {name} VALUES({','.join(map(literal, row))});" for row in rows]
    lines += [f"{sql};" for kind, _, sql in objects if kind != "table"]
    lines += ["INSERT INTO search (search) VALUES ('rebuild');", f"PRAGMA user_version = {version};", "COMMIT;"]
    sys.stdout.write("\n".join(lines).replace(sys.argv[2], "@STATE@").replace(f"'{host}'", "'host'") + "\n")


main()
