"""A bar on stderr while bytes are read: how many, how fast, how long still. Only for a person at a terminal."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from syncd.mirror.catchup import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress as Bar

    from syncd.cli.app import App


@contextmanager
def progress_bar(app: App, label: str) -> Iterator[Progress]:
    """Draws nothing where nobody watches."""
    if not app.draws:
        yield Progress()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )
    from rich.progress import (
        Progress as Bar,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True, no_color=app.no_color or bool(app.environ.get("NO_COLOR")))
    with Bar(*columns, console=console, transient=True) as bar:
        yield _Drawn(bar, label)


class _Drawn(Progress):
    def __init__(self, bar: Bar, label: str) -> None:
        self._bar = bar
        self._task = bar.add_task(label, total=0)
        self._total = 0

    def expect(self, total_bytes: int) -> None:
        self._total += total_bytes
        self._bar.update(self._task, total=self._total)

    def advance(self, done_bytes: int) -> None:
        self._bar.advance(self._task, done_bytes)
