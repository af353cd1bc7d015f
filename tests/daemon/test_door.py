"""The daemon's door where the machine has nothing left to give: it neither spins nor falls, and opens again."""

import os
import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from syncd.daemon.door import Door
from syncd.daemon.messages import Message, message_of, socket_path


@pytest.fixture
def place(tmp_path: Path) -> Iterator[str]:
    door = Door(tmp_path / "ledger.db")
    assert door.open() is None
    yield str(socket_path(tmp_path / "ledger.db"))
    door.close()


@contextmanager
def visitor() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(30)
        yield connection


def heard(connection: socket.socket, lines: int) -> list[Message | None]:
    with connection.makefile("rb") as answers:
        return [message_of(answers.readline()) for _ in range(lines)]


@contextmanager
def no_descriptors() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.dup(0)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_without_descriptors_a_visitor_waits_and_no_processor_is_burnt(place: str) -> None:
    with visitor() as connection:
        with no_descriptors():
            connection.connect(place)
            began, used = time.monotonic(), time.process_time()
            time.sleep(0.5)
            assert time.process_time() - used < (time.monotonic() - began) / 10
        assert "protocol" in (heard(connection, 1)[0] or {})


def test_without_threads_a_visitor_is_told_and_the_next_is_let_in(place: str) -> None:
    before = threading.stack_size(1 << 46)  # more than any machine has
    try:
        with visitor() as connection:
            connection.connect(place)
            refused = heard(connection, 2)[1]
    finally:
        threading.stack_size(before)
    assert refused is not None
    assert refused["error"]["hint"] == "try again later"
    with visitor() as connection:
        connection.connect(place)
        assert "protocol" in (heard(connection, 1)[0] or {})
