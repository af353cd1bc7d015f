"""A migration that is killed at any statement leaves the older ledger or the newer one; the way back is refused."""

import os
import shutil
import signal
import warnings
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from syncd.ledger.database import open_for_writing
from syncd.ledger.migrate import current_version
from tests.conftest import Cli
from tests.examples import examples
from tests.mirror.household import Household
from tests.mirror_checks import query
from tests.upgrades.dump import dumped, restored
from tests.upgrades.life import lived
from tests.upgrades.record import KEPT

OLDER = range(1, current_version())
KILLS = examples(6)
"""For each schema, at statements that are spread evenly over its migration, the first and the last among them."""


def in_child(work: Callable[[], None]) -> int:
    """How it ended."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads, which a runner of tests may have
        child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1]


def migrated(ledger_path: Path, killed_at: int | None, tally: Path) -> None:
    """Opened as `run` opens it. The process goes right before this statement; without one, how many it took."""
    seen = 0

    def count(_cursor: apsw.Cursor, _sql: str, _bindings: object) -> bool:
        nonlocal seen
        seen += 1
        if seen == killed_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return True

    def watch(connection: apsw.Connection) -> None:
        connection.exec_trace = count

    apsw.connection_hooks.append(watch)
    open_for_writing(ledger_path).close()
    tally.write_text(str(seen))


def rows(ledger_path: Path) -> list[str]:
    """All that it holds, in an order of its own."""
    return sorted(dumped(ledger_path, Path("/nowhere")).splitlines())


@pytest.mark.parametrize("version", OLDER)
def test_killed_at_any_statement_it_is_the_older_or_the_newer(version: int, tmp_path: Path) -> None:
    kept, whole, tally = tmp_path / "kept" / "ledger.db", tmp_path / "whole.db", tmp_path / "tally"
    restored((KEPT / f"schema-{version}.sql").read_text(), tmp_path / "openclaw", kept)
    shutil.copy(kept, whole)
    assert in_child(lambda: migrated(whole, None, tally)) == 0
    statements = int(tally.read_text())
    older, newer = rows(kept), rows(whole)
    left = []
    for kill in sorted({1 + round(step * (statements - 1) / (KILLS - 1)) for step in range(KILLS)}):
        ledger = tmp_path / str(kill) / "ledger.db"
        shutil.copytree(kept.parent, ledger.parent)
        status = in_child(lambda path=ledger, at=kill: migrated(path, at, tally))  # type: ignore[misc]
        assert os.WIFSIGNALED(status), (kill, status)
        ((found,),) = query(ledger, "PRAGMA user_version")
        assert rows(ledger) == {version: older, current_version(): newer}[found], kill
        left.append(found)
        assert in_child(lambda path=ledger: migrated(path, None, tally)) == 0  # type: ignore[misc]
        assert rows(ledger) == newer, kill
        shutil.rmtree(ledger.parent)
    assert set(left) == {version, current_version()}
    assert left == sorted(left)


@pytest.mark.parametrize("verb", ["run --once", "resync", "verify", "ledger check", "repair", "sessions", "status"])
def test_a_ledger_of_a_later_schema_is_refused_and_stays_as_it_is(
    verb: str, house: Household, cli_in_process: Cli
) -> None:
    lived(house)
    sql = (KEPT / f"schema-{current_version()}.sql").read_text()
    later = current_version() + 1
    sql = sql.replace(f"user_version = {current_version()};", f"user_version = {later};")
    restored(sql, house.state_dir, house.ledger_path)
    before = house.ledger_path.read_bytes()
    done = cli_in_process(*verb.split(), "--json", env=house.environ)
    assert (done.exit_code, done.json["error"]["type"]) == (78, "ledger_newer")
    assert f"schema {later}" in done.json["error"]["message"]
    assert house.ledger_path.read_bytes() == before
