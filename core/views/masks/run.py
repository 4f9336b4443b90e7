"""What a mask does to one run: the numbers of it, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import softmax
from core.analysis.masks import Leaks, leaks, next_stops, share_kept, way
from core.figures import tokens
from core.figures.components import By
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.inputs import Batch, Padded, Text
from core.language import N_, _, name_of, ngettext
from core.locale import in_quotes, listed
from core.models.blueprint import Attention
from core.models.needs import Needs
from core.runs.kinds.trace import ATTENTION, Run, TraceRequest
from core.runs.mask_spec import MASK_FORM, OPPOSITE, OWN_MASK, MaskKind, MaskSpec
from core.runs.request import Request
from core.text.marks import MASK
from core.tracing.trace import Array, Mask, Stream, Trace
from core.units import Token, Unit
from core.views.attention.head import by_head
from core.views.controls import Control
from core.views.nearest import nearest
from core.views.params import OnText, param
from core.views.parts import head_at
from core.views.view import Note, View

# --- what views of masks are asked for: one head under a mask, alone or in a padded batch


MAX_SENTENCES = 5  # of a batch, the learner's own among them
LOGITS = ("@logits",)

KINDS: dict[MaskKind, str] = {
    "none": N_("no mask"),
    "causal": N_("causal"),
    "padding": N_("padding"),
    "prefix": N_("prefix"),
    "window": N_("sliding window"),
    "painted": N_("painted by hand"),
}
SIZES: dict[MaskKind, int] = {"prefix": 4, "window": 3}  # where a kind starts when it is chosen
ACROSS: tuple[MaskKind, ...] = ("none", "padding", "painted")  # the others ask what comes before


@dataclass(frozen=True, slots=True)
class UnderMask(OnText):
    """One head under a mask.

    Attributes:
        attention: which kind, in a model that has several.
        mask: written as ``MaskSpec`` says.
        layer, head: counted from 0.
        token: the query; -1 for a hidden word or one near the end.
        key: the key; -1 for the one that gets most.
        sheet: which matrix is shown.
        batch: the other sentences of a padded batch, one a line.
        sentence: which of them is looked at; 0 is the text itself.
        row, col, stage: of the worked example.
    """

    attention: str = param("", part="attention", label=N_("Attention"))
    mask: str = param("own", pattern=MaskSpec.parse, form=MASK_FORM, picked=True, label=N_("Mask"))
    layer: int = param(5, low=0, high=255, picked=True, label=N_("Layer"))
    head: int = param(3, low=0, high=255, picked=True, label=N_("Head"))
    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))
    key: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Key"))
    sheet: int = param(0, low=0, high=20, lives="browser", label=N_("Matrix"))
    batch: str = param(
        "The cat sat on the mat.\nStop!", label=N_("The other sentences, one per line")
    )
    sentence: int = param(1, low=0, high=100, picked=True, label=N_("Sentence"))
    row: int = param(2, low=0, high=100_000, lives="browser", label=N_("Row"))
    col: int = param(1, low=0, high=100_000, lives="browser", label=N_("Column"))
    stage: int = param(2, low=0, high=20, lives="browser", label=N_("Step of the worked example"))


def lines(params: UnderMask) -> list[str]:
    """What was typed as the other sentences."""
    return [line for line in params.batch.splitlines() if line.strip()]


def sentences(params: UnderMask) -> tuple[str, ...]:
    """The batch: the learner's text and the other lines."""
    return (params.text, *lines(params)[: MAX_SENTENCES - 1])


def mask_requests(params: UnderMask) -> tuple[Request, ...]:
    """The run under the mask, that under the model's own, and what that one is compared with."""
    spec = MaskSpec.parse(params.mask)
    if spec.kind == "padding":
        return _padding_requests(params, spec)
    text = Text(params.text)
    request = TraceRequest(params.model, text, sites=(ATTENTION,))
    under = replace(request, mask=spec, attention=params.attention) if spec != OWN_MASK else request
    opposite = replace(request, mask=OPPOSITE, attention=params.attention, sites=LOGITS)
    # Compared with it, they read what is written under the mask.
    beside = replace(request, target_of=under) if under != request else request
    return under, beside, replace(opposite, target_of=under)


