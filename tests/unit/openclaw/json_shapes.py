"""Arbitrary JSON for property tests, rich in the keys and words that OpenClaw's lines use."""

from typing import Any

from hypothesis import strategies as st

KEYS = st.one_of(
    st.sampled_from(
        [
            *("type", "role", "content", "text", "thinking", "id", "parentId", "timestamp"),
            *("name", "arguments", "input", "usage", "cost", "total", "output", "totalTokens"),
            *("cacheRead", "cacheWrite", "provider", "model", "message", "version", "runId"),
            *("seq", "stream", "sessionId", "fromId", "branchPoint", "summary", "details"),
            *("firstKeptEntryIndex", "compactedCount", "tokensBefore", "fromHook"),
        ]
    ),
    st.text(max_size=3),
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["text", "thinking", "toolCall", "toolUse", "functionCall", "openclaw", "delivery-mirror"]),
)
JSON: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=5)),
    max_leaves=12,
)
OBJECTS: st.SearchStrategy[dict[str, Any]] = st.dictionaries(KEYS, JSON, max_size=6)
