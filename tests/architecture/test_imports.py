"""What an import brings in. Who may import whom stands in .importlinter."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from tests.architecture.tree import ROOT, Module, broken, under

# What requirements.txt brings; sacrebleu measures what is shipped.
LIBRARIES = frozenset(
    {"PIL", "aiohttp", "babel", "cachetools", "click", "huggingface_hub", "latex2mathml",
     "markdown_it", "numpy", "pandas", "plotly", "pydantic", "sacrebleu", "safetensors",
     "starlette", "streamlit", "threadpoolctl", "tokenizers", "torch", "uvicorn", "yaml", "yarl"}
)  # fmt: skip


def of_others(module: Module) -> list[str]:
    """The libraries that a module imports and that the app does not come with."""
    names = [
        one.name for node in module.nodes if isinstance(node, ast.Import) for one in node.names
    ]
    names += [node.module for node in module.nodes if isinstance(node, ast.ImportFrom)]
    tops = {name.split(".")[0] for name in names}
    return sorted(tops - LIBRARIES - sys.stdlib_module_names - {"app", "core", "pages"})


def test_the_app_needs_what_is_installed_with_it():
    assert broken(of_others, under("app", "core", "pages")) == {}


@pytest.mark.parametrize(
    ("code", "banned"),
    [
        (
            "import core.analysis.costs, core.data.senses, core.faults.table, core.tracing.trace; "
            "import core.figures.components, core.text.families",
            ("torch", "streamlit", "safetensors", "huggingface_hub"),
        ),
        ("import app; from core import zoo; zoo.load('bert')", ("core.training", "torch._dynamo")),
    ],
    ids=["what is read and drawn", "the app"],
)
def test_a_fresh_interpreter_does_without(code, banned):
    """.importlinter does not see what libraries import, nor the packages above a module."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert [name for name in done.stdout.split() if name.startswith(banned)] == []