def _padding_requests(params: UnderMask, spec: MaskSpec) -> tuple[Request, ...]:
    """A row of a batch with its padding hidden and in sight, the whole batch, the row alone."""
    model, batch = params.model, sentences(params)
    text = batch[nearest("sentence", params.sentence, len(batch) - 1)]
    padded = Padded(Text(text), batch)
    hidden = TraceRequest(model, padded, spec, params.attention, sites=(ATTENTION,))
    return (
        hidden,
        TraceRequest(model, padded, sites=(ATTENTION,), target_of=hidden),
        TraceRequest(model, Batch(tuple(map(Text, batch))), sites=LOGITS),
        TraceRequest(model, Text(text), sites=LOGITS),
    )


# --- one run under a mask, and what it is compared with: what most views of masks show


PAD_LABEL = "⟨pad⟩"
Against = Literal["own", "none", "causal", "closed", "padding"]


@dataclass(frozen=True)
class Positions:
    """The positions of a stream; those of its padding have a name of their own."""

    stream: Stream

    @property
    def n(self) -> int:
        """Those that are text; the rest is padding."""
        return len(self.stream.units) - self.stream.n_padding

    @cached_property
    def labels(self) -> list[str]:
        """Labels of the positions for an axis, those of the padding included."""
        return [*tokens.labels(self.stream.units[: self.n]), *[PAD_LABEL] * self.stream.n_padding]

    @cached_property
    def words(self) -> list[str]:
        """Names of the positions inside a sentence, those of the padding included."""
        return [
            *(unit.spoken for unit in self.stream.units[: self.n]),
            *[PAD_LABEL] * self.stream.n_padding,
        ]


@dataclass(frozen=True, eq=False)
class MaskRun:
    """One run under a mask, and what it is compared with.

    Attributes:
        params: what was asked for.
        spec: the mask, the model's own by its name.
        attention: which kind.
        trace: the run under it.
        own_weights: weights of the head under the model's own mask, ``(Tq, Tk)``.
        logits: under the mask, ``(T, V)``; ``base`` what they are compared with.
        against: the mask of ``base``: the model's own, its opposite, or the padding in sight.
        own_kind: the model's own mask.
        cut: what did not fit.
        words: from an id to its token.
        batch: the tokens of every sentence, when there are several.
        too_long: which of them did not fit the context, counted from 0.
        alone: largest difference of the logits from those of the sentence run by itself.
    """

    params: UnderMask
    spec: MaskSpec
    attention: Attention
    trace: Trace
    own_weights: Array
    logits: Array
    base: Array
    against: Against
    own_kind: MaskKind
    cut: str
    words: Callable[[int], Token]
    batch: tuple[tuple[Unit, ...], ...] = ()
    too_long: tuple[int, ...] = ()
    alone: float = 0.0

    @property
    def layer(self) -> int:
        return nearest("layer", self.params.layer, self.attention.n_layers - 1)

    @property
    def head(self) -> int:
        return nearest("head", self.params.head, self.n_heads - 1)

    @property
    def n_heads(self) -> int:
        return len(by_head(self.trace, self.attention, self.layer))

    @property
    def prefix(self) -> str:
        """Of the sites of this layer's attention."""
        return f"{self.attention.prefix(self.layer)}."

    @property
    def mask(self) -> Mask:
        """Which query may attend to which key, ``(Tq, Tk)``."""
        return self.trace.masks[self.attention.name]

    def __call__(self, site: str) -> Array:
        """A site of this head, or of this layer when it has no heads."""
        values = self.trace[self.prefix + site]
        return values[self.head] if values.ndim == 3 else values

    # --- positions -----------------------------------------------------------------------

    @cached_property
    def queries(self) -> Positions:
        """The rows of the mask."""
        return Positions(self.trace.streams[self.attention.queries])

    @cached_property
    def keys(self) -> Positions:
        """The positions of the keys, which are the mask's columns."""
        return Positions(self.trace.streams[self.attention.keys])

    @cached_property
    def first_text(self) -> Positions:
        """The text that was given, and what fills its row up."""
        return Positions(self.trace.streams[self.trace.blueprint.streams[0]])

    @property
    def key_words(self) -> list[str]:
        """The keys as sentences name them."""
        return self.keys.words

    @property
    def query(self) -> int:
        """The selected token; else a hidden word, or one with text on both sides."""
        units, n = self.queries.stream.units, self.queries.n
        if self.params.token >= 0:
            return nearest("token", self.params.token, len(units) - 1)
        masks = [i for i in range(n) if units[i].label == MASK]
        return masks[0] if masks else max(min(1, n - 1), n - 3)

    @property
    def key(self) -> int:
        if self.params.key >= 0:
            return nearest("key", self.params.key, len(self.keys.labels) - 1)
        return int(self("weights")[self.query].argmax())

    def selection(self) -> dict[str, int | str | By | None]:
        """By the names of the parameters; while no key is chosen, the one that gets most."""
        p = self.params
        most = By("token", self("weights").argmax(axis=1).tolist())
        return {
            "mask": str(self.spec),
            "token": self.query, "key": most if p.key < 0 else self.key, "sheet": p.sheet,
            "sentence": nearest("sentence", p.sentence, max(0, len(self.batch) - 1)),
            "row": p.row, "col": p.col, "stage": p.stage,
        }  # fmt: skip

    def values(self) -> dict[str, Values]:
        """The cells: the mask, and the weights under the model's own and under this one."""
        axes = (
            Along("query", _("query"), self.queries.labels),
            Along("key", _("key"), self.keys.labels),
        )
        place, site = (self.query, self.key), self.prefix + "weights"
        weights = self("weights")
        return {
            "may": Values(_("may attend"), self.mask.astype(np.uint8), axes, selected=place),
            "own": Values(_("weight under its own mask"), self.own_weights, axes, selected=place),
            "weights": Values(
                _("weight under this mask"), weights, axes, site=site, selected=place
            ),
        }

    # --- what the mask does ----------------------------------------------------------------

    @property
    def predicts_next(self) -> bool:
        """A position of the main stream predicts the one after it, else what stands there."""
        blueprint = self.trace.blueprint
        attentions = (a for a in blueprint.attentions if a.square and a.queries == blueprint.stream)
        return all(attention.causal for attention in attentions)

    @property
    def asks_next(self) -> bool:
        """Each row is asked for the token that comes after it: one that sees it sees its answer."""
        in_main = self.attention.queries == self.trace.blueprint.stream
        return self.attention.square and in_main and self.predicts_next

    @property
    def kinds(self) -> list[MaskKind]:
        """The masks that make sense in this attention."""
        return [kind for kind in KINDS if self.attention.square or kind in ACROSS]

    @cached_property
    def open_weights(self) -> NDArray[np.float64]:
        """What the weights would be if this head's rows were not masked."""
        return softmax(self("scores"))

    @cached_property
    def kept_share(self) -> NDArray[np.float64]:
        """The share of each query's attention that the mask leaves."""
        return share_kept(self("scores"), self.mask)

    @cached_property
    def leaks(self) -> Leaks:
        """Which tokens can influence which through all layers, later ones among them.

        The mask must be square.
        """
        return leaks(self.mask, self.attention.n_layers, self.queries.n)

    @cached_property
    def stops(self) -> NDArray[np.int64]:
        """The first stop on the way from each position to each; of a square mask."""
        return next_stops(self.mask, self.leaks.needed)

    @cached_property
    def ahead(self) -> Mask:
        """Cells that show a query something that is still to come."""
        ahead = np.triu(np.ones(self.mask.shape, bool), 1)
        ahead[:, self.keys.n :] = False
        return ahead & self.asks_next


