"""One name of the state means one thing: in every view's parameters and in what is selected."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.names import Layered, Machine
from core.runs.store import Runs
from core.views import all_views
from core.views import params as schema
from core.views.params import param
from tests.views.records import machines_of, record_of

TEXT = "The little dog saw the sea. The dog saw the sea"
# Names that may be declared otherwise in one place than in another, each with its reason.
EXCEPTIONS: dict[str, str] = {}


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


def kinds(classes: Iterable[type]) -> dict[str, str]:
    """Whether the parameter of a name is a text or a number."""
    return {
        name: "text" if kind[0] == "str" else "number" for name, _cls, kind in declared(classes)
    }


def misnamed(known: Mapping[str, str], header: Mapping[str, Any]) -> list[str]:
    """The names that a component selects by and that are a parameter of another kind."""
    return sorted({name for name, kind in selected(header) if known.get(name, kind) != kind})


CLASSES = {*(view.Params for view in all_views().values()), Machine, Layered}
KINDS = kinds(CLASSES)


def test_one_name_of_a_parameter_has_one_kind_and_one_range():
    assert {name for name in conflicts(CLASSES) if name not in EXCEPTIONS} == set(), conflicts(
        CLASSES
    )
    assert set(EXCEPTIONS) <= set(conflicts(CLASSES)), "no longer an exception"


def test_what_is_selected_is_named_as_parameters_are(
    gpt, bert, transformer, t5, bart, rnn, sorter, teller, digits
):
    """That none is of another kind is checked of all that is drawn: tests/views/test_views.py."""
    models = {"gpt": gpt, "bert": bert, "transformer": transformer, "rnn": rnn, "t5": t5,
              "bart": bart, "sorter": sorter, "teller": teller, **digits}  # fmt: skip
    runs, names = Runs(load=lambda name, device: models[name]), set()
    for view in all_views().values():
        record = record_of(view, runs, model=machines_of(view)[0], text=TEXT)
        names |= {name for name, _kind in selected(view.show(record).payload().header)}
    assert {"token", "key", "head", "layer", "step", "merge", "mask", "row", "col"} <= names


def test_the_check_finds_what_it_is_for():
    one = dataclasses.make_dataclass("One", [("drawn", "str", text_of("a", "b")),
                                             ("layer", "int", number_to(5))])  # fmt: skip
    two = dataclasses.make_dataclass("Two", [("drawn", "str", text_of("a", "c")),
                                             ("layer", "int", number_to(5))])  # fmt: skip
    assert set(conflicts([one, two])) == {"drawn"}
    three = dataclasses.make_dataclass("Three", [("layer", "int", number_to(6))])
    assert set(conflicts([one, three])) == {"layer"}
    assert conflicts([one]) == {}
    known = kinds([one])
    assert misnamed(known, {"tokens": [{"label": "x"}], "field": "drawn"}) == ["drawn"]
    sheet = {"rows": {"field": "layer"}, "paint": {"field": "layer"}}
    assert misnamed(known, {"sheets": [sheet]}) == ["layer"]
    assert misnamed(known, {"selection": {"drawn": "a", "layer": 3, "other": None}}) == []


def text_of(*choices: str) -> Any:
    return param(choices[0], choices=choices)


def number_to(high: int) -> Any:
    return param(0, low=0, high=high)
