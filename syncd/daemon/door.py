"""The daemon's door: a socket beside the ledger at which verbs ask for what only the one writer may do.

Threads here speak with the visitors; what they ask for is done by the loop's thread, one after another. Only the
daemon's own user is let in. All is bounded: visitors, a request's size, how long one may be silent.
"""

from __future__ import annotations

import os
import select
import socket
import struct
import threading
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from syncd.daemon.messages import (
    MAX_REQUEST_BYTES,
    PROTOCOL,
    Message,
    errand_of,
    hello,
    line_of,
    message_of,
    message_of_error,
    other_protocol,
    senseless_request,
    short_address,
    socket_path,
    wish_of,
)
from syncd.errors import SyncdError, UserError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from syncd.daemon.messages import ErrandWish
    from syncd.mirror.resync import Wish

MAX_VISITORS = 8
REQUEST_SECONDS = 5.0
SEND_SECONDS = 10.0
TELL_SECONDS = 0.1
_AGAIN_SECONDS = 0.1
_FAREWELL_SECONDS = 0.3
"""For all visitors together to be told that it ends; then their connections do."""


class Visitor:
    """One connection. `say` is the loop's; everything else happens on the visitor's own thread."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._changed = threading.Condition()
        self._unsaid: deque[Message] = deque()
        self._is_answered = False
        self.wish: Wish | ErrandWish | None = None
        self.state_dirs: tuple[str, ...] = ()
        self.is_gone = False

    def say(self, message: Message) -> None:
        """Progress that was not sent yet is summed up, so that one who reads slowly makes no queue."""
        with self._changed:
            last = self._unsaid[-1] if self._unsaid else {}
            for kind in ("advance", "expect"):
                if kind in message and kind in last:
                    last[kind] += message[kind]
                    return
            self._unsaid.append(dict(message))
            self._is_answered = self._is_answered or "done" in message or "error" in message
            if self._is_answered:
                self._changed.notify_all()

    def hear(self) -> SyncdError | None:
        """Say who we are, and take the request in; what is wrong with it."""
        self._connection.settimeout(REQUEST_SECONDS)
        self._connection.sendall(line_of(hello()))
        line = b""
        while not line.endswith(b"\n"):
            more = self._connection.recv(4096)
            if not more:
                raise ConnectionResetError
            line += more
            if len(line) > MAX_REQUEST_BYTES:
                return UserError("that request is too long")
        request = message_of(line)
        if request is None or request.get("protocol") != PROTOCOL:
            return other_protocol(os.getpid(), PROTOCOL)
        wish, named = wish_of(request) or errand_of(request), request.get("state_dirs")
        if wish is None or not isinstance(named, list) or not all(isinstance(each, str) for each in named):
            return senseless_request()
        self.wish, self.state_dirs = wish, tuple(named)
        return None

    def attend(self) -> None:
        """Pass on what is said, until the last word is, or the visitor hangs up."""
        self._connection.settimeout(SEND_SECONDS)
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_answered, TELL_SECONDS)
                said = list(self._unsaid)
                self._unsaid.clear()
                is_last = self._is_answered
            self._connection.sendall(b"".join(map(line_of, said)))
            if is_last:
                return
            readable, _, _ = select.select([self._connection], [], [], 0)
            if readable and not self._connection.recv(4096):
                raise ConnectionResetError

    def hang_up(self, *, at_once: bool) -> None:
        """From another thread: no longer wait for a request; at once also when its answer is still being sent."""
        if at_once or self.wish is None:
            with suppress(OSError):
                self._connection.shutdown(socket.SHUT_RDWR if at_once else socket.SHUT_RD)

    def close(self) -> None:
        self.is_gone = True
        self._connection.close()


class Door:
    """`on_visit` is called, on another thread, when `next_visitor` has one."""

    def __init__(self, ledger_path: Path, on_visit: Callable[[], None] = lambda: None) -> None:
        self._path = socket_path(ledger_path)
        self.on_visit = on_visit
        self._listener: socket.socket | None = None
        self._former: list[socket.socket] = []
        self._inode = 0
        self._wakener: tuple[int, int] | None = None
        self._acceptor: threading.Thread | None = None
        self._lock = threading.Lock()
        self._visitors: dict[Visitor, threading.Thread] = {}
        self._waiting: deque[Visitor] = deque()
        self._is_closing = False

    def open(self) -> str | None:
        """Begin to listen; why not, where that is impossible. Whoever holds the writer lock may replace the socket."""
        if (reason := self._listen()) is not None:
            return reason
        self._wakener = os.pipe()
        self._acceptor = threading.Thread(target=self._accept, name="syncd-door", daemon=True)
        self._acceptor.start()
        return None

    def renew(self) -> None:
        """Listen at the usual place again, where the socket was removed. Nobody is sent away."""
        if self._listener is None or self._wakener is None or self._is_at_its_place():
            return
        former = self._listener
        if self._listen() is None:
            self._former.append(former)  # the other thread may still be waiting for it, and closes it
            os.write(self._wakener[1], b"x")

    def _is_at_its_place(self) -> bool:
        try:
            return self._path.lstat().st_ino == self._inode
        except OSError:
            return False

    def _listen(self) -> str | None:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        scratch = self._path.with_name(self._path.name + ".tmp")
        try:
            with short_address(scratch) as address:
                scratch.unlink(missing_ok=True)
                os.fchmod(listener.fileno(), 0o600)  # before it has a name: nobody else ever gets in between
                listener.bind(address)
            scratch.chmod(0o600)
            inode = scratch.lstat().st_ino
            listener.setblocking(False)
            listener.listen(MAX_VISITORS)
            scratch.replace(self._path)  # also over what a daemon that was killed left behind
        except OSError as error:
            listener.close()
            with suppress(OSError):
                scratch.unlink(missing_ok=True)
            return error.strerror or str(error)
        self._listener, self._inode = listener, inode
        return None

    def next_visitor(self) -> Visitor | None:
        """The next who asked for something and still waits for it."""
        with self._lock:
            while self._waiting:
                visitor = self._waiting.popleft()
                if not visitor.is_gone:
                    return visitor
        return None

    @property
    def has_waiting(self) -> bool:
        with self._lock:
            return any(not visitor.is_gone for visitor in self._waiting)

    def close(self) -> None:
        if self._listener is None or self._wakener is None or self._acceptor is None:
            return
        if self._is_at_its_place():  # else it is another's
            with suppress(OSError):
                self._path.unlink()
        with self._lock:
            self._is_closing = True
            visitors = dict(self._visitors)
        os.write(self._wakener[1], b"x")
        self._acceptor.join(_FAREWELL_SECONDS)
        for visitor in visitors:
            visitor.say(message_of_error(SyncdError("syncd is stopping", "run the command again")))
        for at_once in (False, True):
            for visitor in visitors:
                visitor.hang_up(at_once=at_once)
            until = time.monotonic() + _FAREWELL_SECONDS
            for thread in visitors.values():
                thread.join(max(0.0, until - time.monotonic()))
        for listener in (self._listener, *self._former):
            listener.close()
        for descriptor in self._wakener:
            os.close(descriptor)
        self._listener = None

    def _accept(self) -> None:
        assert self._listener is not None
        assert self._wakener is not None
        while True:
            readable, _, _ = select.select([self._listener.fileno(), self._wakener[0]], [], [])
            if self._wakener[0] in readable:
                if self._is_closing:
                    return
                os.read(self._wakener[0], 1)
                self._leave_former()
                continue  # there is another to listen at
            try:
                connection, _ = self._listener.accept()
            except OSError:  # out of descriptors, as a rule: whoever knocks is still there in a moment
                select.select([self._wakener[0]], [], [], _AGAIN_SECONDS)
                continue
            with suppress(OSError):  # gone already
                self._let_in(connection)

    def _leave_former(self) -> None:
        """Whoever had knocked there already is let in."""
        while self._former:
            former = self._former.pop()
            with suppress(OSError):  # nobody more
                while True:
                    self._let_in(former.accept()[0])
            former.close()

    def _let_in(self, connection: socket.socket) -> None:
        visitor = Visitor(connection)
        refusal = None
        with self._lock:
            if not is_own_user(connection):
                refusal = SyncdError("this is another user's syncd", "run it as the user whose ledger it is")
            elif len(self._visitors) >= MAX_VISITORS:
                refusal = SyncdError(f"{MAX_VISITORS} requests wait for the running syncd already", "try again later")
            elif not self._is_closing:
                thread = threading.Thread(target=self._receive, args=(visitor,), name="syncd-visitor", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # no more threads are to be had
                    refusal = SyncdError("the running syncd has nobody left to answer", "try again later")
                else:
                    self._visitors[visitor] = thread  # before it can leave: that takes the lock
                    return
        with suppress(OSError):
            connection.settimeout(0)
            connection.sendall(line_of(hello()) + line_of(message_of_error(refusal or SyncdError("syncd is stopping"))))
        connection.close()

    def _receive(self, visitor: Visitor) -> None:
        try:
            with suppress(OSError):  # gone, or silent: nobody to tell
                refusal = visitor.hear()
                if refusal is not None:
                    visitor.say(message_of_error(refusal))
                else:
                    with self._lock:
                        self._waiting.append(visitor)
                    self.on_visit()
                visitor.attend()
        finally:
            visitor.close()
            with self._lock:
                self._visitors.pop(visitor, None)


def is_own_user(connection: socket.socket) -> bool:
    """Where the kernel tells; elsewhere the socket's mode 0600 alone keeps others out."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _pid, uid, _gid = struct.unpack("3i", found)
    return uid in (os.geteuid(), 0)
