"""What OpenClaw's files mean: where they lie, what their names say, what their lines hold.

Pure knowledge of every release since 2026.2.3: functions take strings, bytes, mappings and small
callables, and never touch a file. Reading belongs to `sources`, rows to `ledger`.
Import the module you need; nothing is re-exported, so that asking for a path costs no JSON parser.
"""
