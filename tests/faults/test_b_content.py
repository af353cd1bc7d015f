"""FAULTS.md B: what can be wrong inside a line. After each the mirror is equal, and the rest of the file read."""
# ruff: noqa: N802  the fault's id stands in the test's name

import json
import os

import pytest

from tests.mirror.household import (
    RESET_TIME,
    Household,
    header,
    line,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)
from tests.mirror_checks import (
    exported,
    mirrored,
    only_transcript,
    quarantined,
    query,
    rows_of,
    transcript_at,
    transcripts,
)

NAME = name_of(1)
START = len(transcript(1, 2))


def _taken(house: Household, *lines: bytes) -> list[tuple[str | None, str, str | None]]:
    """Mirrors a transcript with these lines between others; (entry_id, type, flags) of what became of them."""
    content = transcript(1, 2) + b"".join(lines) + message(99, "the rest")
    house.write(NAME, content)
    mirrored(house)
    mirrored(house)
    rows = query(
        house.ledger_path,
        "SELECT entry_id, type, flags FROM entries WHERE byte_offset BETWEEN ? AND ? ORDER BY byte_offset",
        START,
        len(content) - len(message(99, "the rest")) - 1,
    )
    last = "SELECT text FROM messages WHERE id = (SELECT max(id) FROM messages)"
    assert query(house.ledger_path, last) == [("the rest",)]
    return [(entry_id, kind, flags) for entry_id, kind, flags in rows]


def text_of(house: Household, entry_id: str) -> str:
    sql = "SELECT text FROM messages JOIN entries USING (id) WHERE entry_id = ? AND superseded_in IS NULL"
    ((text,),) = query(house.ledger_path, sql, entry_id)
    assert isinstance(text, str)
    return text


def test_B1_a_partial_last_line_is_taken_in_once_when_it_is_complete(house: Household) -> None:
    house.write(NAME, transcript(1, 2))
    mirrored(house)
    for byte in message(3):
        house.append(NAME, bytes([byte]))
        if byte % 7 == 0 or byte == ord("\n"):
            house.catch_up()
            row = only_transcript(house.ledger_path)
            assert row.lines == (4 if byte == ord("\n") else 3)
    mirrored(house)
    assert only_transcript(house.ledger_path).generation == 1


@pytest.mark.parametrize("character", ["\u00e9", "\u20ac", "\U0001f600"])
def test_B2_a_character_across_the_border_of_two_reads_stays_whole(house: Household, character: str) -> None:
    size = len(character.encode())
    for cut in range(1, size):
        head = transcript(cut, 1)
        bare = len(message(2, "").partition(b'"text":"')[0]) + len(b'"text":"')
        filler = "x" * (1024 * 1024 - len(head) - bare - cut)
        content = head + message(2, filler + character * 3) + message(3)
        assert content[1024 * 1024 - cut :].startswith(character.encode())
        house.write(name_of(cut), content)
        mirrored(house)
        row = transcript_at(house.ledger_path, name_of(cut))
        assert row.generation == 1
        assert exported(house.ledger_path, row.id, 1) == content
        sql = "SELECT text FROM messages WHERE transcript_id = ? ORDER BY id LIMIT 1 OFFSET 1"
        assert query(house.ledger_path, sql, row.id) == [(filler + character * 3,)]


def test_B3_a_last_line_that_never_gets_its_newline_stays_pending_until_the_file_is_archived(house: Household) -> None:
    house.write(NAME, transcript(1, 2) + message(3)[:-1])
    old = 1_600_000_000
    os.utime(house.path(NAME), (old, old))
    for _ in range(3):
        mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.lines, row.tail_bytes) == (3, len(message(3)) - 1)
    house.rename(NAME, f"{NAME}.deleted.{RESET_TIME}")
    mirrored(house)
    assert text_of(house, "00000003")
    assert only_transcript(house.ledger_path).lines == 4


