"""A text damaged in one of BART's ways, and how it is mended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray

from core.analysis.mended import aligned, runs_of
from core.figures import tokens
from core.figures.components import Chip, Strip
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of, ngettext
from core.models.needs import Needs
from core.runs.kinds.noise import Denoised, DenoiseRequest
from core.runs.request import Request
from core.text.noise import Noise
from core.views.controls import Control
from core.views.noise.spans import LONG, shown_values, typed_marks
from core.views.params import MAX_SEED, OnText, param
from core.views.view import Note, View

# --- a text damaged in one of BART's ways: what the views of it show ------------------


NOISES = {
    "mask": N_("Masking"),
    "delete": N_("Deletion"),
    "infill": N_("Infilling"),
    "permute": N_("Permutation"),
    "rotate": N_("Rotation"),
}
MOVES = ("permute", "rotate")  # these hide nothing


@dataclass(frozen=True, slots=True)
class Damaging(OnText):
    """How a text is damaged.

    Attributes:
        noise: one of BART's five ways.
        noise_rate: share of the tokens that is hidden, by the ways that hide any.
        noise_seed: of the draws.
        moved_part: a part that changed its place; -1 for none.
        piece: a token of the text that is looked at; -1 for the first hidden one.
    """

    noise: str = param("infill", choices=NOISES, label=N_("Noise"))
    noise_rate: float = param(
        0.3, low=0.05, high=0.5, label=N_("Share of tokens hidden by the noise")
    )
    noise_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))
    moved_part: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Part of the text"))
    piece: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token of the text"))


@dataclass(frozen=True)
class Damage:
    """A damaged text, and how the model mends it.

    Attributes:
        run: the text, what is left of it, what the model says.
        params: what was asked for.
    """

    run: Denoised
    params: Damaging

    @property
    def model(self) -> str:
        """The model's name, as a sentence has it."""
        return name_of(self.params.model)

    @property
    def moves(self) -> bool:
        """Whether tokens change places, and none is hidden."""
        return self.params.noise in MOVES

    @property
    def position(self) -> int:
        """The token of the text that is looked at."""
        n = len(self.run.tokens)
        if self.params.piece >= 0:
            return min(self.params.piece, n - 1)
        return int(self.run.hidden.argmax())

    @property
    def n_hidden(self) -> int:
        """Tokens that the encoder does not see."""
        return int(self.run.hidden.sum())

    @property
    def is_likeliest(self) -> NDArray[np.bool_]:
        """For each token of the text: given all before it, no other is likelier. ``(T,)``."""
        return self.run.wanted.found[: len(self.run.tokens)]

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """Where each token that the model writes stands in the text; -1 for nowhere."""
        return aligned([token.id for token in self.run.tokens], self.run.written.ids)

    @property
    def restored(self) -> NDArray[np.bool_]:
        """For each token of the text: the model writes it by itself, in its place. ``(T,)``."""
        flags = np.zeros(len(self.run.tokens), bool)
        flags[self.places[self.places >= 0]] = True
        return flags

    @cached_property
    def parts(self) -> NDArray[np.int64]:
        """Of a text that changed places, which part each token of it belongs to: ``(T,)``."""
        return runs_of(self.run.origin[:-1], len(self.run.tokens))

    @property
    def moved(self) -> bool:
        """Whether anything stands in another place than before."""
        origin = self.run.origin[:-1]
        return bool((origin != np.arange(len(origin))).any())

    def selection(self) -> dict[str, int | None]:
        """By the names of the parameters."""
        return {"piece": self.position}


class DamageView(View[Damaging, Damage]):
    """A view of a text that was damaged."""

    Params, needs = Damaging, Needs("denoise")

    def requests(self, params: Damaging) -> tuple[Request, ...]:
        noise = cast(Noise, params.noise)
        return (
            DenoiseRequest(params.model, params.text, noise, params.noise_seed, params.noise_rate),
        )  # fmt: skip

    def controls(self, record: Damage) -> Sequence[Control]:
        return [Control.none("noise_rate")] if record.moves else []

    def compute(self, runs: Sequence[Denoised], params: Damaging) -> Damage:
        return Damage(runs[0], params)


# --- what the encoder reads of a damaged text -----------------------------------------


