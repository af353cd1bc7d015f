"""Where OpenClaw cannot be had, its tests say why; an npm that stumbles is asked again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.openclaw import releases

RELEASE = "2026.9.6"


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An npm that a test writes, a node that is new enough, and an empty cache."""
    monkeypatch.setattr(releases, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(releases, "PAUSES", (0, 0))
    monkeypatch.setattr(releases, "_skipped", {})
    _script(tmp_path / "node", "echo v24.16.0")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return tmp_path / "npm"


def test_without_npm_the_run_is_well_and_says_that_npm_is_missing(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    environ = {"PATH": str(nothing), "HOME": str(tmp_path), "SYNCD_OPENCLAW_SECONDS": "1", "TMPDIR": str(tmp_path)}
    tests = sorted(path.name for path in Path(__file__).parent.glob("test_real_*.py"))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *(f"tests/openclaw/{name}" for name in tests)]
    done = subprocess.run(command, cwd=CHECKOUT, env=environ, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout
    assert "npm is not installed: OpenClaw's own code cannot be had" in done.stdout
    assert " passed" not in done.stdout


def test_a_registry_that_is_out_of_reach_skips_and_is_not_asked_for_ever(npm: Path, tmp_path: Path) -> None:
    _script(npm, f"echo asked >> {tmp_path}/asked; echo 'npm error code ENOTFOUND' >&2; exit 1")
    for _ in range(2):
        with pytest.raises(pytest.skip.Exception, match=r"the npm registry cannot be reached: no openclaw@2026\.9\.6"):
            releases.installed(RELEASE)
    assert (tmp_path / "asked").read_text().count("asked") == 1 + len(releases.PAUSES)


def test_a_release_that_the_registry_does_not_have_fails(npm: Path) -> None:
    _script(npm, "echo 'npm error code ETARGET' >&2; exit 1")
    with pytest.raises(
        pytest.fail.Exception, match=r"npm could not install openclaw@2026\.9\.6: npm error code ETARGET"
    ):
        releases.installed(RELEASE)


def test_an_installation_that_failed_once_is_tried_again_and_then_kept(npm: Path, tmp_path: Path) -> None:
    _script(
        npm, f"[ -e {tmp_path}/tried ] && exit 0; touch {tmp_path}/tried; echo 'npm error code EINTEGRITY' >&2; exit 1"
    )
    assert releases.installed(RELEASE).version == RELEASE
    npm.unlink()
    assert releases.installed(RELEASE).package == tmp_path / "cache" / RELEASE / "node_modules" / "openclaw"


def test_what_is_no_release_is_named(tmp_path: Path) -> None:
    environ = {**os.environ, "SYNCD_OPENCLAW_RELEASES": "2026.9.6 lately", "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", "import tests.openclaw.releases"]
    done = subprocess.run(command, cwd=CHECKOUT, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert "not releases of OpenClaw, such as 2026.9.6: lately" in done.stderr


def _script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
