"""`syncd sql`: reads everything, changes nothing, ends in time."""

import base64
import hashlib
import json
import re
import time
from pathlib import Path

import pytest

from syncd.cli.sql import distinct
from syncd.cli.table import table
from tests.conftest import Cli
from tests.mirror.household import Household, header, household, line, message, name_of, session_id, transcript
from tests.mirror_fixtures import genuine

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
TABLES_HINT = (
    'the tables are listed by: syncd sql "SELECT name, type FROM pragma_table_list ORDER BY name";'
    " docs/ledger.md explains each"
)


@pytest.fixture
def house(tmp_path: Path) -> Household:
    house = household(tmp_path)
    house.write(name_of(1), transcript(1, 3))
    house.catch_up()
    return house


def test_json_is_a_list_of_objects(cli: Cli, house: Household) -> None:
    asked = cli(
        "sql", "SELECT line_no, type, superseded_in FROM entries ORDER BY id LIMIT 2", "--json", env=house.environ
    )
    assert (asked.exit_code, asked.stderr) == (0, "")
    assert asked.json == [
        {"line_no": 1, "type": "session", "superseded_in": None},
        {"line_no": 2, "type": "message", "superseded_in": None},
    ]


def test_no_rows_are_an_empty_list_and_a_bare_head(cli_in_process: Cli, house: Household) -> None:
    query = "SELECT id, type FROM entries WHERE id < 0"
    assert cli_in_process("sql", query, "--json", env=house.environ).json == []
    assert cli_in_process("sql", query, env=house.environ).stdout == "id  type\n--  ----\n"


def test_people_get_an_aligned_table(cli_in_process: Cli, house: Household) -> None:
    query = "SELECT line_no, type, byte_length * 1000 AS size, NULL AS none FROM entries ORDER BY id LIMIT 2"
    size = len(header(1)) * 1000, len(message(1)) * 1000
    assert cli_in_process("sql", query, env=house.environ).stdout.splitlines() == [
        "line_no  type       size  none",
        "-------  -------  ------  ----",
        f"      1  session  {size[0]}  NULL",
        f"      2  message  {size[1]}  NULL",
    ]


def test_a_long_value_does_not_draw_the_rule_below_its_name_out(cli_in_process: Cli, house: Household) -> None:
    query = "SELECT 1 AS n, printf('%.*c', 5000, 'x') AS text, 2 AS m"
    name, rule, row = cli_in_process("sql", query, env=house.environ).stdout.splitlines()
    assert rule.split() == ["-", "-" * 80, "-"]
    assert len(name) == len(rule) == len(row) == 5006


@pytest.mark.parametrize("args", [(), ("-",)])
def test_the_query_may_come_through_stdin(cli_in_process: Cli, house: Household, args: tuple[str, ...]) -> None:
    query = b"-- how many\nSELECT count(*) AS n FROM entries; -- that is all\n"
    assert cli_in_process("sql", *args, "--json", stdin=query, env=house.environ).json == [{"n": 4}]


def test_columns_of_one_name_are_told_apart() -> None:
    assert distinct(["id", "id", "id_2", "id"]) == ["id", "id_3", "id_2", "id_4"]
    assert distinct(["a", "b"]) == ["a", "b"]


def test_no_column_is_lost_in_an_object(cli_in_process: Cli, house: Household) -> None:
    query = "SELECT entries.id, messages.id, messages.role FROM entries JOIN messages USING (id) LIMIT 1"
    assert cli_in_process("sql", query, "--json", env=house.environ).json == [{"id": 2, "id_2": 2, "role": "user"}]


def test_the_limit_cuts_and_says_so(cli_in_process: Cli, house: Household) -> None:
    cut = cli_in_process("sql", "SELECT id FROM entries", "--limit", "3", "--json", env=house.environ)
    assert (cut.exit_code, len(cut.json)) == (0, 3)
    assert cut.stderr == "only the first 3 rows are shown; more with --limit\n"
    whole = cli_in_process("sql", "SELECT id FROM entries", "--limit", "4", "--json", env=house.environ)
    assert (len(whole.json), whole.stderr) == (4, "")


def test_an_answer_too_large_for_memory_is_cut(cli_in_process: Cli, house: Household) -> None:
    query = "SELECT zeroblob(30000000) AS z FROM entries"
    cut = cli_in_process("sql", query, env=house.environ)
    assert cut.exit_code == 0
    assert cut.stdout.count("(30000000 bytes)") == 2
    assert cut.stderr == "only the first 2 rows are shown: the answer is larger than 64 MiB\n"


