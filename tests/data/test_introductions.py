"""The machines introduce themselves: what they say they have read and do well is so."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from core import zoo
from core.data.introductions import (
    DIGITS,
    ENCYCLOPEDIA,
    FRENCH,
    INTRODUCTIONS,
    PAIRS,
    PHOTOGRAPHS,
    REVIEWS,
    STORIES,
    TASKS,
)
from core.inputs import Text
from core.models.abilities import Ability
from core.predict import classify_text, denoise, fill_masks, fill_spans, next_tokens, translate
from core.runs.kinds.trace import TraceRequest
from core.runs.store import Runs
from core.training.recipes import RECIPES
from core.views.map.run import AtRow, WholeRun

SURE = 0.5  # of a word that it says by itself
KINDS = {
    "wiki_head": "encyclopedia", "factbook": "encyclopedia", "children": "stories",
    "tinystories": "stories", "fairytales": "stories", "tatoeba": "sentences",
    "sst2": "reviews", "nli": "pairs", "mnist": "digits", "cifar10": "photographs",
}  # fmt: skip
SAID = {
    STORIES: {"stories"}, ENCYCLOPEDIA: {"encyclopedia", "stories"},
    TASKS: {"encyclopedia", "stories", "sentences", "reviews"}, FRENCH: {"sentences"},
    REVIEWS: {"reviews"}, PAIRS: {"pairs"}, DIGITS: {"digits"}, PHOTOGRAPHS: {"photographs"},
}  # fmt: skip


@cache
def runs() -> Runs:
    return Runs()


def test_every_machine_of_the_shelf_introduces_itself():
    assert set(INTRODUCTIONS) == set(zoo.shelf())
    for name, one in INTRODUCTIONS.items():
        sees = "classify_image" in zoo.abilities(name)
        assert one.sees == sees, name
        assert len(one.sentences) == (0 if sees else 3), name


@pytest.mark.parametrize("name", INTRODUCTIONS)
def test_what_it_says_that_it_has_read_is_most_of_it(name):
    recipe = RECIPES[name, "cpu"]
    kinds = {KINDS.get(one.name) for one in recipe.task.sources} - {None}
    said = SAID[INTRODUCTIONS[name].read]
    assert said <= kinds
    mix = getattr(recipe.task, "cool_down", None)
    if mix is None or not hasattr(mix, "shares"):
        return
    shares = Counter()
    for source, share in mix.shares.items():
        shares[KINDS.get(source, "stories")] += share / sum(mix.shares.values())
    assert sum(shares[kind] for kind in said) > SURE
    assert [kind for kind, _share in shares.most_common(len(said))] == sorted(
        said, key=lambda kind: -shares[kind]
    )


def _says(name: str, ability: Ability, text: str, second: str) -> tuple[str, float]:
    """What a machine makes of a text, and how sure it is of what is one word or label."""
    model = runs().model(name, "cpu")
    match ability:
        case "next_token":
            (best,) = next_tokens(model, text, 1)
            return best.token.strip(), best.prob
        case "masked_words":
            ((best,),) = fill_masks(model, text, 1)
            return best.token, best.prob
        case "both_ways":
            run = runs().get(TraceRequest(name, Text(text)), "cpu")
            whole = WholeRun(run, AtRow(text=text, model=name))
            return whole.likeliest(whole.row(whole.stream))
        case "translate":
            return translate(model, text, 1).text, 1.0
        case "fill_spans":
            return " ".join(fill_spans(model, text, 1)), 1.0
        case "denoise":
            return denoise(model, text, 1).text.strip(), 1.0
        case _:
            best = classify_text(model, text, second or None)[0]
            return best.label, best.prob


@pytest.mark.parametrize(
    ("name", "sentence"),
    [(name, one) for name, introduced in INTRODUCTIONS.items() for one in introduced.sentences],
    ids=lambda one: one if isinstance(one, str) else one.text,
)
def test_what_it_offers_it_does_well(name, sentence):
    parts = zoo.blueprint(name)
    ability = parts.head.ability if parts.predicts_words else parts.classifier.ability
    said, share = _says(name, ability, sentence.text, sentence.second)
    assert said in sentence.says
    assert share >= SURE
