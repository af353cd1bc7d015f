"""`syncd export`: every transcript comes back byte for byte, by every name it can be called."""

import hashlib
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, Cli
from tests.mirror.household import (
    LATER_TIME,
    RESET_TIME,
    Household,
    header,
    household,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)
from tests.mirror.indexed import MAIN, entry, index_text
from tests.mirror_checks import assert_untouched, snapshot, transcript_at, transcripts
from tests.mirror_fixtures import ALL_RELEASES, genuine, transcript_files


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("release", ALL_RELEASES)
def test_every_genuine_file_comes_back_with_the_sha256_of_its_manifest(
    cli_in_process: Cli, tmp_path: Path, release: str
) -> None:
    house = genuine(tmp_path, release)
    before = snapshot(house.state_dir)
    files = transcript_files(release)
    assert files
    for file in files:
        for name in (house.state_dir / file.relative, file.relative, file.name):
            given = cli_in_process("export", name, env=house.environ)
            assert (given.exit_code, given.stderr) == (0, "")
            assert sha256(given.stdout_bytes) == file.sha256, name
            assert len(given.stdout_bytes.splitlines()) >= file.lines
    assert_untouched(house.state_dir, before)


def test_a_real_process_writes_nothing_but_the_bytes_to_stdout(cli: Cli, tmp_path: Path) -> None:
    house = genuine(tmp_path, "2026.7.1")
    given = cli("export", "0a000002", env=house.environ)
    name = "agents/main/sessions/0a000002-0000-4000-8000-000000000002.jsonl"
    assert (given.exit_code, given.stderr) == (0, "")
    assert given.stdout_bytes == (house.state_dir / name).read_bytes()


def test_earlier_generations_come_back_after_rewrites(cli_in_process: Cli, house: Household) -> None:
    forms = [
        transcript(1, 6),
        header(1) + messages(1, 3) + messages(5, 6),
        header(1) + messages(1, 2),
        header(1) + b"".join(message(number, f"said otherwise {number} \N{SUNFLOWER}") for number in range(1, 9)),
    ]
    for form in forms:
        house.write(name_of(1), form)
        assert house.catch_up().problems == []
    for generation, form in enumerate(forms, 1):
        given = cli_in_process("export", session_id(1), "--generation", str(generation), env=house.environ)
        assert given.stdout_bytes == form
    assert cli_in_process("export", session_id(1), env=house.environ).stdout_bytes == forms[-1]


@pytest.mark.parametrize("wanted", ["0", "3", "-1"])
def test_a_generation_that_never_was_is_refused_with_the_range(
    cli_in_process: Cli, house: Household, wanted: str
) -> None:
    for count in (3, 2):
        house.write(name_of(1), transcript(1, count))
        house.catch_up()
    refused = cli_in_process("export", name_of(1), "--generation", wanted, env=house.environ)
    assert (refused.exit_code, refused.stdout_bytes) == (2, b"")
    assert refused.stderr.startswith(f"error: transcript 1 has generations 1 to 2, not {wanted}\n")


def test_only_complete_lines_are_given(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), transcript(1, 2) + message(3)[:-9])
    house.catch_up()
    assert cli_in_process("export", name_of(1), env=house.environ).stdout_bytes == transcript(1, 2)


def test_a_session_key_means_its_current_session(cli_in_process: Cli, tmp_path: Path) -> None:
    house = genuine(tmp_path, "2026.7.1")
    files = {file.name: file.sha256 for file in transcript_files("2026.7.1")}
    for key, name in {
        "agent:main:main": "352ab5ed-a842-462e-8907-0483ddd7572e.jsonl",
        "agent:ops:main": "0a00000a-0000-4000-8000-00000000000a.jsonl",
        "agent:main:telegram:group:-1001234:topic:7": "0a000001-0000-4000-8000-000000000001-topic-7.jsonl",
    }.items():
        given = cli_in_process("export", key, env=house.environ)
        assert given.stderr == ""
        assert sha256(given.stdout_bytes) == files[name], key


def test_a_session_id_means_the_live_transcript_before_its_archives_and_copies(
    cli_in_process: Cli, house: Household
) -> None:
    house.write(f"{name_of(1)}.bak-31211-1794802930541", transcript(1, 1))
    house.write(f"{name_of(1)}.deleted.{RESET_TIME}", transcript(1, 2))
    house.catch_up()
    assert cli_in_process("export", session_id(1), env=house.environ).stdout_bytes == transcript(1, 2)
    house.write(name_of(1), transcript(1, 3))
    house.catch_up()
    assert cli_in_process("export", session_id(1), env=house.environ).stdout_bytes == transcript(1, 3)


