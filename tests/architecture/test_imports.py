"""Who may import whom: DESIGN's one way, as a table, checked on the sources."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass

import pytest

from tests.architecture.tree import Import, Module, broken, dotted, imports, modules, under


@dataclass(frozen=True)
class Place:
    """What a package or module may know besides itself and the standard library.

    ``ours``: prefixes of our own modules; ``theirs``: libraries; ``types``: our modules that it
    may name in annotations only.
    """

    ours: tuple[str, ...] = ()
    theirs: tuple[str, ...] = ()
    types: tuple[str, ...] = ()


SAYS = ("core.errors", "core.language")
MODELS = ("core.errors", "core.models", "core.nn", "core.text")
# From the bottom up. The longest key that fits a module counts; a new package needs a line here.
PLACES = {
    "core.language": Place(),
    "core.errors": Place(("core.language",)),
    "core.device": Place(("core.errors",), ("torch",)),
    "core.seeds": Place(SAYS),
    # the layers, with the tap they call
    "core.tracing.tap": Place(SAYS, ("numpy", "torch")),
    "core.nn": Place((*SAYS, "core.tracing.tap"), ("torch",)),
    "core.models": Place((*SAYS, "core.nn", "core.tracing.tap"), ("torch",)),
    "core.text": Place(SAYS, ("numpy", "tokenizers")),
    # the border: a trace is numpy, and what makes it knows the models
    "core.tracing": Place(("core.models.topology",)),
    "core.tracing.sites": Place((*SAYS, "core.models.topology"), ("numpy",)),
    "core.tracing.source": Place((*SAYS, "core.tracing.sites"), ("numpy",)),
    "core.tracing.trace": Place(
        (*SAYS, "core.models.topology", "core.text", "core.tracing.sites"), ("numpy",)
    ),
    "core.tracing.run": Place(
        (*MODELS, "core.language", "core.tracing"), ("numpy", "torch"), types=("core.zoo",)
    ),
    # models at work
    "core.decoding": Place((*MODELS, "core.language", "core.seeds"), ("numpy", "torch")),
    "core.checkpoints": Place((*MODELS, "core.language"), ("numpy", "safetensors", "torch")),
    "core.checkpoints.huggingface": Place(
        (*MODELS, "core.language", "core.checkpoints"),
        ("huggingface_hub", "torch"),
    ),
    "core.zoo": Place(
        (*MODELS, "core.language", "core.checkpoints", "core.device", "core.tracing"),
        ("numpy", "torch"),
    ),
    "core.predict": Place(
        (*MODELS, "core.language", "core.decoding", "core.zoo"), ("numpy", "torch")
    ),
    "core.analysis": Place((*SAYS, "core.seeds", "core.text", "core.tracing.trace"), ("numpy",)),
    "core.training": Place(
        (*MODELS, "core.language", "core.analysis", "core.checkpoints", "core.decoding",
         "core.device", "core.predict", "core.seeds", "core.tracing", "core.zoo"),
        ("numpy", "torch"),
    ),
    # what views ask for, and what carries it out
    "core.memory": Place((), ("numpy",)),
    "core.requests": Place(
        (*SAYS, "core.decoding.sampling", "core.tracing.run"), ("numpy",)
    ),
    "core.gaps": Place(
        (*MODELS, "core.language", "core.analysis", "core.decoding", "core.requests",
         "core.seeds", "core.tracing", "core.training", "core.zoo"),
        ("numpy", "torch"),
    ),
    "core.runs": Place(
        (*MODELS, "core.language", "core.analysis", "core.decoding", "core.device", "core.gaps",
         "core.requests", "core.seeds", "core.tracing", "core.training", "core.zoo"),
        ("numpy", "torch"),
    ),
    "core.figures": Place(
        (*SAYS, "core.analysis", "core.decoding.sampling", "core.gaps", "core.models.topology",
         "core.requests", "core.runs", "core.text", "core.tracing", "core.training.gradients",
         "core.training.lookahead"),
        ("numpy", "plotly"),
    ),
    # the user interface
    "pages.parts": Place(
        (*SAYS, "core.device", "core.figures", "core.memory", "core.models.protocols",
         "core.requests", "core.runs", "core.text", "core.tracing.sites", "core.tracing.source",
         "core.zoo"),
        ("streamlit",),
    ),
    "pages.parts.runs": Place(  # the one place that says how many threads torch may take
        (*SAYS, "core.device", "core.figures.params", "core.models.protocols", "core.requests",
         "core.runs", "core.zoo"),
        ("streamlit", "torch"),
    ),
    "pages": Place(
        (*SAYS, "core.analysis", "core.device", "core.figures", "core.text", "core.zoo",
         "pages.parts"),
        ("streamlit",),
    ),
    "app": Place((*SAYS, "pages.parts"), ("starlette", "streamlit")),
}  # fmt: skip
OURS = ("app", "core", "pages", "tests")
# Modules of the standard library that talk to other machines (urllib.parse does not).
NETWORK = frozenset(
    {"ftplib", "http", "imaplib", "poplib", "smtplib", "socket", "socketserver", "ssl", "telnetlib",
     "urllib", "urllib.error", "urllib.request", "urllib.robotparser", "webbrowser", "xmlrpc"}
)  # fmt: skip
UNPICKLERS = frozenset({"_pickle", "marshal", "pickle", "shelve"})
MATHS = frozenset({"cmath", "decimal", "fractions", "math", "numpy", "statistics", "torch"})


def within(name: str, prefixes: tuple[str, ...]) -> bool:
    return any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes)


def place(name: str) -> tuple[str, Place] | None:
    """The line of the table that counts for a module."""
    keys = [key for key in PLACES if within(name, (key,))]
    key = max(keys, key=len, default=None)
    return None if key is None else (key, PLACES[key])


def named(one: Import) -> str:
    """The whole name: a module's, or that of what is taken from it."""
    return one.of if one.name is None else f"{one.of}.{one.name}"


