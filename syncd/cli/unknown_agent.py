"""A word to somebody who asked for an agent that the ledger does not know: nothing found, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.cli.output import note

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger


def note_if_unknown(ledger: Ledger, agent: str | None) -> None:
    from syncd.ledger.usage import agents_of

    if agent is not None and agent not in (known := agents_of(ledger)):
        note(f"the ledger knows no agent {agent!r}; it knows: {', '.join(known) or 'none yet'}")
