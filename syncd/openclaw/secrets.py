"""Masking what looks like a secret: keys and tokens of well-known shapes, and what stands behind names like password.

For what is shown or sent on. No proof that nothing secret is left: a secret without a shape is a word like any other.
The shapes are those that OpenClaw masks in its own logs, and a few more. Linear in the length of the text.
"""

from __future__ import annotations

import json
import re
from typing import Final

_SHAPES: Final = {
    "private key": (
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----))*+"
        r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?+"
    ),
    "json web token": r"(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}",
    "telegram token": r"(?:(?<![A-Za-z0-9])|(?<=bot))\d{8,12}:[\w-]{34,36}(?![\w-])",
    "slack token": r"xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{10,}",
    "slack webhook": r"https://hooks\.slack\.com/(?:services|workflows)/[\w/-]{20,}",
    "discord webhook": r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{15,22}/[\w-]{40,}",
    "discord token": r"(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])",
    "github token": r"gh[oprsu]_[A-Za-z0-9]{16,}|github_pat_\w{16,}",
    "gitlab token": r"glpat-[\w.=-]{20,}|gloas-[A-Fa-f0-9]{32,}",
    "aws key": r"(?<![A-Za-z0-9+/])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9+/])",
    "google key": r"AIza[\w-]{30,}|ya29\.[\w./+=-]{10,}|GOCSPX-[\w-]{20,}|(?<![\w/])1//0[\w./+=-]{10,}",
    "stripe key": r"[prs]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{20,}",
    "api key": (
        r"(?<![A-Za-z0-9_-])(?:sk-[\w-]{16,}|gsk_\w{16,}|xai-[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{16,}|r8_[A-Za-z0-9]{16,}"
        r"|pplx-[\w-]{16,}|tvly-[\w-]{10,}|exa_[A-Za-z0-9]{10,}|fc-[a-f0-9]{16,}|npm_[A-Za-z0-9]{16,}|pypi-[\w-]{20,}"
        r"|do[opr]_v1_[A-Za-z0-9]{16,}|dckr_[op]at_[\w-]{20,}|SG\.[\w-]{10,}\.[\w-]{10,}|shp(?:at|ca|pa|ss)_[a-f0-9]{32}"
        r"|glsa_\w{32,}|sbp_[a-z0-9]{40}|dapi[0-9a-f]{32}|lin_api_\w{20,}|ntn_\w{20,}|secret_[A-Za-z0-9]{40,}"
        r"|ATATT[\w+/=-]{20,}|tskey-[\w-]{16,}|SK[0-9a-f]{32}(?![0-9a-f]))"
    ),
}
_SHAPE: Final = re.compile("|".join(f"(?P<k{number}>{shape})" for number, shape in enumerate(_SHAPES.values())))
_KINDS: Final = tuple(_SHAPES)

_NAME: Final = (
    r"(?:api|access|secret|private|encryption|signing)[_-]?(?:access[_-]?)?key|(?:client|app)[_-]?secret|secret"
    r"|(?:auth|access|refresh|id|bot|api|bearer|session)?[_-]?token|password|passwd|passphrase|passcode|pwd|credential"
)
_ASSIGNED: Final = re.compile(
    rf"""(?P<name>{_NAME})(?P<between>["']?[ \t]{{0,3}}(?:=>|:=|=|:)[ \t]{{0,3}}(?P<quote>\\?["'`]?))"""
    r"""(?P<value>[^\s"'`,;&<>(){}\[\]\\]{4,})""",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    rf"(?P<lead>\b(?:Bearer|Basic|Bot)[ \t]+)(?P<bearer>[\w.~+/=-]{{16,}})"
    rf"|(?P<flag>--(?:{_NAME})[= \t][\"']?)(?P<given>[^\s\"'-][^\s\"']{{3,}})"
    r"|(?P<scheme>\b[a-z][a-z0-9+.-]{1,15}://[^\s/:@]{0,100}:)(?P<pass>[^\s/@]{1,200})(?=@)",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(rf"(?:^|.*[_.-]|.*[a-z](?=[A-Z]))(?i:{_NAME}|authorization|cookie|set-cookie)$", re.DOTALL)
_IS_NO_SECRET: Final = re.compile(
    r"\$|%|\*{3}|x{4}|process\.env|os\.environ|null$|none$|undefined$|true$|false$|string\b|str\b|redacted",
    re.IGNORECASE,
)
_LOOKS_CHOSEN: Final = re.compile(r"\d|[^\w-]|.{16}")
"""Behind a colon stands prose as well: there, a word counts as a secret only if it does not look like one."""
_LITERAL: Final = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_COLON: Final = re.compile(r"\s*:")


def redacted(text: str) -> str:
    """The text with every secret that could be made out replaced by a word about it."""
    text = _SHAPE.sub(_shape_mask, text)
    text = _BEHIND.sub(_behind_mask, text)
    return _ASSIGNED.sub(_assigned_mask, text)


def redacted_line(raw: bytes) -> bytes:
    """A line of JSON, its strings redacted: as valid as it was, and unchanged where there is nothing to mask."""
    text = raw.decode("utf-8", "surrogateescape")
    parts: list[str] = []
    done, name = 0, ""
    for literal in _LITERAL.finditer(text):
        is_name = _COLON.match(text, literal.end()) is not None
        masked = _masked_literal(literal[0], "" if is_name else name)
        name = literal[0] if is_name else ""
        if masked is not None:
            parts += [text[done : literal.start()], masked]
            done = literal.end()
    if not parts:
        return raw
    return "".join([*parts, text[done:]]).encode("utf-8", "surrogateescape")


def is_secret_name(name: str) -> bool:
    """Does a field of this name hold a secret: apiKey, bot_token, password?"""
    return _NAMED.match(name) is not None


def _masked_literal(literal: str, name: str) -> str | None:
    """The literal of a JSON string, redacted; None = there is nothing to mask."""
    try:
        value = json.loads(literal, strict=False)
        field = json.loads(name, strict=False) if name else ""
    except ValueError:  # a line that is no JSON is no reason to let a secret pass
        value, field = literal[1:-1], ""
    masked = redacted(value)
    if masked == value and len(value) >= 4 and is_secret_name(field) and not _IS_NO_SECRET.match(value):
        masked = "[redacted: secret]"
    if masked == value:
        return None
    has_surrogates = any("\ud800" <= character <= "\udfff" for character in masked)
    return json.dumps(masked, ensure_ascii=has_surrogates)


def _mask(kind: str) -> str:
    return f"[redacted: {kind}]"


def _shape_mask(found: re.Match[str]) -> str:
    assert found.lastgroup is not None
    return _mask(_KINDS[int(found.lastgroup[1:])])


def _behind_mask(found: re.Match[str]) -> str:
    lead = found["lead"] or found["flag"] or found["scheme"]
    value = found["bearer"] or found["given"] or found["pass"]
    if _IS_NO_SECRET.match(value) or value.startswith("["):
        return found[0]
    return lead + _mask("secret")


def _assigned_mask(found: re.Match[str]) -> str:
    value, between = found["value"], found["between"]
    is_prose = ":" in between and not found["quote"] and not _LOOKS_CHOSEN.search(value)
    if _IS_NO_SECRET.match(value) or is_prose:
        return found[0]
    return f"{found['name']}{between}{_mask('secret')}"
