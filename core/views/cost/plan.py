"""What one shape costs: its parameters, multiplications and memory, by formula."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.costs import ADAM, PARTS, Amount, CostTerm, TransformerShape
from core.analysis.published import PUBLISHED, both, decoder, encoder, picture
from core.figures.components import BarFrame, BarRow, Bars
from core.figures.components.plot import Curve, Plot, PlotAxis
from core.figures.components.plot.parts import Dash, Rule
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, ngettext
from core.locale import grouped, spelt
from core.models.blueprint import DECODER, ENCODER
from core.models.needs import NO_MODEL
from core.views.controls import Control
from core.views.params import param
from core.views.view import Note, View

# --- the lines of a bill in words: what they are called, and their arithmetic ---------


NAMES = {
    "tokens": N_("Token table"),
    "positions": N_("Position table"),
    "types": N_("Segment table"),
    "cls": N_("[CLS]"),
    "patches": N_("Projection of the patches"),
    "embed_norm": N_("Norm of the embeddings"),
    "attention": N_("Attention: Q, K, V and output"),
    "attention_scores": N_("Attention: scores and mixing"),
    "cross": N_("Cross-attention: Q, K, V and output"),
    "cross_scores": N_("Cross-attention: scores and mixing"),
    "distances": N_("Number per head and distance"),
    "ffn": N_("Feed-forward"),
    "norms": N_("Norms"),
    "logits": N_("Logits: the token table once more"),
    "mlm": N_("Head for hidden words"),
    "pooler": N_("Matrix that prepares [CLS]"),
    "pair": N_("Head for sentence pairs"),
    "bias": N_("Bias of the logits"),
    "labels": N_("Head for labels"),
}
IN_SIDES = {ENCODER: N_("Encoder · {name}"), DECODER: N_("Decoder · {name}")}


def called(term: CostTerm) -> str:
    """What a line is called."""
    name = _(NAMES[term.name])
    return _(IN_SIDES[term.side]).format(name=name) if term.side else name


def arithmetic(amount: Amount) -> str:
    """12 · (4 · 768 · 768 + 4 · 768), with the signs of the learner's language."""
    inside = " + ".join(" · ".join(map(grouped, factors)) for factors in amount.products)
    if amount.times == 1:
        return inside
    whole = f"({inside})" if len(amount.products) > 1 else inside
    return f"{grouped(amount.times)} · {whole}"


def large(value: float) -> str:
    """A large number in words: 117 million, 1.56 billion."""
    if value >= 1e12:
        n = value / 1e12
        template = ngettext("{n} trillion", "{n} trillion", int(n))
    elif value >= 1e9:
        n = value / 1e9
        template = ngettext("{n} billion", "{n} billion", int(n))
    elif value >= 1e6:
        n = value / 1e6
        template = ngettext("{n} million", "{n} million", int(n))
    else:
        return grouped(round(value))
    return template.format(n=_short(n))


def _short(value: float) -> str:
    """With three digits, and no zeros behind the point: 1.56, 1.5, 11, 117."""
    decimals = 0 if value >= 100 else 1 if value >= 10 else 2
    return spelt(f"{round(value, decimals):,}".removesuffix(".0"))


def lines(terms: Sequence[CostTerm]) -> Along:
    """The axis of the lines."""
    return Along("term", _("term"), [called(term) for term in terms])


def billed(terms: Sequence[CostTerm], of: Callable[[CostTerm], Amount], *, title: str) -> Bars:
    """A bar for each line: its share of the whole, and its arithmetic above it.

    Args:
        terms: that are drawn.
        of: the amount of each.
        title: of the figure.
    """
    total = max(1, sum(of(term).n for term in terms))
    rows = [
        BarRow(
            f"{term.side}-{term.name}",
            _("{label}: {value}").format(
                label=called(term), value=f"{arithmetic(of(term))} = {grouped(of(term).n)}"
            ),
        )
        for term in terms
    ]
    return Bars(
        title=title,
        frames=[BarFrame(rows, title=sentence(title))],
        values=np.array([[[of(term).n / total for term in terms]]]),
        stacked=True,
    )


# --- which shape is counted: a published one, or one's own ----------------------------


