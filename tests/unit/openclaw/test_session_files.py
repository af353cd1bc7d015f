"""`sessionFile`: believed inside the household, refused outside it (FORMAT 1, FAULTS D6)."""

from typing import Any

import pytest

from syncd.openclaw.session_files import SessionFile, session_file

DIR = "/state/agents/main/sessions"


def placed(named: Any, session_id: object = "s1", sessions_dir: str = DIR) -> SessionFile:
    return session_file({"sessionId": session_id, "sessionFile": named}, sessions_dir)


@pytest.mark.parametrize("named", [None, "", "  ", 7])
def test_without_a_name_it_is_derived_from_the_session_id(named: Any) -> None:
    assert placed(named) == SessionFile("derived", f"{DIR}/s1.jsonl")
    assert placed(named, session_id=None) == SessionFile("derived", None)
    assert placed(named, session_id="../x") == SessionFile("derived", None)


@pytest.mark.parametrize("named", ["a.jsonl", "./a.jsonl", f"{DIR}/a.jsonl", f" {DIR}/b/../a.jsonl "])
def test_inside_the_sessions_dir_it_is_believed(named: str) -> None:
    assert placed(named) == SessionFile("inside", f"{DIR}/a.jsonl")


def test_a_file_of_another_agent_of_the_household_is_believed() -> None:
    path = "/state/agents/ops/sessions/a.jsonl"
    assert placed(path) == SessionFile("sibling", path)


def test_a_path_from_before_the_state_dir_moved_is_looked_for_where_it_is_now() -> None:
    assert placed("/home/claw/.openclaw/agents/main/sessions/a.jsonl") == SessionFile("moved", f"{DIR}/a.jsonl")
    assert placed("/home/claw/.openclaw/agents/ops/sessions/a.jsonl").path == "/state/agents/ops/sessions/a.jsonl"
    shared = placed("/home/claw/.openclaw/agents/ops/sessions/a.jsonl", sessions_dir="/data/store")
    assert shared == SessionFile("moved", "/data/store/a.jsonl")


def test_a_marker_says_that_the_transcript_is_in_the_database() -> None:
    assert placed("sqlite:main:s1:/state/agents/main/agent/openclaw-agent.sqlite") == SessionFile("sqlite", None)


@pytest.mark.parametrize(
    "named",
    [
        "/etc/passwd",
        "../../../../etc/passwd",
        "../x.jsonl",
        "/state/credentials/a.jsonl",
        "/state/agents/main/sessions/../../../auth.json",
        "/state/agents/main/sessions/",
        "/x/agents/main/sessions/deeper/a.jsonl",
        "/x/agents//sessions/a.jsonl",
        "a\0b",
    ],
)
def test_what_leads_out_of_the_household_is_refused(named: str) -> None:
    assert placed(named) == SessionFile("refused", None)