def spec_for(kind: MaskKind, run: MaskRun) -> str:
    """The mask to go to when a kind is chosen; painting starts from the mask that is shown."""
    if kind != "painted":
        return str(MaskSpec(kind, SIZES.get(kind, 0)))
    shown = run.mask[: run.queries.n, : run.keys.n]
    rows, columns = shown.shape
    cells = np.ones((max(shown.shape),) * 2, bool)  # a mask is written as a square
    cells[:rows, :columns] = shown
    return str(MaskSpec.painted(cells))


def mask_run(runs: Sequence[Any], params: UnderMask) -> MaskRun:
    """The head that was asked for under the mask that was, both brought into the model's range."""
    spec = MaskSpec.parse(params.mask)
    under: Run = runs[0]
    own_run: Run = runs[1]
    base = own_run
    attention = own_run.trace.attention(params.attention)
    mask, own_mask = (run.trace.masks[attention.name] for run in (under, own_run))
    against: Against = "own"
    batch: dict[str, Any] = {}
    if spec.kind == "padding":
        against, batch = "padding", _of_batch(runs[2], runs[3], under)
    elif np.array_equal(mask, own_mask):
        # Compared with itself a mask says nothing.
        base, against = runs[2], _opposite(attention)
    own_kind: MaskKind = "causal" if attention.causal else "none"
    layer = nearest("layer", params.layer, attention.n_layers - 1)
    weights = by_head(own_run.trace, attention, layer)
    return MaskRun(
        params=params,
        spec=MaskSpec(own_kind) if spec == OWN_MASK else spec,
        attention=attention,
        trace=under.trace,
        own_weights=weights[nearest("head", params.head, len(weights) - 1)],
        logits=_logits(under),
        base=_logits(base),
        against=against,
        own_kind=own_kind,
        cut=under.cut,
        words=under.words,
        **batch,
    )