OWN = "own"
SIZES = ("cost_layers", "cost_width", "cost_heads", "cost_ff", "cost_vocab", "cost_context")
PLANS = {OWN: N_("my own"), **{name: model.name for name, model in PUBLISHED.items()}}
KINDS = {
    "writer": N_("decoder, as GPT-2"),
    "reader": N_("encoder, as BERT"),
    "both": N_("encoder and decoder, as T5"),
    "picture": N_("pictures, as ViT"),
}
PATCH = 16  # rows of pixels of a patch in a machine of one's own
SIDES: Mapping[str, Callable[..., TransformerShape]] = {
    "writer": decoder,
    "reader": encoder,
    "both": both,
}


@dataclass(frozen=True, slots=True)
class Planned:
    """A shape; the sizes are those of one's own and begin as those of our GPT.

    Attributes:
        cost_plan: a published machine, or "own".
        cost_kind: of machine.
        cost_layers, cost_width, cost_heads, cost_ff: its sizes; of a machine with two sides each
            has so many layers.
        cost_vocab: entries of its vocabulary, or labels of pictures.
        cost_context: positions of one pass.
    """

    cost_plan: str = param("gpt2", choices=PLANS, label=N_("Machine"))
    cost_kind: str = param("writer", choices=KINDS, label=N_("Kind"))
    cost_layers: int = param(6, low=1, high=200, label=N_("Layers"))
    cost_width: int = param(256, low=8, high=32_768, label=N_("Width d_model"))
    cost_heads: int = param(4, low=1, high=256, label=N_("Heads"))
    cost_ff: int = param(1024, low=8, high=262_144, label=N_("Feed-forward units"))
    cost_vocab: int = param(8192, low=2, high=1_000_000, label=N_("Vocabulary (labels of ViT)"))
    cost_context: int = param(512, low=2, high=131_072, label=N_("Context (positions)"))

    @property
    def machine(self) -> TransformerShape:
        """The machine that is planned: a published one, or that of the parameters."""
        if self.cost_plan != OWN:
            return PUBLISHED[self.cost_plan].machine
        heads = min(self.cost_heads, self.cost_width)
        sizes = (self.cost_layers, self.cost_width, heads, self.cost_ff)
        if self.cost_kind == "picture":
            return picture(*sizes, self.cost_context, PATCH, self.cost_vocab)
        return SIDES[self.cost_kind](*sizes, self.cost_vocab, self.cost_context)


@dataclass(frozen=True, eq=False)
class Plan:
    """A shape with its bill.

    Attributes:
        params: what was asked for.
        machine: the shape.
    """

    params: Planned
    machine: TransformerShape

    @property
    def name(self) -> str:
        """The machine's name, for titles."""
        plan = self.params.cost_plan
        return _("your machine") if plan == OWN else PLANS[plan]

    @property
    def published(self) -> float | None:
        """Parameters as its authors round them."""
        plan = self.params.cost_plan
        return None if plan == OWN else PUBLISHED[plan].published


class PlanView(View[Planned, Plan]):
    """What the views of one shape share."""

    Params, needs = Planned, NO_MODEL

    def compute(self, runs: Sequence[object], params: Planned) -> Plan:
        return Plan(params, params.machine)

    def values(self, record: Plan) -> Mapping[str, Values]:
        return self.counts(record) | sizes(record.machine)

    @abstractmethod
    def counts(self, record: Plan) -> dict[str, Values]:
        """The numbers that are drawn."""

    def notes(self, record: Plan) -> Sequence[Note]:
        params = record.params
        if params.cost_plan != OWN or not params.cost_width % params.cost_heads:
            return ()
        text = sentence(
            _("{width} is no multiple of {heads} heads, so each head gets {each} components and "
              "the rest is left out."),
            width=str(params.cost_width), heads=str(params.cost_heads),
            each=str(record.machine.d_head),
        )  # fmt: skip
        return (Note("warning", text),)

    def controls(self, record: Plan) -> Sequence[Control]:
        if record.params.cost_plan == OWN:
            return ()
        return [Control.none(name) for name in ("cost_kind", *SIZES)]


def sizes(machine: TransformerShape) -> dict[str, Values]:
    """The shape as numbers, for texts and questions."""
    numbers = {
        "n_layers": (_("layers"), sum(stack.n for stack in machine.layers)),
        "d_model": (_("d_model"), machine.d_model),
        "inner": (_("components of all heads"), machine.inner),
        "d_ff": (_("feed-forward units"), machine.d_ff),
        "vocabulary": (_("vocabulary"), machine.vocabulary),
        "n_ctx": (_("context"), machine.n_ctx),
    }
    return {name: Values(label, np.array(value)) for name, (label, value) in numbers.items()}


