"""Masking what looks like a secret: keys and tokens of well-known shapes, and what stands behind names like password.

For what is shown or sent on: a text, a line of JSON, a decoded value. No proof that nothing secret is left: a secret
without a shape or a name is a word like any other. Linear in the length of the text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson

from syncd.openclaw.assigned_secrets import assigned_elsewhere, assigned_secrets
from syncd.openclaw.exact_integers import made_exact
from syncd.openclaw.json_values import json_text
from syncd.openclaw.secret_names import (
    is_no_secret,
    is_password_name,
    is_pin,
    is_pin_name,
    is_secret_name,
    looks_random,
)
from syncd.openclaw.secret_shapes import mask, without_shapes
from syncd.openclaw.told_secrets import TELLING

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORTEST: Final = 8
"""A text of fewer characters holds no secret that shows."""
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|(?P<torn>\\?\Z))|[\[\]{},]', re.DOTALL)
_DOCUMENT: Final = re.compile(r"\s*+[\[{]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_COLON: Final = re.compile(r"\s*:\s*(?P<number>-?\d{4,}[\d.eE+-]*)?")
_OPTION: Final = re.compile(r"--?(?P<name>[\w-]{3,60})$")
_NAMING: Final = frozenset({"name", "key", "header", "field", "variable", "env", "envvar", "id"})
_HOLDING: Final = frozenset({"value", "val", "stringvalue", "secretvalue"})
_HEADERS: Final = frozenset({"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"})
_MASKED: Final = re.compile(r"\[redacted: [a-z ]+\]")


def redacted(text: str) -> str:
    """The text with every secret that could be made out replaced by a word about it."""
    if len(text) < _SHORTEST:
        return text
    if _DOCUMENT.match(text) is not None and _is_json(text.encode("utf-8", "surrogatepass")):
        text = _redacted_json(text)
    text = without_shapes(text)
    for needles, find in TELLING:
        if any(map(text.__contains__, needles)):
            text = _masked_at(text, find(text))
    text = _masked_at(text, assigned_secrets(text))
    return _masked_at(text, assigned_elsewhere(text))


def redacted_line(raw: bytes) -> bytes:
    """A line of JSON, its strings redacted: as valid as it was, and unchanged where there is nothing to mask."""
    text = raw.decode("utf-8", "surrogateescape")
    masked = _redacted_json(text)
    if not _is_json(raw) and not _is_json_to_some(text):
        masked = redacted(masked)
    return raw if masked is text else masked.encode("utf-8", "surrogateescape")


def redacted_value(value: Any) -> Any:
    """A decoded value of JSON, its strings redacted; as text where it nests too deep to be decoded again."""
    text = json_text(value)
    masked = _redacted_json(text)
    if masked is text:
        return value
    body = masked.encode()
    try:
        return made_exact(body, orjson.loads(body))
    except orjson.JSONDecodeError:
        return masked


@dataclass(slots=True)
class _Open:
    """An object or a list that is being read."""

    name: str = ""
    """Of an object the name whose value comes next; of a list the name it stands behind."""
    is_list: bool = False
    last: str = ""
    """Of a list the string before."""
    told: str = ""
    """Of an object what it says it holds."""
    held: re.Match[str] | None = None


def _redacted_json(text: str) -> str:
    """The same object where there is nothing to mask. Also for what is no JSON, or not to its end."""
    changes: dict[int, tuple[int, str]] = {}
    stack = [_Open()]
    for token in _TOKEN.finditer(text):
        kind, inside = token[0], stack[-1]
        if kind[0] == '"':
            _literal(token, inside, changes)
        elif kind == ",":
            inside.name = inside.name if inside.is_list else ""
        elif kind in "{[":
            stack.append(_Open(inside.name, is_list=True) if kind == "[" else _Open())
        elif len(stack) > 1:
            _tell(stack.pop(), changes)
            stack[-1].last = ""
    for left_open in stack:
        _tell(left_open, changes)
    if not changes:
        return text
    parts, done = [], 0
    for start in sorted(changes):
        end, masked = changes[start]
        parts += [text[done:start], masked]
        done = end
    return "".join([*parts, text[done:]])


def _is_json(raw: bytes) -> bool:
    try:
        orjson.loads(raw)
    except orjson.JSONDecodeError:
        return False
    return True


def _is_json_to_some(text: str) -> bool:
    """What only JavaScript would read, and what nests too deep to tell."""
    try:
        json.loads(text, strict=False)
    except RecursionError:
        return True
    except ValueError:
        return False
    return True


def _literal(token: re.Match[str], inside: _Open, changes: dict[int, tuple[int, str]]) -> None:
    """A string of JSON: the name of what follows, or a value."""
    literal, text = token[0], token.string
    if token["torn"] is not None:  # no JSON, so nothing has to stay valid
        changes[token.start()] = (token.end(), '"' + _masked_value(literal[1:], inside))
        return
    colon = _COLON.match(text, token.end())
    if colon is None and len(literal) < _SHORTEST and not inside.name and not inside.is_list:
        return
    value = _decoded(literal)
    if colon is not None:
        masked = redacted(value)
        inside.name = value
        number = colon["number"]
        if number and (is_password_name(value) or (is_pin(number) and is_pin_name(value))):
            changes[colon.start("number")] = (colon.end("number"), json.dumps(mask("secret")))
    else:
        field = inside.name.lower()
        if field in _NAMING:
            inside.told = value
        elif field in _HOLDING:
            inside.held = token
        masked = _masked_value(value, inside)
        inside.last = value if inside.is_list else ""
    if masked != value:
        changes[token.start()] = (token.end(), _encoded(masked))


def _masked_value(value: str, inside: _Open) -> str:
    masked = redacted(value)
    if is_no_secret(value, is_quoted=True) or _MASKED.fullmatch(masked):
        return masked
    name = inside.name
    is_secret = is_secret_name(name) or (name.lower().endswith("tokens") and looks_random(value))
    is_secret |= is_pin(value) and is_pin_name(name)
    if inside.is_list and inside.last:
        option = _OPTION.match(inside.last)
        is_secret |= option is not None and is_secret_name(option["name"]) and not value.startswith("-")
        is_secret |= inside.last.lower() in _HEADERS and value.lower() not in _HEADERS
    return mask("secret") if is_secret else masked


def _tell(closed: _Open, changes: dict[int, tuple[int, str]]) -> None:
    """An object that says by name what its value is: {"name": "API_KEY", "value": "..."}."""
    if closed.held is None or not is_secret_name(closed.told):
        return
    value = _decoded(closed.held[0])
    if not is_no_secret(value, is_quoted=True):
        changes[closed.held.start()] = (closed.held.end(), _encoded(mask("secret")))


def _masked_at(text: str, spans: Iterable[tuple[int, int]]) -> str:
    parts, done = [], 0
    for start, end in spans:
        if start >= done:
            parts += [text[done:start], mask("secret")]
            done = end
    return "".join([*parts, text[done:]]) if parts else text


def _decoded(literal: str) -> str:
    if "\\" not in literal:
        return literal[1:-1]
    try:
        return str(json.loads(literal, strict=False))
    except ValueError:  # a line that is no JSON is no reason to let a secret pass
        return literal[1:-1]


def _encoded(text: str) -> str:
    return json.dumps(text, ensure_ascii=_SURROGATE.search(text) is not None)
