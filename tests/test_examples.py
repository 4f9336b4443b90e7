"""The examples of README, CONTRIBUTING and docs: they run and keep the contracts."""

from __future__ import annotations

import dataclasses
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
import pytest
import yaml
from pydantic import TypeAdapter
from streamlit.testing.v1 import AppTest

from core import experiments
from core.answers import names
from core.errors import AbilityError
from core.experiments import Experiment
from core.figures.payload import unpack
from core.models.needs import Needs
from core.runs.store import Runs
from core.show import show
from core.training.sources import CorpusFile
from core.views import view as registry
from pages.parts import page
from pages.parts.table import PageRow
from tests.app.answered import APP, words
from tests.app.asked import received
from tests.app.test_pages import headers
from tests.architecture.test_docs import DOCUMENTS, fences
from tests.architecture.test_locale import lost, unmarked
from tests.architecture.tree import ROOT, Module, texts
from tests.views import test_views as contract
from tests.views.records import machines_of, record_of

T = TypeVar("T")
README, CONTRIBUTING, VIEWS, TRAINING = (
    texts()[name] for name in ("README.md", "CONTRIBUTING.md", "docs/views.md", "docs/training.md")
)
VIEW, TEST, PAGE = (
    "core/views/predict/entropy.py", "tests/views/predict/test_entropy.py",
    "pages/predictions/choice.py",
)  # fmt: skip


def blocks(text: str) -> list[str]:
    """The Python of a document."""
    return [code for language, code in fences(text) if language == "python"]


def table(text: str, row: type[T]) -> T:
    """The one row of a table that a document shows."""
    (code,) = [code for language, code in fences(text) if language == "yaml"]
    (found,) = TypeAdapter(tuple[row, ...]).validate_python(yaml.safe_load(code))
    return found


def whole_files() -> dict[str, str]:
    """The examples that are a file: their first line names it, what follows is its text."""
    found = {}
    for code in (*blocks(CONTRIBUTING), *blocks(VIEWS)):
        first, _, rest = code.partition("\n")
        if first.startswith("# ") and first.endswith(".py") and " in " not in first:
            found[first.removeprefix("# ")] = rest
    return found


def module(path: str, directory: Path, patch: pytest.MonkeyPatch) -> ModuleType:
    """An example, imported as if it stood in the tree."""
    file = directory / Path(path).name
    file.write_text(whole_files()[path], encoding="utf-8")
    name = path.removesuffix(".py").replace("/", ".")
    spec = importlib.util.spec_from_file_location(name, file)
    made = importlib.util.module_from_spec(spec)
    patch.setitem(sys.modules, name, made)
    spec.loader.exec_module(made)
    return made


@pytest.fixture
def example(tmp_path: Path, monkeypatch) -> Iterator[Any]:
    """The view of CONTRIBUTING, registered for a test."""
    monkeypatch.setattr(registry, "_VIEWS", registry.all_views())
    made = module(VIEW, tmp_path, monkeypatch)
    for cached in (names._declared, names.selectable):
        cached.cache_clear()
    yield registry.get(made.PredictEntropyView.name)
    for cached in (names._declared, names.selectable):
        cached.cache_clear()


@pytest.fixture(scope="module")
def runs(gpt, bert) -> Runs:
    return Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])


def test_the_readmes_python_runs():
    """In order, as in a notebook."""
    known: dict[str, Any] = {}
    for code in blocks(README):
        exec(compile(code, "README.md", "exec"), known)
    np.testing.assert_array_equal(
        known["figure"].values["weights"].array,
        known["trace_run"](known["gpt"], "The cat sat on the mat")["blocks.2.attn.weights"][0],
    )


def test_there_is_an_example_of_each_kind():
    assert set(whole_files()) == {VIEW, TEST, PAGE}
    assert not any((ROOT / path).exists() for path in whole_files())
    assert len(blocks(CONTRIBUTING)) == 2
    for document in DOCUMENTS:
        for code in blocks(texts()[document]):
            compile(code, document, "exec")


@pytest.mark.parametrize("path", [VIEW, TEST, PAGE])
def test_an_example_is_written_as_the_linter_asks(path):
    for command in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--stdin-filename", path, "-"],
            input=whole_files()[path], capture_output=True, text=True, cwd=ROOT, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
    name = path.removesuffix(".py").replace("/", ".")
    assert lost(Module(name, whole_files()[path])) == []
    assert unmarked(Module(name, whole_files()[path])) == []


@pytest.mark.parametrize("text", contract.TEXTS.values(), ids=contract.TEXTS.keys())
def test_the_view_keeps_the_contract(example, text, runs):
    for model in machines_of(example):
        contract.test_every_view_takes_any_text(example, model, text, runs)


@pytest.mark.parametrize("end", ["low", "high"])
def test_the_view_takes_the_ends_of_its_ranges(example, end, runs):
    for model in machines_of(example):
        contract.test_every_view_takes_the_ends_of_its_ranges(
            example, model, contract.TEXTS["plain"], end, runs
        )


def test_the_views_test_passes(example, runs, gpt, tmp_path, monkeypatch):
    made = module(TEST, tmp_path, monkeypatch)
    tests = [test for name, test in vars(made).items() if name.startswith("test_")]
    assert len(tests) == 1
    for test in tests:
        test(runs, gpt)


def test_a_model_that_cannot_is_refused(example, runs):
    with pytest.raises(AbilityError):
        record_of(example, runs, model="bert")


def test_the_view_is_shown_from_python(example):
    figure = show("predict.entropy", text="Once upon a time")
    assert figure.params.model == "gpt"
    assert len(figure.values["entropy"].array) > 3
    assert "The model has the most choice after" in str(figure)


@pytest.fixture
def choice(example) -> Experiment:
    """The experiment of CONTRIBUTING."""
    return table(CONTRIBUTING, Experiment)


def test_the_experiment_moves_its_number(choice):
    assert choice.outcome(Runs().get).kept


def row_of_the_example() -> PageRow:
    """The row of docs/views.md."""
    return table(VIEWS, PageRow)


def test_the_page_opens(example, choice, tmp_path, monkeypatch):
    row = dataclasses.replace(row_of_the_example(), address="")
    monkeypatch.setattr(experiments, "EVERY", (choice,))
    monkeypatch.setattr(page, "row_at", lambda _address: row)
    file = tmp_path / "choice.py"
    opens = 'from pages.parts import state\nstate.open_at("", {})\n'
    file.write_text(opens + whole_files()[PAGE], encoding="utf-8")
    app = AppTest.from_file(str(file), default_timeout=60).run()
    assert not app.exception, [one.value for one in app.exception]
    assert not app.error
    assert "How sure is the model" in " ".join(one.proto.body for one in app.get("html"))
    asked = next(one for one in headers(app, "figure") if one["drawn"])
    assert asked["view"] == "predict.entropy"
    _status, content, _headers = received(APP, "/figure/predict.entropy.bin", {"_language": "en"})
    said = unpack(content).header["answer"]
    assert "The model has the most choice after" in words(said["reading"])


def test_the_pages_row_is_one():
    row = row_of_the_example()
    assert f"pages/{row.file}" == PAGE
    assert row.needs == Needs("next_token")


def test_the_corpus_is_one():
    (code,) = [code for code in blocks(TRAINING) if " = CorpusFile(" in code]
    known: dict[str, Any] = {}
    exec(compile(code, "docs/training.md", "exec"), known)
    assert isinstance(known["STORYBOOKS"], CorpusFile)
