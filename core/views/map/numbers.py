"""The numbers of a run that flows, as tables: words, guesses, and what a change makes of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.figures import tokens
from core.figures.values import Along, Values
from core.language import _
from core.tracing.trace import Array
from core.views.map import towers
from core.views.map.flowing import FlowRun
from core.views.map.inside import PlaceRun
from core.views.map.what_if import Effect
from core.views.map.whole import WholeRun
from core.views.map.within.head import head_of
from core.views.map.within.made import Spot

Named = Iterator[tuple[str, Values]]


def numbers(record: FlowRun) -> Named:
    """Each table with its name; the weights are those of the head that is gone into."""
    whole = record.whole
    yield from _words(whole)
    yield from _weights(whole, record.params.place)
    for tower in whole.blueprint.towers:
        name, made = towers.numbers(whole.trace, tower)
        yield (name if tower.stream == whole.stream else f"{name}_{tower.name}"), made
    if record.effect is not None:
        yield from _effect(record.effect)
    yield from _beside(record)
    yield from _guesses(record)


def _words(whole: WholeRun) -> Named:
    """The likeliest words of each token, or labels of all, and how likely they are."""
    said, probs = whole.words()
    words, best = np.array(said), (whole.row(whole.stream), 0)
    along: tuple[Along, ...] = (_tokens(whole, len(said)), _ranks(probs))
    if whole.of_all:
        words, probs, along = words[0], probs[0], along[1:]
    selected = best[1:] if whole.of_all else best
    yield "words", Values(_("word"), words, along, selected=selected)
    yield "probabilities", Values(_("probability"), probs, along, selected=selected)


def _weights(whole: WholeRun, place: str) -> Named:
    here = PlaceRun(whole, place).here
    attention = None if here is None else here.attention(whole.blueprint)
    if here is None or attention is None:
        return
    head = head_of(Spot(whole, here), attention)
    yield "weights", Values(
        _("Attention weights"), head("weights"), head.along, site=f"{head.prefix}weights",
        selected=(head.query, head.key),
    )  # fmt: skip


def _effect(effect: Effect) -> Named:
    """What became of the word that was likeliest, and how much each change did."""
    both = (Along("run", _("run"), [_("nothing changed"), _("changed")]),)
    label = _("probability of “{word}”").format(word=effect.word)
    share = np.array([effect.before, effect.after], np.float32)
    yield "share", Values(label, share, both, selected=(1,))
    yield "likeliest", Values(_("most likely word"), np.array([effect.word, effect.now]), both)
    names = [_("together"), *(one.called for one in effect.ones)]
    bits = np.array([effect.bits, *(one.bits for one in effect.ones)], np.float32)
    each = (Along("change", _("change"), names),)
    yield "bits", Values(_("bits"), bits, each, selected=(0,))


def _beside(record: FlowRun) -> Named:
    """The words that are drawn where something is changed, with how likely they were."""
    beside = record.beside
    if beside is None:
        return
    along = (_tokens(record.whole, len(beside.was)), _ranks(beside.was))
    yield "words_beside", Values(_("word"), np.array(beside.words), along)
    yield "now", Values(_("probability"), beside.now, along)
    yield "was", Values(_("probability with nothing changed"), beside.was, along)


def _guesses(record: FlowRun) -> Named:
    """What each token, or all of it, would say after each layer."""
    found = record.guesses
    if not found:
        return
    layers = Along("layer", _("layer"), [str(n) for n in range(len(found[0]))])
    along = (_tokens(record.whole, len(found)), layers)
    words = np.array([[word for word, _share in one] for one in found])
    shares: Array = np.array([[share for _word, share in one] for one in found], np.float32)
    yield "guesses", Values(_("best guess after the layer"), words, along)
    yield "shares", Values(_("its probability"), shares, along)


def _tokens(whole: WholeRun, n: int) -> Along:
    """Along the last tokens, or along all of them at once where one answer is of all."""
    labels = [_("all")] if whole.of_all else tokens.labels(whole.trace.units)[-n:]
    return Along("token", _("token"), labels)


def _ranks(probs: Array) -> Along:
    return Along("rank", _("rank"), [str(n) for n in range(probs.shape[1])])
