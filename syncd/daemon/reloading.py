"""The configuration read again while the loop runs, when somebody asks for it. What it means is `aiming`'s matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.errors import SyncdError

if TYPE_CHECKING:
    from collections.abc import Callable

    from syncd.daemon.aiming import Aiming
    from syncd.daemon.orders import Orders
    from syncd.daemon.telling import Telling


class Reloading:
    """`reread`: the configuration as it is now; it raises SyncdError where it makes no sense."""

    def __init__(self, reread: Callable[[], Orders] | None, aiming: Aiming, telling: Telling) -> None:
        self._reread, self._aiming, self._telling = reread, aiming, telling
        self.is_wanted = False
        """Set on any thread, and in a signal handler."""

    def reload_if_wanted(self) -> None:
        if not self.is_wanted:
            return
        self.is_wanted = False
        if self._reread is None:
            return
        self._telling.reload_begins()
        try:
            orders = self._reread()
        except SyncdError as error:
            self._telling.config_refused(f"the configuration was not taken over: {error}", error.hint)
        else:
            self._telling.config_accepted()
            if orders.refused is not None:
                self._telling.config_refused(orders.refused, "restart syncd for that")
            self._aiming.take_over(orders)
            self._telling.taken_over()
        self._telling.reload_ends()
