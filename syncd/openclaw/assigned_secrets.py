"""What stands behind a name like password in any text: code, settings, options of commands, headers, tables, prose.

A name is looked for, then what lies between it and its value, then the value as its quotes or brackets say. Each step
goes forward and is bounded, so a text costs what its length costs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from syncd.openclaw.secret_names import (
    OTHER_NAMES,
    OTHER_NEEDLES,
    OTHER_NEEDLES_BEYOND_ASCII,
    OTHER_SHORT_NAMES,
    is_count,
    is_no_secret,
    is_pin,
    leads_to_secret_key,
    looks_called,
    looks_chosen,
    looks_mixed,
    looks_random,
)
from syncd.openclaw.secret_values import value_at, whole_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.openclaw.secret_values import Value

Span = tuple[int, int]
_QUOTE: Final = r"\\{0,7}[\"'`]"
_IS: Final = r"(?:is|was|ist|war|lautet|est|es|\u00e9|\u00e4r)"
_BEHIND: Final = (
    rf"(?:(?P<between>(?:{_QUOTE})?[*_~]{{0,3}}(?:{_QUOTE})?\]?(?:[ \t]{{1,3}}{_IS})?[ \t]{{0,8}}"
    r"(?P<sign>=>|:=|[!=]?={1,2}|[:\uff1a]|->|-(?=[ \t])|[\u2192\u2013\u2014])(?P<bold>[*_~]{0,3})[ \t]{0,8}"
    r"(?P<down>(?:[|>][-+]?[ \t]{0,8})?\n{1,2}[ \t]{0,8})?)"
    r"|(?P<tag>>(?:<!\[CDATA\[)?)|(?P<cell>[*_`]{0,3}[ \t]{0,40}\|[ \t]{0,40})|"
    rf"(?P<says>[ \t]{{1,3}}{_IS}[ \t]{{1,3}}|[ \t]?[\u662f\u4e3a\u70ba\u306f][ \t]?)"
    rf"|(?P<flag>[ \t]{{1,8}}|{_QUOTE}\s{{0,8}},\s{{0,80}}))"
)
_HEAD: Final = re.compile(
    r"(?P<name>[AaCcKkPpSsTt](?i:(?<=a)uthorization|(?<=c)redentials?|(?<=c)ookie|(?<=k)eys?|(?<=s)ecrets?|(?<=t)okens?"
    rf"|(?<=p)ass(?:words?|wd|phrase|code)?|(?<=p)wd?)){_BEHIND}"
)
_OTHER_HEAD: Final = re.compile(rf"(?P<name>(?i:{OTHER_NAMES}|(?<![^\W_])(?:{OTHER_SHORT_NAMES}))){_BEHIND}")
_OPTION: Final = re.compile(r"(?<![\w-])--?[\w-]*$")
_TAG: Final = re.compile(r"<[\w:.-]*$")
_TAG_VALUE: Final = re.compile(r"[^<\]\n]{4,500}(?=</|\]\]>)")
_CELL: Final = re.compile(r"(?:^|\n)[ \t]*\|(?:[^\n|]*\|)*+[ \t]*[*_`]{0,3}[\w -]{0,20}$")
_SETTING: Final = re.compile(r"(?:^|\n)[ \t]*(?:export |set |ENV )?[\w.-]*$")
_ITEMS_APART: Final = re.compile(r"[\s,]*+")
_OTHERS_IN_A_ROW: Final = 20
_COOKIE: Final = re.compile(r"[^\s\"'`=;,{}()\\]{1,200}=(?!\$|\{|\[redacted)[^\r\n\"'`\\]{2,}+")
_SCHEME: Final = re.compile(
    r"(?i:basic|bearer|bot|token|digest|api-?key|negotiate|key|ssws|geniekey|splunk|oauth|hawk|aws4-hmac-sha256)"
    r"[ \t]{1,8}"
)
_REST_OF_LINE: Final = re.compile(r"[^\r\n\"'`\\]++")
_ADJECTIVES: Final = frozenset({
    "changed", "default", "disabled", "empty", "enabled", "expired", "hidden", "incorrect", "invalid", "missing",
    "none", "optional", "required", "reset", "unchanged", "unknown", "unset", "updated", "valid", "wrong",
    "erforderlich", "falsch", "leer", "ung\u00fcltig", "unbekannt", "vergessen", "inconnu", "invalide", "oubli\u00e9",
    "obligatoire", "requis", "vide", "incorrecta", "obligatoria", "requerida", "vac\u00eda",
})  # fmt: skip
_WORDS_OF_OPTIONS: Final = frozenset({
    "argument", "arguments", "flag", "flags", "from", "instead", "must", "option", "options", "or/and", "parameter",
    "should", "switch", "when", "which", "will", "with",
})  # fmt: skip


def assigned_secrets(text: str) -> Iterator[Span]:
    """Where they stand, in order."""
    return _assigned(text, _HEAD)


def assigned_elsewhere(text: str) -> Iterator[Span]:
    """Likewise, behind names of other languages than English, and behind PIN."""
    lower = text.lower()
    needles = OTHER_NEEDLES if text.isascii() else (*OTHER_NEEDLES, *OTHER_NEEDLES_BEYOND_ASCII)
    return _assigned(text, _OTHER_HEAD) if any(map(lower.__contains__, needles)) else iter(())


def _assigned(text: str, names: re.Pattern[str]) -> Iterator[Span]:
    place = 0
    while (head := names.search(text, place)) is not None:
        place = head.end("name")
        for start, end in _behind(head):
            if start >= place:
                yield start, end
                place = end


def _behind(head: re.Match[str]) -> Iterator[Span]:
    text, name, place = head.string, head["name"].lower(), head.end()
    if head["sign"] is None:
        yield from _without_sign(head, name)
    elif name == "cookie":
        yield from _cookie(text, place)
    elif name == "authorization":
        yield from _credentials(text, place)
    elif _is_secret_name(head, name):
        if text.startswith("[", place) and not name.startswith("pin") and not text.startswith("[redacted", place):
            yield from _items(text, place + 1, name)
            return
        is_setting = head["sign"] == "=" and _SETTING.search(text, max(0, head.start() - 80), head.start()) is not None
        scheme = _SCHEME.match(text, place)  # token: Bearer abc123
        value = value_at(text, scheme.end()) if scheme is not None else None
        if value is None or not looks_mixed(value.text):
            value = value_at(text, place, is_setting=is_setting)
        if value is not None and _is_secret(head, name, value):
            yield value.start, whole_end(text, value)


def _without_sign(head: re.Match[str], name: str) -> Iterator[Span]:
    """Behind `--password `, in `<password>`, in the next cell of a table, or "the password is"."""
    text, place = head.string, head.end()
    if name == "authorization" or not (name == "cookie" or _is_secret_name(head, name)):
        return
    if head["tag"]:
        is_tag = _TAG.search(text, max(0, head.start() - 80), head.start()) is not None
        inside = _TAG_VALUE.match(text, place) if is_tag else None
        is_other = inside is None or (name.startswith("pin") and not is_pin(inside[0]))
        if inside is not None and not is_other and not is_no_secret(inside[0], is_quoted=True):
            yield inside.span()
        return
    if head["flag"]:
        if not _OPTION.search(text, max(0, head.start() - 40), head.start()) or text.startswith("-", place):
            yield from _in_quotes(text, place) if name != "pass" else ()
            return
    elif head["cell"] and not _CELL.search(text, max(0, head.start() - 80), head.start()):
        return
    value = value_at(text, place)
    if value is None or is_no_secret(value.text, is_quoted=value.is_quoted) or name == "tokens":
        return
    if name.startswith("pin"):
        if is_pin(value.text):
            yield value.start, value.end
    elif value.is_quoted or _is_told(head, value.text):
        yield value.start, whole_end(text, value)


def _in_quotes(text: str, place: int) -> Iterator[Span]:
    """`password 'hunter2'`, as people and some languages write it."""
    value = value_at(text, place) if text.startswith(("'", '"', "`"), place) else None
    if value is None or not value.is_quoted or is_no_secret(value.text, is_quoted=True):
        return
    if looks_mixed(value.text) and " " not in value.text:
        yield value.start, value.end


def _is_told(head: re.Match[str], value: str) -> bool:
    """A word without quotes: of a command nearly every one, of a sentence or a table few."""
    if head["flag"]:
        return value not in _WORDS_OF_OPTIONS
    return looks_mixed(value) if head["says"] else looks_chosen(value) and not is_count(value)


def _is_secret_name(head: re.Match[str], name: str) -> bool:
    text, start = head.string, head.start()
    before = text[start - 1 : start]
    if name in ("key", "keys"):
        return leads_to_secret_key(text, start)
    if name in ("pass", "pw"):  # but no compass, and no test that passed
        is_word = not before.isalpha() or (before.islower() and text[start] == "P")
        return is_word and (name == "pw" or head["sign"] != ":" or before in ("_", "-", '"', "'") or before.islower())
    return name != "mdp" or head["name"] == name  # in capitals it is a theory of decisions


def _is_secret(head: re.Match[str], name: str, value: Value) -> bool:
    shown = value.text
    if is_no_secret(shown, is_quoted=value.is_quoted) or (name == "pwd" and shown[0] in "/~"):
        return False
    if name == "tokens":
        return looks_random(shown)
    if name.startswith("pin"):
        return is_pin(shown)
    if name in ("token", "pass") and is_count(shown):
        return False
    if value.is_quoted:
        return head["down"] is None
    if "=" in head["sign"]:
        is_code = (head["between"].endswith(" ") and looks_called(shown)) or _names_itself(name, shown)
        return head["down"] is None and not is_code
    rest = head.string[value.end : value.end + 1]
    if head["down"] is not None:
        return rest in ("", "\n") and looks_chosen(shown)
    is_labelled = bool(head["bold"] or "*" in head["between"]) and rest in ("", "\n")
    return looks_chosen(shown) or (is_labelled and shown.lower() not in _ADJECTIVES)


def _names_itself(name: str, value: str) -> bool:
    """`token = access_token`: a variable."""
    return value.islower() and re.fullmatch(rf"(?:[a-z]+[._])*+{name}", value) is not None


def _items(text: str, place: int, name: str) -> Iterator[Span]:
    """Each value of a list, up to its end, or until too many in a row were none."""
    others = 0
    while others < _OTHERS_IN_A_ROW:
        apart = _ITEMS_APART.match(text, place)
        place = apart.end() if apart is not None else place
        value = value_at(text, place)
        if value is None or (not value.is_quoted and value.text[0] in "[]{}()"):
            return
        is_secret = looks_random(value.text) if name == "tokens" else value.is_quoted or looks_chosen(value.text)
        others += 1
        if is_secret and not is_no_secret(value.text, is_quoted=value.is_quoted):
            yield value.start, whole_end(text, value)
            others = 0
        place = whole_end(text, value)
        if value.is_quoted:
            while text.startswith("\\", place):
                place += 1
            place += 1


def _cookie(text: str, place: int) -> Iterator[Span]:
    while text[place : place + 1] in ("\\", '"', "'", "`"):
        place += 1
    found = _COOKIE.match(text, place)
    if found is not None:
        yield found.span()


def _credentials(text: str, place: int) -> Iterator[Span]:
    """Of a header: all that follows the scheme, or the one word there is."""
    bare = place
    while text[place : place + 1] in ("\\", '"', "'", "`"):
        place += 1
    scheme = _SCHEME.match(text, place)
    value = value_at(text, place if scheme is None else scheme.end())
    if value is None or value.is_quoted or is_no_secret(value.text, is_quoted=place > bare or scheme is not None):
        return
    if scheme is not None:
        rest = _REST_OF_LINE.match(text, value.start)
        yield value.start, max(value.end, rest.end() if rest is not None else 0)
    elif looks_chosen(value.text) and text[value.end : value.end + 1] != " ":
        yield value.start, whole_end(text, value)
