"""What `status` says of the scheduled jobs, with the daemon up and down."""

import re
import signal
import time

from syncd.daemon.orders import BEAT_SECONDS
from syncd.jobs.runs import begin_run, end_run
from syncd.jobs.table import JOBS
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from tests.command import called
from tests.daemon.live import wait_for
from tests.daemon.process import CONFIG, daemon, environ, syncd
from tests.mirror.household import Household, name_of, transcript

FIELDS = {"name", "last_started_at", "last_ok", "next_run_at", "running"}


def jobs(house: Household) -> dict[str, dict[str, object]]:
    return {job["name"]: job for job in syncd(house, "status")[1]["jobs"]}


def configure(house: Household, text: str) -> None:
    (house.state_dir.parent / "config.yaml").write_text(f"{CONFIG}health: {{interval_seconds: 0.2}}\njobs: {text}\n")


def test_without_a_ledger_every_job_is_named_and_none_has_run(house: Household) -> None:
    found = jobs(house)
    assert found.keys() == JOBS.keys()
    for job in found.values():
        assert job.keys() == FIELDS
        assert (job["last_started_at"], job["last_ok"], job["next_run_at"]) == (None, None, None)


def test_without_a_daemon_the_last_runs_are_told(house: Household) -> None:
    house.write(name_of(1), transcript(1, 2))
    assert syncd(house, "run", "--once")[0] == 0
    now = time.time_ns() // 1_000_000
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        end_run(ledger, begin_run(ledger, "scrub", now - 7_300_000), now, ok=False)
        begin_run(ledger, "optimize", now - 5000)
    found = jobs(house)
    assert (found["scrub"]["last_started_at"], found["scrub"]["last_ok"]) == (now - 7_300_000, False)
    assert (found["optimize"]["last_ok"], found["optimize"]["running"]) == (None, False)
    said = called(("status",), environ(house)).stdout
    assert "scrub: failed, began 2 h ago" in said
    assert re.search(r"optimize: stopped, began \d+ (s|min) ago", said)
    with writer_lock(house.ledger_path):
        assert jobs(house)["optimize"]["running"] is True


def test_the_next_run_is_told_and_a_new_configuration_moves_it(house: Household) -> None:
    house.write(name_of(1), transcript(1, 2))
    configure(house, "{scrub: 24h, optimize: 1s}")
    with daemon(house) as running:
        running.is_following()
        wait_for(lambda: jobs(house)["optimize"]["last_ok"] is True)
        found = jobs(house)
        assert found["scrub"]["last_started_at"] is None
        in_an_hour = (time.time() + 3600) * 1000
        assert abs(float(str(found["scrub"]["next_run_at"])) - in_an_hour) < 600_000
        said = called(("status",), environ(house)).stdout
        assert re.search(r"scrub: never ran yet; next in 5\d min", said)
        configure(house, "{scrub: 1s, optimize: false}")
        running.process.send_signal(signal.SIGHUP)
        wait_for(lambda: jobs(house)["scrub"]["last_ok"] is True)
        wait_for(lambda: jobs(house)["optimize"]["next_run_at"] is None)
        assert running.terminate()[0] == 0
    assert jobs(house)["scrub"]["next_run_at"] is None


def test_the_next_runs_are_told_as_soon_as_they_are_known(house: Household) -> None:
    """Not with the next regular beat, which is ten seconds away."""
    configured = f"{CONFIG}jobs: {{scrub: 24h, optimize: 2s}}\n"
    (house.state_dir.parent / "config.yaml").write_text(configured)
    house.write(name_of(1), transcript(1, 2))
    with daemon(house) as running:
        running.is_following()
        wait_for(lambda: jobs(house)["scrub"]["next_run_at"] is not None, BEAT_SECONDS - 2)
        assert running.terminate()[0] == 0
