"""Places that agents share, and what becomes of them: the sessions of two agents in one directory or database."""

import json
from hashlib import sha256
from pathlib import Path

from tests.mirror.both_sides import ARCHIVE
from tests.mirror.household import Household, compressed, header, household, name_of, session_id
from tests.mirror.indexed import entry, index_text
from tests.mirror_checks import query
from tests.openclaw_store import AgentStore
from tests.usage_corpus import answer

MAIN, OPS = session_id(1), session_id(2)
LINES = {MAIN: header(1) + answer(1) + answer(2), OPS: header(2) + answer(3) + answer(4)}


def shared_house(place: Path) -> Household:
    """Its HOME must be `place`, so that what lies there is of this state dir."""
    house = household(place)
    shared = place / "data" / "foo.json"
    shared.parent.mkdir()
    configure(house, str(shared))
    return house


def configure(house: Household, store: str) -> None:
    config = {"session": {"store": store}, "agents": {"list": [{"id": "main", "default": True}, {"id": "ops"}]}}
    (house.state_dir / "openclaw.json").write_text(json.dumps(config))


def shared_files(house: Household) -> None:
    place = house.state_dir.parent / "data"
    for number, content in enumerate(LINES.values(), 1):
        (place / name_of(number)).write_bytes(content)
    (place / "foo.json").write_bytes(index_text({"agent:main:main": entry(1), "agent:ops:main": entry(2)}))


def shared_database(house: Household) -> Path:
    place = house.state_dir.parent / "data" / "all.sqlite"
    configure(house, str(place))
    with AgentStore(place) as store:
        for session, content in LINES.items():
            store.import_lines(session, content)
    return place


def databases(house: Household) -> dict[str, Path]:
    place = house.state_dir.parent / "data"
    return {MAIN: place / "foo.sqlite", OPS: place / "foo.ops.sqlite"}


def parted(house: Household) -> None:
    for session, path in databases(house).items():
        with AgentStore(path) as store:
            store.import_lines(session, LINES[session])


def put_away(house: Household) -> None:
    place = house.state_dir.parent / "data"
    archive = place / "session-sqlite-import-archive"
    archive.mkdir()
    for number in (1, 2):
        (place / name_of(number)).rename(archive / f"main.{name_of(number)}.imported-1794802732071")
    (place / "foo.json").rename(archive / "foo.json.imported-1794802732071")


def kept(_: Household) -> None:
    """The files stay where they are."""


def deleted_into_an_archive(house: Household) -> None:
    """The session of ops, in its own database."""
    name, packed = f"{name_of(2)}.deleted.2026-11-16T04-00-01.549Z.{1:032x}.zst", compressed(LINES[OPS])
    with AgentStore(databases(house)[OPS]) as store:
        store.delete_session(OPS)
        store.connection.execute(ARCHIVE, (OPS, f"{1:032x}", packed, sha256(packed).hexdigest(), name))


def owners(house: Household) -> list[tuple[object, ...]]:
    return query(house.ledger_path, "SELECT session_id, agent_id, state, generation FROM transcripts ORDER BY id")


def counted(house: Household) -> dict[str, int]:
    return dict(query(house.ledger_path, "SELECT agent_id, sum(messages) FROM daily_usage GROUP BY agent_id"))
