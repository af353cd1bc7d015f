"""What was used, counted from the lines of the files alone: shares no code with the product, knows no ledger.

`python -m tests.usage_recount STATE_DIR` prints it for the files as they are. A test that changes files looks after
each change (`Recount.look`), so that what a rewrite dropped is remembered. Slow and simple on purpose.
"""

import json
import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
COPY = re.compile(r"\.checkpoint\.|\.bak[-.]|\.bak$|\.corrupt-|\.imported-")
MAIN = re.compile(r".*\.jsonl(\.(reset|deleted)\..*)?(\.zst)?")
TOKENS = ("input", "output", "cacheRead", "cacheWrite")
SUMS = ("messages", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "total_tokens")
Sums = dict[Any, tuple[float, ...]]


@dataclass(eq=False)
class Answer:
    """One appearance of an answer in a file."""

    file: "File"
    place: int
    generation: int
    id: object
    at: int | None
    provider: object
    model: object
    response: object
    usage: tuple[float | None, ...]
    is_live: bool = True

    @property
    def facts(self) -> tuple[object, ...]:
        return (self.at, self.provider, self.model, self.response, self.usage)


@dataclass(eq=False)
class File:
    """A transcript through its generations."""

    agent: str
    name: str
    is_copy: bool
    number: int
    session: str = ""
    parent: str | None = None
    started_at: int | None = None
    lines: list[bytes] = field(default_factory=list)
    generation: int = 1
    answers: list[Answer] = field(default_factory=list)

    @property
    def is_session(self) -> bool:
        """Not merely a copy: OpenClaw's own import moves the one file there is."""
        return not self.is_copy or ".imported-" in self.name

    def read(self, lines: list[bytes]) -> None:
        same = 0
        while same < min(len(lines), len(self.lines)) and lines[same] == self.lines[same]:
            same += 1
        if same < len(self.lines):
            self.generation += 1
            for answer in self.answers:
                answer.is_live = answer.is_live and answer.place < same
        for place, line in enumerate(lines[same:], same):
            self.answers += [made for value in objects(line) if (made := self._answer(value, place)) is not None]
        self.lines = lines

    def _answer(self, value: dict[str, Any], place: int) -> Answer | None:
        message = value.get("message")
        if value.get("type") != "message" or not isinstance(message, dict) or message.get("role") != "assistant":
            return None
        told = message.get("usage")
        if message.get("provider") == "openclaw" and message.get("model") in ("delivery-mirror", "gateway-injected"):
            return None
        if not isinstance(told, dict):
            return None
        at = message.get("timestamp")
        at = at if isinstance(at, int) else moment(value.get("timestamp"))
        tokens = [told.get(name) for name in TOKENS]
        total = told.get("totalTokens", sum(number or 0 for number in tokens))
        usage = (*tokens, total, (told.get("cost") or {}).get("total"))
        who = (message.get("provider"), message.get("model"), message.get("responseId"))
        return Answer(self, place, self.generation, value.get("id"), at, *who, usage)


def moment(text: object) -> int | None:
    return round(datetime.fromisoformat(text).timestamp() * 1000) if isinstance(text, str) else None


def objects(line: bytes) -> list[dict[str, Any]]:
    """The object on a line; of a broken line the whole ones in it."""
    text = line.decode("utf-8", "replace")
    try:
        value = json.loads(text)
        return [value] if isinstance(value, dict) else []
    except ValueError:
        found, start = [], text.find('{"type":')
        while start >= 0:
            try:
                value, start = json.JSONDecoder().raw_decode(text, start)
                found.append(value)
            except ValueError:
                start += 1
            start = text.find('{"type":', start)
        return found


