"""After a death in the midst of a catch-up: what had been committed by then becomes what the oracle knows.

Any commit is a fair place to stop, so the oracle learns from the ledger here; that nothing was lost on the way is
checked against what it knew before.
"""

import os

from syncd.ledger import raw
from syncd.ledger.database import Ledger
from tests.model.folder import SessionsFolder, Stat
from tests.model.oracle import Logical, Oracle

_TRANSCRIPTS = """SELECT id, path, replace(kind, 'successor', 'fork'), session_id, state,
    header_version IS NOT NULL, parent_session IS NOT NULL, generation, data
    FROM transcripts LEFT JOIN _tails ON transcript_id = id ORDER BY id"""


def adopted(ledger: Ledger, folder: SessionsFolder) -> Oracle:
    oracle = Oracle()
    by_id: dict[int, Logical] = {}
    for row_id, path, kind, session_id, state, has_header, is_fork, generation, tail in ledger.execute(_TRANSCRIPTS):
        versions = [
            b"".join(part for _, part in raw.blocks(ledger, row_id, number)) for number in range(1, generation + 1)
        ]
        name = os.path.basename(path)
        logical = Logical(name, kind, session_id, state, bool(has_header), versions, tail or b"", row_id, bool(is_fork))
        logical.former_names.add(name)
        oracle.transcripts.append(logical)
        by_id[row_id] = logical
    for path, transcript_id, role, present, is_proven, *stat in ledger.execute(
        "SELECT path, transcript_id, role, present, is_proven, ino, size, mtime_ns, ctime_ns FROM _files ORDER BY id"
    ):
        name = os.path.basename(os.fsdecode(path))
        if transcript_id is None or name not in folder.places:
            continue
        known = Stat(*stat)
        oracle.stats[name] = known if is_proven else known._replace(ctime_ns=0)  # to be looked at in any case
        if present:
            oracle.present.add(name)
        owners = {"copy": oracle.copies, "stale": oracle.outgrown}.get(role, oracle.at)
        owners[name] = by_id[transcript_id]
        by_id[transcript_id].former_names.add(name)
    return oracle


def assert_nothing_lost(before: Oracle, after: Oracle, *, generations: int | None = 1) -> None:
    """Past generations are as they were; the present one goes on from where it stood, or is past as well.

    `generations`: how many more there may be; None where nobody knows what was seen.
    """
    now = {logical.row_id: logical for logical in after.transcripts}
    for logical in before.transcripts:
        kept = now[logical.row_id].versions
        number = len(logical.versions)
        assert kept[: number - 1] == logical.versions[:-1]
        assert kept[number - 1].startswith(logical.taken)
        assert generations is None or len(kept) - number <= generations
