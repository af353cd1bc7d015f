"""The rows of `job_runs`."""

from pathlib import Path

from syncd.jobs.runs import KEPT, begin_run, end_run, latest_runs, note_run, open_runs
from tests.ledger.scratch import scratch_ledger


def test_a_run_has_a_row_from_its_start_and_its_end_is_written_there(tmp_path: Path) -> None:
    with scratch_ledger(tmp_path) as ledger:
        run = begin_run(ledger, "scrub", 1000)
        assert open_runs(ledger) == [run]
        assert latest_runs(ledger)["scrub"].ok is None
        note_run(ledger, run._replace(summary={"bytes": 5}))
        assert open_runs(ledger)[0].summary == {"bytes": 5}
        end_run(ledger, run._replace(summary={"bytes": 7}), 2000, ok=True)
        assert open_runs(ledger) == []
        assert list(ledger.execute("SELECT job, started_at, finished_at, ok, summary_json FROM job_runs")) == [
            ("scrub", 1000, 2000, 1, '{"bytes": 7}')
        ]


def test_the_latest_run_of_each_job_is_the_one_that_began_last_by_whatever_clock(tmp_path: Path) -> None:
    with scratch_ledger(tmp_path) as ledger:
        for at, job in ((9000, "scrub"), (2000, "backup"), (3000, "scrub")):
            end_run(ledger, begin_run(ledger, job, at), at + 5, ok=at != 3000)
        found = latest_runs(ledger)
        assert {job: (run.started_at, run.ok) for job, run in found.items()} == {
            "scrub": (3000, False),
            "backup": (2000, True),
        }


def test_a_ledger_that_was_put_back_meanwhile_gets_the_run_all_the_same(tmp_path: Path) -> None:
    with scratch_ledger(tmp_path) as ledger:
        run = begin_run(ledger, "backup", 1000)
        ledger.run("DELETE FROM job_runs")
        ledger.run("INSERT INTO job_runs (job, started_at, finished_at, ok) VALUES ('scrub', 1, 2, 1)")
        end_run(ledger, run, 2000, ok=True)
        assert list(ledger.execute("SELECT job, started_at, finished_at, ok FROM job_runs ORDER BY started_at")) == [
            ("scrub", 1, 2, 1),
            ("backup", 1000, 2000, 1),
        ]


def test_of_one_job_so_many_rows_are_kept_and_no_more(tmp_path: Path) -> None:
    with scratch_ledger(tmp_path) as ledger:
        rows = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {KEPT + 50}) "
        ledger.run(f"{rows} INSERT INTO job_runs (job, started_at, finished_at, ok) SELECT 'repair', i, i, 1 FROM n")
        ledger.run("INSERT INTO job_runs (job, started_at, finished_at, ok) VALUES ('scrub', 1, 1, 1)")
        begin_run(ledger, "repair", 5000)
        counts = ledger.row("SELECT sum(job = 'repair'), min(iif(job = 'repair', started_at, 9)) FROM job_runs")
        assert counts == (KEPT + 1, 9)
        assert ledger.row("SELECT count(*) FROM job_runs WHERE job = 'scrub'") == (1,)


def test_a_summary_that_makes_no_sense_is_none(tmp_path: Path) -> None:
    with scratch_ledger(tmp_path) as ledger:
        ledger.run("INSERT INTO job_runs (job, started_at, summary_json) VALUES ('scrub', 1, 'nonsense')")
        ledger.run("INSERT INTO job_runs (job, started_at, summary_json) VALUES ('backup', 1, '[1]')")
        assert [run.summary for run in latest_runs(ledger).values()] == [{}, {}]
