"""One name of the state means one thing: in every view's parameters and in what is selected."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest

from core.errors import CoreError
from core.runs.store import Runs
from core.views import all_views
from core.views import params as schema
from core.views.params import param, parse
from pages.parts.names import Layered, Machine
from tests.views.records import MACHINES

TEXT = "The little dog saw the sea. The dog saw the sea"
# Names that may be declared otherwise in one place than in another, each with its reason.
EXCEPTIONS: dict[str, str] = {}
# Values that choose what a view shows, besides those its parameters list.
FURTHER = {"mask": ("none", "padding", "window:2"), "hide": ("none", "0"), "every": ("1",)}


def declared(classes: Iterable[type]) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
    """Name, class, and kind and range of every parameter."""
    for cls in classes:
        for field in dataclasses.fields(cls):
            allowed = schema.declared(cls, field.name)
            choices = None if allowed.choices is None else tuple(allowed.choices)
            kind = (field.type, allowed.low, allowed.high, choices, allowed.pattern)
            yield field.name, cls.__name__, kind


def conflicts(classes: Iterable[type]) -> dict[str, dict[tuple[Any, ...], set[str]]]:
    """Names of parameters that are declared in more than one way, and where each is."""
    found: dict[str, dict[tuple[Any, ...], set[str]]] = {}
    for name, where, kind in declared(classes):
        found.setdefault(name, {}).setdefault(kind, set()).add(where)
    return {name: ways for name, ways in found.items() if len(ways) > 1}


def selected(header: Any, *, inside: str = "") -> Iterator[tuple[str, str]]:
    """The names that a component selects or follows, and whether their values are numbers."""
    if isinstance(header, Mapping):
        for key, value in header.items():
            if (key == "field" or key.endswith("_field")) and isinstance(value, str):
                yield value, "text" if inside == "paint" else "number"
            if key == "selection":
                yield from (
                    (name, "text" if isinstance(said, str) else "number")
                    for name, said in (value or {}).items()
                    if said is not None
                )
            else:
                yield from selected(value, inside=key)
    elif isinstance(header, list):
        for one in header:
            yield from selected(one, inside=inside)


def misnamed(
    classes: Iterable[type], headers: Mapping[str, Iterable[Mapping[str, Any]]]
) -> dict[str, str]:
    """For each view the names that it selects by and that are a parameter of another kind."""
    kinds = {
        name: "text" if kind[0] == "str" else "number" for name, _cls, kind in declared(classes)
    }
    return {
        view: ", ".join(wrong)
        for view, made in headers.items()
        if (wrong := sorted({
            name for one in made for name, kind in selected(one) if kinds.get(name, kind) != kind
        }))
    }  # fmt: skip


CLASSES = {*(view.Params for view in all_views().values()), Machine, Layered}


@pytest.fixture(scope="module")
def headers(gpt, bert, transformer) -> dict[str, list[Mapping[str, Any]]]:
    """What every component is given, for every model and every choice of its view."""
    models = {"gpt": gpt, "bert": bert, "transformer": transformer}
    runs = Runs(load=lambda name, device: models[name])
    made: dict[str, list[Mapping[str, Any]]] = {}
    for name, view in all_views().items():
        ways = [{}] + [
            {field.name: value}
            for field in dataclasses.fields(view.Params)
            for value in (
                *(schema.declared(view.Params, field.name).choices or ()),
                *FURTHER.get(field.name, ()),
            )
        ]
        for model in MACHINES[view.needs]:
            for way in ways:
                params, _problems = parse(view.Params, {"text": TEXT, "model": model} | way)
                try:
                    results = [runs.get(request) for request in view.requests(params)]
                except CoreError:  # a choice that this model has not
                    continue
                header = view.show(view.compute(results, params)).payload().header
                made.setdefault(name, []).append(header)
    return made


def test_one_name_of_a_parameter_has_one_kind_and_one_range():
    assert {name for name in conflicts(CLASSES) if name not in EXCEPTIONS} == set(), conflicts(
        CLASSES
    )
    assert set(EXCEPTIONS) <= set(conflicts(CLASSES)), "no longer an exception"


def test_what_is_selected_is_no_parameter_of_another_kind(headers):
    assert set(headers) == set(all_views())
    names = {name for made in headers.values() for one in made for name, _ in selected(one)}
    assert {"token", "key", "head", "layer", "step", "merge", "mask", "row", "col"} <= names
    assert misnamed(CLASSES, headers) == {}


def test_the_check_finds_what_it_is_for():
    one = dataclasses.make_dataclass("One", [("drawn", "str", text_of("a", "b")),
                                             ("layer", "int", number_to(5))])  # fmt: skip
    two = dataclasses.make_dataclass("Two", [("drawn", "str", text_of("a", "c")),
                                             ("layer", "int", number_to(5))])  # fmt: skip
    assert set(conflicts([one, two])) == {"drawn"}
    three = dataclasses.make_dataclass("Three", [("layer", "int", number_to(6))])
    assert set(conflicts([one, three])) == {"layer"}
    assert conflicts([one]) == {}
    strips = {
        "a.strip": [{"tokens": [{"label": "x"}], "field": "drawn"}],
        "a.matrix": [{"sheets": [{"rows": {"field": "layer"}, "paint": {"field": "layer"}}]}],
        "a.map": [{"selection": {"drawn": "a", "layer": 3, "other": None}}],
    }
    assert misnamed([one], strips) == {"a.strip": "drawn", "a.matrix": "layer"}


def text_of(*choices: str) -> Any:
    return param(choices[0], choices=choices)


def number_to(high: int) -> Any:
    return param(0, low=0, high=high)
