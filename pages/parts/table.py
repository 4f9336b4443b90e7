"""The page table: every page of the app, once. Navigation, links and tests are made from it."""

# Longer than 300 lines: one table, a page after the other.
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from core import views, zoo
from core.examples import FELT, FRENCH, READER, RED, WALK
from core.language import N_, _, name_of
from core.models.abilities import ABILITIES
from core.models.blueprint import Attention, Blueprint
from core.models.needs import ANY, NO_MODEL, Needs
from core.text.tongue import tongue
from core.views.params import declared
from core.views.stops.walk import new_at
from core.views.text.families import method_of
from pages.parts.prefix import page_at
from pages.parts.runs import can, shared_runs

LESSONS = "lessons"  # the address of their page
ALIGNS = (("layer", "0"), ("head", "0"), ("token", "2"))  # a head that goes from word to word


@dataclass(frozen=True, slots=True)
class Row:
    """One page.

    Attributes:
        section: of the menu (translate with ``_``).
        file: the script, from ``pages/``.
        address: in the link; the home page's is empty.
        title: in the menu (translate with ``_``).
        parts: ids of the model's parts it shows (``core.views.map``).
        needs: what a model must have for it (``core.views.View.needs``).
        views: that it shows, its own first (``core.views``).
        example: the text it opens on when the learner has none yet; empty for everybody's.
        opens: what else it opens on when the learner has not chosen it, name and value.
        opens_with: the same of what differs from model to model, by its name.
        strip: the model is drawn above it, folded flat.
        steps: ids of the places that its steps are at, one for each.
        attends: which kind of attention it shows of a model, where nobody chooses it.
        also: what else somebody may search for who wants it, with commas (translate with ``_``).
        scopes: those of its figures that have a selection and parameters of their own.
    """

    section: str
    file: str
    address: str
    title: str
    parts: tuple[str, ...] = ()
    needs: Needs = ANY
    views: tuple[str, ...] = ()
    example: str = ""
    opens: tuple[tuple[str, str], ...] = ()
    opens_with: Callable[[str], Mapping[str, str]] | None = None
    strip: bool = True
    steps: tuple[str, ...] = ()
    attends: Callable[[Blueprint], Attention | None] | None = None
    also: str = ""
    scopes: tuple[str, ...] = ()


def cut_as_it_does(model: str) -> dict[str, str]:
    """By which method words are cut, where nobody chooses one: that of the model if it has one."""
    return {"cutting": method_of(shared_runs().model(model).encoders) or "bpe"}


def the_first_attention(model: str) -> dict[str, str]:
    """The kind of attention that reads what is given to a model."""
    return {"attention": next(iter(zoo.blueprint(model).attentions)).name}


