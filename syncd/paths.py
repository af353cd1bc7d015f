"""Where syncd's own files live, and how they are made: directories 0700, files 0600.

Not where OpenClaw's files are (openclaw/). A profile has files of its own under `syncd-NAME`;
platformdirs knows the platform's customs.
"""

import errno
import os
import re
import shlex
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, NamedTuple

from syncd.errors import SyncdError, UserError

# OpenClaw's own rule for profile names.
_PROFILE: Final = r"[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}"


class Paths(NamedTuple):
    """`config_origin` says who named the configuration file; only a named one must exist."""

    config: Path
    config_origin: Literal["option", "environment", "default"]
    ledger: Path
    state_dir: Path
    health_log: Path


def locate(*, config: str | None, profile: str | None, environ: Mapping[str, str]) -> Paths:
    """The places of this user and profile; nothing is created or looked at."""
    from platformdirs import PlatformDirs

    dirs = PlatformDirs(_app_name(profile), appauthor=False)
    named = config or environ.get("SYNCD_CONFIG")
    return Paths(
        config=Path(os.path.abspath(os.path.expanduser(named))) if named else dirs.user_config_path / "config.yaml",
        config_origin="option" if config else "environment" if named else "default",
        ledger=dirs.user_data_path / "ledger.db",
        state_dir=dirs.user_state_path,
        health_log=dirs.user_log_path / "health.log",
    )


def _app_name(profile: str | None) -> str:
    # OpenClaw calls the state without a profile "default".
    if profile is None or profile.lower() == "default":
        return "syncd"
    if not re.fullmatch(_PROFILE, profile):
        raise UserError(
            f"{profile!r} is not a profile name",
            "a name is letters, digits, - and _, at most 64, and begins with a letter or a digit",
        )
    return f"syncd-{profile}"


def make_dirs(directory: str | os.PathLike[str]) -> None:
    """Makes the directory and its missing parents, 0700 each; what exists keeps its mode. OSError: it could not."""
    path = Path(directory)
    missing = [place for place in (path, *path.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir(mode=0o700, exist_ok=True)
    if not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def make_private_dir(directory: str | os.PathLike[str]) -> None:
    """As make_dirs, for a place that the configuration named; its fault is one that a person is told."""
    path = Path(directory)
    try:
        make_dirs(path)
    except OSError as fault:
        raise SyncdError(
            f"cannot make the directory {path}: {fault.strerror}",
            "choose another place in config.yaml, or give this user the right to write there",
        ) from None


def refuse_without_directory(file: str | os.PathLike[str]) -> None:
    """UserError: nothing is made on the way to a file that a person names in a command: a slip would stay there.

    Where nobody may look, the writing says it.
    """
    directory = os.path.dirname(os.path.realpath(file))
    try:
        is_one = stat.S_ISDIR(os.stat(directory).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        is_one = False
    except OSError:
        return
    if not is_one:
        raise UserError(f"there is no directory {directory}", f"make it first: mkdir -p {shlex.quote(directory)}")


def make_empty_file(file: str | os.PathLike[str]) -> None:
    """Anew, and nobody else's to read from its first byte on: SQLite writes a whole ledger into such a file."""
    Path(file).unlink(missing_ok=True)
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def put_where_nothing_is(file: str | os.PathLike[str], place: str | os.PathLike[str]) -> None:
    """A rename that replaces nothing. FileExistsError: something is there."""
    try:
        os.link(file, place)
    except FileExistsError:
        raise
    except OSError as error:  # a file system without links
        if os.path.lexists(place):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from error
        os.rename(file, place)
    else:
        os.unlink(file)


def put_on_disk(path: str | os.PathLike[str]) -> None:
    """A file's bytes, or a directory's names, are safe from a power cut when this returns."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_private_file(file: str | os.PathLike[str], content: bytes, *, replace: bool) -> None:
    """Writes a whole file 0600, or nothing; FileExistsError unless it may `replace` one."""
    import tempfile

    # A symlink, as dotfile keepers make them, stays one: its target is replaced.
    path = Path(os.path.realpath(file))
    make_private_dir(path.parent)
    if os.path.exists(path) and not replace:  # where nobody may look, the writing says it
        raise FileExistsError(path)
    scratch = ""
    try:
        descriptor, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with open(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(scratch, path)
    except OSError as fault:
        if scratch:
            Path(scratch).unlink(missing_ok=True)
        raise SyncdError(
            f"cannot write {path}: {fault.strerror}",
            "look at the rights of the directory and at the space on its disk",
        ) from None


def is_circle(path: Path) -> bool:
    """Links that lead to each other, and to no file."""
    try:
        os.stat(path)
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


def is_utf8(path: str) -> bool:
    """Nothing else reaches SQLite's driver, whatever the file system allows."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_within(path: str, directory: str) -> bool:
    """By the letters of both: links are followed before, where they are to count."""
    return path == directory or path.startswith(f"{directory.rstrip('/')}/")
