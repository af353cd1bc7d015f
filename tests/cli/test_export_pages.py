"""`syncd export --format markdown|html` and `--redact`: pages that can be sent, whatever was said."""

import json
import stat
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tests.cli.reading import Syncd, index, mirrored, reader, take_in
from tests.conftest import Cli
from tests.mirror.household import Household, header, line, message, name_of, session_id
from tests.mirror_fixtures import JSONL_RELEASES, transcript_files

EVIL = """<script>alert(1)</script><img src=x onerror=alert(1)> </pre></details></article> "'&amp; `<b>`
[x](javascript:0)
# no heading
```
<i>code</i>"""
SECRET = "xo" + "xb-123456789012-abcdefABCDEF"
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "h1", "dl", "dt", "dd", "main", "article", "header", "b", "time",
    "span", "p", "pre", "details", "summary", "footer",
}  # fmt: skip


class Page(HTMLParser):
    """The tags of a page, checked for balance, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "meta":
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def evil(cli_in_process: Cli, house: Household) -> Syncd:
    call = [{"type": "toolCall", "id": "c", "name": EVIL, "arguments": {"command": EVIL}}]
    result = {"role": "toolResult", "toolCallId": "c", "toolName": EVIL, "isError": True, "content": [
        {"type": "text", "text": f"````\n{EVIL}\n{SECRET}"}, {"type": "image", "data": "AAAA", "mimeType": EVIL},
    ]}  # fmt: skip
    house.write(
        name_of(1),
        header(1)
        + message(1, EVIL)
        + message(2, f"token={SECRET}\n{EVIL}", "assistant")
        + line(
            {"type": "message", "id": "3", "parentId": "00000002", "message": {"role": "assistant", "content": call}}
        )
        + line({"type": "message", "id": "4", "parentId": "3", "message": result})
        + line({"type": "compaction", "id": "5", "parentId": "4", "summary": EVIL})
        + line({"type": "custom_message", "id": "6", "parentId": "5", "customType": EVIL, "content": EVIL}),
    )
    index(house, s1={"label": EVIL})
    take_in(house)
    return reader(cli_in_process, house)


def test_a_page_has_no_script_fetches_nothing_and_escapes_every_word(evil: Syncd) -> None:
    for more in ([], ["--full"]):
        page = Page(evil("export", session_id(1), "--format", "html", *more).stdout)
        assert {tag for tag, _ in page.tags} <= ALLOWED
        names = {name for _, attributes in page.tags for name in attributes}
        assert names <= {"lang", "charset", "name", "content", "http-equiv", "class", "open"}
        policy = next(given for _, given in page.tags if given.get("http-equiv") == "Content-Security-Policy")
        assert (policy["content"] or "").startswith("default-src 'none'; style-src 'sha256-")
        assert page.text.count("<script>alert(1)</script>") >= 6
    assert any(given.get("name") == "viewport" for _, given in page.tags)
    assert "prefers-color-scheme:dark" in page.text


def test_markdown_renders_to_words_and_headings_of_ours_whatever_was_said(evil: Syncd) -> None:
    for more in ([], ["--full"]):
        page = evil("export", session_id(1), "--format", "markdown", *more).stdout
        parsed = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(page)
        tokens = [each for token in parsed for each in (token, *(token.children or []))]
        assert not {each.type for each in tokens} & {"html_block", "html_inline", "image", "link_open"}
        headings = [tokens[place + 1].content for place, each in enumerate(tokens) if each.type == "heading_open"]
        assert [heading.split(" ·")[0] for heading in headings][1:] == [
            "User", "Assistant", "Assistant", "Tool", "Compaction", "custom\\_message",
        ]  # fmt: skip
        assert all(each.level == 0 for each in tokens if each.type == "heading_open")
        assert "alert(1)" in headings[0]


def test_full_pages_have_every_argument_of_a_call(cli_in_process: Cli, house: Household) -> None:
    arguments = {"path": "a.txt", "limit": 30, "edits": [{"old": "one\ntwo", "new": "<three>"}], "password": "a b"}
    call = {"type": "toolCall", "id": "c", "name": "edit", "arguments": arguments}
    single = {"type": "toolCall", "id": "d", "name": "exec", "arguments": {"command": "make\nmake test"}}
    spaced = {"type": "toolCall", "id": "e", "name": "grep", "arguments": {"pattern": "a  b"}}
    told = {"role": "assistant", "content": [call, single, spaced]}
    house.write(name_of(1), header(1) + message(1) + line({"type": "message", "id": "2", "message": told}))
    take_in(house)
    run = reader(cli_in_process, house)
    laid_out = "path: a.txt\nlimit: 30\nedits:\n  - old:\n      one\n      two\n    new: <three>\npassword: a b\n"
    markdown = run("export", session_id(1), "--format", "markdown", "--full").stdout
    assert f"→ **edit**\n\n```\n{laid_out}```\n" in markdown
    assert "→ **exec**\n\n```\nmake\nmake test\n```\n" in markdown
    assert "→ **grep**\n\n```\na  b\n```\n" in markdown
    assert f"→ edit\n{laid_out}" in Page(run("export", session_id(1), "--format", "html", "--full").stdout).text
    shown = run("show", session_id(1), "--all", "--full").stdout
    assert "  → edit\n" + "".join(f"    {each}\n" for each in laid_out.splitlines()) in shown
    for verb in ("export --format markdown", "export --format html", "show --all"):
        assert "limit" not in run(*verb.split(), session_id(1)).stdout
        masked = run(*verb.split(), session_id(1), "--full", "--redact").stdout
        assert "a b" not in masked
        assert "password: [redacted: secret]" in masked
    (entry,) = [each for each in run("show", session_id(1), "--all", "--full", "--json").json["entries"]
                if "tool_calls" in each]  # fmt: skip
    assert json.loads(entry["tool_calls"][0]["arguments_json"]) == arguments


def test_redacted_pages_mask_names_and_titles_as_well_as_words(cli_in_process: Cli, house: Household) -> None:
    def secret(number: int) -> str:
        return "gh" + f"p_{number}" + "a1B2c3D4" * 5

    call = {"type": "toolCall", "id": "c", "name": secret(1), "arguments": {secret(2): {"x": secret(3)}}}
    entries: list[dict[str, object]] = [
        {"role": "assistant", "model": secret(4), "provider": secret(5), "content": [call], "errorMessage": secret(6)},
        {"role": "toolResult", "toolName": secret(7), "content": [{"type": "image", "mimeType": secret(8)}]},
        {"role": secret(9), "content": [{"type": "thinking", "thinking": secret(10)}, {"type": "text", "text": "x"}]},
        {"role": "bashExecution", "command": secret(11), "output": secret(12)},
    ]
    house.write(
        name_of(1),
        header(1)
        + message(1)
        + b"".join(line({"type": "message", "id": f"m{n}", "message": each}) for n, each in enumerate(entries))
        + line({"type": "custom", "id": "c1", "customType": secret(13)})
        + line({"type": secret(14), "id": "c2"}),
    )
    index(house, s1={"label": secret(15)})
    take_in(house)
    run = reader(cli_in_process, house)
    for verb in ("show --all", "show --all --json", "export --format markdown", "export --format html", "export"):
        for more in ([], ["--full"]) if verb != "export" else ([],):
            masked = run(*verb.split(), *more, "--transcript", "1", "--redact")
            assert masked.exit_code == 0
            assert "a1B2c3D4" not in masked.stdout


@pytest.mark.parametrize("form", ["jsonl", "markdown", "html"])
def test_redacted_leaves_no_secret_and_else_all(evil: Syncd, form: str) -> None:
    plain = evil("export", session_id(1), "--format", form).stdout
    masked = evil("export", session_id(1), "--format", form, "--redact").stdout
    assert SECRET in plain
    assert SECRET not in masked
    assert masked.count("redacted: slack token") == plain.count(SECRET) == 2
    if form == "jsonl":
        assert [json.loads(each)["type"] for each in masked.splitlines()] == [
            json.loads(each)["type"] for each in plain.splitlines()
        ]


@pytest.mark.parametrize("release", JSONL_RELEASES)
def test_every_genuine_transcript_makes_pages_and_stays_itself_when_redacted(
    cli_in_process: Cli, tmp_path_factory: pytest.TempPathFactory, release: str
) -> None:
    house = mirrored(tmp_path_factory, release)
    run = reader(cli_in_process, house)
    for file in transcript_files(release):
        page = Page(run("export", file.relative, "--format", "html", "--full").stdout)
        assert {tag for tag, _ in page.tags} <= ALLOWED
        assert run("export", file.relative, "--format", "markdown").stdout.startswith("# ")
        masked = run("export", file.relative, "--redact").stdout_bytes
        assert masked == (house.state_dir / file.relative).read_bytes()


def test_a_page_is_written_whole_and_for_this_user_only(evil: Syncd, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    done = evil("export", session_id(1), "--format", "html", "-o", target)
    assert done.exit_code == 0
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert target.read_text().endswith("</html>\n")
    assert done.stderr == f"wrote {target.stat().st_size} bytes to {target}\n"
    refused = evil("export", session_id(1), "--format", "html", "--generation", "7", "-o", tmp_path / "none.html")
    assert refused.exit_code == 2
    assert [each.name for each in tmp_path.iterdir() if each.suffix in (".html", ".partial")] == ["page.html"]


def test_full_is_no_word_for_jsonl(evil: Syncd) -> None:
    assert evil("export", session_id(1), "--full").exit_code == 2
    assert evil("export", session_id(1), "--format", "pdf").exit_code == 2
