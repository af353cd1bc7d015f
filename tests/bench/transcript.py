"""One synthetic OpenClaw transcript: a header, then turns of user, assistant, tool and other lines.

The mix of lines and their sizes follow what real agents write: most lines 0.3-4 KB, some tool
results of 50-500 KB, thinking with signatures, branches, model changes, compactions.
Not a test fixture of the format's corners: those are genuine files under tests/data.
"""

from __future__ import annotations

import datetime as dt
import random
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from tests.bench.prose import WORDS, Prose

MODELS = (
    ("anthropic", "anthropic-messages", "claude-opus-4-5"),
    ("anthropic", "anthropic-messages", "claude-sonnet-4-5"),
    ("openai", "openai-responses", "gpt-5.2"),
)
TOOLS = (
    "exec",
    "read",
    "write",
    "edit",
    "web_search",
    "web_fetch",
    "memory_search",
    "cron",
    "message",
    "browser",
)
_ROOM_FOR_LARGE_RESULTS_BYTES = 600_000
_CONTEXT_LIMIT_TOKENS = 150_000


@dataclass(frozen=True)
class Written:
    """What one transcript came to; the token sums feed its entry in sessions.json."""

    session_id: str
    bytes: int
    lines: int
    ended_at: int
    provider: str
    model: str
    input_tokens: int
    output_tokens: int
    context_tokens: int
    compactions: int


@dataclass
class _Pen:
    """The transcript being written: where its tree and its clock stand."""

    file: BinaryIO
    rng: random.Random
    at: int
    bytes: int = 0
    lines: int = 0
    parent: str | None = None
    ids: set[str] = field(default_factory=set)
    answers: list[str] = field(default_factory=list)
    recent: list[str] = field(default_factory=list)
    model: tuple[str, str, str] = MODELS[0]
    context_tokens: int = 12_000
    input_tokens: int = 0
    output_tokens: int = 0
    compactions: int = 0

    def line(self, document: dict[str, Any]) -> None:
        self.bytes += self.file.write(orjson.dumps(document) + b"\n")
        self.lines += 1

    def entry(self, kind: str, **fields: Any) -> str:
        identifier = self._fresh_id()
        self.line(
            {
                "type": kind,
                "id": identifier,
                "parentId": self.parent,
                "timestamp": iso(self.at),
                **fields,
            }
        )
        self.parent = identifier
        return identifier

    def message(self, role: str, content: list[dict[str, Any]], **fields: Any) -> None:
        message = {"role": role, "content": content, **fields, "timestamp": self.at}
        identifier = self.entry("message", message=message)
        self.recent = [*self.recent[-3:], identifier]
        if role == "assistant":
            self.answers.append(identifier)

    def answer(self, content: list[dict[str, Any]], output_tokens: int, stop_reason: str) -> None:
        provider, api, model = self.model
        self.context_tokens += output_tokens + 300
        self.input_tokens += self.context_tokens
        self.output_tokens += output_tokens
        usage = _usage(self.context_tokens, output_tokens)
        self.message(
            "assistant",
            content,
            api=api,
            provider=provider,
            model=model,
            usage=usage,
            stopReason=stop_reason,
        )

    def pass_time(self, least_ms: int, most_ms: int) -> None:
        self.at += self.rng.randrange(least_ms, most_ms)

    def _fresh_id(self) -> str:
        while (identifier := f"{self.rng.getrandbits(32):08x}") in self.ids:
            pass
        self.ids.add(identifier)
        return identifier


def write_transcript(folder: Path, budget_bytes: int, started_at: int, rng: random.Random, text: Prose) -> Written:
    """Writes whole turns until the budget is used up; the last one runs over it."""
    session_id = str(uuid.UUID(int=rng.getrandbits(128), version=4))
    with (folder / f"{session_id}.jsonl").open("wb", buffering=1 << 20) as file:
        pen = _Pen(file, rng, started_at, model=rng.choice(MODELS))
        _opening(pen, session_id)
        while pen.bytes < budget_bytes:
            _turn(pen, budget_bytes, text)
            _between_turns(pen, text)
    provider, _, model = pen.model
    return Written(
        session_id,
        pen.bytes,
        pen.lines,
        pen.at,
        provider,
        model,
        pen.input_tokens,
        pen.output_tokens,
        pen.context_tokens,
        pen.compactions,
    )


def _opening(pen: _Pen, session_id: str) -> None:
    provider, api, model = pen.model
    project = pen.rng.choice(("clawd", "proj-a", "proj-b", "site"))
    header = {
        "type": "session",
        "version": 3,
        "id": session_id,
        "timestamp": iso(pen.at),
        "cwd": f"/home/u/{project}",
    }
    pen.line(header)
    pen.entry("model_change", provider=provider, modelId=model)
    pen.entry("thinking_level_change", thinkingLevel="low")
    snapshot = {"timestamp": pen.at, "provider": provider, "modelApi": api, "modelId": model}
    pen.entry("custom", customType="model-snapshot", data=snapshot)


