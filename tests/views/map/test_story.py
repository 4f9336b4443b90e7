"""A run that is told in parts: what has been told is sent, and nothing of what lies ahead."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

import numpy as np
import pytest

from core.figures.components.map import StoryPart
from core.runs.kinds.continuation import ContinuedRun
from core.runs.kinds.trace import Run
from core.views.map.story import FlowRun
from tests.views.records import shown

TEXT = "the cat sat on the mat"
# By part, the sites that it opens; of the open layer, which is the last one, "L".
OPENS = {
    StoryPart.EMBEDDING: ["embed.tokens"],
    StoryPart.PLACE: ["embed.positions"],
    StoryPart.LAYERS: ["blocks.0.attn.weights", "blocks.0.ffn.out", "blocks.0.ffn.post",
                       "blocks.0.resid_mid", "blocks.0.resid_post"],
    StoryPart.HEAD: ["blocks.L.attn.weights", "blocks.L.ln_1.out"],
    StoryPart.FFN: ["blocks.L.ffn.post", "blocks.L.resid_mid", "blocks.L.resid_post"],
    StoryPart.GUESSES: ["ln_final.out"],
    StoryPart.WORDS: ["logits"],
}  # fmt: skip


def record_at(runs, part: StoryPart, text: str = TEXT, model: str = "gpt"):
    view, record = shown(
        runs, "map.flow", text=text, model=model, reached=str(int(part)), place="layer1.head0"
    )
    return view, record


def disturbed(record: FlowRun, opened: set[str]) -> FlowRun:
    """The same run with other numbers in all that is not open; what is said of it stays."""
    trace, draw = record.whole.trace, np.random.default_rng(0)
    arrays = {
        name: array
        if name in opened
        else np.abs(array * draw.uniform(0.2, 3.0, array.shape).astype(np.float32))
        for name, array in trace.arrays.items()
    }
    run = record.onward.run
    other = dataclasses.replace(trace, arrays=MappingProxyType(arrays))
    onward = ContinuedRun(Run(other, run.texts, run.cut, run.encoders), record.onward.continues)
    return FlowRun(onward, record.params)


@pytest.mark.parametrize("part", [one for one in StoryPart if one < StoryPart.HEAD])
def test_nothing_of_what_lies_ahead_is_sent(runs, part):
    view, record = record_at(runs, part)
    layers = record.whole.trace.config.n_layers
    opened = {one.replace("L", str(layers - 1))
              for p, names in OPENS.items() if p <= part for one in names}  # fmt: skip
    if part >= StoryPart.LAYERS:  # each layer before the last one
        of_first = [one for one in record.whole.trace.arrays if one.startswith("blocks.0.")]
        opened |= {f"blocks.{n}{one[len('blocks.0') :]}" for n in range(layers - 1)
                   for one in of_first}  # fmt: skip
    assert (
        view.show(disturbed(record, opened)).payload().pack() == view.show(record).payload().pack()
    )


@pytest.mark.parametrize("part", list(StoryPart)[1:])
def test_each_part_sends_more_than_the_one_before(runs, part):
    extra = {"off": "layer1.head0"} if part is StoryPart.OFF else {}
    view, record = shown(runs, "map.flow", text=TEXT, reached=str(int(part)), **extra)
    before = view.show(shown(runs, "map.flow", text=TEXT, reached=str(part - 1))[1]).payload()
    now = view.show(record).payload()
    assert now.header["told"]["reached"] == part
    assert now.header["alt"] != before.header["alt"]
    if part not in (StoryPart.TOKENS, StoryPart.AGAIN):
        assert (
            len(now.arrays) + len(now.header["guesses"])
            > len(before.arrays) + len(before.header["guesses"])
            or part is StoryPart.OFF
        )


def test_a_word_stands_behind_the_text_once_it_is_told(runs):
    for part in StoryPart:
        _view, record = shown(runs, "map.flow", text=TEXT, reached=str(int(part)))
        assert record.onward.n_written == (part is StoryPart.AGAIN)


def test_the_guesses_and_the_words_come_when_they_are_told(runs):
    view = None
    for part in StoryPart:
        view, record = record_at(runs, part)
        sent = view.show(record).payload()
        assert bool(sent.header["guesses"]) == (part >= StoryPart.GUESSES)
        assert ("probs" in sent.arrays) == (part >= StoryPart.WORDS)
        assert any(any(row) for row in sent.header["words"]) == (part >= StoryPart.WORDS)
        assert bool(sent.header["passes"][0]["born"]) == (part >= StoryPart.AGAIN)


def test_of_a_machine_that_cannot_be_told_so_all_is_shown(runs):
    view, record = shown(runs, "map.flow", text=TEXT, model="bert", reached="3")
    assert "told" not in view.show(record).payload().header
