"""Names behind which secrets stand, and what stands there without being one: references, types, placeholders, code.

Judges a name or a value as it is; where they stand in a text is for `assigned_secrets`, in JSON for `secrets`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_KEYS: Final = (
    r"(?:api|access|account|auth|secret|private|encryption|signing|master|preshared|subscription|functions|deploy|webhook"
    r"|consumer)"
)
"""A session key is a name."""
_NAME: Final = (
    rf"{_KEYS}[_-]?(?:access[_-]?)?keys?|(?:client|app|shared)[_-]?secrets?|secrets?"
    r"|(?:auth|access|refresh|id|bot|api|bearer|session)?[_-]?token|(?:auth|access|refresh|api|bot)[_-]?tokens"
    r"|passwords?|passwd|passphrase|passcode|pwd|pass|credentials?"
)
OTHER_NAMES: Final = (
    r"(?:pass|kenn)wort|zugangscode|mots?[ _-]?de[ _-]?passe|contrase(?:\u00f1|n\u0303|n)as?|palavra[ _-]?passe"
    r"|wachtwoord|l\u00f6senord|passord|adgangskode|salasana|\u015fifre|\u043f\u0430\u0440\u043e\u043b\u044c"
    r"|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638"
)
"""Password in German, French, Spanish, Portuguese, Dutch, the languages of the north, Turkish, Russian, Chinese,
Japanese and Korean; also at the end of longer words."""
OTHER_SHORT_NAMES: Final = r"senhas?|mdp|has[\u0142l]o|heslo|pin(?:[ _-]?code)?"
"""Likewise, only as words of their own: others end so too."""
OTHER_NEEDLES: Final = (
    "wort", "passe", "contrase", "wachtwoord", "zugangscode", "passord", "adgangskode", "salasana", "senha", "mdp",
    "haslo", "heslo", "pin",
)  # fmt: skip
OTHER_NEEDLES_BEYOND_ASCII: Final = (
    "l\u00f6senord", "has\u0142o", "\u015fifre", "\u043f\u0430\u0440\u043e\u043b\u044c", "\u5bc6\u7801",
    "\u5bc6\u78bc", "\u53e3\u4ee4", "\u30d1\u30b9\u30ef\u30fc\u30c9", "\ube44\ubc00\ubc88\ud638",
)  # fmt: skip
"""In small letters: without one of these there is none of those names."""
_FIELD: Final = re.compile(
    rf"(?:^|.*[_.\s-]|.*[a-z0-9](?=[A-Z]))"
    rf"(?i:{_NAME}|(?:proxy-)?authorization|(?:set-)?cookie|_auth|{OTHER_NAMES}|senhas?|mdp|has[\u0142l]o|heslo)$",
    re.DOTALL,
)
_FIELD_NEEDLES: Final = (
    "key", "secret", "token", "pass", "pwd", "credential", "auth", "cookie",
    *(word for word in (*OTHER_NEEDLES, *OTHER_NEEDLES_BEYOND_ASCII) if word != "pin"),
)  # fmt: skip
_PIN_NAME: Final = re.compile(r"(?:^|.*[_.\s-]|.*[a-z0-9](?=P))(?i:pin(?:[ _-]?code)?)$", re.DOTALL)
_PIN: Final = re.compile(r"\d{4,8}")
_LONGEST_NAME: Final = 200
_PASSWORD_FIELD: Final = re.compile(rf"(?i:pass(?:word|wd|phrase|code)?|pwd|{OTHER_NAMES})$")
_KEY_LEAD: Final = re.compile(rf"{_KEYS}[ _-]?(?:access[ _-]?)?$", re.IGNORECASE)

_REFERENCE: Final = re.compile(
    r"\$(?:[A-Z_][A-Z0-9_]*$|\{[\w.\[\]@ ]*\}?\W*$|\{[^}:]*:\?|\{\{|\(|env:|\d$)"  # of a shell
    r"|\$\w*(?i:token|pass|pwd|key|secret|cred|auth|cookie)\w*$"
    r"|\$\w+(?:->|::|\[)|%[A-Z_]+%|%[sdrv]\b|%\(|\{+[\w .:!()\[\]'\"-]*\}+$|\*{3}|•{3}|\.{3}|…|<|\[redacted|\[?REDACTED"
)
_WORD: Final = re.compile(
    r"(?i:x{4,}$|(?:null|nil|none|undefined|true|false|string|str|int|integer|number|bytes?|bool(?:ean)?|object|any"
    r"|secretstr|optional|union|required|await|new|lambda|function|async|typeof)(?![\w!@#%^+/-])|redacted)"
)
_CODE: Final = re.compile(
    r"(?:process|os|self|this|cls|config|settings|env|args|opts|options|req|request|ctx|import)\.\w"
    r"|\w+\(\)|(?:\w+\??\.)++\w+[(\[]|[a-z]+(?:_[a-z]+|[A-Z][a-z]+)++\(|\w+\($|\{"
)
_CALLED: Final = re.compile(r"[A-Za-z_][\w.]*[(\[]")
_LOOKS_CHOSEN: Final = re.compile(r"\d|[^\w-]|.{16}")
_COUNT: Final = re.compile(r"[\d.,_]{1,7}[kKmM]?")
_STRICT: Final = re.compile(r"(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z]).{16}")


def is_secret_name(name: str) -> bool:
    """Does a field of this name hold a secret: apiKey, bot_token, password?"""
    return len(name) <= _LONGEST_NAME and _is_secret_name(name)


@lru_cache(maxsize=1024)  # the fields of a transcript have few names
def _is_secret_name(name: str) -> bool:
    lower = name.lower()
    return any(map(lower.__contains__, _FIELD_NEEDLES)) and _FIELD.match(name) is not None


def is_password_name(name: str) -> bool:
    """One whose value is secret even as a number."""
    return is_secret_name(name) and _PASSWORD_FIELD.search(name) is not None


def is_pin_name(name: str) -> bool:
    """One behind which only some digits are secret (`is_pin`): the legs of a chip have numbers too."""
    return len(name) <= _LONGEST_NAME and _PIN_NAME.match(name) is not None


def is_pin(value: str) -> bool:
    return _PIN.fullmatch(value) is not None


def leads_to_secret_key(text: str, end: int) -> bool:
    """Is the word `key` after `end` that of an api key, an access key, ...? Not every key is a secret."""
    return _KEY_LEAD.search(text, max(0, end - 24), end) is not None


def is_no_secret(value: str, *, is_quoted: bool) -> bool:
    """A variable, a type, a placeholder, a piece of a program (which is never quoted), or too short."""
    return (
        len(value) < (3 if is_quoted else 4)
        or _REFERENCE.match(value) is not None
        or _WORD.match(value) is not None
        or (not is_quoted and _CODE.match(value) is not None)
    )


def looks_chosen(value: str) -> bool:
    """Not like a word of a sentence, which stands behind a colon as often as a secret."""
    return _LOOKS_CHOSEN.search(re.split(r"[(\[{]", value, maxsplit=1)[0].rstrip(".,;:)]}…")) is not None


def is_count(value: str) -> bool:
    return _COUNT.fullmatch(value) is not None


def looks_called(value: str) -> bool:
    """A function that is called, or a part of something: code."""
    return _CALLED.match(value) is not None


def looks_mixed(value: str) -> bool:
    """Letters and digits."""
    return re.search(r"\d", value) is not None and re.search(r"[^\W\d]", value) is not None


def looks_random(value: str) -> bool:
    """Long, with letters and digits: what stands behind a name that mostly means something else."""
    return _STRICT.match(value) is not None
