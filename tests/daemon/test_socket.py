"""The door at which commands ask the daemon: who is let in, where its socket lies, and how it stays open."""

import os
import socket
from pathlib import Path

from syncd.daemon.door import Door, is_own_user
from syncd.daemon.messages import short_address, socket_path
from tests.daemon.live import wait_for
from tests.daemon.process import daemon, syncd
from tests.mirror.household import Household, household, name_of, require_root, transcript
from tests.other_user import NOBODY

NAME = name_of(1)


def test_a_ledger_deep_down_has_its_socket_too(tmp_path: Path) -> None:
    """The kernel takes no address above 108 bytes."""
    house = household(tmp_path)
    house.write(NAME, transcript(1, 5))
    deep = Household(house.state_dir, tmp_path / ("d" * 100) / ("e" * 100) / "ledger.db")
    with daemon(deep) as running:
        running.is_following()
        assert syncd(deep, "resync")[0] == 0
        assert socket_path(deep.ledger_path).stat().st_mode & 0o777 == 0o600
        assert running.terminate()[0] == 0
    assert sorted(path.name for path in deep.ledger_path.parent.iterdir() if "sock" in path.name) == []


def test_a_long_name_of_the_ledger_has_a_short_socket(tmp_path: Path) -> None:
    long = socket_path(tmp_path / ("l" * 200 + ".db"))
    assert len(long.name) < 64
    assert long != socket_path(tmp_path / ("m" * 200 + ".db"))


def test_another_user_is_known_by_the_kernels_word(tmp_path: Path) -> None:
    require_root()
    name = f"\0syncd-test-peer-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(name)
        listener.listen(2)
        listener.settimeout(60)
        for user, is_let_in in ((0, True), (NOBODY, False)):
            child = os.fork()
            if child == 0:
                os.setuid(user)
                with socket.socket(socket.AF_UNIX) as visitor:
                    visitor.connect(name)
                    os._exit(len(visitor.recv(1)))
            connection, _ = listener.accept()
            with connection:
                assert is_own_user(connection) is is_let_in
            assert os.waitpid(child, 0)[1] == 0


def test_a_place_without_sockets_is_no_end(tmp_path: Path) -> None:
    assert Door(tmp_path / "missing" / "ledger.db").open() is not None


def test_a_socket_that_is_removed_alone_is_back_soon(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        socket_path(house.ledger_path).unlink()
        wait_for(socket_path(house.ledger_path).exists)
        assert syncd(house, "resync")[0] == 0
        assert running.terminate()[0] == 0


def test_a_door_that_is_renewed_often_leaves_no_descriptor_behind_and_sends_nobody_away(tmp_path: Path) -> None:
    door = Door(tmp_path / "ledger.db")
    assert door.open() is None
    try:
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(5):
            with socket.socket(socket.AF_UNIX) as visitor:
                with short_address(socket_path(tmp_path / "ledger.db")) as address:
                    visitor.connect(address)
                socket_path(tmp_path / "ledger.db").unlink()
                door.renew()
                visitor.settimeout(60)
                assert visitor.recv(4096), "it is greeted"
        wait_for(lambda: len(os.listdir("/proc/self/fd")) == before)
    finally:
        door.close()
