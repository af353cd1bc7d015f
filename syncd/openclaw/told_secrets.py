"""Secrets that their surroundings tell: credentials in addresses, options of known commands, pairs of name and value.

Like `assigned_secrets`, for any text: forward only, every step bounded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from syncd.openclaw.secret_names import is_no_secret, is_secret_name, looks_random
from syncd.openclaw.secret_values import value_at, whole_end

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Span = tuple[int, int]
_QUOTE: Final = r"\\{0,7}[\"'`]"
_BEARER: Final = re.compile(r"[Bb](?i:earer|asic|ot)[ \t]{1,8}(?P<value>[\w.~+/=-]{16,})")
_ADDRESS: Final = re.compile(
    r"://(?:[^\s/:@\"'<>]{0,100}:(?P<value>[^\s/\"'<>]{1,200})|(?P<only>[\w.~-]{16,200}))(?=@)"
)
_USER: Final = re.compile(
    rf"-(?:(?<=[\s\"'`]-)u[ =]?|-(?:proxy-)?user[ =]|-auth[ =])(?:{_QUOTE},\s{{0,8}})?(?P<open>(?:{_QUOTE})?)"
    r"(?P<user>[^\s:\"'`/@$-][^\s:\"'`/@]{0,100}):(?=[^\s/])"
)
_COMMANDS: Final = {
    "sshpass": re.compile(r"sshpass[ \t]{1,8}-p[ \t]{0,8}"),
    "mysql": re.compile(r"mysql(?:dump|admin)?\b[^\n|;]{0,200}?[ \t]-p(?=[^\s-])"),
    "redis-cli": re.compile(r"redis-cli\b[^\n|;]{0,200}?[ \t]-a[ \t]{1,8}"),
    "-pass": re.compile(r"-pass(?:in|out)?[ \t]{1,8}pass:"),
    "login": re.compile(r"login(?:[ \t]{1,8}\S{1,100}\s{1,8}password|\b[^\n|;]{0,200}?[ \t]-p)[ \t]{1,8}"),
    "_auth": re.compile(r"_auth(?<![\w.]_auth)[ \t]{0,3}=[ \t]{0,3}"),
    " by ": re.compile(r" by[ \t](?<=identified by[ \t])(?=')"),
    " BY ": re.compile(r" BY[ \t](?<=IDENTIFIED BY[ \t])(?=')"),
    " password ": re.compile(r" password[ \t](?<=with password[ \t])(?=')"),
    " PASSWORD ": re.compile(r" PASSWORD[ \t](?<=WITH PASSWORD[ \t])(?=')"),
    "curl": re.compile(r"curl\b[^\n|;]{0,200}?[ \t]-b[ \t]{0,8}(?=[\"']?[^\s\"'=]{1,100}=)"),
}
"""Behind which words of a command its password stands."""
_ECHO: Final = re.compile(r"(?:echo|printf)[ \t]{1,8}(?:-n[ \t]{1,8})?(?:'%s(?:\\n)?'[ \t]{1,8})?")
_TAKES_PASSWORD: Final = re.compile(
    r"[\"']?[ \t]{0,8}\|[^\n|]{0,200}?(?:--password-stdin|--with-token|\bsudo[ \t]{1,8}-S|--stdin|pass[ \t]stdin)"
)
_TELLS: Final = (
    rf"\b(?:name|key|header|field|variable)(?:{_QUOTE})?\s{{0,8}}[:=]\s{{0,8}}(?:{_QUOTE})?(?P<name>[\w.-]{{3,100}})"
)
_HOLDS: Final = rf"\bvalue(?:{_QUOTE})?\s{{0,8}}[:=]\s{{0,8}}"
_APART: Final = rf"(?:{_QUOTE})?\s{{0,8}},?\s{{0,80}}(?:{_QUOTE})?"
_NAME_FIRST: Final = re.compile(_TELLS + _APART + _HOLDS, re.IGNORECASE)
_VALUE_FIRST: Final = re.compile(_HOLDS, re.IGNORECASE)
_NAME_NEXT: Final = re.compile(_APART + _TELLS, re.IGNORECASE)


def _bearers(text: str) -> Iterator[Span]:
    for found in _BEARER.finditer(text):
        if not is_no_secret(found["value"], is_quoted=True):
            yield found.span("value")


def _addresses(text: str) -> Iterator[Span]:
    for found in _ADDRESS.finditer(text):
        group = "value" if found["value"] is not None else "only"
        if found[group].startswith(("$", "[", "{", "%")) or (group == "only" and not looks_random(found[group])):
            continue
        yield found.span(group)


def _users(text: str) -> Iterator[Span]:
    """`-u user:pass` of curl, but not the user and group of a container."""
    for found in _USER.finditer(text):
        if found[0].startswith("-u") and "curl" not in text and "http" not in text:
            continue
        value = value_at(text, found.end())
        if value is None:
            continue
        start, end = value.start, whole_end(text, value)
        if found["open"]:
            closing = text.find(found["open"], start, start + 500)
            end = closing if closing > start else end
        shown = text[start:end]
        if shown == found["user"] or (shown.isdigit() and found["user"].isdigit()) or shown.startswith(("$", "[", "{")):
            continue
        yield start, end


def _piped(text: str) -> Iterator[Span]:
    """`echo hunter2 | docker login --password-stdin`."""
    for found in _ECHO.finditer(text):
        value = value_at(text, found.end())
        if (
            value is not None
            and _TAKES_PASSWORD.match(text, value.end)
            and not is_no_secret(value.text, is_quoted=True)
        ):
            yield value.start, value.end


def _commands(text: str) -> Iterator[Span]:
    spans = []
    for word, shape in _COMMANDS.items():
        for found in shape.finditer(text) if word in text else ():
            value = value_at(text, found.end())
            if value is not None and not is_no_secret(value.text, is_quoted=True):
                spans.append((value.start, whole_end(text, value)))
    yield from sorted(spans)


def _pairs(text: str) -> Iterator[Span]:
    """{"name": "API_KEY", "value": "..."} and the like, in JSON, YAML or XML."""
    place = 0
    while (found := _NAME_FIRST.search(text, place)) is not None:
        place = found.end("name")
        value = value_at(text, found.end()) if is_secret_name(found["name"]) else None
        if value is not None and not is_no_secret(value.text, is_quoted=value.is_quoted):
            place = whole_end(text, value)
            yield value.start, place


def _reversed_pairs(text: str) -> Iterator[Span]:
    place = 0
    while (found := _VALUE_FIRST.search(text, place)) is not None:
        place = found.end()
        value = value_at(text, place)
        named = _NAME_NEXT.match(text, value.end) if value is not None else None
        if value is None or named is None or not is_secret_name(named["name"]):
            continue
        if not is_no_secret(value.text, is_quoted=value.is_quoted):
            place = whole_end(text, value)
            yield value.start, place


TELLING: Final[tuple[tuple[tuple[str, ...], Callable[[str], Iterator[Span]]], ...]] = (
    (("earer", "EARER", "asic", "ASIC", "ot "), _bearers),
    (("://",), _addresses),
    (("-u", "--user", "--proxy-user", "--auth"), _users),
    (tuple(_COMMANDS), _commands),
    (("stdin", "--with-token", "sudo"), _piped),
    (("value", "Value", "VALUE"), _pairs),
    (("value", "Value", "VALUE"), _reversed_pairs),
)
"""Words without which there is nothing to find, and what finds it."""
