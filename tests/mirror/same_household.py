"""A household that is made once for all tests of a module: each finds it as it was then, at the same place.

For tests of the ledger: a look at the files finds the same bytes in other inodes.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.mirror.household import Household, household


class SameHousehold:
    def __init__(self, directory: Path, furnish: Callable[[Household], object]) -> None:
        self._place, self._kept = directory / "now", directory / "then"
        self._place.mkdir()
        self._house = household(self._place)
        furnish(self._house)
        shutil.copytree(self._place, self._kept)

    def again(self) -> Household:
        shutil.rmtree(self._place)
        shutil.copytree(self._kept, self._place)
        return self._house
