"""One container for all tests of this folder: booting takes some seconds."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd.container import Container, Unbootable, booted


@pytest.fixture(scope="session")
def container() -> Iterator[Container]:
    # Not below pytest's own directories, which are closed to the user inside.
    with tempfile.TemporaryDirectory(
        dir=os.environ.get("PYTEST_DEBUG_TEMPROOT"), ignore_cleanup_errors=True
    ) as scratch:
        try:
            with booted(Path(scratch)) as found:
                yield found
        except Unbootable as why:
            pytest.skip(f"no systemd can be booted here: {why}")
