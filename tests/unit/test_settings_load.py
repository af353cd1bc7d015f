import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.errors import ConfigError, Problem
from syncd.settings import Duration, Loaded, Settings, load_settings
from syncd.settings.document import MAX_FILE_BYTES, read_document

Load = Callable[..., Loaded]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def call(text: str | bytes, **environ: str) -> Loaded:
        file = tmp_path / "config.yaml"
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return load_settings(str(file), required=True, environ=environ)

    return call


def _faults(load: Load, text: str | bytes, **environ: str) -> tuple[Problem, ...]:
    with pytest.raises(ConfigError) as caught:
        load(text, **environ)
    return caught.value.problems


def test_a_missing_file_means_defaults_unless_somebody_named_it(tmp_path: Path) -> None:
    absent = str(tmp_path / "absent.yaml")
    loaded = load_settings(absent, required=False, environ={})
    assert (loaded.settings, loaded.file) == (Settings(), None)
    assert set(loaded.origins.values()) == {"default"}
    with pytest.raises(ConfigError, match=r"there is no configuration file .*absent\.yaml"):
        load_settings(absent, required=True, environ={})


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "watch:\njobs:\n", "{}"])
def test_an_empty_file_means_defaults(load: Load, text: str) -> None:
    assert load(text).settings == Settings()


def test_values_of_the_file_are_typed_and_keep_their_origin(load: Load) -> None:
    loaded = load(
        """
        watch: {mode: poll, settle_seconds: 2}
        jobs: {repair: off, scrub: "0 3 * * sun"}
        retention: {removed_sessions: {purge_after: 30d}, max_ledger_bytes: 1000000}
        openclaw: {agents: [main, "ops-*"]}
        """
    )
    settings = loaded.settings
    assert (settings.watch.mode, settings.watch.settle_seconds) == ("poll", 2.0)
    assert settings.jobs.repair is None
    assert settings.retention.removed_sessions == Duration(30 * 86400, "30d")
    assert settings.retention.max_ledger_bytes == 1_000_000
    assert settings.openclaw.agents == ("main", "ops-*")
    assert loaded.origins["watch.mode"] == "file"
    assert loaded.origins["watch.rescan_seconds"] == "default"
    assert loaded.written["jobs.scrub"] == "0 3 * * sun"


def test_all_faults_are_told_at_once_each_with_its_path_and_line(load: Load) -> None:
    faults = _faults(
        load,
        "watch:\n  mode: sometimes\n  resan_seconds: 5\njobs:\n  repair: 0s\nlimit: {}\n",
    )
    assert [(fault.path, fault.line) for fault in faults] == [
        ("watch.mode", 2),
        ("watch.resan_seconds", 3),
        ("jobs.repair", 5),
        ("limit", 6),
    ]
    assert "must be one of auto, events, poll, not 'sometimes'" in faults[0].message
    assert "did you mean rescan_seconds?" in faults[1].message
    assert "did you mean limits?" in faults[3].message


def test_a_key_that_lost_its_section_is_led_home(load: Load) -> None:
    (fault,) = _faults(load, "settle_seconds: 3\n")
    assert "did you mean watch.settle_seconds?" in fault.message


def test_a_key_like_no_other_is_answered_with_what_there_is(load: Load) -> None:
    (fault,) = _faults(load, "ledger: {zzz: 1}\n")
    assert fault.message == "unknown key; known are path"


@pytest.mark.parametrize("text", ["watch: 5\n", "watch: [mode]\n", "watch: poll\n"])
def test_a_section_that_is_no_map_is_a_fault(load: Load, text: str) -> None:
    (fault,) = _faults(load, text)
    assert (fault.path, fault.line) == ("watch", 1)
    assert "must be a map of keys" in fault.message


def test_a_key_written_twice_is_a_fault_wherever_it_stands(load: Load) -> None:
    faults = _faults(load, "watch:\n  mode: auto\n  mode: poll\njobs: {}\nwatch: {}\n")
    assert [(fault.path, fault.line) for fault in faults] == [("watch.mode", 3), ("watch", 5)]
    assert "first on line 2" in faults[0].message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("watch:\n  mode: [auto\n", 3),
        ("watch:\n\tmode: auto\n", 2),
        ("a: b: c\n", 1),
        ("x: !!python/object:os.system {}\n", 1),
        ("x: *nowhere\n", 1),
        ("a: 1\n---\nb: 2\n", 2),
        ("- watch\n", 1),
        ("just words\n", 1),
    ],
)
def test_what_is_no_yaml_map_is_one_fault_with_its_line(load: Load, text: str, line: int) -> None:
    (fault,) = _faults(load, text)
    assert fault.line == line


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe\x00",
        b"a: \x00",
        b"a: 2026-99-99\n",
        b"[" * 700,
        b"a: " + b"9" * 5000,
        b"watch: {rescan_seconds: 0x" + b"f" * 9000 + b"}",
        b"0x" + b"f" * 9000 + b": 1",
        b"? [1, 2]\n: 3\n",
    ],
)
def test_hostile_bytes_are_a_fault_and_no_crash(load: Load, content: bytes) -> None:
    assert _faults(load, content)


