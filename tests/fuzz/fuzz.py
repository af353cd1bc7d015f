"""`python -m tests.fuzz.fuzz lines|index RUNS`: coverage-guided fuzzing by atheris, from genuine files of OpenClaw.

Ends with libFuzzer's own report; a crash, a hang of ten seconds or a gigabyte of memory ends it with an error, and
leaves the input behind in .cache/fuzz.
"""

import json
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import atheris

from tests.fuzz.mutation import mutated

with atheris.instrument_imports(include=["syncd.openclaw", "syncd.ledger.projection", "syncd.ledger.entry_rows"]):
    from tests.fuzz.targets import check_index, lines_target

GENUINE = Path(__file__).parents[1] / "data" / "openclaw"
MAX_BYTES = {"lines": 4096, "index": 32_768}  # of one input: an index is all of a file in one line


def main() -> None:
    name, runs = sys.argv[1], int(sys.argv[2])
    kept = Path(".cache/fuzz") / name
    corpus = kept / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(_seeds(name)):
        (corpus / f"genuine-{number:04}").write_bytes(seed)
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        check = stack.enter_context(lines_target(directory)) if name == "lines" else check_index
        options = [
            f"-runs={runs}",
            f"-max_len={MAX_BYTES[name]}",
            "-timeout=10",
            "-rss_limit_mb=1024",
            "-print_final_stats=1",
        ]
        arguments = [sys.argv[0], *options, f"-artifact_prefix={kept}/", str(corpus)]
        atheris.Setup(arguments, check, custom_mutator=_mutate)
        atheris.Fuzz()


def _mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """Half of the time JSON as such, half of the time blind bytes, which find torn and glued lines."""
    odd = mutated(data, seed, max_size) if seed % 2 else None
    return odd if odd is not None else atheris.Mutate(data, max_size)


def _seeds(name: str) -> set[bytes]:
    pattern = "*.jsonl*" if name == "lines" else "sessions.json"
    whole = [path.read_bytes() for path in sorted(GENUINE.rglob(pattern))]
    if name == "index":
        # In one line: what is changed as JSON is a line that is all of it.
        return {json.dumps(json.loads(data), separators=(",", ":")).encode() for data in whole}
    return {line for data in whole for line in data.splitlines(keepends=True) if len(line) <= MAX_BYTES[name]}


if __name__ == "__main__":
    main()
