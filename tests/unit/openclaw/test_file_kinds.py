"""Every name that OpenClaw writes into its sessions dirs, row by row of the format notes."""

import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.openclaw.file_kinds import FileName, classify, is_session_id

ID = "0a000001-0000-4000-8000-000000000001"
OTHER = "11546cb9-b0a8-4517-95a1-4efe05f46fd5"
BRANCH = f"2026-11-16T04-22-14-584Z_{ID}"
AT = "2026-11-16T04-22-14.522Z"
AT_DASHES = "2026-11-16T04-22-14-522Z"
AT_MS = 1_794_802_934_522
HEX32 = "54f8826cc57545478efb2eddd618fe4d"
SAFE = f"{ID}.jsonl"


def row(name: str, kind: Any, **rest: Any) -> Any:
    """The whole answer for a name: what is not said is the default."""
    return pytest.param(name, FileName(kind, **rest), id=name)


def imported(name: str, kind: Any, of: str, **rest: Any) -> Any:
    return row(
        f"{name}.imported-{AT_MS}",
        kind,
        archive_reason="imported",
        archived_at_ms=AT_MS,
        of=of,
        **rest,
    )


PRIMARIES = [
    row(SAFE, "primary", stem=ID, session_id=ID),
    row(SAFE.upper().replace("JSONL", "jsonl"), "primary", stem=ID.upper(), session_id=ID.upper()),
    row(f"{ID}-topic-7.jsonl", "primary", stem=f"{ID}-topic-7", session_id=ID, topic_id="7"),
    row(
        f"{ID}-topic-a%2Fb%20%E2%82%AC.jsonl",
        "primary",
        stem=f"{ID}-topic-a%2Fb%20%E2%82%AC",
        session_id=ID,
        topic_id="a/b €",
    ),
    row(
        f"{ID}-topic-%ff%.jsonl",
        "primary",
        stem=f"{ID}-topic-%ff%",
        session_id=ID,
        topic_id="\ufffd%",
    ),
    row(
        f"{ID}-topic-a-topic-b.jsonl",
        "primary",
        stem=f"{ID}-topic-a-topic-b",
        session_id=ID,
        topic_id="a-topic-b",
    ),
    row(f"{BRANCH}.jsonl", "primary", stem=BRANCH, session_id=ID),
    row("notes.v2_x.jsonl", "primary", stem="notes.v2_x", session_id="notes.v2_x"),
    row("agent_main_main.jsonl", "primary", stem="agent_main_main", session_id="agent_main_main"),
    row("été.jsonl", "primary", stem="été", session_id="été"),
    row(
        "my-run-topic-5.jsonl",
        "primary",
        stem="my-run-topic-5",
        session_id="my-run",
        topic_id="5",
    ),
    row("-topic-5.jsonl", "primary", stem="-topic-5"),
    # Names that OpenClaw would not give are read all the same; only their id is not believed.
    row("with space.jsonl", "primary", stem="with space"),
    row("two\nlines.jsonl", "primary", stem="two\nlines"),
    row("\udcff\udcfe.jsonl", "primary", stem="\udcff\udcfe"),
    row("x" * 249 + ".jsonl", "primary", stem="x" * 249),
    row("x" * 128 + ".jsonl", "primary", stem="x" * 128, session_id="x" * 128),
]

ENDING_IN_JSONL_BUT_NO_PRIMARIES = [
    row(f"{ID}.trajectory.jsonl", "trajectory", stem=ID, session_id=ID, of=SAFE),
    row(
        f"{ID}-topic-7.trajectory.jsonl",
        "trajectory",
        stem=f"{ID}-topic-7",
        session_id=ID,
        topic_id="7",
        of=f"{ID}-topic-7.jsonl",
    ),
    row(f"{ID}.checkpoint.{OTHER}.jsonl", "checkpoint", stem=ID, session_id=ID, of=SAFE),
    row(f"x.CHECKPOINT.{OTHER.upper()}.jsonl", "checkpoint", stem="x", session_id="x", of="x.jsonl"),
    row(
        f"{BRANCH}.checkpoint.{OTHER}.jsonl",
        "checkpoint",
        stem=BRANCH,
        session_id=ID,
        of=f"{BRANCH}.jsonl",
    ),
    row(
        f"{SAFE}.corrupt-{AT_DASHES}-0123abcd.jsonl",
        "corrupt",
        stem=ID,
        session_id=ID,
        archived_at_ms=AT_MS,
        of=SAFE,
    ),
    row(".jsonl", "unknown"),
    row(f".{ID}.jsonl", "unknown"),
]

