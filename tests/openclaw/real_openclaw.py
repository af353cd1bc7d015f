"""Genuine OpenClaw at work on a state dir: its session code driven by commands, and whole agent turns on loopback.

Not a gateway: a turn is `openclaw agent --local`, a process of its own, as a person at a terminal starts it.
"""

import json
import subprocess
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tests.openclaw.claw_config import environ_of, write_config
from tests.openclaw.releases import Release

HERE = Path(__file__).parent
TURN_SECONDS = 300
"""One whose connection is cut is begun anew by OpenClaw several times, with pauses; a busy machine adds to them."""
CONTEXT_TOKENS = 24_000
"""So few that a long conversation is compacted by OpenClaw itself."""


class RealOpenClaw:
    def __init__(self, release: Release, state_dir: Path, log: IO[str]) -> None:
        self.release, self.state_dir, self.home = release, state_dir, state_dir.parent
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self._log = log
        self._turn_to_speak = threading.Lock()
        self._stub = self._start([str(HERE / "model_stub.mjs")])
        write_config(state_dir, _answer(self._stub)["baseUrl"], CONTEXT_TOKENS)
        where = ["--package", str(release.package), "--state", str(state_dir)]
        self._writer = self._start([str(HERE / "writer.mjs"), *where])
        assert _answer(self._writer)["ready"]

    def do(self, command: str, key: str, **fields: Any) -> dict[str, Any]:
        """One command of writer.mjs, and its answer; what the release refuses or does not have is counted."""
        assert self._writer.stdin is not None
        with self._turn_to_speak:
            self._writer.stdin.write(json.dumps({"cmd": command, "key": key, **fields}) + "\n")
            self._writer.stdin.flush()
            answer = _answer(self._writer)
        name = f"{command} {fields['role']}" if "role" in fields else command
        (self.done if answer["ok"] else self.refused)[name] += 1
        if not answer["ok"] and not answer.get("unsupported"):
            self._log.write(f"{command} {key}: {answer['error']}\n")
        return answer

    def asked(self, command: str, key: str, **fields: Any) -> dict[str, Any]:
        """A question: its answer, which must be one."""
        answer = self.do(command, key, **fields)
        assert answer["ok"], (command, key, answer)
        return answer

    def turn(self, message: str, agent: str = "main") -> bool:
        """A whole agent turn; False where OpenClaw says that it failed."""
        command = [self.release.node, str(self.release.package / "openclaw.mjs")]
        arguments = ["agent", "--local", "--agent", agent, "--message", message, "--json"]
        with tempfile.TemporaryFile() as said:
            done = subprocess.run(
                [*command, *arguments],
                cwd=self.home / "workspace",
                env=environ_of(self.release, self.state_dir),
                stdout=said,
                stderr=said,
                timeout=TURN_SECONDS,
                check=False,
            )
            if done.returncode != 0:
                said.seek(0)
                self._log.write(f"turn {message}: {said.read()[-400:].decode(errors='replace')}\n")
        kind = message.split(maxsplit=1)[0].strip("[]") if message.startswith("[[") else "plain"
        (self.done if done.returncode == 0 else self.refused)[f"turn {kind}"] += 1
        return done.returncode == 0

    def finish(self) -> None:
        """Lets the writer end by itself: databases closed, their logs taken in."""
        self.do("close", "")
        self._writer.wait(timeout=TURN_SECONDS)

    def close(self) -> None:
        for process in (self._writer, self._stub):
            process.kill()
            process.communicate()

    def _start(self, arguments: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self.release.node, *arguments],
            cwd=self.home,
            env=environ_of(self.release, self.state_dir),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )


@contextmanager
def real_openclaw(release: Release, state_dir: Path) -> Iterator[RealOpenClaw]:
    with open(state_dir.parent / "openclaw.log", "w", buffering=1) as log:
        made = RealOpenClaw(release, state_dir, log)
        try:
            yield made
        finally:
            made.close()


def _answer(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    text = process.stdout.readline()
    assert text, "OpenClaw's code ended; openclaw.log beside the state dir says why"
    answer = json.loads(text)
    assert isinstance(answer, dict)
    return answer