class NoiseDamagedView(DamageView):
    """Marks, gaps that are not marked, or tokens in another order."""

    name = "noise.damaged"

    def values(self, record: Damage) -> Mapping[str, Values]:
        return shown_values(record.run)

    def describe(self, record: Damage) -> Sentence:
        if record.moves:
            return _order_sentence(record)
        n, total = record.n_hidden, len(record.run.tokens)
        marks = int((record.run.origin[:-1] < 0).sum())
        hidden: dict[str, str | Mark | Sentence] = {
            "n": Mark(str(n), "accent"), "all": str(total), "share": percent(n / total),
            "marks": Mark(str(marks), "accent"),
        }  # fmt: skip
        if record.params.noise == "delete":
            return sentence(
                _("{n} of {all} tokens are gone, {share}. Nothing shows where they stood."),
                **hidden,
            )
        return sentence(
            ngettext("{n} of {all} tokens are hidden, {share}, behind {marks} mark.",
                     "{n} of {all} tokens are hidden, {share}, behind {marks} marks.", marks),
            **hidden,
        )  # fmt: skip

    def draw(self, record: Damage) -> Strip:
        title = _("What the encoder reads")
        return Strip(
            title=title,
            selection=_selection(record),
            tokens=[_chip(record, position) for position in range(len(record.run.shown))],
            cut=tokens.cut_text(record.run.cut),
            field="moved_part" if record.moves else "piece",
            grouped=True,
            coloured=record.moves,
            notes=[str(origin) if record.moves and origin >= 0 else ""
                   for origin in record.run.origin],
            heading=sentence(
                _("What the encoder reads. Under each token: its position in the text")
                if record.moves else title
            ),
            name=title,
        )  # fmt: skip

    def notes(self, record: Damage) -> Sequence[Note]:
        return typed_marks(record.run.text)


def _chip(record: Damage, position: int) -> Chip:
    """A token that stayed, or that moved with its part; or a mark, which belongs to none."""
    token, origin = record.run.shown[position], int(record.run.origin[position])
    group = int(record.parts[origin]) if record.moves and origin >= 0 else origin
    chip = tokens.chip(token, group=None if group < 0 else group)
    if origin >= 0 or position == len(record.run.shown) - 1:
        return chip
    title = (_("stands for one hidden token") if record.params.noise == "mask"
             else _("stands for any number of hidden tokens, or for none"))  # fmt: skip
    return replace(chip, title=title)


def _selection(record: Damage) -> dict[str, int | None]:
    """A part that moved, or a token that stayed."""
    if not record.moves:
        return record.selection()
    part = record.params.moved_part
    return {"moved_part": None if part < 0 else min(part, int(record.parts.max()))}


def _order_sentence(record: Damage) -> Sentence:
    """What became of the order."""
    if not record.moved:
        return sentence(
            _("Every token stands where it stood: the text has one sentence, or the draw left "
              "the order as it was. Try another seed.")
        )  # fmt: skip
    n = int(record.parts.max()) + 1
    if record.params.noise == "rotate":
        return sentence(
            _("The text begins at position {at}. What stood before comes last. No token is "
              "hidden."),
            at=Mark(str(int(record.run.origin[0])), "accent"),
        )  # fmt: skip
    return sentence(
        _("The text is cut into {n} parts that stand in another order. No token is hidden."),
        n=Mark(str(n), "accent"),
    )


# --- the damaged text as the model writes it by itself, and what of it stood in the text


class NoiseRewrittenView(DamageView):
    """Greedily; what does not stand in the text is marked."""

    name = "noise.rewritten"

    def values(self, record: Damage) -> Mapping[str, Values]:
        written = record.run.written
        n = len(written.tokens)
        axes = (Along("token", _("token"), [str(position) for position in range(n)]),)
        stood = np.where(record.places >= 0, record.places.astype(np.float64), np.nan)
        share = record.restored.mean() if record.moves else _hidden(record)
        return {
            "token": Values(_("token"), np.array(tokens.labels(written.tokens), object), axes),
            "probability": Values(_("probability"), written.probs, axes),
            "stands": Values(_("position in the text"), stood, axes),
            "restored": Values(
                _("share of the tokens in their order") if record.moves
                else _("share of the hidden tokens that it writes"),
                np.array(float(share)),
            ),
        }  # fmt: skip

    def describe(self, record: Damage) -> Sentence:
        n, total = record.n_hidden, len(record.run.tokens)
        whole = sentence(
            ngettext("By itself the model writes {k} of the {n} token, in order.",
                     "By itself the model writes {k} of the {n} tokens, in order.", total),
            k=Mark(str(int(record.restored.sum())), "accent"), n=str(total),
        )  # fmt: skip
        if not n:
            return whole
        hidden = sentence(
            ngettext("Of the {n} hidden token it writes {k}.",
                     "Of the {n} hidden tokens it writes {k}.", n),
            k=Mark(str(int(record.restored[record.run.hidden].sum())), "accent"), n=str(n),
        )  # fmt: skip
        return join([whole, hidden])

    def draw(self, record: Damage) -> Strip:
        title = _("What the model writes by itself")
        written, hidden = record.run.written, record.run.hidden
        pairs = zip(written.tokens, record.places.tolist(), strict=True)
        # A token that stands in the text is selected with its place there.
        chips = [
            tokens.chip(token, group=origin if origin >= 0 else None) for token, origin in pairs
        ]
        other = [position for position, place in enumerate(record.places)
                 if place < 0 and not written.tokens[position].special]  # fmt: skip
        return Strip(
            title=title,
            selection=record.selection(),
            tokens=chips,
            field="piece",
            default=record.position,
            grouped=True,
            long=LONG,
            marked=other,
            notes=[_("restored") if place >= 0 and hidden[place] else ""
                   for place in record.places],
            heading=sentence(
                _("What the model writes by itself. Dashed: not in the text, or in another order")
                if record.moves else
                _("What the model writes by itself. Dashed: not in the text, or in another order. "
                  "Marked as restored: tokens that were hidden")
            ),
            name=title,
        )  # fmt: skip


