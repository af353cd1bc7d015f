"""The ledger: one SQLite file, its schema, its one writer, and what can be asked of it."""
