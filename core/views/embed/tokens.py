"""The tokens with their ids: what each of them looks up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Sentence, sentence
from core.figures.values import Values
from core.language import _
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Run
from core.views.embed.looked import AtComponent, Looked, look_requests, looked, reading
from core.views.view import View


class EmbeddedTokens(View[AtComponent, Looked]):
    """Chips, the id under each, and which rows the selected one reads."""

    name, Params, needs = "embed.tokens", AtComponent, Needs(parts=("rows",))

    def requests(self, params: AtComponent) -> tuple[Request, ...]:
        return look_requests(params)

    def compute(self, runs: Sequence[Run], params: AtComponent) -> Looked:
        return looked(runs, params)

    def values(self, record: Looked) -> Mapping[str, Values]:
        axes, at = (record.along,), (record.token,)
        words = np.array([token.label for token in record.tokens])
        lengths = {
            f"length_{name}": Values(
                _("length of {table} row").format(table=name), np.linalg.norm(rows, axis=1), axes,
                site=f"{record.embedding.prefix}.{name}", selected=at,
            )
            for name, rows in record.rows.items()
        }  # fmt: skip
        return {
            "tokens": Values(_("token"), words, axes, selected=at),
            "ids": Values(_("id"), np.array(record.stream.ids), axes, selected=at),
            **lengths,
        }

    def describe(self, record: Looked) -> Sentence:
        return reading(record, record.token)

    def draw(self, record: Looked) -> Strip:
        title = _("Token ids: each is the number of a row")
        first = record.embedding.stream == record.trace.blueprint.streams[0]
        return Strip(
            title=title,
            selection=record.selection(),
            tokens=[tokens.chip(token) for token in record.tokens],
            notes=[str(id_) for id_ in record.stream.ids],
            default=record.token,
            cut=tokens.cut_text(record.run.cut) if first else None,
            heading=_stream_named(record),
            readings=[reading(record, at) for at in range(len(record.tokens))],
            name=title,
        )


def _stream_named(record: Looked) -> Sentence | None:
    """Whose tokens they are, where the model has several streams."""
    if len(record.trace.streams) == 1:
        return None
    name = _(record.embedding.stream)
    if record.stream.written:
        return sentence(_("Tokens of the {stream}, written by the model itself"), stream=name)
    return sentence(_("Tokens of the {stream}"), stream=name)
