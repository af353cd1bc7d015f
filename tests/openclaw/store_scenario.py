"""What OpenClaw does to its own store in the test, and a witness of every event that its own raw reader ever gave.

The same acts as on files, as far as 2026.9.6 has them, and those that only a store knows: a session id that rolls over,
transcripts in cold storage, a checkpoint that wants the log for itself.
"""

from tests.openclaw.real_openclaw import RealOpenClaw
from tests.openclaw.scenario import AGENTS, Act, Scenario


class StoreWitness:
    """Events by OpenClaw's own account, asked for before each act that may take one away."""

    def __init__(self, claw: RealOpenClaw) -> None:
        self._claw = claw
        self.lines: dict[bytes, str] = {}

    def look(self, key: str | None = None) -> None:
        for each in [key] if key is not None else keys_of(self._claw):
            told = self._claw.do("raw_delta", each).get("events", [])  # one that is rewritten just now gives none
            self.lines.update(dict.fromkeys((event.encode() for event in told), each))


class StoreScenario(Scenario):
    def __init__(self, claw: RealOpenClaw, seed: int, follower: int | None = None) -> None:
        """`follower`: the process whose locks are told from those of OpenClaw's own turns."""
        super().__init__(claw, seed)
        self.witness = StoreWitness(claw)
        self.blocked_ms: list[float] = []
        """Each checkpoint, by whomever."""
        self.blocked_by_follower_ms: list[float] = []
        self._follower = follower

    def acts(self) -> tuple[Act, ...]:
        return (*super().acts(), (1, self._roll_over), (3, self._truncate_wal), (1, self._freeze))

    def _roll_over(self, key: str) -> None:
        self.claw.do("roll_over", key)
        self._talk(key)

    def _freeze(self, key: str) -> None:
        """Cold storage: rows leave the tables, and come back where somebody asks for them."""
        self._before_a_loss(key)
        self.claw.do("freeze", key)

    def checkpoint(self) -> None:
        """One is timed at least, however little a busy machine lets happen."""
        self._truncate_wal(next(iter(keys_of(self.claw))))

    def _truncate_wal(self, key: str) -> None:
        answer = self.claw.asked("truncate_wal", key, follower=self._follower)
        self.blocked_ms.append(answer["blockedMs"])
        self.blocked_by_follower_ms.append(answer["byFollowerMs"])


def keys_of(claw: RealOpenClaw) -> dict[str, str]:
    """Session key to session id, by OpenClaw's own listing."""
    agents = ("main", *AGENTS)
    listed = (claw.do("list", "", agent=agent).get("sessions", []) for agent in agents)
    return {session["key"]: session["sessionId"] for sessions in listed for session in sessions}


def events_of(claw: RealOpenClaw, key: str) -> list[bytes]:
    """None of a session that is not there any more."""
    return [event.encode() for event in claw.asked("raw_delta", key)["events"]]