# --- the rules: each gives what a module breaks --------------------------------------


def out_of_place(module: Module) -> list[str]:
    """Imports that the table does not allow."""
    if module.name in ("core", "pages"):
        return [named(one) for one in imports(module)]
    found = place(module.name)
    if found is None:
        return [f"{module.name} has no line in PLACES"]
    key, may = found
    wrong = []
    for one in imports(module):
        top = one.of.split(".")[0]
        if top in OURS:
            # Each page stands alone.
            own = () if key == "pages" else (key,)
            allowed = (*own, *may.ours, *(may.types if one.when == "typing" else ()))
            if not within(one.of, allowed):
                wrong.append(named(one))
        elif top not in sys.stdlib_module_names and top not in may.theirs:
            wrong.append(named(one))
    return wrong


def hidden(module: Module) -> list[str]:
    """Imports that this file could not judge: relative ones, and names made at run time."""
    called = {dotted(node) for node in ast.walk(module.tree) if isinstance(node, ast.Name)}
    return [
        named(one)
        for one in imports(module)
        if one.of.startswith(".") or one.of.split(".")[0] == "importlib" or one.name == "*"
    ] + ["__import__"] * ("__import__" in called)


def to_the_network(module: Module) -> list[str]:
    return [
        named(one) for one in imports(module) if one.of in NETWORK or named(one) in NETWORK
        or (one.of.split(".")[0] in NETWORK and not one.of.startswith("urllib"))
    ]  # fmt: skip


def unpickling(module: Module) -> list[str]:
    return [named(one) for one in imports(module) if one.of.split(".")[0] in UNPICKLERS]


def maths(module: Module) -> list[str]:
    return [named(one) for one in imports(module) if one.of.split(".")[0] in MATHS]


def more_than_records(module: Module) -> list[str]:
    """What a view takes from the torch side that is neither a class nor a constant."""
    return [
        named(one)
        for one in imports(module)
        if one.of.startswith("core.")
        and any(i.of.split(".")[0] == "torch" for i in imports(modules()[one.of]))
        and (one.name is None or not one.name[:1].isupper())
    ]


def other_architectures(module: Module) -> list[str]:
    """What a model's module imports of other models'."""
    common = (
        "core.models.limits", "core.models.protocols", "core.models.topology", module.name,
    )  # fmt: skip
    return [
        named(one)
        for one in imports(module)
        if within(one.of, ("core.models",)) and not within(one.of, common)
    ]


def reference(module: Module) -> list[str]:
    return [named(one) for one in imports(module) if one.of.split(".")[0] == "transformers"]


def circle(graph: dict[str, list[str]]) -> list[str]:
    """A way from a module back to itself, or nothing."""
    done: set[str] = set()

    def search(name: str, way: list[str]) -> list[str]:
        if name in way:
            return [*way[way.index(name) :], name]
        if name in done:
            return []
        for following in graph.get(name, ()):
            if found := search(following, [*way, name]):
                return found
        done.add(name)
        return []

    for name in graph:
        if found := search(name, []):
            return found
    return []


# --- the tree ------------------------------------------------------------------------

APP = under("app", "core", "pages")


def test_there_is_something_to_check():
    assert len(APP) > 60
    assert {"app", "core.nn.attention", "core.figures.view", "pages.parts.page"} <= set(modules())


def test_imports_go_one_way():
    assert broken(out_of_place, APP) == {}


@pytest.mark.parametrize("key", PLACES)
def test_the_table_names_only_what_is_there(key):
    """A line that no longer stands for anything would hide a mistake in a name."""
    may = PLACES[key]
    for prefix in (key, *may.ours, *may.types):
        assert prefix in modules(), prefix
    taken = {one.of.split(".")[0] for module in under(key) for one in imports(module)}
    assert set(may.theirs) - {"numpy"} <= taken


def test_no_module_reaches_itself():
    graph = {
        module.name: [
            one.of for one in imports(module) if one.when == "import" and one.of in modules()
        ]
        for module in APP
    }
    assert circle(graph) == []


def test_imports_can_be_read():
    """The registry of views imports each module of its own package, and nothing else, by name."""
    assert broken(hidden, APP) == {"core.figures.view": ["importlib"]}


