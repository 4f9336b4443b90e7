"""Who may import whom: DESIGN's one way, as a table, checked on the sources."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import dataclass
from functools import cache

import pytest

from tests.architecture.tree import ROOT, Import, Module, broken, dotted, imports, modules, under


@dataclass(frozen=True)
class Place:
    """What a package or module may know besides itself and the standard library.

    ``ours``: prefixes of our own modules; ``theirs``: libraries; ``types``: our modules that it
    may name in annotations only.
    """

    ours: tuple[str, ...] = ()
    theirs: tuple[str, ...] = ()
    types: tuple[str, ...] = ()


SAYS = ("core.errors", "core.language", "core.locale")
PLAIN = (
    "core.models.abilities",
    "core.shaped.shapes",
    "core.models.blueprint",
    "core.models.named",
    "core.models.needs",
    "core.models.parts",
    "core.models.picture_parts",
    "core.models.places",
    "core.models.roles",
    "core.models.what_if",
)
TEXT = ("core.text", "core.units", "core.spelling")
SITES = (
    "core.tracing.edits",
    "core.tracing.sites",
    "core.tracing.source",
    "core.tracing.tap",
    "core.tracing.trace",
)
MODELS = (
    *SAYS,
    "core.encoders",
    "core.seeds",
    "core.inputs",
    "core.models",
    "core.nn",
    "core.reading",
    *TEXT,
)
WORK = ("core.checkpoints", "core.decoding", "core.device", "core.tracing", "core.zoo")
RUNS = (
    "core.runs.costed",
    "core.runs.drawn",
    "core.runs.faulty",
    "core.runs.filmed",
    "core.runs.guesses",
    "core.runs.lines",
    "core.runs.mask_spec",
    "core.runs.mended",
    "core.runs.objectives",
    "core.runs.pictured",
    "core.runs.probes",
    "core.runs.refs",
    "core.runs.requests",
    "core.runs.results",
    "core.runs.searched",
    "core.runs.told",
    "core.runs.translations",
    "core.runs.typed",
)
# What an address says and which model of the shelf can show it.
STATE = (
    "core.answers", "core.cards", "core.link", "core.machines", "core.names",
    "core.runs.watching", "core.shelf", "core.titles", "core.typed",
    "core.yaml_files",
)  # fmt: skip
# From the bottom up. The longest key that fits a module counts; a new package needs a line here.
PLACES = {
    "core.language": Place((), ("babel",)),
    "core.catalogues": Place(("core.language", "core.yaml_files"), ("babel",)),
    "core.locale": Place(("core.language",), ("babel",)),
    "core.errors": Place(("core.language", "core.locale")),
    "core.device": Place(("core.errors",), ("torch",)),
    "core.seeds": Place(SAYS),
    "core.schedules": Place(SAYS),
    "core.sizes": Place(),
    "core.introductions": Place(("core.language",)),
    "core.inputs": Place((*SAYS, "core.seeds", "core.spelling")),
    "core.examples": Place(),
    "core.first_phrases": Place(("core.spelling",)),
    "core.samples": Place((*SAYS, "core.inputs")),
    "core.senses": Place(),
    "core.measured": Place(SAYS),
    "core.labelled_lines": Place(SAYS),
    "core.linear_head": Place((), ("torch",)),
    "core.preferences": Place(("core.language",)),
    "core.recorded": Place(),
    "core.spelling": Place(),
    "core.yaml_files": Place((), ("pydantic", "yaml")),
    "core.units": Place((*SAYS, "core.spelling")),
    "core.text": Place((*SAYS, "core.sizes", "core.units"), ("numpy", "tokenizers")),
    "core.encoders": Place((*SAYS, "core.inputs", "core.text", "core.units"), ("numpy",)),
    # what a layer says of itself, and the tap it calls; a trace is imported when it is asked for
    "core.tracing": Place(),
    "core.tracing.edits": Place(),
    "core.tracing.sites": Place(SAYS),
    "core.tracing.source": Place(("core.tracing.sites",)),
    "core.tracing.tap": Place(SAYS, ("torch",)),
    "core.nn": Place((*SAYS, "core.tracing.sites", "core.tracing.tap"), ("torch",)),
    # what a model says of itself, as plain data
    "core.models.abilities": Place((*SAYS, "core.examples", "core.inputs")),
    "core.shaped": Place(
        (*SAYS, "core.models.limits", "core.nn", "core.tracing.sites", "core.tracing.tap"),
        ("torch",),
    ),
    "core.shaped.shapes": Place(),
    "core.models.parts": Place(("core.models.abilities",)),
    "core.models.picture_parts": Place(),
    "core.models.places": Place(("core.models.blueprint",)),
    "core.models.what_if": Place(
        ("core.models.blueprint", "core.models.places", "core.tracing.edits")
    ),
    "core.models.roles": Place(
        (*SAYS, "core.models.abilities"), types=("core.models.blueprint",)
    ),
    "core.models.blueprint": Place((*SAYS, *PLAIN, "core.tracing.sites")),
    "core.models.named": Place(SAYS),
    "core.models.needs": Place(
        (*SAYS, "core.inputs", "core.models.abilities", "core.models.blueprint",
         "core.models.roles")
    ),
    # the border: a trace is numpy
    "core.tracing.derived": Place((), ("numpy",), types=("core.tracing.trace",)),
    "core.tracing.trace": Place(
        (*SAYS, *PLAIN, *TEXT, "core.tracing.derived", "core.tracing.sites",
         "core.tracing.source"),
        ("numpy",),
    ),
    "core.reading": Place(
        (*SAYS, "core.encoders", "core.inputs", "core.models.blueprint", *TEXT,
         "core.tracing.trace"),
        ("numpy", "torch"),
    ),
    # the machines
    "core.models": Place(
        (*SAYS, "core.encoders", "core.inputs", "core.nn", "core.reading", *TEXT,
         "core.tracing.sites", "core.tracing.tap", "core.tracing.trace",
         "core.decoding.greedy", "core.decoding.one_row"),
        ("numpy", "torch"),
        types=("core.decoding.decoder",),
    ),
    "core.decoding.greedy": Place((), ("torch",), types=("core.decoding.decoder",)),
    "core.tracing.editing": Place(
        (*SAYS, "core.tracing.edits", "core.tracing.sites"), ("torch",)
    ),
    "core.tracing.recording": Place(
        (*SAYS, "core.tracing"), ("numpy", "torch"), types=("core.models", "core.zoo")
    ),
    "core.tracing.writing": Place(
        ("core.decoding.greedy", "core.inputs", "core.models", "core.tracing"), ("torch",),
        types=("core.zoo",),
    ),
    "core.tracing.run": Place(
        (*SAYS, "core.inputs", "core.tracing"), ("numpy", "torch"),
        types=("core.models", "core.zoo"),
    ),
    # models at work
    "core.decoding": Place((*MODELS, "core.tracing.tap"), ("torch",)),
    "core.decoding.settings": Place(),
    "core.checkpoints": Place(
        (*MODELS, "core.decoding.one_row", "core.tracing.trace"), ("safetensors", "torch")
    ),
    "core.checkpoints.hugging_face": Place((*MODELS, "core.checkpoints"), ("torch",)),
    "core.checkpoints.hugging_face.hub": Place((*SAYS, "core.checkpoints"), ("huggingface_hub",)),
    "core.zoo": Place(
        (*MODELS, "core.checkpoints", "core.device", "core.tracing.sites", "core.tracing.trace"),
        ("torch",),
    ),
    # what can be broken in a model, as functions of what passes its sites
    "core.faults": Place(("core.language", "core.models.blueprint"), ("numpy",)),
    # a recorded training: its index without torch, its frames as models
    "core.film": Place((*SAYS, "core.checkpoints.files")),
    "core.film.models": Place(
        (*SAYS, "core.checkpoints", "core.device", "core.film.index", "core.zoo")
    ),
    # a generator of pictures: what is known of it without torch, its network, and how it draws
    "core.digits": Place((*SAYS, "core.checkpoints.files", "core.film.index")),
    "core.digits.network": Place(
        ("core.models.limits", "core.nn.attention", "core.nn.norms", "core.tracing.tap"),
        ("torch",),
    ),
    "core.digits.reading": Place(("core.units", "core.zoo"), ("torch",)),
    "core.digits.drawing": Place(
        ("core.digits.network", "core.digits.reading", "core.seeds", "core.tracing.tap"),
        ("torch",),
    ),
    "core.digits.models": Place(
        ("core.checkpoints", "core.digits.index", "core.digits.network"), ("torch",)
    ),
    "core.predict": Place(
        (*MODELS, "core.decoding", "core.tracing.tap", "core.zoo"), ("numpy", "torch")
    ),
    "core.analysis": Place(
        (*SAYS, "core.models.blueprint", "core.seeds", *TEXT, "core.tracing.trace"),
        ("numpy",),
    ),
    "core.live_training": Place(
        (*MODELS, "core.decoding.at_once", "core.labelled_lines", "core.linear_head",
         "core.preferences", "core.schedules", "core.shaped", "core.tracing.tap"),
        ("numpy", "torch"), types=("core.zoo",)
    ),
    "core.live_training.exercises": Place(SAYS, ("torch",)),
    "core.live_training.liked": Place(("core.sizes", "core.units"), ("numpy",)),
    "core.live_training.optimised": Place(("core.sizes",), ("numpy",)),
    "core.live_training.practised": Place(("core.sizes",), ("numpy",)),
    "core.live_training.records": Place(("core.sizes",), ("numpy",)),
    "core.training": Place(
        (*MODELS, *WORK, "core.analysis", "core.digits", "core.examples", "core.film",
         "core.linear_head", "core.live_training",
         "core.measured", "core.predict", "core.recorded", "core.samples", "core.schedules",
         "core.senses", "core.studies.curves", "core.studies.digits", "core.studies.film",
         "core.studies.lengths"),
        ("numpy", "PIL", "sacrebleu", "torch"),
    ),
    "core.studies": Place(
        (*MODELS, *WORK, "core.analysis", "core.digits", "core.examples", "core.film",
         "core.live_training",
         "core.measured", "core.recorded", "core.samples", "core.schedules", "core.shaped",
         "core.training"),
        ("numpy", "safetensors", "torch"),
    ),
    # what views ask for, what comes back, and what carries it out
    "core.runs": Place(),
    "core.runs.mask_spec": Place(SAYS, ("numpy",)),
    "core.runs.requests": Place(
        ("core.decoding.settings", "core.inputs", "core.language", "core.runs.mask_spec",
         "core.runs.refs", "core.text.noise", "core.tracing.edits")
    ),
    "core.runs.refs": Place(),
    "core.runs.told": Place((*SAYS, "core.sizes")),
    "core.runs.results": Place(
        ("core.analysis", "core.encoders", "core.sizes", *TEXT, "core.tracing.sites",
         "core.tracing.trace"), ("numpy",)
    ),
    "core.runs.costed": Place(("core.analysis.costs", "core.sizes", *TEXT)),
    "core.runs.drawn": Place(("core.sizes",)),
    "core.runs.faulty": Place(("core.runs.results", "core.sizes", "core.tracing.trace")),
    "core.runs.filmed": Place(("core.sizes", *TEXT), ("numpy",)),
    "core.runs.guesses": Place(("core.sizes", *TEXT), ("numpy",)),
    "core.runs.lines": Place(
        ("core.inputs", "core.runs.requests", "core.sizes", "core.units"), ("numpy",)
    ),
    "core.runs.mended": Place(("core.sizes", *TEXT), ("numpy",)),
    "core.runs.objectives": Place(("core.runs.requests", "core.sizes", *TEXT), ("numpy",)),
    "core.runs.pictured": Place(("core.sizes", "core.units"), ("numpy",)),
    "core.runs.probes": Place(("core.runs.requests", "core.sizes")),
    "core.runs.searched": Place(("core.sizes", *TEXT), ("numpy",)),
    "core.runs.typed": Place(("core.sizes",)),
    "core.runs.translations": Place(("core.inputs", "core.runs.requests")),
    "core.runs.answering": Place(
        ("core.runs.answers", "core.runs.refs", "core.runs.requests", "core.runs.told"),
        types=("core.zoo",),
    ),
    "core.runs.answers": Place(
        (*MODELS, *WORK, "core.analysis.aligned", "core.analysis.contexts",
         "core.analysis.costs",
         "core.analysis.distributions", "core.analysis.positions", "core.digits", "core.faults",
         "core.film", "core.first_phrases", "core.labelled_lines", "core.live_training",
         "core.predict", "core.runs", "core.senses"),
        ("numpy", "torch"),
    ),
    "core.runs.once": Place((), ("cachetools",)),
    "core.runs.line": Place((), ("cachetools",)),
    "core.runs.models": Place(
        ("core.device", "core.errors", "core.runs.once", "core.runs.refs", "core.zoo")
    ),
    "core.runs.store": Place(
        ("core.errors", "core.runs.answering", "core.runs.beside", "core.runs.jobs",
         "core.runs.line", "core.runs.models", "core.runs.once", "core.runs.refs",
         "core.runs.requests", "core.runs.told", "core.sizes", "core.zoo")
    ),
    "core.runs.places": Place(("core.runs.line",), ("cachetools",)),
    "core.runs.watching": Place((*SAYS, "core.runs.requests", "core.runs.store", "core.runs.told")),
    "core.runs.ahead": Place(
        ("core.errors", "core.runs.line", "core.runs.requests", "core.runs.store")
    ),
    "core.runs.processes": Place((), ("threadpoolctl", "torch")),
    "core.runs.beside": Place(
        ("core.device", "core.runs.line", "core.runs.places", "core.runs.processes",
         "core.runs.requests", "core.runs.store", "core.zoo")
    ),
    "core.runs.worker": Place(
        (*SAYS, "core.runs.answering", "core.runs.processes", "core.runs.requests",
         "core.runs.store", "core.zoo")
    ),
    "core.runs.job": Place(
        ("core.runs.line", "core.runs.requests", "core.runs.told", "core.sizes")
    ),
    "core.runs.crew": Place(("core.runs.job", "core.runs.worker")),
    "core.runs.keeper": Place(
        ("core.runs.crew", "core.runs.job", "core.runs.line", "core.runs.requests",
         "core.runs.told", "core.runs.worker")
    ),
    "core.runs.jobs": Place(
        ("core.runs.job", "core.runs.keeper", "core.runs.line", "core.runs.requests",
         "core.runs.told", "core.runs.worker")
    ),
    # how things are shown, whatever they are
    "core.figures": Place(
        (*SAYS, "core.analysis.words", *TEXT, "core.tracing.source"), ("numpy", "plotly")
    ),
    # what is shown of a run
    "core.views": Place(
        (*SAYS, *PLAIN, *SITES, "core.analysis", "core.decoding.settings", "core.digits.index",
         "core.encoders", "core.examples", "core.faults", "core.figures", "core.film.index",
         "core.film.words", "core.inputs", "core.introductions", "core.labelled_lines",
         "core.live_training.liked",
         "core.live_training.optimised", "core.live_training.practised",
         "core.live_training.records", "core.measured", "core.preferences",
         "core.recorded", "core.samples",
         "core.schedules", "core.senses", *RUNS, *TEXT),
        ("numpy",),
    ),
    "core.glossary": Place(("core.language", "core.yaml_files")),
    "core.experiments": Place(
        (*SAYS, "core.figures.text", "core.figures.values", "core.runs.requests",
         "core.views", "core.yaml_files"),
        ("numpy", "pydantic"),
    ),
    "core.experiments.__main__": Place(
        (*SAYS, "core.experiments", "core.runs.store", "core.zoo"),
    ),
    "core.lessons": Place(
        (*SAYS, "core.analysis.distributions", "core.figures", "core.glossary", "core.inputs",
         "core.measured", "core.runs.requests", "core.runs.results", "core.spelling",
         "core.tracing.source", "core.tracing.trace", "core.views", "core.yaml_files", "core.zoo"),
        ("markdown_it", "numpy", "pydantic", "yaml"),
    ),
    "core.lessons.printed": Place(
        (*SAYS, "core.figures", "core.glossary", "core.lessons"),
        ("latex2mathml", "markdown_it"),
    ),
    "core.lessons.book": Place(
        (*SAYS, "core.figures", "core.glossary", "core.lessons"), ("babel", "numpy")
    ),
    "core.lessons.book.processes": Place(
        (*SAYS, "core.lessons", "core.runs.processes", "core.runs.store")
    ),
    "core.lessons.screen": Place(
        (*SAYS, "core.answers.app", "core.device", "core.figures", "core.glossary",
         "core.lessons", "core.link",
         "core.models.places", "core.names", "core.runs.line", "core.runs.requests",
         "core.runs.watching", "core.shelf", "core.sizes", "core.text.marks", "core.titles",
         "core.typed", "core.views", "core.zoo"),
        ("numpy",),
    ),
    "core.lessons.__main__": Place((*SAYS, "core.lessons", "core.runs.store")),
    "core.show": Place(
        (*SAYS, "core.figures", "core.models.abilities",
         "core.models.needs", "core.runs.requests", "core.runs.store", "core.shelf", "core.views",
         "core.zoo"),
        theirs=("pandas",),
    ),
    # what an address says, and what is said to who has written it
    "core.link": Place((*SAYS, "core.lessons", "core.names", "core.views.params")),
    "core.names": Place(
        (*SAYS, "core.examples", "core.experiments", "core.lessons.schema", "core.lessons.study",
         "core.views"),
    ),
    "core.shelf": Place(
        (*SAYS, "core.examples", "core.models.blueprint", "core.models.needs",
         "core.text.tongue", "core.views.weak", "core.zoo"),
    ),
    "core.cards": Place(SAYS),
    "core.machines": Place(
        (*SAYS, "core.models.blueprint", "core.models.picture_parts", "core.views.parts",
         "core.zoo"),
    ),
    "core.titles": Place((*SAYS, "core.figures.text", "core.glossary")),
    "core.typed": Place(
        (*SAYS, "core.analysis.aligned", "core.introductions", "core.models.needs",
         "core.figures", "core.runs.requests", "core.runs.store", "core.shelf", "core.spelling",
         "core.views.text.typed", "core.zoo"),
    ),
    "core.answers": Place(
        (*SAYS, "core.lessons", "core.link", "core.names", "core.show", "core.device",
         "core.examples", "core.experiments", "core.figures",
         "core.glossary", "core.models.abilities", "core.models.needs", "core.runs.requests",
         "core.runs.store", "core.runs.told", "core.runs.watching", "core.shelf", "core.sizes",
         "core.titles", "core.tracing.sites", "core.tracing.source", "core.typed", "core.views",
         "core.zoo"),
    ),
    "core.answers.app": Place((*SAYS, "core.runs.ahead", "core.runs.store", "core.views")),
    # the user interface
    "pages.parts": Place(
        (*SAYS, *STATE, "core.analysis.aligned", "core.device", "core.examples", "core.experiments",
         "core.figures", "core.glossary", "core.inputs", "core.introductions",
         "core.lessons", "core.models.abilities",
         "core.models.needs", "core.models.blueprint", "core.models.picture_parts",
         "core.models.places", "core.runs.line", "core.runs.places", "core.runs.requests",
         "core.runs.told",
         "core.show", "core.sizes", "core.spelling", "core.text.marks",
         "core.text.tongue", "core.tracing.sites", "core.tracing.source", "core.views", "core.zoo"),
        ("streamlit",),
    ),
    "pages.parts.prefix": Place((), ("starlette", "streamlit")),
    "pages.parts.table": Place(
        (*SAYS, *STATE, "core.examples", "core.models.abilities", "core.models.blueprint",
         "core.models.needs", "core.text.tongue", "core.views", "core.yaml_files", "core.zoo",
         "pages.parts.prefix", "pages.parts.runs"),
        ("pydantic",),
    ),
    "pages.parts.whose": Place(
        (*SAYS, *STATE, "core.experiments", "core.lessons", "core.models.needs", "core.views",
         "pages.parts"),
    ),
    "pages.parts.runs": Place(
        (*SAYS, *STATE, "core.device", "core.examples", "core.inputs", "core.models.abilities",
         "core.models.needs", "core.models.blueprint",
         "core.runs.ahead", "core.runs.beside", "core.runs.jobs", "core.runs.processes",
         "core.runs.requests", "core.runs.store",
         "core.views.params", "core.zoo",
         "pages.parts.state"),
    ),
    "pages": Place(
        (*SAYS, *STATE, "core.analysis", "core.device", "core.digits.index", "core.experiments",
         "core.film", "core.introductions", "core.models.abilities",
         "core.lessons.on_pages", "core.measured", "core.models.blueprint", "core.models.needs",
         "core.labelled_lines",
         "core.preferences", "core.recorded", "core.senses", *TEXT, "core.views", "core.zoo",
         "pages.parts", "pages.shell"),
        ("streamlit",),
    ),
    "pages.home": Place(
        (*SAYS, *STATE, "core.experiments", "core.text.marks", "core.views", "pages.parts",
         "core.lessons.screen.tour", "pages.shell"),
        ("streamlit",),
    ),
    "pages.frame": Place((*SAYS, *STATE, "pages.parts", "pages.shell"), ("streamlit",)),
    "pages.shell": Place(
        (*SAYS, *STATE, "core.experiments", "core.figures", "core.lessons.inline",
         "core.lessons.player",
         "core.lessons.study", "core.runs.requests", "core.views",
         "pages.parts"),
        ("streamlit",),
    ),
    "pages.server.answers": Place(
        (*SAYS, *STATE, "core.runs.line", "core.views.params", "core.zoo", "pages.parts",
         "pages.server"),
        ("starlette",),
    ),
    "pages.server.lessons": Place(
        (*SAYS, *STATE, "core.lessons", "core.runs.line", "pages.parts", "pages.server"),
        ("starlette",),
    ),
    "pages.server.modules": Place(("core.figures",), ("plotly", "starlette")),
    "pages.server": Place(
        (*SAYS, *STATE, "core.device", "core.figures", "core.lessons", "core.runs.line",
         "core.runs.requests", "core.runs.told", "core.show",
         "core.views", "pages.parts"),
        ("starlette", "streamlit"),
    ),
    "pages.server.apart": Place((*SAYS, *STATE, "core.runs.processes")),
    "pages.server.connections": Place((), ("streamlit", "uvicorn")),
    "pages.server.making": Place(
        (*SAYS, *STATE, "core.runs.line", "core.runs.processes", "core.runs.requests",
         "core.runs.told",
         "pages.parts", "pages.server"),
        ("starlette",),
    ),
    "pages.server.peers": Place(
        (*SAYS, *STATE, "core.runs.requests", "core.views", "pages.parts", "pages.server"),
        ("aiohttp", "starlette", "uvicorn", "yarl"),
    ),
    "pages.server.workers": Place(
        (*SAYS, *STATE, "app", "core.runs.processes", "pages.server.key", "pages.server.peers"),
        ("click", "streamlit", "uvicorn"),
    ),
    "app": Place(
        (*SAYS, *STATE, "core.runs.processes", "core.views", "pages.parts", "pages.server"),
        ("starlette", "streamlit"),
    ),
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
    called = {dotted(node) for node in module.nodes if isinstance(node, ast.Name)}
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


def torch_side(module: Module) -> list[str]:
    """What a module takes of modules of ours that cannot do without torch."""
    return [
        named(one)
        for one in imports(module)
        if one.when == "import" and one.of in modules() and "torch" in needed_by(one.of)
    ]


@cache
def needed_by(name: str) -> frozenset[str]:
    """The libraries that importing a module of ours brings in, from the sources."""
    found, seen, ahead = set(), set(), [name]
    while ahead:
        parts = ahead.pop().split(".")
        mine = [".".join(parts[: n + 1]) for n in range(len(parts))]  # a package comes first
        for one in mine:
            if one in seen or one not in modules():
                continue
            seen.add(one)
            for taken in (i for i in imports(modules()[one]) if i.when == "import"):
                if taken.of.split(".")[0] in OURS:
                    ahead.append(taken.of)
                else:
                    found.add(taken.of.split(".")[0])
    return frozenset(found)


def other_architectures(module: Module) -> list[str]:
    """What a model's module imports of other models'."""
    common = (
        "core.models.abilities", "core.shaped.shapes", "core.models.needs",
        "core.models.blueprint",
        "core.models.encoder_decoder", "core.models.limits", "core.models.named",
        "core.models.parts",
        "core.models.picture_parts", "core.models.places", "core.models.prepared",
        "core.models.roles", module.name,
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
    assert {"app", "core.nn.attention", "core.views.view", "pages.parts.page"} <= set(modules())


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
    """A registry imports each module of one package of ours, and nothing else, by name."""
    assert broken(hidden, APP) == {
        "core.views.view": ["importlib"], "core.runs.answering": ["importlib"],
        "core.training.recipes": ["importlib"],
    }  # fmt: skip


def test_nothing_reaches_for_another_machine():
    """But Hugging Face's Hub (the table says where), when the learner asks for it."""
    assert broken(to_the_network, APP) == {}


