"""What OpenClaw does in the test: two households of writers at once, and a witness of every line that was on the disk.

One thread drives OpenClaw's session code through everything that it can do to a transcript; another runs agent turns.
The witness reads plain files, before each act that may take a line away and now and then besides.
"""

import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol
from uuid import uuid4

from tests.mirror_checks import mirrored_files
from tests.openclaw.real_openclaw import RealOpenClaw

MAIN = "agent:main:main"
AGENTS = ("ops", "crew")
SEEN_SECONDS = 0.5
"""How long a line must be on the disk before it is taken away, for its loss to count."""
TURNS = (
    "Hello, what can you do?",
    "[[stub:think Here is what I thought.]]",
    "[[stub:exec echo hello > note.txt; cat note.txt]]",
    "[[stub:long 12000]]",
    "[[stub:error 400]]",
    "And after that error?",
    "[[stub:two ls]]",
    "[[stub:slow 3000]]",
    "[[stub:long 30000]]",
    "[[stub:cut]]",
    "[[stub:exec x3 date]]",
)


Act = tuple[int, Callable[[str], None]]
"""How often, beside the others, and what is done to a session."""


class Witness(Protocol):
    lines: dict[bytes, str]

    def look(self, key: str | None = None) -> None:
        """At all of it; with a key, at what that session has at least."""


class FileWitness:
    """Every complete line that was ever seen in a file, with one place where it was."""

    def __init__(self, state_dir: Path) -> None:
        self._state_dir = state_dir
        self._lock = threading.Lock()
        self.lines: dict[bytes, str] = {}

    def look(self, key: str | None = None) -> None:
        for path in mirrored_files(self._state_dir):
            try:
                content = Path(path).read_bytes()
            except FileNotFoundError:
                continue  # renamed since it was listed: seen there, or at the next look
            complete = content[: content.rfind(b"\n") + 1].split(b"\n")[:-1]
            with self._lock:
                self.lines.update(dict.fromkeys((line for line in complete if line.strip()), path))


