"""Where an index entry says its transcript lies (`sessionFile`), and whether that may be believed.

OpenClaw's own rules, by the letters of the path alone: inside the sessions dir, in another agent's, or of the shape
`.../agents/<id>/sessions/<file>` left over from before the state dir was moved. All else leads out of the household
and is refused. Not identity: the header inside the file is.
"""

import os.path
import re
from typing import Final, Literal, NamedTuple

from syncd.openclaw.session_entries import object_or_empty, session_id_of

Verdict = Literal[
    "derived",  # the entry names none: <session id>.jsonl
    "inside",
    "sibling",  # of another agent of the household
    "moved",  # of a state dir that lay elsewhere
    "sqlite",  # a marker: the transcript is in OpenClaw's own database
    "refused",
]
_MARKER: Final = re.compile(r"sqlite:([^:]+):([^:]+):(.*)", re.DOTALL)


class SessionFile(NamedTuple):
    verdict: Verdict
    path: str | None
    """Where the transcript should be; None where that is no file, or no place to look at."""


def session_file(entry: object, sessions_dir: str) -> SessionFile:
    """`sessions_dir`: where the index itself lies."""
    named = object_or_empty(entry).get("sessionFile")
    if type(named) is not str or not named.strip():
        session_id = session_id_of(entry)
        is_name = session_id is not None and "/" not in session_id and "\0" not in session_id
        return SessionFile("derived", os.path.join(sessions_dir, f"{session_id}.jsonl") if is_name else None)
    named = named.strip()
    if _MARKER.fullmatch(named):
        return SessionFile("sqlite", None)
    if "\0" in named:
        return SessionFile("refused", None)
    path = os.path.normpath(os.path.join(sessions_dir, named))
    if _is_inside(path, sessions_dir):
        return SessionFile("inside", path)
    return _in_agents_dir(path, sessions_dir) if os.path.isabs(named) else SessionFile("refused", None)


def parent_name(parent_session: str) -> str:
    """The file name of what a header's `parentSession` names: of a path, its own; of a session in OpenClaw's database,
    what its transcript would be called.
    """
    if marker := _MARKER.fullmatch(parent_session):
        return f"{marker[2]}.jsonl"
    return os.path.basename(parent_session)


def _in_agents_dir(path: str, sessions_dir: str) -> SessionFile:
    """`<root>/agents/<id>/sessions/<file>`: of a sibling, or of the same household at another place."""
    directory, name = os.path.split(path)
    agent_dir, last = os.path.split(directory)
    agents, agent_id = os.path.split(agent_dir)
    if last != "sessions" or os.path.basename(agents) != "agents" or not agent_id or not name:
        return SessionFile("refused", None)
    own_agent_dir, own_last = os.path.split(sessions_dir)
    own_agents = os.path.dirname(own_agent_dir)
    if own_last != "sessions" or os.path.basename(own_agents) != "agents":
        return SessionFile("moved", os.path.join(sessions_dir, name))
    return SessionFile("sibling" if agents == own_agents else "moved", os.path.join(own_agents, agent_id, last, name))


def _is_inside(path: str, directory: str) -> bool:
    return path.startswith(os.path.join(directory, ""))
