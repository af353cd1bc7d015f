"""Which releases of OpenClaw can have written what lies in an agent's directory, by names alone.

A guess with two ends, for people: a directory keeps what older releases left in it, so the newest trace counts. Where
a database names the release itself, that is the better word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Newest first: what is named like this, the release that first wrote it, and the last that can have written no more.
_TRACES = (
    (lambda name: ".jsonl.corrupt-" in name or name == "skills-prompts", "2026.6", "2026.7.1"),
    (lambda name: name.startswith(".usage-cost-cache.json"), "2026.5", "2026.7.1"),
    (lambda name: name.endswith((".trajectory.jsonl", ".trajectory-path.json")), "2026.4.23", "2026.7.1"),
    (lambda name: ".checkpoint." in name, "2026.4.14", "2026.5"),
    (lambda name: ".jsonl.reset." in name, "2026.2.23", "2026.7.1"),
)
FIRST_WITH_STORE = "2026.7.2-beta.1"


def release_by_names(names: Iterable[str]) -> str | None:
    """Such as `2026.5 to 2026.7.1`; None where nothing tells."""
    known = list(names)
    for is_trace, first, last in _TRACES:
        if any(is_trace(name) for name in known):
            return f"{first} to {last}"
    return "up to 2026.7.1" if any(name.endswith(".jsonl") for name in known) else None


def release_by_schema(schema_version: int) -> str:
    """By the schema of an agent's database that holds sessions."""
    for least, release in ((24, "later than 2026.9.6"), (23, "2026.9"), (19, "2026.8 to 2026.9")):
        if schema_version >= least:
            return release
    return f"{FIRST_WITH_STORE} to 2026.8"
