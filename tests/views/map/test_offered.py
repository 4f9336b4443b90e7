"""The panel "What if": what it offers in each place, and what stands above it."""

from __future__ import annotations

import numpy as np
import pytest

from core.figures.text import percent
from core.models import places
from core.views.map import flow as offered
from core.views.map.flow import MapFlowView
from core.views.map.inside import MORE
from tests.views.map.test_flow import TEXT, flow_of
from tests.views.records import MACHINES

ROW = "layer0.head1.row4.key2."


def panel(runs, place="", **values):
    record = flow_of(runs, place=place, **values)[1]
    return record, MapFlowView().panel(record)


def test_a_layer_offers_its_sums_and_a_head_itself_and_its_row(runs):
    _record, of_layer = panel(runs, "layer1", model="gpt")
    assert [one["name"] for one in of_layer.header["turns"]] == [
        "layer1.attn.sum", "layer1.ffn.sum",
    ]  # fmt: skip
    assert of_layer.header["row"] is None
    assert not of_layer.header["effect"]
    (heads,) = of_layer.header["heads"]
    assert [one["name"] for one in heads["each"]][:2] == ["layer1.head0", "layer1.head1"]
    record, of_head = panel(runs, "layer0.head1", model="gpt")
    assert [one["name"] for one in of_head.header["turns"]] == ["layer0.head1"]
    weights = record.onward.run.trace["blocks.0.attn.weights"][1]
    may = record.onward.run.trace.mask
    np.testing.assert_array_equal(of_head.arrays["weight"][may], weights[may])
    assert (of_head.arrays["weight"][~may] == offered.MASKED).all()
    assert not of_head.header["heads"]
    assert of_head.pack()


def test_of_a_head_that_is_off_no_weight_can_be_set(runs):
    _record, found = panel(runs, "layer0.head1.key2", model="gpt", off="layer0.head1")
    assert found.header["row"] is None
    assert found.arrays == {}
    assert "This head is off, so its weights move nothing" in found.header["notes"][0]
    _record, other = panel(runs, "layer0.head0", model="gpt", off="layer0.head1")
    assert other.header["row"]


def test_of_a_layer_with_two_kinds_of_attention_each_head_is_offered_as_the_link_names_it(runs):
    off = "target.layer0.cross.head1"
    record, found = panel(runs, "target.layer0", model="transformer", off=off)
    own, across = found.header["heads"]
    assert [one["on"] for one in own["each"] + across["each"]].count(True) == 1
    assert next(one["name"] for one in across["each"] if one["on"]) == off
    assert record.effect is not None
    assert found.header["effect"].startswith(f"“{record.effect.word}” goes from ")
    words, now = record.whole.shown_words
    at = record.row - record.whole.first
    both = zip(words[at], now[at], strict=True)
    others = [one for word, one in both if word.removeprefix("·") != record.effect.word]
    assert [one.rpartition("→ ")[2] for one in found.header["best"]] == [
        percent(float(one)) for one in others[:3]
    ]


def test_each_change_is_a_chip_and_what_is_set_is_noted_in_its_head(runs):
    _record, found = panel(
        runs, "layer0.head1", model="gpt", off=f"{ROW}weight0.5+layer1.ffn", swap="1~cat~dog"
    )
    assert [one["name"] for one in found.header["ones"]] == [
        f"{ROW}weight0.5", "layer1.ffn", "1~cat~dog",
    ]  # fmt: skip
    assert all(one["alone"].startswith("alone: ") for one in found.header["ones"])
    assert found.header["effect"].startswith("Together: ")
    assert found.header["joint"].startswith("Their effects ")
    assert "bits" not in str(found.header)
    assert any("set in this head" in one for one in found.header["notes"])
    assert found.header["words"]["all"][1] == "dog"


@pytest.mark.parametrize("model", [one for one in MACHINES["answers"] if one != "vit"])
def test_each_token_has_its_word_in_every_machine(runs, model):
    record, found = panel(runs, model=model)
    words, trace = found.header["words"], record.onward.run.trace
    assert words["all"] == TEXT.split()
    units = trace.streams[trace.blueprint.streams[0]].units
    for unit, at in zip(units, words["of"], strict=True):
        if at >= 0 and not unit.unknown:
            assert unit.label.strip("·▁#").lower() in words["all"][at]
    assert set(words["of"]) >= set(range(len(words["all"])))


@pytest.mark.parametrize(("model", "place"), [("elmo", "layer0"), ("rnn", "source.layer0")])
def test_where_nothing_leads_round_a_layer_one_sentence_says_so(runs, model, place):
    _record, found = panel(runs, place, model=model)
    assert found.header["turns"] == []
    assert any(one.startswith("Nothing leads round this layer") for one in found.header["notes"])


@pytest.mark.parametrize("place", ["embeddings", "words", "layer0.ffn.unit3", "layer0.head1.key2"])
def test_in_every_other_place_it_offers_what_belongs_there(runs, place):
    _record, found = panel(runs, place, model="gpt")
    names = [one["name"] for one in found.header["turns"]]
    assert names == {"layer0.ffn.unit3": ["layer0.ffn", "layer0.ffn.sum"],
                     "layer0.head1.key2": ["layer0.head1"]}.get(place, [])  # fmt: skip


def test_positions_of_a_row_are_those_of_the_text_as_it_was(runs):
    """The text that is shown has more tokens than the first one, in which a link counts."""
    longer, found = panel(runs, "layer0.head1", model="gpt", swap="1~cat~hippopotamus")
    queries, keys = found.header["row"]["named"]
    assert len(queries) == len(longer.onward.run.trace.tokens)
    assert queries[-1] == keys[-1] == len(longer.first.run.trace.tokens) - 1
    assert found.header["words"]["was"][1] == "cat"


@pytest.mark.parametrize("model", ["gpt", "transformer", "rnn", "vit"])
def test_the_page_that_tells_more_of_a_place_is_one_of_those_that_are_known(runs, model):
    record, nowhere = panel(runs, model=model)
    assert (nowhere.header["reading"], nowhere.header["about"]) == ([], [])
    blueprint = record.whole.blueprint
    for name in ("embeddings", "layer0.head1", "target.layer0.cross.head1", "layer0.ffn.unit3",
                 "source.layer0.cell", "words"):  # fmt: skip
        place = places.read(name)
        assert place is not None
        if not place.is_in(blueprint):
            continue
        _record, found = panel(runs, name, model=model)
        assert found.header["reading"] == []  # the picture says it, beside what is open
        about = [view for view, _asked in found.header["about"]]
        assert about
        assert set(about) <= set(MORE)


def test_of_a_layer_that_is_open_its_sentence_and_the_page_of_its_norms_are_said(runs):
    _record, found = panel(runs, "layer1", model="gpt")
    assert found.header["reading"]
    ((view, asked),) = found.header["about"]
    assert view == "norm.steps"
    assert {"source": "text", "layer": "1"}.items() <= asked.items()
    _record, wrong = panel(runs, "layer99.head0", model="gpt")
    assert (wrong.header["reading"], wrong.header["about"]) == ([], [])