def test_a_name_that_can_mean_several_is_asked_back_and_settled_by_id(cli_in_process: Cli, house: Household) -> None:
    paths = [
        house.write(name_of(1), transcript(1, 1)),
        house.write(f"{session_id(1)}-topic-7.jsonl", transcript(1, 2)),
        house.write(name_of(2), transcript(2, 3)),
    ]
    house.catch_up()
    asked = cli_in_process("export", session_id(1), env=house.environ)
    assert (asked.exit_code, asked.stdout_bytes) == (2, b"")
    first, *listed, hint = asked.stderr.splitlines()
    assert first == f"error: {session_id(1)} can mean 2 transcripts:"
    assert sorted(line.split()[-1] for line in listed) == sorted(map(str, paths[:2]))
    assert hint == "hint: say which with --transcript ID"
    for line in listed:
        number, path = line.split()[0], Path(line.split()[-1])
        for args in ((session_id(1), "--transcript", number), ("--transcript", number)):
            assert cli_in_process("export", *args, env=house.environ).stdout_bytes == path.read_bytes()
    other = transcript_at(house.ledger_path, name_of(2)).id
    strange = cli_in_process("export", session_id(1), "--transcript", str(other), env=house.environ)
    assert strange.exit_code == 2
    assert strange.stderr.startswith(f"error: transcript {other} is not one of {session_id(1)}\n")


def test_the_same_file_name_of_two_agents_is_asked_back(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), transcript(1, 1))
    (house.sessions("ops") / name_of(1)).write_bytes(transcript(1, 2))
    house.catch_up()
    asked = cli_in_process("export", name_of(1), env=house.environ)
    assert asked.exit_code == 2
    assert "can mean 2 transcripts" in asked.stderr
    of_ops = cli_in_process("export", f"agents/ops/sessions/{name_of(1)}", env=house.environ)
    assert of_ops.stdout_bytes == transcript(1, 2)


@pytest.mark.parametrize("other", ["without a file's name", "archived"])
def test_a_key_of_two_installations_is_asked_back(cli_in_process: Cli, tmp_path: Path, other: str) -> None:
    """Also where the index of only one of them names a file, or only one of them is going on."""
    one, two = household(tmp_path / "one"), household(tmp_path / "two")
    one.write(name_of(1), transcript(1, 1))
    one.write("sessions.json", index_text({MAIN: entry(1, sessionFile=name_of(1))}))
    two.write(name_of(2) if other != "archived" else f"{name_of(2)}.reset.{RESET_TIME}", transcript(2, 2))
    two.write("sessions.json", index_text({MAIN: entry(2)}))
    config = tmp_path / "config.yaml"
    config.write_text(
        f"watch: {{settle_seconds: 0}}\nopenclaw: {{state_dirs: ['{one.state_dir}', '{two.state_dir}']}}\n"
    )
    env = {"SYNCD_LEDGER": str(tmp_path / "ledger.db"), "SYNCD_CONFIG": str(config)}
    assert cli_in_process("run", "--once", env=env).exit_code == 0
    for verb in ("export", "show"):
        asked = cli_in_process(verb, MAIN, env=env)
        assert (asked.exit_code, "can mean 2 transcripts" in asked.stderr) == (2, True), asked
    assert cli_in_process("export", session_id(1)[:14], env=env).stdout_bytes == transcript(1, 1)


def test_a_path_means_what_is_there_now_and_an_id_what_another_session_displaced(
    cli_in_process: Cli, house: Household
) -> None:
    path = house.write("shared.jsonl", transcript(1, 2))
    house.catch_up()
    house.recreate("shared.jsonl", transcript(2, 3))
    house.catch_up()
    assert cli_in_process("export", path, env=house.environ).stdout_bytes == transcript(2, 3)
    assert cli_in_process("export", session_id(1), env=house.environ).stdout_bytes == transcript(1, 2)
    displaced = next(row for row in transcripts(house.ledger_path) if row.session_id == session_id(1))
    by_id = cli_in_process("export", path, "--transcript", str(displaced.id), env=house.environ)
    assert by_id.stdout_bytes == transcript(1, 2)


def test_a_path_that_was_archived_means_the_transcript_that_was_there_last(
    cli_in_process: Cli, house: Household
) -> None:
    path = house.write(name_of(1), transcript(1, 4))
    house.catch_up()
    house.rename(name_of(1), f"{name_of(1)}.reset.{LATER_TIME}")
    house.catch_up()
    for name in (path, name_of(1), f"{name_of(1)}.reset.{LATER_TIME}", session_id(1)):
        assert cli_in_process("export", name, env=house.environ).stdout_bytes == transcript(1, 4), name


