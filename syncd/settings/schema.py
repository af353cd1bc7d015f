"""Every key of config.yaml, once: its place, type, kind, default and comment.

Loading, `config show` and the annotated sample are all made from these classes, so a key added
here is read, checked, shown and explained. None stands for the words auto, none, keep and false.
"""

from collections.abc import Iterator
from dataclasses import Field, dataclass, field, fields
from typing import Any, Final, NamedTuple, TypeVar, cast

from syncd.settings.kinds import (
    Duration,
    Kind,
    Schedule,
    byte_count,
    choice,
    file_path,
    glob,
    keep_or_after,
    list_of,
    or_none,
    schedule,
    seconds,
)

T = TypeVar("T")
_DAY: Final = 86400


def _key(kind: Kind[T], written: object, comment: str = "", *, is_path: bool = False) -> T:
    """A key whose default is what its kind makes of `written`, the value as the sample shows it."""
    about = {"kind": kind, "written": written, "comment": comment, "is_path": is_path}
    made: T = field(default=kind(written), metadata=about)
    return made


@dataclass(frozen=True)
class OpenClawSettings:
    state_dirs: tuple[str, ...] | None = _key(
        or_none(list_of(file_path), "auto"),
        "auto",
        "or a list; auto = OpenClaw's own rules (OPENCLAW_STATE_DIR, OPENCLAW_HOME, profile,"
        " ~/.openclaw, legacy names), realpath-ed",
        is_path=True,
    )
    agents: tuple[str, ...] = _key(list_of(glob), ["*"], "globs of agent ids")


@dataclass(frozen=True)
class LedgerSettings:
    path: str | None = _key(
        or_none(file_path, "auto"),
        "auto",
        "the user data directory's ledger.db; $SYNCD_LEDGER overrides",
        is_path=True,
    )


@dataclass(frozen=True)
class WatchSettings:
    mode: str = _key(choice("auto", "events", "poll"), "auto", "auto | events | poll")
    rescan_seconds: float = _key(seconds(0.05, _DAY), 60, "every file is looked at this often, events or not")
    settle_seconds: float = _key(
        seconds(0, 600),
        1.0,
        "a shrunken or replaced file must be at rest this long before it is judged",
    )
    confirm_removal_seconds: float = _key(
        seconds(0, 7 * _DAY), 60, "an index entry must be missing in two reads this far apart"
    )
    idle_seconds: float = _key(seconds(1, 3650 * _DAY), _DAY, "a session is idle after so long without interaction")


@dataclass(frozen=True)
class LimitSettings:
    max_line_bytes: int = _key(byte_count(1 << 30), 16777216, "longer lines are kept and exported, not parsed")


@dataclass(frozen=True)
class JobSettings:
    repair: Schedule = _key(schedule, "15m")
    scrub: Schedule = _key(schedule, "24h", "every transcript compared with its file")
    retention: Schedule = _key(schedule, "24h")
    backup: Schedule = _key(schedule, "24h")
    optimize: Schedule = _key(schedule, "7d", "search index merged, log emptied, free pages given back")


@dataclass(frozen=True)
class RetentionSettings:
    removed_sessions: Duration | None = _key(
        keep_or_after("purge_after"),
        "keep",
        "{purge_after: 30d}: sessions that OpenClaw itself deleted",
    )
    cron_runs: Duration | None = _key(
        keep_or_after("purge_after"), "keep", "{purge_after: 30d}: sessions of cron runs, removed by OpenClaw or not"
    )
    superseded: Duration | None = _key(
        keep_or_after("drop_after"), "keep", "{drop_after: 90d}: old generations of rewritten lines"
    )
    tool_results: Duration | None = _key(
        keep_or_after("drop_after"),
        "keep",
        "{drop_after: 90d}: length and sha256 stay; verify compares the hash, export names the holes",
    )
    # The two below hold whole records of no session of their own: either word says the same there.
    trajectories: Duration | None = _key(
        keep_or_after("drop_after", "purge_after"), "keep", "{drop_after: 90d}: trajectory files"
    )
    session_versions: Duration | None = _key(
        keep_or_after("drop_after", "purge_after"),
        "keep",
        "{drop_after: 90d}: the history of the session index",
    )
    max_ledger_bytes: int | None = _key(
        or_none(byte_count(1 << 50), "none"),
        "none",
        "evicts, in this order: trajectories, superseded, tool results, removed sessions; never live ones",
    )


@dataclass(frozen=True)
class HealthSettings:
    log_path: str | None = _key(
        or_none(file_path, "auto"),
        "auto",
        "JSON lines, rotated; auto = health.log in the user log directory",
        is_path=True,
    )
    interval_seconds: float = _key(seconds(0.1, _DAY), 60, "a line this often, and one at each change of state")
    prometheus_path: str | None = _key(
        or_none(file_path, "none"),
        "none",
        "a .prom file for Prometheus' textfile collector, replaced with each line; an existing one keeps its mode",
        is_path=True,
    )


def _section(kind: type[T], comment: str = "") -> T:
    made: T = field(default_factory=kind, metadata={"comment": comment})
    return made


@dataclass(frozen=True)
class Settings:
    openclaw: OpenClawSettings = _section(OpenClawSettings)
    ledger: LedgerSettings = _section(LedgerSettings)
    watch: WatchSettings = _section(WatchSettings)
    limits: LimitSettings = _section(LimitSettings)
    jobs: JobSettings = _section(
        JobSettings,
        'each: an interval ("30s", "15m", "24h", "7d"), a five-field cron expression in quotes, or false',
    )
    retention: RetentionSettings = _section(RetentionSettings, "keep, or a map such as {purge_after: 30d}")
    health: HealthSettings = _section(HealthSettings)


class Key(NamedTuple):
    section: str
    name: str
    kind: Kind[Any]
    written: object
    comment: str
    is_path: bool

    @property
    def path(self) -> str:
        return f"{self.section}.{self.name}"


class Section(NamedTuple):
    name: str
    comment: str
    keys: tuple[Key, ...]
    make: type[Any]


def sections() -> Iterator[Section]:
    for outer in fields(Settings):
        make = cast("type[Any]", outer.default_factory)
        keys = tuple(_described(outer.name, inner) for inner in fields(make))
        yield Section(outer.name, outer.metadata["comment"], keys, make)


def _described(section: str, inner: Field[Any]) -> Key:
    return Key(section, inner.name, **inner.metadata)
