"""Where session indexes may lie, and OpenClaw's configuration that says so."""

import os
from pathlib import Path

import pytest

from syncd.errors import SourceError
from syncd.openclaw.config_file import Agent, OpenClawConfig
from syncd.sources.index_places import IndexPlace, index_places
from syncd.sources.openclaw_config import ConfigRead, read_openclaw_config
from tests.other_user import as_another_user, common_place


def places(state_dir: Path, config: OpenClawConfig | None = None, globs: tuple[str, ...] = ("*",)) -> list[IndexPlace]:
    return list(index_places(str(state_dir), config or OpenClawConfig(), globs, "/home/x"))


def agents(state_dir: Path, *names: str) -> None:
    for name in names:
        (state_dir / "agents" / name / "sessions").mkdir(parents=True)


def paths(found: list[IndexPlace]) -> list[str]:
    return [place.path for place in found]


def test_each_agent_has_one_and_the_oldest_two_places_follow(tmp_path: Path) -> None:
    agents(tmp_path, "ops", "main")
    (tmp_path / "sessions").mkdir()
    assert places(tmp_path) == [
        IndexPlace(f"{tmp_path}/agents/main/sessions/sessions.json", "main", "main"),
        IndexPlace(f"{tmp_path}/agents/ops/sessions/sessions.json", "ops", "main"),
        IndexPlace(f"{tmp_path}/sessions/sessions.json", None, "main"),
        IndexPlace(f"{tmp_path}/sessions.json", None, "main"),
    ]


def test_a_store_template_gives_a_place_for_each_agent_known_or_configured(tmp_path: Path) -> None:
    agents(tmp_path, "main")
    config = OpenClawConfig(store="/data/{agentId}/sessions.json", agents=(Agent("ops", None),), default_agent="ops")
    found = places(tmp_path, config)
    assert found[:2] == [
        IndexPlace("/data/main/sessions.json", "main", "ops"),
        IndexPlace("/data/ops/sessions.json", "ops", "ops"),
    ]
    assert f"{tmp_path}/agents/main/sessions/sessions.json" in paths(found)


def test_a_store_template_is_also_expanded_by_what_is_there(tmp_path: Path) -> None:
    for name in ("team-guest.d", "team-Guest.d", "team-.d", "other", "team-empty.d"):
        (tmp_path / "data" / name).mkdir(parents=True)
        if "empty" not in name:
            (tmp_path / "data" / name / "sessions.json").write_text("{}")
    (tmp_path / "data" / "team-file.d").write_text("{}")
    found = paths(places(tmp_path, OpenClawConfig(store=f"{tmp_path}/data/team-{{agentId}}.d/sessions.json")))
    assert [path for path in found if "team-" in path] == [
        f"{tmp_path}/data/team-guest.d/sessions.json",
        f"{tmp_path}/data/team-main.d/sessions.json",
    ]


def test_other_files_beside_stores_named_by_agent_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "auth-profiles.json").write_text("{}")
    found = paths(places(tmp_path, OpenClawConfig(store=f"{tmp_path}/{{agentId}}.json")))
    assert found[0] == f"{tmp_path}/main.json"
    assert f"{tmp_path}/auth-profiles.json" not in found


def test_a_shared_store_holds_the_sessions_of_all(tmp_path: Path) -> None:
    found = places(tmp_path, OpenClawConfig(store="~/all/sessions.json"))[0]
    assert found == IndexPlace("/home/x/all/sessions.json", None, "main")
    assert found.agent_of("agent:ops:main") == "ops"
    assert found.agent_of("global") == "main"


def test_a_store_in_sqlite_is_no_index(tmp_path: Path) -> None:
    assert paths(places(tmp_path, OpenClawConfig(store="/data/openclaw-agent.sqlite"))) == [
        f"{tmp_path}/sessions/sessions.json",
        f"{tmp_path}/sessions.json",
    ]


def test_a_template_that_means_the_usual_places_gives_each_once(tmp_path: Path) -> None:
    agents(tmp_path, "main")
    found = paths(places(tmp_path, OpenClawConfig(store=f"{tmp_path}/agents/{{agentId}}/sessions/sessions.json")))
    assert len(found) == len(set(found)) == 3


