"""What a busy OpenClaw does to its files, for tests that mirror them meanwhile."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.mirror.household import LATER_TIME, RESET_TIME, Household, message, name_of, transcript


@contextmanager
def torn_appends(house: Household, pause_seconds: float) -> Iterator[dict[int, bytes]]:
    """Lines come to eight transcripts inside the block, each in two pieces. What is in each file, by its number."""
    contents = {number: transcript(number, 2) for number in range(1, 9)}
    for number, content in contents.items():
        house.write(name_of(number), content)
    stop = threading.Event()

    def write_torn() -> None:
        entry = 2
        while not stop.is_set():
            entry += 1
            number = 1 + entry % 8
            more = message(entry, "x" * (entry * 37 % 3000))
            cut = 1 + entry % (len(more) - 1)
            house.append(name_of(number), more[:cut])
            house.append(name_of(number), more[cut:])
            contents[number] += more
            stop.wait(pause_seconds)

    writer = threading.Thread(target=write_torn)
    writer.start()
    try:
        yield contents
    finally:
        stop.set()
        writer.join()


def take_over(house: Household, number: int) -> int:
    """A new session at one of five paths; the one that was there is reset or deleted with a last word. Its number."""
    slot = name_of(number % 5)
    if house.path(slot).exists():
        how = ("reset", "deleted")[number % 2]
        stamp = (RESET_TIME, LATER_TIME)[number % 3 == 0].replace("14", f"{number % 60:02}")
        house.append(slot, message(50 + number))
        house.rename(slot, f"{slot}.{how}.{stamp[:-5]}.{number:03}Z")
    house.write(slot, transcript(1000 + number, 2))
    house.append(slot, message(3)[:20])
    house.append(slot, message(3)[20:])
    return 1000 + number
