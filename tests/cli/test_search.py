"""`syncd search`: ranked hits with snippets, filters, and an answer to every query, however odd."""

import pytest

from syncd.ledger.reading import search as module
from tests.cli.reading import Syncd, index, reader, take_in
from tests.conftest import Cli
from tests.mirror.household import Household, header, message, name_of, session_id, transcript


def snippets(run: Syncd, *args: str) -> list[str]:
    return [hit["snippet"] for hit in run("search", *args, "--json").json["hits"]]


def test_a_hit_has_what_the_contract_names_and_where_the_words_stand(syncd: Syncd) -> None:
    answer = syncd("search", "never", "returns", "--json").json
    assert answer["query"] == "never returns"
    (hit,) = answer["hits"]
    assert {"entry", "session_key", "session_id", "transcript_id", "role", "at", "snippet"} <= hit.keys()
    assert (hit["session_key"], hit["role"]) == ("agent:main:telegram:direct:4242", "user")
    assert [hit["snippet"][start:end] for start, end in hit["matches"]] == ["never", "returns"]
    (row,) = syncd("sql", "--json", f"SELECT text FROM messages WHERE id = {hit['entry']}").json
    assert "never returns" in row["text"]
    shown = syncd("search", "never returns").stdout.splitlines()
    assert shown[0].startswith("agent:main:telegram:direct:4242  Alex  user · 2026-11-16 04:18")
    assert shown[1] == "  And one that never returns"


def test_phrases_prefixes_and_operators_are_understood(syncd: Syncd) -> None:
    assert snippets(syncd, '"second answer"')
    assert snippets(syncd, '"answer second"') == []
    assert len(snippets(syncd, "quest*")) > len(snippets(syncd, "question AND differently")) == 1
    assert not set(snippets(syncd, "question NOT second")) & set(snippets(syncd, "question second"))
    assert snippets(syncd, "köln") == snippets(syncd, "KOLN") != []


def test_a_long_text_full_of_the_word_has_a_snippet_too(cli_in_process: Cli, house: Household) -> None:
    # FTS5's own snippet would take minutes for it.
    house.write(name_of(1), header(1) + message(1, "word " * 200_000) + message(2, "plain " * 20_000 + "Tulip there"))
    house.catch_up()
    run = reader(cli_in_process, house)
    (common,), (rare,) = snippets(run, "word"), snippets(run, '"tulip" OR tulips')
    assert common.startswith("word word ")
    assert rare.startswith("…")
    assert rare.endswith("plain Tulip there")


def test_the_better_hit_comes_first_and_the_newest_when_asked(cli_in_process: Cli, house: Household) -> None:
    filler = "many other words that say nothing of it at all " * 5
    lines = [message(1, "tulip tulip tulip"), message(2, f"tulip {filler}"), message(3, "nothing")]
    house.write(name_of(1), header(1) + b"".join(lines))
    house.catch_up()
    run = reader(cli_in_process, house)
    assert [text.split()[0] for text in snippets(run, "tulip")] == ["tulip", "tulip"]
    assert snippets(run, "tulip")[0] == "tulip tulip tulip"
    assert snippets(run, "tulip", "--sort", "newest")[1] == "tulip tulip tulip"
    assert snippets(run, "tulip", "--limit", "1") == ["tulip tulip tulip"]
    assert snippets(run, "t*")[1] == "tulip tulip tulip", "of very short prefixes the newest come first"


@pytest.mark.parametrize(
    ("query", "finds"),
    [
        ("foo-bar", True), ("what's", True), ("C++", True), ("a:b", True), ("path/to/file.py", True), ("(", False),
        ('"unclosed', True), ("AND", True), ("NOT x", False), ("NEAR(", False), ("* *", False), ("^", False),
        ("col:", True), ("{x y}:", False), ("!!!", False), ("\udcff", False), ("%s OR", False), ("--", False),
        ("x" * 999, False), ("(" * 400, False), ("a " * 400, True), ("🌻", False), ("tést:*", False),
    ],
)  # fmt: skip
def test_odd_queries_get_an_answer_never_a_trace(
    cli_in_process: Cli, house: Household, query: str, finds: bool
) -> None:
    text = "foo-bar what's up in C++ with a:b and path/to/file.py, unclosed col"
    house.write(name_of(1), header(1) + message(1, text))
    house.catch_up()
    done = reader(cli_in_process, house)("search", "--json", "--", query)
    assert done.exit_code == 0, done.stdout
    assert bool(done.json["hits"]) is finds


@pytest.mark.parametrize("query", ["", "   ", "x" * 1001])
def test_nothing_and_too_much_are_usage_errors(syncd: Syncd, query: str) -> None:
    refused = syncd("search", query, "--json")
    assert (refused.exit_code, refused.json["error"]["type"]) == (2, "usage")


