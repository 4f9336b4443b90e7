"""A token's way over the map: what it has reached is sent, and nothing of what lies ahead."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

import numpy as np
import pytest

from core.figures.components import Map
from core.figures.components.map import Part, Way
from core.runs.results import Run
from core.views.map.run import WholeRun
from tests.views.records import shown

TEXT = "the cat sat on the mat"
# By part, the sites that it opens; of the open layer, which is the last one, "L".
OPENS = {
    Part.EMBEDDING: ["embed.tokens"],
    Part.PLACE: ["embed.positions"],
    Part.LAYERS: ["blocks.0.attn.weights", "blocks.0.ffn.out", "blocks.0.resid_post"],
    Part.LOOKS: ["blocks.L.attn.weights"],
    Part.FFN: ["blocks.L.ffn.post"],
    Part.SUMS: ["blocks.L.resid_mid", "blocks.L.resid_post"],
    Part.WORDS: ["logits"],
}


def way_of(figure: Map) -> Way:
    assert figure.way is not None
    return figure.way


def figure_of(runs, reached: int, text: str = TEXT, model: str = "gpt") -> Map:
    view, record = shown(runs, "map.run", text=text, model=model, reached=str(reached))
    return view.show(record)


def disturbed(record: WholeRun, opened: set[str], *, inside: bool) -> WholeRun:
    """The same run with other numbers: in what is open, or in all that is not."""
    trace, draw = record.trace, np.random.default_rng(0)
    arrays = {
        name: np.abs(array * draw.uniform(0.2, 3.0, array.shape).astype(np.float32))
        if (name in opened) == inside else array
        for name, array in trace.arrays.items()
    }  # fmt: skip
    run = record.run
    other = dataclasses.replace(trace, arrays=MappingProxyType(arrays))
    return WholeRun(Run(other, run.texts, run.cut, run.encoders), record.params)


@pytest.mark.parametrize("part", Part)
def test_nothing_of_what_lies_ahead_is_sent(runs, part):
    view, record = shown(runs, "map.run", text=TEXT, model="gpt", reached=str(int(part)))
    layer = str(record.trace.config.n_layers - 1)
    opened = {one.replace("L", layer) for p, names in OPENS.items() if p <= part for one in names}
    sent = view.show(record).payload().pack()
    ahead = disturbed(record, opened, inside=False)
    assert view.show(ahead).payload().pack() == sent
    if part in OPENS:
        there = disturbed(record, {one.replace("L", layer) for one in OPENS[part]}, inside=True)
        assert view.show(there).payload().pack() != sent


def test_of_one_head_nothing_of_the_others_is_sent(runs):
    view, record = shown(runs, "map.run", text=TEXT, reached=str(int(Part.LOOKS)), head="1")
    name = f"blocks.{record.head.layer}.attn.weights"
    weights = record.trace[name].copy()
    weights[0] = weights[0][::-1]
    arrays = MappingProxyType({**record.trace.arrays, name: weights})
    run = dataclasses.replace(record.run, trace=dataclasses.replace(record.trace, arrays=arrays))
    other = WholeRun(run, record.params)
    assert view.show(other).payload().pack() == view.show(record).payload().pack()


def test_before_the_cut_the_last_word_is_only_in_the_text(runs):
    one, other = (figure_of(runs, 0, text).payload() for text in (TEXT, "the cat sat on the dog"))
    assert not one.arrays
    assert one.pack() == other.pack().replace(b"dog", b"mat")


def test_each_part_opens_more(runs):
    sizes = [len(figure_of(runs, part).payload().pack()) for part in Part]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) == len(sizes)
    said = [figure_of(runs, part).payload().header["way"]["said"] for part in Part]
    assert [len(one) for one in said] == [part + 1 for part in Part]


def test_one_part_less_is_what_comes_before_it(runs):
    for part in list(Part)[1:]:
        before = figure_of(runs, part).ahead()
        assert before is not None
        assert before.payload().pack() == figure_of(runs, part - 1).payload().pack()
    assert figure_of(runs, 0).ahead() is None


def test_the_end_is_the_models_own_next_word(runs):
    figure = figure_of(runs, Part.AGAIN)
    way = way_of(figure)
    assert way.born.label == figure.answer.words[way.row][0]
    assert way.row == len(figure.towers[0].tokens) - 1
    np.testing.assert_allclose(way.looks.sum(axis=-1), 1, atol=1e-5)
    guess, share = way.guesses[-1]
    assert way.born.label.endswith(guess)
    assert share == pytest.approx(float(figure.answer.probs[way.row, 0]), abs=1e-4)


@pytest.mark.parametrize("model", ["bert", "transformer"])
def test_a_model_that_does_not_write_on_has_no_way(runs, model):
    figure = figure_of(runs, 4, model=model)
    assert figure.way is None
    assert figure.ahead() is None
    assert figure.payload().pack() == figure_of(runs, -1, model=model).payload().pack()


def test_of_a_long_text_the_end_has_the_way(runs):
    figure = figure_of(runs, Part.AGAIN, "the cat sat. " * 12)
    (tower,) = figure.towers
    assert way_of(figure).row == len(tower.tokens) - 1
    assert figure.payload().header["towers"][0]["first"] == tower.first > 0
    assert figure_of(runs, 0, "the cat sat. " * 12).payload().header["towers"][0]["first"] == 0
