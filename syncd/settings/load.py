"""Settings from defaults, config.yaml and the environment, with all faults told at once.

Not the place where the file is looked for (paths.py). Each value keeps its origin, so that
`config show` can say where it comes from.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from syncd.errors import ConfigError, Problem
from syncd.settings.document import MAX_FILE_BYTES, Document, read_document
from syncd.settings.kinds import ItemsError, shown
from syncd.settings.schema import Key, Section, Settings, sections

Origin = Literal["default", "file", "environment", "command line"]

# Environment variables that stand above the file.
OVERRIDES: Final = {"ledger.path": "SYNCD_LEDGER"}

MAX_UNKNOWN: Final = 20  # of one map, and as many items of one list; a file of another program must not fill the screen

_HINT: Final = "mend the places named above; `syncd config init` writes an annotated sample"


class Loaded(NamedTuple):
    """The typed settings, and for each dotted key its value as written (paths whole) and origin."""

    settings: Settings
    file: str | None
    written: Mapping[str, object]
    origins: Mapping[str, Origin]


def load_settings(file: str, *, required: bool, environ: Mapping[str, str]) -> Loaded:
    """Reads `file`; one that is missing means defaults, unless somebody named it (`required`)."""
    content = _content(file, required=required)
    if content is None:
        return _interpret(Document(), None, environ)
    return _interpret(read_document(content), file, environ)


def _content(file: str, *, required: bool) -> bytes | None:
    try:
        # O_NONBLOCK: a FIFO of that name must not hang the command.
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise ValueError("not a regular file")
            return stream.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        if not required:
            return None
        raise ConfigError(
            f"there is no configuration file {file}",
            hint="name another with --config or $SYNCD_CONFIG, or write it: `syncd config init`",
        ) from None
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
        raise ConfigError(
            f"cannot read the configuration file {file}: {reason}",
            hint="it must be a regular file that this user may read",
        ) from None


@dataclass(slots=True)
class _Reading:
    """What has been found so far."""

    document: Document
    folder: str
    environ: Mapping[str, str]
    problems: list[Problem]
    written: dict[str, object] = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)

    def fault(self, place: str, message: str) -> None:
        self.problems.append(Problem(place, message, self.document.lines.get(place)))


def _interpret(document: Document, file: str | None, environ: Mapping[str, str]) -> Loaded:
    folder = os.path.dirname(os.path.abspath(file)) if file else os.getcwd()
    reading = _Reading(document, folder, environ, list(document.problems))
    known = {section.name: section for section in sections()}
    _refuse_unknown("", document.data, list(known), reading)
    made = {name: _section(section, reading) for name, section in known.items()}
    if reading.problems:
        count = len(reading.problems)
        title = f"{count} fault{'s' if count > 1 else ''} in the configuration {file or ''}"
        in_order = sorted(reading.problems, key=lambda problem: problem.line or 0)
        raise ConfigError(title.rstrip(), in_order, _HINT)
    return Loaded(Settings(**made), file, reading.written, reading.origins)


def _section(section: Section, reading: _Reading) -> Any:
    raw = reading.document.data.get(section.name)
    if raw is None:  # `watch:` with every key commented out
        raw = {}
    if not isinstance(raw, Mapping):
        reading.fault(section.name, f"must be a map of keys, not {shown(raw)}")
        raw = {}
    names = [key.name for key in section.keys]
    _refuse_unknown(f"{section.name}.", raw, names, reading)
    values: dict[str, Any] = {}
    for key in section.keys:
        reading.written[key.path], reading.origins[key.path] = key.written, "default"
        for given in _given(key, raw, reading):
            reading.written[key.path], reading.origins[key.path] = given.value, given.origin
            try:
                value = key.kind(given.value)
            except ItemsError as several:
                _fault_items(given.place, several, reading)
                continue
            except ValueError as fault:
                reading.fault(given.place, str(fault))
                continue
            if key.is_path and value is not None:
                value = reading.written[key.path] = _anchored(value, given.folder)
            values[key.name] = value
    return section.make(**values)


def _fault_items(place: str, several: ItemsError, reading: _Reading) -> None:
    for number, message in several.faults[:MAX_UNKNOWN]:
        reading.fault(f"{place}[{number}]", message)
    if len(several.faults) > MAX_UNKNOWN:
        reading.fault(place, f"and {len(several.faults) - MAX_UNKNOWN} more of its values are not right")


class _Given(NamedTuple):
    value: object
    origin: Origin
    place: str
    folder: str


def _given(key: Key, raw: Mapping[object, object], reading: _Reading) -> Iterator[_Given]:
    """What was said about a key besides its default; the last word counts."""
    if key.name in raw:
        yield _Given(raw[key.name], "file", key.path, reading.folder)
    variable = OVERRIDES.get(key.path, "")
    if reading.environ.get(variable):
        yield _Given(reading.environ[variable], "environment", f"${variable}", os.getcwd())


def _anchored(value: str | tuple[str, ...], folder: str) -> str | tuple[str, ...]:
    """Relative paths of the file count from its folder: where a daemon was started says nothing."""
    if isinstance(value, tuple):
        return tuple(os.path.normpath(os.path.join(folder, item)) for item in value)
    return os.path.normpath(os.path.join(folder, value))


def _refuse_unknown(above: str, raw: Mapping[object, object], known: list[str], reading: _Reading) -> None:
    unknown = [name for name in raw if name not in known]
    for name in unknown[:MAX_UNKNOWN]:
        word = name[:80] if isinstance(name, str) else shown(name)
        reading.fault(f"{above}{word}", f"unknown key{_suggestion(word, known)}")
    if len(unknown) > MAX_UNKNOWN:
        reading.fault(above.rstrip("."), f"and {len(unknown) - MAX_UNKNOWN} more unknown keys")


def _suggestion(name: str, siblings: list[str]) -> str:
    from difflib import get_close_matches  # only for a file with faults

    near = get_close_matches(name, siblings, n=1)
    if not near:
        # A key that lost its section is a slip of indentation as often as one of spelling.
        homes = {key.name: key.path for section in sections() for key in section.keys}
        near = [homes[match] for match in get_close_matches(name, list(homes), n=1)]
    return f"; did you mean {near[0]}?" if near else f"; known are {', '.join(siblings)}"
