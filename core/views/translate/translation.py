"""A translation as far as it is written: what the views of the page are computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import largest, softmax
from core.figures import tokens
from core.figures.components import By
from core.figures.payload import as_shares
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.language import _, name_of
from core.models.abilities import require
from core.models.blueprint import Blueprint
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Run
from core.tracing.trace import Stream, Trace
from core.units import Token
from core.views.attention.head import AtHead, HeadRun, head_requests, head_run
from core.views.nearest import nearest
from core.views.parts import stream_called, tower_called
from core.views.view import View

N_WORDS = 8


@dataclass(frozen=True)
class Translation:
    """Source and target, and after each target token what the model expects next.

    Attributes:
        run: of the model.
        params: what was asked for.
        head: the head from the target to the source that is selected; None in a machine whose
            target attends to nothing.
        words: ``(T, 8)``, the likeliest next tokens at each position of the target.
        probs: their probabilities, ``(T, 8)``.
        given: ``(T,)``, the probability of the token that stands there; NaN for the start mark.
        ranks: ``(T,)``, how many tokens the model found likelier; -1 for the start mark.
        ends: ``(T,)``, the probability that the target ends after each token.
    """

    run: Run
    params: AtHead
    head: HeadRun | None
    words: Sequence[Sequence[Token]]
    probs: NDArray[np.float32]
    given: NDArray[np.float32]
    ranks: NDArray[np.int64]
    ends: NDArray[np.float32]

    @property
    def trace(self) -> Trace:
        return self.run.trace

    @property
    def blueprint(self) -> Blueprint:
        return self.trace.blueprint

    @property
    def source(self) -> Stream:
        """What a text becomes."""
        return self.trace.streams[self.blueprint.streams[0]]

    @property
    def target(self) -> Stream:
        """What the answer is read from."""
        return self.trace.main

    @property
    def at(self) -> int:
        """The position of the target that is selected."""
        last = len(self.target.units) - 1
        if self.params.token >= 0:
            return nearest("token", self.params.token, last)
        return tokens.last_word(self.target.units)

    def selection(self) -> dict[str, int | str | By | None]:
        """By the names of the parameters."""
        return {"token": self.at} if self.head is None else self.head.selection()

    def reading(self, at: int) -> Sentence:
        """What the model expects after a position, and what stands there."""
        expected = sentence(
            _("After “{token}” {model} gives {share} to “{best}” and {second} to “{other}”."),
            token=Mark(self.target.tokens[at].spoken, "query"),
            model=name_of(self.trace.model),
            share=Mark(percent(float(self.probs[at, 0])), "accent"),
            best=Mark(self.words[at][0].spoken, "accent"),
            second=percent(float(self.probs[at, 1])),
            other=self.words[at][1].spoken,
        )
        if at + 1 == len(self.target.tokens):
            came = sentence(_("The target text stops here."))
        elif self.ranks[at + 1]:
            came = sentence(
                _("The target continues with “{next}”, which gets {share}."),
                next=self.target.tokens[at + 1].spoken,
                share=percent(float(self.given[at + 1])),
            )
        else:
            came = sentence(_("The target continues with the first of them."))
        return join([expected, came])


def translation(runs: Sequence[Run], params: AtHead) -> Translation:
    """The record of the views.

    Raises:
        AbilityError: the model does not translate.
    """
    trace, blueprint = runs[0].trace, runs[0].trace.blueprint
    require(trace.model, [head.ability for head in blueprint.heads], "translate")
    across = blueprint.across()
    head = None
    if across is not None:
        head = head_run(runs, replace(params, attention=across.name))
    probs = softmax(trace[blueprint.head.site])
    best = largest(probs, N_WORDS)
    ids = np.array(trace.streams[blueprint.head.stream].ids[1:], np.int64)
    before = np.arange(len(ids))
    of_given = probs[before, ids]
    return Translation(
        run=runs[0],
        params=params,
        head=head,
        words=[[runs[0].words(int(i)) for i in row] for row in best],
        probs=as_shares(np.take_along_axis(probs, best, axis=1)),
        given=as_shares(np.concatenate([[np.nan], of_given])),
        ranks=np.concatenate([[-1], (probs[before] > of_given[:, None]).sum(axis=1)]),
        ends=as_shares(probs[:, trace.config.end_id]),
    )


def no_alignment(blueprint: Blueprint) -> Sentence:
    """Why there is nothing that says which word of the source a word of the target comes from."""
    stream = stream_called(blueprint, blueprint.streams[0])
    for one in blueprint.recurrences:
        if one.stream == blueprint.stream and one.told is not None:
            n = sum(len(other.directions) * other.d_state for other in blueprint.recurrences
                    if other.stream == one.told)  # fmt: skip
            text = _("There is no alignment to draw: nothing in this model attends to the "
                     "{stream}. The {part} gets one summary of it, the {n} numbers of the last "
                     "states, and every word of the {stream} has to fit into them.")  # fmt: skip
            return sentence(text, stream=stream, part=tower_called(one), n=Mark(str(n), "strong"))
    text = _("There is no alignment to draw: nothing in this model attends to the {stream}.")
    return sentence(text, stream=stream)


class OfTranslation(View[AtHead, Translation]):
    """A view of a translation, and of the head from its target to its source, if it has one."""

    Params, needs = AtHead, Needs("translate")

    def requests(self, params: AtHead) -> tuple[Request, ...]:
        return head_requests(params)

    def compute(self, runs: Sequence[Run], params: AtHead) -> Translation:
        return translation(runs, params)
