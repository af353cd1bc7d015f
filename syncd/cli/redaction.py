"""A conversation with its secrets masked, before anything is laid out: what shows it later cannot forget a place.

What a secret looks like is `openclaw/secrets`' business. Ids and times stay as they are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from syncd.openclaw.main_argument import main_argument
from syncd.openclaw.secrets import redacted, redacted_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.ledger.reading.conversation import Said
    from syncd.openclaw.passages import Passage

_SHOWN = ("model", "provider", "toolName", "isError", "stopReason", "errorMessage")
"""What is shown of a message beside its passages."""


def redacted_about(about: dict[str, Any]) -> dict[str, Any]:
    """The head of a page."""
    return {name: redacted(value) if isinstance(value, str) else value for name, value in about.items()}


def redacted_conversation(said: Iterable[Said]) -> Iterator[Said]:
    for each in said:
        yield replace(
            each,
            type=redacted(each.type),
            role=redacted(each.role) if each.role is not None else None,
            text=redacted(each.text) if each.text is not None else None,
            message={name: redacted_value(each.message[name]) for name in _SHOWN if name in each.message},
            passages=[_passage(passage) for passage in each.passages],
        )


def _passage(passage: Passage) -> Passage:
    text, title = redacted(passage.text), redacted(passage.title)
    if passage.kind != "call":
        return passage._replace(text=text, title=title)
    arguments = redacted_value(passage.arguments)
    return passage._replace(text=redacted(main_argument(arguments)), title=title, arguments=arguments)