def _opposite(attention: Attention) -> Against:
    """What differs most from an attention's own mask, by name."""
    if attention.causal:
        return "none"
    return "causal" if attention.square else "closed"


def _of_batch(rows: Sequence[Run], alone: Run, under: Run) -> dict[str, Any]:
    """The batch that a padded row stands in, and what is left of it when it runs by itself."""
    stream = under.trace.blueprint.streams[0]
    by_itself, padded = _logits(alone), _logits(under)
    n = min(len(by_itself), len(padded))
    return {
        "batch": tuple(run.trace.streams[stream].units for run in rows),
        "too_long": tuple(i for i, run in enumerate(rows) if run.cut),
        "alone": float(np.abs(by_itself[:n] - padded[:n]).max()),
    }


def _logits(run: Run) -> Array:
    return run.trace[run.trace.blueprint.head.site]


# --- what the views of masks say: what a query may see, what leaks, what padding changes


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
    n_seen, n = int(may.sum()), len(may)
    name = Mark(run.queries.words[query], "query")
    if not n_seen:
        return sentence(_("“{query}” may attend to nothing: all its weights are 0."),
                        query=name)  # fmt: skip
    if n_seen == n:
        first = sentence(_all_of_them(run, query), query=name, n=str(n))
        return join([first, *_leak_of(run, query)])
    first = sentence(
        ngettext(
            "“{query}” may attend to {seen} of {n} tokens.",
            "“{query}” may attend to {seen} of {n} tokens.",
            n_seen,
        ),
        query=name,
        seen=str(n_seen),
        n=str(n),
    )
    share = float(run.kept_share[query])
    cost = sentence(
        _("Without the mask in this one layer, the masked tokens would get {share} of its "
          "attention. The others are divided by {kept}, to add up to 1 again."),
        share=Mark(percent(1.0 - share), "weight"),
        kept=Mark(number(share), "weight"),
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
    texts = []
    side, n = run.spec.size, max(run.mask.shape)
    if run.spec.kind == "painted" and side != n:
        text = (
            _("The painted mask is {side} × {side} and this text has {n} tokens. For the tokens "
              "after it the model's own mask holds.")
            if side < n
            else _("The painted mask is {side} × {side} and this text has {n} tokens. What it says "
                   "of further tokens is left out.")
        )  # fmt: skip
        texts.append(text.format(side=side, n=n))
    left_out = len(lines(run.params)) - (MAX_SENTENCES - 1)
    if run.batch and left_out > 0:
        texts.append(
            ngettext(
                "A batch here has at most {most} sentences: the last line is left out.",
                "A batch here has at most {most} sentences: the last {n} lines are left out.",
                left_out,
            ).format(most=MAX_SENTENCES, n=left_out)
        )
    if run.too_long:
        texts.append(
            ngettext(
                "The model's context holds {most} tokens: sentence {which} was cut.",
                "The model's context holds {most} tokens: sentences {which} were cut.",
                len(run.too_long),
            ).format(most=run.trace.config.n_ctx, which=listed(map(str, run.too_long)))
        )
    return texts


# --- leaks ----------------------------------------------------------------------------------------


def warning(run: MaskRun) -> Sentence | None:
    """Whether positions of a next-token model can see what they are asked for, and how."""
    if not run.asks_next:
        return None
    leaks, n, words = run.leaks, run.queries.n, run.queries.words
    answers = np.flatnonzero(leaks.answer)
    if not len(answers):
        return _later(run)
    through = answers[~leaks.direct[answers]]
    how_many = ngettext(
        "Leak: {n} of {all} positions can see the token it must predict.",
        "Leak: {n} of {all} positions can see the token they must predict.",
        len(answers),
    ).format(n=len(answers), all=n - 1)
    parts = [sentence("{text}", text=how_many)]
    if len(through):
        parts.append(_indirect_leak(run, int(through[0]), len(through), len(answers)))
    else:
        position = int(answers[0])
        parts.append(
            sentence(
                _("“{query}” may attend directly to “{answer}”."),
                query=words[position],
                answer=words[position + 1],
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
    leaks, n, words = run.leaks, run.queries.n, run.queries.words
    if not leaks.positions:
        return None
    position = leaks.positions[0]
    first = int(np.flatnonzero(leaks.needed[position, position + 1 : n] > 0)[0]) + position + 1
    return sentence(
        _("Leak: “{query}” can see “{later}”, which comes after it, though not the very next "
          "token."),
        query=words[position], later=words[first],
    )  # fmt: skip


def _indirect_leak(run: MaskRun, position: int, n_through: int, n_all: int) -> Sentence:
    """How an answer arrives although no cell of the mask shows it."""
    stops, words = way(run.stops, position, position + 1), run.queries.words
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
        answer=words[position + 1],
        query=words[position],
        through=listed(in_quotes(words[stop]) for stop in stops[1:-1]),
    )


# --- a batch --------------------------------------------------------------------------------------


def in_a_batch(run: MaskRun) -> Sentence:
    """What the padding does to the prediction, and what masking it gives back."""
    if not run.first_text.stream.n_padding:
        return sentence(
            _("This is the longest sentence of the batch, so it needs no padding. Its logits "
              "are those it has alone, to within {alone}."),
            alone=number(run.alone, 2),
        )  # fmt: skip
    n = len(run.logits) - run.trace.main.n_padding
    change = number(float(np.abs(run.base[:n] - run.logits[:n]).max()), 2)
    if len(run.trace.blueprint.attentions) > 1:
        return _of_several(run, change)
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
                seen=change,
            ),
        ])  # fmt: skip
    return join([
        same,
        sentence(_("If the padding were visible, the logits would change by up to {seen}."),
                 seen=Mark(change, "warning")),
    ])  # fmt: skip