# --- parameters of a shape, term by term ----------------------------------------------


PART_NAMES = {
    "embeddings": N_("embeddings"),
    "attention": N_("attention"),
    "feed_forward": N_("feed-forward"),
    "norms": N_("norms"),
    "head": N_("output head"),
}


class CostSizesView(PlanView):
    """A bar for each term, with its arithmetic."""

    name = "cost.sizes"

    def counts(self, record: Plan) -> dict[str, Values]:
        machine, terms = record.machine, _sized_terms(record)
        numbers = np.array([term.parameters.n for term in terms])
        parts = (Along("part", _("part"), [_(PART_NAMES[part]) for part in PARTS]),)
        of_parts = np.array([machine.of_part(part) for part in PARTS])
        values = {
            "parameters": Values(_("parameters"), numbers, (lines(terms),)),
            "share": Values(_("share of all"), numbers / machine.parameters, (lines(terms),)),
            "parts": Values(_("parameters of the part"), of_parts, parts),
            "part_share": Values(_("share of the part"), of_parts / machine.parameters, parts),
            "total": Values(_("all parameters"), np.array(machine.parameters)),
        }
        if record.published is not None:
            off = machine.parameters / record.published - 1
            values["published"] = Values(_("published"), np.array(record.published))
            values["difference"] = Values(_("share above what is published"), np.array(off))
        return values

    def describe(self, record: Plan) -> Sentence:
        total = record.machine.parameters
        most = max(_sized_terms(record), key=lambda term: term.parameters.n)
        sentences = [
            sentence(
                _("By the formula {machine} has {total} parameters: {short}."),
                machine=Mark(record.name, "strong"), total=grouped(total),
                short=Mark(large(total), "accent"),
            ),
            sentence(
                _("The largest term is “{term}”, with {share} of them."),
                term=called(most), share=percent(most.parameters.n / total),
            ),
        ]  # fmt: skip
        if record.published is not None:
            sentences.insert(
                1, sentence(_("Its authors say {said}."), said=large(record.published))
            )
        return join(sentences)

    def draw(self, record: Plan) -> Bars:
        return billed(
            _sized_terms(record), lambda term: term.parameters,
            title=_("Parameters of {machine}, term by term").format(machine=record.name),
        )  # fmt: skip


def _sized_terms(record: Plan) -> list[CostTerm]:
    """The terms of the machine that have parameters."""
    return [term for term in record.machine.terms if term.parameters.n]


# --- multiplications of one pass of a shape, term by term -----------------------------


class CostWorkView(PlanView):
    """A bar for each term, with its arithmetic."""

    name = "cost.work"

    def counts(self, record: Plan) -> dict[str, Values]:
        machine, terms = record.machine, _work_terms(record)
        numbers = np.array([term.work.n for term in terms])
        return {
            "multiplications": Values(_("multiplications"), numbers, (lines(terms),)),
            "share": Values(_("share of all"), numbers / machine.work, (lines(terms),)),
            "total": Values(_("all multiplications"), np.array(machine.work)),
            "flops": Values(_("floating-point operations"), np.array(2 * machine.work)),
            "per_token": Values(
                _("multiplications per position"), np.array(machine.work / machine.n_ctx)
            ),
            "squared": Values(
                _("share of scores and mixing"), np.array(_squared(record) / machine.work)
            ),
            "parameters": Values(_("all parameters"), np.array(machine.parameters)),
        }

    def describe(self, record: Plan) -> Sentence:
        machine = record.machine
        return join([
            sentence(
                _("One pass of {machine} over {n} positions takes {work} multiplications of "
                  "numbers, each with an addition: {flops} FLOPs."),
                machine=Mark(record.name, "strong"), n=grouped(machine.n_ctx),
                work=Mark(large(machine.work), "accent"), flops=large(2 * machine.work),
            ),
            sentence(
                _("Scores and mixing, which grow with the square of the length, are {share} of "
                  "them."),
                share=Mark(percent(_squared(record) / machine.work), "accent"),
            ),
        ])  # fmt: skip

    def draw(self, record: Plan) -> Bars:
        return billed(
            _work_terms(record), lambda term: term.work,
            title=_("Multiplications of {machine}, over its whole context").format(
                machine=record.name
            ),
        )  # fmt: skip