def test_B4_a_splice_is_quarantined_and_its_whole_record_salvaged(house: Household) -> None:
    cut, whole = message(3)[:70], message(4)
    assert _taken(house, cut + whole) == [("00000004", "message", None)]
    assert quarantined(house.ledger_path) == [(START, "splice")]
    salvaged = query(house.ledger_path, "SELECT byte_offset, byte_length, line_no FROM entries WHERE salvaged = 1")
    assert salvaged == [(START + len(cut), len(whole) - 1, 4)]
    assert text_of(house, "00000004")


def test_B5_records_without_a_newline_between_them_are_quarantined_and_all_salvaged(house: Household) -> None:
    glued = message(3)[:-1] + message(4)[:-1] + message(5)
    assert [row[0] for row in _taken(house, glued)] == ["00000003", "00000004", "00000005"]
    assert quarantined(house.ledger_path) == [(START, "several_objects")]
    assert query(house.ledger_path, "SELECT count(*) FROM entries WHERE salvaged = 1") == [(3,)]


def test_B6_nuls_before_a_record_are_stripped_and_a_line_of_nuls_is_quarantined(house: Household) -> None:
    nuls = b"\0" * 4096
    torn = message(5, "before MARK after").replace(b" MARK", nuls)
    assert _taken(house, nuls + message(3), nuls + b"\n", message(4), torn) == [
        ("00000003", "message", "nul_stripped"),
        ("00000004", "message", None),
        ("00000005", "message", "nul_stripped"),
    ]
    assert quarantined(house.ledger_path) == [(START + 4096 + len(message(3)), "nul")]
    assert text_of(house, "00000005") == "before after"


def test_B6_nuls_left_by_a_crash_at_the_end_wait_for_what_follows(house: Household) -> None:
    house.write(NAME, transcript(1, 2))
    mirrored(house)
    house.truncate(NAME, START + 4096)
    mirrored(house)
    assert only_transcript(house.ledger_path).tail_bytes == 4096
    house.append(NAME, message(3))
    mirrored(house)
    assert query(house.ledger_path, "SELECT flags FROM entries WHERE entry_id = '00000003'") == [("nul_stripped",)]


def test_B8_invalid_utf8_is_kept_raw_and_read_with_replacement(house: Household) -> None:
    broken = message(3, "before MARK after").replace(b"MARK", b"\xff\xfe\xc3")
    assert _taken(house, broken) == [("00000003", "message", "invalid_utf8")]
    assert text_of(house, "00000003").startswith("before \ufffd")
    assert text_of(house, "00000003").endswith(" after")
    assert broken in exported(house.ledger_path, 1, 1)


@pytest.mark.parametrize("written", [rb"\ud800", rb"\udc00", rb"\ud83d", rb"\ude00\ud83d"])
def test_B9_a_lone_surrogate_as_node_writes_it_is_an_entry(house: Household, written: bytes) -> None:
    odd = message(3, "half MARK emoji").replace(b"MARK", written)
    assert _taken(house, odd) == [("00000003", "message", "surrogate")]
    assert text_of(house, "00000003").startswith("half \ufffd")
    assert quarantined(house.ledger_path) == []


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"1e400"])
def test_B10_numbers_that_json_does_not_have_are_tolerated_and_flagged(house: Household, number: bytes) -> None:
    odd = message(3).replace(b"1794802931003", number)
    assert _taken(house, odd) == [("00000003", "message", "not_finite")]


@pytest.mark.parametrize("number", [2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**40, -(2**63), -(2**63) - 1])
def test_B11_integers_beyond_64_bits_never_become_other_numbers(house: Household, number: int) -> None:
    odd = message(3).replace(b"1794802931003", b"%d" % number)
    usage = {"input": number, "output": 1, "totalTokens": number}
    answer = line({"type": "message", "id": "u", "message": {"role": "assistant", "content": [], "usage": usage}})
    compaction = line({"type": "compaction", "id": "c", "tokensBefore": number})
    custom = line({"type": "custom", "id": "d", "customType": "x", "data": {"n": [number]}})
    call = {"type": "toolCall", "id": "k", "name": "x", "arguments": {"n": number}}
    calls = line({"type": "message", "id": "a", "message": {"role": "assistant", "content": [call]}})
    taken = [row[0] for row in _taken(house, odd, answer, compaction, custom, calls)]
    assert taken == ["00000003", "u", "c", "d", "a"]
    stored = query(
        house.ledger_path, "SELECT tokens_before FROM compactions UNION ALL SELECT input_tokens FROM messages"
    )
    fits = -(2**63) <= number < 2**63
    assert {value for (value,) in stored if value is not None} == ({number} if fits else set())
    as_json = "SELECT data_json FROM custom_entries UNION ALL SELECT arguments_json FROM tool_calls"
    assert query(house.ledger_path, as_json) == [(f'{{"n":[{number}]}}',), (f'{{"n":{number}}}',)], "no float of it"
    assert b"%d" % number in exported(house.ledger_path, 1, 1)


