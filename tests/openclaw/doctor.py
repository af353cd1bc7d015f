"""OpenClaw's own doctor, which moves the sessions of older releases into SQLite, and back."""

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.openclaw.claw_config import environ_of
from tests.openclaw.releases import Release

DOCTOR_SECONDS = 180


def move_into_store(release: Release, state_dir: Path) -> dict[str, Any]:
    """As its message says where the import refuses: with `--fix`, which moves all of the state."""
    told = _doctor(release, state_dir, *_sessions("import"))
    if "openclaw doctor --fix" in told:
        _doctor(release, state_dir, "--fix", "--yes", "--non-interactive")
        told = _doctor(release, state_dir, *_sessions("validate"))
    return _report(told)


def move_back(release: Release, state_dir: Path) -> dict[str, Any]:
    return _report(_doctor(release, state_dir, *_sessions("restore")))


def compact(release: Release, state_dir: Path) -> dict[str, Any]:
    """Every database without the space that it does not use, and its log emptied: it needs them for itself."""
    return _report(_doctor(release, state_dir, *_sessions("compact")))


def _sessions(mode: str) -> tuple[str, ...]:
    return ("--session-sqlite", mode, "--session-sqlite-all-agents", "--json")


def _doctor(release: Release, state_dir: Path, *arguments: str) -> str:
    command = [release.node, str(release.package / "openclaw.mjs"), "doctor", *arguments]
    done = subprocess.run(
        command,
        cwd=state_dir.parent,
        env=environ_of(release, state_dir),
        capture_output=True,
        text=True,
        timeout=DOCTOR_SECONDS,
        check=False,
    )
    assert "blocked by a reader" not in done.stdout + done.stderr, done.stdout + done.stderr
    return done.stdout


def _report(told: str) -> dict[str, Any]:
    report = json.loads(told[told.index("{") :])
    assert isinstance(report, dict)
    return report
