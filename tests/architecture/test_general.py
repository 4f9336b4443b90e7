"""What a machine is stands in its blueprint: nothing above it asks which machine it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from core import zoo
from core.figures.components import Component
from core.training.recipes import RECIPES
from tests.architecture.tree import Module, broken, dotted, under

ABOVE = ("core.views", "core.figures", "core.analysis", "pages")
# Sizes that the blueprint says; a config may call them otherwise, or not have them.
SIZES = {"d_model", "n_heads", "d_head", "d_ff", "n_layers", "eps", "activation", "vocab_size"}
# Where machines are named: what a page opens on, and what is tried on the shipped ones.
MAY_NAME = ("core.data.examples", "core.experiments", "core.lessons", "core.views.promises")
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
    names = [ast.unparse(node) for node in module.nodes if isinstance(node, ast.Attribute)]
    return [one for one in names if one.split(".")[-2:] in (["config", size] for size in SIZES)]


def kinds_of_components(module: Module) -> list[str]:
    """Code that asks which component it has: a component says itself what can be done with it."""
    asked = [
        node.args[1] if isinstance(node, ast.Call) else node.cls
        for node in module.nodes
        if isinstance(node, ast.MatchClass)
        or (isinstance(node, ast.Call) and dotted(node.func) == "isinstance")
    ]
    names = [dotted(one).split(".")[-1] for node in asked for one in ast.walk(node)]
    return [name for name in names if name in COMPONENTS]


def words(module: Module) -> set[str]:
    """The texts of a module that are no docstring, nor ids of terms of the glossary."""
    docs = [one.value for one in module.nodes if isinstance(one, ast.Expr)]
    apart = {id(one) for one in docs if isinstance(one, ast.Constant)}
    for node in module.nodes:
        if isinstance(node, ast.keyword) and node.arg == "terms":
            apart |= {id(one) for one in ast.walk(node)}
    texts = [one for one in module.nodes if isinstance(one, ast.Constant) and id(one) not in apart]
    return {one.value for one in texts if isinstance(one.value, str)}


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
    unnamed = [one for one in under(*ABOVE, "app") if not one.name.startswith(MAY_NAME)]
    assert broken(lambda module: sorted(words(module) & SHIPPED), unnamed) == {}


def test_no_part_is_asked_for_by_its_name():
    assert broken(lambda module: sorted(words(module) & TOWERS), under(*ABOVE)) == {}