def events_in(path: Path) -> dict[str, list[bytes]]:
    """Of OpenClaw's own database: the events of each session."""
    found: dict[str, list[bytes]] = defaultdict(list)
    connection = apsw.Connection(f"file:{path}?mode=ro", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    query = "SELECT session_id, event_json, event_zstd FROM transcript_events ORDER BY session_id, seq"
    for session, text, packed in connection.execute(query):
        found[session].append(text.encode() if text is not None else zstd.decompress(packed))
    connection.close()
    return found


class Recount:
    def __init__(self) -> None:
        self.files: dict[tuple[str, str], File] = {}

    def look(self, state_dir: Path) -> None:
        """Read every file as it is now."""
        for path in sorted(state_dir.glob("agents/*/*/*.jsonl*")):
            is_copy = COPY.search(path.name) is not None
            if ".trajectory" in path.name or not (is_copy or MAIN.fullmatch(path.name)):
                continue
            raw = zstd.decompress(path.read_bytes()) if path.suffix == ".zst" else path.read_bytes()
            self._read(path.parts[-3], path.name, raw.split(b"\n")[:-1], is_copy=is_copy)
        for path in sorted(state_dir.glob("agents/*/agent/*.sqlite")):
            for session, lines in events_in(path).items():
                self._read(path.parts[-3], f"{session}.jsonl", lines, is_copy=False)

    def _read(self, agent: str, name: str, lines: list[bytes], *, is_copy: bool) -> None:
        header = json.loads(lines[0]) if lines and b'"session"' in lines[0] else {}
        session = header.get("id") or UUID.findall(name)[-1]
        file = self.files.setdefault((agent, name if is_copy else session), File(agent, name, is_copy, len(self.files)))
        file.session, file.parent = session, header.get("parentSession")
        file.started_at = moment(header.get("timestamp"))
        file.read(lines)

    def usage(self, *, live: bool = False) -> dict[str, Sums]:
        """By day, model and agent, and in all: messages, tokens and cost."""
        names = ("day", "model", "agent", "all")
        found: dict[str, dict[Any, list[float]]] = {name: defaultdict(lambda: [0.0] * 7) for name in names}
        for answer in self._originals(live=live):
            day = None if answer.at is None else datetime.fromtimestamp(answer.at // 1000, UTC).date().isoformat()
            groups = {"day": day, "model": (answer.provider, answer.model), "agent": answer.file.agent, "all": None}
            for name, group in groups.items():
                sums = found[name][group]
                sums[0] += 1
                for place, number in enumerate(answer.usage, 1):
                    sums[place] += number or 0
        return {name: {group: tuple(sums) for group, sums in groups.items()} for name, groups in found.items()}

    def _originals(self, *, live: bool) -> list[Answer]:
        families: list[list[Answer]] = []
        for lineage in self._lineages():
            apart = [[answer] for file in lineage for answer in file.answers]
            while (pair := _one_pair(apart)) is not None:
                apart[pair[0]] += apart.pop(pair[1])
            families += apart
        newest = [max(family, key=_newness) for family in families]
        if not live:
            return newest
        left = [[each for each in family if each.is_live] for family in families]
        same = [[each for each in family if each.facts == new.facts] for new, family in zip(newest, left, strict=True)]
        return [max(one or other, key=_newness) for one, other in zip(same, left, strict=True) if other]

    def _lineages(self) -> list[list[File]]:
        apart = [[file] for file in self.files.values()]
        while True:
            for place, some in enumerate(apart):
                other = next((at for at in range(place + 1, len(apart)) if _are_related(some, apart[at])), None)
                if other is not None:
                    some.extend(apart.pop(other))
                    break
            else:
                return apart


def _newness(answer: Answer) -> tuple[object, ...]:
    file = answer.file
    return (not file.is_copy, answer.generation, file.started_at or -1, file.number, answer.place)


def _one_pair(families: list[list[Answer]]) -> tuple[int, int] | None:
    seen: dict[object, int] = {}
    for place, family in enumerate(families):
        for answer in family:
            keys = [("id", answer.id)] * (answer.id is not None) + [("facts", answer.facts)] * (answer.at is not None)
            for key in keys:
                if seen.setdefault(key, place) != place:
                    return seen[key], place
    return None


def _are_related(some: list[File], others: list[File]) -> bool:
    return any(_is_related(one, other) or _is_related(other, one) for one in some for other in others)


def _is_related(child: File, parent: File) -> bool:
    if child.agent != parent.agent:
        return False
    if child.session == parent.session:
        return True
    if child.parent is not None:
        is_marker = child.parent.startswith("sqlite:")  # sqlite:<agent>:<session id>:<the database>
        named = UUID.findall(child.parent.split(":")[2] if is_marker else Path(child.parent).name)
        return parent.is_session and parent.session in named[-1:]
    if not child.is_session or not parent.is_session or child.started_at is None or parent.started_at is None:
        return False
    told = {(answer.id, answer.facts) for answer in parent.answers}
    old = [each for each in child.answers if each.at is not None and each.at < child.started_at]
    return parent.started_at < child.started_at and any((each.id, each.facts) in told for each in old)


if __name__ == "__main__":
    recount = Recount()
    recount.look(Path(sys.argv[1]))
    for name, groups in recount.usage().items():
        for group, sums in groups.items():
            print(name, group, *sums)
