"""Numbered migrations: plain SQL files, applied in order, one transaction each; `PRAGMA user_version` is the count.

An older ledger is copied beside itself first. A newer one is refused before anything is written.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from syncd.errors import LedgerCorrupt, LedgerError, LedgerNewer
from syncd.ledger.faults import translated

if TYPE_CHECKING:
    from pathlib import Path

    import apsw

# Not importlib.resources, which costs `status` more than opening the ledger: the package is never run from a zip.
_FOLDER: Final = os.path.join(os.path.dirname(__file__), "migrations")


def migrations() -> dict[int, str]:
    """Number -> SQL text."""
    texts = {}
    for name in os.listdir(_FOLDER):
        if name.endswith(".sql"):
            with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
                texts[int(name[:4])] = file.read()
    return texts


def current_version() -> int:
    """The schema version this program writes."""
    return max(migrations())


def schema_version(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))


def refuse_foreign(connection: apsw.Connection, path: Path, application_id: int) -> None:
    """Another program's database is left alone, to the last byte: to be asked before any pragma that writes."""
    with translated(path):
        is_empty = connection.execute("SELECT count(*) FROM sqlite_master").get == 0
        is_ours = connection.pragma("application_id") == application_id
    if not is_empty and not is_ours:
        raise LedgerCorrupt(
            f"{path} is an SQLite file, but no ledger of syncd",
            "name another place with `ledger.path` in config.yaml or $SYNCD_LEDGER",
        )


def refuse_newer(connection: apsw.Connection, path: Path) -> None:
    with translated(path):
        found = schema_version(connection)
    if found > current_version():
        raise LedgerNewer(
            f"the ledger {path} was written by a newer syncd (schema {found}, this one knows {current_version()})",
            "upgrade syncd, or name another ledger with $SYNCD_LEDGER",
        )


def refuse_older(connection: apsw.Connection, path: Path) -> None:
    """For readers, who may not migrate: an older schema, or none yet because the first run was cut short."""
    with translated(path):
        found = schema_version(connection)
    if found == 0:
        raise LedgerError(f"there is no ledger at {path} yet", "run `syncd run --once` first")
    if found < current_version():
        raise LedgerError(
            f"the ledger {path} is of an older syncd (schema {found}, this one needs {current_version()})",
            "`syncd run --once` keeps a copy of it and brings it forward",
        )


def migrate(connection: apsw.Connection, path: Path) -> None:
    """Bring the schema to the present version. Needs a read-write connection and the writer lock."""
    with translated(path):
        found = schema_version(connection)
        pending = {number: sql for number, sql in sorted(migrations().items()) if number > found}
        if pending and found > 0:
            backup = _private_file(path.with_name(f"{path.name}.schema-{found}.bak"))
            connection.execute("VACUUM INTO ?", (str(backup),))
        with connection:  # all of them or none
            for number, sql in pending.items():
                connection.execute(sql)
                connection.execute(f"PRAGMA user_version = {number}")


def _private_file(path: Path) -> Path:
    """Empty, which VACUUM INTO takes, and nobody else's to read from its first byte on."""
    try:
        path.unlink(missing_ok=True)  # a copy cut short by a crash
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise LedgerError(
            f"the copy {path} of the older ledger cannot be made: {error.strerror}",
            "make its directory writable for you, with space for a second ledger; nothing was changed",
        ) from error
    return path
