import os
import stat
from pathlib import Path

import pytest

from syncd.errors import SyncdError, UserError
from syncd.paths import Paths, locate, make_private_dir, write_private_file


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _places(profile: str | None = None) -> Paths:
    return locate(config=None, profile=profile, environ={})


def test_our_files_live_in_the_users_own_directories(home: Path) -> None:
    places = _places()
    assert places.config_origin == "default"
    for path in (places.config, places.ledger, places.state_dir, places.health_log):
        assert path.is_relative_to(home)
    assert (places.config.name, places.ledger.name, places.health_log.name) == (
        "config.yaml",
        "ledger.db",
        "health.log",
    )


def test_a_profile_shares_no_file_with_another() -> None:
    plain, work = _places(), _places("work")
    assert work.ledger.parent.name == "syncd-work"
    assert {plain.config, plain.ledger, plain.state_dir, plain.health_log}.isdisjoint(
        {work.config, work.ledger, work.state_dir, work.health_log}
    )


def test_the_default_profile_is_no_profile() -> None:
    assert _places("default") == _places()


@pytest.mark.parametrize("name", ["", "../up", "-x", "a b", "a" * 65, "a/b", "é", "a\n", "\u017f"])
def test_a_name_that_openclaw_would_refuse_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="not a profile name"):
        _places(name)


def test_the_option_stands_above_the_environment_and_that_above_the_default(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    environ = {"SYNCD_CONFIG": "~/env.yaml"}
    by_environment = locate(config=None, profile=None, environ=environ)
    assert (by_environment.config, by_environment.config_origin) == (
        home / "env.yaml",
        "environment",
    )
    by_option = locate(config="here.yaml", profile=None, environ=environ)
    assert (by_option.config, by_option.config_origin) == (tmp_path / "here.yaml", "option")


def test_missing_directories_are_made_for_this_user_only(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_private_dir(tmp_path / "a" / "b")
    assert _mode(tmp_path / "a") == 0o700
    assert _mode(tmp_path / "a" / "b") == 0o700
    assert _mode(tmp_path) == 0o755
    make_private_dir(tmp_path / "a" / "b")


def test_a_file_in_the_way_of_a_directory_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    for place in (tmp_path / "a", tmp_path / "a" / "b"):
        with pytest.raises(SyncdError, match=r"cannot make the directory .*: Not a directory"):
            make_private_dir(place)


def test_a_private_file_is_whole_and_readable_by_this_user_only(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "file"
    write_private_file(file, b"one", replace=False)
    assert (file.read_bytes(), _mode(file)) == (b"one", 0o600)
    with pytest.raises(FileExistsError):
        write_private_file(file, b"two", replace=False)
    assert file.read_bytes() == b"one"
    write_private_file(file, b"two", replace=True)
    assert (file.read_bytes(), os.listdir(file.parent)) == (b"two", ["file"])


def test_a_symlinked_file_stays_a_symlink(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    link = tmp_path / "link"
    link.symlink_to("real")
    write_private_file(link, b"new", replace=True)
    assert link.is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_file_that_cannot_be_written_leaves_no_scratch_file(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(SyncdError, match="cannot write"):
        write_private_file(tmp_path / "taken", b"x", replace=True)
    assert os.listdir(tmp_path) == ["taken"]