def _work_terms(record: Plan) -> list[CostTerm]:
    """The terms of the machine that multiply."""
    return [term for term in record.machine.terms if term.work.n]


def _squared(record: Plan) -> int:
    """Multiplications that grow with the square of the length."""
    return sum(term.work.n for term in record.machine.terms if term.name.endswith("_scores"))


# --- what a shape takes in memory: its weights, its training, its key-value cache -----


GB, WHOLE, HALF = 1e9, 4, 2  # bytes of a gigabyte, of a number in 32 and in 16 bits


@dataclass(frozen=True)
class _MemoryLine:
    """What is kept, and its arithmetic in bytes."""

    id: str
    label: str
    bytes: Amount


class CostMemoryView(PlanView):
    """A bar for each thing that is kept."""

    name = "cost.memory"

    def counts(self, record: Plan) -> dict[str, Values]:
        lines = _lines(record)
        along = (Along("kept", _("kept"), [line.label for line in lines]),)
        by_id = {line.id: line.bytes.n for line in lines}
        return {
            "bytes": Values(_("bytes"), np.array([line.bytes.n for line in lines]), along),
            "parameters": Values(_("all parameters"), np.array(record.machine.parameters)),
            "cache_bytes": Values(_("bytes of the key-value cache"),
                                  np.array(by_id.get("cache", 0))),
            **{
                name: Values(line.label, np.array(line.bytes.n / GB), unit=_("GB"))
                for line in lines for name in [f"{line.id}_gb"]
            },
        }  # fmt: skip

    def describe(self, record: Plan) -> Sentence:
        gigabytes = {line.id: number(line.bytes.n / GB) for line in _lines(record)}
        sentences = [sentence(
            _("With {small} bytes a number the weights of {machine} take {weights} GB. Training "
              "with Adam takes {times} numbers of {large} bytes for each: {adam} GB."),
            machine=Mark(record.name, "strong"), small=str(HALF), large=str(WHOLE),
            weights=Mark(gigabytes["half"], "accent"), times=str(ADAM),
            adam=Mark(gigabytes["adam"], "accent"),
        )]  # fmt: skip
        if "cache" in gigabytes:
            sentences.append(sentence(
                _("The key-value cache of one full context takes {cache} GB."),
                cache=Mark(gigabytes["cache"], "accent"),
            ))  # fmt: skip
        return join(sentences)

    def draw(self, record: Plan) -> Bars:
        title = _("Memory of {machine}, in GB").format(machine=record.name)
        lines = _lines(record)
        rows = [
            BarRow(
                line.id,
                _("{label}: {value}").format(
                    label=line.label, value=f"{arithmetic(line.bytes)} = {grouped(line.bytes.n)}"
                ),
            )
            for line in lines
        ]
        return Bars(
            title=title,
            frames=[BarFrame(rows, title=sentence(title))],
            values=np.array([[[line.bytes.n / GB for line in lines]]]),
            unit="number",
            stacked=True,
        )


def _lines(record: Plan) -> list[_MemoryLine]:
    """What is kept; a cache only by what writes."""
    machine = record.machine
    n, cache = machine.parameters, machine.cache
    lines = [
        _MemoryLine("whole", _("Weights in 32 bits"), Amount(1, ((n, WHOLE),))),
        _MemoryLine("half", _("Weights in 16 bits"), Amount(1, ((n, HALF),))),
        _MemoryLine("adam", _("Training with Adam: weight, gradient and two means"),
                    Amount(1, ((n, ADAM, WHOLE),))),
    ]  # fmt: skip
    if cache.n:
        (factors,) = cache.products
        lines.append(_MemoryLine("cache", _("Key-value cache of a full context in 16 bits"),
                                 Amount(cache.times, ((*factors, HALF),))))  # fmt: skip
    return lines


# --- where a machine leaves the law of the square: multiplications by length, by formula


LENGTHS = tuple(2**n for n in range(4, 18))
LINES: Mapping[str, tuple[str, str, Dash]] = {
    "linear": (N_("learned matrices"), "accent", "solid"),
    "squared": (N_("scores and mixing"), "key", "solid"),
    "both": (N_("all layers"), "muted", "dot"),
}


