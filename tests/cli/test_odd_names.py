"""A name that steers a terminal, or makes lines of its own, is spelled out wherever a verb tells it to a person."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.quick import environ, quick_household
from tests.conftest import Cli
from tests.mirror.household import Household, transcript
from tests.terminal import at_a_terminal

STEERING, FORGING = "\x1b[7mRED.jsonl", "new\nsyncd       running, pid 1.jsonl"
SPELLED = (b"\\x1b[7mRED.jsonl", b"new\\nsyncd       running, pid 1.jsonl")


@pytest.fixture
def house(tmp_path: Path) -> Household:
    """What each verb has something to say of: locks, files that changed, that are no files, that nobody names so."""
    house = quick_household(tmp_path)
    for number, name in enumerate((STEERING, FORGING), 1):
        house.write(name, transcript(number, 2))
        lock = {"pid": os.getpid(), "createdAt": "2026-11-16T10:00:00Z"}
        house.write(f"{name}.lock", json.dumps(lock).encode())
    os.mkfifo(house.path(f"fifo {STEERING}"))
    os.mkfifo(house.path(f"fifo {FORGING}"))
    return house


def _seen(house: Household, *args: str, answer: bytes = b"") -> bytes:
    _, shown = at_a_terminal(environ(house), *args, answer=answer)
    assert b"Traceback" not in shown
    assert b"\x1b[7m" not in shown, "a name must not steer the terminal"
    assert b"\nsyncd       running, pid 1" not in shown, "a name must not make a line of its own"
    return shown


def test_no_name_of_a_file_steers_the_terminal_or_forges_a_line(house: Household) -> None:
    for args in (("run", "--once"), ("resync",), ("verify",), ("status",), ("doctor",)):
        shown = _seen(house, *args)
        assert all(words in shown for words in SPELLED), args
    house.put(STEERING, b"#", 30)
    house.put(FORGING, b"#", 30)
    shown = _seen(house, "verify", "--lock-wait", "0")
    assert all(words in shown for words in SPELLED)
    for args in (("sessions",), ("ledger", "info"), ("ledger", "check"), ("retention",), ("repair",)):
        _seen(house, *args)


def test_nor_does_it_in_the_plan_of_a_purge(house: Household) -> None:
    _seen(house, "run", "--once")
    for name, words in zip((STEERING, FORGING), SPELLED, strict=True):
        shown = _seen(house, "purge", name, answer=b"n\n")
        assert words in shown
        assert b"Remove it for good?" in shown


def test_a_fault_that_names_it_begins_no_line_with_it(cli_in_process: Cli, tmp_path: Path) -> None:
    ledger = tmp_path / "new\nhint: run this\x1b[7m.db"
    done = cli_in_process("ledger", "info", env={"SYNCD_LEDGER": str(ledger)})
    assert done.exit_code == 1
    assert done.stderr.splitlines()[0].endswith("new\\nhint: run this\\x1b[7m.db yet")


def test_a_path_that_scripts_take_is_the_path(cli_in_process: Cli, tmp_path: Path) -> None:
    ledger = tmp_path / "new\nline.db"
    assert cli_in_process("ledger", "path", env={"SYNCD_LEDGER": str(ledger)}).stdout == f"{ledger}\n"
