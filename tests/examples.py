"""How many examples a property is tried on: a few every day, SYNCD_EXAMPLES times as many where there is time."""

import os

TIMES = int(os.environ.get("SYNCD_EXAMPLES", "1"))  # read here: inside a test no variable of syncd's is set


def examples(everyday: int) -> int:
    return everyday * TIMES