class Scenario:
    def __init__(self, claw: RealOpenClaw, seed: int) -> None:
        self.claw = claw
        self.witness: Witness = FileWitness(claw.state_dir)
        self.failures: list[BaseException] = []
        self._random = random.Random(seed)
        self._keys: list[str] = []
        self.cron_runs: list[str] = []
        self._until = 0.0
        self._is_over: Callable[[], bool] = lambda: True

    def play(self, seconds: float, is_over: Callable[[], bool]) -> None:
        """For so long, or until it is over before its time."""
        self._until, self._is_over = time.monotonic() + seconds, is_over
        threads = [threading.Thread(target=self._guarded, args=(part,)) for part in (self._write, self._run_turns)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.witness.look()
        if self.failures:
            raise self.failures[0]

    def _goes_on(self) -> bool:
        return time.monotonic() < self._until and not self._is_over()

    def _guarded(self, part: Callable[[], None]) -> None:
        try:
            part()
        except BaseException as error:  # noqa: BLE001 - raised again in the test's thread
            self.failures.append(error)

    # Agent turns

    def _run_turns(self) -> None:
        number = 0
        while self._goes_on():
            self.claw.turn(TURNS[number % len(TURNS)])
            self.witness.look()
            number += 1
            if number % 4 == 0:  # the next turn begins with a file that holds a header only, and is emptied
                self.claw.do("reset", MAIN)

    # OpenClaw's session code

    def acts(self) -> tuple[Act, ...]:
        return (
            (8, self._talk),
            (4, self._burst),
            (2, self._use_a_tool),
            (2, self._branch),
            (2, self._note),
            (2, self._compact),
            (1, self._rotate),
            (2, self._repair),
            (1, self._take_back),
            (2, self._rewrite),
            (2, self._reset),
            (1, self._delete),
            (1, self._fork),
            (1, self._patch),
            (1, self._talk_under_lock),
            (2, self._run_a_cron_job),
        )

    def _write(self) -> None:
        acts = self.acts()
        for _ in range(3):
            self._begin()
        while self._goes_on():
            if len(self._keys) < 4:
                self._begin()
            (act,) = self._random.choices([act for _, act in acts], [weight for weight, _ in acts])
            act(self._random.choice(self._keys))
            time.sleep(self._random.uniform(0, 0.2))

    def _begin(self) -> None:
        agent = self._random.choice(AGENTS)
        key = f"agent:{agent}:direct:{uuid4().hex[:8]}"
        self.claw.do("put", key, fields={"chatType": "direct", "displayName": f"Peer {len(self._keys)}"})
        self._keys.append(key)
        self._talk(key)

    def _talk(self, key: str) -> None:
        self.claw.do("append", key, role="user", text=f"A question {uuid4()} with ünïcode ✿")
        self.claw.do("append", key, role="assistant", text="An answer", thinking="Let me see.")
        if self._random.random() < 0.3:
            self.claw.do("append", key, role="assistant", text="Sent to the chat", mirror=True)

    def _burst(self, key: str) -> None:
        self.claw.do(
            "burst", key, n=self._random.randrange(4, 40), rate=200, size=self._random.choice((50, 500, 20_000))
        )

    def _use_a_tool(self, key: str) -> None:
        call = f"call_{uuid4().hex[:8]}"
        self.claw.do("append", key, role="user", text="Read it")
        self.claw.do(
            "append", key, role="assistant", toolCalls=[{"id": call, "name": "read", "arguments": {"path": "a"}}]
        )
        if self._random.random() < 0.8:
            size = self._random.choice((100, 300_000))
            self.claw.do("append", key, role="toolResult", size=size, toolCallId=call, toolName="read")

    def _branch(self, key: str) -> None:
        ids = self._message_ids(key)
        if ids:
            self.claw.do(self._random.choice(("branch", "branch_summary")), key, to=self._random.choice(ids))
            self._talk(key)

    def _note(self, key: str) -> None:
        ids = self._message_ids(key)
        self.claw.do("append", key, role="model_change", provider="anthropic", model="claude-stub")
        self.claw.do("append", key, role="thinking_level_change", level="low")
        self.claw.do("append", key, role="custom", customType="openclaw.cache-ttl", data={"timestamp": 1})
        self.claw.do("append", key, role="session_info", name="A name")
        if ids:
            self.claw.do("append", key, role="label", target=ids[0], label="start here")

    def _compact(self, key: str) -> None:
        self.claw.do("checkpoint", key)
        self.claw.do("append", key, role="compaction", summary="## Goal\nAll of it.", tokensBefore=54321)
        self._talk(key)

    def _rotate(self, key: str) -> None:
        self.claw.do("rotate", key, summary="## Goal\nRotated.")
        self._talk(key)

    def _repair(self, key: str) -> None:
        self.claw.do("raw", key, append='{"type":"message","id":"deadbeef","parentId":"x","mess\n')
        self._before_a_loss(key)
        self.claw.do("repair", key)
        self._talk(key)

    def _take_back(self, key: str) -> None:
        self._before_a_loss(key)
        self.claw.do("remove_trailing", key)

    def _rewrite(self, key: str) -> None:
        ids = self._message_ids(key)
        if ids:
            self._before_a_loss(key)
            self.claw.do("rewrite", key, entry=ids[-1], text="Said otherwise")

    def _reset(self, key: str) -> None:
        if self._random.random() < 0.5:
            self._before_a_loss(key)  # else with a tail that nobody had time to read
        self.claw.do("reset", key, reason=self._random.choice(("new", "reset")))
        if self._random.random() < 0.7:
            self._talk(key)

    def _delete(self, key: str) -> None:
        self._keys.remove(key)
        self.claw.do("delete", key)

    def _fork(self, key: str) -> None:
        to = f"{key}-{uuid4().hex[:4]}"
        if self.claw.do("fork", key, to=to)["ok"]:
            self._keys.append(to)
            self._talk(to)

    def _patch(self, key: str) -> None:
        fields = {"label": f"label {uuid4().hex[:4]}", "totalTokens": self._random.randrange(9999)}
        self.claw.do("patch", key, fields=fields)

    def _run_a_cron_job(self, key: str) -> None:
        for _ in range(self._random.randrange(1, 8)):
            run = str(uuid4())
            few = {"maxBytes": 3000, "keepLines": 15}  # so that the log is pruned every now and then
            if self.claw.do("cron_run", key, job="nightly", runId=run, **few)["ok"]:
                self.cron_runs.append(run)

    def _talk_under_lock(self, key: str) -> None:
        self.claw.do("lock", key)
        self._talk(key)
        self._burst(key)
        self.claw.do("unlock", key)

    def _message_ids(self, key: str) -> list[str]:
        entries = self.claw.do("entries", key).get("entries", [])
        return [entry["id"] for entry in entries if entry["type"] == "message"]

    def _before_a_loss(self, key: str) -> None:
        self.witness.look(key)
        time.sleep(SEEN_SECONDS)
