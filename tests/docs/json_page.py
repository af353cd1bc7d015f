"""docs/json.md read as a contract: which fields each verb's document has, of which types, and which may be missing.

A section's heading names its verbs. In its table, `a[].b` is the field b of each item of the list a, `a.*` any key of
the object a; a type that ends in "?" may be missing. "every column of [t](...)" stands for the columns of the table t,
"as in [v](...)" for the fields of the same name in the section v.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
_ROW = re.compile(r"^\| `([^`]+)` \| ([a-z, ]+\??) \| (.*?) \|$", re.MULTILINE)
_COLUMNS = re.compile(r"every column of \[(\w+)\]")
_SAME = re.compile(r"as in \[([\w -]+)\]")
_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string", list: "list", dict: "object"}


@dataclass
class Section:
    types: dict[str, set[str]] = field(default_factory=dict)
    optional: set[str] = field(default_factory=set)
    columns_at: dict[str, str] = field(default_factory=dict)  # path -> table
    same_at: dict[str, str] = field(default_factory=dict)  # path -> section


def sections(page: str) -> dict[str, Section]:
    """By verb, as in the heading: "ledger info"."""
    found: dict[str, Section] = {}
    for heading, body in _SECTION.findall(page):
        about = Section()
        for path, kind, meaning in _ROW.findall(body):
            assert path not in about.types, f"{heading}: {path} twice"
            about.types[path] = set(kind.rstrip("?").split(" or "))
            if kind.endswith("?"):
                about.optional.add(path)
            if table := _COLUMNS.search(meaning):
                about.columns_at[path] = table[1]
            if section := _SAME.search(meaning):
                about.same_at[path] = section[1]
        found |= dict.fromkeys(heading.replace("`", "").split(", "), about)
    for about in found.values():
        for path, other in about.same_at.items():
            _take_over(about, found[other], path)
    return found


def _take_over(about: Section, other: Section, path: str) -> None:
    below = {each: kinds for each, kinds in other.types.items() if each.startswith((f"{path}.", f"{path}["))}
    assert below, f"{path}: nothing to take over"
    about.types |= below
    about.optional |= other.optional & set(below)


def faults(section: Section, documents: list[Any], columns: dict[str, set[str]]) -> Iterator[str]:
    """Fields that are not documented, of another type, or missing though they must be there."""
    expected = dict(section.types)
    free = {f"{path}.{name}" for path, table in section.columns_at.items() for name in columns[table]}
    for document in documents:
        for path, value in _walk(document, ""):
            place = _documented(path, expected)
            if not path:
                pass  # the document itself
            elif place is None:
                if path not in free:
                    yield f"{path} is not documented ({_kind(value)})"
            elif _kind(value) not in expected[place] and not (
                _kind(value) == "integer" and "number" in expected[place]
            ):
                yield f"{path} is {_kind(value)}, documented as {' or '.join(sorted(expected[place]))}"
            if isinstance(value, dict):
                yield from _missing(path, value, section)


def never_seen(section: Section, documents: list[Any]) -> set[str]:
    seen = {place for each in documents for path, _ in _walk(each, "") if (place := _documented(path, section.types))}
    return set(section.types) - seen


def _missing(path: str, value: dict[str, Any], section: Section) -> Iterator[str]:
    place = _documented(path, section.types) if path else ""
    for name in section.types:
        parent, dot, last = name.rpartition(".")
        is_child = parent == place and bool(dot or not place) and not last.endswith("]") and last != "*"
        if is_child and last not in value and name not in section.optional:
            yield f"{name} is missing"


def _documented(path: str, expected: dict[str, set[str]]) -> str | None:
    if path in expected:
        return path
    for each in sorted(expected, key=len, reverse=True):  # the most particular first
        if "*" in each and re.fullmatch(re.escape(each).replace(r"\*", r".+?"), path):
            return each
    return None


def _walk(value: Any, at: str) -> Iterator[tuple[str, Any]]:
    yield at, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _walk(inner, f"{at}.{name}" if at else name)
    elif isinstance(value, list):
        for inner in value:
            yield from _walk(inner, f"{at}[]")


def _kind(value: Any) -> str:
    return "null" if value is None else _TYPES[type(value)]
