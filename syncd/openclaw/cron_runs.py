"""A line of a cron run log (`cron/runs/<jobId>.jsonl`, or a row of OpenClaw's), in the columns of `cron_runs`.

What is no record keeps its line and has no other columns: nothing is left out.
"""

from typing import NamedTuple

from syncd.openclaw.json_values import bindable_int, json_text, text_or_none
from syncd.openclaw.lines import Decoded, decode_line
from syncd.openclaw.timestamps import to_epoch_ms


class CronRun(NamedTuple):
    """Columns of `cron_runs` by their names there."""

    job_id: str
    at: int | None
    status: str | None
    session_id: str | None
    session_key: str | None
    duration_ms: int | None
    usage: str | None
    raw_json: str


def cron_run(line: bytes, job_id: str) -> CronRun:
    """`job_id`: the log's own, from its name, for a line that does not say."""
    decoded = decode_line(line)
    text = line_text(line)
    if not isinstance(decoded, Decoded):
        return CronRun(job_id, None, None, None, None, None, None, text)
    fields = decoded.value
    usage = fields.get("usage")
    return CronRun(
        job_id=text_or_none(fields.get("jobId")) or job_id,
        at=to_epoch_ms(fields.get("ts")),
        status=text_or_none(fields.get("status")),
        session_id=text_or_none(fields.get("sessionId")),
        session_key=text_or_none(fields.get("sessionKey")),
        duration_ms=bindable_int(fields.get("durationMs")),
        usage=json_text(usage) if type(usage) is dict else None,
        raw_json=text,
    )


def run_id_of(raw_json: str) -> str | None:
    """Of a run as `cron_runs` keeps it."""
    decoded = decode_line(raw_json.encode("utf-8", "surrogatepass"))
    return text_or_none(decoded.value.get("runId")) if isinstance(decoded, Decoded) else None


def line_text(line: bytes) -> str:
    """The line as text; bytes that are no UTF-8 are spelled out."""
    return line.decode("utf-8", "backslashreplace")
