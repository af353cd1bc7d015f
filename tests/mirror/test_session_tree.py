"""Who descends from whom among the sessions: whatever order they come in, and whatever nonsense the index says."""

from typing import Any

import pytest

from tests.mirror.indexed import MAIN, Indexed, entry

CHILD = "agent:main:subagent:one"
GRANDCHILD = "agent:main:subagent:two"


def tree(index: Indexed) -> list[tuple[Any, ...]]:
    """(key, depth) in reading order."""
    return index.rows("SELECT session_key, depth FROM session_tree")


def test_a_subagent_stands_below_who_spawned_it(index: Indexed) -> None:
    index.write(
        {
            MAIN: entry(1),
            "agent:other:main": entry(4),
            CHILD: entry(2, spawnedBy=MAIN),
            GRANDCHILD: entry(3, parentSessionKey=CHILD),
        }
    )
    index.settle()
    assert tree(index) == [(MAIN, 0), (CHILD, 1), (GRANDCHILD, 2), ("agent:other:main", 0)]
    names = index.rows("SELECT name, root FROM session_tree WHERE session_key = ?", GRANDCHILD)
    assert names == [(". . 0a000003 (2026-11-16)", 1)]


def test_a_parent_may_come_later(index: Indexed) -> None:
    index.write({GRANDCHILD: entry(3, spawnedBy=CHILD), CHILD: entry(2, spawnedBy=MAIN)})
    index.settle()
    assert tree(index) == [(CHILD, 0), (GRANDCHILD, 1)]
    index.write({GRANDCHILD: entry(3, spawnedBy=CHILD), CHILD: entry(2, spawnedBy=MAIN), MAIN: entry(1)})
    index.settle()
    assert tree(index) == [(MAIN, 0), (CHILD, 1), (GRANDCHILD, 2)]


def test_runs_stand_below_their_cron_job_and_threads_below_their_chat(index: Indexed) -> None:
    job, run = "agent:acron:cron:daily", "agent:acron:cron:daily:run:1"
    chat, thread = "agent:main:telegram:group:7", "agent:main:telegram:group:7:topic:9"
    index.write({job: entry(1), run: entry(2), chat: entry(3), thread: entry(4)})
    index.settle()
    assert tree(index) == [(job, 0), (run, 1), (chat, 0), (thread, 1)]
    jobs = index.rows("SELECT session_key, cron_job_id FROM session_tree WHERE cron_job_id IS NOT NULL")
    assert jobs == [(job, "daily"), (run, "daily")]


def test_a_circle_is_cut_where_it_would_close(index: Indexed) -> None:
    index.write(
        {MAIN: entry(1, spawnedBy=GRANDCHILD), CHILD: entry(2, spawnedBy=MAIN), GRANDCHILD: entry(3, spawnedBy=CHILD)}
    )
    index.settle()
    assert sorted(key for key, _ in tree(index)) == sorted([MAIN, CHILD, GRANDCHILD])
    assert sorted(depth for _, depth in tree(index)) == [0, 1, 2]
    index.write({MAIN: entry(1, spawnedBy=MAIN, label="itself"), CHILD: entry(2, spawnedBy=MAIN)})
    index.settle()
    assert (MAIN, 0) in tree(index)


@pytest.mark.parametrize("is_reversed", [False, True])
def test_a_long_chain_is_shown_to_its_last_link(index: Indexed, is_reversed: bool) -> None:
    chain = [f"agent:main:subagent:{number}" for number in range(250)]
    entries = {key: entry(number, spawnedBy=f"agent:main:subagent:{number - 1}") for number, key in enumerate(chain)}
    index.write(dict(reversed(entries.items())) if is_reversed else entries)
    index.settle()
    assert tree(index) == [(key, depth) for depth, key in enumerate(chain)]


def test_two_long_chains_that_are_joined_later_stay_whole(index: Indexed) -> None:
    names = [f"agent:main:subagent:{number}" for number in range(1, 161)]
    whole = {key: entry(at, spawnedBy=names[at - 1]) for at, key in enumerate(names) if at}
    index.write({key: fields for key, fields in whole.items() if key != names[80]})
    index.settle()
    index.write({names[0]: entry(1000), **whole})
    index.settle()
    assert tree(index) == [(key, depth) for depth, key in enumerate(names)]
    places = index.rows("SELECT place, depth FROM session_tree ORDER BY place")
    assert places == [(depth + 1, depth) for depth in range(160)]


def test_another_parent_is_another_place(index: Indexed) -> None:
    index.write({MAIN: entry(1), CHILD: entry(2, spawnedBy=MAIN), GRANDCHILD: entry(3, spawnedBy=MAIN)})
    index.settle()
    index.write({MAIN: entry(1), CHILD: entry(2, spawnedBy=MAIN), GRANDCHILD: entry(3, spawnedBy=CHILD)})
    index.settle()
    assert tree(index) == [(MAIN, 0), (CHILD, 1), (GRANDCHILD, 2)]
    index.write({MAIN: entry(1), CHILD: entry(2, spawnedBy=MAIN), GRANDCHILD: entry(3, label="free")})
    index.settle()
    assert tree(index)[-1] == (GRANDCHILD, 0)


def test_a_parent_that_was_renamed_keeps_its_children(index: Indexed) -> None:
    index.write({"agent:main:Old": entry(1), CHILD: entry(2, spawnedBy="agent:main:Old")})
    index.settle()
    index.write(
        {
            "agent:main:old": entry(1, updated_at=1_794_802_940_000),
            CHILD: entry(2, spawnedBy="agent:main:Old", label="x"),
        }
    )
    index.settle()
    assert tree(index) == [("agent:main:old", 0), (CHILD, 1)]
