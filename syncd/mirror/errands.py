"""What a verb has done by whoever holds the ledger: by itself, or by the running daemon, on its loop's thread.

An errand takes plain values and gives plain values back, so that both can be sent over the daemon's socket.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from syncd.ledger.writer import Writer
    from syncd.mirror.catchup import Home, Pace


class Hands(NamedTuple):
    """What it is done with. Live files get their turn wherever it calls `pace.at_border` or `pace.wait`."""

    writer: Writer
    homes: tuple[Home, ...]
    pace: Pace


Arguments = Mapping[str, Any]
Answer = dict[str, Any]
Errand = Callable[[Hands, Arguments], Answer]
