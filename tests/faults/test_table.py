"""The table of `make test-faults`: each fault by its id, with what became of it."""

import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import CHECKOUT
from tests.docs.faults_page import outcomes_of
from tests.fault_catalogue import FAULTS, ids_of

TESTS = """
import pytest

def test_A1_one(): pass
def test_a1_B2_two(): pass
def test_A2_three(): assert False
def test_A3_four(): pytest.skip("no such disk")
def test_A4_five(): pass
def test_A4_six(): pytest.skip("nor that")
def test_of_no_fault(): assert False
"""


def test_ids_stand_at_the_beginning_of_a_name() -> None:
    assert ids_of("test_C4_an_edit") == ["C4"]
    assert ids_of("test_E6_E7_a_root[a_B2_b]") == ["E6", "E7"]
    assert ids_of("test_d3_an_index") == ["D3"]
    assert ids_of("test_a_B2_line") == ids_of("test_F99_of_none") == []


def test_the_table_says_which_pass_and_why_others_do_not(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.fault_table",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        tmp_path,
        "--faults-page",
        tmp_path / "new" / "page.md",
    ]
    done = subprocess.run([*map(str, command), str(tmp_path)], capture_output=True, cwd=CHECKOUT, check=False)
    said = dict(re.findall(r"^([A-F]\d+) +.{42} (.+)$", done.stdout.decode(), re.MULTILINE))
    assert said.keys() == FAULTS.keys()
    assert (said["A1"], said["B2"], said["B3"]) == ("pass (2)", "pass (1)", "not run")
    assert said["A2"] == "FAILED: test_A2_three"
    assert said["A3"] == "not here: no such disk"
    assert said["A4"] == "pass (1); not here: nor that"
    assert b"3 of 93 faults pass, 1 of them with a part that was not made here" in done.stdout
    assert b"1 failed, 3 passed, 2 skipped, 1 deselected" in done.stdout
    assert done.returncode == 1
    page = (tmp_path / "new" / "page.md").read_text()
    assert outcomes_of(page) == said
    assert "The outcomes below: " in page
