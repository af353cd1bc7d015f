"""OpenClaw's flight recorder of one session, changed as OpenClaw changes it, and what the ledger has of it."""

import json

from syncd.ledger.tally import Tally
from syncd.mirror.trajectory_store import Scope, TrajectoryMemory, follow_trajectories, sync_trajectories
from syncd.records import FileProblem
from tests.mirror.indexed import Indexed
from tests.mirror.stores import put_store, written
from tests.mirror_checks import exported

SESSION = "3f7dc843-62a8-4396-bd33-5ecf882d7d96"


class Recorder:
    def __init__(self, index: Indexed) -> None:
        self.index = index
        self.path = put_store(index.house)
        self.memory = TrajectoryMemory()
        self.scope = Scope(index.options.agents, index.options.environ)
        self.unread: list[FileProblem] = []
        self.ever: list[bytes] = []
        self.execute("DELETE FROM trajectory_runtime_events")

    def execute(self, statement: str, *bindings: object) -> None:
        with written(self.path) as connection:
            connection.execute(statement, bindings)

    def record(self, *numbers: int) -> None:
        events = (
            {"traceSchema": "openclaw-trajectory", "seq": number, "data": "x" * (number % 7)} for number in numbers
        )
        self.record_texts(*map(json.dumps, events))

    def record_texts(self, *texts: str, run: str = "run", session_id: str = SESSION) -> None:
        """Each behind the newest of its session, as OpenClaw numbers them."""
        with written(self.path) as connection:
            for text in texts:
                connection.execute(
                    """INSERT INTO trajectory_runtime_events (session_id, seq, run_id, event_json, created_at)
                    SELECT ?1, coalesce(max(seq) + 1, 0), ?3, ?2, ?4 FROM trajectory_runtime_events
                    WHERE session_id = ?1""",
                    (session_id, text, run, len(self.ever)),
                )
                self.ever.append(text.replace("\n", " ").encode() + b"\n")

    def let_go(self, through: int) -> None:
        self.execute("DELETE FROM trajectory_runtime_events WHERE seq <= ?", through)

    def stored(self) -> list[bytes]:
        with written(self.path) as connection:
            query = "SELECT CAST(event_json AS BLOB) FROM trajectory_runtime_events WHERE session_id = ? ORDER BY seq"
            rows = connection.execute(query, (SESSION,)).fetchall()
        return [text.replace(b"\n", b" ") + b"\n" for (text,) in rows]

    def look(self, *, compares_all: bool = False) -> bytes:
        """What the ledger has of it then."""
        index = self.index
        place = (index.writer, index.installation_id, str(index.house.state_dir))
        self.unread = sync_trajectories(*place, self.scope, self.memory, Tally(), compares_all=compares_all)
        return self.content()

    def follow(self) -> float | None:
        index = self.index
        place = (index.writer, index.installation_id, str(index.house.state_dir), str(self.path))
        return follow_trajectories(*place, self.scope, self.memory, Tally())

    def content(self, session_id: str = SESSION) -> bytes:
        """All generations live now; one transcript."""
        query = "SELECT id, generation FROM transcripts WHERE kind = 'trajectory' AND session_id = ?"
        rows = self.index.rows(query, session_id)
        return b"".join(exported(self.index.house.ledger_path, row[0], row[1]) for row in rows)

    def generations(self) -> list[bytes]:
        query = "SELECT id, generation FROM transcripts WHERE kind = 'trajectory' AND session_id = ?"
        rows = self.index.rows(query, SESSION)
        house = self.index.house
        return [exported(house.ledger_path, row[0], each) for row in rows for each in range(1, row[1] + 1)]

    def state(self, session_id: str = SESSION) -> str:
        query = "SELECT state FROM transcripts WHERE kind = 'trajectory' AND session_id = ?"
        ((state,),) = self.index.rows(query, session_id)
        return str(state)

    def restart(self) -> None:
        self.memory = TrajectoryMemory()
