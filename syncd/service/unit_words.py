"""systemd's quoting: words that come back as they were, whatever is in them (systemd.syntax(7)).

Not for what systemd cannot take at all: a name that is no UTF-8, or has a control character, is refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from syncd.errors import ServiceError

if TYPE_CHECKING:
    from collections.abc import Sequence

_PLAIN: Final = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
_WORD: Final = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
_ESCAPED: Final = re.compile(r"\\(.)")


def quoted(word: str, *, home: str | None = None) -> str:
    """One word of a unit's line. With `home`, what lies in it is written with systemd's own word for it, %h."""
    if not word.isprintable() or not _is_unicode(word):
        raise ServiceError(
            f"{word!r} cannot be written into a unit",
            "systemd takes no control characters, nor names that are no UTF-8",
        )
    if home is not None and (word == home or word.startswith(f"{home}/")):
        text = "%h" + word.removeprefix(home).replace("%", "%%")
    else:
        text = word.replace("%", "%%")
    if _PLAIN.fullmatch(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def command_line(words: Sequence[str], *, home: str | None = None) -> str:
    if set(words[0]) & set("\"'\\"):
        raise ServiceError(
            f"{words[0]!r} cannot be a unit's program",
            "systemd takes no quotes nor backslashes in its path: install syncd in another directory",
        )
    line = " ".join(quoted(word, home=home) for word in words)
    # A colon in front: no $VARIABLE is looked for. Doubled dollars would not do in the program's own path.
    return f":{line}" if "$" in line else line


def words_of(line: str, home: str) -> list[str]:
    """The words of a line as `quoted` and `command_line` write it."""
    found = (
        _ESCAPED.sub(r"\1", inside) if bare == "" else bare for inside, bare in _WORD.findall(line.lstrip(":-@+!"))
    )
    return [word.replace("%%", "\0").replace("%h", home).replace("\0", "%") for word in found]


def _is_unicode(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True
