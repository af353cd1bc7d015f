"""A transcript's bytes out of the ledger, any generation, exactly as OpenClaw wrote them.

Streams block by block: memory does not depend on the transcript. A hole or a short end is an error, never silence. Not
the choice of the transcript: that is `locate`.
"""

from __future__ import annotations

import os
import stat
import tempfile
from typing import TYPE_CHECKING, BinaryIO

from syncd.errors import LedgerCorrupt, SyncdError, UserError
from syncd.ledger import raw
from syncd.ledger.damage import rewrites
from syncd.ledger.transcripts import generation_asked_for
from syncd.path_text import printable
from syncd.paths import refuse_without_directory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript


def exported(ledger: Ledger, transcript: Transcript, generation: int | None = None) -> Iterator[bytes]:
    """The bytes in order; `generation` None is the present one. To be used inside one read transaction."""
    return _gapless(ledger, transcript, generation_asked_for(transcript, generation))


def _gapless(ledger: Ledger, transcript: Transcript, generation: int) -> Iterator[bytes]:
    position = 0
    for offset, piece in raw.blocks(ledger, transcript.id, generation):
        if offset != position:
            raise _incomplete(ledger, transcript, position)
        position += len(piece)
        yield piece
    if position != _end_of(ledger, transcript, generation, position):
        raise _incomplete(ledger, transcript, position)


def holes_in(ledger: Ledger, transcript: Transcript, generation: int | None = None) -> list[raw.DroppedSpan]:
    """What retention dropped of it: blanks stand there, as many as there were bytes. To be asked after `exported`."""
    return raw.holes(ledger, transcript.id, generation_asked_for(transcript, generation))


def _end_of(ledger: Ledger, transcript: Transcript, generation: int, otherwise: int) -> int:
    """Where a generation ended: at the cursor, or where the one that took its place found it."""
    if generation == transcript.generation:
        return transcript.bytes
    ends = {item.generation: item.end for item in rewrites(ledger, transcript.id)}
    return ends.get(generation + 1, otherwise)


def _incomplete(ledger: Ledger, transcript: Transcript, offset: int) -> LedgerCorrupt:
    return LedgerCorrupt(
        f"raw bytes of transcript {transcript.id} in {ledger.path} are missing from {offset} on", raw.MENDING_HINT
    )


def write_file(path: str, pieces: Iterable[bytes]) -> int:
    """A whole file, 0600, in place of what was there, or no file; the number of bytes written."""
    try:
        if os.path.isdir(path):
            raise UserError(f"{printable(path)} is a directory", "name a file")
        if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
            with open(path, "wb") as device:  # a device or a pipe is written to, not replaced
                return _write(device, pieces)
        refuse_without_directory(path)
        return _replace(os.path.realpath(path), pieces)  # a symlink stays one: its target is replaced
    except OSError as fault:
        raise SyncdError(
            f"cannot write {printable(path)}: {fault.strerror}",
            "look at the rights of the directory and at the space on its disk",
        ) from fault


def _replace(path: str, pieces: Iterable[bytes]) -> int:
    directory, name = os.path.split(path)
    descriptor, scratch = tempfile.mkstemp(dir=directory, prefix=f".{name[:100]}.", suffix=".partial")
    try:
        with open(descriptor, "wb") as file:
            written = _write(file, pieces)
            os.fsync(file.fileno())
        os.replace(scratch, path)
    except BaseException:
        os.unlink(scratch)
        raise
    return written


def _write(file: BinaryIO, pieces: Iterable[bytes]) -> int:
    written = 0
    for piece in pieces:
        file.write(piece)
        written += len(piece)
    file.flush()
    return written


def refuse_inside_openclaw(ledger: Ledger, path: str) -> None:
    """Nothing of ours is ever written below a state dir of OpenClaw's, also when it is asked for."""
    real = os.path.realpath(path)
    for (state_dir,) in ledger.execute("SELECT state_dir FROM installations"):
        if printable(real).startswith(f"{state_dir}/"):
            title = f"{printable(path)} lies in OpenClaw's directory {state_dir}"
            raise UserError(title, "syncd writes nothing there: name another place")
