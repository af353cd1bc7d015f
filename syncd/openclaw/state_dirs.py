"""Where OpenClaw keeps its state: its own rules for the state dir, profiles and agent ids.

Not a search of the disk: the caller brings the environment and the two questions (`is_dir`,
`realpath`) that the rules need, and does the looking.
A state dir moved by OpenClaw leaves a symlink behind, so dirs are compared by their real path.
"""

import os.path
import re
from collections.abc import Callable, Mapping

from syncd.openclaw.javascript_text import trimmed

STATE_DIR_NAME = ".openclaw"
LEGACY_STATE_DIR_NAMES = (".clawdbot", ".moltbot", ".moldbot")
DEFAULT_AGENT_ID = "main"
IMPORT_ARCHIVE = "session-sqlite-import-archive"

_PROFILE = r"[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}"
_AGENT_ID = _PROFILE  # OpenClaw uses one rule for both
_NOT_IN_AGENT_ID = r"[^a-z0-9_-]+"


def is_profile_name(name: str) -> bool:
    """True for a name that OpenClaw's own --profile would take."""
    return re.fullmatch(_PROFILE, name) is not None


def state_dirs(
    env: Mapping[str, str],
    home: str,
    profile: str | None = None,
    *,
    is_dir: Callable[[str], bool],
    realpath: Callable[[str], str],
) -> tuple[str, ...]:
    """The state dirs to mirror, real paths, each once, OpenClaw's own choice first.

    OPENCLAW_STATE_DIR (then CLAWDBOT_STATE_DIR) names the only one, else the profile (`.openclaw-<profile>`), which as
    with OpenClaw comes from the command line: a bare OPENCLAW_PROFILE moves nothing. Else `.openclaw`, and every legacy
    dir that is a place of its own: OpenClaw reads only the first that exists, but an old one beside it still holds
    conversations. Where none exists, the place where OpenClaw would make one. ValueError: that is no profile's name.
    """
    base = openclaw_home(env, home)
    override = _trimmed(env, "OPENCLAW_STATE_DIR") or _trimmed(env, "CLAWDBOT_STATE_DIR")
    if profile is not None and not is_profile_name(profile):
        raise ValueError(f"not a profile name: {profile!r}")
    if override:
        return (realpath(_expand(override, base)),)
    if profile is not None and profile.lower() != "default":
        return (realpath(os.path.join(base, f"{STATE_DIR_NAME}-{profile}")),)
    usual = os.path.join(base, STATE_DIR_NAME)
    candidates = [usual, *(os.path.join(base, name) for name in LEGACY_STATE_DIR_NAMES)]
    existing = [realpath(path) for path in candidates if is_dir(path)]
    return tuple(dict.fromkeys(existing)) or (realpath(usual),)


def chosen_by_environment(env: Mapping[str, str], profile: str | None = None) -> bool:
    """Whether OpenClaw's own variables, not its usual place or a profile, decide where the state is."""
    is_named = bool(_trimmed(env, "OPENCLAW_STATE_DIR") or _trimmed(env, "CLAWDBOT_STATE_DIR"))
    has_profile = profile is not None and profile.lower() != "default"
    return is_named or (not has_profile and bool(_trimmed(env, "OPENCLAW_HOME")))


def openclaw_home(env: Mapping[str, str], home: str) -> str:
    """OPENCLAW_HOME (`~` expanded), else HOME, else USERPROFILE, else the given home."""
    plain = _trimmed(env, "HOME") or _trimmed(env, "USERPROFILE") or home
    explicit = _trimmed(env, "OPENCLAW_HOME")
    return _expand(explicit, plain) if explicit else plain


def normal_agent_id(agent: str) -> str:
    """OpenClaw's normal form of an agent id: lower case, `-` for what is not allowed, `main`."""
    name = trimmed(agent)
    if re.fullmatch(_AGENT_ID, name):
        return name.lower()
    return re.sub(_NOT_IN_AGENT_ID, "-", name.lower()).strip("-")[:64] or DEFAULT_AGENT_ID


def agents_dir(state_dir: str) -> str:
    return os.path.join(state_dir, "agents")


def state_database(state_dir: str) -> str:
    """What all agents share, in OpenClaw's own SQLite: cron runs since 2026.7.1, and much that is not for us."""
    return os.path.join(state_dir, "state", "openclaw.sqlite")


def sessions_dir(state_dir: str, agent: str) -> str:
    """The directory of an agent's transcripts and of its sessions.json; `agent` as on disk."""
    return os.path.join(state_dir, "agents", agent, "sessions")


def old_sessions_dir(state_dir: str) -> str:
    """The very old layout, before agents: its transcripts belong to the agent `main`."""
    return os.path.join(state_dir, "sessions")


def agent_database(state_dir: str, agent: str) -> str:
    """Where releases from 2026.7.2 on keep an agent's sessions, unless they are told otherwise."""
    return os.path.join(state_dir, "agents", agent, "agent", "openclaw-agent.sqlite")


def import_archive_dir(state_dir: str, agent: str) -> str:
    """Where the migration into SQLite moves the JSONL files it has imported."""
    return os.path.join(state_dir, "agents", agent, IMPORT_ARCHIVE)


def old_import_archive_dir(state_dir: str) -> str:
    """The import archive of the very old layout: beside its sessions dir."""
    return os.path.join(state_dir, IMPORT_ARCHIVE)


def _trimmed(env: Mapping[str, str], name: str) -> str:
    return trimmed(env.get(name, ""))


def _expand(path: str, home: str) -> str:
    """`~` and `~/x` only, as OpenClaw does; `~user` is an ordinary name to it."""
    if path == "~":
        return home
    if path.startswith(("~/", "~\\")):
        return os.path.join(home, path[2:])
    return path
