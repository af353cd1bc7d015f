"""The machine that fights the reader: random histories of a sessions folder, with catch-ups in between.

Each rule is one thing that happens to the files, or one thing the mirror does. What must hold is in the oracle (what
the ledger must say) and in ledger_checks (that it says so).
"""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import ClassVar

from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from syncd.ledger.database import Ledger, open_for_writing
from syncd.mirror.catchup import CatchUpOptions, Progress, catch_up
from syncd.mirror.rebuild import derive_stale, rebuild_all
from syncd.mirror.verify import verify
from syncd.records import FileProblem
from tests.model import ledger_checks
from tests.model.adoption import adopted, assert_nothing_lost
from tests.model.failpoint import Killed, dying_at
from tests.model.file_rules import FileRules, picks
from tests.model.folder import SessionsFolder
from tests.model.line_shapes import MAX_LINE_BYTES, some_lines
from tests.model.oracle import Logical, Oracle, Seen, leading_header
from tests.model.wound_clock import WoundClock

# Longer than a history takes, so that a replay of it finds the same files young; waiting costs nothing here.
SETTLE_SECONDS = 20.0
RACY_SECONDS = 18.0
OPTIONS = CatchUpOptions(settle_seconds=SETTLE_SECONDS, max_line_bytes=MAX_LINE_BYTES, lock_wait_seconds=200.0)

statements = st.integers(1, 150)