def test_what_openclaw_deleted_is_still_given(cli_in_process: Cli, house: Household) -> None:
    path = house.write(name_of(1), transcript(1, 4))
    house.catch_up()
    path.unlink()
    house.catch_up()
    for name in (path, name_of(1), session_id(1)):
        assert cli_in_process("export", name, env=house.environ).stdout_bytes == transcript(1, 4), name


def test_a_path_through_a_symlinked_directory_is_the_same_path(
    cli_in_process: Cli, house: Household, tmp_path: Path
) -> None:
    house.write(name_of(1), transcript(1, 1))
    house.catch_up()
    (tmp_path / "link").symlink_to(house.sessions())
    given = cli_in_process("export", tmp_path / "link" / name_of(1), env=house.environ)
    assert given.stdout_bytes == transcript(1, 1)


def test_a_hard_link_means_the_file_it_is(cli_in_process: Cli, house: Household) -> None:
    path = house.write(name_of(1), transcript(1, 2))
    os.link(path, house.path("second-name.jsonl"))
    house.catch_up()
    for name in (name_of(1), "second-name.jsonl"):
        assert cli_in_process("export", name, env=house.environ).stdout_bytes == transcript(1, 2)


def test_a_file_name_that_is_no_utf8_can_be_given(cli_in_process: Cli, house: Household) -> None:
    name = os.fsdecode(b"caf\xe9.jsonl")
    house.write(name, transcript(1, 2))
    house.catch_up()
    for given in (name, f"agents/main/sessions/{name}", str(house.path(name))):
        assert cli_in_process("export", given, env=house.environ).stdout_bytes == transcript(1, 2)


def test_the_start_of_an_id_is_enough_when_it_is_unique(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(0x123456), transcript(0x123456, 1))
    house.write(name_of(0x123ABC), transcript(0x123ABC, 2))
    house.catch_up()
    assert cli_in_process("export", "0a1234", env=house.environ).stdout_bytes == transcript(0x123456, 1)
    several = cli_in_process("export", "0a123", env=house.environ)
    assert several.exit_code == 2
    error, *listed, _ = several.stderr.splitlines()
    assert error == "error: 0a123 can mean 2 sessions:"
    assert [line.split()[0] for line in listed] == [session_id(0x123456), session_id(0x123ABC)]


@pytest.mark.parametrize("name", ["no-such-session", "agents/main/sessions/none.jsonl", "%", ""])
def test_an_unknown_name_exits_1_and_says_how_to_list_what_there_is(
    cli_in_process: Cli, house: Household, name: str
) -> None:
    house.write(name_of(1), transcript(1, 1))
    house.catch_up()
    unknown = cli_in_process("export", name, env=house.environ)
    assert (unknown.exit_code, unknown.stdout_bytes) == (1, b"")
    assert unknown.stderr.startswith(f"error: no session or transcript is known as {name}\nhint: `syncd sessions` ")


def test_no_name_at_all_is_a_usage_error_and_an_unknown_id_is_not_found(cli_in_process: Cli, house: Household) -> None:
    house.catch_up()
    assert cli_in_process("export", env=house.environ).exit_code == 2
    assert cli_in_process("export", "--transcript", "7", env=house.environ).exit_code == 1


def test_without_a_ledger_one_message_says_what_to_do(cli_in_process: Cli, house: Household) -> None:
    missing = cli_in_process("export", "anything", env=house.environ)
    assert missing.exit_code == 1
    assert missing.stderr.startswith(f"error: there is no ledger at {house.ledger_path} yet\nhint: ")
    assert not house.ledger_path.exists()


def test_a_file_is_written_whole_and_for_this_user_only(cli_in_process: Cli, house: Household, tmp_path: Path) -> None:
    house.write(name_of(1), transcript(1, 3))
    house.catch_up()
    target = tmp_path / "out.jsonl"
    target.write_text("what was there")
    target.chmod(0o644)
    given = cli_in_process("export", session_id(1), "-o", target, env=house.environ)
    assert (given.exit_code, given.stdout_bytes) == (0, b"")
    assert given.stderr == f"wrote {len(transcript(1, 3))} bytes to {target}\n"
    assert target.read_bytes() == transcript(1, 3)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mirror", "openclaw", "out.jsonl"]


def test_a_failed_export_leaves_the_file_that_was_there(cli_in_process: Cli, house: Household, tmp_path: Path) -> None:
    house.write(name_of(1), transcript(1, 3))
    house.catch_up()
    target = tmp_path / "out.jsonl"
    target.write_text("what was there")
    assert cli_in_process("export", "1234567", "-o", target, env=house.environ).exit_code == 1
    _broken(house, "DELETE FROM _blocks")
    damaged = cli_in_process("export", session_id(1), "-o", target, env=house.environ)
    assert damaged.exit_code == 1
    assert "are missing from 0 on" in damaged.stderr
    assert target.read_text() == "what was there"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mirror", "openclaw", "out.jsonl"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device is Linux's own")
