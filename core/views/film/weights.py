"""One head's attention weights on the text, at one moment of the training."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.figures import tokens
from core.figures.components import Axis, By, Matrix, Scale, Sheet
from core.figures.text import Mark, Sentence, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.views.film.frames import OfFilm, Shown
from core.views.nearest import nearest
from core.views.parts import titled


class FilmWeights(OfFilm):
    """Rows are queries, columns keys."""

    name = "film.weights"

    def values(self, record: Shown) -> Mapping[str, Values]:
        labels = tokens.labels(record.run.tokens)
        axes = Along("query", _("query"), labels), Along("key", _("key"), labels)
        query, key = _query(record), _key(record)
        return {"weights": Values(_("attention weight"), _of(record), axes, selected=(query, key))}

    def describe(self, record: Shown) -> Sentence:
        weights, query = _of(record), _query(record)
        key = int(weights[query].argmax())
        return sentence(
            _("{when}, “{query}” gives more of its attention to “{key}” than to any other token: "
              "{share}. Equal weights would be {even}."),
            when=Mark(record.when.capitalize(), "strong"),
            query=Mark(record.run.tokens[query].spoken, "query"),
            share=Mark(percent(float(weights[query, key])), "weight"),
            key=Mark(record.run.tokens[key].spoken, "key"),
            even=percent(1 / (query + 1)),
        )  # fmt: skip

    def draw(self, record: Shown) -> Matrix:
        labels, weights = tokens.labels(record.run.tokens), _of(record)
        where = _("layer {layer}, head {head}").format(layer=record.layer, head=record.head)
        title = titled(_("Attention weights {when}").format(when=record.when), where)
        most = By("token", weights.argmax(axis=1).tolist())
        key = most if record.params.key < 0 else _key(record)
        return Matrix(
            title=title,
            selection={**record.selection(), "token": _query(record), "key": key},
            sheets=[
                Sheet(
                    title=title,
                    array="weights",
                    rows=Axis(labels, "token", "query"),
                    cols=Axis(labels, "key", "key"),
                    scale=Scale("weight", 1.0),
                    mask="may",
                    axes=_axes(),
                )
            ],
            arrays={"weights": weights, "may": np.tri(len(labels), dtype=np.uint8)},
        )


def _of(record: Shown) -> NDArray[np.float32]:
    """The weights of the head, ``(T, T)``."""
    return np.ascontiguousarray(record.run.weights[record.at, record.layer, record.head])


def _query(record: Shown) -> int:
    last = len(record.run.tokens) - 1
    token = record.params.token
    return nearest("token", token, last) if token >= 0 else tokens.last_word(record.run.tokens)


def _key(record: Shown) -> int:
    if record.params.key >= 0:
        return nearest("key", record.params.key, len(record.run.tokens) - 1)
    return int(_of(record)[_query(record)].argmax())


def _axes() -> Sentence:
    return Sentence((
        Mark(_("rows: queries"), "query"), Mark(" · ", "plain"), Mark(_("columns: keys"), "key"),
        Mark(" · " + _("hatched: masked"), "muted"),
    ))  # fmt: skip
