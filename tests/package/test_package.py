"""Wheel, sdist and the ways to install: built, looked into, and used by a new user in a clean place.

Needs the registries of Python packages and minutes, so `make test-package` runs it and `make test` does not.
"""

import os
import re
import shutil
import signal
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import syncd
from tests.conftest import CHECKOUT
from tests.daemon.live import wait_for
from tests.docs.console import blocks
from tests.other_user import common_place
from tests.package.clean_place import CleanPlace, clean_place, tracked_files

pytestmark = pytest.mark.timeout(1200)
SHIPPED = ("config.yaml", "systemd/", "launchd/")  # as they lie in the checkout, below share/syncd
INSTALLERS = {"pip install .", "pipx install .", "uv tool install ."}


@pytest.fixture
def place() -> Iterator[CleanPlace]:
    with common_place() as root:
        yield clean_place(root)


@pytest.fixture(scope="module")
def built() -> Iterator[Path]:
    """A directory with the wheel and the sdist of this checkout."""
    with common_place() as root:
        place = clean_place(root)
        builder = place.venv("builder")
        place.run(builder / "pip", "install", "--quiet", "build")
        place.run(builder / "python", "-m", "build", "--outdir", root / "dist", place.clone)
        yield root / "dist"


def _only(directory: Path, pattern: str) -> Path:
    (found,) = directory.glob(pattern)
    return found


def _is_at_work(place: CleanPlace, command: Path | str) -> None:
    """A mirror of the files in this home, proven."""
    assert place.run(command, "--version") == f"syncd {syncd.__version__}\n"
    assert "15 transcripts" in place.run(command, "run", "--once")
    assert "equal" in place.run(command, "verify")
    assert "First question" in place.run(command, "show", "branchy")
    assert place.run(command, "config", "check")


def test_the_wheel_holds_every_file_of_the_package_and_no_other(built: Path) -> None:
    with zipfile.ZipFile(_only(built, "*.whl")) as wheel:
        names = wheel.namelist()
        (about,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        metadata = wheel.read(about).decode()
    tracked = tracked_files()
    info = f"syncd-{syncd.__version__}.dist-info"
    assert {name for name in names if name.startswith("syncd/")} == {n for n in tracked if n.startswith("syncd/")}
    assert {"syncd/py.typed", "syncd/ledger/migrations/0001_ledger.sql", "syncd/ledger/datasette.yaml"} <= set(names)
    assert {f"{info}/licenses/LICENSE", f"{info}/entry_points.txt"} <= set(names)
    data = f"syncd-{syncd.__version__}.data/data/share/syncd/"
    assert {name for name in names if name.startswith(data)} == {
        data + name for name in tracked if name.startswith(SHIPPED)
    }
    assert [name for name in names if not name.startswith(("syncd/", info, data))] == []
    assert f"\nVersion: {syncd.__version__}\n" in metadata
    assert "\nLicense-Expression: MIT\n" in metadata
    assert re.findall(r"^Requires-Dist: pytest\b.*", metadata, re.MULTILINE)[0].endswith("extra == 'dev'")


def test_the_sdist_holds_all_that_the_checkout_has_for_users_and_developers(built: Path) -> None:
    with tarfile.open(_only(built, "*.tar.gz")) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    own = {name for name in tracked_files() if not name.startswith((".ci/", ".git"))}
    assert names == {*own, "PKG-INFO", ".gitignore"}


def test_the_version_stands_in_one_place() -> None:
    assert 'dynamic = ["version"]' in (CHECKOUT / "pyproject.toml").read_text()
    stated = re.compile(rf"^(?:__)?version(?:__)?\s*[=:]\s*.*{re.escape(syncd.__version__)}", re.MULTILINE)
    own = [name for name in tracked_files() if name.endswith((".py", ".toml", ".md", ".yaml", ".service", ".plist"))]
    assert [name for name in own if stated.search((CHECKOUT / name).read_text())] == ["syncd/__init__.py"]


@pytest.mark.parametrize("pattern", ["*.whl", "*.tar.gz"])
def test_what_was_built_is_installed_and_runs_without_any_tool_of_developers(
    built: Path, place: CleanPlace, pattern: str
) -> None:
    programs = place.venv("installed")
    place.run(programs / "pip", "install", "--quiet", _only(built, pattern))
    shutil.rmtree(place.clone / "syncd")  # what runs is what was installed
    _is_at_work(place, programs / "syncd")
    installed = place.run(programs / "pip", "list", "--format", "freeze").lower()
    assert not re.findall(r"^(?:pytest|hypothesis|ruff|mypy|coverage)\b.*", installed, re.MULTILINE)
    place.run(programs / "python", "-c", "import tests.conftest", code=1, env={"PYTHONSAFEPATH": "1"})
    shared = programs.parent / "share" / "syncd"
    found = {str(path.relative_to(shared)) for path in shared.rglob("*") if path.is_file()}
    assert found == {name for name in tracked_files() if name.startswith(SHIPPED)}
    place.run(programs / "pip", "uninstall", "--yes", "--quiet", "syncd")
    assert not (programs / "syncd").exists()
    assert (place.home / ".local/share/syncd/ledger.db").exists()


def _readme_commands() -> list[str]:
    readme = (CHECKOUT / "README.md").read_text()
    return [command.shown for block in blocks(readme) if block.mark == "clone" for command in block.commands]


def test_the_readme_names_these_ways_to_begin_and_no_other() -> None:
    assert set(_readme_commands()) == {*INSTALLERS, "make run", "make test"}


@pytest.mark.parametrize("command", sorted(INSTALLERS))
def test_every_way_to_install_in_the_readme_gives_the_command(place: CleanPlace, command: str) -> None:
    tool, *rest = command.split()
    if tool == "pip":
        place.run(place.venv("own") / "pip", *rest)
        program = place.root / "own" / "bin" / "syncd"
    else:
        tools = place.venv("tools")
        place.run(tools / "pip", "install", "--quiet", tool)
        place.run(tools / tool, *rest, *(["--python", place.python] if tool == "uv" else []))
        program = place.home / ".local" / "bin" / "syncd"
    _is_at_work(place, program)


def test_make_run_in_a_clean_clone_mirrors_and_follows(place: CleanPlace) -> None:
    """Its other command, make test, is what runs this."""
    program = place.clone / ".venv" / "bin" / "syncd"

    def is_following() -> bool:
        with place.start(program, "status") as process:
            process.communicate()
        return process.returncode == 0

    with place.start("make", "run") as running:
        wait_for(program.exists, 600)
        wait_for(is_following, 60)
        assert "equal" in place.run(program, "verify")
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does it
        printed, _ = running.communicate(timeout=60)
    assert "taken in" in printed
    assert "equal" in place.run("make", "demo")
    assert "holds the ledger" not in place.run("make", "run", "ARGS=--once")
    place.run("make", "clean")
    assert not (place.clone / ".venv").exists()


def test_without_openclaw_and_without_python_the_new_user_is_told_what_to_do(place: CleanPlace) -> None:
    told = place.run("make", "run", "PYTHON=/nonexistent/python3", code=2)
    assert "syncd needs Python 3.11 or newer" in told
    assert "make PYTHON=" in told
    place.clone.chmod(0o500)
    if os.geteuid() or place.is_another_user:
        told = place.run("make", "run", code=2)
        assert "is not yours to write to" in told
        assert "clone it where you may write" in told
    place.clone.chmod(0o700)
    shutil.rmtree(place.home / ".openclaw")
    told = place.run("make", "run", "ARGS=--once", code=2)
    assert "no OpenClaw state directory" in told
    assert "make demo" in told
