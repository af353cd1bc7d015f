"""Made-up text for synthetic transcripts, in two kinds, the same for the same seed.

"salad" repeats 4,000 fragments over 80 words and compresses better than people's text does.
"rich" draws on a large vocabulary with Zipf frequencies, punctuation, code, paths, other scripts
and base64, and compresses worse than most: a size that holds for both holds for real text.
"""

from __future__ import annotations

import base64
import random
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from typing import Literal, get_args

TextKind = Literal["salad", "rich"]
TEXT_KINDS: tuple[TextKind, ...] = get_args(TextKind)
Prose = Callable[[int], str]
"""Gives text of exactly that many characters."""

_WORDS = """
the agent reads a file and writes back result session gateway channel telegram cron job error
timeout retry token usage model claude opus sonnet tool exec path config deploy server review
invoice calendar reminder photo backup sync ledger offset commit branch merge test lint build
schema index search cache memory context window prompt reply thread group direct message
"""
_SYLLABLES = """
ba ker lin to ra men sol vi der an qu est ing ou pla tri mon e char fel du sta wy ne zo gre hu ob
ix cra
"""
_OTHER_SCRIPTS = "données überprüfen проверка журнал 会议记录 設定 파일 مزامنة ✅ 🚀 🦞 naïve façade"
WORDS = tuple(_WORDS.split())


def prose(kind: TextKind, rng: random.Random) -> Prose:
    """Both kinds glue ready fragments, some of them followed by bits never seen before."""
    if kind == "salad":
        return _glue(rng, _salad_fragments(), share_of_fresh=0.15, fresh=_fresh_hex)
    return _glue(rng, _rich_fragments(), share_of_fresh=0.25, fresh=_fresh_base64)


def _glue(
    rng: random.Random,
    fragments: tuple[str, ...],
    *,
    share_of_fresh: float,
    fresh: Callable[[random.Random], str],
) -> Prose:
    mean_length = sum(map(len, fragments)) / len(fragments)

    def text(length: int) -> str:
        parts: list[str] = []
        missing = length
        while missing > 0:
            drawn = rng.choices(fragments, k=1 + int(missing / mean_length))
            for place in rng.sample(range(len(drawn)), int(len(drawn) * share_of_fresh + rng.random())):
                drawn[place] += fresh(rng)
            parts += drawn
            missing -= sum(map(len, drawn))
        return "".join(parts)[:length]

    return text


def _fresh_hex(rng: random.Random) -> str:
    return f"{rng.getrandbits(48):x} "


def _fresh_base64(rng: random.Random) -> str:
    return base64.b64encode(rng.randbytes(rng.randint(6, 60))).decode() + " "


@cache
def _salad_fragments() -> tuple[str, ...]:
    rng = random.Random(1)
    ends = (". ", ".\n", ", ", ": ")
    return tuple(" ".join(rng.choices(WORDS, k=rng.randint(6, 14))) + rng.choice(ends) for _ in range(4000))


@cache
def _rich_fragments() -> tuple[str, ...]:
    """40,000 fragments, about 3 MB: few of them come twice within one compressed block."""
    rng = random.Random(2)
    syllables = _SYLLABLES.split()
    invented = ("".join(rng.choices(syllables, k=rng.randint(1, 5))) for _ in range(60_000))
    vocabulary = list(dict.fromkeys([*WORDS, *invented]))
    zipf = list(accumulate(1 / (rank + 2.7) for rank in range(len(vocabulary))))
    return tuple(
        _rich_fragment(rng, rng.choices(vocabulary, cum_weights=zipf, k=rng.randint(4, 16))) for _ in range(40_000)
    )


def _rich_fragment(rng: random.Random, words: list[str]) -> str:
    shape = rng.random()
    if shape < 0.12:
        call = f"{words[0]}_{words[1]}({words[2]}={rng.randrange(10_000)}, {words[3]!r})"
        keyword = rng.choice(("return ", "if not ", "await ", ""))
        return f"\n{' ' * 4 * rng.randrange(4)}{keyword}{call}\n"
    if shape < 0.22:
        path = "/".join(words[:4])
        return f"/home/u/{path}.{rng.choice(('py', 'ts', 'md', 'json'))}:{rng.randrange(2000)} "
    if shape < 0.30:
        day = f"2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        return f"{day} {rng.randrange(86_400_000)} {words[0].upper()}\t"
    if shape < 0.36:
        words.insert(rng.randrange(len(words)), rng.choice(_OTHER_SCRIPTS.split()))
    for place in rng.sample(range(len(words)), len(words) // 5):
        words[place] += rng.choice((",", ";", " -", "'s", "…", ' "', "\\"))
    return " ".join(words).capitalize() + rng.choice((". ", "? ", ".\n\n", ": ", "! "))
