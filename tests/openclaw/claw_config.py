"""The configuration under which genuine OpenClaw works here: a model on loopback, no network, nothing by itself."""

import json
import os
from pathlib import Path
from typing import Any

from tests.openclaw.releases import Release

GATEWAY_TOKEN = "of-this-test-alone"
_QUIET = ("NO_RESPAWN", "NO_AUTO_UPDATE", "SKIP_CHANNELS", "OFFLINE")
_QUIET_GATEWAY = (
    "SKIP_PROVIDERS",
    "SKIP_CRON",
    "SKIP_GMAIL_WATCHER",
    "SKIP_CANVAS_HOST",
    "SKIP_BROWSER_CONTROL_SERVER",
    "SKIP_ACPX_RUNTIME",
    "SKIP_STARTUP_MODEL_PREWARM",
    "DISABLE_BONJOUR",
)


def write_config(state_dir: Path, model_url: str, context_tokens: int) -> None:
    """For turns without a gateway."""
    workspace = state_dir.parent / "workspace"
    workspace.mkdir(exist_ok=True)
    _write(state_dir, _config(model_url, context_tokens, workspace))


def write_gateway_config(
    release: Release, state_dir: Path, model_url: str, context_tokens: int, *, port: int, agents: tuple[str, ...]
) -> None:
    workspace = state_dir.parent / "workspace"
    workspace.mkdir(exist_ok=True)
    config = _config(model_url, context_tokens, workspace)
    config["agents"]["list"] = [{"id": agent, "default": agent == agents[0]} for agent in agents]
    config["agents"]["defaults"] |= {"heartbeat": {"every": "0m"}, "compaction": {"mode": "default"}}
    config |= {
        "update": {"checkOnStart": False},
        "gateway": {
            "mode": "local",
            "bind": "loopback",
            "port": port,
            "auth": {"mode": "token", "token": GATEWAY_TOKEN},
        },
        "discovery": {"mdns": {"mode": "off"}},
    }
    if release.has_store:
        config["models"]["catalogRefresh"] = {
            "enabled": False
        }  # else a gateway asks the network; older ones refuse the key
    _write(state_dir, config)


def environ_of(release: Release, state_dir: Path) -> dict[str, str]:
    return {
        "PATH": f"{os.path.dirname(release.node)}:/usr/bin:/bin",
        "HOME": str(state_dir.parent),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "OPENCLAW_STATE_DIR": str(state_dir),
        "OPENCLAW_HANDSHAKE_TIMEOUT_MS": "60000",
        **{f"OPENCLAW_{name}": "1" for name in (*_QUIET, *_QUIET_GATEWAY)},
    }


def _config(model_url: str, context_tokens: int, workspace: Path) -> dict[str, Any]:
    model = {
        "id": "stub-1",
        "name": "Stub",
        "reasoning": True,
        "input": ["text"],
        "contextWindow": context_tokens,
        "maxTokens": 4096,
        "cost": {"input": 1, "output": 2, "cacheRead": 0, "cacheWrite": 0},
    }
    provider = {"baseUrl": model_url, "apiKey": "x", "api": "openai-completions", "models": [model]}
    defaults = {"model": {"primary": "stub/stub-1"}, "workspace": str(workspace), "skipBootstrap": True}
    return {
        "models": {"mode": "replace", "providers": {"stub": provider}},
        "agents": {"defaults": defaults},
        "plugins": {"enabled": False},
    }


def _write(state_dir: Path, config: dict[str, Any]) -> None:
    (state_dir / "openclaw.json").write_text(json.dumps(config))
