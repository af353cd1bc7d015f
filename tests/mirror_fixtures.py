"""Genuine files of one OpenClaw release in a household of the test's own, and a ledger caught up with them."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from syncd.openclaw.file_kinds import TRANSCRIPT_KINDS, classify
from tests.mirror.household import Household, household

DATA = Path(__file__).parent / "data" / "openclaw"
JSONL_RELEASES = ("2026.5.7", "2026.7.1")
MIGRATED = "migrated-7.1-to-9.6"
ALL_RELEASES = (*JSONL_RELEASES, "2026.9.6", MIGRATED)


@dataclass(frozen=True)
class GenuineFile:
    """A transcript as its release's MANIFEST.json tells of it; `sha256` of a .zst is that of its contents."""

    relative: str
    sha256: str
    lines: int

    @property
    def name(self) -> str:
        return self.relative.rpartition("/")[2]


def genuine(place: Path, release: str) -> Household:
    """The release's files below `place`, mirrored."""
    house = household(place)
    shutil.rmtree(house.state_dir)
    shutil.copytree(DATA / release, house.state_dir)
    assert house.catch_up().problems == []
    return house


def transcript_files(release: str) -> list[GenuineFile]:
    files = json.loads((DATA / release / "MANIFEST.json").read_text())["files"]
    return [
        GenuineFile(relative, about.get("plainSha256", about["sha256"]), about["lines"])
        for relative, about in files.items()
        if classify(relative.rpartition("/")[2]).kind in TRANSCRIPT_KINDS
    ]