def test_nothing_is_unpickled():
    assert broken(unpickling, APP) == {}


def test_pages_hold_no_maths():
    assert broken(maths, under("pages")) == {}


def test_views_take_records_from_models_and_no_functions():
    assert broken(more_than_records, under("core.figures", "core.views")) == {}


# What is seen of a run, on this side of the border.
WITHOUT_TORCH = (
    "core.analysis", "core.decoding.settings", "core.digits.index", "core.digits.texts",
    "core.errors", "core.faults", "core.figures",
    "core.film.index",
    "core.film.words", "core.inputs", "core.language", "core.live_training.records", "core.locale",
    "core.models.abilities", "core.models.needs", "core.models.blueprint", "core.models.parts",
    *RUNS, *TEXT, "core.tracing.derived",
    "core.tracing.edits", "core.tracing.sites", "core.tracing.source", "core.tracing.tap",
    "core.tracing.trace", "core.views",
)  # fmt: skip


def brought_in(*names: str) -> set[str]:
    """The libraries that a fresh interpreter holds after it imported some modules."""
    code = f"import {', '.join(names)}, sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_this_side_of_the_border_needs_no_torch():
    assert broken(torch_side, under(*WITHOUT_TORCH)) == {}
    names = [module.name for module in under(*WITHOUT_TORCH)]
    assert len(names) > 50
    assert not brought_in(*names) & {"torch", "streamlit", "safetensors", "huggingface_hub"}


