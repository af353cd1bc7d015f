"""Where OpenClaw keeps its state: its own rules for the state dir, profiles and agent ids.

Not a search of the disk: the caller brings the environment and the two questions (`is_dir`,
`realpath`) that the rules need, and does the looking. Relies on nothing but these.
A state dir moved by OpenClaw leaves a symlink behind, so dirs are compared by their real path.
"""

import os.path
import re
from collections.abc import Callable, Mapping

STATE_DIR_NAME = ".openclaw"
LEGACY_STATE_DIR_NAMES = (".clawdbot", ".moltbot", ".moldbot")
DEFAULT_AGENT_ID = "main"

_PROFILE = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}", re.IGNORECASE | re.ASCII)
_AGENT_ID = _PROFILE  # OpenClaw uses one rule for both
_NOT_IN_AGENT_ID = re.compile(r"[^a-z0-9_-]+")
# JavaScript's trim() knows a few more spaces than str.strip(), and the byte order mark.
_JS_SPACE = " \t\n\v\f\r\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))


def is_profile_name(name: str) -> bool:
    """True for a name that OpenClaw's own --profile would take."""
    return _PROFILE.fullmatch(name) is not None


def state_dirs(
    env: Mapping[str, str],
    home: str,
    profile: str | None = None,
    *,
    is_dir: Callable[[str], bool],
    realpath: Callable[[str], str],
) -> tuple[str, ...]:
    """The state dirs to mirror, real paths, each once, OpenClaw's own choice first.

    - OPENCLAW_STATE_DIR (then CLAWDBOT_STATE_DIR) names the only one, also beside a profile.
    - A profile names the only one: `.openclaw-<profile>`; `default` means no profile. As with
      OpenClaw a profile comes from the command line: a bare OPENCLAW_PROFILE moves nothing.
    - Else `.openclaw`, and every legacy dir that is a place of its own: OpenClaw reads only the
      first that exists, but an old dir left beside the new one still holds conversations.
    Where none exists, the place where OpenClaw would make one: what a caller waits for.
    A profile that `is_profile_name` refuses is the caller's mistake: ValueError.
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


def openclaw_home(env: Mapping[str, str], home: str) -> str:
    """OPENCLAW_HOME (`~` expanded), else HOME, else USERPROFILE, else the given home."""
    plain = _trimmed(env, "HOME") or _trimmed(env, "USERPROFILE") or home
    explicit = _trimmed(env, "OPENCLAW_HOME")
    return _expand(explicit, plain) if explicit else plain


def normal_agent_id(agent: str) -> str:
    """OpenClaw's normal form of an agent id: lower case, `-` for what is not allowed, `main`."""
    trimmed = agent.strip(_JS_SPACE)
    if _AGENT_ID.fullmatch(trimmed):
        return trimmed.lower()
    return _NOT_IN_AGENT_ID.sub("-", trimmed.lower()).strip("-")[:64] or DEFAULT_AGENT_ID


def agents_dir(state_dir: str) -> str:
    return os.path.join(state_dir, "agents")


def sessions_dir(state_dir: str, agent: str) -> str:
    """The directory of an agent's transcripts and of its sessions.json; `agent` as on disk."""
    return os.path.join(state_dir, "agents", agent, "sessions")


def old_sessions_dir(state_dir: str) -> str:
    """The very old layout, before agents: its transcripts belong to the agent `main`."""
    return os.path.join(state_dir, "sessions")


def import_archive_dir(state_dir: str, agent: str) -> str:
    """Where the migration into SQLite moves the JSONL files it has imported."""
    return os.path.join(state_dir, "agents", agent, "session-sqlite-import-archive")


def old_import_archive_dir(state_dir: str) -> str:
    """The import archive of the very old layout: beside its sessions dir."""
    return os.path.join(state_dir, "session-sqlite-import-archive")


def _trimmed(env: Mapping[str, str], name: str) -> str:
    return env.get(name, "").strip(_JS_SPACE)


def _expand(path: str, home: str) -> str:
    """`~` and `~/x` only, as OpenClaw does; `~user` is an ordinary name to it."""
    if path == "~":
        return home
    if path.startswith(("~/", "~\\")):
        return os.path.join(home, path[2:])
    return path