def _hidden(record: Damage) -> float:
    hidden = record.run.hidden
    return float(record.restored[hidden].mean()) if hidden.any() else float("nan")


# --- what BART's decoder has to write: the whole text, what it can copy and what it has to guess


class NoiseWantedView(DamageView):
    """Every token with the probability that the model gives it after all those before it."""

    name = "noise.wanted"

    def values(self, record: Damage) -> Mapping[str, Values]:
        n = len(record.run.tokens)
        targets = record.run.wanted
        axes = (Along("position", _("position"), [str(position) for position in range(n)]),)
        labels = (tokens.labels(several[:n]) for several in (record.run.tokens, targets.best))
        token, best = (np.array(list(label), object) for label in labels)
        return {
            "token": Values(_("token"), token, axes),
            "hidden": Values(_("hidden"), record.run.hidden, axes),
            "probability": Values(
                _("probability"), targets.probs[:n], axes, selected=(record.position,)
            ),
            "best": Values(_("most likely there"), best, axes),
            "found": Values(_("nothing is more likely"), record.is_likeliest, axes),
            "hidden_found": Values(
                _("share of the hidden tokens that are most likely"),
                np.array(_share(record.is_likeliest, record.run.hidden)),
            ),
            "copied": Values(
                _("share of the visible tokens that are most likely"),
                np.array(_share(record.is_likeliest, ~record.run.hidden)),
            ),
        }  # fmt: skip

    def describe(self, record: Damage) -> Sentence:
        n, visible = record.n_hidden, len(record.run.tokens) - record.n_hidden
        copies = sentence(
            ngettext("Given all tokens before it, {k} of {n} visible token is the model's first "
                     "choice.",
                     "Given all tokens before each, {k} of {n} visible tokens are the model's "
                     "first choice.", visible),
            n=str(visible),
            k=Mark(str(int(record.is_likeliest[~record.run.hidden].sum())), "accent"),
        )  # fmt: skip
        if not n:
            return copies
        guesses = sentence(
            ngettext("Of the {n} hidden token, which it must guess, {k} is.",
                     "Of the {n} hidden tokens, which it must guess, {k} are.", n),
            n=str(n), k=Mark(str(int(record.is_likeliest[record.run.hidden].sum())), "accent"),
        )  # fmt: skip
        return join([copies, guesses]) if visible else guesses

    def draw(self, record: Damage) -> Strip:
        title = _("What the decoder must write, each token with its probability")
        n = len(record.run.tokens)
        return Strip(
            title=title,
            selection=record.selection(),
            tokens=[tokens.chip(token, group=None) for token in record.run.tokens],
            field="piece",
            default=record.position,
            heat=record.run.wanted.probs[:n],
            heat_role="accent",
            heat_limit=1.0,
            heat_unit="share",
            marked=np.flatnonzero(record.run.hidden).tolist(),
            readings=[_reading(record, position) for position in range(n)],
            heading=sentence(
                title if record.moves else
                _("What the decoder must write, each token with its probability. Dashed: hidden "
                  "from the encoder")
            ),
            name=title,
        )  # fmt: skip


def _share(flags: np.ndarray, among: np.ndarray) -> float:
    return float(flags[among].mean()) if among.any() else float("nan")


def _reading(record: Damage, position: int) -> Sentence:
    """How likely a token is where it belongs, and what else would be."""
    token, targets = record.run.tokens[position], record.run.wanted
    where = (_("“{token}” is hidden from the encoder. Given all tokens before it, the model gives "
               "it {share}.") if record.run.hidden[position]
             else _("“{token}” stands in what the encoder reads. Given all tokens before it, the "
                    "model gives it {share}."))  # fmt: skip
    summary = sentence(
        where,
        token=Mark(token.spoken, "query"),
        share=Mark(percent(float(targets.probs[position])), "accent"),
    )
    if record.is_likeliest[position]:
        return join([summary, sentence(_("Nothing is more likely here."))])
    other = sentence(
        _("“{best}” gets {share}."),
        best=Mark(targets.best[position].spoken, "strong"),
        share=percent(float(targets.best_probs[position])),
    )
    return join([summary, other])
