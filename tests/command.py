"""The command line in this process: as quick as a function call, and seen by coverage."""

import contextlib
import io
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch


@dataclass(frozen=True)
class Result:
    exit_code: int
    stdout_bytes: bytes
    stderr: str

    @property
    def stdout(self) -> str:
        return self.stdout_bytes.decode()

    @property
    def json(self) -> Any:
        """stdout as the one document it must be."""
        return json.loads(self.stdout_bytes)


def called(args: tuple[str | Path, ...], environ: Mapping[str, str], stdin: bytes = b"") -> Result:
    """main() with this and no other environment."""
    from syncd.cli.main import main

    out, err = io.BytesIO(), io.BytesIO()
    stdout, stderr = (io.TextIOWrapper(each, "utf-8", write_through=True) for each in (out, err))
    with (
        contextlib.redirect_stdout(stdout),
        contextlib.redirect_stderr(stderr),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8")),
        patch.dict(os.environ, environ, clear=True),
    ):
        code = main([str(arg) for arg in args])
    return Result(code, out.getvalue(), err.getvalue().decode())
