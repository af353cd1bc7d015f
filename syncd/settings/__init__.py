"""The typed settings, their loading (all faults at once) and the rendering of config.yaml."""

from syncd.settings.cron import Cron
from syncd.settings.kinds import Duration, Schedule
from syncd.settings.load import Loaded, Origin, load_settings
from syncd.settings.schema import Settings

__all__ = ["Cron", "Duration", "Loaded", "Origin", "Schedule", "Settings", "load_settings"]
