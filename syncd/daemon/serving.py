"""Doing on the loop's thread what a visitor asked for, with live files followed in between.

The act is the one of the command line (mirror/resync). At its borders the loop gets its turn, so that a rebuild of
hours delays a live line by no more than one transcript's worth; there it also ends when its visitor has gone.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from syncd.daemon.follow import SLICE_BYTES
from syncd.daemon.messages import message_of_error, message_of_result
from syncd.errors import LedgerError, SyncdError
from syncd.mirror.catchup import Pace, Progress
from syncd.mirror.resync import Resynced, resync
from syncd.sources.scan import state_dir_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.daemon.door import Visitor
    from syncd.daemon.loop import Loop

TURN_SECONDS = 0.02
"""A border that comes sooner after the last turn is passed by: a turn costs a commit."""
LONGEST_WAIT_SECONDS = 0.1


class Abandoned(SyncdError):
    """Nobody waits for the outcome any more, or the daemon stops."""

    type = "interrupted"


def serve(loop: Loop, visitor: Visitor) -> None:
    """Answers the visitor in any case; raises only what the loop must know of, a fault of the ledger."""
    wish, clock = visitor.wish, loop.clock
    assert wish is not None
    started = clock.monotonic()
    about = {"verb": "resync", "rebuild": wish.rebuild, "agent": wish.agent, "session": wish.session}
    loop.log.say("request", **about)
    try:
        done = _resync(loop, visitor)
    except SyncdError as error:
        visitor.say(message_of_error(error))
        loop.log.say("request_failed", verb="resync", reason=str(error), seconds=_since(loop, started))
        if isinstance(error, LedgerError):
            raise
        return
    visitor.say(message_of_result(done))
    figures = done.caught_up
    loop.log.say("request_done", verb="resync", transcripts=figures.transcripts, lines=figures.lines,
                 bytes=figures.bytes, rebuilt=done.rebuilt, seconds=_since(loop, started))  # fmt: skip


def _resync(loop: Loop, visitor: Visitor) -> Resynced:
    following = loop.following
    if visitor.wish is None or following is None:
        raise SyncdError("the running syncd cannot write to the ledger", "see `syncd status`")
    own = tuple(follower.state_dir for follower in following.followers)
    if missing := [each for each in visitor.state_dirs if each not in own and each not in loop.awaited]:
        raise SyncdError(
            f"the running syncd does not follow {', '.join(missing)}",
            "give it the same configuration (`kill -HUP` lets it read that again), or stop it first",
        )

    @contextmanager
    def show(phase: str) -> Iterator[Progress]:
        visitor.say({"phase": phase})
        yield _Told(visitor)

    done = Resynced()
    absent = [problem for each in visitor.state_dirs if (problem := state_dir_problem(each)) is not None]
    done.caught_up.problems += absent
    usual, pace = loop.options.catch_up, _SharedPace(loop, visitor)
    resync(following.writer, own, following.homes(), visitor.wish, usual, show, pace, done)
    return done


def _since(loop: Loop, started: float) -> float:
    return round(loop.clock.monotonic() - started, 3)


class _Told(Progress):
    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor

    def expect(self, total_bytes: int) -> None:
        self._visitor.say({"expect": total_bytes})

    def advance(self, done_bytes: int) -> None:
        self._visitor.say({"advance": done_bytes})


class _SharedPace(Pace):
    slice_bytes = SLICE_BYTES

    def __init__(self, loop: Loop, visitor: Visitor) -> None:
        super().__init__(loop.clock)
        self._loop, self._visitor = loop, visitor
        self._turned_at = loop.clock.monotonic()

    def at_border(self) -> None:
        if self._visitor.is_gone:
            raise Abandoned("the command was interrupted")
        if self._loop.is_stopping:
            raise Abandoned("syncd is stopping", "run the command again")
        if self._loop.clock.monotonic() - self._turned_at >= TURN_SECONDS:
            self._turn(0.0)

    def wait(self, seconds: float) -> None:
        until = self._loop.clock.monotonic() + seconds
        while (left := until - self._loop.clock.monotonic()) > 0:
            self._turn(min(left, LONGEST_WAIT_SECONDS))
            self.at_border()

    def _turn(self, longest_wait: float) -> None:
        assert self._loop.following is not None
        self._loop.following.writer.flush()  # what is half done may not be seen, nor overtaken, by a live look
        self._loop.turn(longest_wait)
        self._turned_at = self._loop.clock.monotonic()
