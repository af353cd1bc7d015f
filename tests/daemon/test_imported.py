"""Sessions that were imported into OpenClaw's own SQLite and are rewritten there: their files are stale from then."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.daemon.live import following, wait_for
from tests.daemon.test_stores import has
from tests.faults.test_f_mend import change
from tests.mirror.household import Household, header, message, session_id, transcript
from tests.mirror.test_store import store_path
from tests.mirror.test_store_move import imported
from tests.mirror_checks import query
from tests.openclaw_store import AgentStore

ONE = session_id(1)
ANEW = header(1) + b"".join(message(number, "another") for number in range(1, 9))
REWRITES = {
    "fewer rows": ("remove_trailing", (ONE, 2), transcript(1, 3)),
    "another row of the same length": ("rewrite_row", (ONE, 2, message(9)), None),
    "another header": ("rewrite_row", (ONE, 0, header(1, cwd="/elsewhere")), None),
    "other rows, and more": ("replace", (ONE, ANEW), ANEW),
}


@contextmanager
def rewritten_live(house: Household, name: str) -> Iterator[Path]:
    """The session's file in the import archive, once the rewrite was taken in; nobody has looked at it since."""
    method, arguments, content = REWRITES[name]
    with AgentStore(store_path(house)) as store:
        archived = imported(house, store, 1)
        with following(house, is_level_after=False) as running:
            getattr(store, method)(*arguments)
            wait_for(has(house, ONE, store.content(ONE)))
            assert content is None or store.content(ONE) == content
            assert running.loop.figures.rescans == 1
            yield archived


@pytest.mark.parametrize("name", REWRITES)
def test_the_file_of_an_imported_session_is_stale_as_soon_as_a_rewrite_is_taken_in(house: Household, name: str) -> None:
    with rewritten_live(house, name) as archived:
        found = house.verify()
        assert found.differences == []
        assert [item.path for item in found.stale] == [str(archived)]


def test_a_file_that_was_written_since_is_no_stale_one(house: Household) -> None:
    with rewritten_live(house, "fewer rows") as archived:
        pass
    with archived.open("ab") as file:
        file.write(message(9))
    assert [(item.path, item.reason) for item in house.verify().differences] == [(str(archived), "the file is longer")]


@pytest.mark.parametrize("name", REWRITES)
def test_a_file_whose_bytes_were_never_known_is_no_stale_one_whatever_its_stat(house: Household, name: str) -> None:
    with rewritten_live(house, name) as archived:
        pass
    content = archived.read_bytes()
    archived.write_bytes(content[:-3] + bytes([content[-3] ^ 1]) + content[-2:])
    stat = archived.stat()
    told = (stat.st_mtime_ns, stat.st_ctime_ns, os.fsencode(archived.relative_to(house.state_dir)))
    change(house, "UPDATE _files SET mtime_ns = ?, ctime_ns = ? WHERE path = ?", *told)
    assert told[2] in {path for (path,) in query(house.ledger_path, "SELECT path FROM _files")}
    assert [item.path for item in house.verify().differences] == [str(archived)]
