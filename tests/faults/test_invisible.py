"""OpenClaw never notices: a day of its life is followed, and nothing below its state dir is made, changed or locked.

Shown in three ways: by a mount on which nothing can be written, by every fact of every inode before and after, and by a
trace of every system call that names a file.
"""

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from syncd.daemon.beat import beat_path
from tests.daemon.live import wait_for
from tests.daemon.process import Daemon, daemon, syncd
from tests.mirror.household import (
    RESET_TIME,
    Household,
    compressed,
    header,
    household,
    message,
    messages,
    name_of,
    transcript,
)
from tests.mirror.indexed import MAIN, entry, index_text
from tests.mirror_checks import assert_file, assert_mirrors, assert_untouched, mirrored_files, query, snapshot
from tests.mirror_fixtures import DATA

SECRETS = (
    ".env",
    "agents/main/agent/auth-profiles.json",
    "agents/main/agent/auth.json",
    "credentials/oauth.json",
    "credentials/telegram/token.json",
    "devices/paired.json",
    "exec-approvals.json",
)
# strace: calls that name a file, and those that change or lock one that is open.
CALLS = "%file,flock,fcntl,fchmod,fchown,ftruncate,fallocate,fsetxattr,fremovexattr"
HARMLESS = frozenset({
    "access", "chdir", "faccessat", "faccessat2", "getxattr", "inotify_add_watch", "lgetxattr", "lstat", "newfstatat",
    "readlink", "readlinkat", "stat", "statfs", "statx",
})  # fmt: skip
HARMLESS_FCNTL = ("F_GETFD", "F_SETFD", "F_GETFL", "F_DUPFD_CLOEXEC")


@pytest.fixture
def house(tmp_path: Path) -> Household:
    """Genuine files of a release, and all that lies around them."""
    made = household(tmp_path)
    shutil.copytree(DATA / "2026.7.1" / "agents", made.state_dir / "agents", dirs_exist_ok=True)
    for name in SECRETS:
        (made.state_dir / name).parent.mkdir(parents=True, exist_ok=True)
        (made.state_dir / name).write_text('{"token": "a secret"}')
    (made.state_dir / "openclaw.json").write_text('{"session": {"scope": "per-sender"}}')
    (made.state_dir / "cron" / "runs").mkdir(parents=True)
    return made


def day_of_openclaw(house: Household, after_each: Callable[[], None]) -> None:
    """What OpenClaw does to its files, each act followed by `after_each`."""
    lock = house.path(f"{name_of(101)}.lock")
    index, run_log = house.sessions() / "sessions.json", house.state_dir / "cron" / "runs" / "job.jsonl"

    def rename_in(path: Path, data: bytes) -> None:
        scratch = path.with_name(f"{path.name}.1.tmp")
        scratch.write_bytes(data)
        scratch.rename(path)

    acts: list[Callable[[], object]] = [
        lambda: house.write(name_of(101), transcript(101, 3)),
        lambda: house.lock(name_of(101), os.getpid()),
        lambda: house.append(name_of(101), messages(4, 8)),
        lambda: house.append(name_of(101), message(9)[:40]),  # torn
        lambda: house.append(name_of(101), message(9)[40:]),
        lambda: house.write(name_of(101), transcript(101, 9)),  # the rewrite to the same bytes at a turn's end
        lock.unlink,
        lambda: house.replace(name_of(101), transcript(101, 2) + message(3, "repaired")),
        lambda: house.truncate(name_of(101), len(transcript(101, 2))),
        lambda: house.append(name_of(101), b"not json\n"),
        lambda: rename_in(index, index_text({MAIN: entry(101)})),
        lambda: rename_in(index, index_text({MAIN: entry(101, status="use")})),
        lambda: house.rename(name_of(101), f"{name_of(101)}.reset.{RESET_TIME}"),
        lambda: house.write(name_of(102), header(102) + messages(1, 4)),
        lambda: house.write(f"{name_of(103)}.deleted.{RESET_TIME}.zst", compressed(transcript(103, 4))),
        lambda: house.path(name_of(102)).unlink(),
        lambda: (house.sessions("another") / name_of(104)).write_bytes(transcript(104, 2)),
        lambda: run_log.write_bytes(b'{"jobId": "job", "action": "finished", "status": "ok", "ts": 1794802931000}\n'),
    ]
    for act in acts:
        act()
        after_each()


