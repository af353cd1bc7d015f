"""A ledger as SQL that makes it again, and back. What names the machine becomes a placeholder."""

import re
from pathlib import Path

import apsw

from syncd.ledger.row_checksums import COLUMN, seal_unsealed

PLACE = "@STATE@"
_SHADOWS = re.compile(r"search_(data|idx|docsize|config|content)|sqlite_.*")


def dumped(ledger_path: Path, state_dir: Path) -> str:
    """All rows; the search index is made anew."""
    connection = apsw.Connection(str(ledger_path), flags=apsw.SQLITE_OPEN_READONLY)
    version, application = connection.pragma("user_version"), connection.pragma("application_id")
    schema = list(connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"))
    tables = [(name, sql) for kind, name, sql in schema if kind == "table" and not _SHADOWS.fullmatch(name)]
    lines = ["PRAGMA page_size = 16384;", f"PRAGMA application_id = {application};", "BEGIN;"]
    lines += [f"{sql};" for _, sql in tables]
    of_machine = (str(state_dir), str(connection.execute("SELECT host FROM installations").get))
    for name, sql in tables:
        if not sql.startswith("CREATE VIRTUAL"):
            lines += [
                _insert(connection, name, row, *of_machine) for row in connection.execute(f"SELECT * FROM {name}")
            ]
    lines += [f"{sql};" for kind, _, sql in schema if kind != "table"]
    lines += ["INSERT INTO search (search) VALUES ('rebuild');", f"PRAGMA user_version = {version};", "COMMIT;"]
    connection.close()
    return "\n".join(lines) + "\n"


def _insert(connection: apsw.Connection, table: str, row: tuple[object, ...], state_dir: str, host: str) -> str:
    written = [_without(value, state_dir, host) for value in row]
    columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    if COLUMN in columns and written != list(row):  # it is of values that are the machine's
        written[columns.index(COLUMN)] = None
    return f"INSERT INTO {table} VALUES({','.join(map(apsw.format_sql_value, written))});"


def _without(value: object, state_dir: str, host: str) -> object:
    match value:
        case str():
            return "host" if value == host else value.replace(state_dir, PLACE)
        case bytes():  # some paths are
            return value.replace(state_dir.encode(), PLACE.encode())
        case _:
            return value


def restored(sql: str, state_dir: Path, ledger_path: Path) -> None:
    ledger_path.parent.mkdir()
    ledger_path.parent.chmod(0o700)
    connection = apsw.Connection(str(ledger_path))
    hidden, place = PLACE.encode().hex().upper(), str(state_dir).encode().hex().upper()
    connection.execute(sql.replace(PLACE, str(state_dir)).replace(hidden, place))
    seal_unsealed(connection)
    connection.close()
