"""Why a session key let go of a session id: reset, rollover, compaction, fork, rewind, switch, recovery.

sessions.json only shows the new id. What else tells is brought by the caller as `Evidence`; without any, a new id means
that the old session was ended, by hand (reset) or by the clock (rollover). Never unknown: one of the words always fits.
"""

import re
from typing import Final, Literal, NamedTuple

from syncd.openclaw.config_file import OpenClawConfig
from syncd.openclaw.session_entries import last_activity_of, object_or_empty
from syncd.openclaw.timestamps import to_epoch_ms

EndedBy = Literal["reset", "rollover", "deleted", "migrated", "fork", "rewind", "switch", "recovery", "compaction"]

_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


class Evidence(NamedTuple):
    """What the files and the ledger say about the change from one session id to the next."""

    is_successor: bool = False
    """The new transcript's header names the old one as its parent."""
    is_from_checkpoint: bool = False
    """The new transcript's header names a checkpoint as its parent."""
    has_reset_archive: bool = False
    """The old transcript was renamed to `.reset.`."""
    has_corrupt_copy: bool = False
    """The old transcript was found corrupt and set aside."""
    is_id_known: bool = False
    """The new id is no new one: it stood behind a key before, or its transcript is older than the pairing."""
    day_began_at: int | None = None
    """The last daily reset before the change."""


def ended_by(old: object, new: object, new_id: str, evidence: Evidence, config: OpenClawConfig) -> EndedBy:
    """`old` and `new` are the entry before and after the change."""
    if _is_compacted(new, new_id):
        return "compaction"
    if _is_forked(old, new):
        return "fork"
    if evidence.is_from_checkpoint:
        return "rewind"
    if evidence.is_successor:
        return "compaction"
    if not evidence.has_reset_archive:
        if evidence.has_corrupt_copy:
            return "recovery"
        if evidence.is_id_known or not _UUID.fullmatch(new_id):  # OpenClaw itself makes UUIDs; people make names
            return "switch"
    return "rollover" if _is_due(old, new, evidence.day_began_at, config) else "reset"


def _is_compacted(new: object, new_id: str) -> bool:
    """Did a compaction that the entry lists move the session to its new id?"""
    checkpoints = object_or_empty(new).get("compactionCheckpoints")
    for checkpoint in checkpoints if type(checkpoints) is list else []:
        fields = object_or_empty(checkpoint)
        before, after = (object_or_empty(fields.get(name)).get("sessionId") for name in _SIDES)
        if after == new_id and before != new_id:
            return True
    return False


_SIDES: Final = ("preCompaction", "postCompaction")


def _is_forked(old: object, new: object) -> bool:
    before, after = object_or_empty(old), object_or_empty(new)
    if after.get("forkedFromParent") is True and before.get("forkedFromParent") is not True:
        return True
    source = object_or_empty(after.get("forkSource"))
    return bool(source) and source != before.get("forkSource")


def _is_due(old: object, new: object, day_began_at: int | None, config: OpenClawConfig) -> bool:
    """Would OpenClaw's own rules have ended the session at that moment?"""
    last = last_activity_of(old)
    fields = object_or_empty(new)
    began = to_epoch_ms(fields.get("sessionStartedAt")) or to_epoch_ms(fields.get("updatedAt"))
    if last is None or began is None:
        return False
    if config.idle_minutes is not None and began - last >= config.idle_minutes * 60_000:
        return True
    return config.resets_daily and day_began_at is not None and last < day_began_at <= began
