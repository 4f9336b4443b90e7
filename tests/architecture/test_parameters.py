"""One name of the state means one thing: in every view's parameters and in what is selected."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from core.answers.names import Layered, PageNames
from core.views import all_views
from core.views import params as schema

CLASSES = {*(view.Params for view in all_views().values()), PageNames, Layered}
# Of each name the ways in which it is declared, and where each is.
DECLARED: dict[str, dict[tuple[Any, ...], set[str]]] = defaultdict(lambda: defaultdict(set))
for cls in CLASSES:
    for field in dataclasses.fields(cls):
        allowed = schema.declared(cls, field.name)
        choices = None if allowed.choices is None else tuple(allowed.choices)
        way = (field.type, allowed.low, allowed.high, choices, allowed.pattern)
        DECLARED[field.name][way].add(cls.__name__)
KINDS = {
    name: "text" if next(iter(ways))[0] == "str" else "number" for name, ways in DECLARED.items()
}


def selected(header: Any, *, inside: str = "") -> Iterator[tuple[str, str]]:
    """The names that a component selects or follows, and whether their values are numbers."""
    if isinstance(header, Mapping):
        for key, value in header.items():
            if (key == "field" or key.endswith("_field")) and isinstance(value, str):
                yield value, "text" if inside == "paint" else "number"
            if key == "selection":
                for name, said in (value or {}).items():
                    if said is not None:
                        yield name, "text" if isinstance(said, str) else "number"
            else:
                yield from selected(value, inside=key)
    elif isinstance(header, list):
        for one in header:
            yield from selected(one, inside=inside)


def misnamed(known: Mapping[str, str], header: Mapping[str, Any]) -> list[str]:
    """The names that a component selects by and that are a parameter of another kind."""
    return sorted({name for name, kind in selected(header) if known.get(name, kind) != kind})


def test_one_name_of_a_parameter_has_one_kind_and_one_range():
    """That what is drawn selects by names of one kind stands in tests/views/test_views.py."""
    assert {name: dict(ways) for name, ways in DECLARED.items() if len(ways) > 1} == {}
