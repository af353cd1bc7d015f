"""The one argument of a tool call that tells a reader what it was about: a path, a command, a query.

For people; the call's row has all of its arguments. Takes arguments of any shape.
"""

from __future__ import annotations

from typing import Final

from syncd.openclaw.json_values import json_text

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