def test_an_anchor_that_holds_itself_is_a_fault_and_no_endless_walk(load: Load) -> None:
    assert _faults(load, "watch: &w\n  mode: *w\n")


def test_a_file_without_bound_is_refused(load: Load) -> None:
    (fault,) = _faults(load, b"#" * (MAX_FILE_BYTES + 1))
    assert "larger than" in fault.message


def test_a_directory_and_a_fifo_are_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*: Is a directory"):
        load_settings(str(tmp_path), required=True, environ={})
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ConfigError, match=r"cannot read .*: not a regular file"):
        load_settings(str(tmp_path / "pipe"), required=True, environ={})


def test_the_environment_stands_above_the_file(load: Load, tmp_path: Path) -> None:
    loaded = load("ledger: {path: /in/file.db}\n", SYNCD_LEDGER="/in/env.db")
    assert loaded.settings.ledger.path == "/in/env.db"
    assert loaded.origins["ledger.path"] == "environment"
    assert load("ledger: {path: /in/file.db}\n", SYNCD_LEDGER="").settings.ledger.path == ("/in/file.db")


def test_a_fault_of_the_file_is_told_even_where_the_environment_decides(load: Load) -> None:
    (fault,) = _faults(load, "ledger: {path: 5}\n", SYNCD_LEDGER="/in/env.db")
    assert fault.path == "ledger.path"
    (fault,) = _faults(load, "", SYNCD_LEDGER="~no-such-user/x")
    assert fault.path == "$SYNCD_LEDGER"


def test_relative_paths_count_from_the_folder_of_the_file(
    load: Load, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    loaded = load("ledger: {path: my.db}\nopenclaw: {state_dirs: [./a, ~/b, /c]}\n")
    assert loaded.settings.ledger.path == str(tmp_path / "my.db")
    assert loaded.settings.openclaw.state_dirs == (str(tmp_path / "a"), str(home / "b"), "/c")
    by_hand = load("", SYNCD_LEDGER="here.db").settings.ledger.path
    assert by_hand == str(tmp_path / "elsewhere" / "here.db")


def test_lists_that_would_mirror_nothing_are_faults(load: Load) -> None:
    for agents, item in (("main", ""), ("[]", ""), ("[1]", "[0]"), ('[""]', "[0]")):
        faults = _faults(load, f"openclaw:\n  state_dirs: []\n  agents: {agents}\n")
        assert [fault.path for fault in faults] == ["openclaw.state_dirs", f"openclaw.agents{item}"]


def test_the_file_of_another_program_does_not_fill_the_screen(load: Load) -> None:
    faults = _faults(load, "".join(f"key{number}: 1\n" for number in range(9000)))
    assert len(faults) == 21
    assert "and 8980 more unknown keys" in [fault.message for fault in faults]


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_a_document_or_a_list_of_problems(content: bytes) -> None:
    document = read_document(content)
    assert isinstance(document.data, dict)
    assert all(problem.message for problem in document.problems)


def test_every_bad_item_of_a_list_is_named_with_its_number_and_line(load: Load) -> None:
    faults = _faults(load, "openclaw:\n  agents: [1, main, '']\n  state_dirs:\n  - 5\n  - /good\n  - null\n")
    assert [(fault.path, fault.line) for fault in faults] == [
        ("openclaw.agents[0]", 2),
        ("openclaw.agents[2]", 2),
        ("openclaw.state_dirs[0]", 4),
        ("openclaw.state_dirs[2]", 6),
    ]
    assert [fault.message for fault in faults[2:]] == ["must be a path, not 5", "must be a path, not nothing"]


def test_a_long_list_of_nonsense_does_not_fill_the_screen(load: Load) -> None:
    faults = _faults(load, f"openclaw:\n  agents: {[1] * 500}\n")
    assert len(faults) == 21
    assert any("and 480 more" in fault.message for fault in faults)
