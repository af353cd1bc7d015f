"""`syncd export --format markdown|html` and `--redact`: pages that can be sent, whatever was said."""

import json
import stat
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.reading import Syncd, index, mirrored, reader, take_in
from tests.conftest import Cli
from tests.mirror.household import Household, header, household, line, message, name_of, session_id
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
def house(tmp_path: Path) -> Household:
    return household(tmp_path)


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


def test_markdown_keeps_its_own_form_whatever_was_said(evil: Syncd) -> None:
    text = evil("export", session_id(1), "--format", "markdown", "--full").stdout
    outside, fence = [], ""
    for each in text.splitlines():
        mark = each[: len(each) - len(each.lstrip("`"))]
        if fence:
            fence = "" if each.strip() == fence else fence
        elif len(mark) >= 3 and "`" not in each[len(mark) :]:
            fence = mark
        else:
            outside.append(each)
    assert fence == "", "every fence is closed"
    assert [each for each in outside if each.startswith("# ")] == [outside[0]]
    prose = [each for each in outside if not each.startswith("→ ")]  # those have theirs in marks of code
    assert not [each for each in prose if "<script" in each.replace("\\<", "")]
    assert "\\# no heading" in outside


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
