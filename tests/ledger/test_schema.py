"""The public names: every table and column that people and programs may rely on is there, and means what it says."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from syncd.ledger.database import Ledger, open_for_writing

PUBLIC = {
    "installations": "id state_dir host era version",
    "sessions": """id installation_id agent_id session_key session_id title kind channel chat_type peer thread_id label
        display_name subject spawned_by parent_session_key model model_provider input_tokens output_tokens total_tokens
        context_tokens compaction_count memory_flush_at memory_flush_compaction_count session_started_at
        last_interaction_at created_at updated_at lifecycle status removed_at entry_json""",
    "session_versions": "session seen_at changed_json",
    "session_ids": "session_id session_key agent_id first_seen_at last_seen_at ended_by",
    "transcripts": """id agent_id session_id topic_id path kind parent_transcript_id cwd header_version started_at
        leaf_entry_id generation bytes lines tail_bytes file_sha256 state""",
    "entries": """id transcript_id line_no byte_offset byte_length generation superseded_in entry_id parent_id type at
        on_active_path salvaged""",
    "messages": """id transcript_id role text text_bytes thinking provider model api stop_reason error_message
        input_tokens output_tokens cache_read_tokens cache_write_tokens total_tokens cost_total at is_delivery_mirror
        turn_id""",
    "turns": """id transcript_id parent_turn_id user_message_id final_message_id started_at ended_at status
        tool_call_count input_tokens output_tokens cost_total model""",
    "tool_calls": """id message_id call_id name arguments_json result_message_id is_error status started_at
        finished_at""",
    "compactions": """id summary first_kept_entry_id tokens_before tokens_after details_json from_hook
        first_kept_entry_index compacted_count""",
    "branch_summaries": "id from_id summary details_json from_hook",
    "custom_entries": "id custom_type data_json",
    "custom_messages": "id custom_type text display details_json",
    "model_changes": "id provider model_id",
    "thinking_changes": "id thinking_level",
    "labels": "id target_id label",
    "session_infos": "id name",
    "leaf_moves": "id target_id append_parent_id append_mode",
    "resets": "id reason first_kept_entry_id",
    "run_events": "id run_id seq stream at data_json",
    "cron_runs": "job_id at status session_id session_key duration_ms usage",
    "quarantine": "transcript_id byte_offset byte_length reason raw generation superseded_in line_no",
    "sync_events": "at kind transcript_id detail_json",
    "job_runs": "job started_at finished_at ok summary_json",
    "tombstones": "id at what why transcript_id sessions transcripts entries bytes with_forks scoured_at",
    "pins": "installation_id session session_id at",
}
_USAGE = "messages input_tokens output_tokens cache_read_tokens cache_write_tokens total_tokens cost_total"
VIEWS = {
    "daily_usage": f"day agent_id {_USAGE}",
    "model_usage": f"model_provider model {_USAGE}",
    "tool_usage": "tool calls errors unanswered duration_ms mean_duration_ms max_duration_ms",
}
PEOPLE = {
    "conversation": "session session_key session_id transcript_id entry entry_id type role at text thinking silence",
    "tool_problems": "problem session transcript_id entry call_id tool_name at",
    "session_tree": "root session parent depth name session_key kind lifecycle spawned_by cron_job_id",
    "projects": "project cwd sessions transcripts mentions started_at at",
    "project_sessions": "project cwd found_by session session_key agent_id session_id transcript_id title at",
    "compaction_history": "event session transcript_id entry at tokens_before tokens_after tool_call_count status text",
    "condensed": "session session_key session_id transcript_id entry turn_id at role text tools",
}
REFERENCES = {
    ("sessions", "installation_id", "installations"),
    ("sessions", "parent", "sessions"),
    ("session_versions", "session", "sessions"),
    ("session_ids", "session", "sessions"),
    ("transcripts", "parent_transcript_id", "transcripts"),
    ("transcripts", "session", "sessions"),
    ("entries", "transcript_id", "transcripts"),
    ("messages", "id", "entries"),
    ("messages", "transcript_id", "transcripts"),
    ("messages", "turn_id", "turns"),
    ("turns", "transcript_id", "transcripts"),
    ("turns", "parent_turn_id", "turns"),
    ("turns", "user_message_id", "messages"),
    ("turns", "final_message_id", "messages"),
    ("tool_calls", "message_id", "messages"),
    ("tool_calls", "result_message_id", "messages"),
}
WORDS = {
    ("installations", "era"): "jsonl sqlite",
    ("sessions", "lifecycle"): "created active idle archived",
    ("sessions", "status"): "live removed",
    ("session_ids", "ended_by"): "reset rollover deleted migrated fork rewind switch recovery compaction",
    ("transcripts", "kind"): """primary fork successor reset deleted checkpoint backup corrupt import_archive cold
        trajectory""",
    ("transcripts", "state"): "live archived gone",
    ("turns", "status"): "done in_progress aborted error",
    ("tool_calls", "status"): "paired missing_result pending duplicate_result",
}


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with open_for_writing(tmp_path / "ledger.db") as ledger:
        yield ledger


def columns(ledger: Ledger, table: str) -> dict[str, str]:
    return {name: kind for _, name, kind, *_ in ledger.execute(f"PRAGMA table_xinfo({table})")}


@pytest.mark.parametrize("table", PUBLIC)
def test_every_public_column_is_there(ledger: Ledger, table: str) -> None:
    assert ledger.row("SELECT type FROM sqlite_master WHERE name = ?", (table,)) == ("table",)
    assert set(PUBLIC[table].split()) <= set(columns(ledger, table))


@pytest.mark.parametrize("view", VIEWS)
def test_every_public_view_has_its_columns_and_needs_no_function_of_ours(tmp_path: Path, view: str) -> None:
    open_for_writing(tmp_path / "ledger.db").close()
    with closing(sqlite3.connect(tmp_path / "ledger.db")) as plain:
        found = plain.execute(f"SELECT * FROM {view}")
        assert [column[0] for column in found.description] == VIEWS[view].split()


@pytest.mark.parametrize("view", PEOPLE)
def test_every_public_view_is_there_and_explains_its_columns(ledger: Ledger, view: str) -> None:
    kind, sql = ledger.row("SELECT type, sql FROM sqlite_master WHERE name = ?", (view,)) or ("", "")
    assert kind == "view"
    assert set(PEOPLE[view].split()) <= set(columns(ledger, view))
    explained = set(re.findall(r"\bAS (\w+)\b,? +-- \S", sql))
    assert set(columns(ledger, view)) - explained == set()


def test_every_table_is_strict_but_the_search_index(ledger: Ledger) -> None:
    lax = [
        name
        for _, name, kind, _, _, strict in ledger.execute("PRAGMA main.table_list")
        if not strict and kind == "table"
    ]
    assert [name for name in lax if name != "sqlite_schema"] == []
    virtual = [name for _, name, kind, *_ in ledger.execute("PRAGMA main.table_list") if kind == "virtual"]
    assert virtual == ["search"]


def test_instants_are_integers_and_json_is_text(ledger: Ledger) -> None:
    for table in PUBLIC:
        for name, kind in columns(ledger, table).items():
            if name == "at" or name.endswith("_at"):
                assert kind == "INTEGER", (table, name)
            if name.endswith("_json"):
                assert kind == "TEXT", (table, name)
    assert columns(ledger, "transcripts")["header_version"] == "TEXT"


def test_the_tables_are_joined_by_real_foreign_keys(ledger: Ledger) -> None:
    found = {
        (table, column, target)
        for table in PUBLIC
        for _, _, target, column, *_ in ledger.execute(f"PRAGMA foreign_key_list({table})")
    }
    assert found >= REFERENCES
    assert ledger.row("PRAGMA foreign_keys") == (1,)


@pytest.mark.parametrize(("table", "column"), WORDS)
def test_a_column_of_few_words_takes_exactly_these(ledger: Ledger, table: str, column: str) -> None:
    (sql,) = ledger.row("SELECT sql FROM sqlite_master WHERE name = ?", (table,)) or ("",)
    check = re.search(rf"\b{column} IN \(([^)]*)\)", sql)
    assert check is not None
    assert set(re.findall(r"'(\w+)'", check[1])) == set(WORDS[table, column].split())


def test_lines_are_found_by_transcript_and_offset(ledger: Ledger) -> None:
    for table in ("entries", "quarantine", "_blocks"):
        plan = list(
            ledger.execute(f"EXPLAIN QUERY PLAN SELECT * FROM {table} WHERE transcript_id = 1 AND byte_offset = 5")
        )
        assert "USING INDEX" in plan[0][3], table
        assert "transcript_id=? AND byte_offset=?" in plan[0][3], table


def test_internal_tables_begin_with_an_underscore(ledger: Ledger) -> None:
    names = [name for (name,) in ledger.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
    rest = [
        name
        for name in names
        if name not in {*PUBLIC, *VIEWS, *PEOPLE} and not name.startswith(("_", "search", "sqlite_"))
    ]
    assert rest == []


def test_search_holds_no_second_copy_of_the_text(ledger: Ledger) -> None:
    (sql,) = ledger.row("SELECT sql FROM sqlite_master WHERE name = 'search'") or ("",)
    assert "fts5" in sql
    assert "content=" in sql
    with pytest.raises(apsw.SQLError):
        ledger.run("SELECT * FROM search_content")


def test_the_schema_explains_every_column(ledger: Ledger) -> None:
    """SQLite keeps the comments of the migration: whoever opens the ledger in a browser reads them."""
    tables = [
        (name, sql)
        for name, sql in ledger.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        if not name.startswith(("search", "sqlite_"))
    ]
    assert len(tables) >= len(PUBLIC)
    for table, sql in tables:
        explained = {
            name
            for line in sql.splitlines()
            for definition, _, comment in re.findall(r"(.*?)(--|/\*)(.*?)(?:\*/|$)", line)
            for name in re.findall(r"(?:^\s+|, )([a-z]\w*) (?:INTEGER|TEXT|REAL|BLOB)", definition)
            if len(comment.strip()) > 5
        }
        assert set(columns(ledger, table)) - explained == set(), table
