"""These take minutes and the network: only `make test-package` asks for them."""

import os

collect_ignore_glob = [] if os.environ.get("SYNCD_TEST_PACKAGE") else ["test_*.py"]
