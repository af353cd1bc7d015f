"""Places that the ledger knows: those that are gone are left out, those behind a closed door are not."""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from syncd.sources.known_places import known_beside, known_names


class Known:
    def __init__(self, *places: Path) -> None:
        self._places = [str(place) for place in places]

    def places(self) -> Iterable[str]:
        return self._places

    def agent_at(self, place: str) -> str:
        return f"of {os.path.basename(place)}"


@pytest.mark.parametrize(("fault", "is_left_out"), [(PermissionError, False), (FileNotFoundError, True)])
def test_only_what_is_surely_gone_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: type[OSError], *, is_left_out: bool
) -> None:
    known = Known(tmp_path / "foo.sqlite", tmp_path / "files")
    usual = os.lstat

    def lstat(path: str) -> os.stat_result:
        if path in known.places():
            raise fault(path)
        return usual(path)

    monkeypatch.setattr(os, "lstat", lstat)
    for are_stores, place in ((True, "foo.sqlite"), (False, "files")):
        names = known_names(known, are_stores=are_stores)
        found = [(item.agent_id, item.path) for item in known_beside(known, names, ("*",), ())]
        assert found == ([] if is_left_out else [(f"of {place}", str(tmp_path / place))])


def test_of_two_names_the_one_with_fewer_links_is_kept(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "a-link").symlink_to(tmp_path / "real")
    (tmp_path / "z-link").symlink_to(tmp_path / "real")
    known = Known(tmp_path / "z-link", tmp_path / "real", tmp_path / "a-link")
    assert known_names(known, are_stores=False) == {str(tmp_path / "real"): str(tmp_path / "real")}
