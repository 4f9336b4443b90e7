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
        select: selections that need no new data, in turn; none where every click does.
        ask: another layer, head or step that needs new data, in turn.
        settle: a setting that needs other work than another layer does, in turn.
        query: of the link with which it is opened.
        types: whether a new text changes anything there.
        french: the text is in French.
    """

    page: str
    select: Sequence[Chosen] = ()
    ask: Sequence[Chosen] = ()
    settle: Sequence[Chosen] = ()
    query: Mapping[str, str] | None = None
    types: bool = True
    french: bool = False


def _each(name: str, values: Sequence[Any]) -> tuple[Chosen, ...]:
    return tuple({name: value} for value in values)


_CELLS = tuple({"token": i, "key": j} for i in range(2, 8) for j in range(0, i, 2))
_HEADS = tuple({"layer": i, "head": j} for j in range(4) for i in range(6))
_PREMISES = ("A man plays a guitar.", "A woman reads a book.", "Two dogs run on the beach.")
_FAULTS = ("wrong_axis", "no_positions", "no_residual")

CLICKS = (
    Clicks("", _each("token", range(8))),
    Clicks("tokenization", _each("word", range(6)), settle=_each("merges", range(41, 61))),
    Clicks("positions", _each("token", range(8)), settle=_each("d_model", range(300, 340, 2))),
    Clicks("attention", _each("token", range(8)), _each("layer", range(6))),
    Clicks("heads", _CELLS, _HEADS),
    Clicks("masks", _each("token", range(8)), _each("head", range(4))),
    Clicks(
        "layernorm", _each("norm_step", range(7)), _each("token", range(1, 8)),
        query={"source": "text"},
    ),
    Clicks(
        "feed-forward", ask=_each("layer", range(6)), settle=_each("unit", range(0, 1000, 37)),
    ),
    Clicks(
        "next-token", _each("made", range(12)),
        settle=_each("temperature", [0.5 + 0.05 * i for i in range(20)]),
    ),
    Clicks(
        "masked-word", _each("example_token", range(1, 8)), _each("token", (2, 5)),
        query={"hide": "1,4"},
    ),
    Clicks(
        "translate", _each("token", (1, 3, 4, 5, 6, 7)),
        tuple({"layer": i, "head": j} for j in range(4) for i in range(3)), french=True,
    ),
    Clicks("rnn-to-transformer", _each("token", range(1, 8)), _each("head", (0, 1)), french=True),
    Clicks("spans", _each("span", (0, 1)), settle=_each("span_seed", range(1, 60))),
    Clicks("words-in-context", ask=_each("layer", ("static", "input", "0", "1")), types=False),
    Clicks("which-machine", settle=_each("probe", range(8))),
    Clicks("vision", settle=_each("samples_of", ("mnist", "ours")), types=False),
    Clicks("fine-tune", settle=_each("premise", _PREMISES), types=False),
    Clicks(
        "block-shapes", ask=_each("shape", range(4)), settle=_each("shape_depth", range(4, 24)),
        types=False,
    ),
    Clicks("film", ask=_each("frame", range(14)), types=False),
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
