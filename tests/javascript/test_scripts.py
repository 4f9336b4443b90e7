"""The tests that are written in JavaScript, each file in a Node of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.javascript.conftest import HERE, run

FILES = sorted(HERE.glob("*.test.js"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".test.js"))
def test_what_it_says_holds(file: Path):
    done = run("--test-reporter=spec", str(file))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ℹ tests 0" not in done.stdout
    assert "ℹ skipped 0" in done.stdout
    assert "ℹ todo 0" in done.stdout