def is_level(house: Household) -> bool:
    for path in mirrored_files(house.state_dir):
        assert_file(house, path)
    return True


def knows_what_went(house: Household) -> bool:
    """An absence is believed only after a while."""
    there = query(house.ledger_path, "SELECT path FROM transcripts WHERE state = 'live'")
    return all(Path(path).exists() for (path,) in there)


def follow_all_day(house: Household, running: Daemon, before: dict[str, tuple[object, ...]]) -> None:
    """Every act is mirrored, and between the acts nothing changes by a hair."""

    def mirrored() -> None:
        seen = snapshot(house.state_dir)
        wait_for(lambda: is_level(house))
        assert_untouched(house.state_dir, seen)

    wait_for(lambda: beat_path(house.ledger_path).exists() and is_level(house), 60)
    assert_untouched(house.state_dir, before)
    day_of_openclaw(house, mirrored)
    wait_for(lambda: query(house.ledger_path, "SELECT count(*) FROM cron_runs") == [(1,)])
    wait_for(lambda: knows_what_went(house))
    before = snapshot(house.state_dir)
    wait_for(lambda: syncd(house, "status")[0] == 0)
    daemon_pid = json.loads(beat_path(house.ledger_path).read_bytes())["pid"]  # not of what it was started under
    os.kill(daemon_pid, signal.SIGTERM)
    running.process.communicate(timeout=60)
    assert syncd(house, "verify")[0] == 0
    assert syncd(house, "run", "--once")[0] == 0
    assert_untouched(house.state_dir, before)
    assert_mirrors(house)


def test_nothing_changes_and_nothing_appears(house: Household) -> None:
    before = snapshot(house.state_dir)
    with daemon(house) as running:
        follow_all_day(house, running, before)


def test_the_state_dir_may_be_mounted_read_only(house: Household) -> None:
    """Nothing below it can be written, by anybody: not noticed. OpenClaw writes through the other mount."""
    script = 'mount --make-rprivate / && mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    prefix = ("unshare", "-m", "sh", "-c", script, str(house.state_dir))
    if shutil.which("unshare") is None or _fails([*prefix, "true"]):
        pytest.skip("needs a mount namespace of its own: unshare and the right to mount")
    assert _fails([*prefix, "touch", str(house.state_dir / "agents")])
    before = snapshot(house.state_dir)
    with daemon(house, prefix=prefix) as running:
        follow_all_day(house, running, before)


def test_no_file_of_openclaws_is_opened_but_to_read_and_no_credential_at_all(house: Household, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    prefix = ("strace", "-f", "-qq", "-y", "-s", "1000", "-e", f"trace={CALLS}", "-e", "signal=none", "-o", str(trace))
    if shutil.which("strace") is None or _fails([*prefix, "true"]):
        pytest.skip("needs strace, and the right to trace")
    assert not _fails([*prefix, "touch", str(house.state_dir / "agents")])
    assert [line for line in _below(house, trace) if not _only_looks(line)], "the trace is blind"
    with daemon(house, prefix=prefix) as running:
        follow_all_day(house, running, snapshot(house.state_dir))
    below = _below(house, trace)
    assert [line for line in below if "openat" in line and f"/{name_of(102)}" in line], "the trace saw no reading"
    assert [line for line in below if not _only_looks(line)] == []
    names = [f"/{name}" for name in (*SECRETS, "credentials", "devices")]
    assert [line for line in below if "open" in line and any(name in line for name in names)] == []


def _below(house: Household, trace: Path) -> list[str]:
    """Calls that name something below the state dir; where a name is relative, -y spells its directory out."""
    return [line for line in trace.read_text().splitlines() if str(house.state_dir) in line]


def _only_looks(line: str) -> bool:
    call = re.search(r"(?:^|\s)([a-z_0-9]+)\(", line)
    if call is None:
        return " resumed>" in line  # its beginning, with all arguments that name a file, is a line of its own
    if call[1] in ("open", "openat", "openat2"):
        return "O_RDONLY" in line and "O_CREAT" not in line and "O_TRUNC" not in line
    return call[1] in HARMLESS or (call[1] == "fcntl" and any(act in line for act in HARMLESS_FCNTL))


def _fails(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode != 0
