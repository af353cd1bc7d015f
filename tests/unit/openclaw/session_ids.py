"""Session ids out of the bytes of an index."""

from syncd.openclaw.index import ReadEntry, read_entries


def session_ids(raw: bytes) -> dict[str, str] | None:
    """By key, entries without one left out; None where this is no index."""
    entries = read_entries(raw)
    if entries is None:
        return None
    read = {key: entry for key, entry in entries.items() if isinstance(entry, ReadEntry)}
    return {key: entry.session_id for key, entry in read.items() if entry.session_id is not None}
