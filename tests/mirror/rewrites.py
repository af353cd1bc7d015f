"""Random rewrites of a transcript, as OpenClaw, its repairs, crashes and other programs make them.

Content in, content out, with the way it is to be written; the oracle of generations is a plain list.
"""

import random
from collections.abc import Callable

from tests.mirror.household import Household, header, message
from tests.mirror_checks import split_lines

Content = bytes

ODD_LINES = [
    b"\n",
    b" \t \r\n",
    b"[]\n",
    b"42\n",
    b"no json\n",
    b"\0" * 300 + b"\n",
    b'{"type":"message","id":"torn\n',
    message(7001)[:-1] + message(7002),
    message(7003)[:40] + message(7004),
    b"\0" * 64 + message(7005),
    b"\xef\xbb\xbf" + message(7006),
    message(7007, "half an emoji").replace(b"half", b"\\ud83d"),
    message(7008, "broken").replace(b"broken", b"\xff\xfe\xfd"),
    message(7009)[:-1] + b"\r\n",
    b'{"type":"unheard_of","id":"x"}\n',
]


class Rewriter:
    """Changes one file again and again; knows what it holds and which generations were seen."""

    def __init__(self, house: Household, name: str, number: int, rng: random.Random) -> None:
        self.house, self.name, self.number, self.rng = house, name, number, rng
        self.content: Content = header(number) + b"".join(message(each) for each in range(1, 6))
        self.entries = 5
        self.generations: list[bytes] = [b""]
        house.write(name, self.content)

    def seen(self) -> None:
        """A catch-up has looked: what it saw extends the newest generation or begins another."""
        complete = self.content[: self.content.rfind(b"\n") + 1]
        if complete.startswith(self.generations[-1]):
            self.generations[-1] = complete
        else:
            self.generations.append(complete)

    def step(self) -> str:
        """One random change; its name, for the message of a failing test."""
        changes: list[Callable[[], None]] = [
            self._append,
            self._append,
            self._append_odd,
            self._tear,
            self._same_size,
            self._drop_middle,
            self._insert_middle,
            self._truncate,
            self._truncate_to_line,
            self._middle_and_append,
            self._same_bytes,
            self._empty,
            self._swap_tail,
        ]
        change = self.rng.choice(changes)
        change()
        return change.__name__

    def _write(self, content: Content) -> None:
        """By one of the ways in which a whole file is rewritten."""
        self.content = content
        self.rng.choice([self.house.write, self.house.replace, self.house.recreate])(self.name, content)

    def _new_lines(self) -> bytes:
        made = []
        for _ in range(self.rng.randint(1, 4)):
            self.entries += 1
            made.append(
                message(
                    self.entries, self.rng.choice(["short", "long " * self.rng.randint(1, 900), "caf\u00e9 \U0001f600"])
                )
            )
        return b"".join(made)

    def _append(self) -> None:
        more = self._new_lines()
        self.content += more
        self.house.append(self.name, more)

    def _append_odd(self) -> None:
        more = b"".join(self.rng.choice(ODD_LINES) for _ in range(self.rng.randint(1, 3)))
        self.content += more
        self.house.append(self.name, more)

    def _tear(self) -> None:
        more = self._new_lines()
        more = more[: self.rng.randint(1, len(more) - 1)]
        self.content += more
        self.house.append(self.name, more)

    def _same_size(self) -> None:
        if len(self.content) < 400:
            return self._append()
        at = self.rng.randint(len(header(self.number)), len(self.content) - 1)
        self.content = self.content[:at] + b"#" + self.content[at + 1 :]
        self.house.put(self.name, b"#", at)
        return None

    def _lines(self) -> list[bytes]:
        return split_lines(self.content)

    def _drop_middle(self) -> None:
        lines = self._lines()
        if len(lines) > 2:
            del lines[self.rng.randint(0, len(lines) - 2)]
        self._write(b"".join(lines))

    def _insert_middle(self) -> None:
        lines = self._lines()
        lines.insert(self.rng.randint(min(1, len(lines)), max(1, len(lines) - 1)), self._new_lines())
        self._write(b"".join(lines))

    def _truncate(self) -> None:
        size = self.rng.randint(0, len(self.content))
        self.content = self.content[:size]
        self.house.truncate(self.name, size)

    def _truncate_to_line(self) -> None:
        lines = self._lines()
        self.content = b"".join(lines[: self.rng.randint(0, len(lines))])
        self.house.truncate(self.name, len(self.content))

    def _middle_and_append(self) -> None:
        """Two changes between two looks: the growth alone would hide the edit."""
        self._same_size()
        self._append()

    def _same_bytes(self) -> None:
        self._write(self.content)

    def _empty(self) -> None:
        """Truncated, then written again, in one gap."""
        if self.rng.random() < 0.3:
            self.content = b""
            self.house.truncate(self.name, 0)
        else:
            self._write(header(self.number) + self._new_lines())

    def _swap_tail(self) -> None:
        complete = self.content[: self.content.rfind(b"\n") + 1]
        self._write(complete + self._new_lines()[: self.rng.randint(0, 50)])
