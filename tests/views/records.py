"""What a view computes for the values of a link, and what stands in its drawing."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

from core import views
from core.figures.values import to_csv
from core.runs.store import Runs
from core.views import View, parts
from core.views.given import opened
from core.views.params import declared, parse
from tests.conftest import (
    tiny_bart,
    tiny_bert,
    tiny_cnn,
    tiny_elmo,
    tiny_gpt,
    tiny_t5,
    tiny_transformer,
    tiny_vit,
)

TEXT = "The cat sat on the mat"
MACHINES = {
    "any": ("gpt", "bert", "transformer", "t5", "bart"),
    "answers": ("gpt", "bert", "transformer", "t5", "bart", "elmo", "teller", "vit"),
    "next_token": ("gpt",),
    "masked_words": ("bert",),
    "both_ways": ("elmo",),
    "sentence_pairs": ("bert",),
    "translate": ("transformer",),
    "fill_spans": ("t5",),
    "denoise": ("bart",),
    "words": ("gpt", "bert", "transformer", "t5", "bart", "elmo"),
    "classify_image": ("vit", "cnn"),
    "classify_text": ("teller",),
    "classify_pair": ("sorter",),
    "none": ("gpt",),
}
RECURRENT = ("rnn", "elmo")  # of the tiny machines those with recurrent layers
# Some views need a part that one of these lacks.
WITHOUT = {
    "gpt": tiny_gpt(),
    "bert": tiny_bert(),
    "transformer": tiny_transformer(),
    "bart": tiny_bart(),
    "vit": tiny_vit(),
    "cnn": tiny_cnn(),
    "elmo": tiny_elmo(),
    "t5": tiny_t5(),
}
# Of a vector that is typed in they show LayerNorm without any model; of a text one must have it.
OF_A_TEXT = {"norm.rms": "layer_norm", "norm.steps": "layer_norm"}
SPACE = "{http://www.w3.org/2000/svg}"


def machines_of(view: View[Any, Any]) -> tuple[str, ...]:
    """The tiny machines that have what a view needs."""
    if "recurrent" in view.needs.parts:
        return RECURRENT

    def has_all(name: str) -> bool:
        made = WITHOUT.get(name)
        parts = (*view.needs.parts, *filter(None, [OF_A_TEXT.get(view.name)]))
        needs = replace(view.needs, parts=parts)
        return made is None or needs.unmet(made.abilities, made.blueprint) is None

    return tuple(name for name in MACHINES[view.needs.ability] if has_all(name))


def choices_of(view: View[Any, Any], name: str, runs: Runs, model: str) -> list[str]:
    """The words that a parameter may say: those that were declared, or the model's own parts."""
    said = declared(view.Params, name)
    if said.part is not None:
        return ["", *parts.names(view.Params(), runs.model(model).blueprint, name)]
    return list(said.choices or ())


def record_of(view: View[Any, Any], runs: Runs, **values: str) -> Any:
    """Its record."""
    params, _problems = parse(view.Params, {"text": TEXT, "model": "gpt", **values})
    if not view.needs.no_model:
        params = opened(params, runs.model(params.model).encoders)
    return view.compute([runs.get(request) for request in view.requests(params)], params)


def shown(runs: Runs, name: str, **values: str) -> tuple[View[Any, Any], Any]:
    """A view and its record."""
    view = views.get(name)
    return view, record_of(view, runs, **values)


def header(runs: Runs, name: str, **values: str) -> dict[str, Any]:
    """What the browser is given besides the arrays."""
    view, record = shown(runs, name, **values)
    return dict(view.show(record).payload().header)


def drawn(view: View[Any, Any], record: Any, tag: str) -> list[ElementTree.Element]:
    """The elements of one kind in the drawing that is saved."""
    return list(ElementTree.fromstring(view.show(record).drawing("light")).iter(SPACE + tag))


def written(view: View[Any, Any], record: Any) -> list[str]:
    """The texts in the drawing that is saved."""
    return ["".join(one.itertext()) for one in drawn(view, record, "text")]


def rows(view: View[Any, Any], record: Any) -> list[list[str]]:
    """The lines of the table that is saved."""
    return list(csv.reader(io.StringIO(to_csv(view.values(record)))))
