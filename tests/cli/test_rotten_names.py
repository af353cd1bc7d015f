"""What rotted in a row of the ledger is no reason to know no session or file by its name, until a repair mends it."""

import shutil
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from tests.cli.quick import quick_household, syncd
from tests.conftest import CHECKOUT, Cli
from tests.mirror.household import Household
from tests.mirror_checks import events, query

GENUINE = CHECKOUT / "tests" / "data" / "openclaw" / "2026.7.1"
KEY = "agent:main:direct:branchy"


@pytest.mark.parametrize("rotten", ["sync_events.detail_json", "sessions.entry_json"])
def test_a_session_and_its_file_are_known_by_name_beside_rows_that_rotted(
    tmp_path: Path, cli_in_process: Cli, rotten: str
) -> None:
    house = quick_household(tmp_path)
    shutil.copytree(GENUINE, house.state_dir, dirs_exist_ok=True)
    call = syncd(cli_in_process, house)
    assert call("run", "--once").exit_code == 0
    ((former,),) = query(house.ledger_path, "SELECT path FROM transcripts WHERE session_id LIKE '0a000003%'")
    moved = Household(house.state_dir.rename(tmp_path / "elsewhere"), house.ledger_path)
    call = syncd(cli_in_process, moved)
    assert call("run", "--once").exit_code == 0
    assert "moved" in events(house.ledger_path)
    path = former.replace(str(house.state_dir), str(moved.state_dir))
    expected = Path(path).read_bytes()
    assert call("export", former).stdout_bytes == expected
    table, column = rotten.split(".")
    with closing(apsw.Connection(str(house.ledger_path))) as connection:
        connection.execute(f"UPDATE {table} SET {column} = replace({column}, ':', ';')")
    for name in (KEY, path, Path(path).name):
        told = call("export", name)
        assert (told.exit_code, told.stdout_bytes) == (0, expected), name
    unknown = call("show", f"{former}.other", "--json").json["error"]
    assert "malformed" not in unknown["message"]