def _of_several(run: MaskRun, change: str) -> Sentence:
    """What a mask of one attention does about the padding, where there are others."""
    if run.keys.stream is not run.first_text.stream:
        return sentence(_("The padding stands in the source, which this attention does not see."))
    return sentence(
        _("The mask hides the padding from this attention alone, which changes the logits by "
          "up to {seen}. The other attentions still see it."),
        seen=Mark(change, "warning"),
    )  # fmt: skip


# --- what views of one head under a mask share: the runs, what is read, and what can be changed


R = TypeVar("R")


class MaskView(View[UnderMask, R]):
    """A view of one head under a mask; one that this attention cannot have is the model's own."""

    Params, needs = UnderMask, Needs("words", ("attention",))

    def requests(self, params: UnderMask) -> tuple[Request, ...]:
        return mask_requests(params)

    def otherwise(self, params: UnderMask) -> UnderMask | None:
        return None if params.mask == "own" else replace(params, mask="own")

    def texts(self, params: UnderMask) -> Sequence[str]:
        return sentences(params) if MaskSpec.parse(params.mask).kind == "padding" else [params.text]


def mask_controls(run: MaskRun) -> Sequence[Control]:
    """Which mask, how wide, of which head, and the batch where there is one."""
    kind = run.spec.kind
    offered = {name: str(run.spec) if name == kind else spec_for(name, run) for name in run.kinds}
    return (
        Control("mask", offered[kind], options=[(spec, _(KINDS[name])) for name, spec
                                                in offered.items()]),
        _size(run, kind),
        Control.numbered("head", run.head, run.n_heads),
        Control("batch", run.params.batch, "line") if run.batch else Control.none("batch"),
    )  # fmt: skip


def _size(run: MaskRun, kind: MaskKind) -> Control:
    """How wide a window is, or how long a prefix; nothing of other masks."""
    label = _("Prefix length") if kind == "prefix" else _("Window width")
    high = run.queries.n if kind in SIZES else 1
    return Control("mask", str(run.spec.size), "range", low=1, high=high, key="mask_size",
                   label=label, writes=f"{kind}:{{}}")  # fmt: skip


def mask_notes(run: MaskRun) -> Sequence[Note]:
    """What could not be shown as asked for, what leaks, what a batch's padding does."""
    notes = [Note("info", sentence("{text}", text=text)) for text in notices(run)]
    leak = warning(run)
    if leak is not None:
        dashed = sentence(_("On the tokens above, these positions are dashed."))
        leaks = run.leaks.answer.any()
        notes.append(Note("warning", join([leak, dashed]) if leaks else leak))
    if run.batch:
        notes.append(Note("more", in_a_batch(run)))
    return notes


def mask_facts(run: MaskRun) -> Sequence[str]:
    """What is selected and what it cost."""
    n, ms = run.queries.n, f"{run.trace.seconds * 1e3:.0f}"
    return (
        name_of(run.params.model),
        _("mask: {kind}").format(kind=_(KINDS[run.spec.kind])),
        head_at(run),
        ngettext("{n} token", "{n} tokens", n).format(n=n),
        _("ran in {ms} ms").format(ms=ms),
    )
