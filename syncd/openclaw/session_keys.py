"""What a session key says: whose it is, what kind of session, which chat, which run.

Every form that any release writes, and those it only reads (bare keys, phone numbers, `dm`).
Not a normaliser: parts keep the case they are written in, since some channels' ids depend on it.
Nothing is refused: a key that fits no form is of kind `other`.
"""

import re
from typing import Final, Literal, NamedTuple

from syncd.openclaw.state_dirs import normal_agent_id

SessionKind = Literal[
    "main",
    "direct",
    "group",
    "channel",
    "room",
    "thread",  # a thread of something that is no chat, such as of the main session
    "subagent",
    "acp",
    "cron",
    "cron_run",
    "hook",
    "node",
    "heartbeat",
    "explicit",  # the command line's --session-id
    "dashboard",
    "recovered",  # given by the migration into SQLite
    "global",
    "unknown",  # OpenClaw's own word: the bare key `unknown`
    "other",
]
ChatType = Literal["direct", "group", "channel"]

DEFAULT_MAIN_KEY: Final = "main"


class SessionKey(NamedTuple):
    kind: SessionKind
    agent_id: str | None = None
    """In OpenClaw's normal form; None for a bare key."""
    channel: str | None = None
    chat_type: ChatType | None = None
    peer: str | None = None
    thread_id: str | None = None
    base_key: str | None = None
    """The key this one hangs on: without its thread, heartbeat, run or innermost subagent."""


_CHAT_KINDS: Final[dict[str, SessionKind]] = {
    "direct": "direct",
    "dm": "direct",
    "group": "group",
    "channel": "channel",
    "room": "room",
}
_CHAT_TYPES: Final[dict[SessionKind, ChatType]] = {
    "direct": "direct",
    "group": "group",
    "channel": "channel",
    "room": "channel",
}
_WITH_OWN_ID: Final[tuple[SessionKind, ...]] = ("acp", "hook", "node", "explicit", "dashboard", "recovered")
"""Kinds that are named by the first word of their keys; an id of their own follows."""
_MAX_REST: Final = 1024  # bounds how deep forms can nest in one key
_THREAD: Final = re.compile(r":(?:thread|topic):", re.IGNORECASE)
_SUBAGENT: Final = re.compile(r"(?:^|:)subagent:", re.IGNORECASE)
_RUN: Final = re.compile(r":run:", re.IGNORECASE)
_PHONE: Final = re.compile(r"\+\d{5,}|\d{7,}", re.ASCII)


def parse_session_key(key: str, main_key: str = DEFAULT_MAIN_KEY) -> SessionKey:
    """The parts of the key; `main_key` is the household's `session.mainKey`."""
    text = key.strip()
    agent_id, rest = _agent_and_rest(text)
    if len(rest) > _MAX_REST:
        return SessionKey("other", agent_id)
    main = main_key.strip().lower() or DEFAULT_MAIN_KEY
    return _parsed(rest, text[: len(text) - len(rest)], main)._replace(agent_id=agent_id)


def is_alias(key: str, other: str, main_key: str = DEFAULT_MAIN_KEY) -> bool:
    """Would OpenClaw fold the two keys into one: the same but for case, or both a name of the main session."""
    if key.strip().lower() == other.strip().lower():
        return True
    return parse_session_key(key, main_key).kind == parse_session_key(other, main_key).kind == "main"


def _agent_and_rest(text: str) -> tuple[str | None, str]:
    word, _, after = text.partition(":")
    if word.lower() != "agent":
        return None, text
    agent, _, rest = after.partition(":")
    return (normal_agent_id(agent), rest) if agent.strip() and rest else (None, text)


def _parsed(rest: str, prefix: str, main_key: str) -> SessionKey:
    lower = rest.lower()
    if lower == "heartbeat":
        return SessionKey("heartbeat")
    if lower.endswith(":heartbeat"):
        base = rest[: -len(":heartbeat")]
        return _parsed(base, prefix, main_key)._replace(kind="heartbeat", base_key=prefix + base)
    if lower in (DEFAULT_MAIN_KEY, main_key):
        return SessionKey("main")
    if lower == "global":
        return SessionKey("global")
    if lower == "unknown":
        return SessionKey("unknown")
    base, thread_id = _split_last(_THREAD, rest)
    if thread_id:
        parent = _parsed(base, prefix, main_key)
        kind = "thread" if parent.kind in ("main", "other") else parent.kind
        return parent._replace(kind=kind, thread_id=thread_id, base_key=prefix + base)
    return _subagent(rest, prefix) or _automatic(rest, lower, prefix) or _chat(rest) or SessionKey("other")


def _subagent(rest: str, prefix: str) -> SessionKey | None:
    base, own_id = _split_last(_SUBAGENT, rest)
    if not own_id:
        return None
    return SessionKey("subagent", base_key=prefix + base if base else None)


def _automatic(rest: str, lower: str, prefix: str) -> SessionKey | None:
    """Sessions that no chat began."""
    head, _, _ = lower.partition(":")
    own_id = rest[len(head) + 1 :]
    if not own_id:
        return None
    if head == "cron":
        job_id, run_id = _split_last(_RUN, own_id)
        if job_id and run_id:
            base_key = f"{prefix}{rest[: len(head) + 1 + len(job_id)]}"
            return SessionKey("cron_run", base_key=base_key)
        return SessionKey("cron")
    kind = next((each for each in _WITH_OWN_ID if each == head), None)
    return SessionKey(kind) if kind is not None else None


def _chat(rest: str) -> SessionKey | None:
    parts = rest.split(":")
    # `<kind>:<peer>`, `<channel>:<kind>:<peer>`, `<channel>:<account>:<kind>:<peer>`; a peer may hold colons.
    for at in range(min(3, len(parts) - 1)):
        kind = _CHAT_KINDS.get(parts[at].lower())
        if kind is not None and parts[at + 1]:
            return SessionKey(
                kind,
                channel=parts[0].lower() if at > 0 else None,
                chat_type=_CHAT_TYPES[kind],
                peer=":".join(parts[at + 1 :]),
            )
    return _old_chat(parts)


def _old_chat(parts: list[str]) -> SessionKey | None:
    """Forms that only very old stores hold: WhatsApp group addresses, Discord guilds, bare phone numbers."""
    channel = parts[0].lower() if len(parts) > 1 else None
    peer = parts[-1]
    if len(parts) <= 2 and peer.lower().endswith("@g.us"):
        return SessionKey("group", channel=channel or "whatsapp", chat_type="group", peer=peer)
    if channel == "discord" and peer.lower().startswith("channel-") and parts[-2].lower().startswith("guild-"):
        return SessionKey("channel", channel="discord", chat_type="channel", peer=peer[len("channel-") :])
    if len(parts) <= 2 and _PHONE.fullmatch(peer):
        return SessionKey("direct", channel=channel, chat_type="direct", peer=peer)
    return None


def _split_last(marker: re.Pattern[str], text: str) -> tuple[str, str]:
    """Before and behind the last marker; ("", "") without one."""
    found = list(marker.finditer(text))
    return (text[: found[-1].start()], text[found[-1].end() :]) if found else ("", "")
