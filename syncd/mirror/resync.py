"""Resync: catching up because somebody asked for it, for all or for one agent or session, after a rebuild or without.

The same act whether a process does it alone or the daemon does it between two looks at live files: who waits, who is
shown the progress and whose writer it is are arguments.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from syncd.errors import SyncdError
from syncd.ledger.check_sessions import mend_sessions
from syncd.ledger.session_history import restore_pairings, unpaired_sessions
from syncd.ledger.sessions import distrust_entries
from syncd.ledger.tombstones import is_purged
from syncd.ledger.transaction import writing
from syncd.mirror.catchup import CatchUp, border_of_rebuild, bring_level
from syncd.mirror.locate import purged_session, session_ids_meant
from syncd.mirror.mend import Mender
from syncd.mirror.rebuild import rebuild_all, rebuild_some
from syncd.mirror.selection import known_agents, transcripts_of
from syncd.sources.scan import is_wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager

    from syncd.ledger.database import Ledger
    from syncd.ledger.writer import Writer
    from syncd.mirror.catchup import CatchUpOptions, Home, Pace, Progress

    Show = Callable[[str], AbstractContextManager[Progress]]
    """Begins to show a phase: deriving or reading."""


_NAMED_AT_MOST = 20


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for."""

    agent: str | None = None
    session: str | None = None
    rebuild: bool = False
    lock_wait_seconds: float = 30.0


@dataclass(slots=True)
class Resynced:
    """What came of it."""

    caught_up: CatchUp = field(default_factory=CatchUp)
    rebuilt: int | None = None
    """Transcripts derived anew; None where no rebuild was asked for."""
    repaired: int = 0
    """Transcripts whose lost raw bytes were taken from the files again."""


def resync(
    writer: Writer, state_dirs: tuple[str, ...], homes: Iterable[Home], wish: Wish, usual: CatchUpOptions,
    show: Show, pace: Pace, done: Resynced,
) -> None:  # fmt: skip
    """Needs the writer lock. `usual`: the options of a catch-up of everything. `done` is told what came of it."""
    refuse_unknown_agent(writer.ledger, state_dirs, wish.agent)
    wanted = session_ids_meant(writer.ledger, state_dirs, wish.session) if wish.session else None
    chosen = options_for(wish, wanted, usual)
    writer.flush()
    mender = Mender.of(writer.ledger, writer.clock, state_dirs)
    if wish.rebuild:
        with show("deriving") as progress:
            border = partial(border_of_rebuild, writer, pace)
            how = (chosen.max_line_bytes, progress, mender, border)
            if wish.agent or wanted is not None:
                meant = transcripts_of(writer.ledger, wish.agent, wanted)
                done.rebuilt = rebuild_some(writer.ledger, meant, *how)
            else:
                done.rebuilt = rebuild_all(writer.ledger, *how)
                _doubt_sessions(writer)
    with show("reading") as progress:
        bring_level(writer, homes, chosen, progress, pace, mender, done.caught_up)
    done.repaired = mender.repaired
    refuse_unknown(writer.ledger, wanted, wish.session)


def _doubt_sessions(writer: Writer) -> None:
    """They are made from OpenClaw's indexes, not from raw bytes: the next look holds each row against its entry."""
    writer.flush()
    with writing(writer.ledger) as connection:
        mend_sessions(writer.ledger, [row[0] for row in writer.ledger.execute("SELECT id FROM sessions")])
        restore_pairings(writer.ledger, unpaired_sessions(writer.ledger))
        distrust_entries(connection)


def options_for(wish: Wish, session_ids: frozenset[str] | None, usual: CatchUpOptions) -> CatchUpOptions:
    return replace(
        usual,
        agents=(wish.agent,) if wish.agent else usual.agents,
        session_ids=session_ids,
        lock_wait_seconds=wish.lock_wait_seconds,
        index=None if wish.agent or session_ids else usual.index,
        prove_all=wish.rebuild,
    )


def refuse_unknown_agent(ledger: Ledger, state_dirs: tuple[str, ...], agent: str | None) -> None:
    """Before the look: an agent that neither the disk nor the ledger knows was misspelt."""
    if agent is None:
        return
    known = known_agents(ledger, state_dirs)
    if not any(is_wanted(name, (agent,)) for name in known):
        named = ", ".join(known[:_NAMED_AT_MOST]) + (", ..." if len(known) > _NAMED_AT_MOST else "")
        hint = f"known agents: {named}" if known else "no agent is known yet"
        raise SyncdError(f"no agent is known as {agent}", hint)


def refuse_unknown(ledger: Ledger, wanted: frozenset[str] | None, session: str | None) -> None:
    """After the look: a session that neither a file nor the ledger knows was misspelt."""
    if wanted is None:
        return
    marks = ", ".join("?" * len(wanted))
    if ledger.row(f"SELECT 1 FROM transcripts WHERE session_id IN ({marks})", tuple(wanted)) is None:
        if is_purged(ledger, str(session)):
            raise purged_session(str(session))
        raise SyncdError(
            f"no session is known as {session}", "give a session key such as agent:main:main, or a session id"
        )
