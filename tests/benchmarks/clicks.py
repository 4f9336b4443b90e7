"""What a learner clicks on each page of the app, and the sentences that learners type."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Chosen = Mapping[str, Any]


@dataclass(frozen=True)
class Clicks:
    """What a learner does on a page.

    Attributes:
        page: its address; the home page's is empty.
        by: key of the figure in which something is selected.
        select: selections that need no new data, in turn; none where every click does.
        asked_by: key of the figure whose selection needs new data, where no control does.
        ask: another layer, head or step that needs new data, in turn.
        settle: a setting that needs other work than another layer does, in turn.
        query: of the link with which it is opened.
        near: parts further down that are seen, where there are such parts.
        types: whether a new text changes anything there.
        french: the text is in French.
    """

    page: str
    by: str = ""
    select: Sequence[Chosen] = ()
    asked_by: str = ""
    ask: Sequence[Chosen] = ()
    settle: Sequence[Chosen] = ()
    query: Mapping[str, str] | None = None
    near: Sequence[str] = ()
    types: bool = True
    french: bool = False


def _each(name: str, values: Sequence[Any]) -> tuple[Chosen, ...]:
    return tuple({name: value} for value in values)


_CELLS = tuple({"token": i, "key": j} for i in range(2, 8) for j in range(0, i, 2))
_HEADS = tuple({"layer": i, "head": j} for j in range(4) for i in range(6))
_PREMISES = ("A man plays a guitar.", "A woman reads a book.", "Two dogs run on the beach.")
_FAULTS = ("wrong_axis", "no_positions", "no_residual")

CLICKS = (
    Clicks("", "map", _each("token", range(8)), near=("parts",)),
    Clicks(
        "tokenization", "text.tokens", _each("word", range(6)),
        settle=_each("merges", range(41, 61)), near=("word", "learning"),
    ),
    Clicks(
        "positions", "embed.tokens", _each("token", range(8)),
        settle=_each("d_model", range(300, 340, 2)), near=("waves",),
    ),
    Clicks(
        "attention-before", "attention.row", _each("token", range(8)), ask=_each("layer", range(6)),
    ),
    Clicks("attention", "attention.row", _each("token", range(8)), ask=_each("layer", range(6))),
    Clicks("heads", "attention.weights", _CELLS, "attention.heads", _HEADS),
    Clicks("masks", "masks.strip", _each("token", range(8)), ask=_each("head", range(4))),
    Clicks(
        "layernorm", "norm.steps", _each("norm_step", range(7)),
        "norm.strip", _each("token", range(1, 8)),
        query={"source": "text"},
    ),
    Clicks(
        "feed-forward", asked_by="ffn.units", ask=_each("layer", range(6)),
        settle=_each("unit", range(0, 1000, 37)),
    ),
    Clicks(
        "next-token", "predict.next", _each("made", range(12)),
        settle=_each("temperature", [0.5 + 0.05 * i for i in range(20)]),
    ),
    Clicks(
        "masked-word", "masked.example", _each("example_token", range(1, 8)),
        "masked.strip", _each("token", (2, 5)),
        query={"hide": "1,4"},
    ),
    Clicks(
        "translate", "translate.source", _each("token", (1, 3, 4, 5, 6, 7)),
        "translate.heads", tuple({"layer": i, "head": j} for j in range(4) for i in range(3)),
        french=True,
    ),
    Clicks(
        "rnn-to-transformer", "stops.new", _each("token", range(1, 8)),
        ask=_each("head", (0, 1)), french=True,
    ),
    Clicks(
        "spans", "noise.text", _each("span", (0, 1)), settle=_each("span_seed", range(1, 60)),
        near=("biases",),
    ),
    Clicks(
        "words-in-context", ask=_each("layer", ("static", "input", "0", "1")), types=False,
        near=("layers",),
    ),
    Clicks("which-machine", asked_by="which.table", settle=_each("probe", range(8))),
    Clicks("vision", settle=_each("samples_of", ("mnist", "ours")), types=False),
    Clicks("fine-tune", settle=_each("premise", _PREMISES), types=False, near=("layers",)),
    Clicks(
        "block-shapes", ask=_each("shape", range(4)), settle=_each("shape_depth", range(4, 24)),
        types=False,
    ),
    Clicks("film", asked_by="film.losses", ask=_each("frame", range(14)), types=False),
    Clicks("break-it", ask=_each("layer", range(6)), settle=_each("fault", _FAULTS)),
    Clicks("bug-hunt", ask=_each("layer", range(6)), types=False),
    Clicks("beyond", settle=_each("liked_sample", range(8)), types=False),
    Clicks("models", types=False),
)  # fmt: skip

# Who, did, what: in English and in French.
_ENGLISH = (
    ("dog", "cat", "king", "queen", "boy", "girl", "teacher", "farmer", "wolf", "bird", "doctor"),
    ("saw", "found", "lost", "took", "made", "carried", "followed", "loved", "helped", "painted"),
    ("ring", "door", "river", "letter", "garden", "cake", "boat", "hat", "stone", "book", "song"),
)
_FRENCH = (
    ("chat", "chien", "roi", "garçon", "voisin", "facteur", "médecin", "boulanger", "fermier"),
    ("regarde", "trouve", "cherche", "prend", "porte", "ouvre", "peint", "suit"),
    ("livre", "bateau", "chapeau", "jardin", "fromage", "manteau", "gâteau", "pont", "lit"),
)


def sentence(draw: random.Random, *, french: bool = False) -> str:
    """A sentence like those that learners type: always about as long, seldom drawn twice."""
    who, did, what = _FRENCH if french else _ENGLISH
    a, b, c, d, e, f = (draw.choice(words) for words in (who, did, what, who, did, what))
    if french:
        return f"Le {a} {b} le {c} et le {d} {e} le {f}."
    return f"The {a} {b} the {c} because the {d} had {e} a {f} near the"
