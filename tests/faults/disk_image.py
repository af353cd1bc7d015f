"""A disk of a test's own: an ext4 in a file, the ledger's directory on it, seen by one process and who joins it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.mirror.household import Household, require_root

_IMAGE_BYTES = 48 << 20
# $1 a file system's image, $2 where the ledger's directory is, then the command. Seen by nobody outside.
_MOUNTED = 'mount -o loop "$1" "$2" || exit 99; shift 2; exec "$@"'


def mounted(house: Household, image: Path) -> tuple[str, ...]:
    """The prefix of a command that finds its ledger on the image."""
    return ("unshare", "-m", "sh", "-c", _MOUNTED, "sh", str(image), str(house.ledger_path.parent))


def ext4_for_the_ledger(house: Household, image: Path) -> tuple[str, ...]:
    """A new one, and the prefix; the test is skipped where that cannot be had."""
    require_root()
    if any(shutil.which(tool) is None for tool in ("mkfs.ext4", "unshare", "nsenter")):
        pytest.skip("needs mkfs.ext4, unshare and nsenter")
    with image.open("wb") as file:
        file.truncate(_IMAGE_BYTES)
    subprocess.run(["mkfs.ext4", "-q", "-F", image], check=True, capture_output=True)
    house.ledger_path.parent.mkdir()
    prefix = mounted(house, image)
    if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no image can be mounted here")
    return prefix