def test_a_query_that_takes_too_long_is_ended(cli_in_process: Cli, house: Household) -> None:
    started = time.monotonic()
    ended = cli_in_process("sql", ENDLESS, "--timeout", "0.2", "--json", env=house.environ)
    assert time.monotonic() - started < 60
    assert ended.exit_code == 1
    assert ended.json["error"]["message"] == "the query took longer than 0.2 s"


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM entries",
        "UPDATE transcripts SET bytes = 0",
        "INSERT INTO sync_events (at, kind) VALUES (1, 'x')",
        "DROP TABLE entries",
        "CREATE TABLE mine (x)",
        "CREATE TEMP TABLE mine (x)",
        "CREATE TEMP VIEW mine AS SELECT 1",
        "ALTER TABLE entries ADD COLUMN x",
        "REINDEX",
        "ANALYZE",
        "VACUUM",
        "VACUUM INTO 'copy.db'",
        "ATTACH 'other.db' AS other",
        "ATTACH ':memory:' AS other",
        "BEGIN IMMEDIATE",
        "SAVEPOINT here",
        "PRAGMA query_only = OFF",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA user_version = 99",
        "PRAGMA writable_schema = ON",
        "PRAGMA wal_checkpoint(TRUNCATE)",
        "EXPLAIN DELETE FROM entries",
        "INSERT INTO search (search) VALUES ('rebuild')",
    ],
)
def test_nothing_can_be_written_or_attached(
    cli_in_process: Cli, house: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    monkeypatch.chdir(tmp_path)
    before = _content(house.ledger_path)
    refused = cli_in_process("sql", statement, "--json", env=house.environ)
    assert refused.exit_code == 2
    assert refused.json["error"]["type"] == "usage"
    assert refused.json["error"]["message"] == "only reading is allowed here"
    assert _content(house.ledger_path) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mirror", "openclaw"]


def _content(ledger_path: Path) -> str:
    return hashlib.sha256(ledger_path.read_bytes()).hexdigest()  # the product has closed it by now


def test_extensions_cannot_be_loaded(cli_in_process: Cli, house: Household) -> None:
    refused = cli_in_process("sql", "SELECT load_extension('./x')", env=house.environ)
    assert refused.exit_code == 2
    assert refused.stderr.startswith("error: not authorized to use function: load_extension\n")


@pytest.mark.parametrize(
    ("query", "message", "hint"),
    [
        ("SELEC 1", 'near "SELEC": syntax error', "at: SELEC 1"),
        ("SELECT *\nFROM nowhere", "no such table: nowhere", TABLES_HINT),
        ("SELECT\n missing, id FROM entries", "no such column: missing", "at: missing, id FROM entries"),
        ("SELECT 1; SELECT 2", "several statements in one query", "give them one at a time"),
        ("SELECT 1; DELETE FROM entries", "only reading is allowed here", None),
        ("/* nothing */ ;", "there is no query", None),
        ("SELECT ?", "Statement has 1 bindings but you didn't supply any!", ""),
        ("SELECT CAST(x'ff' AS TEXT)", "the answer holds text that is no UTF-8", "ask for hex(...) of that column"),
    ],
)
def test_a_bad_query_exits_2_with_sqlites_own_words(
    cli_in_process: Cli, house: Household, query: str, message: str, hint: str | None
) -> None:
    refused = cli_in_process("sql", query, "--json", env=house.environ)
    assert refused.exit_code == 2
    error = refused.json["error"]
    assert (error["type"], error["message"]) == ("usage", message)
    assert hint is None or error["hint"] == hint


def test_what_the_hint_says_lists_the_tables(cli_in_process: Cli, house: Household) -> None:
    query = TABLES_HINT.split('"')[1]
    listed = {row["name"]: row["type"] for row in cli_in_process("sql", query, "--json", env=house.environ).json}
    assert (listed["transcripts"], listed["conversation"]) == ("table", "view")


def test_the_schema_can_be_looked_at(cli_in_process: Cli, house: Household) -> None:
    columns = cli_in_process("sql", "PRAGMA table_info(entries)", "--json", env=house.environ).json
    assert "superseded_in" in [column["name"] for column in columns]
    tables = cli_in_process("sql", "SELECT name FROM pragma_table_list", "--json", env=house.environ).json
    assert {"name": "transcripts"} in tables
    assert cli_in_process("sql", "PRAGMA user_version", "--json", env=house.environ).json[0]["user_version"] >= 1
    assert cli_in_process("sql", "EXPLAIN QUERY PLAN SELECT 1", env=house.environ).exit_code == 0


def test_search_works_inside_sql(cli_in_process: Cli, house: Household) -> None:
    query = "SELECT rowid, snippet(search, 0, '[', ']', '…', 4) AS hit FROM search WHERE search MATCH 'number'"
    found = cli_in_process("sql", query, "--json", env=house.environ).json
    assert [row["rowid"] for row in found] == [2, 3, 4]
    assert "[number]" in found[0]["hit"]


def test_raw_bytes_and_raw_json_give_every_genuine_line(cli_in_process: Cli, tmp_path: Path) -> None:
    house = genuine(tmp_path, "2026.5.7")
    query = """SELECT path, byte_offset AS start, byte_length AS size, raw_bytes(entries.id) AS bytes,
        raw_json(entries.id) AS json, json_extract(raw_json(entries.id), '$.type') AS type, entries.type AS known,
        flags FROM entries JOIN transcripts ON transcripts.id = transcript_id WHERE kind != 'trajectory'"""
    rows = cli_in_process("sql", query, "--json", "--limit", "5000", env=house.environ).json
    assert len(rows) > 100
    for row in rows:
        expected = Path(row["path"]).read_bytes()[row["start"] : row["start"] + row["size"]]
        assert row["bytes"]["$base64"] is True
        assert base64.b64decode(row["bytes"]["encoded"]) == expected
        # Half an emoji, which Node writes as a lone surrogate, is no text that SQLite could hand out.
        plain = re.sub(rb"\\ud83d|\\udc00", rb"\\ufffd", expected) if row["flags"] == "surrogate" else expected
        assert json.loads(row["json"]) == json.loads(plain)
        assert row["type"] == row["known"]


def test_raw_json_reaches_earlier_generations_and_unknown_ids_are_null(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), header(1) + message(1, "another beginning"))
    house.catch_up()
    query = "SELECT raw_json(id) AS json FROM entries WHERE superseded_in = 2 ORDER BY id"
    superseded = cli_in_process("sql", query, "--json", env=house.environ).json
    assert [json.loads(row["json"]) for row in superseded] == [json.loads(message(number)) for number in (1, 2, 3)]
    nothing = cli_in_process(
        "sql", "SELECT raw_json(999) a, raw_bytes('x') b, raw_json(NULL) c", "--json", env=house.environ
    )
    assert nothing.json == [{"a": None, "b": None, "c": None}]


