"""What the model would say if it stopped after each block (the "logit lens").

nostalgebraist 2020, "interpreting GPT: the logit lens": the stream after each
block goes through the final norm and the output matrix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import largest, rank, softmax
from core.analysis.lens import layer_logits
from core.figures.components import Axis, Matrix, Scale, Sheet
from core.figures.payload import as_shares
from core.figures.text import Mark, Sentence, sentence
from core.figures.values import Along, Values
from core.inputs import Text
from core.language import N_, _
from core.models.abilities import require
from core.models.needs import Needs
from core.runs.kinds.continuation import ContinuedRun
from core.runs.kinds.generation import GenerationTraceRequest
from core.runs.kinds.trace import Run, TraceRequest
from core.runs.request import Request
from core.units import Token
from core.views.nearest import nearest
from core.views.params import param
from core.views.predict.next import SamplingChoice
from core.views.view import View

N_COLUMNS = 5
ROOM = 100  # pixels: the names of the places are whole on a phone, too


@dataclass(frozen=True, slots=True)
class AtPosition(SamplingChoice):
    """A position of the text, or of the tokens that were made of it.

    Attributes:
        made: how many new tokens stand behind the text.
        token: counted from 0; -1 for the newest.
    """

    made: int = param(0, low=0, high=200, picked=True, label=N_("Generated tokens shown"))
    token: int = param(-1, low=-1, high=100_000, picked=True, label=N_("Token"))


@dataclass(frozen=True)
class LayerGuesses:
    """What is likeliest at each place of the stream.

    Attributes:
        position: that is looked at.
        token: which stands there.
        words: ``(places, ranks)``, the likeliest tokens after the embeddings and each block.
        probs: their probabilities.
        final_rank: at each place how many tokens are likelier than the model's own answer.
    """

    position: int
    token: Token
    words: list[list[Token]]
    probs: NDArray[np.float32]
    final_rank: list[int]


class PredictLayersView(View[AtPosition, LayerGuesses]):
    """Rows are places in the stream, columns the likeliest tokens there."""

    name, Params = "predict.layers", AtPosition
    needs = Needs("next_token", ("blocks", "word_table"))

    def requests(self, params: AtPosition) -> tuple[Request, ...]:
        # What a block hands on is its last sum or, where norms stand behind sums, its last norm.
        sites = ("*.resid_pre", "*.resid_post", "*.ln_2.out")
        if params.so_far:
            return (GenerationTraceRequest(params.generation(), sites),)
        return (TraceRequest(params.model, Text(params.text), sites=sites),)

    def compute(self, runs: Sequence[Run | ContinuedRun], params: AtPosition) -> LayerGuesses:
        """The places' predictions.

        Raises:
            AbilityError: the model does not predict the next token.
        """
        (result,) = runs
        run, n_new = (
            (result.run, result.n_written) if isinstance(result, ContinuedRun) else (result, 0)
        )
        trace = run.trace
        require(trace.model, [head.ability for head in trace.blueprint.heads], "next_token")
        newest = len(trace.tokens) - 1 - max(0, n_new - params.so_far)
        position = newest if params.token < 0 else nearest("token", params.token, newest)
        logits = layer_logits(trace, position)
        probs = softmax(logits)
        best = largest(probs, N_COLUMNS)
        final = int(best[-1, 0])
        return LayerGuesses(
            position=position,
            token=trace.tokens[position],
            words=[[run.words(int(i)) for i in row] for row in best],
            probs=as_shares(np.take_along_axis(probs, best, axis=1)),
            final_rank=[rank(row, final) for row in logits],
        )

    def values(self, record: LayerGuesses) -> Mapping[str, Values]:
        after = Along("place", _("after"), _places(record))
        axes = (after, Along("rank", _("rank"), [str(i) for i in range(N_COLUMNS)]))
        last = (len(record.words) - 1, 0)
        return {
            "token": Values(_("token"), np.array(_labels(record), object), axes),
            "probability": Values(_("probability"), record.probs, axes, selected=last),
            "final_rank": Values(
                _("tokens more likely than the model's own answer"),
                np.array(record.final_rank), (after,), selected=(last[0],),
            ),
        }  # fmt: skip

    def describe(self, record: LayerGuesses) -> Sentence:
        first = next(i for i in range(len(record.final_rank)) if not any(record.final_rank[i:]))
        return sentence(
            _("“{word}” is the most likely from {place} on."),
            word=Mark(record.words[-1][0].spoken, "accent"),
            place=Mark(_places(record)[first], "residual"),
        )

    def draw(self, record: LayerGuesses) -> Matrix:
        title = _("What it would predict after “{token}” if it stopped after each layer").format(
            token=record.token.spoken
        )
        axes = _("rows: after which layer · columns: the five most likely · stronger colour = "
                 "more likely")  # fmt: skip
        sheet = Sheet(
            title=title,
            array="probs",
            texts=_labels(record),
            rows=Axis(_places(record), "row", "residual", room=ROOM),
            cols=Axis([str(i + 1) for i in range(N_COLUMNS)], "col", "accent", hide=True),
            scale=Scale("accent", 1.0),
            max_cell=130,
            row_height=26,
            alt="",
            axes=sentence(axes),
        )
        return Matrix(sheets=[sheet], arrays={"probs": record.probs})


def _places(record: LayerGuesses) -> list[str]:
    """Where in the stream each row was read."""
    n_layers = len(record.words) - 1
    return [_("embeddings"), *(_("layer {i}").format(i=i) for i in range(n_layers))]


def _labels(record: LayerGuesses) -> list[list[str]]:
    return [[token.label for token in row] for row in record.words]
