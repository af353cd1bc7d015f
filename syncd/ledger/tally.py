"""What came into the ledger, counted by whoever handed it to the writer, and only once it is committed."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Tally:
    transcripts: set[int] = field(default_factory=set)
    lines: int = 0
    bytes: int = 0

    def add(self, transcript_id: int, lines: int, size: int) -> None:
        self.transcripts.add(transcript_id)
        self.lines += lines
        self.bytes += size
