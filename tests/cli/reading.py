"""Ledgers to read: the genuine files of each release, mirrored once, and the command line on them."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from syncd.mirror.catchup import CatchUpOptions
from syncd.mirror.index_look import IndexOptions
from tests.conftest import Cli, Result
from tests.mirror.household import Household, session_id
from tests.mirror_fixtures import genuine

Syncd = Callable[..., Result]
_made: dict[tuple[str, str], Household] = {}


def mirrored(factory: pytest.TempPathFactory, release: str) -> Household:
    """The same household for every test of a run that only reads it."""
    place = (str(factory.getbasetemp()), release)
    if place not in _made:
        _made[place] = genuine(factory.mktemp(f"release-{release}"), release)
        take_in(_made[place])
    return _made[place]


def take_in(house: Household) -> None:
    """Transcripts and the session index."""
    options = CatchUpOptions(index=IndexOptions({"HOME": str(house.state_dir.parent)}, confirm_removal_seconds=0))
    assert house.catch_up(options).problems == []


def index(house: Household, **fields: Mapping[str, object]) -> None:
    """sessions.json of agent main: by the number of the session, its key and what else its entry has."""
    entries = {
        about.get("key", f"agent:main:direct:{number[1:]}"): {
            "sessionId": session_id(int(number[1:])),
            "updatedAt": 1_794_802_930_000 + int(number[1:]),
            **{name: value for name, value in about.items() if name != "key"},
        }
        for number, about in fields.items()
    }
    house.write("sessions.json", json.dumps(entries).encode())


def reader(cli: Cli, house: Household) -> Syncd:
    def call(*args: str | Path) -> Result:
        return cli(*args, env={**house.environ, "TZ": "UTC"})

    return call
