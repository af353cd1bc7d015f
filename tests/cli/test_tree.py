"""`syncd tree`: every entry once, the active path marked, branches set in, and no depth or width that hangs it."""

from syncd.cli.tree_text import FOLDED_FROM, MAX_INDENT, tree_lines
from tests.cli.reading import Syncd, reader
from tests.conftest import Cli
from tests.mirror.household import Household, name_of, session_id, transcript


def test_branches_that_were_left_are_set_in_beside_what_goes_on(syncd: Syncd) -> None:
    drawn = syncd("tree", "branchy").stdout.splitlines()
    start = drawn.index("● 8ee86bf4 assistant First answer")
    assert drawn[start : start + 5] == [
        "● 8ee86bf4 assistant First answer",
        "├─ ○ e6a8447b user Second question, asked differently",
        "│  ○ 3d9b701f assistant A different second answer",
        "● d0ec25a2 label start here",
        "● 27a8e459 session_info A named session",
    ]
    assert "● 262bace3 assistant Third answer ← leaf" in drawn
    assert drawn[-2].startswith("fork: ec77ae1a-")
    assert drawn[-1] == "spawned: agent:main:direct:forked"


def test_the_document_has_what_the_contract_names(syncd: Syncd) -> None:
    document = syncd("tree", "branchy", "--json").json
    nodes = {node["entry_id"]: node for node in document["nodes"]}
    assert document["leaf_entry_id"] == "262bace3"
    assert {"entry_id", "parent_id", "type", "on_active_path"} <= nodes["262bace3"].keys()
    assert nodes["262bace3"]["on_active_path"] is True
    assert nodes["e6a8447b"]["on_active_path"] is False
    path = {entry["entry_id"] for entry in syncd("show", "branchy", "--json").json["entries"]}
    assert path == {name for name, node in nodes.items() if node["on_active_path"]}


def test_a_fork_and_a_successor_name_what_they_come_from(syncd: Syncd) -> None:
    assert "fork of 0a000003-" in syncd("tree", "direct:forked").stdout
    assert syncd("tree", "direct:compacted", "--json").json["parent"]["session_id"].startswith("0a000004-")


def test_long_runs_are_folded_unless_all_is_asked_for(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), transcript(1, 420))
    house.catch_up()
    run = reader(cli_in_process, house)
    assert "… 412 more" in run("tree", session_id(1)).stdout.splitlines()
    full = run("tree", session_id(1), "--full").stdout
    assert full.count("●") == 420
    assert "more" not in full


def test_an_earlier_generation_has_its_own_tree(cli_in_process: Cli, house: Household) -> None:
    for count in (3, 2):
        house.write(name_of(1), transcript(1, count))
        house.catch_up()
    run = reader(cli_in_process, house)
    for generation, leaf in (("1", "00000003"), ("2", "00000002")):
        assert run("tree", session_id(1), "--generation", generation, "--json").json["leaf_entry_id"] == leaf
    assert run("tree", session_id(1), "--generation", "9").exit_code == 2


def test_every_place_is_drawn_once_however_deep_and_wide() -> None:
    count, teeth = 30_000, 1_000_000
    comb = {place: [place + 1, teeth + place] for place in range(count)} | {-1: [0]}
    for active in (frozenset[int](), frozenset(range(teeth, teeth + count))):
        lines = list(tree_lines(comb, -1, active, str, full=True))
        assert sorted(int(line.lstrip("│├─ ")) for line in lines) == [*range(count + 1), *range(teeth, teeth + count)]
        assert max(line.count("│") + line.count("├") for line in lines) <= MAX_INDENT


def test_a_short_run_is_not_folded() -> None:
    for length, expected in ((FOLDED_FROM, FOLDED_FROM), (FOLDED_FROM + 1, 9)):
        chain = {place: [place + 1] for place in range(-1, length - 1)}
        assert len(list(tree_lines(chain, -1, frozenset(), str, full=False))) == expected
