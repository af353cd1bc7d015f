"""Deriving everything anew from the ledger's own bytes: the same rows, whatever the files' history, and none lost."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from syncd.ledger.database import open_for_writing
from syncd.ledger.derived import stale_transcripts
from syncd.ledger.lock import writer_lock
from syncd.ledger.projection import VERSION
from syncd.mirror.catchup import CatchUpOptions, Progress
from syncd.mirror.rebuild import derive_stale, rebuild_all
from tests.derived_rows import derived_rows, kept_rows, searched
from tests.mirror.household import (
    LATER_TIME,
    RESET_TIME,
    Household,
    compressed,
    header,
    household,
    line,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)
from tests.mirror_checks import (
    assert_mirrors,
    assert_sound,
    generations,
    mirrored,
    only_transcript,
    quarantined,
    query,
    transcript_at,
    transcripts,
)
from tests.mirror_fixtures import ALL_RELEASES, genuine
from tests.model.failpoint import Killed, dying_at

SMALL = CatchUpOptions(max_line_bytes=600)


class Counted(Progress):
    expected = 0
    done = 0

    def expect(self, total_bytes: int) -> None:
        self.expected += total_bytes

    def advance(self, done_bytes: int) -> None:
        self.done += done_bytes


def rebuilt(house: Household, options: CatchUpOptions = SMALL, progress: Progress | None = None) -> int:
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        return rebuild_all(ledger, options.max_line_bytes, progress or Progress())


def assert_rebuilds(house: Household, options: CatchUpOptions = SMALL) -> None:
    """A rebuild gives the same rows and answers, and changes nothing that is not derived."""
    path = house.ledger_path
    before = derived_rows(path), kept_rows(path), searched(path)
    assert rebuilt(house, options) == len(transcripts(path))
    after = derived_rows(path), kept_rows(path), searched(path)
    for table, rows in before[0].items():
        assert after[0][table] == rows, table
    for table, rows in before[1].items():
        assert after[1][table] == rows, table
    assert after[2] == before[2]
    assert_sound(path)


@pytest.mark.parametrize("release", ALL_RELEASES)
def test_genuine_files_of_every_release(tmp_path: Path, release: str) -> None:
    house = genuine(tmp_path, release)
    assert_rebuilds(house, CatchUpOptions())
    assert_mirrors(house)


@pytest.mark.parametrize("looks_between", [True, False])
def test_a_header_that_comes_again_after_a_rewrite_took_it_away(house: Household, *, looks_between: bool) -> None:
    """What it says of the file does not go by how many looks there were."""
    house.write(name_of(1), header(1, parentSession="/elsewhere/other.jsonl") + message(1))
    mirrored(house)
    assert only_transcript(house.ledger_path).kind == "fork"
    house.write(name_of(1), messages(1, 2))
    if looks_between:
        mirrored(house)
    house.append(name_of(1), header(1) + message(3))
    mirrored(house)
    assert only_transcript(house.ledger_path).kind == "primary"
    assert_rebuilds(house)


CALL = {"type": "toolCall", "id": "c1", "name": "exec", "arguments": {"command": "ls"}}
RESULT = {"role": "toolResult", "toolCallId": "c1", "toolName": "exec", "content": "done", "isError": False}


def call(number: int) -> bytes:
    return line({"type": "message", "id": f"{number:08x}", "message": {"role": "assistant", "content": [CALL]}})


def result(number: int, **more: object) -> bytes:
    return line({"type": "message", "id": f"{number:08x}", "message": {**RESULT, **more}})


def several_generations(house: Household) -> None:
    for form in (
        transcript(1, 6) + call(7) + result(8) + result(9),
        header(1) + messages(1, 3) + messages(5, 6) + call(7) + result(8, isError=True),
        header(1) + messages(1, 2),
        header(1) + message(1, "otherwise") + messages(2, 9) + call(10) + call(11) + result(12),
        b"",
        header(1, version=4, cwd="/moved") + messages(1, 3),
    ):
        house.write(name_of(1), form)
        mirrored(house, SMALL)


def headers_that_came_and_went(house: Household) -> None:
    for form in (transcript(1, 3), messages(1, 3), messages(2, 4) + header(1), header(1) + header(2) + messages(1, 2)):
        house.write(name_of(1), form)
        mirrored(house, SMALL)


def long_lines(house: Household) -> None:
    house.write(name_of(1), header(1) + message(1, "x" * 700) + messages(2, 3) + message(4, "y" * 5000))
    mirrored(house, SMALL)
    house.append(name_of(1), message(5) + message(6, "z" * 900))
    house.replace(name_of(2), header(2) + message(1, "v" * 900)[:-1])
    mirrored(house, SMALL)
    house.replace(name_of(1), header(1) + message(1, "x" * 700) + message(3))
    mirrored(house, SMALL)


def blank_lines(house: Household) -> None:
    for blank in (b"", b" \t\r" * 300):
        house.write(
            name_of(1), b"\n" + header(1) + blank + b"\n" + header(1) + messages(1, 2) + blank + b"\n" + message(3)
        )
        house.write(name_of(2), transcript(2, 1) + b"\n" * 900 + blank)
        mirrored(house, SMALL)
    house.rename(name_of(2), f"{name_of(2)}.reset.{RESET_TIME}")
    mirrored(house, SMALL)
    assert quarantined(house.ledger_path) == []


def quarantine_and_salvage(house: Household) -> None:
    whole = message(1)[:-1]
    odd = (
        b"not json\n\n  \n42\n\0\0\n" + whole + whole + b"\n" + b'{"type":"mess' + whole + b"\n" + b"\0" + whole + b"\n"
    )
    house.write(
        name_of(1),
        header(1) + odd + whole.replace(b"said", b"\\ud83d") + b"\n" + whole.replace(b"said", b"\xff") + b"\n",
    )
    mirrored(house, SMALL)
    house.write(name_of(1), header(1) + b"not json\n\n" + message(2))
    mirrored(house, SMALL)


def last_lines_without_a_newline(house: Household) -> None:
    for number in (1, 2, 3):
        house.write(name_of(number), transcript(number, 2) + message(3)[:-1])
    house.write(f"{name_of(4)}.deleted.{RESET_TIME}", transcript(4, 2) + b'{"type":"mess')
    mirrored(house, SMALL)
    house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    house.path(name_of(2)).unlink()
    mirrored(house, SMALL)
    assert [row.name for row in transcripts(house.ledger_path) if row.tail_bytes > 0] == [name_of(3)]


def trajectories_archives_and_copies(house: Household) -> None:
    house.write(
        f"{session_id(1)}.trajectory.jsonl",
        b'{"traceSchema":"x","type":"session.started"}\n' * 9 + b"not json\n" + b"w" * 900 + b"\n",
    )
    house.write(f"{name_of(2)}.deleted.{RESET_TIME}.zst", compressed(transcript(2, 4)))
    for number in (3, 4):
        house.write(name_of(number), transcript(number, 5))
    house.write(f"{session_id(3)}.checkpoint.{session_id(9)}.jsonl", transcript(3, 3))
    mirrored(house, SMALL)
    house.rename(name_of(4), f"{name_of(4)}.reset.{RESET_TIME}")
    house.write(name_of(4), transcript(4, 1))
    mirrored(house, SMALL)
    house.rename(name_of(4), f"{name_of(4)}.reset.{LATER_TIME}")
    mirrored(house, SMALL)


def forks_and_successors(house: Household) -> None:
    parent = {"parentSession": str(house.path(name_of(1)))}
    compaction = line({"type": "compaction", "id": "c", "summary": "s", "firstKeptEntryId": f"{3:08x}"})
    house.write(name_of(1), transcript(1, 5))
    house.write(name_of(2), header(2, **parent) + messages(1, 3))
    house.write(name_of(3), header(3, **parent) + messages(3, 5) + compaction)
    house.write(name_of(4), header(4, **parent) + messages(3, 4))
    mirrored(house, SMALL)
    house.append(name_of(4), message(5) + compaction)
    house.append(name_of(2), message(6))
    mirrored(house, SMALL)


HISTORIES: list[Callable[[Household], None]] = [
    several_generations,
    headers_that_came_and_went,
    long_lines,
    blank_lines,
    quarantine_and_salvage,
    last_lines_without_a_newline,
    trajectories_archives_and_copies,
    forks_and_successors,
]


@pytest.mark.parametrize("history", HISTORIES)
def test_the_same_rows_for_every_history(house: Household, history: Callable[[Household], None]) -> None:
    history(house)
    assert_rebuilds(house)
    assert_mirrors(house, SMALL)


def test_all_histories_in_one_ledger(house: Household, tmp_path: Path) -> None:
    for number, history in enumerate(HISTORIES):
        agent = Household(tmp_path / f"apart{number}", tmp_path / "apart" / f"{number}.db")
        history(agent)
        shutil.move(agent.sessions(), house.state_dir / "agents" / f"a{number}" / "sessions")
    mirrored(house, SMALL)
    assert_rebuilds(house)


def test_a_rebuild_reads_nothing_of_openclaws_and_what_only_the_ledger_has_survives(house: Household) -> None:
    several_generations(house)
    last_lines_without_a_newline(house)
    forms = {row.id: generations(house.ledger_path, row) for row in transcripts(house.ledger_path)}
    shutil.rmtree(house.sessions())
    house.sessions()
    mirrored(house, SMALL)
    assert {row.state for row in transcripts(house.ledger_path)} == {"gone"}
    shutil.rmtree(house.state_dir)
    assert_rebuilds(house)
    house.sessions()
    mirrored(house, SMALL)
    for row in transcripts(house.ledger_path):
        assert generations(house.ledger_path, row)[: len(forms[row.id]) - 1] == forms[row.id][:-1]
        assert generations(house.ledger_path, row)[-1].startswith(forms[row.id][-1])


def test_a_rebuild_cut_short_anywhere_is_whole_meanwhile_and_finished_by_the_next_catch_up(house: Household) -> None:
    several_generations(house)
    house.write(name_of(2), transcript(2, 3))
    quarantine_and_salvage(house)
    path = house.ledger_path
    before, kept, answers = derived_rows(path), kept_rows(path), searched(path)
    for statement in [*range(1, 60, 4), 90, 120, 150, 400]:
        with writer_lock(path), open_for_writing(path) as ledger:
            try:
                with dying_at(ledger, statement):
                    rebuild_all(ledger, SMALL.max_line_bytes, Progress())
                is_cut_short = False
            except Killed:
                is_cut_short = True
        assert derived_rows(path) == before, "each transcript has one whole set of rows at every moment"
        assert searched(path) == answers, "the search finds as much at every moment"
        assert query(path, "PRAGMA foreign_key_check") == []
        house.catch_up(SMALL)
        assert (derived_rows(path), searched(path)) == (before, answers)
        assert kept_rows(path) == kept
        assert_sound(path)
    assert not is_cut_short, "the last one had statements enough"


FAMILY = (
    "SELECT id, kind, parent_transcript_id, parent_session, lineage_id, header_version FROM transcripts ORDER BY id"
)


def households_with_families(place: Path) -> Iterator[Household]:
    for release in ALL_RELEASES:
        yield genuine(place / release, release)
    house = household(place / "family")
    parent = {"parentSession": str(house.path(name_of(1)))}
    compaction = line({"type": "compaction", "id": "c", "summary": "s", "firstKeptEntryId": f"{3:08x}"})
    house.write(name_of(1), transcript(1, 5))
    house.write(name_of(2), header(2, **parent) + messages(1, 5) + message(6))  # a fork
    house.write(name_of(3), header(3, **parent) + messages(3, 5) + compaction)  # a successor
    house.write(name_of(4), header(4, parentSession=str(house.path(name_of(2)))) + messages(1, 7))  # a fork's fork
    house.write(f"{name_of(1)}.bak-1-1", transcript(1, 3))
    mirrored(house, SMALL)
    for number, end in ((2, message(7)), (3, message(8))):  # what was rewritten was another's child once
        house.write(name_of(number), house.path(name_of(number)).read_bytes().replace(b"number 4", b"nothing") + end)
    mirrored(house, SMALL)
    kinds = {row.name: row.kind for row in transcripts(house.ledger_path)}
    assert [kinds[name_of(number)] for number in (1, 2, 3, 4)] == ["primary", "fork", "successor", "fork"]
    yield house


def test_forks_successors_and_lineages_come_out_of_a_rebuild_as_they_were(tmp_path: Path) -> None:
    for house in households_with_families(tmp_path):
        before = query(house.ledger_path, FAMILY)
        rebuilt(house, CatchUpOptions())
        assert query(house.ledger_path, FAMILY) == before
        house.catch_up(CatchUpOptions(prove_all=True))
        assert query(house.ledger_path, FAMILY) == before


def test_a_rebuild_makes_a_broken_search_index_whole(house: Household) -> None:
    several_generations(house)
    path = house.ledger_path
    answers = searched(path)
    connection = apsw.Connection(str(path))
    connection.execute("DELETE FROM search_docsize WHERE id = (SELECT max(id) FROM search_docsize)")
    connection.execute("UPDATE search_data SET block = zeroblob(length(block)) WHERE id > 10")
    connection.close()
    rebuilt(house)
    assert searched(path) == answers
    assert_sound(path)


def test_foreign_keys_are_watched_again_after_a_rebuild_and_after_one_that_failed(house: Household) -> None:
    several_generations(house)
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        with pytest.raises(Killed), dying_at(ledger, 20):
            rebuild_all(ledger, SMALL.max_line_bytes, Progress())
        assert not ledger.connection.in_transaction
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        rebuild_all(ledger, SMALL.max_line_bytes, Progress())
        assert ledger.row("PRAGMA foreign_keys") == (1,)


def test_rows_of_older_rules_are_derived_anew_by_the_next_catch_up(house: Household) -> None:
    several_generations(house)
    house.write(name_of(2), transcript(2, 3))
    mirrored(house, SMALL)
    path = house.ledger_path
    before, answers = derived_rows(path), searched(path)
    with writer_lock(path), open_for_writing(path) as ledger:
        ledger.run("UPDATE transcripts SET projection = ? WHERE id = 2", (VERSION + 1,))
        assert stale_transcripts(ledger, VERSION) == [2]
    house.catch_up(SMALL)
    assert (derived_rows(path), searched(path)) == (before, answers)
    assert query(path, "SELECT DISTINCT projection FROM transcripts") == [(VERSION,)]
    assert_sound(path)


def test_a_limit_that_was_raised_makes_long_lines_readable_and_a_lowered_one_does_not(house: Household) -> None:
    house.write(name_of(1), header(1) + message(1, "x" * 900) + message(2))
    mirrored(house, SMALL)
    assert [reason for _, reason in quarantined(house.ledger_path)] == ["too_long"]
    rebuilt(house, CatchUpOptions())
    assert quarantined(house.ledger_path) == []
    assert query(house.ledger_path, "SELECT text FROM messages") == [("x" * 900,), ("what was said as number 2",)]
    assert_mirrors(house)
    rebuilt(house, CatchUpOptions(max_line_bytes=10))
    assert [reason for _, reason in quarantined(house.ledger_path)] == ["too_long"] * 3
    assert_mirrors(house)


def test_a_rebuild_of_nothing_is_nothing(house: Household) -> None:
    mirrored(house, SMALL)
    assert rebuilt(house) == 0
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        assert derive_stale(ledger, SMALL.max_line_bytes, Progress()) == 0


def test_progress_tells_of_every_byte(house: Household) -> None:
    several_generations(house)
    progress = Counted()
    rebuilt(house, progress=progress)
    assert (
        progress.done
        == progress.expected
        == sum(size for (size,) in query(house.ledger_path, "SELECT byte_length FROM _blocks"))
    )


def test_a_header_taken_in_before_the_rest_of_its_file_tells_the_same(house: Household) -> None:
    """Read at one go or line by line: a successor is one either way."""
    parent = {"parentSession": str(house.path(name_of(1)))}
    compaction = line({"type": "compaction", "id": "c", "summary": "s", "firstKeptEntryId": f"{3:08x}"})
    house.write(name_of(1), transcript(1, 5))
    for part in (header(2, **parent), messages(3, 3), messages(4, 5), compaction):
        house.append(name_of(2), part)
        mirrored(house, SMALL)
    house.write(name_of(3), header(3, **parent) + messages(3, 5) + compaction)
    mirrored(house, SMALL)
    kinds = [transcript_at(house.ledger_path, name_of(number)).kind for number in (1, 2, 3)]
    assert kinds == ["primary", "successor", "successor"]
    assert_rebuilds(house)


def test_a_rebuilt_transcript_goes_on_being_mirrored(house: Household) -> None:
    several_generations(house)
    rebuilt(house)
    house.append(name_of(1), call(20))
    mirrored(house, SMALL)
    rebuilt(house)
    house.append(name_of(1), result(21))
    mirrored(house, SMALL)
    statuses = query(house.ledger_path, "SELECT status FROM tool_calls ORDER BY id DESC LIMIT 1")
    assert statuses == [("paired",)]
    assert only_transcript(house.ledger_path).generation == 5
    assert_rebuilds(house)


def test_what_is_salvaged_from_a_line_is_a_step_of_no_turn_however_it_is_read(house: Household) -> None:
    house.write(name_of(1), header(1) + message(1) + message(2)[:-1] + message(3))
    mirrored(house)
    house.append(name_of(1), message(4) + message(5)[:-1] + message(6))
    mirrored(house)
    turns = "SELECT salvaged, turn_id IS NULL, count(*) FROM messages JOIN entries USING (id) GROUP BY 1, 2"
    assert query(house.ledger_path, turns) == [(0, 0, 2), (1, 1, 4)]
    assert_rebuilds(house)
