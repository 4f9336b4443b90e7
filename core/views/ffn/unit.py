"""One layer's feed-forward network on a text: what every view of its units is computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.analysis.distributions import largest
from core.analysis.units import logits_per_one, strongest, word_cosines
from core.figures import tokens
from core.figures.text import Mark, Sentence, number, percent, sentence
from core.figures.values import Along
from core.language import N_, _, name_of
from core.locale import grouped
from core.models.blueprint import Stack
from core.models.needs import Needs
from core.runs.requests import Request, TraceRequest
from core.runs.results import Run
from core.tracing.trace import Array, Trace
from core.units import Unit
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import OnStack, param
from core.views.parts import tower_called
from core.views.view import View

N_UNITS = 12  # rows of the figure
N_WORDS = 4  # that a unit has most to do with, and as many at the other end

NAMES = {
    "relu": N_("ReLU"),
    "gelu": N_("GELU (erf)"),
    "gelu_tanh": N_("GELU (tanh)"),
    "relu_squared": N_("squared ReLU"),
    "silu": N_("SiLU"),
    "gated": N_("gated SiLU"),
}


@dataclass(frozen=True, slots=True)
class AtUnit(OnStack):
    """A unit of a layer, and a token.

    Attributes:
        layer, token: counted from 0; token -1 for the last word.
        unit: its number; -1 for the strongest.
        rank: which units are listed: the strongest for the "token" or anywhere in the "text".
        function: which non-linearity is drawn; "own" is the model's.
    """

    layer: int = param(5, low=0, high=255, picked=True, label=N_("Layer"))
    token: int = param(-1, low=-1, high=100_000, picked=True, label=N_("Token"))
    unit: int = param(-1, low=-1, high=100_000, picked=True, label=N_("Unit"))
    rank: str = param(
        "token",
        choices={"token": N_("on this token"), "text": N_("anywhere in the text")},
        label=N_("Most active units"),
    )
    function: str = param(
        "own",
        choices={"own": N_("the model's own"), **NAMES},
        label=N_("Activation function drawn"),
    )


@dataclass(frozen=True, eq=False)
class Units:
    """One layer's feed-forward network on a text.

    Attributes:
        run: the whole run.
        params: what was asked for.
    """

    run: Run
    params: AtUnit

    @property
    def trace(self) -> Trace:
        return self.run.trace

    # --- where in the model --------------------------------------------------------------

    @property
    def stack(self) -> Stack:
        return self.trace.blueprint.stack(self.params.stack)

    @property
    def layer(self) -> int:
        return nearest("layer", self.params.layer, self.stack.n_layers - 1)

    @property
    def prefix(self) -> str:
        """Of the sites of this layer's network."""
        return f"{self.stack.block(self.layer)}.ffn."

    @property
    def place(self) -> str:
        """The block in a sentence: "2", or "2 (encoder)" in a model of two stacks."""
        if len(self.trace.blueprint.stacks) == 1:
            return str(self.layer)
        return f"{self.layer} ({tower_called(self.stack)})"

    @property
    def reads(self) -> str:
        """The site of what the network is given."""
        return f"{self.stack.block(self.layer)}.{self.stack.input_of('ffn')}"

    def site(self, name: str) -> Array:
        """A site of this layer's network, ``(T, ...)``."""
        return self.trace[self.prefix + name]

    # --- tokens and units ----------------------------------------------------------------

    @property
    def tokens(self) -> tuple[Unit, ...]:
        """Of the stream that the network works on."""
        return self.trace.streams[self.stack.stream].units

    @property
    def token(self) -> int:
        chosen, own = self.params.token, self.tokens
        return tokens.last_word(own) if chosen < 0 else nearest("token", chosen, len(own) - 1)

    @property
    def n(self) -> int:
        """How many units there are."""
        return int(self.site("post").shape[1])

    @cached_property
    def listed(self) -> list[int]:
        """The units that are shown, strongest first; the selected one is always among them."""
        post = self.site("post")
        sizes = post[self.token] if self.params.rank == "token" else np.abs(post).max(axis=0)
        found = strongest(sizes, N_UNITS)
        if self.chosen >= 0 and self.chosen not in found:
            found[-1] = self.chosen
        return found

    @property
    def chosen(self) -> int:
        """The unit that is asked for; -1 for none."""
        return nearest("unit", self.params.unit, self.n - 1, -1)

    @property
    def unit(self) -> int:
        return self.chosen if self.chosen >= 0 else self.listed[0]

    @property
    def row(self) -> int:
        """The selected unit's place among those listed."""
        return self.listed.index(self.unit)

    def name(self, at: int) -> str:
        """A token inside a sentence."""
        return self.tokens[at].spoken

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        return {"token": self.token, "unit": self.unit, "layer": self.layer}

    @property
    def along(self) -> tuple[Along]:
        """The tokens, for numbers."""
        return (Along("token", _("token"), tokens.labels(self.tokens)),)

    # --- the non-linearity ---------------------------------------------------------------

    @property
    def activation(self) -> str:
        """The model's own non-linearity."""
        return self.stack.activation

    @property
    def function(self) -> str:
        """The one that is drawn."""
        return self.activation if self.params.function == "own" else self.params.function

    # --- what a unit writes --------------------------------------------------------------

    @property
    def to_logits(self) -> bool:
        """Only a norm and the output matrix stand between the last block and the logits."""
        blueprint = self.trace.blueprint
        norm = blueprint.final_norm(self.stack)
        return norm is not None and blueprint.head.table is not None

    @property
    def last(self) -> bool:
        """No block follows."""
        return self.layer == self.stack.n_layers - 1

    @cached_property
    def per_word(self) -> Array:
        """Each listed unit against every word: logits for each 1 of it, or else cosines."""
        where = self.trace, self.stack, self.layer, self.listed
        return logits_per_one(*where, self.token) if self.to_logits else word_cosines(*where)

    def words(self, row: int, n: int = N_WORDS) -> list[tuple[str, float]]:
        """The words with a listed unit's largest numbers, then those with its smallest."""
        own = self.per_word[row]
        chosen = [*largest(own, n), *largest(-own, n)[::-1]]
        return [(self.run.words(int(i)).label, float(self.per_word[row, i])) for i in chosen]


