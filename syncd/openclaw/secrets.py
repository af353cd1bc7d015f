"""Masking what looks like a secret: keys and tokens of well-known shapes, and what stands behind names like password.

For what is shown or sent on. No proof that nothing secret is left: a secret without a shape is a word like any other.
The shapes are those that OpenClaw masks in its own logs, and a few more. Linear in the length of the text.
"""

from __future__ import annotations

import json
import re
from typing import Final

_PEM: Final = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----))*+"
    r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?+"
)
_KEYS: Final = (
    r"(?<![A-Za-z0-9_-])(?:sk-[\w-]{16,}|gsk_\w{16,}|xai-[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{16,}|r8_[A-Za-z0-9]{16,}"
    r"|pplx-[\w-]{16,}|tvly-[\w-]{10,}|exa_[A-Za-z0-9]{10,}|fc-[a-f0-9]{16,}|npm_[A-Za-z0-9]{16,}|pypi-[\w-]{20,}"
    r"|do[opr]_v1_[A-Za-z0-9]{16,}|dckr_[op]at_[\w-]{20,}|SG\.[\w-]{10,}\.[\w-]{10,}|shp(?:at|ca|pa|ss)_[a-f0-9]{32}"
    r"|glsa_\w{32,}|sbp_[a-z0-9]{40}|dapi[0-9a-f]{32}|lin_api_\w{20,}|ntn_\w{20,}|secret_[A-Za-z0-9]{40,}"
    r"|ATATT[\w+/=-]{20,}|tskey-[\w-]{16,}|SK[0-9a-f]{32}(?![0-9a-f]))"
)
_SHAPES: Final = {
    "private key": (
        ("PRIVATE KEY",),
        _PEM,
    ),
    "json web token": (("eyJ",), r"(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}"),
    "telegram token": ((":",), r"\d{8,12}:[\w-]{34,36}(?![\w-])"),
    "slack token": (("xox", "xapp-"), r"xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{10,}"),
    "slack webhook": (("hooks.slack",), r"https://hooks\.slack\.com/(?:services|workflows)/[\w/-]{20,}"),
    "discord webhook": (("/webhooks/",), r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{15,22}/[\w-]{40,}"),
    "discord token": (("M", "N", "O"), r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])"),
    "github token": (("gh", "github_"), r"gh[oprsu]_[A-Za-z0-9]{16,}|github_pat_\w{16,}"),
    "gitlab token": (("glpat-", "gloas-"), r"glpat-[\w.=-]{20,}|gloas-[A-Fa-f0-9]{32,}"),
    "aws key": (
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        r"(?<![A-Za-z0-9+/])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9+/])",
    ),
    "google key": (
        ("AIza", "ya29.", "GOCSPX-", "1//0"),
        r"AIza[\w-]{30,}|ya29\.[\w./+=-]{10,}|GOCSPX-[\w-]{20,}|(?<![\w/])1//0[\w./+=-]{10,}",
    ),
    "stripe key": (
        ("k_live_", "k_test_", "whsec_"),
        r"[prs]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{20,}",
    ),
    "api key": (
        (
            "sk-", "gsk_", "xai-", "hf_", "r8_", "pplx-", "tvly-", "exa_", "fc-", "npm_", "pypi-", "_v1_", "dckr_",
            "SG.", "shp", "glsa_", "sbp_", "dapi", "lin_api_", "ntn_", "secret_", "ATATT", "tskey-", "SK",
        ),
        _KEYS,
    ),
}  # fmt: skip
"""By what they are: words without which there is none, quick to look for, and the shape itself."""
_COMPILED: Final = tuple((kind, needles, re.compile(shape)) for kind, (needles, shape) in _SHAPES.items())

