"""What retention takes out of a transcript leaves holes: proven by their hashes, mended around, never filled again."""

import hashlib
import json
import random
from dataclasses import replace

import apsw
import pytest

from syncd.jobs.policies import Policies
from syncd.ledger import dropping
from syncd.ledger.database import open_for_reading
from syncd.ledger.raw import holes
from tests.conftest import Cli
from tests.derived_rows import derived_rows
from tests.jobs.old_sessions import (
    BODY,
    DAY,
    WORD,
    call,
    retained,
    settle,
    sound,
    talk,
    tool_result,
)
from tests.jobs.traces import places_with
from tests.mirror.household import Household, header, line, message, name_of, session_id
from tests.mirror_checks import exported, query, transcripts


def test_bodies_of_old_tool_results_become_holes_that_verify_proves(house: Household, cli_in_process: Cli) -> None:
    house.write(name_of(1), talk(1))
    house.write(name_of(2), header(2) + call(2) + tool_result(3, "still young", at=4_000_000_000_000))
    settle(house)
    said = query(house.ledger_path, "SELECT text_bytes, says_error, is_error FROM messages WHERE role = 'toolResult'")

    done = retained(house, Policies(tool_results=90 * DAY))

    assert done.ok
    assert done.removed["tool_results"].entries == 2
    assert places_with(house.ledger_path.parent, WORD) == []
    sound(house, cli_in_process)
    facts = "SELECT text_bytes, says_error, is_error FROM messages WHERE role = 'toolResult'"
    assert query(house.ledger_path, facts) == said
    row = query(
        house.ledger_path, "SELECT what, why, transcripts, entries, bytes > 2600, scoured_at > 0 FROM tombstones"
    )
    assert row == [("tool_results", "tool_results", 1, 2, 1, 1)]
    # A file that changed where a hole is no longer fits.
    content = bytearray(house.path(name_of(1)).read_bytes())
    content[content.index(WORD.encode())] ^= 1
    house.write(name_of(1), bytes(content))
    found = house.verify()
    assert [item.reason for item in found.differences] == ["bytes differ"]
    again = retained(house, Policies(tool_results=90 * DAY))
    assert again.removed == {}, "what is dropped is not dropped again"


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE tool_calls SET name = 'rm' || name",
        "UPDATE messages SET text_bytes = text_bytes + 1 WHERE role = 'toolResult'",
        "UPDATE messages SET tool_call_id = 'another' WHERE role = 'toolResult'",
        "UPDATE entries SET type = 'massage' WHERE type = 'message'",
    ],
)
def test_rows_that_rot_beside_holes_are_found_and_made_again(
    house: Household, cli_in_process: Cli, damage: str
) -> None:
    house.write(name_of(1), talk(1))
    settle(house)
    retained(house, Policies(tool_results=90 * DAY))
    before = derived_rows(house.ledger_path)
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute(damage)
    connection.close()
    assert derived_rows(house.ledger_path) != before
    assert cli_in_process("ledger", "check", env=house.environ).exit_code == 1
    assert cli_in_process("repair", env=house.environ).exit_code == 0
    assert derived_rows(house.ledger_path) == before
    sound(house, cli_in_process)


def test_results_of_two_generations_at_one_place_go_together(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dropping, "_MOST_AT_ONCE", 1)
    for word in ("a beginning", "a bEginning"):
        house.write(name_of(1), header(1) + message(1, word) + call(2) + tool_result(3, BODY))
        settle(house)
    assert retained(house, Policies(tool_results=90 * DAY)).removed["tool_results"].entries == 2
    assert places_with(house.ledger_path.parent, WORD) == []


def test_export_names_the_holes_and_keeps_every_other_byte(house: Household, cli_in_process: Cli) -> None:
    house.write(name_of(1), talk(1))
    settle(house)
    retained(house, Policies(tool_results=90 * DAY))
    given = cli_in_process("export", session_id(1), env=house.environ)
    original = house.path(name_of(1)).read_bytes()
    assert given.exit_code == 0
    assert "3 holes" in given.stderr
    assert len(given.stdout_bytes) == len(original)
    for before, after in zip(original.splitlines(), given.stdout_bytes.splitlines(), strict=True):
        one, other = json.loads(before), json.loads(after)
        for value in (one, other):
            if value.get("message", {}).get("role") == "toolResult":
                value["message"].pop("content")
                value["message"].pop("details", None)
        assert one == other
    shown = cli_in_process("show", session_id(1), "--full", env=house.environ).stdout
    assert shown.count("[dropped by retention]") == 2
    offset, length, digest = _first_hole(given.stderr)
    assert hashlib.sha256(original[offset : offset + length]).hexdigest() == digest
    assert given.stdout_bytes[offset : offset + length].strip() == b""


def _first_hole(told: str) -> tuple[int, int, str]:
    words = next(row for row in told.splitlines() if "offset" in row).replace(",", "").split()
    return int(words[1]), int(words[2]), words[5]


