"""The faults that syncd must survive, by their ids, and which of them a test is for."""

import re

FAULTS = {
    "A1": "SIGKILL at random times under torn appends", "A2": "SIGKILL at every kind of system call",
    "A3": "SIGKILL between reading and commit", "A4": "SIGTERM in a backlog", "A5": "SIGSTOP, then SIGCONT",
    "A6": "less memory than a line needs", "A7": "no file descriptor left", "A8": "event handler raises",
    "A9": "two daemons, one ledger", "A10": "two daemons by another path, or no lock",
    "A11": "stale pid file, pid alive", "A12": "power cut", "A13": "clock steps back",
    "A14": "clock ten years ahead", "A15": "suspend of eight hours",
    "B1": "partial last line", "B2": "character across two reads", "B3": "last line without newline for ever",
    "B4": "cut record and the next on one line", "B5": "missing newline", "B6": "NULs before a record",
    "B7": "sparse hole", "B8": "invalid UTF-8", "B9": "lone surrogate", "B10": "NaN, Infinity, 1e400",
    "B11": "integers beyond 64 bits", "B12": "deep nesting", "B13": "line of 200 MB",
    "B14": "line without an end that grows", "B15": "duplicate keys and ids", "B16": "CRLF, BOM, blank, U+2028",
    "B17": "second header", "B18": "unknown type and version", "B19": "line that is no object",
    "B20": "timestamps of every kind",
    "C1": "truncated, then slowly rewritten", "C2": "same-size rewrite", "C3": "same-size rewrite, mtime restored",
    "C4": "edit in the middle and append in one gap", "C5": "repair drops a line", "C6": "longer file renamed over",
    "C7": "unlink and create, inode reused", "C8": "deleted for good", "C9": "deleted with bytes unread",
    "C10": "archive rename with unread tail", "C11": "copy of a transcript", "C12": "fork with the same beginning",
    "C13": "empty files", "C14": "FIFO, directory, device", "C15": "symlinks, and swaps of them", "C16": "hard link",
    "C17": "odd names, folded case", "C18": "neighbour files", "C19": "ten thousand sessions at the start",
    "C20": "writes through a memory map",
    "D1": "index half written", "D2": "index of 0 bytes", "D3": "index suddenly emptied", "D4": "storm of renames",
    "D5": "index names a file that is not there yet", "D6": "sessionFile outside", "D7": "index in JSON5",
    "D8": "lock held for ever", "D9": "stale locks", "D10": "chmod after rename", "D11": "index of 50 MB",
    "E1": "event queue overflows", "E2": "burst of 50,000 appends", "E3": "watch limit", "E4": "instance limit",
    "E5": "root absent at the start", "E6": "root removed and recreated", "E7": "root renamed, or mounted over",
    "E8": "new agent directory with files", "E9": "move out of the tree", "E10": "event source dead",
    "E11": "no events at all", "E12": "events from own reads",
    "F1": "disk full", "F2": "disk full in a checkpoint", "F3": "ledger locked", "F4": "reader holds a snapshot",
    "F5": "ledger corrupt", "F6": "WAL, SHM or ledger deleted", "F7": "older ledger put back", "F8": "newer schema",
    "F9": "read-only or failing disk", "F10": "EIO on a source", "F11": "permission lost and restored",
    "F12": "ledger on a network file system", "F13": "SQLite with the WAL-reset bug", "F14": "quota, inodes",
    "F15": "slow fsync",
}  # fmt: skip
_IDS = re.compile(r"test((?:_[a-f][0-9]+)+)_", re.IGNORECASE)


def ids_of(name: str) -> list[str]:
    """The faults a test is for, by its name."""
    found = _IDS.match(name)
    return [each.upper() for each in found[1].split("_") if each.upper() in FAULTS] if found else []
