"""A household whose ledger has rows in every table of what only the ledger knows: each sort of thing once."""

import json
import time

from syncd.jobs.policies import Policies
from tests.command import called
from tests.jobs.old_sessions import retained, settle, talk
from tests.ledger.damaging import rich_household
from tests.mirror.household import Household, header, message, name_of, session_id
from tests.mirror.indexed import MAIN, TELEGRAM, entry, index_text

JOB = "0b000001-0000-4000-8000-000000000001"
GROUP = "agent:main:telegram:group:-100"


def testify(house: Household) -> None:
    rich_household(house, longest=5)
    now = round(time.time() * 1000)
    sessions = {MAIN: entry(1, now, label="mine"), TELEGRAM: entry(2, now), GROUP: entry(3, now)}
    _index(house, sessions)
    _cron(house)
    settle(house)
    sessions[MAIN] |= {"label": "ours", "totalTokens": 4711}
    sessions[TELEGRAM] = entry(9, now + 5, subject="another session behind the same key")
    del sessions[GROUP]
    _index(house, sessions)
    house.write(name_of(7), talk(7))
    house.write(name_of(9), header(9) + message(1) + b'{"type":"message","id":"00000002"')
    settle(house, days=1)
    settle(house, days=2)
    retained(house, Policies(tool_results=86_400), days=400)
    house.write(name_of(5), header(5) + message(1, "to be forgotten"))
    settle(house)
    for verb in (("pin", MAIN), ("purge", session_id(5), "--yes"), ("repair",)):
        assert called(verb, house.environ).exit_code == 0, verb


def _index(house: Household, sessions: dict[str, dict[str, object]]) -> None:
    (house.sessions() / "sessions.json").write_bytes(index_text(sessions))


def _cron(house: Household) -> None:
    runs = house.state_dir / "cron" / "runs"
    runs.mkdir(parents=True)
    lines = [
        {"ts": 1_794_802_930_000 + number, "jobId": JOB, "action": "finished", "status": "ok", "durationMs": number}
        for number in range(5)
    ]
    (runs / f"{JOB}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
