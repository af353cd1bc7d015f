"""The session index that tests write to, where they do not say otherwise."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mirror.indexed import Indexed, indexed


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Indexed]:
    """Nothing is in it yet."""
    with indexed(tmp_path) as made:
        yield made
