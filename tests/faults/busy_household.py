"""A household in which everything happens between two looks: what a catch-up must get right in one go, or after a kill.

`first` makes it, `then` changes every file in another way. Also the ledger's contents in a form that
two ledgers can be compared by: row ids and moments left out.
"""

import hashlib
import os
from pathlib import Path
from typing import Any

from tests.mirror.household import (
    LATER_TIME,
    RESET_TIME,
    Household,
    compressed,
    header,
    line,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)
from tests.mirror_checks import exported, query, transcripts

CHECKPOINT = f"{session_id(4)}.checkpoint.11546cb9-b0a8-4517-95a1-4efe05f46fd5.jsonl"


def _call(number: int) -> bytes:
    call = {"type": "toolCall", "id": f"call-{number}", "name": "exec", "arguments": {"n": number}}
    return line({"type": "message", "id": f"c{number}", "message": {"role": "assistant", "content": [call]}})


def _result(number: int) -> bytes:
    answer = {"role": "toolResult", "toolCallId": f"call-{number}", "toolName": "exec", "content": "done"}
    return line({"type": "message", "id": f"r{number}", "message": answer})


def first(house: Household) -> None:
    for number in range(1, 15):
        house.write(name_of(number), transcript(number, 3 + number) + _call(number))
    house.write(name_of(9), transcript(9, 3) + message(4)[:30])  # a torn line
    house.write(name_of(10), transcript(10, 3) + message(4)[:30])
    house.write(name_of(11), transcript(11, 3) + message(4)[:30])
    house.write(f"{session_id(1)}.trajectory.jsonl", b'{"trace":1}\n' * 100)
    house.write(f"{name_of(20)}.deleted.{RESET_TIME}", transcript(20, 4))
    (house.sessions("ops") / name_of(30)).write_bytes(transcript(30, 4))


def then(house: Household) -> None:
    house.append(name_of(1), messages(50, 90) + _result(1))  # a plain append, of many batches
    house.append(f"{session_id(1)}.trajectory.jsonl", b'{"trace":2}\n' * 100)
    house.write(name_of(2), header(2) + messages(1, 2) + message(3, "other") + messages(4, 30))  # a rewrite
    house.truncate(name_of(3), len(transcript(3, 2)))  # a shrink
    house.write(CHECKPOINT, house.path(name_of(4)).read_bytes())  # a copy, then repair drops a line
    house.replace(name_of(4), header(4) + messages(2, 20))
    house.append(name_of(5), messages(60, 80))  # an archive rename with an unread rest
    house.rename(name_of(5), f"{name_of(5)}.reset.{RESET_TIME}")
    house.rename(name_of(6), f"{name_of(6)}.reset.{LATER_TIME}")  # and one whose path is used again
    house.write(name_of(6), transcript(66, 9))
    house.path(name_of(7)).unlink()
    house.recreate(name_of(8), transcript(88, 12))  # another session at a known path
    house.append(name_of(9), message(4)[30:] + messages(5, 9))  # a torn line goes on,
    house.path(name_of(10)).unlink()  # ends with its file,
    house.append(name_of(11), message(4)[30:])  # or in the archive
    house.rename(name_of(11), f"{name_of(11)}.deleted.{LATER_TIME}")
    house.append(name_of(12), b"[]\n" + message(40)[:-1] + message(41) + b"{" * 3000 + b"\n" + b"x" * 9000 + b"\n")
    house.path(name_of(13)).rename(house.import_archive() / f"agent_main_main.{name_of(13)}.imported-1794802732071")
    house.path(name_of(14)).unlink()
    house.write(f"{name_of(14)}.deleted.{LATER_TIME}.zst", compressed(transcript(14, 40)))
    for number in range(40, 50):
        house.write(name_of(number), transcript(number, number - 38))
    house.write(name_of(51), b"")
    os.mkfifo(house.path(name_of(52)))
    fork = header(53, parentSession=str(house.path(name_of(1)))) + messages(1, 3) + messages(70, 75)
    house.write(f"2026-11-16T04-22-14-584Z_{session_id(53)}.jsonl", fork)


def contents(ledger_path: Path) -> dict[str, list[Any]]:
    """What the ledger says, whatever its row ids."""
    rows = transcripts(ledger_path)
    names = {row.id: f"{row.session_id} {row.path} {row.kind}" for row in rows}
    texts: dict[str, list[Any]] = {
        "transcripts": [
            [names[row.id], *row[4:9], names.get(row.parent_transcript_id or 0), *row[10:]] for row in rows
        ],
        "raw": [
            [names[row.id], generation, hashlib.sha256(exported(ledger_path, row.id, generation)).hexdigest()]
            for row in rows
            for generation in range(1, row.generation + 1)
        ],
    }
    queries = {
        "entries": """SELECT transcript_id, byte_offset, generation, superseded_in, line_no, byte_length, entry_id,
            parent_id, type, at, on_active_path, salvaged, flags FROM entries""",
        "quarantine": """SELECT transcript_id, byte_offset, generation, superseded_in, line_no, byte_length, reason, raw
            FROM quarantine""",
        "messages": """SELECT entries.transcript_id, byte_offset, generation, role, text, messages.at, text_bytes
            FROM messages JOIN entries USING (id)""",
        "tool_calls": """SELECT t.transcript_id, call.byte_offset, call.generation, call_id, name, status,
            result.byte_offset FROM tool_calls AS t JOIN entries AS call ON call.id = message_id
            LEFT JOIN entries AS result ON result.id = result_message_id""",
        "files": "SELECT transcript_id, path, role, present, size FROM _files",
        "tails": "SELECT transcript_id, data FROM _tails",
        "events": "SELECT transcript_id, kind, detail_json FROM sync_events",
    }
    for table, sql in queries.items():
        texts[table] = [[names.get(row[0], row[0]), *row[1:]] for row in query(ledger_path, sql)]
    return {table: sorted(found, key=repr) for table, found in texts.items()}
