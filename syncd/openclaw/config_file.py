"""The few settings of openclaw.json that tell where sessions and cron logs lie and when sessions end by themselves.

`session.*`, `cron.*` and the agents' directories only, each by name: nothing else of the file survives the reading.
JSON5, as OpenClaw reads it. Its `$include` is not followed, since other files may hold credentials.
A value of the wrong type is as good as absent: OpenClaw itself would refuse to start with it.
"""

import os.path
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from syncd.openclaw.json_values import bindable_int
from syncd.openclaw.session_entries import object_or_empty
from syncd.openclaw.session_keys import DEFAULT_MAIN_KEY
from syncd.openclaw.state_dirs import DEFAULT_AGENT_ID, normal_agent_id

AGENT_PLACEHOLDER: Final = "{agentId}"
_VARIABLE: Final = re.compile(r"\$\{([A-Z_][A-Z0-9_]*)\}")
_DEFAULT_RESET_HOUR: Final = 4
_MAINTENANCE: Final = ("mode", "pruneAfter", "maxEntries", "resetArchiveRetention", "maxDiskBytes", "highWaterBytes")


class Agent(NamedTuple):
    agent_id: str
    agent_dir: str | None
    """Where its own database lies; None = in the state dir."""


class OpenClawConfig(NamedTuple):
    store: str | None = None
    """`session.store` as written, variables replaced; None = each agent's own sessions dir."""
    main_key: str = DEFAULT_MAIN_KEY
    default_agent: str = DEFAULT_AGENT_ID
    agents: tuple[Agent, ...] = ()
    resets_daily: bool = True
    reset_hour: int = _DEFAULT_RESET_HOUR
    idle_minutes: int | None = None
    """A session unused for so long is replaced at the next message; None = no such rule."""
    cron_store: str | None = None
    """`cron.store`: the run logs lie in `runs` beside it."""
    retention: tuple[tuple[str, str], ...] = ()
    """What it says of removing sessions, by name, as written."""


def parse_config(raw: bytes, environ: Mapping[str, str]) -> OpenClawConfig | None:
    """The settings that matter here; None where this is no configuration."""
    document = _json5(raw)
    if type(document) is not dict:
        return None
    session, cron = object_or_empty(document.get("session")), object_or_empty(document.get("cron"))
    reset = object_or_empty(session.get("reset"))
    agents, default_agent = _agents(object_or_empty(document.get("agents")), environ)
    return OpenClawConfig(
        store=_expanded(session.get("store"), environ),
        main_key=(_text(session.get("mainKey")) or DEFAULT_MAIN_KEY).lower(),
        default_agent=default_agent,
        agents=agents,
        resets_daily=reset.get("mode", "daily") == "daily" and not (not reset and "idleMinutes" in session),
        reset_hour=_hour(reset.get("atHour")),
        idle_minutes=_positive(reset.get("idleMinutes", session.get("idleMinutes"))),
        cron_store=_expanded(cron.get("store"), environ),
        retention=tuple(_retention(object_or_empty(session.get("maintenance")), cron)),
    )


def _retention(maintenance: Mapping[str, Any], cron: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    named = [(f"session.maintenance.{name}", maintenance.get(name)) for name in _MAINTENANCE]
    for name, value in [*named, ("cron.sessionRetention", cron.get("sessionRetention"))]:
        if type(value) in (str, int, float, bool):
            yield name, str(value).lower()[:64] if type(value) is bool else str(value)[:64]


def store_path(template: str, agent_id: str, home: str) -> str:
    """The absolute path of an agent's store; the same for every agent where the template names none."""
    path = template.replace(AGENT_PLACEHOLDER, agent_id)
    if path == "~" or path.startswith(("~/", "~\\")):
        path = os.path.join(home, path[2:])
    # OpenClaw resolves against its working directory, which for a service is the home directory.
    return os.path.normpath(os.path.join(home, path))


def is_sqlite_store(template: str) -> bool:
    return template.endswith(".sqlite")


def _agents(section: Mapping[str, Any], environ: Mapping[str, str]) -> tuple[tuple[Agent, ...], str]:
    """The configured agents, and which of them bare keys belong to: the one marked so, else the first."""
    found: dict[str, Agent] = {}
    chosen: str | None = None
    for name, fields in _agent_entries(section):
        agent_id = normal_agent_id(name)
        found.setdefault(agent_id, Agent(agent_id, _expanded(fields.get("agentDir"), environ)))
        if chosen is None and fields.get("default") is True:
            chosen = agent_id
    return tuple(found.values()), chosen or next(iter(found), DEFAULT_AGENT_ID)


def _agent_entries(section: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    listed = section.get("list")
    for item in listed if type(listed) is list else []:
        fields = object_or_empty(item)
        if name := _text(fields.get("id")):
            yield name, fields
    for name, item in object_or_empty(section.get("entries")).items():  # since 2026.9.6
        if name.strip():
            yield name, object_or_empty(item)


def _expanded(value: object, environ: Mapping[str, str]) -> str | None:
    """Text with ${NAME} replaced; None where a name is unknown, since the place is then unknown too."""
    text = _text(value)
    if text is None or any(name not in environ for name in _VARIABLE.findall(text)):
        return None
    return _VARIABLE.sub(lambda match: environ[match[1]], text)


def _hour(value: object) -> int:
    hour = bindable_int(value)
    return hour if hour is not None and 0 <= hour <= 23 else _DEFAULT_RESET_HOUR


def _positive(value: object) -> int | None:
    number = bindable_int(value)
    return number if number is not None and number > 0 else None


def _text(value: object) -> str | None:
    return value.strip() if type(value) is str and value.strip() and "\0" not in value else None


def _json5(raw: bytes) -> Any:
    import pyjson5

    try:
        return pyjson5.decode_utf8(raw.removeprefix(b"\xef\xbb\xbf"), maxdepth=256)
    except (pyjson5.Json5Exception, ValueError, RecursionError):
        return None
