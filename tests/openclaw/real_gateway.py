"""A genuine gateway of OpenClaw on loopback, as a household runs it, with a scripted model behind it.

Its methods are called by the release's own client, from as many threads as like. Not for what only OpenClaw's session
code can do to a transcript: real_openclaw has that.
"""

import json
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

from tests.daemon.live import wait_for
from tests.openclaw.claw_config import environ_of, write_gateway_config
from tests.openclaw.releases import Release

HERE = Path(__file__).parent
START_SECONDS = 180
STOP_SECONDS = 60
CALL_SECONDS = 300
ATTEMPTS = 4
POLL_SECONDS = 0.25
OWN_FAULTS = ("another OpenClaw process owns", "cleanup failed")
"""Of 2026.9: its threads wait for each other, and give up after seconds. Seen without syncd too, where processors are
scarce; every later turn of that gateway fails with it.
"""
CONTEXT_TOKENS = 64_000
"""So few that three long answers are compacted by OpenClaw itself."""


class RealGateway:
    def __init__(self, release: Release, state_dir: Path, agents: tuple[str, ...], log: IO[str]) -> None:
        self.release, self.state_dir, self.agents = release, state_dir, agents
        self._log = log
        self._numbers = count(1)
        self._turn_to_speak = threading.Lock()
        self._waiting: dict[int, SimpleQueue[dict[str, Any]]] = {}
        self._processes: list[subprocess.Popen[str]] = []
        self.own_faults: list[str] = []
        """What was asked in vain because OpenClaw was in its own way."""

    def start(self) -> None:
        self._model = self._run([self.release.node, str(HERE / "model_stub.mjs")])
        assert self._model.stdout is not None
        self._model_url = json.loads(self._model.stdout.readline())["baseUrl"]
        port = _free_port()
        write_gateway_config(
            self.release, self.state_dir, self._model_url, CONTEXT_TOKENS, port=port, agents=self.agents
        )
        self._gateway = self._run(
            [*self._openclaw, "gateway", "run", "--port", str(port), "--bind", "loopback"], self._log
        )
        package = ["--package", str(self.release.package)]
        self._client = self._run([self.release.node, str(HERE / "gateway_calls.mjs"), *package])
        assert self._client.stdout is not None
        assert json.loads(self._client.stdout.readline())["ready"]
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()
        wait_for(self._answers, START_SECONDS)

    def call(self, method: str, *, final: bool = False, seconds: float = CALL_SECONDS, **params: Any) -> dict[str, Any]:
        """A method's answer: {"ok": True, "result": ...} or {"ok": False, "error": ...}."""
        for _ in range(ATTEMPTS):
            answer = self._call_once(method, params, final=final, seconds=seconds)
            if answer["ok"] or not answer["error"].startswith("gateway closed"):
                break  # else it was too busy to shake hands; what it has done already it will not do again
        return answer

    def _call_once(self, method: str, params: dict[str, Any], *, final: bool, seconds: float) -> dict[str, Any]:
        number, answers = next(self._numbers), SimpleQueue[dict[str, Any]]()
        self._waiting[number] = answers
        asked = {"id": number, "method": method, "params": params, "final": final, "timeoutMs": round(seconds * 1000)}
        assert self._client.stdin is not None
        with self._turn_to_speak:
            self._client.stdin.write(json.dumps(asked) + "\n")
            self._client.stdin.flush()
        answer = answers.get(timeout=seconds + 60)
        if not answer["ok"]:
            self._log.write(f"{method} {params}: {answer['error']}\n")
        return answer

    def asked(self, method: str, **params: Any) -> Any:
        """The result of a method that must have one."""
        answer = self.call(method, **params)
        assert answer["ok"], (method, params, answer)
        return answer["result"]

    def turn(self, key: str, message: str) -> bool:
        """A whole agent turn, waited for; False where OpenClaw says that it failed."""
        run = f"run-{next(self._numbers)}"
        return self._went_well(
            message, self.call("agent", final=True, sessionKey=key, message=message, idempotencyKey=run)
        )

    def command(self, method: str, key: str, **params: Any) -> None:
        """What a person does to a session; again where OpenClaw was in its own way for a moment."""
        for _ in range(ATTEMPTS):
            answer = self.call(method, key=key, **params)
            if answer["ok"]:
                return
        self._went_well(method, answer)
        assert self.own_faults, (method, key, answer)

    def _went_well(self, what: str, answer: dict[str, Any]) -> bool:
        if not answer["ok"] and any(fault in answer["error"] for fault in OWN_FAULTS):
            self.own_faults.append(f"{what}: {answer['error']}")
        return bool(answer["ok"])

    def listing(self) -> list[dict[str, Any]]:
        """`openclaw sessions --json`, as a person at a terminal calls it, of all agents."""
        command = [*self._openclaw, "sessions", "--json", "--all-agents"]
        environ = environ_of(self.release, self.state_dir)
        done = subprocess.run(
            command, cwd=self.state_dir.parent, env=environ, capture_output=True, text=True, timeout=120, check=True
        )
        sessions: list[dict[str, Any]] = json.loads(done.stdout[done.stdout.index("{") :])["sessions"]
        return sessions

    def account(self) -> list[dict[str, Any]]:
        """Every request that the model answered, or failed to."""
        with urllib.request.urlopen(f"{self._model_url}/account", timeout=30) as answer:
            requests: list[dict[str, Any]] = json.load(answer)["requests"]
        return requests

    def finish(self) -> None:
        """Stopped as a service manager stops it: databases closed, unless it does not come to an end."""
        self._gateway.terminate()
        try:
            self._gateway.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:  # 2026.9 now and then waits minutes for a task that is long done
            self._gateway.kill()
            self._gateway.wait()

    def close(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()
        self._listener.join(timeout=30)
        for process in self._processes:
            process.communicate()

    @property
    def _openclaw(self) -> list[str]:
        return [self.release.node, str(self.release.package / "openclaw.mjs")]

    def _answers(self) -> bool:
        assert self._gateway.poll() is None, "the gateway ended; openclaw.log beside the state dir says why"
        if self._call_once("health", {}, final=False, seconds=10)["ok"]:
            return True
        time.sleep(POLL_SECONDS)
        return False

    def _listen(self) -> None:
        assert self._client.stdout is not None
        for line in self._client.stdout:
            answer = json.loads(line)
            self._waiting.pop(answer["id"]).put(answer)
        for answers in list(self._waiting.values()):
            answers.put({"ok": False, "error": "the client ended"})

    def _run(self, command: list[str], out: IO[str] | None = None) -> subprocess.Popen[str]:
        started = subprocess.Popen(
            command,
            cwd=self.state_dir.parent,
            env=environ_of(self.release, self.state_dir),
            stdin=subprocess.PIPE,
            stdout=out if out is not None else subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        self._processes.append(started)
        return started


@contextmanager
def real_gateway(release: Release, state_dir: Path, agents: tuple[str, ...]) -> Iterator[RealGateway]:
    with open(state_dir.parent / "openclaw.log", "w", buffering=1) as log:
        made = RealGateway(release, state_dir, agents, log)
        try:
            made.start()
            yield made
        finally:
            made.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
