"""What the tests of reading verbs read, where they do not say otherwise."""

import pytest

from tests.cli.reading import Syncd, mirrored, reader
from tests.conftest import Cli


@pytest.fixture
def syncd(cli_in_process: Cli, tmp_path_factory: pytest.TempPathFactory) -> Syncd:
    """The command line on a ledger of genuine files, which no test changes."""
    return reader(cli_in_process, mirrored(tmp_path_factory, "2026.7.1"))
