"""Sessions that are old enough for retention, and retention at work on them."""

from collections.abc import Iterator
from contextlib import contextmanager

from syncd.jobs.policies import Policies
from syncd.jobs.retention import Retained, apply
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import CatchUp, CatchUpOptions, Pace, homes_of, lone_writer
from syncd.mirror.errands import Hands
from syncd.mirror.index_look import IndexOptions
from tests.conftest import Cli
from tests.mirror.household import HandClock, Household, header, line, message

DAY = 86_400
BODY = "wolpertinger "
WORD = "wolpertinger"
OLD = "2025-01-01T00:00:00.000Z"
OLD_MS = 1_735_689_600_000


class LateClock(HandClock):
    """Real time, and then some days."""

    def __init__(self, days: float) -> None:
        super().__init__()
        self._ahead_ms = round(days * DAY * 1000)

    def now_ms(self) -> int:
        return super().now_ms() + self._ahead_ms


def tool_result(number: int, text: str, at: int = OLD_MS, **fields: object) -> bytes:
    said: dict[str, object] = {
        "role": "toolResult", "toolCallId": f"call{number}", "toolName": "read",
        "content": [{"type": "text", "text": text}], "isError": False, "timestamp": at, **fields,
    }  # fmt: skip
    about = {"type": "message", "id": f"{number:08x}", "parentId": f"{number - 1:08x}", "timestamp": OLD}
    return line({**about, "message": said})


def call(number: int) -> bytes:
    said = {
        "role": "assistant", "timestamp": OLD_MS, "provider": "p", "model": "m", "stopReason": "toolUse",
        "usage": {"input": 5, "output": 7, "totalTokens": 12, "cost": {"total": 0.5}},
        "content": [{"type": "toolCall", "id": f"call{number + 1}", "name": "read", "arguments": {"path": "/x"}}],
    }  # fmt: skip
    about = {"type": "message", "id": f"{number:08x}", "parentId": f"{number - 1:08x}", "timestamp": OLD}
    return line({**about, "message": said})


def talk(number: int, *, text: str = BODY * 100) -> bytes:
    """A session with two results, one of which tells of an error, and words after them."""
    results = call(2) + tool_result(3, text) + call(4) + tool_result(5, f"failed: {text}", details={"stdout": text})
    return header(number) + message(1, "a question") + results + message(6, "an answer", role="assistant")


def settle(house: Household, days: float = 0) -> CatchUp:
    options = IndexOptions({"HOME": str(house.state_dir.parent)}, confirm_removal_seconds=0)
    return house.catch_up(CatchUpOptions(index=options), LateClock(days))


def retained(house: Household, policies: Policies, days: float = 0) -> Retained:
    with hands_of(house, LateClock(days)) as hands:
        return apply(hands, policies)


@contextmanager
def hands_of(house: Household, clock: HandClock) -> Iterator[Hands]:
    with (
        writer_lock(house.ledger_path),
        open_for_writing(house.ledger_path) as ledger,
        lone_writer(ledger, clock) as writer,
    ):
        homes = tuple(homes_of(writer, (str(house.state_dir),), CatchUpOptions(), CatchUp()))
        yield Hands(writer, homes, Pace(clock))


def sound(house: Household, cli: Cli) -> None:
    """By the product's own check, which knows holes."""
    checked = cli("ledger", "check", "--json", env=house.environ)
    assert checked.exit_code == 0, checked.json
    assert house.verify().ok
