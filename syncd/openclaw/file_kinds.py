"""What a file in OpenClaw's sessions dirs is, told by its name alone.

Knows every name that any release writes into a sessions dir, its cold storage and the import
archive. Not a reader: a name is a guess at the session id, the header inside the file is the truth.
Four kinds end in `.jsonl` and are no primaries: trajectories, checkpoints, corrupt copies and
whatever OpenClaw could not have named. Names are str made by os.fsdecode and may hold anything.
"""

import re
from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from syncd.openclaw.timestamps import MAX_EPOCH_MS, to_epoch_ms

FileKind = Literal[
    "primary",  # the transcript of a session, or of one of its topics
    "reset",  # a primary renamed by /new, /reset or a rollover
    "deleted",  # a primary renamed by a deletion
    "backup",  # a whole older copy: compact, repair, doctor, migration
    "checkpoint",  # a whole copy made before a compaction
    "corrupt",  # a whole copy made before a header recovery
    "trajectory",  # the flight recorder: other lines than a transcript's
    "trajectory_path",  # a small pointer to a trajectory
    "import_archive",  # a transcript moved aside after the import into SQLite
    "cold",  # 9.6 cold storage: the only copy of its rows
    "index",  # sessions.json
    "index_backup",  # an older sessions.json
    "index_tmp",  # a sessions.json being written
    "lock",  # of the index or of a transcript
    "tmp",  # any other file being written
    "ignored",  # known, and of no use to a mirror
    "unknown",  # no name of OpenClaw's
]
COPY_KINDS: Final = frozenset({"checkpoint", "backup", "corrupt", "import_archive"})
"""Kinds that repeat another transcript's bytes by design; they never continue one."""
RAW_KINDS: Final = frozenset({"trajectory"})
"""Kinds whose lines are kept as raw bytes only."""
TRANSCRIPT_KINDS: Final = frozenset({"primary", "reset", "deleted", "trajectory"}) | COPY_KINDS
ArchiveReason = Literal["reset", "deleted", "compact", "repair", "doctor", "migrated", "imported"]


class FileName(NamedTuple):
    kind: FileKind
    stem: str = ""
    """Name of the primary without `.jsonl`; "" for what belongs to no transcript."""
    session_id: str | None = None
    """The session id the name speaks of, None where it breaks OpenClaw's rule for ids."""
    topic_id: str | None = None
    archive_reason: ArchiveReason | None = None
    archived_at_ms: int | None = None
    is_zst: bool = False
    of: str | None = None
    """Name of the file this one came from or belongs to; None for a primary and the index."""


_HEX: Final = "[0-9a-fA-F]"
_UUID: Final = rf"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"
_TIME: Final = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d{3})?Z"
_TIME_DASHES: Final = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z"


def _matcher(text: str, flags: int = int(re.ASCII | re.DOTALL)) -> Callable[[str], re.Match[str] | None]:
    """Compiled when it is first asked, since few are: most names are plain ones, and `status` is to be quick."""
    # DOTALL: a name may hold a newline. ASCII: \d is 0-9 only.
    return lambda name: re.fullmatch(text, name, flags)


_PLAIN_STEM: Final = _matcher(_UUID)
# A fork, a compaction's successor and a restored checkpoint have the time before the id.
_USUAL_STEM: Final = _matcher(rf"(?:{_TIME_DASHES}_)?({_UUID})(?:-topic-(.+))?")
_SESSION_ID: Final = _matcher(r"[^\W_][\w.-]{0,127}", 0)  # letters of any script since 9.6
_CHECKPOINT: Final = _matcher(rf"(.+)\.(?i:checkpoint)\.{_UUID}\.jsonl")
_CORRUPT: Final = _matcher(rf"(.+\.jsonl)\.corrupt-({_TIME_DASHES})-{_HEX}{{8}}\.jsonl")
# What may follow the last ".jsonl." of a name, each alternative with the moment it tells.
_SUFFIX: Final = _matcher(
    rf"(?P<how>reset|deleted|bak)\.(?P<time>{_TIME})(?:\.{_HEX}{{32}})?(?P<zst>\.zst)?"
    r"|bak-\d+-(?P<repair_ms>\d+)"
    rf"|pre-doctor-.+-(?P<doctor_time>{_TIME_DASHES})\.bak"
    r"|(?P<migrated>migrated)(?:\.\d+)?"
)
_INDEX_MIGRATED: Final = _matcher(r"sessions\.json\.migrated(?:\.\d+)?")
_IMPORTED: Final = _matcher(r"(.+)\.imported-(\d+)(?:\.\d+)?")
_IMPORTED_USUAL: Final = _matcher(rf".*?\.((?:{_TIME_DASHES}_)?{_UUID}[-.].+)")
_COLD: Final = _matcher(rf"{_HEX}{{64}}\.jsonl\.zst")
_INDEX_TMP: Final = _matcher(rf"sessions\.json\.(?:\d+\.)?{_UUID}\.tmp")
_INDEX_BACKUP: Final = _matcher(r"sessions\.json\.bak\.(\d+)")
_LONE_SURROGATE: Final = "[\ud800-\udfff]"
_IGNORED: Final = frozenset({"cold", "skills-prompts"})  # directories, with names of their own
_COPIES: Final = frozenset({"primary", "reset", "deleted", "backup", "checkpoint", "corrupt"})
_REASON_OF_HOW: Final[dict[str, tuple[FileKind, ArchiveReason]]] = {
    "reset": ("reset", "reset"),
    "deleted": ("deleted", "deleted"),
    "bak": ("backup", "compact"),
}


