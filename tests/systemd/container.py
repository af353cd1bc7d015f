"""This machine once more, booted by a systemd of its own, with a user in it who has OpenClaw and syncd.

An overlay over `/`, so that nothing here is changed, and systemd-nspawn without a network. Needs root, systemd-nspawn
and logind; where it cannot be had, `Unbootable` says why. The user has no rights but a login that lingers.
"""

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import CHECKOUT

USER = "boxed-claw"
HOME = f"/home/{USER}"
SYNCD = f"{HOME}/venv/bin/python -P -m syncd"
_BOOT_SECONDS = 60
_INSIDE_SOURCE, _INSIDE_LIBRARIES = "/opt/syncd/source", "/opt/syncd/libraries"
_NEEDED = ("systemd-nspawn", "systemctl", "loginctl", "dbus-daemon", "nsenter", "runuser", "useradd")


class Unbootable(Exception):
    """Why this machine cannot be booted once more."""


@dataclass(frozen=True)
class Container:
    root: Path
    init: int
    """The pid, seen from here, of its first process."""

    def run(self, command: str, *, user: str = USER, check: bool = True) -> subprocess.CompletedProcess[str]:
        """A shell's command, as that user would type it after a login."""
        inside = ["nsenter", f"--target={self.init}", "--all", "runuser", "-u", user, "--", "env", "-i"]
        uid = "$(id -u)"
        script = f"export XDG_RUNTIME_DIR=/run/user/{uid}; cd; {command}"
        home = HOME if user == USER else "/root"
        done = subprocess.run(
            [*inside, f"HOME={home}", f"USER={user}", "PATH=/usr/sbin:/usr/bin:/bin", "/bin/sh", "-c", script],
            capture_output=True, text=True, timeout=100, check=False,
        )  # fmt: skip
        assert done.returncode == 0 or not check, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done

    def syncd(self, args: str, *, check: bool = True) -> subprocess.CompletedProcess[str]:
        return self.run(f"{SYNCD} {args}", check=check)

    def asked(self, prop: str, unit: str = "syncd.service") -> str:
        return self.run(f"systemctl --user show {unit} --property={prop} --value").stdout.strip()

    def at(self, path: str) -> Path:
        """Inside the home, seen from here."""
        return self.root / HOME[1:] / path


@contextmanager
def booted(scratch: Path) -> Iterator[Container]:
    missing = [name for name in _NEEDED if shutil.which(name) is None]
    if os.geteuid() != 0:
        raise Unbootable("only root can boot a container")
    if missing:
        raise Unbootable(f"{', '.join(missing)} missing: apt-get install systemd-container dbus libpam-systemd")
    upper, work, root = scratch / "upper", scratch / "work", scratch / "root"
    for place in (upper, work, root):
        place.mkdir(parents=True)
    root.parent.chmod(0o755)
    layers = f"lowerdir=/,upperdir={upper},workdir={work}"
    mounted = subprocess.run(
        ["mount", "-t", "overlay", "overlay", "-o", layers, root], capture_output=True, text=True, check=False
    )
    if mounted.returncode != 0:
        raise Unbootable(f"no overlay over /: {mounted.stderr.strip()}")
    try:
        _furnish(root)
        with _nspawn(root, scratch / "boot.log") as init:
            found = Container(root, init)
            _log_in(found)
            yield found
    finally:
        subprocess.run(["umount", root], check=False)


def _furnish(root: Path) -> None:
    """A user with a venv, which borrows our libraries, and with an OpenClaw."""
    (root / "etc/machine-id").write_text("0123456789abcdef0123456789abcdef\n")
    for wants in (root / "etc/systemd/system").glob("*.wants"):
        shutil.rmtree(wants)  # none of this machine's services, but those that are systemd's own
    inside: list[str | Path] = ["chroot", root]
    subprocess.run([*inside, "useradd", "-m", "-s", "/bin/sh", USER], check=True)
    base = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
    for parent in base.resolve().parents:
        here = root / str(parent)[1:]
        here.chmod(here.stat().st_mode | 0o011)  # an interpreter in root's home is for its own eyes only
    subprocess.run([*inside, base, "-m", "venv", "--without-pip", f"{HOME}/venv"], check=True)
    (site,) = (root / HOME[1:] / "venv/lib").glob("python3.*/site-packages")
    (site / "syncd-under-test.pth").write_text(f"{_INSIDE_SOURCE}\n{_INSIDE_LIBRARIES}\n")
    shutil.copytree(CHECKOUT / "tests/data/openclaw/2026.7.1", root / HOME[1:] / ".openclaw")
    subprocess.run([*inside, "chown", "-R", f"{USER}:", HOME], check=True)


@contextmanager
def _nspawn(root: Path, log: Path) -> Iterator[int]:
    command = [
        "systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network", "--console=pipe",
        f"--directory={root}", f"--bind-ro={CHECKOUT}:{_INSIDE_SOURCE}",
        f"--bind-ro={sysconfig.get_path('purelib')}:{_INSIDE_LIBRARIES}", "--machine=syncd-test", "--boot",
        "systemd.unit=multi-user.target",
    ]  # fmt: skip
    env = {"PATH": os.environ["PATH"], "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}
    with log.open("wb") as output:
        process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        yield int(_awaited(lambda: process.poll() is None and children.read_text().split()[-1], log))
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _log_in(found: Container) -> None:
    """A login that lingers, as `loginctl enable-linger` makes it."""
    log = found.root.parent / "boot.log"
    _awaited(
        lambda: found.run("systemctl is-system-running", user="root", check=False).stdout.strip() == "running", log
    )
    found.run(f"loginctl enable-linger {USER}", user="root")
    _awaited(lambda: found.run("systemctl --user is-system-running", check=False).stdout.strip() == "running", log)


def _awaited(look: Callable[[], str | bool], log: Path) -> str:
    until = time.monotonic() + _BOOT_SECONDS
    while time.monotonic() < until:
        try:
            if seen := look():
                return str(seen)
        except (OSError, IndexError):
            pass
        time.sleep(0.1)
    raise Unbootable(f"it did not come up: {log.read_text()[-500:]}")
