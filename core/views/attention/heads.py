"""Every layer and head at a glance, and the heads of one layer as lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.analysis.heads import (
    entropy,
    first_token_score,
    induction_score,
    previous_token_score,
)
from core.figures.components import Arcs, HeadGrid, HeadScore
from core.figures.components.head_grid import pooled
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of, ngettext
from core.models.needs import Needs
from core.runs.kinds.trace import Run
from core.runs.request import Request
from core.tracing.trace import Array
from core.views.attention.head import AtHead, HeadRun, head_requests, head_run, reading
from core.views.params import param
from core.views.parts import head_marked, layer_at, titled
from core.views.view import Note, View

# --- every layer and head at a glance, by its map or by what it does as a number ------


SCORES = {
    "entropy": N_("entropy"),
    "previous": N_("previous token"),
    "first": N_("first token"),
    "induction": N_("induction"),
}
AT_LEAST = {"induction": 0.4, "previous": 0.5, "first": 0.6}  # from which a head is named by it


SHOWN = {"maps": N_("maps"), **SCORES}


@dataclass(frozen=True, slots=True)
class OfAllHeads(AtHead):
    """All heads at once: the selected one is outlined.

    Attributes:
        score: what stands for a head, its map or one number.
    """

    layer: int = param(5, low=0, high=255, lives="browser", label=N_("Layer"))
    head: int = param(3, low=0, high=255, lives="browser", label=N_("Head"))
    score: str = param("maps", choices=SHOWN, lives="browser", label=N_("Shown for each head"))


@dataclass(frozen=True, slots=True)
class AtHeads(AtHead):
    """The selected head, and how it is looked at.

    Attributes:
        score: what stands for a head in the overview beside it.
        drawn: how the selected head is drawn large.
        heads: "0:1,2": while head 0 is selected, lines of heads 1 and 2 are drawn; empty for
            those of the selected head.
        every: lines of every query are drawn, not those of the selected one alone.
    """

    score: str = param("maps", choices=SHOWN, lives="browser", label=N_("Shown for each head"))
    drawn: str = param(
        "matrix", choices={"matrix": N_("Matrix"), "lines": N_("Lines")}, label=N_("Drawn as")
    )
    heads: str = param(
        "",
        pattern=r"|\d{1,3}:\d{1,3}(,\d{1,3}){0,255}",
        form=N_("of the form 0:1,2"),
        high=1100,
        lives="browser",
        label=N_("Chosen heads"),
    )
    every: bool = param(False, lives="browser", label=N_("Lines of every query"))


@dataclass(frozen=True)
class HeadsGrid:
    """All heads of one kind of attention; arrays are ``(layers, heads)``.

    Attributes:
        run: the selected head.
        shown: "maps", or the name of a score.
        maps: pooled, as bytes.
        scores: by name.
    """

    run: HeadRun
    shown: str
    maps: NDArray[np.uint8]
    scores: Mapping[str, Array]

    def names(self) -> list[list[str]]:
        """What a head does on this text, where a score says so clearly."""
        words = {
            "induction": _("attends to what followed before"),
            "previous": _("attends to the previous token"),
            "first": _("rests on the first token"),
        }

        def name(layer: int, head: int) -> str:
            clear = (s for s, least in AT_LEAST.items() if self.scores[s][layer, head] >= least)
            return words[first] if (first := next(clear, None)) else ""

        n_layers, n_heads = self.scores["entropy"].shape
        return [[name(layer, head) for head in range(n_heads)] for layer in range(n_layers)]


class AttentionHeadsView(View[OfAllHeads, HeadsGrid]):
    """Small pictures, or one number for each head."""

    name, Params, needs = "attention.heads", OfAllHeads, Needs(parts=("attention",))

    def requests(self, params: OfAllHeads) -> tuple[Request, ...]:
        return head_requests(params)

    def compute(self, runs: Sequence[Run], params: OfAllHeads) -> HeadsGrid:
        run = head_run(runs, params)
        labels = [unit.label for unit in run.trace.streams[run.attention.keys].units]
        ids, square = [labels.index(label) for label in labels], run.attention.square
        maps, scores = [], []
        for layer in range(run.attention.n_layers):
            weights = run.weights(layer)
            maps.append([pooled(head) for head in weights])
            spread = entropy(weights).mean(axis=-1)
            none = np.zeros_like(spread)  # there is no token before one of another stream
            scores.append(
                {
                    "entropy": spread,
                    "previous": previous_token_score(weights) if square else none,
                    "first": first_token_score(weights) if square else none,
                    "induction": induction_score(weights, ids) if square else none,
                }
            )
        stacked = {
            name: np.stack([of_layer[name] for of_layer in scores]).astype(np.float32)
            for name in SCORES
        }
        return HeadsGrid(run, params.score, np.array(maps, np.uint8), stacked)

    def values(self, record: HeadsGrid) -> Mapping[str, Values]:
        n_layers, n_heads = record.scores["entropy"].shape
        axes = (
            Along("layer", _("layer"), [str(layer) for layer in range(n_layers)]),
            Along("head", _("head"), [str(head) for head in range(n_heads)]),
        )
        place = (record.run.layer, record.run.head)
        return {
            name: Values(
                _(label), record.scores[name], axes, selected=place,
                unit=_("bits") if name == "entropy" else "",
            )
            for name, label in SCORES.items()
        }  # fmt: skip

    def describe(self, record: HeadsGrid) -> Sentence:
        scores = record.scores
        parts = [
            _best(
                record,
                "previous",
                _("{where} attends most to the previous token, with {share}."),
            ),
            _best(record, "first", _("{where} attends most to the first token, with {share}.")),
        ]
        if scores["induction"].max() > 0.05:
            text = _("{where} attends most to what followed earlier occurrences of the same "
                     "token, with {share}.")  # fmt: skip
            parts.append(_best(record, "induction", text))
        summary = join(parts)
        if not record.run.attention.square:
            return _spread(record)
        return summary if record.shown != "entropy" else join([summary, _spread(record)])

    def facts(self, record: HeadsGrid) -> Sequence[str]:
        run, n = record.run, len(record.run.queries)
        facts = (
            name_of(run.params.model),
            _sizes(run),
            ngettext("{n} token", "{n} tokens", n).format(n=n),
            _("ran in {ms} ms").format(ms=f"{run.trace.seconds * 1e3:.0f}"),
        )
        return [fact for fact in facts if fact]

    def notes(self, record: HeadsGrid) -> Sequence[Note]:
        n_heads, d_head = record.run.n_heads, record.run("q").shape[1]
        text = _("Each token's q, k and v have {d} components, cut into {h} heads of {dh} each: B "
                 "× T × D → B × H × T × D/H, for B texts at once. The outputs of the heads are "
                 "put side by side again, {h} · {dh} = {d} components, and W_O mixes "
                 "them.")  # fmt: skip
        numbers = {"d": n_heads * d_head, "h": n_heads, "dh": d_head}
        note = sentence(text, **{name: str(n) for name, n in numbers.items()})
        return [Note("more", note)]

    def draw(self, record: HeadsGrid) -> HeadGrid:
        title = _("All heads on this text")
        if record.shown != "maps":
            score = _(SCORES[record.shown])
            title = _("All heads on this text: {score}").format(score=score)
        attention = record.run.attention
        rows = [layer_at(attention.n_layers, layer) for layer in range(attention.n_layers)]
        columns = [
            "" if attention.n_heads is None else _("head {head}").format(head=head)
            for head in range(record.maps.shape[1])
        ]
        return HeadGrid(
            title=title,
            selection={"layer": record.run.layer, "head": record.run.head},
            maps=record.maps,
            scores=_scores(record),
            names=record.names(),
            rows=rows,
            columns=columns,
            shown=record.shown,
        )


def _sizes(run: HeadRun) -> str:
    """How many layers and heads its kind of attention has; nothing where there is one map."""
    layers, heads = run.attention.n_layers, run.attention.n_heads
    if heads is None:
        return _("{layers} layers").format(layers=layers) if layers > 1 else ""
    return _("{layers} layers × {heads} heads").format(layers=layers, heads=heads)


def _highest(record: HeadsGrid, score: str) -> tuple[Sentence, float]:
    """The head with the highest score, and that."""
    values = record.scores[score]
    layer, head = map(int, np.unravel_index(int(values.argmax()), values.shape))
    return head_marked(record.run.attention, layer, head), float(values[layer, head])


def _best(record: HeadsGrid, score: str, template: str) -> Sentence:
    """What the head does that does it most."""
    where, share = _highest(record, score)
    return sentence(template, where=where, share=Mark(percent(share), "weight"))


def _spread(record: HeadsGrid) -> Sentence:
    """The head that spreads its attention most evenly."""
    where, bits = _highest(record, "entropy")
    text = _("{where} spreads its attention most evenly: its entropy is {bits} bits.")
    if record.scores["entropy"].size == 1:
        text = _("The mean entropy of the attention is {bits} bits.")
    return sentence(text, where=where, bits=Mark(number(bits), "weight"))


def _scores(record: HeadsGrid) -> list[HeadScore]:
    most = float(np.log2(max(2, len(record.run.keys))))
    notes = {
        "entropy": _("Entropy in bits, mean over the queries. 0 means all attention on one "
                     "token, {most} means spread evenly over all.").format(most=number(most)),
        "previous": _("Mean weight on the token just before."),
        "first": _("Mean weight on the first token. A head that finds nothing often puts its "
                   "weight there."),
        "induction": _("Mean weight from a repeated token to all that followed its earlier "
                       "occurrences. It is 0 when no token comes twice."),
    }  # fmt: skip
    return [
        HeadScore(
            _(label), name, most if name == "entropy" else 1.0, notes[name], record.scores[name]
        )
        for name, label in SCORES.items()
        if record.run.attention.square or name == "entropy"
    ]


# --- the heads of one layer as lines between queries and keys -------------------------


LINES = 64  # tokens that are drawn with lines between them
LEAST_OF_ONE, LEAST_OF_ALL = 0.01, 0.08  # weights that are drawn, of one query and of all


@dataclass(frozen=True)
class DrawnHeads:
    """A layer, and which of its heads are drawn.

    Attributes:
        run: the selected head.
        params: which further ones.
    """

    run: HeadRun
    params: AtHeads

    @property
    def query(self) -> int:
        """The selected query, if it is drawn at all."""
        return min(self.run.query, LINES - 1)


class AttentionLinesView(View[AtHeads, DrawnHeads]):
    """Two columns of tokens and what is between them."""

    name, Params, needs = "attention.lines", AtHeads, Needs(parts=("attention",))

    def requests(self, params: AtHeads) -> tuple[Request, ...]:
        return head_requests(params)

    def compute(self, runs: Sequence[Run], params: AtHeads) -> DrawnHeads:
        return DrawnHeads(head_run(runs, params), params)

    def values(self, record: DrawnHeads) -> Mapping[str, Values]:
        run = record.run
        weights = run.weights(run.layer)
        heads = Along("head", _("head"), [str(head) for head in range(len(weights))])
        place = (run.head, run.query, run.key)
        return {
            "weights": Values(
                _("Attention weights"), weights, (heads, *run.along), site=run.prefix + "weights",
                selected=place,
            )
        }  # fmt: skip

    def describe(self, record: DrawnHeads) -> Sentence:
        run, heads = record.run, self.show_heads(record)
        sentences = [reading(replace(run, head=head), record.query) for head in heads]
        if heads != [run.head]:
            sentences = [
                join([sentence(_("Head {head}:"), head=str(head)), reading])
                for head, reading in zip(heads, sentences, strict=True)
            ]
        if record.params.every:
            sentences.insert(
                0, sentence(_("The lines of all queries are drawn. For the selected query:"))
            )
        return join(sentences)

    def show_heads(self, record: DrawnHeads) -> list[int]:
        """The heads that are drawn."""
        return self._arcs(record, alt="").drawn

    def site(self, record: DrawnHeads) -> str:
        return record.run.prefix + "weights"

    def draw(self, record: DrawnHeads) -> Arcs:
        return self._arcs(record, str(self.describe(record)))

    def _arcs(self, record: DrawnHeads, alt: str) -> Arcs:
        run = record.run
        note = _("Thickness is the weight. With all queries drawn, weights under {least} are "
                 "left out.").format(least=percent(LEAST_OF_ALL))  # fmt: skip
        if max(len(run.queries), len(run.keys)) > LINES:
            note += " " + _("The first {n} tokens are drawn.").format(n=LINES)
        return Arcs(
            title=titled(
                _("Attention weights as lines"), layer_at(run.attention.n_layers, run.layer)
            ),
            alt=alt,
            selection=run.selection(),
            queries=run.queries[:LINES],
            keys=run.keys[:LINES],
            weights=run.weights(run.layer)[:, :LINES, :LINES],
            heads=record.params.heads,
            every=record.params.every,
            least_of_one=LEAST_OF_ONE,
            least_of_all=LEAST_OF_ALL,
            note=note,
        )