@dataclass(frozen=True, slots=True)
class Growing(Planned):
    """A shape and a length.

    Attributes:
        cost_length: positions of a pass.
    """

    cost_length: int = param(512, low=2, high=131_072, label=N_("Length (positions)"))


@dataclass(frozen=True, slots=True)
class Split:
    """Multiplications of all layers at one length.

    Attributes:
        squared: of scores and mixing, which grow with its square.
        linear: of the learned matrices, which grow with it.
    """

    squared: int
    linear: int

    @property
    def both(self) -> int:
        """Multiplications of the layers: those of the scores and those of the matrices."""
        return self.squared + self.linear

    @property
    def share(self) -> float:
        """The share of scores and mixing in the multiplications of the layers."""
        return self.squared / self.both

    @property
    def exponent(self) -> float:
        """The power of the length by which the sum grows there: between 1 and 2."""
        return 1 + self.share


def split(machine: TransformerShape, length: int) -> Split:
    """The layers of a machine, without tables and heads, at a length of all its streams."""
    terms = dataclasses.replace(machine, n_ctx=length).terms
    layers = [term for term in terms if term.part in ("attention", "feed_forward")]
    squared = sum(term.work.n for term in layers if term.name.endswith("_scores"))
    return Split(squared, sum(term.work.n for term in layers) - squared)


def crossing(machine: TransformerShape) -> float:
    """The length at which both are equal."""
    cost = split(machine, 1)
    return cost.linear / cost.squared


class CostGrowthView(PlanView):
    """Two lines that cross, and their sum."""

    name, Params = "cost.growth", Growing

    def counts(self, record: Plan) -> dict[str, Values]:
        along = (Along("length", _("length"), [str(n) for n in LENGTHS]),)
        params, machine = record.params, record.machine
        assert isinstance(params, Growing)
        cost, doubled = (split(machine, n * params.cost_length) for n in (1, 2))
        return {
            **{name: Values(_(label), _line(machine, name), along)
               for name, (label, _role, _dash) in LINES.items()},
            "crossing": Values(_("length at which both are equal"), np.array(crossing(machine))),
            "length": Values(_("length that is looked at"), np.array(params.cost_length)),
            "squared_here": Values(_("scores and mixing, there"), np.array(cost.squared)),
            "linear_here": Values(_("learned matrices, there"), np.array(cost.linear)),
            "share": Values(_("share of scores and mixing, there"), np.array(cost.share)),
            "exponent": Values(_("exponent, there"), np.array(cost.exponent)),
            "doubling": Values(
                _("times as much for twice the length"), np.array(doubled.both / cost.both)
            ),
        }  # fmt: skip

    def describe(self, record: Plan) -> Sentence:
        params, machine = record.params, record.machine
        assert isinstance(params, Growing)
        cost = split(machine, params.cost_length)
        doubled = split(machine, 2 * params.cost_length)
        return join([
            sentence(
                _("At length {n} scores and mixing are {share} of the layers' work, and twice the "
                  "length costs {factor} times as much."),
                n=grouped(params.cost_length), share=Mark(percent(cost.share), "key"),
                factor=Mark(number(doubled.both / cost.both), "strong"),
            ),
            sentence(
                _("In {machine} both lines meet at length {crossing}."),
                machine=record.name, crossing=Mark(grouped(round(crossing(machine))), "accent"),
            ),
        ])  # fmt: skip

    def draw(self, record: Plan) -> Plot:
        params, machine = record.params, record.machine
        assert isinstance(params, Growing)
        return Plot(
            title=_("Multiplications of the layers of {machine}, by length").format(
                machine=record.name
            ),
            x=PlotAxis(title=_("length (positions)"), log=True, ticks=LENGTHS[::2],
                       labels=[grouped(n) for n in LENGTHS[::2]]),
            y=PlotAxis(title=_("multiplications"), log=True),
            series=[
                Curve(x=LENGTHS, y=_line(machine, name), role=role, name=_(label), dash=dash,
                      hover="{name}, {x}: {y:.3g}")
                for name, (label, role, dash) in LINES.items()
            ],
            rules=[Rule(x=float(params.cost_length), role="weight", dash="dash",
                        text=grouped(params.cost_length))],
            height=380,
        )  # fmt: skip


def _line(machine: TransformerShape, name: str) -> NDArray[np.float64]:
    """One line over all lengths."""
    return np.array([getattr(split(machine, n), name) for n in LENGTHS], np.float64)
