"""Where the figures were taken: a ratio travels from machine to machine, a duration does not."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import apsw


def description(scratch: Path) -> dict[str, str]:
    cores = os.cpu_count() or 1
    load = f"{os.getloadavg()[0]:.2f}"
    return {
        "taken": f"{datetime.now(UTC):%Y-%m-%d}, of commit {_commit()}",
        "cores": f"{cores} ({_processor()}), load {load} at the start",
        "python": platform.python_version(),
        "sqlite": f"{apsw.sqlite_lib_version()} (apsw)",
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "file system": file_system(scratch),
    }


def file_system(path: Path) -> str:
    """The type of the mount that holds the path, as Linux tells it."""
    mounts = Path("/proc/mounts")
    if not mounts.exists():
        return "unknown"
    best, kind = "", "unknown"
    for line in mounts.read_text(errors="replace").splitlines():
        _, mount_point, found, *_ = line.split(" ")
        if path.resolve().is_relative_to(mount_point) and len(mount_point) >= len(best):
            best, kind = mount_point, found
    return kind


def _commit() -> str:
    """Of this checkout; with a + where files differ from it, and so perhaps what was measured."""
    here = Path(__file__).parent
    try:
        done = subprocess.run(
            ["git", "-C", here, "describe", "--always", "--exclude=*", "--dirty=+"],
            capture_output=True, check=True, text=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(errors="replace").splitlines() if cpuinfo.exists() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or "unknown")
