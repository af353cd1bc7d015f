"""Numbers that options take: none that SQLite could not hold."""

import click

_LARGEST = 2**63 - 1

ROW_ID = click.IntRange(max=_LARGEST)
COUNT = click.IntRange(1, _LARGEST)