def test_raw_json_of_odd_lines_is_json_and_raw_bytes_are_what_was_written(cli_in_process: Cli, tmp_path: Path) -> None:
    house = household(tmp_path)
    glued = message(2)[:-1] + message(3)
    odd = [
        b"\xef\xbb\xbf" + header(1),
        b"\0" * 9 + message(1),
        glued,
        line({"type": "label", "id": "x", "label": "half \udcff"}).replace(b"\xed\xb3\xbf", b"\xff"),
        b'{"type":"label","id":"y","label":"\\ud83d"}\r\n',
    ]
    house.write(name_of(1), b"".join(odd))
    house.catch_up()
    query = """SELECT raw_bytes(id) AS bytes, json_extract(raw_json(id), '$.id') AS id, salvaged FROM entries
        ORDER BY entries.id"""
    rows = cli_in_process("sql", query, "--json", env=house.environ).json
    assert [row["id"] for row in rows] == [session_id(1), "00000001", "00000002", "00000003", "x", "y"]
    assert [row["salvaged"] for row in rows] == [0, 0, 1, 1, 0, 0]
    raw = [base64.b64decode(row["bytes"]["encoded"]) for row in rows]
    assert raw == [odd[0], odd[1], message(2)[:-1], message(3)[:-1], odd[3], odd[4]]


def test_a_line_across_many_blocks_comes_back_whole(cli_in_process: Cli, tmp_path: Path) -> None:
    house = household(tmp_path)
    huge = message(2, "é" * 2_500_000)
    house.write(name_of(1), header(1) + message(1) + huge + message(3))
    house.catch_up()
    query = """SELECT length(raw_bytes(id)) AS size, json_extract(raw_json(id), '$.id') AS id FROM entries
        ORDER BY entries.id DESC"""
    rows = cli_in_process("sql", query, "--json", env=house.environ).json
    assert rows[:2] == [{"size": len(message(3)), "id": "00000003"}, {"size": len(huge), "id": "00000002"}]


def test_a_terminal_cuts_wide_text_and_keeps_columns_in_line() -> None:
    rows = [(1, "word " * 40, "日本語" * 20), (22, "line\nbreak\x1b[2J", None)]
    lines = list(table(["id", "text", "wide"], rows, 40))
    assert lines[0].split() == ["id", "text", "wide"]
    from rich.cells import cell_len

    assert all(cell_len(text) <= 40 for text in lines)
    assert lines[2].count("…") == 2
    assert lines[3].startswith("22  line\\nbreak\\x1b[")
    assert lines[3].endswith("NULL")


def test_too_many_columns_for_a_terminal_go_below_each_other() -> None:
    columns = [f"column_{number}" for number in range(12)]
    lines = list(table(columns, [tuple(range(100_000, 100_012)), tuple("x" * 200 for _ in columns)], 60))
    assert lines[0] == "-- 1 --"
    assert lines[1] == "column_0   100000"
    assert lines[13] == "-- 2 --"
    assert lines[14] == f"column_0   {'x' * 48}…"
    assert next(table(columns, [tuple(range(12))], None)).split() == columns
