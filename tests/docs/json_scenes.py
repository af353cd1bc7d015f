"""Every verb with `--json`, at peace and in trouble: the documents that docs/json.md must explain."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.command import called
from tests.daemon.live import wait_for
from tests.daemon.process import daemon
from tests.mirror.household import Household, household, message, name_of, session_id, transcript
from tests.service.recorded import RecordedSystemd

DATA = Path(__file__).resolve().parents[1] / "data" / "openclaw" / "2026.7.1"
WITH_TOOLS, WITH_FORKS, UNANSWERED = "telegram:direct:4242", "0a000003", "0a000008"


@dataclass
class Scene:
    """A household, its configuration, and what its verbs printed so far."""

    house: Household
    seen: dict[str, list[Any]] = field(default_factory=dict)
    failures: list[Any] = field(default_factory=list)

    @property
    def environ(self) -> dict[str, str]:
        home = str(self.house.state_dir.parent)
        return {**self.house.environ, "HOME": home, "TZ": "UTC", "SYNCD_CONFIG": str(self.config)}

    @property
    def config(self) -> Path:
        return self.house.state_dir.parent / "config.yaml"

    def configure(self, text: str) -> None:
        self.config.write_text(text)

    def call(self, verb: str, *args: str) -> None:
        """The document of the verb, or of its failure."""
        done = called((*verb.split(), *args, "--json"), self.environ)
        document = json.loads(done.stdout)
        if isinstance(document, dict) and "error" in document:
            self.failures.append(document)
        else:
            self.seen.setdefault(verb, []).append(document)


def all_documents(place: Path) -> tuple[dict[str, list[Any]], list[Any]]:
    seen: dict[str, list[Any]] = {}
    failures: list[Any] = []
    for number, act in enumerate((_peace, _removal, _trouble, _damage, _service, _life)):
        scene = Scene(household(place / str(number)))
        scene.configure("")
        act(scene)
        for verb, documents in scene.seen.items():
            seen.setdefault(verb, []).extend(documents)
        failures += scene.failures
    return seen, failures


def _genuine(scene: Scene) -> None:
    shutil.rmtree(scene.house.state_dir)
    shutil.copytree(DATA, scene.house.state_dir)


def _peace(scene: Scene) -> None:
    scene.call("status")
    _genuine(scene)
    scene.call("run", "--once")
    for verb in ("resync", "verify", "status", "sessions", "repair", "health --codes", "ledger info", "ledger check"):
        scene.call(verb)
    for verb in ("ledger path", "ledger metadata", "ledger backup", "ledger restore", "retention", "config path"):
        scene.call(verb)
    scene.call("resync", "--rebuild")
    scene.call("sessions", "--limit", "1")
    scene.call("repair", "--dry-run")
    scene.call("retention", "--dry-run")
    scene.call("ledger check", "--quick")
    for session in (WITH_TOOLS, WITH_FORKS, UNANSWERED):
        for args in ((), ("--full",), ("--context",), ("--repaired",)):
            scene.call("show", session, *args)
        scene.call("tree", session)
    scene.call("tree", "main:direct:forked")
    scene.call("search", "question")
    scene.call("search", '"unclosed')
    scene.call("search", "question", "--sort", "newest")
    for by in ("day", "model", "agent", "channel", "session", "tool"):
        scene.call("usage", "--by", by)
    scene.call("pin", WITH_FORKS)
    scene.call("purge", WITH_FORKS, "--yes")  # refused: it is pinned
    scene.call("unpin", WITH_FORKS)
    scene.call("config show")
    scene.call("config check")
    scene.call("config init", "--force")
    scene.call("show", "nonesuch")
    scene.call("show", "main")
    scene.call("sql", "SELECT role, at, x'00ff' AS bytes FROM messages LIMIT 2")


def _removal(scene: Scene) -> None:
    _genuine(scene)
    scene.call("run", "--once")
    scene.configure("retention: {tool_results: {drop_after: 1s}, cron_runs: {purge_after: 1s}, max_ledger_bytes: 4096}")
    (scene.house.state_dir / "openclaw.json").write_text('{"session": {"maintenance": {"pruneAfter": "30d"}}}')
    scene.call("ledger backup")
    scene.call("retention", "--dry-run")
    scene.call("retention")
    scene.call("purge", WITH_FORKS, "--yes")
    scene.call("verify")


def _trouble(scene: Scene) -> None:
    house = scene.house
    house.write(name_of(1), transcript(1, 5))
    for topic in ("topic-1", "topic-2"):
        house.write(f"{session_id(3)}-{topic}.jsonl", transcript(3, 2))
    scene.call("run", "--once")
    scene.call("show", session_id(3))  # which of the two?
    scene.configure(f"openclaw: {{state_dirs: [{house.state_dir}, {house.state_dir.parent}/absent]}}")
    house.append(name_of(1), message(6))
    scene.call("verify")
    (house.sessions() / name_of(2)).symlink_to("/etc/hostname")
    house.write("sessions.json", b"no index {")
    house.lock(name_of(1), os.getpid())
    house.write(name_of(1), transcript(1, 2))
    scene.call("run", "--once", "--lock-wait", "0")
    scene.call("verify", "--lock-wait", "0")
    database = house.state_dir / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
    database.parent.mkdir()
    database.write_bytes(b"no database" * 1000)
    scene.call("status")
    scene.configure("watch: {mod: poll}\njobs: {repair: often}")
    scene.call("config check")
    scene.call("status")


def _damage(scene: Scene) -> None:
    house = scene.house
    house.write(name_of(1), transcript(1, 400))
    scene.call("run", "--once")
    scene.call("ledger backup")
    with closing(sqlite3.connect(house.ledger_path)) as ledger, ledger:
        ledger.execute("DELETE FROM messages WHERE id = 3")
    scene.call("ledger check")
    scene.call("repair", "--dry-run")
    scene.call("repair")
    with house.ledger_path.open("r+b") as file:
        file.seek(0, os.SEEK_END)
        pages = file.tell() // 4096
        for page in range(2, pages, 2):
            file.seek(page * 4096)
            file.write(b"\xa5" * 4096)
    scene.call("repair")


def _service(scene: Scene) -> None:
    """Under a systemd that only records; what doctor finds before and after."""
    _genuine(scene)
    scene.house.ledger_path.parent.mkdir(exist_ok=True)
    unit = scene.house.state_dir.parent / ".config" / "systemd" / "user" / "syncd.service"
    manager = RecordedSystemd(file=unit, log="one line\n")
    scene.call("doctor")
    scene.call("doctor", "--fix")
    with patch("syncd.cli.service.run_command", manager):
        for act in (
            "status",
            "install",
            "install",
            "status",
            "logs",
            "restart",
            "stop",
            "status",
            "start",
            "uninstall",
        ):
            scene.call(f"service {act}")
        scene.call("service print")
        manager.is_reachable = False
        scene.call("service status")
        scene.call("service start")


def _life(scene: Scene) -> None:
    """Beside a running daemon, and what that leaves in its log."""
    house = scene.house
    house.write(name_of(1), transcript(1, 5))
    log = house.state_dir.parent / "health.log"
    places = f"[{house.state_dir}, {house.state_dir.parent}/absent]"
    scene.configure(
        f"openclaw: {{state_dirs: {places}}}\nhealth: {{log_path: {log}, interval_seconds: 1}}\njobs: {{optimize: 1s}}"
    )
    house.lock(name_of(1), os.getpid())
    with daemon(house) as running:
        running.is_following()
        house.append(name_of(1), message(6))
        house.write("sessions.json", b"no index {")
        with _open_elsewhere(house.ledger_path):
            wait_for(lambda: _tells_all(scene, log), 60)
        scene.call("run", "--once")  # another instance holds the ledger
        with patch("syncd.__version__", "999.0"):  # an upgrade, and nobody has restarted it
            scene.call("status")
        running.terminate()
    text = called(("health", "-n", "100", "--json"), scene.environ).stdout
    scene.seen["health"] = [json.loads(line) for line in text.splitlines()]


def _tells_all(scene: Scene, log: Path) -> bool:
    """Both status and the log of the lock, the other program, the torn index and a job's end."""
    scene.seen.pop("status", None)
    scene.call("status")
    (told,) = scene.seen["status"]
    words = ('"stale":', '"program":', "index_unreadable", '"job_results": [{')
    has_all = told["locks"] and told["ledger_holders"] and told["daemon"]["degraded"]
    return bool(has_all) and all(word in log.read_text() for word in words)


@contextmanager
def _open_elsewhere(path: Path) -> Iterator[None]:
    """A program that has the ledger open, as a browser would."""
    code = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT 1 FROM sqlite_master'); input()"
    with subprocess.Popen([sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE) as program:
        try:
            yield
        finally:
            program.kill()
