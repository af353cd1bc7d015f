"""What is said to OpenClaw in the test of real turns: several sessions of two agents, all at once.

Each script is one session, told in order; the marks in the messages say what the model does (model_stub.mjs).
"""

import threading
from collections.abc import Callable

from tests.openclaw.real_gateway import RealGateway

AGENTS = ("main", "ops")
MAIN, ADA, OPS, BOB, EVE = (
    "agent:main:main",
    "agent:main:direct:ada",
    "agent:ops:main",
    "agent:ops:direct:bob",
    "agent:main:direct:eve",
)
RESET, COMPACT, DELETE = "sessions.reset", "sessions.compact", "sessions.delete"
COMMANDS = (RESET, COMPACT, DELETE)
NEW = "/new"
REFUSED = "[[stub:error 400]]"
"""The one prompt whose turn is to fail."""
AT_ONCE = {"2026.5": 2, "2026.9": 3}
"""Sessions at once, all unless told here: 2026.5 works too long without a pause, 2026.9 is in its own way."""

SCRIPTS: dict[str, tuple[str, ...]] = {
    MAIN: (
        "Hello, what can you do? With ünïcode ✿",
        "[[stub:think Here is what I thought.]]",
        "[[stub:exec echo hello > note.txt; cat note.txt]]",
        "[[stub:two ls]]",
        NEW,
        "[[stub:exec x3 date]]",
        "And after that?",
    ),
    ADA: (
        "[[stub:slow 2000]]",
        REFUSED,
        "And after that error?",
        "[[stub:exec cat is-not-there.txt]]",
        "[[stub:error 500 1]]",
    ),
    OPS: ("[[stub:cut 1]]", "Before the reset", RESET, "After the reset", "[[stub:think Once more.]]", RESET),
    BOB: (
        "[[stub:long 60000]]",
        "[[stub:long 60001]]",
        "[[stub:long 60002]]",
        "[[stub:long 60003]]",
        COMPACT,
        "After the summary",
    ),
    EVE: ("[[stub:exec echo soon gone]]", "[[stub:think Farewell.]]", DELETE),
}


PROMPTS = {key: [step for step in script if step not in (*COMMANDS, NEW)] for key, script in SCRIPTS.items()}


def tell(gateway: RealGateway, is_in_ledger: Callable[[str], object]) -> dict[str, bool]:
    """All scripts at once, to their ends; each prompt, and whether OpenClaw says that its turn was well.

    Nobody goes on before the ledger has such a turn: `is_in_ledger` waits for it, while the others talk on.
    """
    was_well, faults = dict[str, bool](), list[BaseException]()
    at_once = threading.Semaphore(AT_ONCE.get(gateway.release.version.rpartition(".")[0], len(SCRIPTS)))

    def play(key: str, script: tuple[str, ...]) -> None:
        try:
            with at_once:
                for step in script:
                    take(key, step)
        except BaseException as error:  # noqa: BLE001 - raised again in the test's thread
            faults.append(error)

    def take(key: str, step: str) -> None:
        if step in COMMANDS:
            gateway.command(step, key, **({"deleteTranscript": True} if step == DELETE else {}))
            return
        is_well = gateway.turn(key, step)
        if step in PROMPTS[key]:
            was_well[step] = is_well
            if is_well:
                is_in_ledger(step)

    threads = [threading.Thread(target=play, args=each) for each in SCRIPTS.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]
    return was_well
