"""A transcript's tree as lines: the branch that goes on stays at its column, the others are set in beside it.

Walks with a stack of its own, so depth is no danger, and folds what goes on without a fork. Pure: takes places, parents
and labels.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

FOLDED_FROM: Final = 12
"""Runs of more entries than this are folded ..."""
SHOWN_OF_RUN: Final = 4
"""... to so many at each end."""
MAX_INDENT: Final = 24
"""Branches of branches of branches are not set in further than this."""


class Branch(NamedTuple):
    first: int
    depth: int
    is_last: bool


Label = Callable[[int], str]
"""The text of the entry at a place."""


def tree_lines(
    children: Mapping[int, Sequence[int]], root: int, active: frozenset[int], label: Label, *, full: bool
) -> Iterator[str]:
    """`root`: whose children begin the tree. `active`: places on the active path, which go on at their column."""
    stack = [Branch(first, 0, is_last) for first, is_last in _ordered(children.get(root, ()), active)]
    while stack:
        branch = stack.pop()
        run = _run(children, branch.first)
        yield from _run_lines(run, branch, label, full=full)
        further = _ordered(children.get(run[-1], ()), active)
        # Popped last in, first out: the side branches come first, what goes on comes after them at the same column.
        stack += [Branch(first, branch.depth + (not is_last), is_last) for first, is_last in further]


def _ordered(places: Sequence[int], active: frozenset[int]) -> list[tuple[int, bool]]:
    """What goes on first: the active one, else the latest; then the side branches, the latest first."""
    if not places:
        return []
    on = next((place for place in reversed(places) if place in active), places[-1])
    return [(on, True), *((place, False) for place in reversed(places) if place != on)]


def _run(children: Mapping[int, Sequence[int]], first: int) -> list[int]:
    """Entries from `first` on, up to one where the tree forks or ends."""
    run = [first]
    while len(following := children.get(run[-1], ())) == 1:
        run.append(following[0])
    return run


def _run_lines(run: list[int], branch: Branch, label: Label, *, full: bool) -> Iterator[str]:
    indent = "│  " * min(branch.depth, MAX_INDENT)
    if branch.depth and not branch.is_last:
        lead, rest = "│  " * (min(branch.depth, MAX_INDENT) - 1) + "├─ ", indent
    else:
        lead = rest = indent
    hidden = 0 if full or len(run) <= FOLDED_FROM else len(run) - 2 * SHOWN_OF_RUN
    for number, place in enumerate(run):
        if not hidden or number < SHOWN_OF_RUN or number >= SHOWN_OF_RUN + hidden:
            yield (lead if number == 0 else rest) + label(place)
        elif number == SHOWN_OF_RUN:
            yield f"{rest}… {hidden} more"