def test_a_fresh_interpreter_would_show_it():
    assert "torch" in brought_in("core.nn.masks")
    assert "torch" in needed_by("core.nn.masks")


def test_the_app_brings_no_training_loop_and_no_compiler():
    asked_for = {
        one.of for module in under("core.runs", "core.views", "pages", "app")
        for one in imports(module)
    }  # fmt: skip
    assert not any(within(name, ("core.training",)) for name in asked_for)
    code = (
        "import sys; from core import zoo; from core.runs.store import Runs; Runs(); "
        "[zoo.abilities(name) for name in zoo.shelf()]; zoo.load('bert'); "
        "banned = 'core.training', 'streamlit', 'torch._dynamo'; "
        "print(*(n for n in sys.modules if n.startswith(banned)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_no_model_knows_another():
    """But the registry, which names each once."""
    assert set(broken(other_architectures, under("core.models"))) == {"core.models.registry"}


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
        ("core.models.gpt", "from core.views import view"),
        ("core.tracing.trace", "import torch"),
        ("core.tracing.run", "from core.zoo import LoadedModel"),
        ("core.checkpoints.native", "from huggingface_hub import snapshot_download"),
        ("core.checkpoints.hugging_face.gpt2", "from huggingface_hub import snapshot_download"),
        ("core.checkpoints.hugging_face.gpt2", "import safetensors"),
        ("core.analysis.heads", "from torch import Tensor"),
        ("core.analysis.heads", "from core.figures.text import number"),
        ("core.analysis.heads", "import plotly.graph_objects as go"),
        ("core.views.map.whole", "import torch.nn.functional as F"),
        ("core.views.map.whole", "from core.nn import masks"),
        ("core.views.map.whole", "from core.runs.store import Runs"),
        ("core.views.map.whole", "from core.live_training.look_ahead import look_ahead"),
        ("core.models.gpt", "from core.decoding.decoder import Decoder"),
        ("core.inputs", "import torch"),
        ("core.runs.requests", "from core.runs.answers import trace"),
        ("core.runs.results", "import torch"),
        ("core.models.blueprint", "from core.models.gpt import GPT"),
        ("core.views.map.whole", "from pages.parts import state"),
        ("core.runs.store", "from tests.conftest import TEXTS"),
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
        (
            "core.views.map.whole",
            "import numpy as np\nfrom core.runs.results import Run",
        ),
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
        (more_than_records, "from core.runs.answers.trace import masked"),
        (more_than_records, "from core.decoding import sampling"),
        (torch_side, "from core.nn.masks import causal_mask"),
        (torch_side, "from core.runs.answers.trace import traced"),
        (torch_side, "from core.models.gpt import GPTConfig"),
        (other_architectures, "from core.models.bert import BERTConfig"),
    ],
)
def test_a_broken_rule_is_found(rule, text):
    assert len(rule(Module("core.models.gpt", text))) == 1


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (to_the_network, "from urllib.parse import urlencode\nimport asyncio"),
        (
            more_than_records,
            "from core.runs.results import Run\nfrom core.analysis.heads import entropy",
        ),
        (other_architectures, "from core.models.blueprint import Blueprint"),
        (torch_side, "from core.runs.results import Run\nfrom core.tracing.trace import Trace"),
    ],
)
def test_a_rule_that_is_kept_is_not(rule, text):
    assert rule(Module("core.models.gpt", text)) == []


def test_a_circle_is_found():
    assert circle({"a": ["b"], "b": ["c", "d"], "c": [], "d": ["b"]}) == ["b", "d", "b"]
    assert circle({"a": ["b", "c"], "b": ["c"], "c": []}) == []