def test_one_directory_under_two_names_is_one_place(tmp_path: Path) -> None:
    agents(tmp_path, "main")
    (tmp_path / "sessions").symlink_to(tmp_path / "agents" / "main" / "sessions")
    assert paths(places(tmp_path)) == [f"{tmp_path}/agents/main/sessions/sessions.json", f"{tmp_path}/sessions.json"]


def test_agents_not_asked_for_are_left_out(tmp_path: Path) -> None:
    agents(tmp_path, "main", "ops")
    assert f"{tmp_path}/agents/ops/sessions/sessions.json" not in paths(places(tmp_path, globs=("ma*",)))


def test_agents_that_cannot_be_listed_are_an_error_and_not_nobody() -> None:
    with common_place() as place:
        agents(place, "main")
        (place / "agents").chmod(0)
        with as_another_user(), pytest.raises(SourceError):
            places(place)


# openclaw.json


def test_the_configuration_of_the_state_dir_is_read(tmp_path: Path) -> None:
    (tmp_path / "openclaw.json").write_text("{session: {mainKey: 'home'}}")
    found = read_openclaw_config(str(tmp_path), {})
    assert (found.config.main_key, found.problem) == ("home", None)


def test_the_environment_names_another_one(tmp_path: Path) -> None:
    (tmp_path / "openclaw.json").write_text("{session: {mainKey: 'home'}}")
    (tmp_path / "other.json").write_text("{session: {mainKey: 'work'}}")
    assert (
        read_openclaw_config(str(tmp_path), {"OPENCLAW_CONFIG_PATH": f" {tmp_path}/other.json "}).config.main_key
        == "work"
    )
    environ = {"OPENCLAW_CONFIG_PATH": "~/other.json", "HOME": str(tmp_path)}
    assert read_openclaw_config(str(tmp_path), environ).config.main_key == "work"


def test_the_name_of_old_releases_is_known(tmp_path: Path) -> None:
    (tmp_path / "clawdbot.json").write_text("{session: {mainKey: 'old'}}")
    assert read_openclaw_config(str(tmp_path), {}).config.main_key == "old"


def test_no_configuration_is_the_defaults(tmp_path: Path) -> None:
    assert read_openclaw_config(str(tmp_path), {}) == ConfigRead(OpenClawConfig())
    assert read_openclaw_config(str(tmp_path), {"OPENCLAW_CONFIG_PATH": "/nowhere.json"}).config == OpenClawConfig()


def test_a_link_into_the_dotfiles_is_followed(tmp_path: Path) -> None:
    (tmp_path / "dotfiles.json").write_text("{session: {mainKey: 'home'}}")
    (tmp_path / "openclaw.json").symlink_to("dotfiles.json")
    assert read_openclaw_config(str(tmp_path), {}).config.main_key == "home"


def test_a_configuration_being_edited_keeps_the_last_settings_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "openclaw.json"
    path.write_text("{session: {mainKey: 'home'}}")
    last = read_openclaw_config(str(tmp_path), {})
    path.write_text("{session: {mainK")
    torn = read_openclaw_config(str(tmp_path), {}, last)
    assert torn.config == last.config
    assert torn.problem is not None
    path.write_text("{session: {mainKey: 'work'}}")
    healed = read_openclaw_config(str(tmp_path), {}, torn)
    assert (healed.config.main_key, healed.problem) == ("work", None)


def test_an_unchanged_configuration_is_not_read_again(tmp_path: Path) -> None:
    (tmp_path / "openclaw.json").write_text("{}")
    last = read_openclaw_config(str(tmp_path), {})
    assert read_openclaw_config(str(tmp_path), {}, last) is last


def test_a_giant_or_strange_configuration_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "openclaw.json"
    path.write_bytes(b" " * (4 * 1024 * 1024 + 1))
    assert read_openclaw_config(str(tmp_path), {}).problem is not None
    path.unlink()
    os.mkfifo(path)
    assert read_openclaw_config(str(tmp_path), {}).problem is not None
