"""Every command in README.md and docs/ does what it is shown to do, in a home with genuine files of OpenClaw."""

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.command import called
from tests.conftest import CHECKOUT
from tests.daemon.live import wait_for
from tests.docs.console import KINDS, Block, Command, blocks, differences

PAGES = ["README.md", *sorted(str(path.relative_to(CHECKOUT)) for path in (CHECKOUT / "docs").glob("*.md"))]
FIXTURE = CHECKOUT / "tests/data/openclaw/2026.7.1"
NOT_RUN_AT_MOST = 6
# `datasette "$(syncd ...)"`, pipes and redirections are the shell's; a plain call of syncd needs none.
_PLAIN = re.compile(r"[^|&;<>$`~*?]*")


def _of(page: str) -> list[Block]:
    return list(blocks((CHECKOUT / page).read_text()))


def test_blocks_that_are_not_run_say_why_and_are_few() -> None:
    marks = [block.mark for page in PAGES for block in _of(page) if block.kind in KINDS and block.mark]
    assert [mark for mark in marks if mark != "clone" and not re.fullmatch(r"not-run: \S.{8,}", mark)] == []
    assert len([mark for mark in marks if mark != "clone"]) <= NOT_RUN_AT_MOST


def test_no_command_stands_in_a_block_of_another_kind() -> None:
    others = {block.kind for page in PAGES for block in _of(page)} - set(KINDS)
    assert others <= {"yaml", "sql", "text"}


@pytest.mark.parametrize("page", PAGES)
def test_every_command_does_what_it_is_shown_to_do(page: str, tmp_path: Path) -> None:
    found = [block for block in _of(page) if block.kind in KINDS and not block.mark]
    home = tmp_path / "you"
    home.mkdir()
    shutil.copytree(FIXTURE, home / ".openclaw")
    environ = _environ(tmp_path, home)
    with contextlib.chdir(home):
        if page != "README.md":  # which begins with that
            assert called(("run", "--once"), environ).exit_code == 0
        for block in found:
            for command in block.commands:
                _check(command, environ)


def _environ(place: Path, home: Path) -> dict[str, str]:
    program = place / "bin" / "syncd"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{CHECKOUT}" exec "{sys.executable}" -m syncd "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}:{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(home), "TZ": "UTC", "LC_ALL": "C.UTF-8", "COLUMNS": "120", "USER": "you"}


def _check(command: Command, environ: Mapping[str, str]) -> None:
    if command.is_endless:
        code, printed, said = _interrupted(command, environ)
    elif command.shown.startswith("syncd ") and _PLAIN.fullmatch(command.shown.replace("'", "").replace('"', "")):
        done = called(tuple(shlex.split(command.shown)[1:]), environ)
        code, printed, said = done.exit_code, done.stdout, done.stderr
    else:
        run = subprocess.run(["sh", "-c", command.text], env=dict(environ), capture_output=True, text=True, check=False)
        code, printed, said = run.returncode, run.stdout, run.stderr
    assert code == command.exit_code, f"{command.text}: exit {code}\n{printed}{said}"
    if command.output:
        assert not differences(command.output, printed), f"{command.text} prints:\n{printed}"


def _interrupted(command: Command, environ: Mapping[str, str]) -> tuple[int, str, str]:
    words = shlex.split(command.shown)
    with subprocess.Popen(
        words, env=dict(environ), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        if words[:2] == ["syncd", "run"]:
            wait_for(lambda: called(("status",), environ).exit_code == 0)
        else:
            wait_for(lambda: process.stdout is not None and process.stdout.readable())
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_what_is_shown_is_held_to_what_is_printed() -> None:
    (block,) = blocks("```console\n$ syncd a  # says so; exit 3\none\n…\n$ syncd b\n```\n")
    first, second = block.commands
    assert (first.shown, first.exit_code, first.output) == ("syncd a", 3, "one\n…\n")
    assert (second.text, second.output) == ("syncd b", "")
    assert differences("one\n", "two\n")
    assert differences("one\n", "one\ntwo\n")
    assert not differences("one in 0.03 s\n…\n", "one in 1.25 s\ntwo\n")


@pytest.mark.parametrize("page", PAGES)
def test_every_piece_of_configuration_is_valid(page: str, tmp_path: Path) -> None:
    text = (CHECKOUT / page).read_text()
    for number, piece in enumerate(re.findall(r"^```yaml\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)):
        file = tmp_path / f"{number}.yaml"
        file.write_text(piece)
        done = called(("--config", str(file), "config", "check"), {"HOME": str(tmp_path)})
        assert done.exit_code == 0, done.stderr


LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)")


@pytest.mark.parametrize("page", [*PAGES, "ARCHITECTURE.md", "CHANGELOG.md"])
def test_every_link_leads_somewhere(page: str) -> None:
    here = CHECKOUT / page
    for target, anchor in LINK.findall(here.read_text()):
        if "://" in target:
            continue
        file = (here.parent / target).resolve() if target else here
        assert file.exists(), target
        if anchor:
            assert anchor in _anchors(file.read_text()), f"{target}#{anchor}"


def _anchors(text: str) -> set[str]:
    """As GitHub makes them from headings."""
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