RENAMED_AND_COPIED = [
    row(
        f"{SAFE}.reset.{AT}",
        "reset",
        stem=ID,
        session_id=ID,
        archive_reason="reset",
        archived_at_ms=AT_MS,
        of=SAFE,
    ),
    row(
        f"{SAFE}.reset.2026-11-16T04-22-14Z",
        "reset",
        stem=ID,
        session_id=ID,
        archive_reason="reset",
        archived_at_ms=AT_MS - 522,
        of=SAFE,
    ),
    row(
        f"{ID}-topic-7.jsonl.deleted.{AT}",
        "deleted",
        stem=f"{ID}-topic-7",
        session_id=ID,
        topic_id="7",
        archive_reason="deleted",
        archived_at_ms=AT_MS,
        of=f"{ID}-topic-7.jsonl",
    ),
    row(
        f"{SAFE}.deleted.{AT}.{HEX32}.zst",
        "deleted",
        stem=ID,
        session_id=ID,
        archive_reason="deleted",
        archived_at_ms=AT_MS,
        is_zst=True,
        of=SAFE,
    ),
    row(
        f"{SAFE}.reset.{AT}.{HEX32}",
        "reset",
        stem=ID,
        session_id=ID,
        archive_reason="reset",
        archived_at_ms=AT_MS,
        of=SAFE,
    ),
    row(
        f"{SAFE}.reset.{AT}.zst",
        "reset",
        stem=ID,
        session_id=ID,
        archive_reason="reset",
        archived_at_ms=AT_MS,
        is_zst=True,
        of=SAFE,
    ),
    row(
        f"{SAFE}.bak.{AT}",
        "backup",
        stem=ID,
        session_id=ID,
        archive_reason="compact",
        archived_at_ms=AT_MS,
        of=SAFE,
    ),
    row(
        f"{SAFE}.bak-31223-{AT_MS}",
        "backup",
        stem=ID,
        session_id=ID,
        archive_reason="repair",
        archived_at_ms=AT_MS,
        of=SAFE,
    ),
    *(
        row(
            f"{SAFE}.pre-doctor-{what}-repair-{AT_DASHES}.bak",
            "backup",
            stem=ID,
            session_id=ID,
            archive_reason="doctor",
            archived_at_ms=AT_MS,
            of=SAFE,
        )
        for what in ("branch", "openai-codex")
    ),
    *(
        row(f"{SAFE}{end}", "backup", stem=ID, session_id=ID, archive_reason="migrated", of=SAFE)
        for end in (".migrated", ".migrated.2")
    ),
    # A time that is none: the name is still an archive's.
    row(
        f"{SAFE}.reset.2026-99-16T04-22-14.522Z",
        "reset",
        stem=ID,
        session_id=ID,
        archive_reason="reset",
        of=SAFE,
    ),
    # What was no transcript before its renaming is none after it.
    row(
        f"{ID}.trajectory.jsonl.deleted.{AT}",
        "trajectory",
        stem=ID,
        session_id=ID,
        archive_reason="deleted",
        archived_at_ms=AT_MS,
        of=f"{ID}.trajectory.jsonl",
    ),
    row(
        f"{ID}.checkpoint.{OTHER}.jsonl.deleted.{AT}",
        "checkpoint",
        stem=ID,
        session_id=ID,
        archive_reason="deleted",
        archived_at_ms=AT_MS,
        of=f"{ID}.checkpoint.{OTHER}.jsonl",
    ),
]


IMPORT_ARCHIVE = [
    imported(f"agent_main_cron_job-1.{SAFE}", "import_archive", SAFE, stem=ID, session_id=ID),
    imported(f"agent_main_120_g.us.{SAFE}", "import_archive", SAFE, stem=ID, session_id=ID),
    imported(f"agent_main_recovered_{ID}.{SAFE}", "import_archive", SAFE, stem=ID, session_id=ID),
    imported(
        f"agent_main_direct_forked.{BRANCH}.jsonl",
        "import_archive",
        f"{BRANCH}.jsonl",
        stem=BRANCH,
        session_id=ID,
    ),
    imported(
        f"agent_main_x.{ID}-topic-7.jsonl",
        "import_archive",
        f"{ID}-topic-7.jsonl",
        stem=f"{ID}-topic-7",
        session_id=ID,
        topic_id="7",
    ),
    imported(
        "agent_main_explicit_my-run.my-run.jsonl",
        "import_archive",
        "my-run.jsonl",
        stem="my-run",
        session_id="my-run",
    ),
    imported(
        f"archive-tier.{SAFE}.reset.{AT}",
        "import_archive",
        f"{SAFE}.reset.{AT}",
        stem=ID,
        session_id=ID,
    ),
    imported(
        f"agent_main_main.{ID}.checkpoint.{OTHER}.jsonl",
        "import_archive",
        f"{ID}.checkpoint.{OTHER}.jsonl",
        stem=ID,
        session_id=ID,
    ),
    imported(
        f"agent_main_main.{ID}.trajectory.jsonl",
        "trajectory",
        f"{ID}.trajectory.jsonl",
        stem=ID,
        session_id=ID,
    ),
    imported(
        f"agent_main_main.{ID}.trajectory-path.json",
        "trajectory_path",
        f"{ID}.trajectory-path.json",
        stem=ID,
        session_id=ID,
    ),
    imported("legacy-store.sessions.json", "index_backup", "sessions.json"),
]