def classify(name: str) -> FileName:
    """What the file of this name is; every name has an answer, if only `unknown`."""
    if len(name) > 255:  # no file system has it; it bounds the work on names inside names
        return FileName("unknown")
    if name.endswith(".jsonl"):
        return _jsonl(name)
    if name.endswith(".lock"):
        return _lock(name)
    if name.endswith(".tmp"):
        return FileName("index_tmp", of="sessions.json") if _INDEX_TMP(name) else FileName("tmp")
    if name.startswith("sessions.json") and (found := _index(name)):
        return found
    if name.endswith(".trajectory-path.json"):
        return _derived("trajectory_path", name.removesuffix(".trajectory-path.json") + ".jsonl")
    if ".imported-" in name and (match := _IMPORTED(name)):
        return _imported(match[1], _digits_ms(match[2]))
    at = name.rfind(".jsonl.")
    if at > 0 and (found := _archived(name[: at + 6], name[at + 7 :])):
        return found
    if _COLD(name):
        return FileName("cold", is_zst=True)
    # .usage-cost-cache.json and its like: OpenClaw's own dot files, and the file manager's.
    return FileName("ignored" if name.startswith(".") or name in _IGNORED else "unknown")


def is_session_id(text: str) -> bool:
    """OpenClaw's rule for session ids: not always a UUID, never the stem of a checkpoint."""
    return _SESSION_ID(text) is not None and _CHECKPOINT(f"{text}.jsonl") is None


def _jsonl(name: str) -> FileName:
    stem = name[:-6]
    if len(stem) == 36 and _PLAIN_STEM(stem):
        return FileName("primary", stem, stem)
    if stem.endswith(".trajectory"):
        return _derived("trajectory", stem.removesuffix(".trajectory") + ".jsonl")
    if ".corrupt-" in stem and (match := _CORRUPT(name)):
        return _derived("corrupt", match[1], _time_ms(match[2]))
    if len(stem) >= 49 and (match := _CHECKPOINT(name)):
        return _derived("checkpoint", f"{match[1]}.jsonl")
    if usual := _USUAL_STEM(stem):
        session_id, topic = usual.groups()
        return FileName("primary", stem, session_id, None if topic is None else _topic_id(topic))
    if not stem or stem.startswith("."):
        return FileName("unknown")
    before, _, topic = stem.partition("-topic-")
    if before and topic:
        session_id = before if is_session_id(before) else None
        return FileName("primary", stem, session_id, _topic_id(topic))
    return FileName("primary", stem, stem if is_session_id(stem) else None)


def _derived(kind: FileKind, of: str, at_ms: int | None = None) -> FileName:
    """A file that belongs to the transcript named `of`, with the ids of that name."""
    _, stem, session_id, topic_id, *_ = _jsonl(of)
    return FileName(kind, stem, session_id, topic_id, None, at_ms, False, of)


def _archived(of: str, suffix: str) -> FileName | None:
    """`<of>.<suffix>`: renamed or copied. What was no transcript before is none after it."""
    match = _SUFFIX(suffix)
    if match is None:
        return None
    how, time, zst, repair_ms, doctor_time, _ = match.groups()
    kind: FileKind = "backup"
    reason: ArchiveReason = "migrated"
    at_ms = None
    if how is not None:
        kind, reason = _REASON_OF_HOW[how]
        at_ms = _time_ms(time)
    elif repair_ms is not None:
        reason, at_ms = "repair", _digits_ms(repair_ms)
    elif doctor_time is not None:
        reason, at_ms = "doctor", _time_ms(doctor_time)
    was, stem, session_id, topic_id, *_ = _jsonl(of)
    kind = kind if was == "primary" else was
    is_zst = zst is not None
    return FileName(kind, stem, session_id, topic_id, reason, at_ms, is_zst, of)


def _imported(slug_and_name: str, at_ms: int | None) -> FileName:
    """`<key slug>.<name>`; the slug may hold dots too: a name with a UUID is looked for first."""
    if slug_and_name.endswith(".sessions.json"):
        return FileName("index_backup", "", None, None, "imported", at_ms, of="sessions.json")
    usual = _IMPORTED_USUAL(slug_and_name)
    of = usual[1] if usual else slug_and_name.partition(".")[2]
    source = classify(of)
    # Any transcript in the archive is one kind; a trajectory stays a trajectory.
    kind: FileKind = "import_archive" if source.kind in _COPIES else source.kind
    return source._replace(kind=kind, archive_reason="imported", archived_at_ms=at_ms, of=of)


def _index(name: str) -> FileName | None:
    if name == "sessions.json":
        return FileName("index")
    if match := _INDEX_BACKUP(name):
        return FileName("index_backup", archived_at_ms=_digits_ms(match[1]), of="sessions.json")
    if _INDEX_MIGRATED(name):
        return FileName("index_backup", archive_reason="migrated", of="sessions.json")
    return None


def _lock(name: str) -> FileName:
    of = name.removesuffix(".lock")
    if of == "sessions.json":
        return FileName("lock", of=of)
    return _derived("lock", of) if of.endswith(".jsonl") else FileName("ignored")


def _topic_id(text: str) -> str:
    """The topic as OpenClaw was given it; what is no UTF-8 becomes U+FFFD, so it can be stored."""
    if "%" in text:
        from urllib.parse import unquote

        text = unquote(text, errors="replace")
    return text if text.isascii() else re.sub(_LONE_SURROGATE, "\ufffd", text)


def _time_ms(text: str) -> int | None:
    """Epoch ms of a time in a name, where `-` stands for `:` and, in some, for `.`."""
    ms = text[20:23] if len(text) == 24 else "000"
    return to_epoch_ms(f"{text[:13]}:{text[14:16]}:{text[17:19]}.{ms}Z")


def _digits_ms(text: str) -> int | None:
    return int(text) if len(text) <= 16 and int(text) <= MAX_EPOCH_MS else None
