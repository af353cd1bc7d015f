"""Which agents there are to ask for, and is a file one of the sessions asked for?

By the ledger, by its name, or by the header inside it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

from syncd.errors import SourceError
from syncd.mirror.placement import header_id
from syncd.openclaw.file_kinds import classify
from syncd.openclaw.state_dirs import agents_dir
from syncd.path_text import printable
from syncd.sources.opening import open_source
from syncd.sources.scan import is_wanted, session_directories

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable, KnownFile
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import ListedFile

SessionIds = frozenset[str] | None
"""None: every session."""


def known_agents(ledger: Ledger, state_dirs: Iterable[str]) -> list[str]:
    """Agents that have a directory of their own, or transcripts or sessions in the ledger."""
    found = {
        str(row[0]) for row in ledger.execute("SELECT agent_id FROM transcripts UNION SELECT agent_id FROM sessions")
    }
    for state_dir in state_dirs:
        found.update(printable(directory.agent_id) for directory in session_directories(state_dir, ("*",)))
        with suppress(OSError):  # no agents yet, or none that may be listed: there is nothing more to ask for
            found.update(printable(entry.name) for entry in os.scandir(agents_dir(state_dir)) if entry.is_dir())
    return sorted(found)


def transcripts_of(ledger: Ledger, agent: str | None, wanted: SessionIds) -> list[int]:
    """Those in the ledger that belong to an agent (None: to any) and to one of these sessions."""
    rows = ledger.execute("SELECT id, agent_id, session_id FROM transcripts ORDER BY id")
    return [
        int(transcript_id)
        for transcript_id, agent_id, session_id in rows
        if (agent is None or is_wanted(agent_id, (agent,))) and (wanted is None or session_id in wanted)
    ]


def is_of_sessions(
    ledger: Ledger, wanted: SessionIds, name: FileName, known: KnownFile | None, source: BinaryIO
) -> bool:
    if wanted is None or name.session_id in wanted or _known_id(ledger, known) in wanted:
        return True
    return name.kind != "trajectory" and header_id(source) in wanted


def is_file_of_sessions(
    ledger: Ledger, wanted: frozenset[str], files: FileTable, listed: ListedFile, name: FileName
) -> bool:
    try:
        with open_source(listed.path, is_zst=name.is_zst) as source:
            return is_of_sessions(ledger, wanted, name, files.get(listed.path), source)
    except SourceError:
        return name.session_id in wanted


def is_path_of_sessions(ledger: Ledger, wanted: frozenset[str], files: FileTable, path: str) -> bool:
    """For a file that is not there any more."""
    name = classify(path.rpartition("/")[2])
    return name.session_id in wanted or _known_id(ledger, files.get(path)) in wanted


def _known_id(ledger: Ledger, known: KnownFile | None) -> str | None:
    if known is None or known.transcript_id is None:
        return None
    row = ledger.row("SELECT session_id FROM transcripts WHERE id = ?", (known.transcript_id,))
    return str(row[0]) if row else None