class Machine(FileRules):
    root: ClassVar[Path]
    """Where histories are played: a directory on a real disk."""
    empty_ledger: ClassVar[Path]

    def __init__(self) -> None:
        super().__init__()
        self.scratch = Path(tempfile.mkdtemp(dir=self.root))
        self.state_dir = str(self.scratch / "openclaw")
        self.folder = SessionsFolder(self.state_dir)
        self.oracle = Oracle()
        self.clock = WoundClock()
        self.touched: set[str] = set()
        """Tables that were written to since the catch-up began."""
        self.is_work_left = False
        """A catch-up died before it had linked what it took in."""
        self.ledger_path = self.scratch / "ledger.db"
        shutil.copyfile(self.empty_ledger, self.ledger_path)
        self.ledger = self._opened()

    def _opened(self) -> Ledger:
        ledger = open_for_writing(self.ledger_path)
        ledger.run("PRAGMA synchronous = OFF")  # no power is cut here
        ledger.connection.set_update_hook(lambda _kind, _database, table, _row: self.touched.add(table))
        return ledger

    def teardown(self) -> None:
        try:
            if sys.exc_info()[0] is None:  # a history that failed has said enough
                self._catch_up(is_late=True)
                ledger_checks.assert_sound(self.ledger)
        finally:
            self.ledger.close()
            shutil.rmtree(self.scratch)

    # What the mirror does

    @rule()
    def catch_up_at_once(self) -> None:
        """What was written a moment ago is not at rest yet."""
        self._catch_up(is_late=False)

    @rule()
    def catch_up_an_hour_later(self) -> None:
        self._catch_up(is_late=True)

    @rule(is_late=st.booleans())
    def restart_and_catch_up(self, is_late: bool) -> None:
        self.restart()
        self._catch_up(is_late=is_late)

    def _catch_up(self, *, is_late: bool) -> None:
        self._before_catching_up(is_late=is_late)
        result = catch_up(self.ledger, self.clock, [self.state_dir], OPTIONS)
        self._after_catching_up()
        assert result.problems == []
        assert _paths(result.in_progress) == {self.folder.path_of(name) for name in self.oracle.held_back}

    @rule(statement=statements, is_late=st.booleans())
    def die_while_catching_up_then_catch_up(self, statement: int, is_late: bool) -> None:
        """The ledger is the same as if nobody had died."""
        self._before_catching_up(is_late=is_late)
        if self._dies_at(statement):
            catch_up(self.ledger, self.clock, [self.state_dir], OPTIONS)
        self._after_catching_up()

    @rule(statement=statements, is_late=st.booleans())
    def die_while_catching_up(self, statement: int, is_late: bool) -> None:
        """And the files change before the next catch-up."""
        self._before_catching_up(is_late=is_late)
        if self._dies_at(statement):
            ledger_checks.assert_rows_kept(self.rows_before, ledger_checks.rows_of(self.ledger))
            self.is_work_left = True
            known, self.oracle = self.oracle, adopted(self.ledger, self.folder)
            assert_nothing_lost(known, self.oracle)
        else:
            self._after_catching_up()

    def _dies_at(self, statement: int) -> bool:
        try:
            with dying_at(self.ledger, statement):
                catch_up(self.ledger, self.clock, [self.state_dir], OPTIONS)
        except Killed:
            self.restart()
            ledger_checks.assert_consistent(self.ledger)
            return True
        return False

    @rule(statement=statements)
    def rebuild(self, statement: int) -> None:
        """All rows made again from the raw bytes, in two goes if somebody dies: they say the same."""
        if self.is_work_left:
            return
        facts = ledger_checks.transcript_rows(self.ledger)
        try:
            with dying_at(self.ledger, statement):
                rebuild_all(self.ledger, MAX_LINE_BYTES, Progress())
        except Killed:
            self.restart()
            derive_stale(self.ledger, MAX_LINE_BYTES, Progress())
        ledger_checks.assert_equal(self.ledger, self.oracle, self.folder)
        assert ledger_checks.transcript_rows(self.ledger) == facts
        ledger_checks.assert_sound(self.ledger)

    @precondition(lambda self: self.folder.content)
    @rule(pick=picks, share=st.floats(0, 1), more=some_lines)
    def catch_up_during_a_slow_rewrite(self, pick: int, share: float, more: bytes) -> None:
        """A known file is cut short, and whole again while the mirror waits for it to settle."""
        name = self._plain_file(pick)
        if name is None or not self.folder.content.keys() <= self.oracle.at.keys():
            return  # what arrives by a rename is judged at once, and then the moment decides
        whole = self.folder.content[name]
        if leading_header(whole) not in (None, self.oracle.at[name].session_id):
            return  # as it is for another session
        self.folder.truncate(name, int(share * len(whole)))
        self.clock.at_next_sleep = lambda: self.folder.write(name, whole + more, "in_place")
        self._before_catching_up(is_late=False)
        catch_up(self.ledger, self.clock, [self.state_dir], OPTIONS)
        if self.clock.at_next_sleep is not None:
            self.clock.sleep(0)
            catch_up(self.ledger, self.clock, [self.state_dir], OPTIONS)
        self._after_catching_up(may_touch=True)

    def restart(self) -> None:
        self.ledger.close()
        self.ledger = self._opened()

    # Before and after

    def _before_catching_up(self, *, is_late: bool) -> None:
        assume(not self.oracle.has_part_beside_import(self.folder.content))
        is_late = is_late and not self.folder.locked  # a lock would be stale then
        self.clock.set_to_real_hour(ahead=3600 if is_late else 0)
        self.rows_before = ledger_checks.rows_of(self.ledger)
        self.transcripts_before = ledger_checks.transcript_rows(self.ledger)
        self.touched.clear()

    def _after_catching_up(self, *, may_touch: bool = False) -> None:
        facts = {logical: logical.facts() for logical in self.oracle.transcripts}
        copies = dict(self.oracle.copies)
        folder = self.folder
        self.oracle.look(Seen(folder.content, folder.places, folder.stats(), folder.locked))
        ledger_checks.assert_equal(self.ledger, self.oracle, self.folder)
        ledger_checks.assert_rows_kept(self.rows_before, ledger_checks.rows_of(self.ledger))
        if not may_touch and not self.is_work_left:
            self._assert_untouched(facts, is_news=copies != self.oracle.copies)
        self.is_work_left = False
        self._assert_level()

    def _assert_untouched(self, facts: dict[Logical, tuple[object, ...]], *, is_news: bool) -> None:
        """What has not changed was not written."""
        after = ledger_checks.transcript_rows(self.ledger)
        unchanged = [each for each in self.oracle.transcripts if facts.get(each) == each.facts()]
        for logical in unchanged:
            if logical.state == "archived" != logical.state_when_there:
                continue  # which of its copies is called its path is nobody's business
            assert logical.row_id is not None
            before = self.transcripts_before[logical.row_id]
            assert after[logical.row_id] == before, f"{after[logical.row_id]} was {before}"
        if len(unchanged) == len(self.oracle.transcripts) and not is_news:
            # How a turn and its calls stand is also a matter of locks and of time.
            touched = sorted(self.touched - {"_files", "_tails", "installations", "turns", "tool_calls"})
            assert touched == []

    def _assert_level(self) -> None:
        """Nothing is left to do, and `verify` says so."""
        result = verify(self.ledger, self.clock, [self.state_dir], OPTIONS, Progress())
        assert result.differences == []
        held_back = {self.folder.path_of(name) for name in self.oracle.held_back}
        assert _paths(result.in_progress) <= held_back
        changes = self.ledger.connection.total_changes()
        again = catch_up(self.ledger, self.clock, [self.state_dir], OPTIONS)
        assert (again.lines, again.bytes, again.problems) == (0, 0, [])
        assert _paths(again.in_progress) == held_back
        assert self.ledger.connection.total_changes() == changes, "a catch-up without news wrote something"


def _paths(problems: list[FileProblem]) -> set[str]:
    return {problem.path for problem in problems}
