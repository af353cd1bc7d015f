"""What tests ask OpenClaw's own SQLite, through the door that syncd uses."""

from pathlib import Path

from syncd.sources.store_opening import Store, read_store


def one(store: Store, sql: str) -> int:
    row = store.row(sql)
    assert row is not None
    return int(row[0])


def events(path: Path) -> int:
    def counted(store: Store) -> int:
        return one(store, "SELECT count(*) FROM transcript_events")

    return read_store(str(path), counted)
