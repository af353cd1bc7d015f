"""Words of others as Markdown that is safe in any renderer: no tag, link, image or heading comes of them.

Nothing here relies on how a renderer would understand the words. Blocks of code are taken out of their lists and fenced
anew at the margin, a span of code stays within its line and its cell, and in all the rest every character that could
begin a tag, an entity, a link, code or a heading is escaped. So whatever is open when a text ends, this module opened
and closed it. Paragraphs, lists, quotes, tables and emphasis stay what they were.
"""

import re
import textwrap
from collections.abc import Iterator
from typing import Final

from syncd.cli.plain_text import readable

_MARKERS: Final = r"[ \t]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+"
_OPENING: Final = re.compile(rf"(?P<lead>{_MARKERS})(?P<fence>`{{3,}}(?=[^`]*$)|~{{3,}})(?P<about>.*)")
_INDENTED: Final = re.compile(r"(?: {4}| {0,3}\t)[ \t]*\S")
_ITEM: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")
_HEADING: Final = re.compile(r"([\s>*+\-.)\d]*+)(?=#)|([\s>]*+)(?=(?:-+|=+)\s*$)")
"""What may stand before a heading's marks, or before the line that makes one of the line above it."""
_SPAN_OR_SPECIAL: Final = re.compile(
    r"(?<!`)(?P<marks>`++)(?P<code>[^`|]++)(?P=marks)(?!`)"  # a pipe would end the span together with its table's cell
    r"|`|<|\[|~{3,}|\$\$|&(?=[#A-Za-z])|\\(?![A-Za-z0-9 ])"
)
_PUNCTUATION: Final = re.compile(r"[\\*_\[\]|~#$>]")
_REPLACED: Final = {"`": "&#96;", "<": "&lt;", "&": "&amp;"}
LANGUAGES: Final = frozenset({
    "bash", "c", "c#", "c++", "clojure", "cmake", "console", "cpp", "cs", "csharp", "css", "csv", "dart", "diff",
    "dockerfile", "elixir", "erlang", "fish", "go", "gradle", "graphql", "groovy", "h", "haskell", "hcl", "hpp", "html",
    "http", "ini", "java", "javascript", "js", "json", "json5", "jsonc", "jsonl", "jsx", "julia", "kotlin", "kt",
    "less", "lua", "make", "makefile", "markdown", "md", "nginx", "nix", "objc", "ocaml", "patch", "perl", "php",
    "plaintext", "powershell", "proto", "ps1", "py", "pycon", "python", "r", "rb", "ruby", "rs", "rust", "sass",
    "scala", "scss", "sh", "shell", "sql", "svelte", "swift", "terraform", "text", "toml", "ts", "tsx", "txt",
    "typescript", "vim", "vue", "xml", "yaml", "yml", "zig", "zsh",
})  # fmt: skip
"""What a fence may say of itself; some renderers run or draw other things (mermaid, math, dataviewjs)."""


def prose(text: str) -> str:
    """What was said, most of it Markdown itself, in a form that ends where it ends."""
    return "\n".join(_blocks(readable(text).split("\n")))


def fenced(text: str, language: str = "") -> str:
    """The text as a block of code, behind marks that are longer than any in it."""
    text = readable(text)
    marks = "`" * (max(map(len, re.findall(r"`{3,}", text)), default=2) + 1)
    return f"{marks}{language}\n{text}\n{marks}"


def code(text: str) -> str:
    """The text in one line of code; nothing for nothing."""
    text = " ".join(readable(text).split())
    if not text:
        return ""
    marks = "`" * (max(map(len, re.findall(r"`+", text)), default=0) + 1)
    return f"{marks} {text} {marks}" if "`" in text else f"`{text}`"


def plain(text: str) -> str:
    """One line of words that are no Markdown, for a heading or between marks of ours."""
    escaped = _PUNCTUATION.sub(r"\\\g<0>", " ".join(readable(text).split()))
    return re.sub("[`<&]", lambda found: _REPLACED[found[0]], escaped)


def _blocks(lines: list[str]) -> Iterator[str]:
    """Lines of prose, escaped, and whole blocks of code in fences of ours."""
    at, follows_blank, in_list = 0, True, False
    while at < len(lines):
        line = lines[at]
        opening = _OPENING.match(line)
        if opening is not None:
            end = _end_of_fence(lines, at + 1, opening["fence"])
            yield from _refenced(opening, lines[at + 1 : end])
            at, follows_blank = end + 1, False
        elif follows_blank and not in_list and _INDENTED.match(line):
            end = next((after for after in range(at, len(lines)) if not _INDENTED.match(lines[after])), len(lines))
            yield fenced(textwrap.dedent("\n".join(lines[at:end])))
            at, follows_blank = end, False
        else:
            yield _escaped(line)
            follows_blank = not line.strip()
            if not follows_blank and not line[0].isspace():
                in_list = _ITEM.match(line) is not None
            at += 1


def _end_of_fence(lines: list[str], start: int, fence: str) -> int:
    closing = re.compile(rf"[ \t]*{fence[0]}{{{len(fence)},}}[ \t]*")
    return next((at for at in range(start, len(lines)) if closing.fullmatch(lines[at])), len(lines))


def _refenced(opening: re.Match[str], inside: list[str]) -> Iterator[str]:
    """At the margin, behind what stood before it; what a fence may not say of itself stands above it."""
    if opening["lead"].strip():
        yield _escaped(opening["lead"].rstrip())
    about, indent = opening["about"].strip(), len(opening["lead"])
    language = about.lower() if about.lower() in LANGUAGES else ""
    if about and not language:
        yield _escaped(about)
    yield fenced("\n".join(line[min(indent, len(line) - len(line.lstrip(" "))) :] for line in inside), language)


def _escaped(line: str) -> str:
    escaped = _SPAN_OR_SPECIAL.sub(_harmless, line)
    heading = _HEADING.match(escaped)
    return escaped if heading is None else f"{heading[0]}\\{escaped[heading.end() :]}"


def _harmless(found: re.Match[str]) -> str:
    if found["marks"]:
        return f"`{found['code']}`"
    special = found[0]
    if special in _REPLACED:
        return _REPLACED[special]
    return "".join(f"\\{each}" for each in special)
