"""What status sees by itself, before the daemon has said it, has the same names."""

from syncd.cli.look import _absent
from syncd.mirror.freshness import Freshness
from syncd.records import FileProblem


def test_what_is_wrong_with_a_store_has_the_name_that_the_daemon_gives_it() -> None:
    found = [FileProblem("/a/x.sqlite", "is damaged", "a hint", "store_corrupt"), FileProblem("/a/y", "closed", "open")]
    told = list(_absent((), Freshness(problems=found), None))
    assert [(item["code"], item["path"]) for item in told] == [("store_corrupt", "/a/x.sqlite"), ("unreadable", "/a/y")]


def test_a_store_that_is_busy_for_a_moment_is_no_alarm() -> None:
    busy = FileProblem("/a/x.sqlite", "is locked by OpenClaw", "nothing to do", "store_busy")
    assert list(_absent((), Freshness(problems=[busy]), None)) == []
