"""The text as the masked model reads it; a click hides a word or shows it again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.figures import tokens
from core.figures.components import Chip, Strip
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.models.needs import Needs
from core.runs.guesses import Candidate, Filled
from core.runs.requests import Request
from core.spelling import visible
from core.text.marks import MASK
from core.views.masked.gap import Hidden, Hiding, gap_requests, hidden
from core.views.view import View
from core.views.weak import WEAK


class HiddenStrip(View[Hiding, Hidden]):
    """Chips that can be marked, and what both models say of the gap that is looked at."""

    name, Params, needs = "masked.strip", Hiding, Needs("masked_words")

    def requests(self, params: Hiding) -> tuple[Request, ...]:
        return gap_requests(params)

    def compute(self, runs: Sequence[Filled], params: Hiding) -> Hidden:
        return hidden(runs, params)

    def values(self, record: Hidden) -> Mapping[str, Values]:
        labels = tokens.labels(record.run.tokens)
        axes = (Along("position", _("position"), [str(at) for at in range(len(labels))]),)
        marked = {at for gap in record.run.gaps for at in gap}
        return {
            "token": Values(_("token"), np.array(labels, object), axes),
            "hidden": Values(
                _("hidden"), np.array([at in marked for at in range(len(labels))]), axes,
                selected=(record.run.looked[0],),
            ),
        }  # fmt: skip

    def describe(self, record: Hidden) -> Sentence:
        truth = record.truth
        if truth is None:
            return _typed(record)
        if math.isnan(truth.left):
            return join([_in_sight(record, truth), _too_long(record, truth)])
        if record.open:
            return sentence(
                _("Nothing is hidden: {masked} sees “{word}” itself and gives it {share}. "
                  "{causal} has to predict it from the left: {expected}."),
                word=Mark(visible(truth.text), "query"),
                share=Mark(percent(truth.both), "accent"),
                expected=percent(truth.left),
                **record.models,
            )  # fmt: skip
        said = [_from_both(record, truth), _from_left(record, truth)]
        if truth.both < truth.left:
            text = _("Reading both sides does not always win: here {causal} does better. The two "
                     "models were also trained differently.")  # fmt: skip
            said.append(sentence(text, **record.models))
        return join(said)

    def facts(self, record: Hidden) -> Sequence[str]:
        n, k = len(record.run.tokens), len(record.run.gaps)
        return (
            record.masked,
            ngettext("{n} token", "{n} tokens", n).format(n=n),
            ngettext("{n} word hidden", "{n} words hidden", k).format(n=k),
            _("ran in {ms} ms").format(ms=f"{record.run.seconds * 1e3:.0f}"),
            _("click a word to hide it or to show it again, or type [MASK] in the text"),
        )

    def acts(self, record: Hidden) -> Mapping[str, Mapping[str, Mapping[str, str | None]]]:
        return {"marked": {"": {"hide": "none"}, "*": {"hide": "{}"}}}  # numbers of words

    def draw(self, record: Hidden) -> Strip:
        run = record.run
        title = _("The text with its hidden words")
        reading = self.describe(record)
        return Strip(
            title=title,
            alt=str(reading),
            selection=record.selection(),
            tokens=_chips(record),
            cut=tokens.cut_text(run.cut),
            default=run.looked[0],
            toggles="group",
            marked=[at for n in run.hidden for at in run.words[n]],
            marked_label=MASK,
            readings=[reading],
            heading=sentence(title),
            name=title,
        )


def _chips(record: Hidden) -> list[Chip]:
    run = record.run
    number_of = {at: n for n, word in enumerate(run.words) for at in word}
    chips = []
    for at, token in enumerate(run.tokens):
        chip = tokens.chip(token, group=number_of.get(at, -1))
        typed, title = run.text[token.start : token.end], chip.title
        if at in number_of and typed.encode() != token.data:
            title = _("typed “{typed}” · {rest}").format(typed=visible(typed), rest=title)
        if token.special and typed:
            title = _("typed as {mask}: a word you hid yourself").format(mask=MASK)
        chips.append(replace(chip, title=title, fixed=at not in number_of))
    return chips


def _typed(record: Hidden) -> Sentence:
    """The reading of a gap that was typed: no word is known to stand there."""
    both, left = record.best("both"), record.best("left")
    said = sentence(
        _("{masked} reads both sides and expects “{best}” with {share}. {causal} reads only "
          "what stands to the left of the gap and expects “{other}” with {expected}."),
        best=Mark(visible(both.text), "accent"),
        share=Mark(percent(both.both), "accent"),
        other=Mark(visible(left.text), "accent"),
        expected=percent(left.left),
        **record.models,
    )  # fmt: skip
    if both.both >= WEAK:
        return said
    unsure = sentence(
        _("{masked} does not know it: its best guess gets only {share}."),
        share=Mark(percent(both.both), "warning"),
        **record.models,
    )
    return join([said, unsure])


def _from_both(record: Hidden, truth: Candidate) -> Sentence:
    """What the masked model says of the hidden word, and what it finds likelier."""
    best = record.best("both")
    return sentence(
        _("{masked} reads both sides: “{word}” gets {share}.")
        if best is truth
        else _("{masked} reads both sides: “{word}” gets {share}, “{best}” {most}."),
        word=Mark(visible(truth.text), "query"),
        share=Mark(percent(truth.both), "accent"),
        best=Mark(visible(best.text), "strong"),
        most=percent(best.both),
        **record.models,
    )


def _from_left(record: Hidden, truth: Candidate) -> Sentence:
    """The same of the causal model."""
    best = record.best("left")
    return sentence(
        _("{causal} reads only the left: “{word}” gets {share}.")
        if best is truth
        else _("{causal} reads only the left: “{word}” gets {share}, “{best}” {most}."),
        word=Mark(visible(truth.text), "query"),
        share=Mark(percent(truth.left), "accent"),
        best=Mark(visible(best.text), "strong"),
        most=percent(best.left),
        **record.models,
    )


def _in_sight(record: Hidden, truth: Candidate) -> Sentence:
    """What the masked model gives the word, hidden or not."""
    return sentence(
        _("Nothing is hidden: {masked} sees “{word}” itself and gives it {share}.")
        if record.open
        else _("{masked} reads both sides: “{word}” gets {share}."),
        word=Mark(visible(truth.text), "query"),
        share=Mark(percent(truth.both), "accent"),
        **record.models,
    )


def _too_long(record: Hidden, truth: Candidate) -> Sentence:
    """Why the causal model gives none: it would need too many pieces for the word."""
    return sentence(
        _("{causal} reads only the left. It needs {n} tokens for “{word}”: too many to "
          "compute a probability."),
        word=Mark(visible(truth.text), "query"),
        n=str(max(len(one.pieces) for one in truth.spellings)),
        **record.models,
    )  # fmt: skip
