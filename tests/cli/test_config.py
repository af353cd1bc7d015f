"""`syncd config show|check|init|path` on real files."""

import stat
from pathlib import Path

import pytest

from syncd.settings.render import annotated_config
from tests.conftest import Cli
from tests.mirror.household import household, name_of, transcript

BROKEN = "watch:\n  mode: sometimes\n  resan_seconds: 5\njobs: {repair: soon}\n"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    file = tmp_path / "broken.yaml"
    file.write_text(BROKEN)
    return file


def test_path_names_the_file_and_who_chose_it(cli_in_process: Cli, home: Path, tmp_path: Path) -> None:
    assert cli_in_process("config", "path").stdout == f"{home}/.config/syncd/config.yaml\n"
    by_profile = cli_in_process("--profile", "work", "config", "path")
    assert by_profile.stdout == f"{home}/.config/syncd-work/config.yaml\n"
    by_environment = cli_in_process("config", "path", "--json", env={"SYNCD_CONFIG": str(tmp_path / "x")})
    assert by_environment.json == {
        "ok": True,
        "path": str(tmp_path / "x"),
        "exists": False,
        "origin": "environment",
    }


def test_init_writes_the_sample_for_this_user_only(cli: Cli, home: Path) -> None:
    written = cli("config", "init")
    file = home / ".config/syncd/config.yaml"
    assert (written.exit_code, written.stdout) == (0, f"wrote {file}\n")
    assert file.read_text() == annotated_config()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert cli("config", "check").stdout == f"{file}: no faults\n"


def test_init_never_overwrites_unless_forced(cli_in_process: Cli, broken: Path) -> None:
    refused = cli_in_process("--config", broken, "config", "init")
    assert refused.exit_code == 1
    assert refused.stderr == f"error: {broken} exists already\nhint: replace it with --force\n"
    assert broken.read_text() == BROKEN
    forced = cli_in_process("--config", broken, "config", "init", "--force", "--json")
    assert forced.json == {"ok": True, "file": str(broken)}
    assert broken.read_text() == annotated_config()


def test_check_lists_all_faults_and_exits_78(cli: Cli, broken: Path) -> None:
    spoken = cli("--config", broken, "config", "check")
    assert (spoken.exit_code, spoken.stdout) == (78, "")
    assert spoken.stderr.splitlines() == [
        f"error: 3 faults in the configuration {broken}",
        "  line 2: watch.mode: must be one of auto, events, poll, not 'sometimes'",
        "  line 3: watch.resan_seconds: unknown key; did you mean rescan_seconds?",
        (
            "  line 4: jobs.repair: must be an interval such as 15m,"
            " a five-field cron expression in quotes, or false, not 'soon'"
        ),
        "hint: mend the places named above; `syncd config init` writes an annotated sample",
    ]


def test_check_as_json_holds_every_problem(cli_in_process: Cli, broken: Path) -> None:
    written = cli_in_process("config", "check", "--json", env={"SYNCD_CONFIG": str(broken)})
    assert (written.exit_code, written.stderr) == (78, "")
    error = written.json["error"]
    assert error["type"] == "config"
    assert [problem["path"] for problem in error["problems"]] == [
        "watch.mode",
        "watch.resan_seconds",
        "jobs.repair",
    ]


def test_a_broken_file_stops_show_but_not_path(cli_in_process: Cli, broken: Path) -> None:
    assert cli_in_process("--config", broken, "config", "show").exit_code == 78
    assert cli_in_process("--config", broken, "config", "path").exit_code == 0


def test_a_named_file_that_is_missing_is_an_error_the_default_one_is_not(cli_in_process: Cli, tmp_path: Path) -> None:
    named = cli_in_process("--config", tmp_path / "none.yaml", "config", "check")
    assert named.exit_code == 78
    assert "there is no configuration file" in named.stderr
    default = cli_in_process("config", "check", "--json")
    assert default.json == {"ok": True, "file": None, "problems": []}


def test_show_prints_each_value_in_effect_with_its_origin(cli_in_process: Cli, tmp_path: Path, home: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("watch: {mode: poll}\nretention: {superseded: {drop_after: 90d}}\n")
    env = {"SYNCD_LEDGER": str(tmp_path / "my.db")}
    shown = cli_in_process("--config", file, "config", "show", env=env).stdout.splitlines()
    assert shown[0] == f"# {file}, named by --config"
    rows = {line.split()[0]: line.split(maxsplit=1)[1].rsplit(maxsplit=1) for line in shown[1:]}
    assert rows["watch.mode"] == ["poll", "file"]
    assert rows["watch.rescan_seconds"] == ["60", "default"]
    assert rows["ledger.path"] == [str(tmp_path / "my.db"), "environment"]
    assert rows["retention.superseded"] == ['{"drop_after": "90d"}', "file"]
    assert rows["health.log_path"] == [f"{home}/.local/state/syncd/log/health.log", "default"]


def test_show_as_json_is_the_tree_of_values_and_their_origins(cli: Cli, home: Path) -> None:
    shown = cli("--profile", "work", "config", "show", "--json").json
    assert shown["ok"] is True
    assert shown["file"] is None
    assert shown["values"]["ledger"]["path"] == f"{home}/.local/share/syncd-work/ledger.db"
    assert shown["values"]["openclaw"] == {"state_dirs": [f"{home}/.openclaw-work"], "agents": ["*"]}
    assert shown["origins"]["jobs.repair"] == "default"
    decided_by_profile = {key for key, origin in shown["origins"].items() if origin == "command line"}
    assert decided_by_profile == {"openclaw.state_dirs", "ledger.path", "health.log_path"}
    assert len(shown["origins"]) == sum(len(keys) for keys in shown["values"].values())


@pytest.mark.parametrize(
    ("args", "env", "origin"),
    [
        ((), {}, "default"),
        (("--profile", "work"), {}, "command line"),
        ((), {"OPENCLAW_HOME": "/srv/claw"}, "environment"),
        (("--profile", "work"), {"OPENCLAW_STATE_DIR": "/srv/claw"}, "environment"),
    ],
)
def test_show_says_who_decided_where_openclaw_is(
    cli_in_process: Cli, args: tuple[str, ...], env: dict[str, str], origin: str
) -> None:
    shown = cli_in_process(*args, "config", "show", "--json", env=env).json
    assert shown["origins"]["openclaw.state_dirs"] == origin
    assert shown["values"]["openclaw"]["state_dirs"] != "auto"


def test_a_profile_mirrors_its_own_openclaw_into_its_own_ledger(cli_in_process: Cli, home: Path) -> None:
    house = household(home)
    house.write(name_of(1), transcript(1, 1))
    house.state_dir.rename(home / ".openclaw-work")
    done = cli_in_process("--profile", "work", "run", "--once", "--json")
    assert (done.exit_code, done.json["transcripts"]) == (0, 1)
    assert (home / ".local/share/syncd-work/ledger.db").exists()
    assert not (home / ".local/share/syncd").exists()
    assert cli_in_process("run", "--once").exit_code == 1


def test_a_bad_profile_name_is_a_usage_error(cli_in_process: Cli) -> None:
    called = cli_in_process("--profile", "../up", "config", "path", "--json")
    assert called.exit_code == 2
    assert called.json["error"]["type"] == "usage"


def test_a_directory_that_cannot_be_made_is_said_plainly(cli_in_process: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    called = cli_in_process("--config", tmp_path / "file" / "config.yaml", "config", "init")
    assert called.exit_code == 1
    assert called.stderr.startswith(f"error: cannot make the directory {tmp_path}/file")
