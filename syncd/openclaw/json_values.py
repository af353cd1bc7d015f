"""Tolerant readers of single JSON values: the wanted type, or None.

For values that came from a file and may be anything. Not about what they mean. Nothing raises.
"""

import math
import sys
from collections.abc import Iterator
from typing import Any, Final

import orjson

_INT64_MIN: Final = -(2**63)
_INT64_MAX: Final = 2**63 - 1
_MAX_EXACT_IN_DOUBLE: Final = 2**53
_MAX_FLOAT: Final = int(sys.float_info.max)


def text_or_none(value: object) -> str | None:
    return value if type(value) is str else None


def bindable_int(value: object) -> int | None:
    """The value as an int that SQLite can hold, else None; a float only where it is exact."""
    if type(value) is int:
        return value if _INT64_MIN <= value <= _INT64_MAX else None
    if type(value) is float and value.is_integer() and abs(value) <= _MAX_EXACT_IN_DOUBLE:
        return int(value)
    return None


def real_or_none(value: object) -> float | None:
    """The value as a finite float, else None; true and false are no numbers."""
    if type(value) is float:
        return value if math.isfinite(value) else None
    if type(value) is int and -_MAX_FLOAT <= value <= _MAX_FLOAT:
        return float(value)
    return None


def json_text(value: object) -> str:
    """The value as compact JSON text, however deep it nests and however large its integers.

    orjson writes no more than 254 levels though it reads 1024, and no integer of 65 bits.
    """
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        return "".join(_pieces(value))


def _pieces(value: object) -> Iterator[str]:
    """JSON text piece by piece, with a stack of its own in place of recursion."""
    stack: list[Any] = [iter([("", value)])]
    closers = [""]
    while stack:
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
            yield closers.pop()
            continue
        lead, item = step
        yield lead
        if type(item) is dict:
            yield "{"
            keys = ((f"{_scalar(key)}:", inner) for key, inner in item.items())
            stack.append(_with_commas(keys))
            closers.append("}")
        elif type(item) is list:
            yield "["
            stack.append(_with_commas(("", inner) for inner in item))
            closers.append("]")
        else:
            yield _scalar(item)


def _with_commas(items: Iterator[tuple[str, object]]) -> Iterator[tuple[str, object]]:
    for number, (lead, item) in enumerate(items):
        yield (f",{lead}" if number else lead), item


def _scalar(value: object) -> str:
    if type(value) is int:
        return str(value)
    if type(value) is str and not value.isascii():  # half a surrogate pair becomes U+FFFD, as in all text
        value = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return orjson.dumps(value).decode()
