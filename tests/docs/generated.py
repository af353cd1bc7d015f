"""The parts of docs/ that are made from the code: `make docs` writes them, a test holds the files to them.

A page keeps its hand-written text; what stands between the marks `<!-- made: NAME -->` and `<!-- end -->` is replaced.
"""

import re
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import yaml

from syncd.daemon.codes import CODES
from syncd.ledger.database import open_for_writing
from tests.docs.faults_page import faults
from tests.docs.schema_page import ledger_reference

CHECKOUT: Final = Path(__file__).resolve().parents[2]
_PART = re.compile(r"(<!-- made: ([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def schema() -> str:
    about = yaml.safe_load((CHECKOUT / "syncd/ledger/datasette.yaml").read_text())["databases"]["ledger"]["tables"]
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "ledger.db"
        open_for_writing(path).close()
        with closing(sqlite3.connect(path)) as ledger:
            return ledger_reference(ledger, about)


def health_codes() -> str:
    rows = (f"| `{code}` | {about.meaning} | {about.remedy} |" for code, about in CODES.items())
    return "\n".join(("| code | what it means | what to do |", "|---|---|---|", *rows)) + "\n"


MAKERS: Final[dict[str, Callable[[], str]]] = {"schema": schema, "health codes": health_codes, "faults": faults}
PAGES: Final = ("docs/ledger.md", "docs/operations.md", "docs/faults.md")


def as_made(page: str) -> str:
    """The page with its made parts made anew."""
    return _PART.sub(lambda part: f"{part[1]}\n{MAKERS[part[2]]()}\n{part[3]}", page)


def main() -> int:
    for name in PAGES:
        path = CHECKOUT / name
        before = path.read_text()
        if (after := as_made(before)) != before:
            path.write_text(after)
            print(f"{name} written", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
