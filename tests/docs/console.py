"""Commands in README.md and docs/, taken out of their code blocks.

A block marked `console` is a session: `$ ` begins a command, what follows is its output, of which "…" leaves the rest
out and of which nothing need be shown. One marked `sh` is commands only. `clone` behind it: `make test-package` runs it
in a clean clone; `not-run: reason`: nothing does, for that reason. One ends well unless its comment says `exit N`;
one whose comment says `until Ctrl-C` is ended by that.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_BLOCK = re.compile(r"^```(\w*)[ ]?([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_EXIT = re.compile(r"#.*\bexit (\d+)")
KINDS = ("console", "sh")


@dataclass(frozen=True)
class Command:
    text: str
    output: str = ""

    @property
    def exit_code(self) -> int:
        told = _EXIT.search(self.text)
        return int(told[1]) if told else 0

    @property
    def is_endless(self) -> bool:
        return "until Ctrl-C" in self.text

    @property
    def shown(self) -> str:
        """Without its comment."""
        return re.sub(r"\s+# .*", "", self.text)


@dataclass(frozen=True)
class Block:
    kind: str
    mark: str
    commands: tuple[Command, ...]


def blocks(page: str) -> Iterator[Block]:
    """Every code block; those of another kind than KINDS have no commands."""
    for kind, mark, body in _BLOCK.findall(page):
        found = _session(body) if kind == "console" else _script(body) if kind == "sh" else ()
        yield Block(kind, mark, tuple(found))


def _session(body: str) -> Iterator[Command]:
    assert body.startswith("$ "), body
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        text, _, output = part.partition("\n")
        yield Command(text, output)


def _script(body: str) -> Iterator[Command]:
    for line in body.splitlines():
        if line and not line.startswith("#"):
            yield Command(line)


def differences(shown: str, printed: str) -> bool:
    """Whether what is shown is not what is printed, but for times, sizes on disk and the rest behind "…"."""
    expected, cut, _ = _lasting(shown).partition("…\n")
    found = _lasting(printed)
    return not (found.startswith(expected) and (cut or found == expected))


def _lasting(text: str) -> str:
    text = re.sub(r"\d+\.\d+ s\b", "N s", text)
    text = re.sub(r"/(?:[\w.-]+/)*you/", "~/", text)
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)
