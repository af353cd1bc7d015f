"""Tests of permissions: root reads everything, so they are made as another user.

Where the tests are not run by root, the user who runs them is one whom a mode of 0 stops; then nothing is changed.
"""

import codecs
import importlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534


@contextmanager
def common_place() -> Iterator[Path]:
    """A directory that the other user owns and reaches; pytest's own are closed to all but their maker."""
    place = Path(tempfile.mkdtemp(dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
    try:
        give_away(place)
        yield place
    finally:
        for path in [place, *place.rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o700)
        shutil.rmtree(place)


def give_away(*paths: Path) -> None:
    if os.geteuid() == 0:
        for path in paths:
            os.chown(path, NOBODY, NOBODY)


def is_open_to_others(place: Path) -> bool:
    """May the other user enter it? Who is not root is no other."""
    return os.geteuid() != 0 or all(each.stat().st_mode & 0o001 for each in (place, *place.parents))


@contextmanager
def as_another_user() -> Iterator[None]:
    """Whatever is opened here is opened by one who is not root."""
    if os.geteuid() != 0:
        yield
        return
    # The other user may not reach this interpreter's files, and Python remembers for good what it did not find.
    for codec in ("ascii", "latin-1", "utf-8"):
        codecs.lookup(codec)
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        importlib.invalidate_caches()
