"""The annotated config.yaml, made from the schema: what `config init` writes and the sample holds.

Not a general YAML writer: it knows the few shapes a default has.
"""

import json
from collections.abc import Iterator
from typing import Final

from syncd.settings.schema import sections

COMMENT_COLUMN: Final = 30

HEADER: Final = """\
# Settings of syncd. Every key is optional; what stands here are the defaults.
# Found by --config, else $SYNCD_CONFIG, else config.yaml in the user config directory
# (`syncd config path`). `syncd config check` lists all faults at once.
"""


def annotated_config() -> str:
    return HEADER + "".join(f"{line}\n" for line in _lines())


def written_form(value: object) -> str:
    """A plain value as one line of YAML; JSON is YAML, and words of letters need no quotes."""
    if isinstance(value, str) and value.isalnum() and value not in {"true", "false", "null"}:
        return value
    return json.dumps(value, ensure_ascii=False)


def _lines() -> Iterator[str]:
    for section in sections():
        yield _commented(f"{section.name}:", section.comment)
        for key in section.keys:
            yield _commented(f"  {key.name}: {written_form(key.written)}", key.comment)


def _commented(text: str, comment: str) -> str:
    return f"{text:<{COMMENT_COLUMN - 1}} # {comment}" if comment else text
