"""The daemon: follows OpenClaw as it writes. Events only say "look"; losing all of them costs delay, never data."""
