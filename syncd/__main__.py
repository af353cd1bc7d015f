"""`python -m syncd` is the same command line as the installed `syncd`; an old Python is told so in plain words."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  nobody checks it where syncd is run from a checkout
    sys.stderr.write("error: syncd needs Python 3.11 or newer; this is {}.{}\n".format(*sys.version_info[:2]))
    sys.exit("hint: run it with a newer one, such as python3.13 -m syncd; `make run` looks for one by itself")

from syncd.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
