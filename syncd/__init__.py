"""syncd mirrors OpenClaw's sessions into one SQLite ledger.

The rooms and the way of the data are described in ARCHITECTURE.md.
"""

__version__ = "0.1.0"
