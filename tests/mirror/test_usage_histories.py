"""Random histories of answers: after each change `usage` and the views say what a recount of the lines says."""

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.mirror.household import RESET_TIME, Household, header, household, name_of, session_id
from tests.mirror.test_usage import rebuild, repeats
from tests.usage_corpus import STARTED_AT, answer, assert_recounted
from tests.usage_recount import Recount

REPLAYED_AT = "2026-11-16T09:{:02d}:00.000Z"
CHANGES = ("append", "append", "rewrite", "drop", "fork", "copy", "replay", "session", "archive")


@dataclass
class Session:
    number: int
    name: str
    lines: list[bytes]
    family: int
    first_at: int = STARTED_AT + 1000
    is_archived: bool = False


@dataclass
class History:
    """Few ids, few times and few numbers, so that answers meet again in every way."""

    house: Household
    draw: st.DataObject
    sessions: list[Session] = field(default_factory=list)
    files: int = 0

    def change(self) -> str:
        what = self.draw.draw(st.sampled_from(CHANGES if self.sessions else ("session",)))
        getattr(self, what)()
        return what

    def session(self) -> None:
        number = self._number()
        self._begin(Session(number, name_of(number), [header(number)], number), self.draw.draw(st.integers(0, 3)))

    def append(self) -> None:
        session = self._one()
        more = [self._answer(session) for _ in range(self.draw.draw(st.integers(1, 3)))]
        session.lines += more
        self.house.append(session.name, b"".join(more))

    def rewrite(self) -> None:
        session = self._one()
        at = self.draw.draw(st.integers(1, len(session.lines)))
        session.lines[at : at + 1] = [self._answer(session)]
        self._write(session)

    def drop(self) -> None:
        session = self._one()
        at = self.draw.draw(st.integers(1, len(session.lines)))
        del session.lines[at : at + self.draw.draw(st.integers(1, 3))]
        self._write(session)

    def fork(self) -> None:
        parent, number = self._one(), self._number()
        first = header(number, timestamp=f"2026-11-16T05:{number:02d}:00.000Z", parentSession=f"/x/{parent.name}")
        kept = parent.lines[1 : self.draw.draw(st.integers(1, len(parent.lines)))]
        name = f"2026-11-16T04-22-14-584Z_{session_id(number)}.jsonl"
        self._begin(Session(number, name, [first, *kept], parent.family, parent.first_at), 1)

    def copy(self) -> None:
        session, number = self._one(), self._number()
        if session.name.startswith(session_id(session.number)):
            checkpoint = f"{session_id(session.number)}.checkpoint.{session_id(number)}.jsonl"
            backup = f"{name_of(session.number)}.bak-{number}-1794802934685"
            name = self.draw.draw(st.sampled_from([checkpoint, backup]))
            self.house.write(name, b"".join(session.lines))

    def replay(self) -> None:
        source, number = self._one(), self._number()
        first = header(number, timestamp=REPLAYED_AT.format(number))
        lines = [first, *source.lines[1:][-2:]]
        later = STARTED_AT + 24 * 3_600_000
        self._begin(Session(number, name_of(number), lines, number, later), 0)

    def archive(self) -> None:
        session = self._one()
        if session.name == name_of(session.number) and not session.is_archived:
            session.is_archived = True
            self.house.rename(session.name, f"{session.name}.reset.{RESET_TIME}")
            session.name = f"{session.name}.reset.{RESET_TIME}"

    def _answer(self, session: Session) -> bytes:
        pick = self.draw.draw
        number = session.family * 10 + pick(st.integers(1, 4))
        entry_id = pick(st.sampled_from([None, f"x{session.family}", f"y{session.family}"]))
        at = session.first_at + pick(st.integers(1, 3))
        response = pick(st.sampled_from([None, "resp"]))
        return answer(number, entry_id=entry_id, at=at, output=pick(st.integers(1, 2)), response=response)

    def _number(self) -> int:
        self.files += 1
        return self.files

    def _one(self) -> Session:
        return self.draw.draw(
            st.sampled_from([each for each in self.sessions if not each.is_archived] or self.sessions)
        )

    def _begin(self, session: Session, count: int) -> None:
        session.lines += [self._answer(session) for _ in range(count)]
        self.sessions.append(session)
        self._write(session)

    def _write(self, session: Session) -> None:
        self.house.write(session.name, b"".join(session.lines))


@settings(max_examples=examples(10), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_every_history_is_counted_as_its_lines_say(data: st.DataObject) -> None:
    with TemporaryDirectory() as place:
        house, recount, told = household(Path(place)), Recount(), []
        history = History(house, data)
        for _ in range(data.draw(st.integers(2, 7))):
            told.append([history.change() for _ in range(data.draw(st.integers(1, 2)))])
            house.catch_up()
            recount.look(house.state_dir)
            assert_recounted(house, recount)
        before = repeats(house)
        rebuild(house)
        assert repeats(house) == before, told
        assert_recounted(house, recount)
