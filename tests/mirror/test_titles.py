"""Titles in the ledger: there as soon as the words are, whichever of index and transcript comes first."""

import json
from pathlib import Path

import pytest

from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import CatchUpOptions, Progress
from syncd.mirror.index_look import IndexOptions
from syncd.mirror.rebuild import rebuild_all
from tests.mirror.household import Household, header, message, name_of, session_id, transcript
from tests.mirror.indexed import MAIN, entry, index_text
from tests.mirror_checks import query
from tests.mirror_fixtures import DATA, JSONL_RELEASES, genuine


def catch_up(house: Household) -> None:
    house.catch_up(CatchUpOptions(index=IndexOptions({"HOME": str(house.state_dir.parent)})))


def titles(house: Household) -> dict[str, str | None]:
    return dict(query(house.ledger_path, "SELECT session_key, title FROM sessions"))


def test_a_session_is_called_by_its_first_words(house: Household) -> None:
    house.write(name_of(1), header(1) + message(1, "  hello   there,\nhow are you? ") + message(2, "fine"))
    house.write("sessions.json", index_text({MAIN: entry(1)}))
    catch_up(house)
    assert titles(house) == {MAIN: "hello there, how are you?"}
    assert query(house.ledger_path, "SELECT title, session FROM transcripts") == [("hello there, how are you?", 1)]


def test_the_words_may_come_after_the_session(house: Household) -> None:
    house.write("sessions.json", index_text({MAIN: entry(1)}))
    catch_up(house)
    assert titles(house) == {MAIN: "0a000001 (2026-11-16)"}
    house.write(name_of(1), header(1))
    catch_up(house)
    house.append(name_of(1), message(1, "first words"))
    catch_up(house)
    assert titles(house) == {MAIN: "first words"}
    assert query(house.ledger_path, "SELECT session FROM transcripts") == [(1,)]


def test_a_name_goes_before_the_words_and_its_loss_gives_them_back(house: Household) -> None:
    house.write(name_of(1), transcript(1, 1))
    house.write("sessions.json", index_text({MAIN: entry(1, displayName=" theirs ", subject="what for")}))
    catch_up(house)
    assert titles(house) == {MAIN: "theirs"}
    house.write("sessions.json", index_text({MAIN: entry(1, updated_at=1_794_802_931_000)}))
    catch_up(house)
    assert titles(house) == {MAIN: "what was said as number 1"}


def test_labels_count_once_a_release_that_looks_at_them_has_written(house: Household) -> None:
    labelled = {"agent:main:direct:1": entry(2, label=" mine ")}
    house.write(name_of(2), header(2) + message(1, "words"))
    house.write("sessions.json", index_text(labelled))
    catch_up(house)
    assert titles(house) == {"agent:main:direct:1": "words"}
    house.write("sessions.json", index_text({**labelled, MAIN: entry(1, lastActivityAt=1_794_802_931_000)}))
    catch_up(house)
    assert titles(house)["agent:main:direct:1"] == "mine"
    house.append(name_of(2), message(2, "more"))
    catch_up(house)
    assert titles(house)["agent:main:direct:1"] == "mine"


@pytest.mark.parametrize("release", JSONL_RELEASES)
def test_genuine_sessions_are_called_as_their_release_calls_them(tmp_path: Path, release: str) -> None:
    house = genuine(tmp_path, release)
    catch_up(house)
    assert titles(house) == json.loads((DATA / "titles-of-fixtures.json").read_text())[release]


def test_a_reset_session_is_called_by_its_new_id(house: Household) -> None:
    house.write(name_of(1), transcript(1, 1))
    house.write("sessions.json", index_text({MAIN: entry(1)}))
    catch_up(house)
    house.write("sessions.json", index_text({MAIN: entry(2)}))
    catch_up(house)
    assert titles(house) == {MAIN: "0a000002 (2026-11-16)"}
    house.write(name_of(2), header(2) + message(1, "anew"))
    catch_up(house)
    assert titles(house) == {MAIN: "anew"}
    belongs = query(house.ledger_path, "SELECT session_id, session FROM transcripts ORDER BY id")
    assert belongs == [(session_id(1), 1), (session_id(2), 1)]


def test_other_first_words_after_a_rewrite_make_another_title(house: Household) -> None:
    house.write(name_of(1), header(1) + message(1, "before") + message(2, "more"))
    house.write("sessions.json", index_text({MAIN: entry(1)}))
    catch_up(house)
    house.write(name_of(1), header(1) + message(1, "after!") + message(2, "more"))
    catch_up(house)
    assert titles(house) == {MAIN: "after!"}
    house.write(name_of(1), header(1) + message(1, "after!") + message(2, "changed"))
    catch_up(house)
    assert titles(house) == {MAIN: "after!"}
    house.write(name_of(1), header(1))
    catch_up(house)
    assert titles(house) == {MAIN: "0a000001 (2026-11-16)"}


def test_a_rebuild_gives_the_same_titles(house: Household) -> None:
    house.write(name_of(1), transcript(1, 1))
    house.write("sessions.json", index_text({MAIN: entry(1), "agent:main:cron:x": entry(2)}))
    catch_up(house)
    before = titles(house)
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        ledger.run("UPDATE transcripts SET title = 'spoilt'")
        ledger.run("UPDATE sessions SET title = 'spoilt' WHERE session_key = ?", (MAIN,))
        rebuild_all(ledger, 1 << 24, Progress())
    assert titles(house) == before


def test_words_from_another_session_are_passed_over(house: Household) -> None:
    foreign = json.loads(message(1, "from afar"))
    foreign["message"]["provenance"] = {"kind": "inter_session"}
    house.write(name_of(1), header(1) + json.dumps(foreign).encode() + b"\n" + message(2, "own"))
    house.write("sessions.json", index_text({MAIN: entry(1)}))
    catch_up(house)
    assert titles(house) == {MAIN: "own"}
