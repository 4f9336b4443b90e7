"""The towers of a run: what is drawn of it, and that all of it is in the drawing that is saved."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from core.errors import NoPartError
from core.figures.components import Flow
from core.figures.components.map import (
    Blocks,
    Heads,
    LookedAttention,
    OpenedPlace,
    Recurrent,
    Tower,
    Vectors,
)
from core.figures.text import percent
from core.inputs import Text
from core.models.abilities import ABILITIES
from core.models.parts import Dense
from core.models.rnn import RNN, RNNConfig
from core.runs.kinds.trace import TraceRequest
from core.runs.store import Runs
from core.views.map.parts import N_ROWS, DrawnStream, cells_of, kinds, pieces
from core.views.map.parts import drawn as columns
from core.views.map.run import ANSWERS, cells_drawn, entries_drawn
from tests.conftest import loaded
from tests.views.records import SPACE, drawn, shown, written

TEXT = "the cat sat on the mat"
MACHINES = ("gpt", "bert", "transformer")
RECURRENT = (True, False)


def trace_of(runs, model, text=TEXT):
    return runs.get(TraceRequest(model, Text(text))).trace


def flow_of(runs, **values: str) -> Flow:
    view, record = shown(runs, "map.flow", **{"text": TEXT, **values})
    return view.show(record)


def kinds_in(tower: Tower) -> list[Heads]:
    """Its kinds of attention, in blocks and by themselves."""
    return [
        kind
        for part in tower.parts
        if isinstance(part, Blocks | LookedAttention)
        for kind in (part.heads if isinstance(part, Blocks) else [part.heads])
    ]


# --- what it says ------------------------------------------------------------------------


def test_what_follows_is_said_of_the_token_that_is_looked_at(runs):
    for model, at, start in (
        ("gpt", 1, "After “{own}”, “{best}” is most likely"),
        ("bert", 2, "No word is hidden: at “{own}”, which it can read, “{best}” is most likely"),
    ):
        view, record = shown(runs, "map.flow", text=TEXT, model=model, token=str(at))
        logits = record.whole.trace[record.whole.blueprint.head.site][at]
        best = record.whole.run.words(int(logits.argmax())).label.removeprefix("·")
        said = start.format(own=record.whole.trace.units[at].spoken, best=best)
        assert str(view.describe(record)).startswith(said)


def test_a_hidden_word_is_looked_at_first(runs):
    _view, record = shown(runs, "map.flow", text="the [MASK] sat", model="bert")
    assert record.whole.trace.tokens[record.row].piece == "[MASK]"


def test_every_machine_is_asked_for_something(runs):
    assert set(ANSWERS) <= set(ABILITIES)
    for model in MACHINES:
        assert trace_of(runs, model).blueprint.head.ability in ANSWERS
    questions = [answer.question for answer in ANSWERS.values()]
    assert len(set(questions)) == len(questions)


# --- what is drawn -----------------------------------------------------------------------


def test_a_block_has_its_pieces_in_the_order_of_computation(runs):
    """Their sites stand in the catalogue, which is made from the code that runs, in that order."""
    for model in MACHINES:
        trace = trace_of(runs, model)
        places = list(trace.catalogue)
        for stack in trace.blueprint.stacks:
            sites = [f"{stack.block(1)}.{piece.site}" for piece in pieces(stack)]
            found = [places.index(site) for site in sites]
            assert all(one < other for one, other in pairwise(found)), (model, stack.name)


def test_the_pictures_are_the_numbers_of_the_run(runs):
    for model in MACHINES:
        view, record = shown(runs, "map.flow", text=TEXT, model=model)
        trace, payload = record.whole.trace, view.show(record).payload()
        for stack, tower in zip(trace.blueprint.stacks, payload.header["towers"], strict=True):
            (blocks,) = (part for part in tower["parts"] if part["kind"] == "blocks")
            prefix, first = blocks["prefix"], tower["parts"][0]["prefix"]
            assert prefix == ("1." if len(trace.blueprint.stacks) == 1 else f"{stack.stream}.1.")
            embedded = trace[f"{stack.block(0)}.resid_pre"]
            made = payload.arrays[f"{first}values"]
            np.testing.assert_array_equal(made[:, 0], embedded[-len(made) :, 0])
            for piece in pieces(stack):
                site = trace[f"{stack.block(1)}.{piece.site}"]
                if piece.site.endswith(".weights"):
                    array = next(h["array"] for h in blocks["heads"] if h["piece"] == piece.name)
                    made = payload.arrays[f"{prefix}{array}.1"]
                    last = site[:, -made.shape[1] :, -made.shape[2] :]
                    np.testing.assert_array_equal(made, last.astype(np.float32))
                else:
                    made = payload.arrays[f"{prefix}{piece.name}.1"]
                    np.testing.assert_array_equal(made[:, 0], site[-len(made) :, 0])
            assert blocks["order"] == [piece.name for piece in pieces(stack)]
        output = trace[trace.blueprint.site("@output")]
        last = payload.header["towers"][-1]["parts"][-1]["prefix"]
        if model != "bert":  # whose head has layers of its own
            made = payload.arrays[f"{last}values"]
            np.testing.assert_array_equal(made[:, 0], output[-len(made) :, 0])


def test_an_encoder_and_a_decoder_are_two_towers(runs):
    encoder, decoder = flow_of(runs, model="transformer").towers
    assert [encoder.name, decoder.name] == ["source", "target"]
    titles = ["Encoder: it reads the source", "Decoder: it writes the target"]
    assert [encoder.title, decoder.title] == titles
    assert [kind.attention for kind in kinds_in(encoder)] == ["encoder"]
    assert [kind.attention for kind in kinds_in(decoder)] == ["decoder", "cross"]
    # The decoder looks at what the encoder hands on.
    assert [part.gives for part in encoder.parts] == [None, None, "for keys and values"]
    assert not any(part.gives for part in decoder.parts)
    assert [part.takes for part in decoder.parts] == [False, True, False]
    assert not any(part.takes for part in encoder.parts)
    cross = kinds_in(decoder)[1].maps
    assert cross.shape[2:] == (len(decoder.tokens), len(encoder.tokens))
    # What the model wrote itself looks like it.
    assert all("born" in chip.kind for chip in decoder.tokens)
    assert not any("born" in chip.kind for chip in encoder.tokens)


def test_a_file_draws_the_place_open_that_is_gone_into(runs):
    for place, opened in (
        ("", OpenedPlace("target")),
        ("source.layer1", OpenedPlace("source", 1)),
        ("source.layer1.head0", OpenedPlace("source", 1, "encoder", 0)),
        ("target.layer0.cross.head1", OpenedPlace("target", 0, "cross", 1)),
        ("target.layer1.head1.key0", OpenedPlace("target", 1, "decoder", 1)),
    ):
        figure = flow_of(runs, model="transformer", place=place)
        assert figure.opened == opened
        assert figure.selection["place"] == place
    assert flow_of(runs, model="gpt", place="layer1.ffn").opened == OpenedPlace("tokens", 1)
    assert flow_of(runs, model="gpt", place="layer99").opened == OpenedPlace("tokens")


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_the_whole_run_is_saved(runs, model):
    view, record = shown(runs, "map.flow", text=TEXT, model=model, place="layer1.head1", token="3")
    texts, payload = written(view, record), view.show(record).payload()
    labels, (tower,) = payload.header["labels"], payload.header["towers"]
    # Every part has its name: tokens, embeddings, blocks and what is in the open one, the words.
    assert {chip["label"] for chip in tower["tokens"]} <= set(texts)
    for name in ("tokens", "logits", "next"):
        assert labels[name] in texts, name
    assert {part["title"] for part in tower["parts"]} <= set(texts)
    assert set(view.show(record).foot) <= set(texts)
    blocks = tower["parts"][1]
    assert {look["label"] for look in blocks["looks"].values()} <= set(texts)
    assert blocks["heads"][0]["label"] in texts
    assert {"layer 0", "layer 1", "head 0", "head 1"} <= set(texts)
    assert set(payload.header["words"][3]) <= set(texts)
    assert {percent(float(p)) for p in payload.arrays["probs"][3]} <= set(texts)
    # A picture for each: the maps of both blocks, five strips of the open one, three outside it.
    assert len(pictures(view, record)) == 2 * 2 + 5 + 3


def test_two_towers_are_saved_with_the_lines_between_them(runs):
    view, record = shown(
        runs, "map.flow", text=TEXT, model="transformer", place="target.layer1.cross.head1"
    )
    texts, (encoder, decoder) = written(view, record), view.show(record).towers
    assert {encoder.title, decoder.title, encoder.parts[-1].gives} <= set(texts)
    assert {kind.label for kind in kinds_in(decoder)} <= set(texts)
    # Maps of two blocks of two heads, of the decoder twice; eight strips of the open block; what
    # stands before and after both towers, and the logits.
    assert len(pictures(view, record)) == 2 * 2 + 2 * 4 + 7 + 5
    paths = [one.attrib for one in drawn(view, record, "path")]
    (line,) = (one for one in paths if "stroke-width" in one)
    (heads,) = (one for one in paths if one["d"].endswith("h8l-4 6z"))
    # From the encoder's output to every block of the decoder, with as many heads.
    n_layers = decoder.parts[1].n_layers
    assert line["d"].count("M") == 1 + n_layers
    assert heads["d"].count("M") == n_layers


def pictures(view, record) -> list[ElementTree.Element]:
    return [one for one in drawn(view, record, "g") if "scale" in one.attrib["transform"]]


@pytest.mark.parametrize("text", [TEXT, "the cat sat on the mat. " * 9])
@pytest.mark.parametrize("model", MACHINES)
def test_nothing_is_drawn_beyond_the_edge(runs, model, text):
    places = ("source.layer0", "target.layer0") if model == "transformer" else ("",)
    for place in places:
        view, record = shown(runs, "map.flow", text=text, model=model, place=place)
        root = ElementTree.fromstring(view.show(record).drawing("light"))
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for one in root.iter(f"{SPACE}rect"):
            if one.attrib["width"] != "100%":
                assert float(one.attrib["x"]) + float(one.attrib["width"]) <= width
                assert float(one.attrib["y"]) + float(one.attrib["height"]) <= height


def test_of_a_long_text_the_end_is_drawn_and_said(runs):
    long = "the cat sat on the mat. " * 9
    for model in MACHINES:
        view, record = shown(runs, "map.flow", text=long, model=model)
        for tower in view.show(record).towers:
            n = len(record.whole.trace.streams[tower.name].units)
            assert tower.first == max(0, n - N_ROWS)
            assert len(tower.tokens) == min(n, N_ROWS)
            assert (f"the last {N_ROWS} of {n} tokens" in tower.shown) == (n > N_ROWS)
            assert {kind.maps.shape[2] for kind in kinds_in(tower)} == {len(tower.tokens)}
    # All of it is saved as numbers.
    view, record = shown(runs, "map.flow", text=long, model="gpt")
    units = record.whole.trace.units
    assert len(units) > N_ROWS
    assert view.values(record)["words"].array.shape == (len(units), 8)


def test_every_kind_of_attention_has_its_stack(runs):
    for model in MACHINES:
        blueprint = trace_of(runs, model).blueprint
        found = [kind for stack in blueprint.stacks for kind in kinds(blueprint, stack)]
        assert sorted(kind.name for kind in found) == sorted(k.name for k in blueprint.attentions)


def test_the_selection_of_a_figure_is_what_it_draws(runs):
    figure = flow_of(runs, model="transformer", source_token="2", token="20")
    encoder, decoder = figure.towers
    assert (figure.row(encoder), figure.row(decoder) + decoder.first) == (2, 20)
    moved = dataclasses.replace(figure, selection={**figure.selection, "source_token": 0})
    assert moved.row(encoder) == 0
    assert moved.drawing("light") != figure.drawing("light")


# --- machines without blocks -------------------------------------------------------------


@pytest.fixture(params=RECURRENT, ids=["attention", "summary"])
def recurrent(request, wordpiece) -> Runs:
    """The recurrent machine of the house, tiny, under one name: with attention or without."""
    torch.manual_seed(0)
    config = RNNConfig(wordpiece.vocab_size, 48, 8, 2, 3, attention=request.param)
    machine = loaded(RNN(config).double().eval(), wordpiece)
    return Runs(load=lambda name, device: machine)


def test_a_recurrent_machine_is_embeddings_state_and_what_it_looks_at(recurrent):
    figure = flow_of(recurrent, model="rnn")
    trace = trace_of(recurrent, "rnn")
    encoder, decoder = figure.towers
    assert [type(part) for part in encoder.parts] == [Vectors, Recurrent]
    looks = [LookedAttention] if trace.blueprint.attentions else []
    assert [type(part) for part in decoder.parts] == [Vectors, *looks, Recurrent, Vectors]
    both, one = encoder.parts[1], decoder.parts[-2]
    assert [reading.name for reading in both.readings] == ["forward", "backward"]
    assert [reading.label for reading in one.readings] == [""]
    for reading in (*both.readings, *one.readings):
        assert [cell.name for cell in reading.cells] == ["reset", "update", "candidate", "hidden"]
        gates = [cell.role for cell in reading.cells]
        assert gates == ["residual", "residual", "signed", "signed"]
        assert all(cell.title.endswith(".") for cell in reading.cells)


def test_what_a_decoder_is_told_of_the_source_is_said(recurrent):
    encoder, decoder = flow_of(recurrent, model="rnn").towers
    takes = [type(part) for part in decoder.parts if part.takes]
    if trace_of(recurrent, "rnn").blueprint.attentions:
        said, into = (
            "for keys and values; a summary for the first state",
            [LookedAttention, Recurrent],
        )
    else:
        said, into = "a summary, for every step", [Recurrent]
    assert encoder.parts[-1].gives == said
    assert takes == into


def test_the_pictures_of_a_recurrent_machine_are_its_numbers(recurrent):
    view, record = shown(recurrent, "map.flow", text=TEXT, model="rnn")
    trace, payload = record.whole.trace, view.show(record).payload()
    for tower, part in zip(payload.header["towers"], trace.blueprint.recurrences, strict=True):
        (drawn_part,) = (one for one in tower["parts"] if one["kind"] == "recurrent")
        for way in part.directions:
            for name in cells_of(trace, part):
                site = trace[f"{part.layer(0, way)}.{name}"]
                made = payload.arrays[f"{drawn_part['prefix']}{way}.{name}.0"]
                np.testing.assert_array_equal(made[:, 0], site[-len(made) :, 0].astype(np.float32))
    if trace.blueprint.attentions:
        (looking,) = (one for tower in payload.header["towers"] for one in tower["parts"]
                      if one["kind"] == "looking")  # fmt: skip
        made, weights = payload.arrays[f"{looking['prefix']}maps.0"], trace["decoder.attn.weights"]
        last = weights[-made.shape[1] :, -made.shape[2] :]
        np.testing.assert_array_equal(made[0], last.astype(np.float32))
        assert not looking["heads"][0]["named"]


def test_a_recurrent_machine_says_what_it_knows_of_the_source(recurrent):
    view, record = shown(recurrent, "map.flow", text=TEXT, model="rnn", place="target.layer0.head0")
    values, blueprint = view.values(record), record.whole.blueprint
    assert {"state", "state_encoder"} <= set(values)
    assert values["state_encoder"].array.shape[0] == len(("forward", "backward"))
    assert ("weights" in values) == bool(blueprint.attentions)
    inside, layer = shown(recurrent, "map.inside", text=TEXT, model="rnn", place="target.layer0")
    said = str(inside.describe(layer))
    knows = said.endswith("of the source the decoder knows only the last states.")
    assert knows == (not blueprint.attentions)


def test_a_recurrent_machine_is_saved_with_the_lines_between_its_towers(recurrent):
    view, record = shown(recurrent, "map.flow", text=TEXT, model="rnn")
    texts, (encoder, decoder) = written(view, record), view.show(record).towers
    titles = {part.title for tower in (encoder, decoder) for part in tower.parts}
    assert titles | {"reset", "update", "candidate", "hidden", encoder.parts[-1].gives} <= set(
        texts
    )
    (heads,) = (one.attrib for one in drawn(view, record, "path")
                if one.attrib["d"].endswith("h8l-4 6z"))  # fmt: skip
    assert heads["d"].count("M") == sum(part.takes for part in decoder.parts)


def test_an_open_layer_of_several_shows_its_gates(rnn):
    """The toy, whose encoder has two layers: of the closed one the state alone is drawn."""
    own = Runs(load=lambda name, device: rnn)
    for layer in (0, 1):
        place = f"source.layer{layer}"
        view, record = shown(own, "map.flow", text=TEXT, model="rnn", place=place)
        figure = view.show(record)
        assert figure.layer(figure.towers[0].parts[1]) == layer
        assert written(view, record).count("hidden") == 2 * 2 + 1
        assert written(view, record).count("reset") == 2 + 1


def test_blocks_are_no_part_of_a_recurrent_machine(rnn):
    with pytest.raises(NoPartError, match="no layers of attention and feed-forward"):
        _ = rnn.blueprint.main
    figure = flow_of(Runs(load=lambda name, device: rnn), model="rnn")
    assert not any(isinstance(part, Blocks) for tower in figure.towers for part in tower.parts)


def test_hidden_units_are_a_column_where_every_token_has_some(runs):
    """Here the logits stand for them: no tiny machine has hidden units by themselves."""
    trace = trace_of(runs, "gpt")
    (part,) = columns(Dense("logits", "tokens", reads="embed.tokens"), DrawnStream(trace, "tokens"))
    assert isinstance(part, Vectors)
    assert part.title == "Hidden units"
    assert len(part.values) == len(trace.tokens)
    np.testing.assert_array_equal(part.values[:, 0], trace["logits"][:, 0])


def test_what_is_left_out_of_a_picture_is_said_and_nothing_where_all_is_drawn():
    assert cells_drawn(256) == "drawn: one component in 10 of each token's vector"
    assert cells_drawn(47) == "every component of each token's vector"
    assert entries_drawn(8192) == "drawn: one entry in 341 of the vocabulary"
    assert entries_drawn(20) == "every entry of the vocabulary"