TABLE: tuple[Row, ...] = (
    Row(
        "",
        "home.py",
        "",
        N_("Glassformer"),
        needs=Needs("answers"),
        views=("map.flow", "map.line", "map.inside", "map.run", "vision.samples"),
        strip=False,
        also=N_("home, whole model, overview"),
    ),
    Row(
        N_("Text"),
        "text/tokenization.py",
        "tokenization",
        N_("Tokenization"),
        ("text", "tokens"),
        needs=Needs(parts=("tokens",)),
        example="Aragorn told Frodo to mind Lothlorien",
        views=(
            "text.tokens",
            "text.encode",
            "text.tries",
            "text.lattice",
            "text.ways",
            "text.bits",
            "text.corpus",
            "text.pairs",
            "text.learnt",
            "text.entries",
            "text.segmented",
            "text.losses",
            "text.code",
        ),
        opens_with=cut_as_it_does,
        also=N_("tokenisation, tokenizer, split into tokens, BPE, WordPiece"),
    ),
    Row(
        N_("Text"),
        "text/positions.py",
        "positions",
        N_("Embeddings and position"),
        ("embeddings", "embed_norm"),
        needs=Needs(parts=("positions",)),
        views=(
            "embed.tokens",
            "embed.lookup",
            "positions.learned",
            "positions.similarity",
            "positions.shuffle",
            "positions.sinusoidal",
            "positions.curves",
            "positions.binary",
            "positions.pairs",
            "positions.beyond",
        ),
        also=N_("word vectors, positional encoding"),
    ),
    Row(
        N_("Text"),
        "text/contexts.py",
        "words-in-context",
        N_("Words in context"),
        needs=Needs(parts=("contextual",)),
        opens=(("model", READER),),
        views=("contexts.distances", "contexts.plane", "contexts.layers", "contexts.cosines"),
        also=N_("meaning of a word, contextual vectors, ELMo"),
    ),
    Row(
        N_("Inside a layer"),
        "attention/step_by_step.py",
        "attention",
        N_("Attention, step by step"),
        ("qkv", "scores", "weights", "mix"),
        needs=Needs(parts=("attention", "dot_product")),
        views=(
            "attention.row",
            "attention.steps",
            "attention.unscaled",
            "attention.scaling",
        ),
        steps=("qkv", "qkv", "qkv", "scores", "scores", "mask", "weights", "mix", "mix"),
        also=N_("how attention works, attention head, query key value, softmax"),
    ),
    Row(
        N_("Inside a layer"),
        "attention/all_heads.py",
        "heads",
        N_("Attention, all heads"),
        ("weights",),
        needs=Needs(parts=("attention",)),
        views=(
            "attention.row",
            "attention.heads",
            "attention.weights",
            "attention.lines",
        ),
        also=N_("attention head, multi-head, copying head"),
    ),
    Row(
        N_("Inside a layer"),
        "attention/masks.py",
        "masks",
        N_("Masks"),
        ("mask",),
        needs=Needs("words", ("attention",)),
        views=(
            "masks.strip",
            "masks.grid",
            "masks.prediction",
            "masks.worked",
            "masks.batch",
            "masks.learning",
        ),
        also=N_("causal mask, padding mask"),
    ),
    Row(
        N_("Inside a layer"),
        "block/layernorm.py",
        "layernorm",
        N_("LayerNorm and residual"),
        (
            "norm_1",
            "add_1",
            "norm_cross",
            "add_cross",
            "norm_2",
            "add_2",
            "final_norm",
            "embed_norm",
        ),
        needs=Needs(parts=("blocks", "layer_norm")),
        views=(
            "norm.strip",
            "norm.steps",
            "norm.rms",
            "stream.sizes",
            "stream.alike",
            "stream.gradient",
        ),
        also=N_("layer normalisation, residual stream, skip connection"),
    ),
    Row(
        N_("Inside a layer"),
        "block/feedforward.py",
        "feed-forward",
        N_("Feed-forward"),
        ("ffn",),
        example="She went to the park every",  # on which GPT's unit 394 shows what it is for
        needs=Needs(parts=("blocks",)),
        views=(
            "ffn.strip",
            "ffn.units",
            "ffn.words",
            "ffn.curve",
        ),
        also=N_("MLP, neuron, activation"),
    ),
    Row(
        N_("Inside a layer"),
        "block/shapes.py",
        "block-shapes",
        N_("Block shapes"),
        needs=NO_MODEL,
        views=("shapes.circuit", "shapes.signal", "shapes.gradient", "shapes.curves"),
        strip=False,
        also=N_("pre-norm, post-norm"),
    ),
    Row(
        N_("Predictions"),
        "predictions/next_token.py",
        "next-token",
        N_("Next token"),
        ("logits", "prediction"),
        needs=Needs("next_token"),
        views=(
            "predict.next",
            "predict.layers",
            "predict.surprisal",
            "predict.cache",
        ),
        also=N_("next word, generate, continue a text, sampling, temperature, predict, copying"),
    ),
    Row(
        N_("Predictions"),
        "predictions/masked_word.py",
        "masked-word",
        N_("Masked word"),
        ("logits", "prediction"),
        needs=Needs("masked_words"),
        views=(
            "masked.strip",
            "masked.beside",
            "masked.each",
            "masked.why",
            "masked.unread",
            "masked.wordless",
            "masked.follows",
            "masked.example",
            "masked.dice",
        ),
        also=N_("fill in a gap, BERT, hidden word"),
    ),
    Row(
        N_("Predictions"),
        "predictions/objectives.py",
        "objectives",
        N_("Every objective"),
        needs=Needs("next_token"),
        example="The dog was hungry. He ate all of his food.",
        opens=(("dice_seed", "24"),),  # one word is hidden behind [MASK], one is swapped
        strip=False,
        views=(
            "objectives.table",
            "objectives.word",
            "objectives.losses",
            "objectives.pieces",
            "predict.surprisal",
        ),
        also=N_("pretraining, loss"),
    ),
    Row(
        N_("Machines"),
        "predictions/translate.py",
        "translate",
        N_("Translate"),
        ("logits", "prediction", "recurrent"),
        needs=Needs("translate"),
        example=FRENCH,
        opens=tuple((scope + name, at) for scope in ("", "b.") for name, at in ALIGNS),
        views=(
            "translate.source",
            "translate.target",
            "translate.next",
            "translate.weights",
            "translate.heads",
            "recurrent.kept",
            "recurrent.states",
            "translate.chain",
            "translate.taught",
            "translate.free",
            "translate.losses",
            "translate.alignment",
            "translate.tree",
            "translate.second",
        ),
        also=N_("translation, translator, encoder, decoder, French"),
        scopes=("b", "s", "bs"),
    ),
    Row(
        N_("Machines"),
        "machines/from_rnn.py",
        "rnn-to-transformer",
        N_("From RNN to Transformer"),
        ("recurrent", "weights"),
        needs=Needs("translate"),
        example=WALK,
        # The head that looks ahead, and the row that writes "cat".
        opens=(("layer", "1"), ("head", "1"), ("s.token", "12")),
        attends=new_at,
        views=(
            "stops.sentence",
            "stops.scores",
            "stops.lengths",
            "stops.pace",
            "stops.new",
            "stops.target",
            "recurrent.kept",
            "recurrent.gradient",
        ),
        also=N_("recurrent network, LSTM, GRU"),
        scopes=("s",),
    ),
    Row(
        N_("Machines"),
        "machines/which.py",
        "which-machine",
        N_("Which machine for what"),
        needs=Needs("next_token"),
        example="The dog was hungry, so he ate all of his food.",
        strip=False,
        views=("which.table", "which.probe", "predict.surprisal"),
        also=N_("compare models, encoder or decoder"),
    ),
    Row(
        N_("Machines"),
        "predictions/spans.py",
        "spans",
        N_("Spans and noise"),
        ("logits", "prediction"),
        needs=Needs("damaged"),
        example="Once upon a time there was a little dog. He liked to run and play in the garden. "
        "One day he saw a big red ball.",
        opens_with=the_first_attention,
        views=(
            "noise.text",
            "noise.source",
            "noise.target",
            "noise.filled",
            "noise.fillings",
            "noise.damaged",
            "noise.wanted",
            "noise.rewritten",
            "noise.answer",
            "noise.own",
            "positions.bias",
            "positions.added",
            "positions.unbiased",
            "attention.weights",
        ),
        also=N_("T5, BART, denoising"),
    ),
    Row(
        N_("Machines"),
        "predictions/vision.py",
        "vision",
        N_("Vision"),
        ("picture", "patches", "maps", "labels"),
        needs=Needs("classify_image"),
        views=(
            "vision.answer",
            "vision.beside",
            "vision.picture",
            "vision.samples",
            "vision.attention",
            "vision.looks",
            "vision.rollout",
            "vision.distance",
            "vision.places",
            "vision.shuffled",
            "vision.maps",
        ),
        also=N_("picture, image, drawing, digits, ViT"),
    ),
    Row(
        N_("Machines"),
        "shelf.py",
        "models",
        N_("On the shelf"),
        needs=NO_MODEL,
        also=N_("models, model cards, weights"),
    ),
    Row(
        N_("Labs"),
        "predictions/fine_tune.py",
        "fine-tune",
        N_("Fine-tune"),
        ("labels",),
        needs=Needs("classify_text"),
        example=FELT,
        views=(
            "tune.text",
            "tune.pair",
            "tune.sentences",
            "tune.learning",
            "tune.asked",
            "tune.layers",
            "tune.said",
        ),
        also=N_("finetuning, classify, sentiment, feeling"),
    ),
    Row(
        N_("Labs"),
        "labs/training.py",
        "training",
        N_("Training lab"),
        needs=NO_MODEL,
        strip=False,
        views=(
            "learning.practice",
            "learning.samples",
            "learning.looks",
            "learning.adam",
            "learning.moments",
            "learning.rate",
            "learning.warmed",
            "learning.smoothing",
            "learning.certainty",
            "learning.compared",
            "learning.calibration",
        ),
        also=N_("train, learning, gradient, optimiser, Adam"),
    ),
    Row(
        N_("Labs"),
        "labs/film.py",
        "film",
        N_("Film of learning"),
        needs=NO_MODEL,
        example=RED,
        opens=(("layer", "3"), ("head", "2"), ("frame", "0")),
        strip=False,
        views=("film.losses", "film.written", "film.guesses", "film.weights", "film.words"),
        also=N_("training steps, loss curve"),
    ),
    Row(
        N_("Labs"),
        "labs/bench.py",
        "break-it",
        N_("Break-it bench"),
        needs=Needs("words", ("attention", "blocks")),
        opens=(("curve_group", "broken"),),
        strip=False,
        views=("bench.weights", "bench.guesses", "bench.sizes", "shapes.curves"),
        also=N_("switch off a part, ablation"),
    ),
    Row(
        N_("Labs"),
        "labs/hunt.py",
        "bug-hunt",
        N_("Bug hunt"),
        needs=Needs("words", ("attention", "blocks")),
        strip=False,
        views=("hunt.weights", "hunt.guesses", "hunt.sizes"),
        also=N_("errors, mistakes, debugging"),
    ),
    Row(
        N_("Labs"),
        "labs/cost.py",
        "cost",
        N_("Cost"),
        needs=NO_MODEL,
        strip=False,
        views=(
            "cost.sizes",
            "cost.work",
            "cost.memory",
            "cost.growth",
            "cost.times",
            "cost.same",
            "predict.cache",
            "cost.published",
            "cost.shelf",
        ),
        also=N_("memory, speed, number of parameters, FLOPs"),
    ),
    Row(
        N_("Labs"),
        "labs/beyond.py",
        "beyond",
        N_("Preferences and pictures"),
        needs=Needs("next_token", ("blocks",)),
        strip=False,
        views=(
            "beyond.learning",
            "beyond.before",
            "beyond.after",
            "beyond.frontier",
            "beyond.best",
            "beyond.judged",
            "digits.states",
            "digits.pictures",
            "digits.looks",
            "digits.reads",
            "digits.measured",
        ),
        also=N_("reinforcement learning, RLHF, beyond"),
    ),
    Row(
        N_("Lessons"),
        "learn/lessons.py",
        LESSONS,
        N_("All lessons"),
        needs=NO_MODEL,
        strip=False,
        also=N_("exercises, questions, course"),
    ),
    Row(
        N_("Lessons"),
        "glossary.py",
        "glossary",
        N_("Glossary"),
        needs=NO_MODEL,
        also=N_("dictionary, definitions, terms"),
    ),
)


