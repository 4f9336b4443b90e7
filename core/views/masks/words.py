"""What the views of masks say: what a query may see, what leaks, what padding changes."""

from __future__ import annotations

import numpy as np

from core.analysis.masks import way
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.language import _, ngettext
from core.locale import in_quotes, listed
from core.views.masks.asked import KINDS, MAX_SENTENCES, lines
from core.views.masks.run import MaskRun


def own_name(run: MaskRun) -> str:
    """The model's own mask; some have none."""
    if run.own_kind == "none":
        return _("no mask, as in training")
    return _("its own mask ({kind})").format(kind=_(KINDS[run.own_kind]))


def base_name(run: MaskRun) -> str:
    """What the run is compared with."""
    return {
        "own": own_name(run),
        "none": _("no mask"),
        "causal": _("a causal mask"),
        "closed": _("nothing visible"),
        "padding": _("padding not masked"),
    }[run.against]


def reading(run: MaskRun, query: int) -> Sentence:
    """What one query may see, and what that does to its attention in this head."""
    if query >= run.queries.n:
        return sentence(_("This is padding: it is computed with the rest and thrown away."))
    may = run.mask[query]
    seen, n = int(may.sum()), len(may)
    name = Mark(run.queries.words[query], "query")
    if not seen:
        return sentence(_("“{query}” may attend to nothing: all its weights are 0."),
                        query=name)  # fmt: skip
    if seen == n:
        first = sentence(_all_of_them(run, query), query=name, n=str(n))
        return join([first, *_leak_of(run, query)])
    first = sentence(
        ngettext(
            "“{query}” may attend to {seen} of {n} tokens.",
            "“{query}” may attend to {seen} of {n} tokens.",
            seen,
        ),
        query=name,
        seen=str(seen),
        n=str(n),
    )
    kept = float(run.kept[query])
    cost = sentence(
        _("Without the mask in this one layer, the masked tokens would get {share} of its "
          "attention. The others are divided by {kept}, to add up to 1 again."),
        share=Mark(percent(1.0 - kept), "weight"),
        kept=Mark(number(kept), "weight"),
    )  # fmt: skip
    return join([first, cost, *_leak_of(run, query)])


def _all_of_them(run: MaskRun, query: int) -> str:
    """That nothing is hidden from a query."""
    if not run.attention.square:
        return _("“{query}” may attend to all {n} tokens of the source.")
    if query == len(run.mask) - 1:
        return _("“{query}” is the last token and may attend to all {n}.")
    return _("“{query}” may attend to all {n} tokens, also to those after it.")


def _leak_of(run: MaskRun, query: int) -> list[Sentence]:
    """Whether one position can see its answer."""
    if not run.asks_next or query + 1 >= run.queries.n or not run.leaks.answer[query]:
        return []
    return [
        sentence(
            _("It can see the token it must predict, “{answer}”."),
            answer=Mark(run.queries.words[query + 1], "warning"),
        )
    ]


def reading_with_leak(run: MaskRun) -> Sentence:
    """What the selected query may see, and whether anything leaks."""
    leak = warning(run)
    return join([reading(run, run.query), *([leak] if leak else [])])


# --- what was asked for otherwise -----------------------------------------------------------------


def notices(run: MaskRun) -> list[str]:
    """What was asked for and cannot be shown as it is."""
    found = []
    side, n = run.spec.size, max(run.mask.shape)
    if run.spec.kind == "painted" and side != n:
        text = (
            _("The painted mask is {side} × {side} and this text has {n} tokens. For the tokens "
              "after it the model's own mask holds.")
            if side < n
            else _("The painted mask is {side} × {side} and this text has {n} tokens. What it says "
                   "of further tokens is left out.")
        )  # fmt: skip
        found.append(text.format(side=side, n=n))
    left_out = len(lines(run.params)) - (MAX_SENTENCES - 1)
    if run.batch and left_out > 0:
        found.append(
            ngettext(
                "A batch here has at most {most} sentences: the last line is left out.",
                "A batch here has at most {most} sentences: the last {n} lines are left out.",
                left_out,
            ).format(most=MAX_SENTENCES, n=left_out)
        )
    if run.too_long:
        found.append(
            ngettext(
                "The model's context holds {most} tokens: sentence {which} was cut.",
                "The model's context holds {most} tokens: sentences {which} were cut.",
                len(run.too_long),
            ).format(most=run.trace.config.n_ctx, which=listed(map(str, run.too_long)))
        )
    return found


