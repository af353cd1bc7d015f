"""Genuine OpenClaw at work on a state dir: its session code driven by commands, and whole agent turns on loopback.

Not a gateway: a turn is `openclaw agent --local`, a process of its own, as a person at a terminal starts it.
"""

import json
import os
import subprocess
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tests.openclaw.releases import Release

HERE = Path(__file__).parent
TURN_SECONDS = 120
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
        self._write_config(_answer(self._stub)["baseUrl"])
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

    def turn(self, message: str, agent: str = "main") -> bool:
        """A whole agent turn; False where OpenClaw says that it failed."""
        command = [self.release.node, str(self.release.package / "openclaw.mjs")]
        arguments = ["agent", "--local", "--agent", agent, "--message", message, "--json"]
        with tempfile.TemporaryFile() as said:
            done = subprocess.run(
                [*command, *arguments],
                cwd=self.home / "workspace",
                env=self._environ(),
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

    def close(self) -> None:
        for process in (self._writer, self._stub):
            process.kill()
            process.communicate()

    def _start(self, arguments: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self.release.node, *arguments],
            cwd=self.home,
            env=self._environ(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )

    def _environ(self) -> dict[str, str]:
        quiet = ("NO_RESPAWN", "NO_AUTO_UPDATE", "SKIP_CHANNELS", "OFFLINE")
        return {
            "PATH": f"{os.path.dirname(self.release.node)}:/usr/bin:/bin",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "OPENCLAW_STATE_DIR": str(self.state_dir),
            **{f"OPENCLAW_{name}": "1" for name in quiet},
        }

    def _write_config(self, model_url: str) -> None:
        (self.home / "workspace").mkdir(exist_ok=True)
        model = {
            "id": "stub-1",
            "name": "Stub",
            "reasoning": True,
            "input": ["text"],
            "contextWindow": CONTEXT_TOKENS,
            "maxTokens": 4096,
            "cost": {"input": 1, "output": 2, "cacheRead": 0, "cacheWrite": 0},
        }
        provider = {"baseUrl": model_url, "apiKey": "x", "api": "openai-completions", "models": [model]}
        defaults = {
            "model": {"primary": "stub/stub-1"},
            "workspace": str(self.home / "workspace"),
            "skipBootstrap": True,
        }
        config = {
            "models": {"mode": "replace", "providers": {"stub": provider}},
            "agents": {"defaults": defaults},
            "plugins": {"enabled": False},
        }
        (self.state_dir / "openclaw.json").write_text(json.dumps(config))


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
