"""Integers of more than 64 bits: orjson reads them as floats, here they get their digits back.

Looking is cheap, so that only lines with such an integer pay for it; mending reads the line a second time with those
integers as strings. Floats stay what they are to JavaScript. Relies on orjson having read the same bytes before.
"""

import re
from typing import Any, Final

import orjson

_LIMIT: Final = 2.0**63  # no integer that orjson gave up on lies between minus this and this
# Strings are consumed whole, so that no digits in them are meant; nor are those behind a point or of an exponent.
_STRING_OR_INTEGER: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|(?<![-+.\deE])(-?\d{19,}+)(?![.eE])', re.DOTALL)


def may_be_inexact(value: object) -> bool:
    """Is there a number that may have been an integer too large for the parser?"""
    stack: list[Any] = [(value,)]
    while stack:
        for item in stack.pop():
            kind = item.__class__
            if kind is str:
                continue
            if kind is float:
                if not -_LIMIT < item < _LIMIT:
                    return True
            elif kind is dict:
                stack.append(item.values())
            elif kind is list:
                stack.append(item)
    return False


def made_exact(body: bytes, value: Any) -> Any:
    """`value`, which orjson read from `body`, with every integer exact; a container is changed in place."""
    if not may_be_inexact(value):
        return value
    whole, quoted = [value], [orjson.loads(_STRING_OR_INTEGER.sub(_in_quotes, body))]
    stack: list[tuple[Any, Any]] = [(whole, quoted)]
    while stack:
        into, source = stack.pop()
        for key, item in into.items() if type(into) is dict else enumerate(into):
            kind = type(item)
            if kind is float:
                if type(source[key]) is str:
                    into[key] = int(source[key])
            elif kind is dict or kind is list:
                stack.append((item, source[key]))
    return whole[0]


def _in_quotes(match: re.Match[bytes]) -> bytes:
    return b'"%b"' % match[1] if match[1] is not None else match[0]
