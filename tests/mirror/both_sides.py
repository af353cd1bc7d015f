"""One agent on both sides: in files, in OpenClaw's database, in the archives of each, and moved between them."""

from hashlib import sha256
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.mirror.household import compressed, header, household, name_of, session_id
from tests.mirror.test_store import store_path
from tests.mirror_checks import generations, query, transcripts
from tests.openclaw_store import AgentStore
from tests.usage_corpus import answer

NUMBERS = (1, 1, 1, 2)
ACTS = (
    "write", "rewrite", "import_", "import_and_keep", "put_back", "begin_stored", "append_stored", "cut_stored",
    "replace_stored", "delete", "delete_into_archive", "publish_archive", "prune_archive", "restart", "swap_database",
)  # fmt: skip
Act = tuple[str, int, bool]
"""What, to which session, and whether it is looked at before the next."""


def histories(longest: int) -> SearchStrategy[list[Act]]:
    act = st.tuples(st.sampled_from(ACTS), st.sampled_from(NUMBERS), st.booleans())
    return st.lists(act, min_size=3, max_size=longest)


ARCHIVE = """INSERT INTO session_transcript_archives (session_id, generation, session_key, reason, encoding,
    archive_blob, archive_sha256, archive_name, created_at) VALUES (?, ?, 'k', 'deleted', 'zstd', ?, ?, ?, 1)"""


class Archive:
    """In the database, then as a file, then in neither."""

    def __init__(self, name: str, content: bytes) -> None:
        self.name, self.content = name, content
        self.is_published = self.is_pruned = False


class Agent:
    def __init__(self, place: Path) -> None:
        self.house = household(place)
        self.store = AgentStore(store_path(self.house))
        self.seen: dict[int, list[bytes]] = {number: [] for number in NUMBERS}
        self.moved: dict[int, Path] = {}
        self.archives: list[tuple[int, Archive]] = []
        self.said = self.acts = 0

    # What there is

    def say(self) -> bytes:
        self.said += 1
        return answer(self.said)

    def file(self, number: int) -> bytes:
        path = self.house.path(name_of(number))
        return path.read_bytes() if path.exists() else b""

    def stored(self, number: int) -> bytes:
        return self.store.content(session_id(number))

    def contents(self, number: int) -> list[bytes]:
        archived = [each.content for of, each in self.archives if of == number and not each.is_pruned]
        moved = [self.moved[number].read_bytes()] if number in self.moved else []
        return [content for content in (self.file(number), self.stored(number), *archived, *moved) if content]

    # What OpenClaw does; an act that makes no sense just now does nothing

    def act(self, what: str, number: int) -> None:
        self.acts += 1
        getattr(self, what)(number)

    def write(self, number: int) -> None:
        if self.file(number):
            self.house.append(name_of(number), self.say())
        elif number not in self.moved:
            self.house.write(name_of(number), header(number) + self.say() + self.say())

    def rewrite(self, number: int) -> None:
        if lines := self.file(number).splitlines(keepends=True):
            self.house.replace(name_of(number), b"".join(lines[: max(1, len(lines) - 1)]) + self.say())

    def import_and_keep(self, number: int) -> None:
        content, stored, session = self.file(number), self.stored(number), session_id(number)
        if not content:
            return
        if not stored:
            self.store.delete_session(session)
            self.store.import_lines(session, content)
        elif content.startswith(stored):
            self.store.append(session, *content[len(stored) :].splitlines(keepends=True))
        elif not stored.startswith(content):
            self.store.replace(session, content)

    def import_(self, number: int) -> None:
        self.import_and_keep(number)
        if self.file(number) and number not in self.moved:
            place = (
                self.house.import_archive() / f"agent_main_main.{name_of(number)}.imported-{1794802732071 + self.acts}"
            )
            self.moved[number] = self.house.path(name_of(number)).rename(place)

    def put_back(self, number: int) -> None:
        if number in self.moved and not self.file(number):
            self.moved.pop(number).rename(self.house.path(name_of(number)))

    def begin_stored(self, number: int) -> None:
        if not self.stored(number):
            self.store.delete_session(session_id(number))
            self.store.add_session(session_id(number))
            self.store.append(session_id(number), header(number, version=4), self.say())

    def append_stored(self, number: int) -> None:
        if self.stored(number):
            self.store.append(session_id(number), self.say(), is_packed=self.acts % 3 == 0)

    def cut_stored(self, number: int) -> None:
        if self.stored(number).count(b"\n") > 1:
            self.store.remove_trailing(session_id(number), 1)

    def replace_stored(self, number: int) -> None:
        if lines := self.stored(number).splitlines(keepends=True):
            self.store.replace(session_id(number), b"".join(lines[: 1 + self.acts % len(lines)]) + self.say())

    def delete(self, number: int) -> None:
        self.store.delete_session(session_id(number))

    def delete_into_archive(self, number: int) -> None:
        if not (content := self.stored(number)):
            return
        generation, packed = f"{self.acts:032x}", compressed(content)
        name = f"{name_of(number)}.deleted.2026-11-16T04-00-{self.acts:02}.549Z.{generation}.zst"
        row = (session_id(number), generation, packed, sha256(packed).hexdigest(), name)
        with self.store.connection:
            self.store.delete_session(session_id(number))
            self.store.connection.execute(ARCHIVE, row)
        self.archives.append((number, Archive(name, content)))

    def publish_archive(self, number: int) -> None:
        for of, each in self.archives:
            if of == number and not each.is_published:
                (self.house.sessions() / each.name).write_bytes(compressed(each.content))
                each.is_published = True
                return

    def prune_archive(self, number: int) -> None:
        for of, each in self.archives:
            if of == number and each.is_published and not each.is_pruned:
                (self.house.sessions() / each.name).unlink()
                self.store.connection.execute(
                    "DELETE FROM session_transcript_archives WHERE archive_name = ?", (each.name,)
                )
                each.is_pruned = True
                return

    def restart(self, _: int) -> None:
        self.store.close()
        self.store = AgentStore(self.store.path)

    def swap_database(self, _: int) -> None:
        """The same database as another file, as a restored backup is."""
        self.store.close()
        copy = self.store.path.with_name("copy")
        copy.write_bytes(self.store.path.read_bytes())
        self.store = AgentStore(copy.rename(self.store.path))

    # What syncd makes of it

    def assert_kept(self) -> None:
        """`verify` is equal, and nothing that was ever seen is lost. Which of several places of the same bytes is
        called live is not asked here.
        """
        assert self.house.verify().differences == []
        for number, seen in self.seen.items():
            rows = transcripts(self.house.ledger_path, "session_id = ?", session_id(number))
            kept = [each for row in rows for each in generations(self.house.ledger_path, row)]
            assert all(any(each.startswith(content) for each in kept) for content in (*seen, *self.contents(number)))

    def remember(self) -> None:
        """What there is now is seen."""
        for number, seen in self.seen.items():
            seen.extend(self.contents(number))

    def answers_counted(self) -> int:
        ((count,),) = query(self.house.ledger_path, "SELECT coalesce(sum(messages), 0) FROM daily_usage")
        return int(count)
