"""What happens to the files of a sessions folder: one rule for each way in which they were ever seen to change.

Half of a state machine; the mirror's half is in `machine`.
"""

import os

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.model.folder import COPY_KINDS, HOWS, PRIMARIES, SESSION_IDS, TRAJECTORY, How, SessionsFolder, is_zst
from tests.model.line_shapes import header, lines, some_lines
from tests.model.oracle import lines_of

picks = st.integers(0, 7)
hows = st.sampled_from(HOWS)
heads = st.one_of(
    st.builds(header, st.sampled_from(SESSION_IDS)),
    st.builds(header, st.sampled_from(SESSION_IDS), st.sampled_from(PRIMARIES)),
    st.just(b""),
)
"""How a file begins: a session's header, a fork's, or none."""


class FileRules(RuleBasedStateMachine):
    folder: SessionsFolder

    # Picking

    def _any_file(self, pick: int) -> str:
        """Mostly a primary: those are what lives."""
        names = sorted(self.folder.content, key=lambda name: (name not in PRIMARIES, name))
        return names[pick % len(names)]

    def _plain_file(self, pick: int) -> str | None:
        name = self._any_file(pick)
        return None if is_zst(name) else name

    # What happens to files

    @initialize(body=some_lines)
    def begin(self, body: bytes) -> None:
        self.folder.write(PRIMARIES[0], header(SESSION_IDS[0]) + body, "in_place")

    @rule(name=st.sampled_from([*PRIMARIES, TRAJECTORY]), head=heads, body=some_lines)
    def create(self, name: str, head: bytes, body: bytes) -> None:
        if name not in self.folder.content:
            self.folder.write(name, head + body, "in_place")

    @precondition(lambda self: self.folder.content)
    @rule(pick=picks, body=some_lines)
    def append_lines(self, pick: int, body: bytes) -> None:
        self.folder.append(self._any_file(pick), body)

    @precondition(lambda self: self.folder.content)
    @rule(pick=picks, session_id=st.sampled_from(SESSION_IDS))
    def append_second_header(self, pick: int, session_id: str) -> None:
        name = self._any_file(pick)
        if self.folder.content[name].endswith(b"\n"):
            self.folder.append(name, header(session_id))

    @precondition(lambda self: self.folder.content)
    @rule(pick=picks, line=lines, share=st.floats(0.05, 0.95))
    def tear(self, pick: int, line: bytes, share: float) -> None:
        name, cut = self._any_file(pick), max(1, int(len(line) * share))
        self.folder.append(name, line[:cut])
        self.folder.torn[name] = line[cut:]

    @precondition(lambda self: self.folder.torn)
    @rule(pick=picks)
    def complete(self, pick: int) -> None:
        names = sorted(self.folder.torn)
        name = names[pick % len(names)]
        self.folder.append(name, self.folder.torn[name])

    @precondition(lambda self: self.folder.content)
    @rule(pick=picks, share=st.floats(0, 1), keeps_mtime=st.booleans())
    def rewrite_at_same_size(self, pick: int, share: float, keeps_mtime: bool) -> None:
        """A letter or digit becomes another one."""
        name = self._plain_file(pick)
        if name is None:
            return
        content = self.folder.content[name]
        signs = [index for index, sign in enumerate(content) if chr(sign).isascii() and chr(sign).isalnum()]
        if signs:
            offset = signs[int(share * (len(signs) - 1))]
            sign = b"8" if content[offset : offset + 1] != b"8" else b"y"
            self.folder.patch(name, offset, sign, keeps_mtime=keeps_mtime)

    @precondition(lambda self: self.folder.content)
    @rule(pick=picks, index=st.integers(0, 9), how=hows)
    def drop_line(self, pick: int, index: int, how: How) -> None:
        name = self._any_file(pick)
        parts = [line.text for line in lines_of(self.folder.content[name])]
        if parts:
            del parts[index % len(parts)]
            self.folder.write(name, b"".join(parts), how)

    @precondition(lambda self: self.folder.content)
    @rule(pick=picks, index=st.integers(0, 9), line=lines, more=some_lines, how=hows)
    def edit_line_and_append(self, pick: int, index: int, line: bytes, more: bytes, how: How) -> None:
        name = self._any_file(pick)
        parts = [each.text for each in lines_of(self.folder.content[name])]
        if parts:
            parts[index % len(parts)] = line
            self.folder.write(name, b"".join(parts) + more, how)

    @precondition(lambda self: self.folder.content)
    @rule(pick=picks, share=st.floats(0, 1))
    def truncate_to_prefix(self, pick: int, share: float) -> None:
        name = self._plain_file(pick)
        if name is not None:
            self.folder.truncate(name, int(share * len(self.folder.content[name])))

    @precondition(lambda self: self.folder.content)
    @rule(pick=picks)
    def truncate_to_nothing(self, pick: int) -> None:
        name = self._plain_file(pick)
        if name is not None:
            self.folder.truncate(name, 0)

    @precondition(lambda self: self.folder.content)
    @rule(pick=picks, size=st.sampled_from([1, 30, 600]))
    def grow_by_a_hole(self, pick: int, size: int) -> None:
        name = self._plain_file(pick)
        if name is not None:
            self.folder.truncate(name, len(self.folder.content[name]) + size)

    @precondition(lambda self: self.folder.content)
    @rule(pick=picks, head=heads, body=some_lines, how=hows)
    def replace(self, pick: int, head: bytes, body: bytes, how: How) -> None:
        self.folder.write(self._any_file(pick), head + body, how)

    @precondition(lambda self: self.folder.past)
    @rule(pick=picks, back=st.integers(0, 3), how=hows)
    def put_back_an_earlier_version(self, pick: int, back: int, how: How) -> None:
        names = sorted(self.folder.past)
        name = names[pick % len(names)]
        versions = self.folder.past[name]
        self.folder.write(name, versions[back % len(versions)], how)

    @precondition(lambda self: self.folder.content)
    @rule(pick=picks, how=hows)
    def rewrite_same_bytes(self, pick: int, how: How) -> None:
        name = self._any_file(pick)
        self.folder.write(name, self.folder.content[name], how)

    @precondition(lambda self: self.folder.content)
    @rule(pick=picks, where=st.sampled_from(["mtime", "atime_and_mtime_of_1999"]))
    def touch(self, pick: int, where: str) -> None:
        path = self.folder.path_of(self._any_file(pick))
        os.utime(path, None if where == "mtime" else (930000000, 930000000))

    @precondition(lambda self: any(name in PRIMARIES for name in self.folder.content))
    @rule(pick=picks, how=st.sampled_from(["reset", "deleted"]), packed=st.booleans(), unread=some_lines)
    def archive(self, pick: int, how: str, packed: bool, unread: bytes) -> None:
        name = self._primary(pick)
        if unread:
            self.folder.append(name, unread)
        self.folder.archive(name, how, packed=packed)

    @precondition(lambda self: any(name in PRIMARIES for name in self.folder.content))
    @rule(pick=picks, how=st.sampled_from(["reset", "deleted"]), head=heads, body=some_lines)
    def archive_and_begin_anew(self, pick: int, how: str, head: bytes, body: bytes) -> None:
        name = self._primary(pick)
        self.folder.archive(name, how, packed=False)
        self.folder.write(name, head + body, "in_place")

    def _primary(self, pick: int) -> str:
        names = sorted(name for name in self.folder.content if name in PRIMARIES)
        return names[pick % len(names)]

    @precondition(lambda self: any(name in PRIMARIES for name in self.folder.content))
    @rule(pick=picks, kind=st.sampled_from(COPY_KINDS))
    def copy_aside(self, pick: int, kind: str) -> None:
        self.folder.copy(self._primary(pick), kind)

    @precondition(lambda self: any(name in PRIMARIES for name in self.folder.content))
    @rule(pick=picks, onto=st.sampled_from(PRIMARIES))
    def copy_over_another_session(self, pick: int, onto: str) -> None:
        self.folder.write(onto, self.folder.content[self._primary(pick)], "in_place")

    @precondition(lambda self: any(name in PRIMARIES for name in self.folder.content))
    @rule(pick=picks, keeps_original=st.booleans())
    def import_into_sqlite(self, pick: int, keeps_original: bool) -> None:
        self.folder.move_to_import_archive(self._primary(pick), keeps_original=keeps_original)

    @rule(name=st.sampled_from(PRIMARIES))
    def lock(self, name: str) -> None:
        if name not in self.folder.locked:
            self.folder.lock(name)

    @precondition(lambda self: self.folder.locked)
    @rule(pick=picks)
    def unlock(self, pick: int) -> None:
        names = sorted(self.folder.locked)
        self.folder.unlock(names[pick % len(names)])

    @precondition(lambda self: self.folder.content)
    @rule(pick=picks)
    def delete(self, pick: int) -> None:
        self.folder.delete(self._any_file(pick))

    @precondition(lambda self: self.folder.deleted)
    @rule(pick=picks)
    def return_of_a_deleted_file(self, pick: int) -> None:
        name, content = self.folder.deleted.pop(pick % len(self.folder.deleted))
        if name not in self.folder.content:
            self.folder.write(name, content, "in_place")
