"""The names of purged sessions in the health log: it never holds what was said, but a fault or a lock names a file.

They are recognised by the tombstones' hashes, so that no name need be known: also after a purge that was cut short.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from syncd.daemon.health_log import log_files
from syncd.ledger.tombstones import KeptOut
from syncd.openclaw.file_kinds import classify
from syncd.paths import write_private_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from syncd.ledger.database import Ledger

_WORDS = re.compile(r"""[^\s"'`,;()\[\]{}]+""")


def forget_in_health_log(path: Path, ledger: Ledger, names: Iterable[str] = ()) -> int:
    """Lines that name a purged session, or one of `names`, go; how many did.

    A line that another process writes in this moment may go with them.
    """
    known = KeptOut.now(ledger)
    wanted = [name.encode() for name in names if len(name) >= 8]  # a shorter one could stand in any line
    if not known and not wanted:
        return 0
    gone = 0
    for file in log_files(path):
        try:
            lines = file.read_bytes().splitlines(keepends=True)
        except OSError:
            continue
        kept = [line for line in lines if not any(name in line for name in wanted) and not _names_one(line, known)]
        if len(kept) < len(lines):
            write_private_file(file, b"".join(kept), replace=True)
            gone += len(lines) - len(kept)
    return gone


def _names_one(line: bytes, known: KeptOut) -> bool:
    words = {found.rstrip(".:") for found in _WORDS.findall(line.decode(errors="replace"))}
    return any(_is_of_one(word, known) for word in words)


def _is_of_one(word: str, known: KeptOut) -> bool:
    if known.is_session(word) or known.is_key(word):
        return True
    name = os.path.basename(word)
    return "." in name and known.is_session(classify(name).session_id)