BESIDE_THE_TRANSCRIPTS = [
    row("sessions.json", "index"),
    row(f"sessions.json.bak.{AT_MS}", "index_backup", archived_at_ms=AT_MS, of="sessions.json"),
    row("sessions.json.migrated", "index_backup", archive_reason="migrated", of="sessions.json"),
    row(f"sessions.json.{OTHER}.tmp", "index_tmp", of="sessions.json"),
    row(f"sessions.json.4711.{OTHER}.tmp", "index_tmp", of="sessions.json"),
    row("sessions.json.lock", "lock", of="sessions.json"),
    row(f"{SAFE}.lock", "lock", stem=ID, session_id=ID, of=SAFE),
    row(
        f"{BRANCH}.jsonl.lock",
        "lock",
        stem=BRANCH,
        session_id=ID,
        of=f"{BRANCH}.jsonl",
    ),
    row(f"{ID}.trajectory-path.json", "trajectory_path", stem=ID, session_id=ID, of=SAFE),
    row("ab" * 32 + ".jsonl.zst", "cold", is_zst=True),
    *(
        row(name, "tmp")
        for name in (
            f"{SAFE}.repair-31223-{AT_MS}.tmp",
            f"{SAFE}.repair.31223.{OTHER}.tmp",
            f"{SAFE}.compact.{OTHER}.tmp",
            f".{SAFE}.31223.{OTHER}.tmp",
            f".fs-safe-replace.31223.{OTHER}.tmp",
            f".fs-safe-move-31223-{OTHER}.tmp",
            ".usage-cost-cache.json.31223.1.tmp",
            ".usage-cost-cache.json.lock.31223.1.tmp",
        )
    ),
    *(
        row(name, "ignored")
        for name in (
            ".usage-cost-cache.json",
            ".usage-cost-cache.json.lock",
            "skills-prompts",
            "cold",
            ".DS_Store",
        )
    ),
    *(row(name, "unknown") for name in ("", "notes.txt", "sessions.json5", f"{SAFE}.zst", f"{SAFE}.reset.soon")),
    row("x" * 300 + ".jsonl", "unknown"),
]


@pytest.mark.parametrize(
    ("name", "expected"),
    PRIMARIES + ENDING_IN_JSONL_BUT_NO_PRIMARIES + RENAMED_AND_COPIED + IMPORT_ARCHIVE + BESIDE_THE_TRANSCRIPTS,
)
def test_a_name_tells_what_the_file_is(name: str, expected: FileName) -> None:
    assert classify(name) == expected


def test_a_second_import_in_one_millisecond_has_a_counter() -> None:
    found = classify(f"agent_main_main.{SAFE}.imported-{AT_MS}.3")
    assert (found.kind, found.session_id, found.archived_at_ms) == ("import_archive", ID, AT_MS)


def test_a_topic_that_is_no_utf8_can_still_be_stored() -> None:
    name = os.fsdecode(f"{ID}-topic-".encode() + b"\xff.jsonl")
    assert classify(name).topic_id == "\ufffd"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ID, True),
        ("a", True),
        ("A.b_c-d", True),
        ("", False),
        ("-a", False),
        (".a", False),
        ("a/b", False),
        ("a b", False),
        ("a" * 129, False),
        (f"x.checkpoint.{OTHER}", False),
        ("x.checkpoint.1", True),
    ],
)
def test_session_ids_follow_openclaws_rule(text: str, expected: bool) -> None:
    assert is_session_id(text) is expected


PIECES = st.sampled_from(
    [
        *(ID, BRANCH, AT, AT_DASHES, HEX32, str(AT_MS), ".jsonl", ".json", ".zst", ".tmp", ".lock"),
        *(".reset.", ".deleted.", ".bak.", ".bak-1-2", ".trajectory", ".checkpoint.", "-topic-"),
        *(".corrupt-", ".imported-", ".migrated", ".sessions.json", "sessions.json", ".", "\n"),
    ]
)


@given(st.one_of(st.text(max_size=40), st.lists(PIECES, max_size=9).map("".join)))
def test_every_name_has_an_answer_that_is_consistent(name: str) -> None:
    found = classify(name)
    if found.kind == "primary":
        assert name == f"{found.stem}.jsonl"
        assert found.of is None
    if found.session_id is not None:
        assert is_session_id(found.session_id)
        assert found.session_id in found.stem
    if found.of is not None:
        assert found.of in name or found.of.removesuffix(".jsonl") in name
    assert found.topic_id is None or found.topic_id.encode()
