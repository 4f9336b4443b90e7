"""The text coloured by how little the model expected each token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.figures import tokens
from core.figures.components import Strip
from core.figures.components.strip import Reveal
from core.figures.text import Mark, Sentence, number, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Candidates, Generation
from core.units import Token
from core.views.nearest import nearest
from core.views.predict.choosing import Choosing, all_tokens, expected
from core.views.view import View

LIMIT = 12.0  # bits at which the colour is full
LEAST = float(np.finfo(np.float32).tiny)  # a probability that is none any more


@dataclass(frozen=True)
class Surprise:
    """How surprising each token is.

    Attributes:
        tokens: of the text and, after them, the new ones.
        n_prompt: tokens of the text.
        bits: one a token; NaN for the first, before which nothing stands.
        expected: after each token the likeliest one, and its probability.
        cut: what of the text did not fit.
        params: what was asked for.
    """

    tokens: list[Token]
    n_prompt: int
    bits: NDArray[np.float64]
    expected: list[tuple[Token, float]]
    cut: str
    params: Choosing

    @property
    def n_shown(self) -> int:
        """Tokens of the text and, after them, those that were made so far."""
        return min(len(self.tokens), self.n_prompt + self.params.so_far)


class Surprisal(View[Choosing, Surprise]):
    """Chips with the bits of each token, and a reading for each."""

    name, Params, needs = "predict.surprisal", Choosing, Needs("next_token")

    def requests(self, params: Choosing) -> tuple[Request, ...]:
        return (params.generation(),)

    def compute(self, runs: Sequence[Generation], params: Choosing) -> Surprise:
        (generation,) = runs
        then = zip(generation.following, generation.prompt[1:], strict=False)
        of_text = [_bits(candidates, token) for candidates, token in then]
        of_new = [_bits(step.candidates, step.token) for step in generation.steps]
        return Surprise(
            tokens=all_tokens(generation),
            n_prompt=len(generation.prompt),
            bits=np.concatenate([[np.nan], of_text, of_new]),
            expected=[(one.tokens[0], float(one.raw[0])) for one in expected(generation)],
            cut=generation.cut,
            params=params,
        )

    def values(self, record: Surprise) -> Mapping[str, Values]:
        n = record.n_shown
        known = record.tokens[:n]
        axes = (Along("position", _("position"), [str(at) for at in range(n)]),)
        made = [_("text") if at < record.n_prompt else _("model") for at in range(n)]
        likeliest = ["", *(token.label for token, _share in record.expected)][:n]
        shares = [np.nan, *(share for _token, share in record.expected)][:n]
        chosen = record.params.token
        place = (nearest("token", chosen, n - 1) if chosen >= 0 else n - 1,)
        return {
            "token": Values(_("token"), np.array([unit.label for unit in known], object), axes),
            "from": Values(_("from"), np.array(made, object), axes),
            "bits": Values(_("bits"), record.bits[:n], axes, selected=place),
            "expected": Values(_("expected most"), np.array(likeliest, object), axes),
            "share": Values(_("its probability"), np.array(shares), axes, selected=place),
        }

    def describe(self, record: Surprise) -> Sentence:
        seen = record.bits[1 : record.n_prompt]
        if not len(seen):
            return sentence(_("There is only one token: nothing was predicted yet."))
        worst = 1 + int(np.argmax(seen))
        return sentence(
            _("The text has {mean} bits of surprisal per token on average. Its most "
              "surprising token is “{token}”, with {bits}."),
            mean=Mark(number(float(seen.mean())), "weight"),
            token=Mark(record.tokens[worst].spoken, "query"),
            bits=Mark(number(float(seen.max())), "weight"),
        )  # fmt: skip

    def draw(self, record: Surprise) -> Strip:
        title = _("Surprisal of each token, in bits")
        return Strip(
            title=title,
            selection=record.params.selection(record.n_prompt, len(record.tokens)),
            tokens=[
                tokens.chip(token, born=at >= record.n_prompt)
                for at, token in enumerate(record.tokens)
            ],
            cut=tokens.cut_text(record.cut),
            heading=sentence(title),
            heat=record.bits,
            heat_role="weight",
            heat_limit=LIMIT,
            heat_unit="",
            readings=[_reading(record, at) for at in range(len(record.tokens))],
            reveal=Reveal("made", record.n_prompt, record.params.made),
            prose=tokens.prose(record.tokens),
            name=title,
        )


def _bits(candidates: Candidates, token: Token) -> float:
    """The surprise of a token that stands there, or was drawn."""
    place = next(i for i, one in enumerate(candidates.tokens) if one.id == token.id)
    return -float(np.log2(max(LEAST, float(candidates.raw[place]))))


def _reading(record: Surprise, at: int) -> Sentence:
    """How surprising one token is, in words."""
    token = record.tokens[at]
    if at == 0:
        return sentence(
            _("“{token}” is the marker every text starts with: nothing stands before it."),
            token=Mark(token.spoken, "query"),
        )
    best, share = record.expected[at - 1]
    bits = float(record.bits[at])
    if best.id == token.id:
        return sentence(
            _("“{token}” is what the model expected most, with {share}: {bits} bits."),
            token=Mark(token.spoken, "query"),
            share=Mark(percent(share), "accent"),
            bits=Mark(number(bits), "weight"),
        )
    return sentence(
        _(
            "“{token}” was expected with {own}, a surprisal of {bits} bits. The most likely token "
            "there was “{best}”, with {share}."
        ),
        token=Mark(token.spoken, "query"),
        own=Mark(percent(2.0**-bits), "query"),
        bits=Mark(number(bits), "weight"),
        best=Mark(best.spoken, "accent"),
        share=Mark(percent(share), "accent"),
    )