@pytest.mark.parametrize("depth", [501, 1022, 1023, 1024, 1025, 100_000])
def test_B12_deep_nesting_is_read_or_quarantined_and_never_a_crash(house: Household, depth: int) -> None:
    nested = b'{"type":"custom","id":"deep","data":' + b"[" * depth + b"]" * depth + b"}\n"
    unclosed = b'{"type":"custom","data":' + b"[" * depth + b"\n"
    taken = _taken(house, nested, unclosed)
    data, bad = query(house.ledger_path, "SELECT data_json FROM custom_entries"), quarantined(house.ledger_path)
    if depth <= 1023:  # with the object around them, as deep as orjson goes
        assert (taken, data) == ([("deep", "custom", "unlinked")], [("[" * depth + "]" * depth,)])
        assert bad == [(START + len(nested), "not_json")]
    else:
        assert (taken, bad) == ([], [(START, "too_deep"), (START + len(nested), "too_deep")])


def test_B15_duplicate_keys_and_duplicate_ids_are_all_lines_of_their_own(house: Household) -> None:
    twice = b'{"type":"custom","id":"k","customType":"first","customType":"second"}\n'
    taken = _taken(house, twice, message(3, "one"), message(3, "two"), message(3, "one"))
    assert taken == [("k", "custom", "unlinked"), *[("00000003", "message", None)] * 3], "none is marked"
    assert query(house.ledger_path, "SELECT custom_type FROM custom_entries") == [("second",)]
    texts = "SELECT text FROM messages JOIN entries USING (id) WHERE entry_id = '00000003' ORDER BY byte_offset"
    assert query(house.ledger_path, texts) == [("one",), ("two",), ("one",)]


def test_B16_crlf_bom_blank_lines_and_u2028_are_tolerated(house: Household) -> None:
    content = (
        b"\xef\xbb\xbf"
        + header(1)[:-1]
        + b"\r\n\r\n\n \t\n"
        + message(1, "one\u2028line\u2029still\u0085one")
        + message(2)[:-1]
        + b"\r\n"
        + b"\xef\xbb\xbf\n"
        + b"\x0b\x0c\n"
    )
    house.write(NAME, content)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.session_id, row.header_version, row.lines) == (session_id(1), "3", 8)
    assert text_of(house, "00000001") == "one\u2028line\u2029still\u0085one"
    assert [each.line_no for each in rows_of(house.ledger_path, row.id, 1)] == [1, 5, 6, 7]
    flags = query(house.ledger_path, "SELECT line_no, flags FROM entries ORDER BY byte_offset")
    assert flags == [(1, "bom"), (5, None), (6, None)]
    assert query(house.ledger_path, "SELECT line_no, reason FROM quarantine") == [(7, "not_json")], "a mark alone"


def test_B17_a_second_header_is_an_entry_and_changes_nothing(house: Household) -> None:
    house.write(NAME, transcript(1, 2) + header(1, cwd="/again") + header(2, cwd="/elsewhere") + messages(3, 4))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.session_id, row.lines, row.generation) == (session_id(1), 7, 1)
    assert query(house.ledger_path, "SELECT cwd FROM transcripts") == [("/home/someone",)]
    flags = query(house.ledger_path, "SELECT flags FROM entries WHERE type = 'session' ORDER BY byte_offset")
    assert flags == [(None,), ("second_header",), ("second_header,other_session",)]
    house.append(NAME, message(5))
    mirrored(house)
    assert only_transcript(house.ledger_path).lines == 8


