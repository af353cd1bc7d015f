"""What the configuration says of keeping and removing: ages in seconds, None for what is kept. Without it all is."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from syncd.settings.schema import RetentionSettings


@dataclass(frozen=True, slots=True)
class Policies:
    removed_sessions: int | None = None
    cron_runs: int | None = None
    superseded: int | None = None
    tool_results: int | None = None
    trajectories: int | None = None
    session_versions: int | None = None
    max_ledger_bytes: int | None = None

    @property
    def keeps_everything(self) -> bool:
        return self == Policies()

    def before_ms(self, name: str, now_ms: int) -> int | None:
        """What is older than this moment is to go; None: nothing is."""
        seconds: int | None = getattr(self, name)
        return now_ms - seconds * 1000 if seconds is not None else None


def policies_of(settings: RetentionSettings) -> Policies:
    ages = [field.name for field in fields(Policies) if field.name != "max_ledger_bytes"]
    written = {name: getattr(settings, name) for name in ages}
    seconds = {name: each.seconds if each is not None else None for name, each in written.items()}
    return Policies(**seconds, max_ledger_bytes=settings.max_ledger_bytes)


def plain(policies: Policies) -> dict[str, Any]:
    """To be sent to a daemon."""
    return asdict(policies)


def policies_from(values: Mapping[str, Any]) -> Policies:
    """The same back; ValueError or TypeError where it is another version's."""
    return Policies(**{name: None if value is None else int(value) for name, value in values.items()})
