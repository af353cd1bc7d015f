"""A household whose configuration waits for nothing, and the command line in it."""

from collections.abc import Callable
from pathlib import Path

from tests.conftest import Cli, Result
from tests.mirror.household import Household, household

Syncd = Callable[..., Result]


def quick_household(place: Path, config: str = "") -> Household:
    house = household(place)
    (place / "config.yaml").write_text(f"watch: {{settle_seconds: 0}}\n{config}")
    return house


def environ(house: Household) -> dict[str, str]:
    return {**house.environ, "SYNCD_CONFIG": str(house.state_dir.parent / "config.yaml")}


def syncd(cli: Cli, house: Household) -> Syncd:
    def call(*args: str | Path) -> Result:
        return cli(*args, env=environ(house))

    return call