def entering(record: Units) -> str:
    """What a unit's number is called where it enters the activation function: before GELU."""
    function = _(NAMES[record.activation]).partition(" (")[0]
    return _("before {function}").format(function=function)


class OfUnits(View[AtUnit, Units]):
    """A view of the units of a layer."""

    Params, needs = AtUnit, Needs(parts=("blocks",))

    def requests(self, params: AtUnit) -> tuple[Request, ...]:
        """The whole trace: every page on a text shares this one run."""
        return (TraceRequest(params.model, params.given),)

    def compute(self, runs: Sequence[Run], params: AtUnit) -> Units:
        return Units(runs[0], params)

    def controls(self, record: Units) -> Sequence[Control]:
        options = [(name, _(label)) for name, label in NAMES.items()]
        return (Control("function", record.function, options=options),)

    def facts(self, record: Units) -> Sequence[str]:
        said = _("{model} · layer {layer} · {n} units · unit {unit} on “{token}” · ran in {ms} ms")
        return (
            said.format(
                model=name_of(record.params.model),
                layer=record.place,
                n=grouped(record.n),
                unit=record.unit,
                token=record.name(record.token),
                ms=f"{record.trace.seconds * 1e3:.0f}",
            ),
        )


def reading(record: Units, at: int) -> Sentence:
    """How many units answer to one token, and which does most."""
    pre, post = record.site("pre")[at], record.site("post")[at]
    best = strongest(post, 1)[0]
    everywhere = record.site("post")[:, best]
    most = int(np.abs(everywhere).argmax())
    where = (
        _("nowhere in this text is it more active")
        if most == at
        else _("on “{other}” it reaches {value}").format(
            other=record.name(most), value=number(float(everywhere[most]))
        )
    )
    return sentence(
        _("On “{token}”, {n} of {all} units are active ({share}). Unit {unit} is the most "
          "active, with {value}, and {where}."),
        token=Mark(record.name(at), "query"),
        n=str(int((pre > 0).sum())),
        all=grouped(record.n),
        share=percent(float((pre > 0).mean())),
        unit=Mark(str(best), "strong"),
        value=Mark(number(float(post[best])), "accent"),
        where=where,
    )  # fmt: skip


def direct_path(record: Units) -> list[Sentence]:
    """What the numbers of a unit before the last block leave out; nothing to say of others."""
    if record.last or not record.to_logits:
        return []
    return [sentence(_("This is the direct path alone: later layers read it too."))]