def example(row: Row, model: str) -> str:
    """The text that a page opens on with a model; empty for everybody's."""
    blueprint = zoo.blueprint(model)
    asked = ABILITIES[blueprint.head.ability] if blueprint.predicts_words else None
    own = row.example
    # Only the home page asks what the model says, so that there a word is hidden. A page that is
    # about what such models can do knows what they can read, and any text can be cut into tokens.
    free = row.needs.ability not in ("any", "words") or row.needs.parts == ("tokens",)
    of_its_own = bool(own) and free
    if asked is not None and asked.example and (not row.address or (asked.only and not of_its_own)):
        own = asked.example
    return own


def opens(row: Row, model: str) -> dict[str, str]:
    """What else a page opens on with a model."""
    return {**dict(row.opens), **(row.opens_with(model) if row.opens_with else {})}


def cannot_read(model: str, text: str) -> bool:
    """Whether a model cannot read a text: it translates from another language."""
    return translates(model) and tongue(text) == "en"


def translates(model: str) -> bool:
    """Whether a model translates, and so reads another language than all others."""
    blueprint = zoo.blueprint(model)
    return blueprint.predicts_words and blueprint.head.ability == "translate"


def page_of(view: str, model: str = "") -> Row:
    """The page that shows a view, and where it can be explored.

    Args:
        view: its name.
        model: that it is shown of: a page that can show that one comes first; empty for any.

    Raises:
        KeyError: none does.
    """
    home_last = (*TABLE[1:], TABLE[0])
    rows = [row for row in home_last if view in row.views]
    if not rows:
        raise KeyError(view)
    return next((row for row in rows if not model or can(model, row.needs)), rows[0])