@pytest.mark.parametrize("count", [3, 3000])
def test_a_stdout_that_is_full_is_one_message_with_what_to_do(house: Household, count: int) -> None:
    house.write(name_of(1), transcript(1, count))
    house.catch_up()
    for name, reason in (("/dev/full", "No space left on device"), (None, "it is closed")):
        stdout = f"> {name}" if name else ">&-"
        call = [sys.executable, "-m", "syncd", "export", session_id(1)]
        done = subprocess.run(
            ["sh", "-c", f'"$@" {stdout}', "sh", *call],
            env={**os.environ, **house.environ},
            stderr=subprocess.PIPE,
            cwd=CHECKOUT,
            check=False,
            text=True,
        )
        assert done.returncode == 1
        first, second = done.stderr.splitlines()
        assert first == f"error: cannot write to stdout: {reason}"
        assert second.startswith("hint: ")


def test_a_file_that_cannot_be_written_to_its_end_is_none(tmp_path: Path) -> None:
    """A disk that takes no more: what was there stays, and nothing half is left beside it."""
    target = tmp_path / "out.jsonl"
    target.write_text("what was there")
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "from syncd.errors import SyncdError; from syncd.mirror.export import write_file\n"
        "try: write_file(sys.argv[1], [b'x' * 60_000] * 3)\n"
        "except SyncdError as error: print(error.title, '|', error.hint)\n"
    )
    call = [sys.executable, "-c", script, str(target)]
    done = subprocess.run(call, capture_output=True, cwd=CHECKOUT, check=True, text=True)
    assert done.stdout.startswith(f"cannot write {target}: ")
    assert "space" in done.stdout
    assert target.read_text() == "what was there"
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def _broken(house: Household, statement: str) -> None:
    script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()"
    subprocess.run([sys.executable, "-c", script, house.ledger_path, statement], check=True)


def test_a_hole_in_an_earlier_generation_is_an_error_and_never_silence(cli_in_process: Cli, house: Household) -> None:
    lines = [message(number, f"{number} " * 90_000) for number in range(1, 10)]
    for form in (header(1) + b"".join(lines), header(1)):
        house.write(name_of(1), form)
        house.catch_up()
    earlier = ("export", session_id(1), "--generation", "1")
    assert cli_in_process(*earlier, env=house.environ).stdout_bytes == header(1) + b"".join(lines)
    _broken(house, "DELETE FROM _blocks WHERE id = (SELECT min(id) FROM _blocks WHERE superseded_in = 2)")
    holed = cli_in_process(*earlier, env=house.environ)
    assert holed.exit_code == 1
    assert "are missing from" in holed.stderr
    assert cli_in_process("export", session_id(1), env=house.environ).stdout_bytes == header(1)


def test_nothing_is_written_below_openclaws_directory(cli_in_process: Cli, house: Household, tmp_path: Path) -> None:
    house.write(name_of(1), transcript(1, 3))
    house.catch_up()
    (tmp_path / "link").symlink_to(house.sessions())
    before = snapshot(house.state_dir)
    for target in (house.sessions() / "new.jsonl", house.path(name_of(1)), tmp_path / "link" / "new.jsonl"):
        refused = cli_in_process("export", session_id(1), "-o", target, env=house.environ)
        assert refused.exit_code == 2
        assert "lies in OpenClaw's directory" in refused.stderr
    assert_untouched(house.state_dir, before)


def test_a_device_or_a_pipe_is_written_to_and_never_replaced(cli: Cli, house: Household, tmp_path: Path) -> None:
    house.write(name_of(1), transcript(1, 3))
    house.catch_up()
    assert cli("export", session_id(1), "-o", "/dev/stdout", env=house.environ).stdout_bytes == transcript(1, 3)
    refused = cli("export", session_id(1), "-o", tmp_path, env=house.environ)
    assert (refused.exit_code, "is a directory" in refused.stderr) == (2, True)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of one process alone is told by /proc")
def test_memory_stays_bounded_for_a_large_transcript(house: Household) -> None:
    count = 60
    data = header(1) + b"".join(message(number, f"{number:09} " * 120_000) for number in range(1, count))
    house.write(name_of(1), data)
    house.catch_up()
    script = (
        "import sys; from syncd.cli.main import main; code = main(sys.argv[1:]); "
        "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0], file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "export", session_id(1)],
        capture_output=True,
        env={**os.environ, **house.environ, "PYTHONPATH": str(CHECKOUT)},
        check=True,
    )
    assert sha256(done.stdout) == sha256(data)
    assert int(done.stderr) * 1024 < len(data)  # some 70 MB; the process with its libraries takes about 35