def test_nothing_reaches_for_another_machine():
    """But Hugging Face's Hub (the table says where), when the learner asks for it."""
    assert broken(to_the_network, APP) == {}


def test_nothing_is_unpickled():
    assert broken(unpickling, APP) == {}


def test_pages_hold_no_maths():
    """One module of theirs sets the number of torch's threads."""
    assert broken(maths, under("pages")) == {"pages.parts.runs": ["torch"]}
    used = {dotted(node) for node in ast.walk(modules()["pages.parts.runs"].tree)}
    assert {name for name in used if name.startswith("torch.")} == {"torch.set_num_threads"}


def test_views_take_records_from_models_and_no_functions():
    assert broken(more_than_records, under("core.figures")) == {}


def test_no_model_knows_another():
    assert broken(other_architectures, under("core.models")) == {}


def test_the_reference_library_stays_with_the_comparisons():
    apart = ("tests.parity", "tests.benchmarks")
    tests = [module for module in under("tests") if not within(module.name, apart)]
    assert broken(reference, tests) == {}


# --- the rules themselves: each finds the mistake it is there for --------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("core.nn.attention", "import streamlit as st"),
        ("core.nn.attention", "from core.models.gpt import GPT"),
        ("core.nn.attention", "from core.text import bpe"),
        ("core.nn.attention", "import core.training.loop"),
        ("core.nn.attention", "from core.tracing.trace import Trace"),
        ("core.nn.attention", "def f():\n    from core import zoo"),
        ("core.nn.attention", "if TYPE_CHECKING:\n    from core.zoo import LoadedModel"),
        ("core.models.gpt", "from transformers import GPT2Model"),
        ("core.models.gpt", "from core.figures import view"),
        ("core.tracing.trace", "import torch"),
        ("core.tracing.run", "from core.zoo import LoadedModel"),
        ("core.checkpoints.native", "from huggingface_hub import snapshot_download"),
        ("core.analysis.heads", "from torch import Tensor"),
        ("core.analysis.heads", "from core.figures.text import number"),
        ("core.analysis.heads", "import plotly.graph_objects as go"),
        ("core.figures.map", "import torch.nn.functional as F"),
        ("core.figures.map", "from core.nn import masks"),
        ("core.figures.map", "from pages.parts import state"),
        ("core.runs", "from tests.conftest import TEXTS"),
        ("core.training.loop", "import app"),
        ("core", "import torch"),
        ("core.brand_new", ""),
        ("pages.text.positions", "import torch"),
        ("pages.text.positions", "from core.nn import positions"),
        ("pages.text.positions", "from pages import home"),
        ("pages.parts.state", "from pages import home"),
        ("pages.parts.state", "import plotly"),
        ("app", "import torch"),
    ],
)
def test_an_import_out_of_place_is_found(name, text):
    assert len(out_of_place(Module(name, text))) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("core.nn.attention", "import math\nfrom core.nn import masks\nfrom torch import nn"),
        ("core.tracing.run", "if TYPE_CHECKING:\n    from core.zoo import LoadedModel"),
        ("core.figures.map", "import plotly.graph_objects as go\nfrom core.runs import Run"),
        ("pages.text.positions", "import streamlit\nfrom pages.parts import state"),
    ],
)
def test_an_import_in_its_place_is_not(name, text):
    assert out_of_place(Module(name, text)) == []


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (hidden, "from . import masks"),
        (hidden, "from ..nn import masks"),
        (hidden, "import importlib"),
        (hidden, "from importlib import import_module"),
        (hidden, "from core.nn.masks import *"),
        (hidden, "torch = __import__('torch')"),
        (to_the_network, "import socket"),
        (to_the_network, "from http.client import HTTPConnection"),
        (to_the_network, "import urllib.request"),
        (to_the_network, "from urllib import request"),
        (to_the_network, "def f():\n    from urllib.request import urlopen"),
        (unpickling, "import pickle"),
        (unpickling, "from pickle import loads"),
        (reference, "from transformers import GPT2Config"),
        (maths, "import math"),
        (maths, "from numpy import exp"),
        (more_than_records, "from core.runs import best_of"),
        (more_than_records, "from core.decoding import sampling"),
        (other_architectures, "from core.models.bert import BERTConfig"),
    ],
)
def test_a_broken_rule_is_found(rule, text):
    assert len(rule(Module("core.models.gpt", text))) == 1


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (to_the_network, "from urllib.parse import urlencode\nimport asyncio"),
        (more_than_records, "from core.runs import Run\nfrom core.analysis.heads import entropy"),
        (other_architectures, "from core.models.topology import Topology"),
    ],
)
def test_a_rule_that_is_kept_is_not(rule, text):
    assert rule(Module("core.models.gpt", text)) == []


def test_a_circle_is_found():
    assert circle({"a": ["b"], "b": ["c", "d"], "c": [], "d": ["b"]}) == ["b", "d", "b"]
    assert circle({"a": ["b", "c"], "b": ["c"], "c": []}) == []
