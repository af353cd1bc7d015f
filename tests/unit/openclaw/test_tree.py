"""The tree of a transcript's entries, against what OpenClaw's own scan says of the same entries."""

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from syncd.openclaw.tree import LINEAR_VERSION, NOWHERE, PLAIN_TYPES, Link, Tree, grow
from tests.conftest import CHECKOUT

DATA = CHECKOUT / "tests/data/openclaw"
"""trees-*: random entries with unique ids, and what scanSessionTranscriptTree made of them: leaf, cursor, path."""


def link_of(entry: dict[str, Any]) -> Link:
    target = entry.get("targetId")
    is_side = entry.get("appendMode") == "side"
    append = entry.get("appendParentId", target)
    return Link(entry["type"], entry.get("id"), entry.get("parentId"), "parentId" in entry, is_side, target, append)


def grow_in_short(links: Iterable[Link], version: str | None) -> Tree:
    """Where an entry simply goes on, in the short way that lines take as they come in."""
    tree = Tree()
    for link in links:
        goes_on = link.is_linked and not link.is_side and link.parent_id == tree.append_id
        if goes_on and link.type in PLAIN_TYPES and link.entry_id:
            tree.go_on(link.entry_id)
        else:
            tree.add(link, version)
    return tree


@pytest.mark.parametrize("way", [grow, grow_in_short])
@pytest.mark.parametrize(("release", "version"), [("2026.7.1", "3"), ("2026.9.6", "4")])
def test_every_tree_is_read_as_openclaw_reads_it(
    release: str, version: str, way: Callable[[Iterable[Link], str | None], Tree]
) -> None:
    for line in (DATA / f"trees-{release}.jsonl").read_text().splitlines():
        case = json.loads(line)
        tree = way(map(link_of, case["entries"]), version)
        assert (tree.tip_id, tree.append_id, tree.path()) == (case["leaf"], case["append"], case["path"]), line


def message(entry_id: str | None, parent_id: str | None) -> Link:
    return Link("message", entry_id, parent_id)


def test_a_version_1_file_is_one_line_of_entries_without_ids() -> None:
    links = [Link("session", "s", None), message(None, None), message(None, None), Link("odd", None, None)]
    assert grow(links, LINEAR_VERSION).path() == [1, 2]
    assert grow(links).path() == []


def test_a_parent_that_is_not_there_begins_a_new_root() -> None:
    tree = grow([message("a", "lost"), message("b", "a"), message("c", "gone too")])
    assert (list(tree.parents), tree.path()) == ([NOWHERE, 0, NOWHERE], [2])


@pytest.mark.parametrize("links", [[message("a", "b"), message("b", "a")], [message("a", "a")]])
def test_entries_that_name_each_other_make_no_endless_path(links: list[Link]) -> None:
    assert len(grow(links).path()) <= 2


def test_an_id_that_comes_twice_is_the_later_one_from_there_on() -> None:
    tree = grow([message("a", None), message("b", "a"), message("a", "b"), message("c", "a")])
    assert tree.path() == [0, 1, 2, 3]


def test_what_has_no_id_knows_the_tip_of_its_time() -> None:
    links = [message("a", None), Link("message", "m", "a", is_side=True), message("b", "m"), message(None, None)]
    tree: Tree = grow(links)
    assert (tree.path(), tree.beside) == ([0, 2], {3: 2})


def test_a_side_entry_without_a_parent_is_a_root_to_which_the_tip_can_go() -> None:
    side = (Link("message", "m", None, is_side=True), Link("message", "n", "m", is_side=True))
    tree = grow([message("a", None), *side, Link("leaf", "l", "n", target_id="n", append_parent_id="n")])
    assert (tree.path(), tree.beside) == ([1, 2], {})
