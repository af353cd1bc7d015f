"""The windows of a session, every session id that its key ever stood for, as OpenClaw's own database keeps them. Pure.

A sessions.json only has the present one: there, pairings that ended are noted as they end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from syncd.ledger.session_changes import EndedPairing, Name
from syncd.openclaw.endings import EndedBy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from syncd.sources.index_file import Window

_WORDS: Mapping[str, EndedBy] = {word: word for word in get_args(EndedBy)}


def reason_of(windows: Iterable[Window], key: str, session_id: str, previous: str | None) -> EndedBy | None:
    """Why the key went over from the previous session id to this one, where OpenClaw wrote it down."""
    for window in windows:
        if (window.session_id, window.session_key) == (session_id, key):
            if window.previous_session_id not in (None, previous):
                return None
            return _WORDS.get(window.reason or "")
    return None


def ended_pairings(
    windows: Sequence[Window],
    name_of: Callable[[str], Name],
    current: Callable[[Name], str | None],
    known: Mapping[tuple[Name, str], str | None],
) -> Iterator[EndedPairing]:
    """Those of the past that the ledger does not have, or has as if they were still true.

    `current`: the session id of a session that has an entry; None for any other. `known`: what ended each pairing.
    """
    by_key: dict[str, list[Window]] = {}
    for window in windows:
        by_key.setdefault(window.session_key, []).append(window)
    for key, line in by_key.items():
        name = name_of(key)
        now = current(name)
        if now is None:
            continue
        for place, window in enumerate(line):
            pairing = (name, window.session_id)
            if window.session_id == now or known.get(pairing) is not None:
                continue
            follower = next((one for one in line if one.previous_session_id == window.session_id), None)
            follower = follower or next(iter(line[place + 1 :]), None)
            told = _WORDS.get((follower.reason or "") if follower is not None else "")
            # Nothing else makes a new session id of an old key without saying why.
            yield EndedPairing(name, window.session_id, told or "rollover")
