"""The daemon's loop in a thread of the test: the real watchdog on real files, a real ledger, real time.

Conditions are waited for, with a bound; nothing sleeps for a fixed time. Every scenario ends with the same question:
does the ledger equal the files, and was nothing of OpenClaw's touched?
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from syncd.clock import SystemClock
from syncd.daemon.caring import Care
from syncd.daemon.loop import Loop
from syncd.daemon.notify import Notifier
from syncd.daemon.orders import BEAT_SECONDS, LoopOptions, Orders
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import CatchUpOptions, catch_up
from syncd.mirror.index_look import IndexOptions
from tests.mirror.household import Household
from tests.mirror_checks import Row, assert_file, assert_mirrors, mirrored_files, only_transcript, transcript_at

SETTLE_SECONDS = 0.2
LONGEST_SECONDS = 60.0  # nobody waits for it but a test that fails
NEVER_SECONDS = 3600.0


def wait_for(condition: Callable[[], object], seconds: float = LONGEST_SECONDS) -> None:
    """Until it is true; an assertion of the condition's own, or something that is not there, counts as "not yet"."""
    pause, deadline = threading.Event(), time.monotonic() + seconds
    while True:
        try:
            if condition():
                return
            fault: Exception | None = None
        except (AssertionError, ValueError, LookupError, FileNotFoundError) as error:
            fault = error
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s") from fault
        pause.wait(0.01)


class Heard(Notifier):
    """A service manager that remembers."""

    def __init__(self) -> None:
        super().__init__({})
        self.messages: list[str] = []
        self.ready = threading.Event()

    def send(self, *fields: str) -> None:
        self.messages += fields
        if "READY=1" in fields:
            self.ready.set()


class Live:
    """A running loop, and the household it follows."""

    def __init__(self, house: Household, loop: Loop, heard: Heard) -> None:
        self.house, self.loop, self.heard = house, loop, heard
        self.failure: BaseException | None = None
        self.beats = 0
        self._thread = threading.Thread(target=self._run, name="loop")

    def start(self) -> None:
        self._thread.start()
        wait_for(lambda: self.heard.ready.is_set() or self.failure is not None)

    def stop(self) -> None:
        self.loop.stop()
        self._thread.join(LONGEST_SECONDS)
        assert not self._thread.is_alive(), "the loop did not stop"
        if self.failure is not None:
            raise self.failure

    def _run(self) -> None:
        try:
            self.loop.run(self._count)
        except BaseException as error:  # noqa: BLE001 - raised again in the test's thread
            self.failure = error

    def _count(self, _: Loop) -> None:
        self.beats += 1

    # What the test asks

    def row(self, name: str | None = None) -> Row:
        path = self.house.ledger_path
        return transcript_at(path, name) if name is not None else only_transcript(path)

    def has_lines(self, name: str, lines: int, seconds: float = LONGEST_SECONDS) -> Row:
        """Waits until the transcript at this name has that many."""
        wait_for(lambda: self.row(name).lines == lines, seconds)
        return self.row(name)

    def level(self, seconds: float = LONGEST_SECONDS) -> None:
        """Waits until every file's complete lines are in the ledger."""
        wait_for(self._is_level, seconds)

    def _is_level(self) -> bool:
        for path in mirrored_files(self.house.state_dir):
            assert_file(self.house, path)
        return True

    def looks(self) -> int:
        return sum(follower.figures.looks for follower in self.loop.followers)

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """The loop stands in a look meanwhile: all that happens inside the block comes to it at once."""
        stands, may_go_on = threading.Event(), threading.Event()
        (follower,) = self.loop.followers
        usual = follower.look_at

        def stand(paths: Iterable[str]) -> None:
            stands.set()
            may_go_on.wait()
            usual(paths)

        follower.look_at = stand  # type: ignore[method-assign]
        try:
            self.loop.dirty.add(str(self.house.sessions() / "nothing"))
            assert stands.wait(LONGEST_SECONDS)
            yield
        finally:
            follower.look_at = usual  # type: ignore[method-assign]
            may_go_on.set()


def catch_up_options(**fields: object) -> CatchUpOptions:
    return CatchUpOptions(**{"settle_seconds": SETTLE_SECONDS, "lock_wait_seconds": 0.0, **fields})  # type: ignore[arg-type]


@contextmanager
def following(
    house: Household,
    *,
    rescan_seconds: float = NEVER_SECONDS,
    mode: str = "auto",
    confirm_removal_seconds: float = 60.0,
    options: CatchUpOptions | None = None,
    prepare: Callable[[Loop], None] = lambda _: None,
    is_level_after: bool = True,
    more_state_dirs: tuple[str, ...] = (),
    find_state_dirs: Callable[[], tuple[str, ...]] | None = None,
    beat_seconds: float = BEAT_SECONDS,
    care: Care | None = None,
) -> Iterator[Live]:
    """Caught up and live inside the block; afterwards the ledger must equal the files.

    There is no rescan unless a test asks for one: what is found is found by events, looks at active files, or retries.
    """
    chosen = options or catch_up_options()
    index = IndexOptions({"HOME": str(house.state_dir.parent)}, chosen.agents, confirm_removal_seconds)
    with writer_lock(house.ledger_path):
        clock = SystemClock()
        with open_for_writing(house.ledger_path) as ledger:
            catch_up(ledger, clock, [str(house.state_dir)], chosen)
        heard = Heard()
        options_of_loop = LoopOptions(chosen, index, rescan_seconds, mode, beat_seconds)
        orders = Orders(find_state_dirs or (lambda: (str(house.state_dir), *more_state_dirs)), options_of_loop)
        loop = Loop(lambda: open_for_writing(house.ledger_path), clock, orders, heard, care=care)
        prepare(loop)
        live = Live(house, loop, heard)
        live.start()
        try:
            yield live
            if is_level_after:
                live.level()
        finally:
            live.stop()
    if is_level_after:
        assert_mirrors(house)
