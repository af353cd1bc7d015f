"""Reading OpenClaw's bytes: which files there are, how they are opened, and their complete lines."""
