"""A conversation as one HTML page that can be sent: everything in it, no script, nothing fetched, light and dark.

Every word of others is escaped; the page's own policy forbids scripts and every style but its own, whatever slips in.
Controls that turn the direction of text or cannot be seen are spelled out, as on a terminal.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING, Any, Final

from syncd.cli.markdown_page import QUIET_TYPES, page_facts, page_title, speaker
from syncd.cli.plain_text import one_line, readable, shortened
from syncd.cli.readable import size, utc_time
from syncd.openclaw.main_argument import all_arguments

if TYPE_CHECKING:
    from syncd.ledger.reading.conversation import Said
    from syncd.openclaw.passages import Passage

RESULT_LINES: Final = 400
RESULT_CHARACTERS: Final = 20_000
_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1b1c1e;--soft:#666b73;--page:#fbfbfa;--card:#fff;--line:#dfe1e4;
--you:#0a6b3c;--it:#0b5cad;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e7e8ea;--soft:#9aa0a8;--page:#17181a;--card:#1f2124;--line:#34373c;
--you:#6fd19c;--it:#7db8f5;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:50rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;color:var(--ink);
background:var(--page);overflow-wrap:anywhere}
h1{font-size:1.4rem;margin:.5rem 0}
dl{display:grid;grid-template-columns:auto 1fr;gap:0 .75rem;font-size:.85rem;color:var(--soft);margin:0 0 1.5rem}
dd{margin:0}
article{background:var(--card);border:1px solid var(--line);border-radius:.5rem;margin:.75rem 0;padding:.6rem .8rem}
header{display:flex;flex-wrap:wrap;gap:0 .6rem;font-size:.8rem;color:var(--soft)}
header b{color:var(--ink)}
.user header b{color:var(--you)}
.assistant header b{color:var(--it)}
.summary{border-style:dashed}
p,pre{white-space:pre-wrap;margin:.4rem 0}
pre{font:.85rem/1.4 ui-monospace,monospace;overflow-x:auto}
details summary,.note{font-size:.85rem;color:var(--soft)}
.error,.error summary{color:var(--bad)}
footer{font-size:.75rem;color:var(--soft);margin:1.5rem 0}
""".strip()


def html_page(about: dict[str, Any], said: Iterable["Said"], *, full: bool) -> Iterator[str]:
    """Pieces of text, in order."""
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    title = _safe(page_title(about))
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'\">\n"
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<dl>\n"
    )
    yield "".join(f"<dt>{_safe(name)}</dt><dd>{_safe(value)}</dd>\n" for name, value in page_facts(about))
    yield "</dl>\n<main>\n"
    for each in said:
        if full or each.type not in QUIET_TYPES:
            yield _entry(each, full=full)
    yield "</main>\n<footer>Exported by syncd. Times are UTC.</footer>\n</body>\n</html>\n"


def _entry(said: "Said", *, full: bool) -> str:
    is_summary = bool(said.passages) and said.passages[0].kind == "summary"
    kind = "summary" if is_summary else said.role if said.role in ("user", "assistant") else "other"
    if all(passage.kind == "note" for passage in said.passages):
        return "".join(_passage(passage, full=full) for passage in said.passages)
    model = said.message.get("model") if said.role == "assistant" else None
    head = [f"<b>{_safe(speaker(said))}</b>", f"<time>{_safe(utc_time(said.at))}</time>" if said.at is not None else ""]
    if isinstance(model, str):
        head.append(f"<span>{_safe(one_line(model, 80))}</span>")
    body = "".join(_passage(passage, full=full) for passage in said.passages)
    return f'<article class="{kind}">\n<header>{" ".join(filter(None, head))}</header>\n{body}</article>\n'


def _passage(passage: "Passage", *, full: bool) -> str:
    text = passage.text
    if passage.kind in ("text", "summary"):
        return f"<p>{_safe(text)}</p>\n" if text else ""
    if passage.kind == "thinking":
        return f"<details><summary>thinking</summary><p>{_safe(text)}</p></details>\n" if full and text else ""
    if passage.kind == "call":
        shown = all_arguments(passage.arguments) if full else one_line(text, 300)
        gap = "\n" if "\n" in shown else " "
        return f"<pre>→ <b>{_safe(one_line(passage.title or '?', 80))}</b>{gap}{_safe(shown)}</pre>\n"
    if passage.kind == "result":
        return _result(passage, full=full)
    words = one_line(f"{passage.title} {text}", 2000)
    return f'<p class="error">✗ {_safe(words)}</p>\n' if passage.is_error else f'<p class="note">{_safe(words)}</p>\n'


def _result(passage: "Passage", *, full: bool) -> str:
    """Folded; a result is more often skipped than read."""
    text = passage.text
    shown, left = (text, 0) if full else shortened(text, RESULT_LINES, RESULT_CHARACTERS)
    more = f"\n… {left} more characters" if left else ""
    name = _safe(one_line(passage.title or "?", 80))
    if not text:
        return f'<p class="{"error" if passage.is_error else "note"}">{name}: no output</p>\n'
    kind, mark = (' class="error" open', "✗ ") if passage.is_error else ("", "")
    return (
        f"<details{kind}><summary>{mark}{name}, {size(len(text))}</summary>"
        f"<pre>{_safe(shown)}{_safe(more)}</pre></details>\n"
    )


def _safe(text: str) -> str:
    return escape(readable(text), quote=True)
