"""`syncd service` with a manager that records."""

import sys
from pathlib import Path

import pytest

from tests.service.recorded import RecordedLaunchd, RecordedSystemd


@pytest.fixture
def systemd(home: Path, monkeypatch: pytest.MonkeyPatch) -> RecordedSystemd:
    found = RecordedSystemd(file=home / ".config/systemd/user/syncd.service")
    monkeypatch.setattr("syncd.cli.service.run_command", found)
    monkeypatch.setattr(sys, "platform", "linux")
    return found


@pytest.fixture
def launchd(home: Path, monkeypatch: pytest.MonkeyPatch) -> RecordedLaunchd:
    found = RecordedLaunchd(file=home / "Library/LaunchAgents/local.syncd.plist")
    monkeypatch.setattr("syncd.cli.service.run_command", found)
    monkeypatch.setattr("syncd.cli.service.manager_of", lambda _: "launchd")
    return found
