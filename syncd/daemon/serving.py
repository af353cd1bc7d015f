"""Doing on the loop's thread what a visitor asked for, with live files followed in between.

The act is the one of the command line (mirror/resync). At its borders the loop gets its turn, so that a rebuild of
hours delays a live line by no more than one transcript's worth; there it also ends when its visitor has gone.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from syncd.daemon.follow import SLICE_BYTES
from syncd.daemon.messages import ErrandWish, message_of_error, message_of_result, senseless_request
from syncd.errors import LedgerError, SyncdError
from syncd.mirror.catchup import Pace, Progress
from syncd.mirror.errands import Hands
from syncd.mirror.resync import Resynced, resync
from syncd.sources.scan import state_dir_problem
from syncd.sources.store_opening import let_go_of_handles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.daemon.door import Visitor
    from syncd.daemon.loop import Loop
    from syncd.mirror.resync import Wish

TURN_SECONDS = 0.02
"""A border that comes sooner after the last turn is passed by: a turn costs a commit."""
LONGEST_WAIT_SECONDS = 0.1


class Abandoned(SyncdError):
    """Nobody waits for the outcome any more, or the daemon stops."""

    type = "interrupted"


def serve(loop: Loop, visitor: Visitor) -> None:
    """Answers the visitor in any case; raises only what the loop must know of, a fault of the ledger."""
    wish = visitor.wish
    assert wish is not None
    # Of an errand no more than its name: what a purge removes may not stay in a log. A session may be named by words
    # of its title, which is what somebody said.
    about = {"verb": wish.name} if isinstance(wish, ErrandWish) else {
        "verb": "resync", "rebuild": wish.rebuild, "agent": wish.agent, "session": wish.session is not None,
    }  # fmt: skip
    started = loop.clock.monotonic()
    loop.log.say("request", **about)
    try:
        figures = _run_errand(loop, visitor, wish) if isinstance(wish, ErrandWish) else _resync(loop, visitor, wish)
    except SyncdError as error:
        visitor.say(message_of_error(error))
        # Other reasons repeat what was asked for, and tell titles of what it can mean: they are the visitor's alone.
        reason = str(error) if isinstance(error, LedgerError | Abandoned) else error.type
        loop.log.say("request_failed", verb=about["verb"], reason=reason, seconds=_since(loop, started))
        if isinstance(error, LedgerError):
            raise
        return
    loop.log.say("request_done", verb=about["verb"], **figures, seconds=_since(loop, started))


def _run_errand(loop: Loop, visitor: Visitor, wish: ErrandWish) -> dict[str, object]:
    following, errand = loop.following, loop.options.errands.get(wish.name)
    if following is None:
        raise _cannot_write()
    if errand is None:
        raise SyncdError(f"the running syncd knows no {wish.name}", "use the same syncd for both")
    hands = Hands(following.writer, tuple(following.homes()), SharedPace(loop, visitor))
    try:
        visitor.say({"done": errand(hands, wish.arguments)})
    except (TypeError, KeyError, ValueError) as error:  # arguments of another version's
        raise senseless_request() from error
    return {}


def _cannot_write() -> SyncdError:
    return SyncdError("the running syncd cannot write to the ledger", "see `syncd status`")


def _resync(loop: Loop, visitor: Visitor, wish: Wish) -> dict[str, object]:
    following = loop.following
    if following is None:
        raise _cannot_write()
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
    usual, pace = loop.options.catch_up, SharedPace(loop, visitor)
    resync(following.writer, own, following.homes(), wish, usual, show, pace, done)
    visitor.say(message_of_result(done))
    figures = done.caught_up
    counts = {"transcripts": figures.transcripts, "lines": figures.lines, "bytes": figures.bytes}
    return {**counts, "rebuilt": done.rebuilt}


def _since(loop: Loop, started: float) -> float:
    return round(loop.clock.monotonic() - started, 3)


class _Told(Progress):
    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor

    def expect(self, total_bytes: int) -> None:
        self._visitor.say({"expect": total_bytes})

    def advance(self, done_bytes: int) -> None:
        self._visitor.say({"advance": done_bytes})


class SharedPace(Pace):
    """Of an act on the loop's thread: for a visitor, who may go away, or of the daemon's own accord."""

    slice_bytes = SLICE_BYTES

    def __init__(self, loop: Loop, visitor: Visitor | None = None) -> None:
        super().__init__(loop.clock)
        self._loop, self._visitor = loop, visitor
        self._turned_at = loop.clock.monotonic()

    def at_border(self) -> None:
        self.within_file()
        if self._visitor is not None and self._visitor.is_gone:
            raise Abandoned("the command was interrupted")
        if self._loop.clock.monotonic() - self._turned_at >= TURN_SECONDS:
            self._turn(0.0)

    def within_file(self) -> None:
        if self._loop.is_stopping:
            raise Abandoned("syncd is stopping", "run the command again")
        self._loop.self_watch.sign()

    def wait(self, seconds: float) -> None:
        until = self._loop.clock.monotonic() + seconds
        while (left := until - self._loop.clock.monotonic()) > 0:
            self._turn(min(left, LONGEST_WAIT_SECONDS))
            self.at_border()

    def _turn(self, longest_wait: float) -> None:
        assert self._loop.following is not None
        let_go_of_handles()
        self._loop.following.writer.flush()  # what is half done may not be seen, nor overtaken, by a live look
        self._loop.turn(longest_wait)
        self._turned_at = self._loop.clock.monotonic()
