"""Every reason for which the mirror can be degraded: a stable code, what it means, what to do about it.

The one table of them, for `health`, `status` and whoever explains them elsewhere. A code is public: it may be added,
never given another meaning. A reason may come with a hint of its own, where more is known than can stand here.
"""

from __future__ import annotations

from typing import NamedTuple

Alarm = dict[str, str]
"""`code`, `reason`, `hint`, and `path` where one is meant."""


class Code(NamedTuple):
    meaning: str
    remedy: str


CODES: dict[str, Code] = {
    "not_moving": Code(
        "OpenClaw writes, and nothing of it arrives in the ledger",
        "restart syncd; if it stays so, `syncd run --once` says which file it cannot take in",
    ),
    "behind": Code(
        "the ledger takes in what OpenClaw writes, but late",
        "look again in a minute; if it stays so, look for what keeps the disk or the processor busy",
    ),
    "store_busy": Code(
        "OpenClaw's own SQLite cannot be read just now, because OpenClaw is at work in it",
        "what is known is kept, and it is tried again; if it stays so, look for what holds it locked",
    ),
    "store_corrupt": Code(
        "OpenClaw's own SQLite is damaged",
        "what was read is kept; `openclaw doctor` says what can be saved of it",
    ),
    "store_unknown": Code(
        "OpenClaw's own SQLite has tables, or text that is not UTF-8, as no known release makes them",
        "what was read is kept; upgrade syncd to follow it",
    ),
    "store_newer": Code(
        "OpenClaw's own SQLite has a schema that is newer than this syncd knows; what is known of it is mirrored",
        "upgrade syncd",
    ),
    "store_gone": Code(
        "OpenClaw's own SQLite, which held sessions, is not there any more or holds none",
        "what was read is kept; put it back if it was moved, or name its directory as agentDir in OpenClaw's"
        " configuration; `openclaw doctor` says more",
    ),
    "store_unreadable": Code(
        "OpenClaw's own SQLite cannot be read",
        "give this user the right to read it and the files beside it (-wal, -shm)",
    ),
    "store_without_shm": Code(
        "OpenClaw's own SQLite has a log (-wal) without its shared memory (-shm), and cannot be read without a trace",
        "start OpenClaw once, which puts it in order",
    ),
    "store_bad_event": Code(
        "an event in OpenClaw's own SQLite does not decode; the rest of its session is mirrored",
        "`openclaw doctor` may know more; it is tried again",
    ),
    "store_bad_entry": Code(
        "the entry of a session in OpenClaw's own SQLite is no JSON; what was read of it before is kept, else its other"
        " columns tell of the session",
        "`openclaw doctor --fix` makes it anew",
    ),
    "cold_archive_missing": Code(
        "OpenClaw has put a session away into a file that is not there",
        "what was read before is kept; put the file named back in its place",
    ),
    "cold_archive_damaged": Code(
        "a file into which OpenClaw has put a session away is not what it was",
        "what was read before is kept; put a whole copy in its place",
    ),
    "stalled": Code("work waits, and the daemon does not complete a pass", "restart syncd"),
    "unreadable": Code("a file or directory of OpenClaw's cannot be read", "check its permissions"),
    "index_unreadable": Code(
        "a sessions.json cannot be understood or is gone",
        "its last good state is kept and transcripts are followed; look at the file named",
    ),
    "cron_log_unreadable": Code(
        "a run log of OpenClaw's cron jobs cannot be read", "what was read is kept; look at the file named"
    ),
    "config_unreadable": Code(
        "OpenClaw's own configuration cannot be understood, so its usual places are looked at",
        "correct the file named; `openclaw doctor` says what is wrong with it",
    ),
    "watch_limit": Code(
        "the kernel tells of changes for a part of the directories only; the rest is looked at every two seconds",
        "raise fs.inotify.max_user_watches and max_user_instances with sysctl",
    ),
    "no_events": Code(
        "the kernel tells of no changes, as on network file systems; everything is looked at every two seconds",
        "nothing is lost; set watch.mode to poll if it is always so here",
    ),
    "ledger": Code(
        "the ledger cannot be opened or written; syncd waits and tries again",
        "check that its directory exists, is writable for you, and lies on a healthy local disk",
    ),
    "ledger_busy": Code(
        "another program holds the ledger's write lock; syncd waits and tries again",
        "close the program that writes to it; a database browser with unsaved changes, perhaps",
    ),
    "ledger_full": Code(
        "the ledger's disk is full; syncd waits, and OpenClaw's files keep what is to be read",
        "free some disk space; it goes on by itself",
    ),
    "ledger_moved": Code(
        "the ledger, or the log beside it, was moved or deleted under the daemon; it is opened anew",
        "leave the files beside the ledger (-wal, -shm) alone while syncd runs; stop it before moving the ledger",
    ),
    "ledger_gone": Code(
        "the ledger was moved or deleted under the daemon, and cannot be put back yet: it has the only copy open",
        "free some disk space, or make the directory writable, and do not stop syncd before: it goes on by itself",
    ),
    "ledger_corrupt": Code(
        "the ledger is damaged", "put back a copy (`syncd ledger restore`), or move it elsewhere and start anew"
    ),
    "ledger_newer": Code(
        "the ledger was written by a newer syncd, and is left alone",
        "upgrade syncd, or name another ledger with $SYNCD_LEDGER",
    ),
    "disk_low": Code("little space is left on the ledger's disk", "free some, before the ledger has to wait for it"),
    "wal_large": Code(
        "the ledger's log cannot be emptied, because a program has been reading for a long time",
        "end the program that is named, or that has the ledger open",
    ),
    "shortage": Code(
        "the system gives syncd no file descriptor or no memory; it waits and tries again",
        "raise its limit of open files (LimitNOFILE in the unit, `ulimit -n` in a shell), or end what uses them up",
    ),
    "job_failed": Code(
        "a scheduled job failed at its last run", "it is tried again by itself; `syncd status` says when"
    ),
    "config": Code(
        "the configuration was not taken over, or not all of it", "`syncd config check` lists every fault; then SIGHUP"
    ),
    "health_log": Code("the health log cannot be written", "free some space, or change health.log_path"),
    "prometheus": Code(
        "the file for Prometheus cannot be written", "give this user the directory, or change health.prometheus_path"
    ),
}


def alarm(code: str, reason: str, *, path: str = "", hint: str = "") -> Alarm:
    """A reason of this code. `hint`: what to do, where more is known than the table does."""
    known = CODES.get(code)  # none: from the beat of another syncd
    remedy = hint or (known.remedy if known is not None else "")
    return {"code": code, **({"path": path} if path else {}), "reason": reason, "hint": remedy}