def _turn(pen: _Pen, budget_bytes: int, text: Prose) -> None:
    rng = pen.rng
    pen.pass_time(2000, 900_000)
    prompt = f"[Telegram user id:7{rng.randrange(10**8)} {iso(pen.at)}] {text(rng.randint(60, 1500))}"
    pen.message("user", [{"type": "text", "text": prompt}])
    for _ in range(min(1 + int(rng.expovariate(1 / 3)), 12)):
        _tool_step(pen, budget_bytes, text)
        if pen.bytes > budget_bytes:
            break
    pen.pass_time(300, 9000)
    content = [_thinking(rng, text(rng.randint(80, 900)))] if rng.random() < 0.5 else []
    content.append({"type": "text", "text": text(rng.randint(80, 2500))})
    pen.answer(content, rng.randint(60, 1200), "stop")
    provider, _, model = pen.model
    ttl = {"timestamp": pen.at, "provider": provider, "modelId": model}
    pen.entry("custom", customType="openclaw.cache-ttl", data=ttl)


def _tool_step(pen: _Pen, budget_bytes: int, text: Prose) -> None:
    rng = pen.rng
    pen.pass_time(300, 20_000)
    content = [_thinking(rng, text(rng.randint(100, 1800)))] if rng.random() < 0.6 else []
    if rng.random() < 0.5:
        content.append({"type": "text", "text": text(rng.randint(40, 1200))})
    calls = [(f"toolu_{rng.getrandbits(96):024x}", rng.choice(TOOLS)) for _ in range(1 if rng.random() < 0.85 else 2)]
    for call_id, tool in calls:
        arguments = {
            "command": text(rng.randint(20, 400)),
            "path": f"/home/u/clawd/{rng.choice(WORDS)}.md",
        }
        content.append({"type": "toolCall", "id": call_id, "name": tool, "arguments": arguments})
    pen.answer(content, rng.randint(40, 900), "toolUse")
    for call_id, tool in calls:
        pen.pass_time(20, 5000)
        result = [{"type": "text", "text": text(_result_length(rng, budget_bytes))}]
        details = {"status": "completed", "exitCode": 0, "durationMs": rng.randrange(5000)}
        is_error = rng.random() < 0.04
        pen.message(
            "toolResult",
            result,
            toolCallId=call_id,
            toolName=tool,
            details=details,
            isError=is_error,
        )


def _result_length(rng: random.Random, budget_bytes: int) -> int:
    lot = rng.random()
    if lot < 0.008 and budget_bytes > _ROOM_FOR_LARGE_RESULTS_BYTES:
        return rng.randint(50_000, 500_000)
    if lot < 0.10:
        return rng.randint(4000, 24_000)
    return rng.randint(60, 3500)


def _between_turns(pen: _Pen, text: Prose) -> None:
    rng = pen.rng
    if rng.random() < 0.02 and len(pen.answers) > 3:
        pen.parent = rng.choice(pen.answers)
    if rng.random() < 0.03:
        pen.model = rng.choice(MODELS)
        pen.entry("model_change", provider=pen.model[0], modelId=pen.model[2])
    if pen.context_tokens > _CONTEXT_LIMIT_TOKENS:
        tokens = pen.context_tokens
        pen.entry("compaction", summary=text(3000), firstKeptEntryId=pen.recent[0], tokensBefore=tokens)
        pen.context_tokens = 25_000
        pen.compactions += 1


def _thinking(rng: random.Random, thought: str) -> dict[str, Any]:
    return {
        "type": "thinking",
        "thinking": thought,
        "thinkingSignature": f"{rng.getrandbits(1376):0344x}",
    }


def _usage(context: int, output: int) -> dict[str, Any]:
    cache_read, cache_write = int(context * 0.8), int(context * 0.05)
    fresh = context - cache_read - cache_write
    parts = {
        "input": fresh * 5e-6,
        "output": output * 25e-6,
        "cacheRead": cache_read * 5e-7,
        "cacheWrite": cache_write * 6.25e-6,
    }
    return {
        "input": fresh,
        "output": output,
        "cacheRead": cache_read,
        "cacheWrite": cache_write,
        "totalTokens": context + output,
        "cost": {**parts, "total": sum(parts.values())},
    }


def iso(at: int) -> str:
    """Epoch milliseconds as OpenClaw writes an instant."""
    moment = dt.datetime.fromtimestamp(at // 1000, dt.UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{at % 1000:03d}Z"
