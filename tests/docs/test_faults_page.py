"""docs/faults.md and the catalogue: every fault has a test, and the page says what became of each in a whole run."""

from tests.docs.faults_page import PAGE, outcomes_of, shown_by_fault
from tests.fault_catalogue import FAULTS


def test_every_fault_of_the_catalogue_has_a_test() -> None:
    assert [fault for fault, shown in shown_by_fault().items() if not shown] == []


def test_the_page_tells_of_every_fault_what_became_of_it_in_a_whole_run() -> None:
    told = outcomes_of(PAGE.read_text())
    assert list(told) == list(FAULTS)
    assert [fault for fault, outcome in told.items() if not outcome.startswith(("pass (", "not here: "))] == []
