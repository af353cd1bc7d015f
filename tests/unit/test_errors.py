import pytest

from syncd.errors import (
    AlreadyRunning,
    ConfigError,
    LedgerBusy,
    LedgerCorrupt,
    LedgerError,
    LedgerFull,
    LedgerNewer,
    Problem,
    SourceError,
    SyncdError,
    UserError,
)


@pytest.mark.parametrize(
    ("error", "exit_code", "kind"),
    [
        (SyncdError("t"), 1, "failed"),
        (UserError("t"), 2, "usage"),
        (ConfigError("t"), 78, "config"),
        (SourceError("t"), 1, "source"),
        (LedgerError("t"), 1, "ledger"),
        (LedgerBusy("t"), 1, "ledger_busy"),
        (LedgerNewer("t"), 78, "ledger_newer"),
        (LedgerCorrupt("t"), 1, "ledger_corrupt"),
        (LedgerFull("t"), 1, "ledger_full"),
        (AlreadyRunning("t"), 75, "already_running"),
    ],
)
def test_exit_codes_and_types_are_the_public_ones(error: SyncdError, exit_code: int, kind: str) -> None:
    assert (error.exit_code, error.type) == (exit_code, kind)


def test_an_error_speaks_its_title_and_keeps_its_hint() -> None:
    error = LedgerBusy("the ledger is in use", "try again")
    assert str(error) == "the ledger is in use"
    assert error.hint == "try again"
    assert isinstance(error, LedgerError)


def test_a_config_error_names_every_problem_with_its_line() -> None:
    error = ConfigError("2 faults", [Problem("watch.mode", "must be a word", 3), Problem("", "no map")])
    assert str(error).splitlines() == [
        "2 faults",
        "  line 3: watch.mode: must be a word",
        "  no map",
    ]
    assert error.details() == {
        "problems": [
            {"path": "watch.mode", "message": "must be a word", "line": 3},
            {"path": "", "message": "no map", "line": None},
        ]
    }


def test_details_name_the_owner_of_the_ledger_and_the_file_that_failed() -> None:
    assert AlreadyRunning("t", pid=7).details() == {"pid": 7}
    assert SourceError("t", path="/a").details() == {"path": "/a"}
    assert SourceError("t").details() == {}