_NAME: Final = (
    r"(?:api|access|secret|private|encryption|signing)[_-]?(?:access[_-]?)?key|(?:client|app)[_-]?secret|secret"
    r"|(?:auth|access|refresh|id|bot|api|bearer|session)?[_-]?token|password|passwd|passphrase|passcode|pwd|credential"
)
# Each pattern begins with what `re` can look for quickly: a literal, or a set of letters.
_ASSIGNED: Final = re.compile(
    r"(?P<name>[KkSsTtPpCc](?i:(?<=k)ey|(?<=s)ecret|(?<=t)oken|(?<=p)(?:ass(?:word|wd|phrase|code)|wd)|(?<=c)redential))"
    r"""(?P<between>["']?[ \t]{0,3}(?:=>|:=|=|:)[ \t]{0,3}(?P<quote>\\?["'`]?))"""
    r"""(?P<value>[^\s"'`,;&<>(){}\[\]\\]{4,})"""
)
_KEY_LEAD: Final = re.compile(r"(?:api|access|secret|private|encryption|signing)[_-]?$", re.IGNORECASE)
"""Not every key is a secret."""
_BEHIND: Final = tuple(
    re.compile(shape)
    for shape in (
        r"(?P<lead>[Bb](?i:earer|asic|ot)[ \t]+)(?P<value>[\w.~+/=-]{16,})",
        rf"(?P<lead>--(?i:{_NAME})[= \t][\"']?)(?P<value>[^\s\"'-][^\s\"']{{3,}})",
        r"(?P<lead>://[^\s/:@]{0,100}:)(?P<value>[^\s/@]{1,200})(?=@)",
    )
)
_NAMED: Final = re.compile(rf"(?:^|.*[_.-]|.*[a-z](?=[A-Z]))(?i:{_NAME}|authorization|cookie|set-cookie)$", re.DOTALL)
_SHORTEST: Final = 9
"""A text of fewer characters holds no secret that shows."""
_FIELD_NEEDLES: Final = ("key", "secret", "token", "pass", "pwd", "credential", "authorization", "cookie")
_IS_NO_SECRET: Final = re.compile(
    r"\$|%|\*{3}|x{4}|process\.env|os\.environ|null$|none$|undefined$|true$|false$|string\b|str\b|redacted",
    re.IGNORECASE,
)
_LOOKS_CHOSEN: Final = re.compile(r"\d|[^\w-]|.{16}")
"""Behind a colon stands prose as well: there, a word counts as a secret only if it does not look like one."""
_LITERAL: Final = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_COLON: Final = re.compile(r"\s*:")


def redacted(text: str) -> str:
    """The text with every secret that could be made out replaced by a word about it."""
    if len(text) < _SHORTEST:
        return text
    for kind, needles, shape in _COMPILED:
        if _has(text, needles):
            text = shape.sub(_mask(kind), text)
    for shape in _BEHIND:
        text = shape.sub(_behind_mask, text)
    return _ASSIGNED.sub(_assigned_mask, text)


def _has(text: str, needles: tuple[str, ...]) -> bool:
    return any(map(text.__contains__, needles))


def redacted_line(raw: bytes) -> bytes:
    """A line of JSON, its strings redacted: as valid as it was, and unchanged where there is nothing to mask."""
    text = raw.decode("utf-8", "surrogateescape")
    parts: list[str] = []
    done, name = 0, ""
    for literal in _LITERAL.finditer(text):
        if len(literal[0]) < _SHORTEST and not name and text[literal.end() : literal.end() + 1] not in ": \t":
            continue
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
    return _has(name.lower(), _FIELD_NEEDLES) and _NAMED.match(name) is not None


def _masked_literal(literal: str, name: str) -> str | None:
    """The literal of a JSON string, redacted; None = there is nothing to mask."""
    value, field = _decoded(literal), _decoded(name) if name else ""
    masked = redacted(value)
    if masked == value and len(value) >= 4 and is_secret_name(field) and not _IS_NO_SECRET.match(value):
        masked = _mask("secret")
    if masked == value:
        return None
    return json.dumps(masked, ensure_ascii=_SURROGATE.search(masked) is not None)


def _decoded(literal: str) -> str:
    if "\\" not in literal:
        return literal[1:-1]
    try:
        return str(json.loads(literal, strict=False))
    except ValueError:  # a line that is no JSON is no reason to let a secret pass
        return literal[1:-1]


def _mask(kind: str) -> str:
    return f"[redacted: {kind}]"


def _behind_mask(found: re.Match[str]) -> str:
    if _IS_NO_SECRET.match(found["value"]) or found["value"].startswith("["):
        return found[0]
    return found["lead"] + _mask("secret")


def _assigned_mask(found: re.Match[str]) -> str:
    name, value, between = found["name"], found["value"], found["between"]
    is_plain_key = name.lower() == "key" and not _KEY_LEAD.search(
        found.string, max(0, found.start() - 12), found.start()
    )
    is_prose = ":" in between and not found["quote"] and not _LOOKS_CHOSEN.search(value)
    if is_plain_key or is_prose or _IS_NO_SECRET.match(value):
        return found[0]
    return f"{name}{between}{_mask('secret')}"
