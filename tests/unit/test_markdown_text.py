"""Words of others as Markdown, held to what a renderer of CommonMark with tables makes of them: nothing but words."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from syncd.cli.markdown_text import code, fenced, plain, prose
from tests.examples import examples

RENDERER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
LIVE = {"html_block", "html_inline", "image", "link_open", "heading_open"}
PIECES = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<!--", "<a href='javascript:0'>", "</details>", "<b",
    "<?x",
    "<http://evil.example>", "![i](http://evil.example/p.png)", "[x](javascript:alert(1))", "[r]: http://evil.example",
    "![r]",
    "[r][r]", "[x]( <javascript:0> )", "&lt;script&gt;", "&#60;b&#62;", "&#x5b;", "`", "``", "```", "````", "~~~",
    "~~~~", "\\",
    "\\`", "\\\\", "\\[", "|", "|---|---|", ":-:", "- ", "* ", "1. ", "> ", "    ", "  ", "\t", "\n", "\n\n", "# ",
    "#", "---", "===",
    "-", "=", "***", "word", "$$", "```html", "~~~ x", "- ```", "1. ~~~", "> ```", "a `b", "*", "_", "<", ">", "&",
    "!", "(", ")", "]",
]  # fmt: skip
_LINE = st.lists(st.sampled_from(PIECES) | st.text(alphabet="`~<>[]()|\\ #-=a*_&;!$:.1\t", max_size=6), max_size=4)
HOSTILE = st.lists(_LINE.map("".join), max_size=8).map("\n".join)
ATTACKS = [
    "\\`<b>\\`",
    "a `b\nc` <b>",
    "- ```\n  x\n<script>alert(1)</script>",
    "1. a\n   ```\n   b\n2. c\n<b>",
    "```\nleft open",
    "`<b>`|x\n:-:|:-:\n`<img src=x>|`|y",
    "h\n:-:\n`<b>|`",
    "word\n---",
    "> word\n> ===",
    "word\n- ```\nx\n```",
    "> # x\n- # y\n1. # z",
    "\\[x](javascript:0) \\![i](http://evil.example/i.png)",
    "[r]: http://evil.example/p.png\n\n![r] [r]",
    "\\\\<b>",
    "<!--\n\n-->",
    "``` `<b>`\n<i>",
    "    <b>\n\n<b>",
    "- a\n\n    ```\n<b>",
    "    ```\n<b>\n    ~~~\n    x",
    "$$\nx",
]


def tokens(page: str) -> list[Token]:
    return [each for token in RENDERER.parse(page) for each in (token, *(token.children or []))]


def shown(page: str) -> str:
    """What a reader of the rendered page reads, without blanks."""
    kinds = ("text", "text_special", "code_inline", "fence", "code_block")
    text = "".join(each.info + each.content for each in tokens(page) if each.type in kinds)
    return "".join(text.split())


@settings(max_examples=examples(300), deadline=None)
@given(HOSTILE, HOSTILE)
def test_no_text_becomes_more_than_text_nor_reaches_beyond_its_end(first: str, second: str) -> None:
    check(first, second)


@pytest.mark.parametrize("text", ATTACKS)
def test_a_known_attack_is_words(text: str) -> None:
    check(text, text)


def check(first: str, second: str) -> None:
    page = f"# Ours\n\n{prose(first)}\n\n## Next\n\n{prose(second)}\n\n→ **{plain(first)}** {code(second)}\n\n## Last\n"
    found = tokens(page)
    live = [each.type for each in found if each.type in LIVE]
    assert live == ["heading_open"] * 3
    marks = [each.markup for each in found if each.type == "heading_open"]
    assert marks == ["#", "##", "##"]
    assert [found[place + 1].content for place, each in enumerate(found) if each.type == "heading_open"] == [
        "Ours", "Next", "Last",
    ]  # fmt: skip
    for heading in ("Next", "Last"):
        opened = next(place for place, each in enumerate(found) if each.type == "inline" and each.content == heading)
        assert found[opened - 1].level == 0, "outside of every list and quote"


@settings(max_examples=examples(150), deadline=None)
@given(HOSTILE)
def test_headings_of_ours_hold_words_only(title: str) -> None:
    found = tokens(f"# {plain(title)}\n\nend\n")
    assert [each.type for each in found if each.type in LIVE] == ["heading_open"]
    assert {each.type for each in found} <= {
        "heading_open", "inline", "text", "text_special", "heading_close", "paragraph_open", "paragraph_close",
    }  # fmt: skip


@settings(max_examples=examples(150), deadline=None)
@given(HOSTILE, st.sampled_from(["", "thinking"]))
def test_a_fence_holds_all_of_its_text(text: str, kind: str) -> None:
    (only,) = tokens(fenced(text, kind))
    assert (only.type, only.content) == ("fence", text + "\n")


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.from_regex(r"[a-z]{1,8}", fullmatch=True), max_size=14).map(" ".join))
def test_no_word_is_lost(text: str) -> None:
    page = shown(prose(text))
    place = 0
    for word in re.findall("[A-Za-z]+", text):
        place = page.find(word, place)
        assert place >= 0, word
        place += len(word)


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("Use *this* and **that**.", "<p>Use <em>this</em> and <strong>that</strong>.</p>"),
        ("- a\n- b `x < y`", "<ul>\n<li>a</li>\n<li>b <code>x &lt; y</code></li>\n</ul>"),
        ("1. a\n   - b", "<ol>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ol>"),
        ("if a < b && c > d", "<p>if a &lt; b &amp;&amp; c &gt; d</p>"),
        (
            "```python\nif a < b:\n    pass\n```",
            '<pre><code class="language-python">if a &lt; b:\n    pass\n</code></pre>',
        ),
        (
            "So:\n\n    if a < b:\n        pass\n\nend",
            "<p>So:</p>\n<pre><code>if a &lt; b:\n    pass\n</code></pre>\n<p>end</p>",
        ),
        ("- a\n\n    b < c", "<ul>\n<li>\n<p>a</p>\n<p>b &lt; c</p>\n</li>\n</ul>"),
        ("~~~\n```\n~~~", "<pre><code>```\n</code></pre>"),
        ("a[0] and C:\\x\\_y", "<p>a[0] and C:\\x\\_y</p>"),
        ("> quoted", "<blockquote>\n<p>quoted</p>\n</blockquote>"),
        ("> ~~~ x", "<blockquote>\n<p>~~~ x</p>\n</blockquote>"),
        ("&lt;b&gt;", "<p>&amp;lt;b&amp;gt;</p>"),
        ("```` `x` ````", "<p>```` <code>x</code> ````</p>"),
        ("``Vec<u8>``", "<p><code>Vec&lt;u8&gt;</code></p>"),
        ("C# and # no heading", "<p>C# and # no heading</p>"),
    ],
)
def test_what_people_write_keeps_its_form(text: str, rendered: str) -> None:
    assert RENDERER.render(prose(text)).strip() == rendered


def test_a_table_stays_one() -> None:
    page = RENDERER.render(prose("| a | b |\n|---|:-:|\n| `x` | <b> |"))
    assert "<td><code>x</code></td>" in page
    assert "&lt;b&gt;" in page


def test_code_inside_a_list_is_code_and_ends_where_it_ends() -> None:
    page = RENDERER.render(prose("1. Do:\n   ```bash\n   echo <x>\n   ```\n2. <i>Then</i>\n- ```\n  y\n  ```\nend"))
    assert page.count("<pre>") == 2
    assert '<code class="language-bash">echo &lt;x&gt;\n</code>' in page
    assert "&lt;i&gt;Then&lt;/i&gt;" in page
    assert page.endswith("<p>end</p>\n")


def test_a_fence_says_only_what_no_renderer_runs() -> None:
    for said in ("mermaid", "math", "dataviewjs", "{=html}", "src/app.py", "x onload=1"):
        page = prose(f"```{said}\ncode\n```")
        assert f"```{said}" not in page
        assert shown(page).startswith("".join(said.split()))


@pytest.mark.parametrize(
    "piece", ["`", "`a", "``a`", "- ", "1. ", "> ", "\\", "<", "```\n", "~", "- ```\n", "|", "#", "-", " "]
)
def test_hostile_repetition_costs_no_more_than_its_length(piece: str) -> None:
    """A search that walks back and forth would not end within the test's limit."""
    assert prose(piece * 50_000)