@lru_cache(maxsize=64)
def names(row: Row) -> frozenset[str]:
    """The names that a page's link may say: what its views can be asked for."""
    classes = [views.get(name).Params for name in row.views]
    return frozenset(field.name for cls in classes for field in dataclasses.fields(cls))


@lru_cache(maxsize=64)
def asks(row: Row) -> frozenset[str]:
    """Those of them that a figure selects and the server must answer."""
    classes = [views.get(name).Params for name in row.views]
    return frozenset(
        field.name
        for cls in classes
        for field in dataclasses.fields(cls)
        if declared(cls, field.name).picked
    )


def model_label(name: str) -> str:
    """A shelf model as the bar names it: GPT, 6 layers; of two towers each with its own."""
    blueprint = zoo.blueprint(name)
    towers = blueprint.stacks or blueprint.recurrences or blueprint.convolutions
    if not towers:
        return name_of(name)
    n_layers = " + ".join(str(tower.n_layers) for tower in towers)
    return _("{name}, {n} layers").format(name=name_of(name), n=n_layers)


def row_at(address: str) -> Row:
    """The page of an address."""
    return next(row for row in TABLE if row.address == address)


def of_text(row: Row) -> bool:
    """Whether a page is about a text: its own view is, or a lesson may be."""
    if not row.views:
        return row.address == LESSONS
    return "text" in views.get(row.views[0]).Params.__dataclass_fields__


def offered() -> tuple[Row, ...]:
    """The pages that some model of the shelf can show."""
    shelf = zoo.shelf()
    return tuple(row for row in TABLE if any(can(name, row.needs) for name in shelf))


def places(model: str) -> dict[str, str]:
    """Part id -> address of the first page that shows it, and shows it of this model if any does.

    Args:
        model: on the shelf.
    """
    found: dict[str, str] = {}
    for row in sorted(offered(), key=lambda row: not can(model, row.needs)):
        for part in row.parts:
            found.setdefault(part, page_at(row.address))
    return found