def test_filters_leave_only_what_was_asked_for(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), header(1) + message(1, "rose one") + message(2, "rose two", "assistant"))
    house.write(name_of(2), header(2) + message(1, "rose three"))
    (house.sessions("ops") / name_of(3)).write_bytes(header(3) + message(1, "rose four"))
    index(house, s1={"channel": "telegram"}, s2={"channel": "discord"})
    take_in(house)
    run = reader(cli_in_process, house)

    def found(*args: str) -> set[str]:
        return {text.split()[1] for text in snippets(run, "rose", *args)}

    assert found() == {"one", "two", "three", "four"}
    assert found("--agent", "ops") == {"four"}
    assert found("--channel", "discord") == {"three"}
    assert found("--role", "assistant") == {"two"}
    assert found("--session", "direct:1") == {"one", "two"}
    assert found("--session", session_id(1), "--role", "user") == {"one"}
    assert found("--since", "2026-11-17") == set()
    assert found("--until", "2026-11-16T00:00Z") == set()
    assert found("--since", "2026-11-16T00:00Z", "--until", "2026-11-17T00:00Z") == found()
    assert run("search", "rose", "--session", "nobody").exit_code == 1
    assert run("search", "rose", "--agent", "nobody").stdout == "nothing found\n"


def test_rewritten_text_is_found_only_when_asked_for(cli_in_process: Cli, house: Household) -> None:
    for text in ("the former heather", "the present moss"):
        house.write(name_of(1), header(1) + message(1, text))
        house.catch_up()
    run = reader(cli_in_process, house)
    assert snippets(run, "heather") == []
    (hit,) = run("search", "heather", "--all", "--json").json["hits"]
    assert hit["is_superseded"] is True
    assert snippets(run, "moss") == ["the present moss"]


def test_what_forks_and_copies_repeat_is_shown_once(cli_in_process: Cli, house: Household) -> None:
    path = house.write(name_of(1), header(1) + message(1, "a single orchid"))
    house.catch_up()
    house.write(f"2026-11-16T04-22-14-584Z_{session_id(2)}.jsonl",
                header(2, parentSession=str(path)) + message(1, "a single orchid"))  # fmt: skip
    house.write(f"{name_of(1)}.bak-31211-1794802930541", path.read_bytes())
    house.catch_up()
    run = reader(cli_in_process, house)
    (hit,) = run("search", "orchid", "--json").json["hits"]
    assert hit["session_id"] == session_id(1)
    assert len(run("search", "orchid", "--all", "--json").json["hits"]) == 3


def test_of_a_very_common_word_the_newest_hits_are_weighed(
    cli_in_process: Cli, house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RANKED", 50)
    house.write(name_of(1), transcript(1, 300))
    house.catch_up()
    run = reader(cli_in_process, house)
    found = run("search", "said", "--limit", "10", "--json")
    assert "the newest 50 were weighed" in found.stderr
    assert len(found.json["hits"]) == 10
    assert all(int(hit["snippet"].split()[-1]) > 250 for hit in found.json["hits"])


def test_the_index_follows_rewrites_and_a_rebuild(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), header(1) + message(1, "daffodil"))
    house.catch_up()
    run = reader(cli_in_process, house)
    assert run("resync", "--rebuild", "--json").exit_code == 0
    assert snippets(run, "daffodil") == ["daffodil"]
    house.append(name_of(1), message(2, "crocus"))
    house.catch_up()
    assert snippets(run, "crocus OR daffodil", "--sort", "newest") == ["crocus", "daffodil"]


def test_a_key_is_searched_with_all_sessions_it_ever_stood_for_and_an_id_alone(
    cli_in_process: Cli, house: Household
) -> None:
    key = {"key": "agent:main:main"}
    for number, text in ((1, "peony before"), (2, "peony after")):
        house.write(name_of(number), header(number) + message(1, text))
        index(house, **{f"s{number}": key})
        take_in(house)
    run = reader(cli_in_process, house)
    assert sorted(snippets(run, "peony", "--session", "agent:main:main")) == ["peony after", "peony before"]
    assert sorted(snippets(run, "peony", "--session", "main")) == ["peony after", "peony before"]
    for name in (session_id(1), session_id(1)[:8], name_of(1)):
        assert snippets(run, "peony", "--session", name) == ["peony before"]


def test_signs_without_a_word_and_agents_nobody_knows_are_told(syncd: Syncd) -> None:
    assert "only words are searched" in syncd("search", "🌻").stderr
    assert "only words" not in syncd("search", "köln", "你好").stderr
    found = syncd("search", "first", "--agent", "nobody", "--json")
    assert (found.exit_code, found.json["hits"]) == (0, [])
    assert "knows no agent 'nobody'; it knows: main, ops" in found.stderr
    assert "knows no agent" not in syncd("search", "nevermore", "--agent", "ops").stderr
    assert syncd("search", "first", "--since", "2026-11-17", "--until", "2026-11-16").exit_code == 2


def test_words_that_a_shell_without_a_locale_passes_on_are_found(syncd: Syncd) -> None:
    assert snippets(syncd, "köln".encode().decode("ascii", "surrogateescape")) == snippets(syncd, "köln") != []
    assert syncd("search", "\ud800 \udcff").exit_code == 0
