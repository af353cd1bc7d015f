"""Numbered migrations: plain SQL files, applied in order, one transaction each; `PRAGMA user_version` is the count.

An older ledger is copied beside itself first. A newer one is refused before anything is written.
"""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from syncd.errors import LedgerCorrupt, LedgerNewer
from syncd.ledger.faults import translated

if TYPE_CHECKING:
    from pathlib import Path

    import apsw


def migrations() -> dict[int, str]:
    """Number -> SQL text."""
    folder = resources.files("syncd.ledger").joinpath("migrations")
    return {int(item.name[:4]): item.read_text() for item in folder.iterdir() if item.name.endswith(".sql")}


def current_version() -> int:
    """The schema version this program writes."""
    return max(migrations())


def schema_version(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))


def refuse_newer(connection: apsw.Connection, path: Path) -> None:
    with translated(path):
        found = schema_version(connection)
    if found > current_version():
        raise LedgerNewer(
            f"the ledger {path} was written by a newer syncd (schema {found}, this one knows {current_version()})",
            "upgrade syncd, or name another ledger with $SYNCD_LEDGER",
        )


def migrate(connection: apsw.Connection, path: Path) -> None:
    """Bring the schema to the present version. Needs a read-write connection and the writer lock."""
    with translated(path):
        found = schema_version(connection)
        if found == 0 and connection.execute("SELECT count(*) FROM sqlite_master").get > 0:
            raise LedgerCorrupt(
                f"{path} is an SQLite file, but no ledger of syncd",
                "name another place with `ledger.path` in config.yaml or $SYNCD_LEDGER",
            )
        pending = {number: sql for number, sql in sorted(migrations().items()) if number > found}
        if pending and found > 0:
            backup = path.with_name(f"{path.name}.schema-{found}.bak")
            backup.unlink(missing_ok=True)  # a copy cut short by a crash; VACUUM INTO wants a new file
            connection.execute("VACUUM INTO ?", (str(backup),))
            backup.chmod(0o600)
        for number, sql in pending.items():
            with connection:
                connection.execute(sql)
                connection.execute(f"PRAGMA user_version = {number}")
