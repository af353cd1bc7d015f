"""Who may write when: some faults need everybody still for a moment, some need that nothing is taken away.

A fault that destroys the ledger's own bytes would else lose what a writer took away a moment before: not the
product's loss, but nobody could tell.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Gate:
    def __init__(self) -> None:
        self._turn = threading.Condition()
        self._writing = self._losing = 0
        self._still = self._keeping = 0

    @contextmanager
    def writing(self, *, loses: bool = False) -> Iterator[None]:
        """`loses`: bytes that stood in a file may be gone afterwards."""
        with self._turn:
            self._turn.wait_for(lambda: not self._still and not (loses and self._keeping))
            self._writing += 1
            self._losing += loses
        try:
            yield
        finally:
            with self._turn:
                self._writing -= 1
                self._losing -= loses
                self._turn.notify_all()

    @contextmanager
    def stillness(self) -> Iterator[None]:
        """Nobody writes inside the block."""
        with self._turn:
            self._still += 1
            self._turn.wait_for(lambda: not self._writing)
        try:
            yield
        finally:
            with self._turn:
                self._still -= 1
                self._turn.notify_all()

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Nobody takes anything away inside the block."""
        with self._turn:
            self._keeping += 1
            self._turn.wait_for(lambda: not self._losing)
        try:
            yield
        finally:
            with self._turn:
                self._keeping -= 1
                self._turn.notify_all()
