"""`python -m syncd` is the same command line as the installed `syncd`."""

import sys

from syncd.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
