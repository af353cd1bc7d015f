"""The one argument of a tool call that tells a reader what it was about: a path, a command, a query; and all of them.

For people; the call's row has its arguments as JSON. Takes arguments of any shape.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from syncd.openclaw.json_values import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEVELS: Final = 8
"""That are laid out in lines; what nests deeper stays JSON."""
_PLAIN_NAME: Final = re.compile(r"[\w.$@-]+(?: [\w.$@-]+)*+")

MAIN_ARGUMENTS: Final = (
    "path",
    "file_path",
    "filePath",
    "file",
    "query",
    "pattern",
    "url",
    "command",
    "cmd",
    "q",
    "task",
    "action",
    "message",
    "text",
    "prompt",
    "name",
    "id",
)
"""The first of these that is there; else the only argument; else all of them."""


def main_argument(arguments: object) -> str:
    """In one text, not shortened; "" where there is none."""
    if arguments is None:
        return ""
    if type(arguments) is str:
        return arguments
    if type(arguments) is not dict:
        return json_text(arguments)
    for name in MAIN_ARGUMENTS:
        value = arguments.get(name)
        if type(value) is str and value:
            return value
    values = [value for value in arguments.values() if value not in (None, "", [], {})]
    if len(values) == 1 and type(values[0]) is str:
        return values[0]
    return json_text(arguments) if values else ""


def all_arguments(arguments: object) -> str:
    """Every argument, texts as they are: in one line where there is but one, else a line or a block for each."""
    if type(arguments) is dict and len(arguments) == 1 and type(only := next(iter(arguments.values()))) is str and only:
        return only
    return "" if arguments is None else "\n".join(_laid_out(arguments, _LEVELS))


def _laid_out(value: object, levels: int) -> Iterator[str]:
    if type(value) is str:
        yield from value.split("\n") if value.strip() else [json_text(value)]
    elif levels and type(value) is dict and value:
        for name, inner in value.items():
            shown = name if _PLAIN_NAME.fullmatch(name) else json_text(name)
            lines = list(_laid_out(inner, levels - 1))
            is_laid_out = levels > 1 and bool(inner) and (type(inner) is dict or type(inner) is list)
            if len(lines) == 1 and not is_laid_out:
                yield f"{shown}: {lines[0]}"
                continue
            yield f"{shown}:"
            yield from (f"  {line}" for line in lines)
    elif levels and type(value) is list and value:
        for inner in value:
            first, *rest = _laid_out(inner, levels - 1)
            yield f"- {first}"
            yield from (f"  {line}" for line in rest)
    else:
        yield json_text(value)