@pytest.mark.parametrize("version", [99, "4", None, 1.5, [3], 2**70])
def test_B18_unknown_types_and_versions_are_kept_as_they_are(house: Household, version: object) -> None:
    house.write(
        NAME,
        header(1, version=version)
        + line({"type": "hologram", "id": "h", "payload": {"deep": [1]}})
        + line({"type": "message\u2028", "id": "m"})
        + line({"type": 7, "id": 8})
        + line({"id": "typeless"})
        + line({"runId": "r", "seq": 1, "stream": "assistant", "ts": 1794802931000, "data": {}}),
    )
    mirrored(house)
    kinds = query(house.ledger_path, "SELECT type FROM entries WHERE type != 'session' ORDER BY byte_offset")
    assert len(kinds) == 5
    assert kinds[0] == ("hologram",)
    assert kinds[-1] == ("event",)
    assert query(house.ledger_path, "SELECT run_id, seq FROM run_events") == [("r", 1)]
    assert quarantined(house.ledger_path) == []


@pytest.mark.parametrize("text", [b"42", b"[]", b"null", b"true", b'"text"', b"-0.5", b'[{"type":"message"}]'])
def test_B19_a_line_that_is_no_object_is_quarantined(house: Household, text: bytes) -> None:
    assert _taken(house, text + b"\n") == []
    assert quarantined(house.ledger_path) == [(START, "not_object")]
    assert query(house.ledger_path, "SELECT raw FROM quarantine") == [(text,)]


def test_B20_timestamps_of_every_kind_are_normalised_or_null_and_the_order_is_that_of_the_file(
    house: Household,
) -> None:
    stamps: list[object] = [
        "2026-11-16T04:22:11.000Z",
        "2026-11-16T05:22:11+01:00",
        1794802931000,
        1794802931,
        "1794802931000",
        None,
        "no time at all",
        "+275760-09-13T00:00:00.000Z",
        8640000000000000,
        8640000000000001,
        10**30,
        -1,
        0,
        True,
        {},
        1e308,
    ]
    said = {"type": "message", "message": {"role": "user", "content": "x"}}
    lines = [line({**said, "id": f"t{number:02}", "timestamp": stamp}) for number, stamp in enumerate(stamps)]
    _taken(house, *lines, line({"type": "message", "id": "t99", "message": {"role": "user", "timestamp": 5}}))
    rows = query(house.ledger_path, "SELECT entry_id, at FROM entries WHERE entry_id LIKE 't%' ORDER BY byte_offset")
    assert [entry_id for entry_id, _ in rows] == [f"t{number:02}" for number in range(len(stamps))] + ["t99"]
    by_id = dict(rows)
    assert by_id["t00"] == by_id["t01"] == by_id["t02"] == by_id["t03"] == by_id["t04"] == 1794802931000
    assert by_id["t07"] == by_id["t08"] == 8640000000000000, "the last moment that JavaScript can hold"
    assert by_id["t09"] is by_id["t15"] is None, "what lies beyond"
    assert by_id["t05"] is by_id["t06"] is by_id["t10"] is by_id["t13"] is by_id["t14"] is None
    assert all(at is None or isinstance(at, int) for at in by_id.values())
    at = "SELECT messages.at FROM messages JOIN entries USING (id) WHERE entry_id = 't99'"
    assert query(house.ledger_path, at) == [(5,)]


def test_every_kind_of_bad_line_at_once_is_mirrored_and_counted(house: Household) -> None:
    from tests.mirror.rewrites import ODD_LINES

    house.write(NAME, transcript(1, 2) + b"".join(ODD_LINES) + message(3))
    result = mirrored(house)
    assert result.quarantined == len(quarantined(house.ledger_path)) > 5
    assert json.loads(json.dumps(result.lines)) == len(ODD_LINES) + 4
    assert len(transcripts(house.ledger_path)) == 1
