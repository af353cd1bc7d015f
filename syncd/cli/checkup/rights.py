"""What this process may do with a path, by the user it acts as."""

from __future__ import annotations

import os


def may(path: str | os.PathLike[str], mode: int) -> bool:
    """`mode`: os.R_OK and the like."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)
