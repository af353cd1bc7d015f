"""Where OpenClaw's files meet the ledger: which transcript a file is, what changed in it, and taking that in."""
