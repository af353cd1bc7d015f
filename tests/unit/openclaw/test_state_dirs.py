"""OpenClaw's own rules for its state dir, on real directories and links."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from syncd.openclaw import state_dirs as rules


def found(home: Path, env: Mapping[str, str] | None = None, profile: str | None = None) -> list[str]:
    dirs = rules.state_dirs(env or {}, str(home), profile, is_dir=os.path.isdir, realpath=os.path.realpath)
    return [os.path.relpath(path, os.path.realpath(home)) for path in dirs]


def test_without_any_dir_the_place_where_it_would_be_is_named(tmp_path: Path) -> None:
    assert found(tmp_path) == [".openclaw"]


def test_the_usual_dir_is_found(tmp_path: Path) -> None:
    (tmp_path / ".openclaw").mkdir()
    assert found(tmp_path) == [".openclaw"]


@pytest.mark.parametrize("name", [".clawdbot", ".moltbot", ".moldbot"])
def test_each_legacy_dir_stands_in_for_a_missing_one(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    assert found(tmp_path) == [name]


def test_a_symlinked_legacy_dir_is_seen_once(tmp_path: Path) -> None:
    (tmp_path / ".openclaw").mkdir()
    (tmp_path / ".clawdbot").symlink_to(tmp_path / ".openclaw")
    (tmp_path / ".moltbot").symlink_to(".clawdbot")
    assert found(tmp_path) == [".openclaw"]


def test_separate_legacy_dirs_come_after_the_one_openclaw_uses(tmp_path: Path) -> None:
    for name in (".moldbot", ".clawdbot", ".openclaw"):
        (tmp_path / name).mkdir()
    assert found(tmp_path) == [".openclaw", ".clawdbot", ".moldbot"]


def test_a_file_or_a_dangling_link_of_that_name_is_no_state_dir(tmp_path: Path) -> None:
    (tmp_path / ".clawdbot").write_text("not a directory")
    (tmp_path / ".moltbot").symlink_to("nowhere")
    assert found(tmp_path) == [".openclaw"]


def test_an_explicit_state_dir_is_the_only_one(tmp_path: Path) -> None:
    (tmp_path / ".openclaw").mkdir()
    (tmp_path / "elsewhere").mkdir()
    env = {"OPENCLAW_STATE_DIR": f"  {tmp_path}/elsewhere \n"}
    assert found(tmp_path, env) == ["elsewhere"]
    assert found(tmp_path, env, profile="work") == ["elsewhere"]


def test_the_older_variable_comes_second(tmp_path: Path) -> None:
    env = {"CLAWDBOT_STATE_DIR": "~/old", "OPENCLAW_STATE_DIR": "~/new"}
    assert found(tmp_path, env) == ["new"]
    assert found(tmp_path, env | {"OPENCLAW_STATE_DIR": " "}) == ["old"]


def test_a_tilde_stands_for_openclaws_own_home(tmp_path: Path) -> None:
    env = {"OPENCLAW_HOME": "~/claw", "OPENCLAW_STATE_DIR": "~/state", "HOME": str(tmp_path)}
    assert found(tmp_path, env) == ["claw/state"]
    assert found(tmp_path, {"OPENCLAW_STATE_DIR": "~"}) == ["."]


def test_a_tilde_with_a_user_name_is_an_ordinary_name(tmp_path: Path) -> None:
    env = {"OPENCLAW_STATE_DIR": f"{tmp_path}/~root"}
    assert found(tmp_path, env) == ["~root"]


def test_openclaw_home_moves_the_usual_and_the_legacy_dirs(tmp_path: Path) -> None:
    (tmp_path / "claw" / ".moltbot").mkdir(parents=True)
    (tmp_path / ".openclaw").mkdir()
    env = {"OPENCLAW_HOME": str(tmp_path / "claw"), "HOME": str(tmp_path)}
    assert found(tmp_path, env) == ["claw/.moltbot"]


def test_home_of_the_environment_wins_over_the_account_s(tmp_path: Path) -> None:
    assert rules.openclaw_home({"HOME": "/a"}, "/b") == "/a"
    assert rules.openclaw_home({"USERPROFILE": "/c"}, "/b") == "/c"
    assert rules.openclaw_home({}, "/b") == "/b"


def test_a_profile_names_its_own_dir_and_no_legacy_one(tmp_path: Path) -> None:
    (tmp_path / ".openclaw").mkdir()
    (tmp_path / ".clawdbot").mkdir()
    assert found(tmp_path, profile="dev") == [".openclaw-dev"]
    assert found(tmp_path, profile="Work_2") == [".openclaw-Work_2"]
    assert found(tmp_path, profile="default") == [".openclaw", ".clawdbot"]


def test_a_bare_profile_variable_moves_nothing(tmp_path: Path) -> None:
    assert found(tmp_path, {"OPENCLAW_PROFILE": "work"}) == [".openclaw"]


@pytest.mark.parametrize("name", ["", "-x", "_x", "a/b", "..", "a b", "a" * 65, "é", "a\n"])
def test_a_name_that_is_no_profile_is_refused(tmp_path: Path, name: str) -> None:
    assert not rules.is_profile_name(name)
    with pytest.raises(ValueError, match="not a profile name"):
        found(tmp_path, profile=name)


@pytest.mark.parametrize(
    ("given", "normal"),
    [
        ("main", "main"),
        ("Ops", "ops"),
        ("  Ops\t", "ops"),
        ("", "main"),
        ("   ", "main"),
        ("My Agent!", "my-agent"),
        ("--x--", "x"),
        ("_x", "_x"),
        ("日本", "main"),
        ("a" * 80, "a" * 64),
        ("a.b.c", "a-b-c"),
    ],
)
def test_agent_ids_take_openclaws_normal_form(given: str, normal: str) -> None:
    assert rules.normal_agent_id(given) == normal


def test_the_places_below_a_state_dir() -> None:
    assert rules.agents_dir("/s") == "/s/agents"
    assert rules.sessions_dir("/s", "ops") == "/s/agents/ops/sessions"
    assert rules.old_sessions_dir("/s") == "/s/sessions"
    assert rules.import_archive_dir("/s", "ops") == "/s/agents/ops/session-sqlite-import-archive"
    assert rules.old_import_archive_dir("/s") == "/s/session-sqlite-import-archive"