# --- leaks ----------------------------------------------------------------------------------------


def warning(run: MaskRun) -> Sentence | None:
    """Whether positions of a next-token model can see what they are asked for, and how."""
    if not run.asks_next:
        return None
    found, n, words = run.leaks, run.queries.n, run.queries.words
    answers = np.flatnonzero(found.answer)
    if not len(answers):
        return _later(run)
    through = answers[~found.direct[answers]]
    how_many = ngettext(
        "Leak: {n} of {all} positions can see the token it must predict.",
        "Leak: {n} of {all} positions can see the token they must predict.",
        len(answers),
    ).format(n=len(answers), all=n - 1)
    parts = [sentence("{text}", text=how_many)]
    if len(through):
        parts.append(_indirect_leak(run, int(through[0]), len(through), len(answers)))
    else:
        at = int(answers[0])
        parts.append(
            sentence(
                _("“{query}” may attend directly to “{answer}”."),
                query=words[at],
                answer=words[at + 1],
            )
        )
    if run.spec.kind == "prefix":
        parts.append(
            sentence(
                _(
                    "That is why a prefix model is trained to predict nothing inside its "
                    "prefix, only after it."
                )
            )
        )
    return join(parts)


def _later(run: MaskRun) -> Sentence | None:
    """That something still to come is seen, though never the answer itself."""
    found, n, words = run.leaks, run.queries.n, run.queries.words
    if not found.positions:
        return None
    at = found.positions[0]
    first = int(np.flatnonzero(found.needed[at, at + 1 : n] > 0)[0]) + at + 1
    return sentence(
        _("Leak: “{query}” can see “{later}”, which comes after it, though not the very next "
          "token."),
        query=words[at], later=words[first],
    )  # fmt: skip


def _indirect_leak(run: MaskRun, at: int, n_through: int, n_all: int) -> Sentence:
    """How an answer arrives although no cell of the mask shows it."""
    stops, words = way(run.stops, at, at + 1), run.queries.words
    text = (
        _("None of them attends to it directly: “{answer}” reaches “{query}” by way of "
          "{through}, one layer per step.")
        if n_through == n_all
        else ngettext(
            "{n} of them reaches it only through other tokens: “{answer}” reaches “{query}” by way "
            "of {through}, one layer per step.",
            "{n} of them reach it only through other tokens: “{answer}” reaches “{query}” by way "
            "of {through}, one layer per step.",
            n_through,
        )
    )  # fmt: skip
    return sentence(
        text,
        n=str(n_through),
        answer=words[at + 1],
        query=words[at],
        through=listed(in_quotes(words[stop]) for stop in stops[1:-1]),
    )


# --- a batch --------------------------------------------------------------------------------------


def in_a_batch(run: MaskRun) -> Sentence:
    """What the padding does to the prediction, and what masking it gives back."""
    if not run.given.stream.n_padding:
        return sentence(
            _("This is the longest sentence of the batch, so it needs no padding. Its logits "
              "are those it has alone, to within {alone}."),
            alone=number(run.alone, 2),
        )  # fmt: skip
    n = len(run.logits) - run.trace.main.n_padding
    seen = number(float(np.abs(run.base[:n] - run.logits[:n]).max()), 2)
    if len(run.trace.blueprint.attentions) > 1:
        return _of_several(run, seen)
    same = sentence(
        _("Alone, the sentence gives the same logits, to within {alone}: the mask removes the "
          "effect of the padding."),
        alone=number(run.alone, 2),
    )  # fmt: skip
    if run.own_kind == "causal":
        return join([
            same,
            sentence(
                _("Here the padding mask changes nothing: the padding comes after the text, "
                  "and the causal mask already hides it (largest change without a padding "
                  "mask: {seen})."),
                seen=seen,
            ),
        ])  # fmt: skip
    return join([
        same,
        sentence(_("If the padding were visible, the logits would change by up to {seen}."),
                 seen=Mark(seen, "warning")),
    ])  # fmt: skip


def _of_several(run: MaskRun, seen: str) -> Sentence:
    """What a mask of one attention does about the padding, where there are others."""
    if run.keys.stream is not run.given.stream:
        return sentence(_("The padding stands in the source, which this attention does not see."))
    return sentence(
        _("The mask hides the padding from this attention alone, which changes the logits by "
          "up to {seen}. The other attentions still see it."),
        seen=Mark(seen, "warning"),
    )  # fmt: skip
