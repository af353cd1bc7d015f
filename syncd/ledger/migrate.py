"""Numbered migrations: plain SQL files, applied in order; `PRAGMA user_version` is the number of the last one.

An older ledger is copied beside itself first, then brought forward in one transaction. A newer one is refused before
anything is written.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Final

from syncd.errors import LedgerCorrupt, LedgerError, LedgerNewer, LedgerOlder
from syncd.ledger.faults import absent, translated
from syncd.ledger.row_checksums import seal_unsealed
from syncd.paths import make_empty_file

if TYPE_CHECKING:
    from pathlib import Path

    import apsw

# Not importlib.resources, which costs `status` more than opening the ledger: the package is never run from a zip.
_FOLDER: Final = os.path.join(os.path.dirname(__file__), "migrations")


@cache
def migrations() -> dict[int, str]:
    """Number -> SQL text, in order. Read once: under a daemon that runs on, an upgrade puts others there."""
    texts = {}
    for name in sorted(os.listdir(_FOLDER)):
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
        raise absent(path)
    if found < current_version():
        raise LedgerOlder(
            f"the ledger {path} is of an older syncd (schema {found}, this one needs {current_version()})",
            "`syncd run --once` keeps a copy of it and brings it forward",
        )


def migrate(connection: apsw.Connection, path: Path) -> None:
    """Bring the schema to the present version. Needs a read-write connection and the writer lock."""
    with translated(path):
        found = schema_version(connection)
        if 0 < found < current_version():
            _copy(connection, path.with_name(f"{path.name}.schema-{found}.bak"))
        with connection:  # all of them or none
            bring_forward(connection)


def bring_forward(connection: apsw.Connection) -> None:
    """Apply what the schema lacks: all, where there is none yet. In the caller's transaction; makes no copy."""
    found = schema_version(connection)
    for number, sql in migrations().items():
        if number > found:
            connection.execute(sql)
            connection.execute(f"PRAGMA user_version = {number}")
    if found < current_version():
        seal_unsealed(connection)


def _copy(connection: apsw.Connection, path: Path) -> None:
    try:
        make_empty_file(path)  # also in place of a copy that a crash cut short
    except OSError as error:
        raise LedgerError(
            f"the copy {path} of the older ledger cannot be made: {error.strerror}",
            "make its directory writable for you, with space for a second ledger; nothing was changed",
        ) from error
    connection.execute("VACUUM INTO ?", (str(path),))
