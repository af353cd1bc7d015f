"""What the system gives to nobody just now: no reason to end, since it comes back. Modules that are loaded late, too.

Not for OpenClaw's files, which are put off one by one, nor for the ledger's, whose driver has words of its own.
"""

from __future__ import annotations

import errno

from syncd.errors import ShortageError

_SHORT = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})


def shortage_of(error: OSError) -> ShortageError:
    """As one that is waited for; what is no shortage is raised again."""
    if error.errno not in _SHORT:
        raise error
    return ShortageError(f"the system has nothing left for syncd: {error.strerror}")
