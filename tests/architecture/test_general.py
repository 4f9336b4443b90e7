"""What a machine is stands in its blueprint: nothing above it asks which machine it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from core import zoo
from core.figures.components import Component
from core.training.recipes import RECIPES
from tests.architecture.tree import Module, broken, under

ABOVE = ("core.views", "core.figures", "core.analysis", "pages")
# Sizes that the blueprint says; a config may call them otherwise, or not have them.
SIZES = {"d_model", "n_heads", "d_head", "d_ff", "n_layers", "eps", "activation", "vocab_size"}
# Where machines are named: what a page opens on, and what is tried on the shipped ones.
MAY_NAME = ("core.examples", "core.experiments", "core.lessons", "core.views.promises")
TOWERS = {"encoder", "decoder"}  # what a blueprint calls them


def subclasses(cls: type) -> Iterator[type]:
    """All of them."""
    for one in cls.__subclasses__():
        yield one
        yield from subclasses(one)


COMPONENTS = {one.__name__ for one in subclasses(Component)}
SHIPPED = {*zoo.shelf(), *(id_ for id_, _tier in RECIPES)}


def sizes_of_a_config(module: Module) -> list[str]:
    """Sizes that are read off a config."""
    return [
        ast.unparse(node)
        for node in module.nodes
        if isinstance(node, ast.Attribute) and node.attr in SIZES
        and ast.unparse(node.value).split(".")[-1] == "config"
    ]  # fmt: skip


def kinds_of_components(module: Module) -> list[str]:
    """Code that asks which component it has: a component says itself what can be done with it."""
    found = []
    for node in module.nodes:
        named: list[ast.AST] = []
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
            named = list(ast.walk(node.args[1]))
        elif isinstance(node, ast.MatchClass):
            named = [node.cls]
        if any(isinstance(one, ast.Name | ast.Attribute)
               and ast.unparse(one).split(".")[-1] in COMPONENTS for one in named):  # fmt: skip
            found.append(ast.unparse(node))
    return found


def words(module: Module) -> Iterator[str]:
    """The texts of a module that are no docstring, nor ids of terms of the glossary."""
    said = {
        id(node.value)
        for node in module.nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in module.nodes:
        if isinstance(node, ast.keyword) and node.arg == "terms":
            said |= {id(one) for one in ast.walk(node.value)}
    for node in module.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def machines_by_name(module: Module) -> list[str]:
    """Machines of the shelf that are called by their names."""
    return [one for one in words(module) if one in SHIPPED]


def towers_by_name(module: Module) -> list[str]:
    """Parts that are called by the names that one blueprint gives them."""
    return [one for one in words(module) if one in TOWERS]


def warmed_by_text(module: Module) -> list[str]:
    """Machines that are begun with, as if each read a text."""
    return [one for one in words(module) if one == "Warm"]


def unnamed(*roots: str) -> list[Module]:
    """The modules in which no machine may be named."""
    return [one for one in under(*roots) if not one.name.startswith(MAY_NAME)]


def test_sizes_come_from_the_blueprint():
    assert broken(sizes_of_a_config, under(*ABOVE)) == {}


def test_a_component_says_what_can_be_done_with_it():
    assert {"Matrix", "Strip", "Bars", "Plot", "Flow", "HeadGrid"} <= COMPONENTS
    # What a plot is made of has a Picture of its own.
    own = under(*ABOVE, "core.lessons")
    own = [one for one in own if one.name != "core.figures.components.plot.scene"]
    assert broken(kinds_of_components, own) == {}


def test_no_machine_is_asked_for_by_its_name():
    assert {"gpt", "bert", "transformer", "rnn", "rnn_attention", "vit", "cnn"} <= SHIPPED
    assert broken(machines_by_name, unnamed(*ABOVE, "app")) == {}


def test_no_part_is_asked_for_by_its_name():
    assert broken(towers_by_name, under(*ABOVE)) == {}


def test_no_machine_is_begun_with_a_text_of_its_own():
    assert broken(warmed_by_text, under("core", "pages", "app")) == {}


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (sizes_of_a_config, "n = trace.config.d_model // 24"),
        (sizes_of_a_config, "eps = self.model.config.eps"),
        (kinds_of_components, "if isinstance(component, Strip): pass"),
        (kinds_of_components, "ok = isinstance(one, components.Bars | Plot)"),
        (kinds_of_components, "match component:\n    case HeadGrid(): pass"),
        (machines_by_name, "model = 'gpt'"),
        (machines_by_name, "if params.model in ('rnn', 'cnn'): pass"),
        (towers_by_name, "NAMES = {'encoder': N_('encoder')}"),
        (warmed_by_text, "runs.get(TraceRequest(name, Text('Warm')))"),
    ],
)
def test_a_broken_rule_is_found(rule, text):
    assert len(rule(Module("core.views.one", text))) >= 1


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (sizes_of_a_config, "n = stack.d_model // trace.config.n_ctx"),
        (kinds_of_components, "if isinstance(value, Mapping): pass"),
        (machines_by_name, '"""Of gpt and bert."""\nx = "of gpt"'),
        (towers_by_name, "name = _(tower.name)"),
    ],
)
def test_a_rule_that_is_kept_is_not(rule, text):
    assert rule(Module("core.views.one", text)) == []
