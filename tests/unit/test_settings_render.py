from pathlib import Path

import yaml

from syncd.settings import Settings, load_settings
from syncd.settings.render import annotated_config
from syncd.settings.schema import sections

SAMPLE = Path(__file__).resolve().parents[2] / "config.yaml"


def test_the_sample_at_the_top_is_what_the_schema_renders() -> None:
    assert SAMPLE.read_text() == annotated_config()


def test_the_sample_is_valid_and_holds_the_defaults() -> None:
    loaded = load_settings(str(SAMPLE), required=True, environ={})
    assert loaded.settings == Settings()
    assert set(loaded.origins.values()) == {"file"}


def test_the_sample_names_every_key_in_the_order_of_the_schema() -> None:
    sample = yaml.safe_load(annotated_config())
    assert [(name, list(keys)) for name, keys in sample.items()] == [
        (section.name, [key.name for key in section.keys]) for section in sections()
    ]


def test_the_public_defaults_stay_what_they_are() -> None:
    assert yaml.safe_load(annotated_config()) == {
        "openclaw": {"state_dirs": "auto", "agents": ["*"]},
        "ledger": {"path": "auto"},
        "watch": {
            "mode": "auto",
            "rescan_seconds": 60,
            "settle_seconds": 1.0,
            "confirm_removal_seconds": 60,
            "idle_seconds": 86400,
        },
        "limits": {"max_line_bytes": 16777216},
        "jobs": {
            "repair": "15m",
            "scrub": "24h",
            "retention": "24h",
            "backup": "24h",
            "optimize": "7d",
        },
        "retention": {
            "removed_sessions": "keep",
            "cron_runs": "keep",
            "superseded": "keep",
            "tool_results": "keep",
            "trajectories": "keep",
            "session_versions": "keep",
            "max_ledger_bytes": "none",
        },
        "health": {"log_path": "auto", "interval_seconds": 60, "prometheus_path": "none"},
    }