def test_a_file_with_holes_grows_is_rebuilt_and_archived_like_any_other(house: Household, cli_in_process: Cli) -> None:
    house.write(name_of(1), talk(1))
    house.write(name_of(2), talk(2, text="x" * 1_500_000))  # a line in several blocks
    settle(house)
    retained(house, Policies(tool_results=90 * DAY))
    before = derived_rows(house.ledger_path)
    assert cli_in_process("resync", "--rebuild", env=house.environ).exit_code == 0
    assert derived_rows(house.ledger_path) == before
    house.append(name_of(1), message(7, "and on"))
    house.rename(name_of(2), f"{name_of(2)}.reset.2026-11-16T04-22-14.522Z")
    settle(house)
    assert [(row.generation, row.state) for row in transcripts(house.ledger_path)] == [(1, "live"), (1, "archived")]
    sound(house, cli_in_process)
    # Rewritten behind the holes: they stay in both generations.
    house.write(name_of(1), talk(1) + message(8, "otherwise"))
    settle(house)
    assert [row.generation for row in transcripts(house.ledger_path)] == [2, 1]
    sound(house, cli_in_process)
    # Cut off inside a hole, and before it.
    house.truncate(name_of(1), len(header(1) + message(1, "a question") + call(2)) + 300)
    settle(house)
    sound(house, cli_in_process)


def test_what_the_ledger_loses_beside_holes_is_mended_from_the_file(house: Household, cli_in_process: Cli) -> None:
    house.write(name_of(1), talk(1))
    settle(house)
    retained(house, Policies(tool_results=90 * DAY))
    house.append(name_of(1), message(7, "and on"))
    settle(house)
    _lose(house, "max")
    assert not house.verify().ok
    assert cli_in_process("resync", "--rebuild", "--json", env=house.environ).json["repaired"] == 1
    sound(house, cli_in_process)
    assert [row.generation for row in transcripts(house.ledger_path)] == [1]
    assert places_with(house.ledger_path.parent, WORD) == []


def test_a_body_that_mending_brought_back_is_dropped_again(house: Household, cli_in_process: Cli) -> None:
    house.write(name_of(1), talk(1))
    settle(house)
    retained(house, Policies(tool_results=90 * DAY))
    _lose(house, "min")
    assert cli_in_process("resync", "--rebuild", "--json", env=house.environ).json["repaired"] == 1
    sound(house, cli_in_process)
    assert places_with(house.ledger_path.parent, WORD)
    assert retained(house, Policies(tool_results=90 * DAY)).removed["tool_results"].entries == 2
    sound(house, cli_in_process)
    assert places_with(house.ledger_path.parent, WORD) == []


def _lose(house: Household, which: str) -> None:
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute(f"DELETE FROM _blocks WHERE byte_offset = (SELECT {which}(byte_offset) FROM _blocks)")
    connection.close()


def test_dropping_bodies_makes_the_ledger_smaller(house: Household) -> None:
    words = [hashlib.sha256(str(number).encode()).hexdigest() for number in range(4000)]
    lines = [tool_result(number, " ".join(words[number * 10 : number * 10 + 10])) for number in range(1, 390)]
    house.write(name_of(1), header(1) + b"".join(lines))
    settle(house)
    before = house.ledger_path.stat().st_size
    retained(house, Policies(tool_results=90 * DAY))
    with open_for_reading(house.ledger_path) as ledger:
        stored = ledger.row("SELECT sum(length(data)) FROM _blocks")
    assert stored is not None
    assert stored[0] < 40_000, "of a quarter megabyte that packs badly"
    assert house.ledger_path.stat().st_size < before


@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_happens_to_files_with_holes_the_ledger_stays_their_mirror(
    house: Household, cli_in_process: Cli, seed: int
) -> None:
    chance, number = random.Random(seed), 1
    content = talk(1)
    trajectory, name = line({"a": 1}), f"{session_id(1)}.trajectory.jsonl"
    house.write(name_of(1), content)
    house.write(name, trajectory)
    settle(house)
    for _ in range(12):
        number += 2
        more = call(number) + tool_result(number + 1, BODY * chance.randint(1, 3000)) + message(number + 9, "said")
        act = chance.choice(("append", "rewrite", "cut", "trajectory", "cut trajectory", "drop", "drop", "rebuild"))
        if act == "append":
            content += more
            house.append(name_of(1), more)
        elif act == "rewrite":
            kept = content.splitlines(keepends=True)
            content = b"".join(kept[: chance.randint(1, len(kept))]) + more
            house.write(name_of(1), content)
        elif act == "cut":
            house.truncate(name_of(1), chance.randint(len(header(1)), len(content)))
            settle(house)
            cut = house.path(name_of(1)).read_bytes()
            content = cut[: cut.rfind(b"\n") + 1] + more
            house.write(name_of(1), content)
        elif act == "trajectory":
            trajectory += (more := line({"n": number, "said": BODY * 3000}) * chance.randint(1, 40))
            house.append(name, more)
        elif act == "cut trajectory":
            trajectory = trajectory[: trajectory.rfind(b"\n", 0, chance.randint(1, len(trajectory))) + 1]
            house.truncate(name, len(trajectory))
        elif act == "drop":
            which = chance.choice(("tool_results", "superseded", "trajectories"))
            retained(house, replace(Policies(), **{which: 1}), days=0.1)
        else:
            assert cli_in_process("resync", "--rebuild", env=house.environ).exit_code == 0
        settle(house)
        sound(house, cli_in_process)
    for row in transcripts(house.ledger_path):
        expected = bytearray(trajectory if row.kind == "trajectory" else content)
        with open_for_reading(house.ledger_path) as ledger:
            found = holes(ledger, row.id, row.generation)
        for offset, length, digest in found:
            assert hashlib.sha256(expected[offset : offset + length]).hexdigest() == digest
            blanks = bytes(each if each == 10 else 32 for each in expected[offset : offset + length])
            expected[offset : offset + length] = blanks
        assert exported(house.ledger_path, row.id, row.generation) == bytes(expected)
