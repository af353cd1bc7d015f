"""config.yaml as plain data, with the line of every key and list item, and the faults of the file itself.

Not the meaning of the keys (load.py). Relies on PyYAML's nodes, because they alone know lines and
keys that are written twice; the loader is the safe one in Python (the one in C overruns its stack
on deep nesting), and the file's size is bounded. PyYAML is loaded only where there is a file.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from syncd.errors import Problem

if TYPE_CHECKING:
    import yaml

MAX_FILE_BYTES: Final = 1 << 18


class Document(NamedTuple):
    data: Mapping[object, object] = {}
    lines: Mapping[str, int] = {}
    problems: tuple[Problem, ...] = ()


def read_document(content: bytes) -> Document:
    import yaml

    if len(content) > MAX_FILE_BYTES:
        return Document(problems=(Problem("", f"the file is larger than {MAX_FILE_BYTES} bytes"),))
    try:
        # Every construction error PyYAML knows is a YAMLError; dates and huge integers that Python
        # refuses are ValueErrors, and brackets without end a RecursionError.
        loader = yaml.SafeLoader(content)
        try:
            root = loader.get_single_node()
            if root is None:
                return Document()
            lines: dict[str, int] = {}
            doubles = tuple(_doubles(root, "", lines, set()))
            data = loader.construct_document(root)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        reason = ": ".join(filter(None, (fault.context, fault.problem)))
        return Document(problems=(_syntax(reason, mark.line + 1 if mark else None),))
    except (yaml.YAMLError, ValueError) as fault:
        return Document(problems=(_syntax(str(fault).splitlines()[0][:200]),))
    except RecursionError:
        return Document(problems=(_syntax("nested too deeply"),))
    if data is None:  # `---` and no more
        return Document()
    if not isinstance(data, dict):
        return Document(problems=(Problem("", "the file must be a map of sections", 1),))
    return Document(data, lines, doubles)


def _syntax(reason: str, line: int | None = None) -> Problem:
    return Problem("", f"not valid YAML: {reason}", line)


def _doubles(node: "yaml.Node", above: str, lines: dict[str, int], seen: set[int]) -> Iterator[Problem]:
    """Keys written twice in one map; fills `lines` on the way."""
    import yaml

    # An alias may lead back into its own anchor.
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            place = f"{above}[{number}]"
            lines.setdefault(place, item.start_mark.line + 1)
            yield from _doubles(item, place, lines, seen)
    if not isinstance(node, yaml.MappingNode):
        return
    first_lines: dict[str, int] = {}
    for key, value in node.value:
        name = key.value if isinstance(key, yaml.ScalarNode) else "?"
        path = f"{above}.{name}" if above else name
        line = key.start_mark.line + 1
        if name in first_lines:
            yield Problem(path, f"written twice; first on line {first_lines[name]}", line)
        else:
            first_lines[name] = line
            lines.setdefault(path, line)
        yield from _doubles(value, path, lines, seen)
