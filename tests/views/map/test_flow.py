"""The flowing picture of a run: its words one after the other, its text, and what if."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.distributions import softmax
from core.figures.text import percent
from core.inputs import Text
from core.runs.kinds.trace import TraceRequest
from core.views.map import flow
from core.views.map.story import FlowRun
from core.views.weak import WEAK
from tests.views.records import MACHINES, shown

TEXT = "the cat sat on the mat"


def plain(said) -> str:
    """A sentence with plain spaces."""
    return str(said).replace("\xa0", " ")


def flow_of(runs, **values: str):
    view, record = shown(runs, "map.flow", text=TEXT, **values)
    assert isinstance(record, FlowRun)
    return view, record, view.show(record)


def test_the_likeliest_word_is_put_behind_the_text_and_the_next_one_behind_that(runs):
    _view, record, figure = flow_of(runs, model="gpt")
    trace = runs.get(TraceRequest("gpt", Text(TEXT))).trace
    n, first = len(trace.tokens), figure.passes[0]
    assert [one.row for one in figure.passes] == [n - 1, n]
    best = int(trace["logits"][-1].argmax())
    assert first.born is not None
    assert (
        first.born.label == record.whole.run.words(best).label == figure.towers[0].tokens[n].label
    )
    again = record.onward.run.trace["logits"][n]
    assert figure.passes[1].born.label == record.whole.run.words(int(again.argmax())).label
    # The picture's last guess is what the model says, at every row.
    own = figure.guesses[n - 1]
    assert own[-1][1] == pytest.approx(float(softmax(trace["logits"][-1]).max()), rel=1e-4)
    assert len(own) == trace.config.n_layers
    assert len(figure.guesses) == len(figure.towers[0].tokens)


def test_a_weak_first_guess_says_that_it_is_unsure_and_why(runs, monkeypatch):
    view, record, _figure = flow_of(runs, model="gpt")  # of random weights, which know nothing
    _word, share = record.best(record.row)
    assert share < WEAK
    said = str(view.describe(record))
    assert f"with {percent(share)}" in said
    assert "The model is unsure" in said
    assert "has read mostly stories" in said
    monkeypatch.setattr(FlowRun, "best", lambda _record, _row: ("mat", WEAK))
    assert "unsure" not in str(view.describe(record))


def test_after_a_question_it_is_said_that_a_line_ends_there(runs, monkeypatch):
    view, record, _figure = flow_of(runs, model="gpt")
    monkeypatch.setattr(FlowRun, "best", lambda _record, _row: ("⏎", 0.75))
    assert "answers no questions" in str(view.describe(record))
    monkeypatch.setattr(FlowRun, "best", lambda _record, _row: ("mat", 0.75))
    assert "line break" not in str(view.describe(record))


def test_what_is_written_is_told_word_by_word(runs):
    _view, record, figure = flow_of(runs, model="transformer")
    units = record.onward.run.trace.streams["target"].units
    first = figure.towers[-1].first  # of a long text the last tokens are drawn
    last = max(1, len(units) - 1)
    assert [one.row + first for one in figure.passes] == list(range(first, last))
    for one in figure.passes[:-1]:
        assert one.born.label == units[one.row + first + 1].label


@pytest.mark.parametrize(("text", "said"), [
    ("I have two dogs.", "The model writes: “I have two dogs.”"),
    ("I have two dogs", "The model writes “I have two dogs”."),
])  # fmt: skip
def test_a_sentence_that_is_quoted_has_one_full_stop(runs, monkeypatch, text, said):
    view, record, _figure = flow_of(runs, model="transformer")
    monkeypatch.setattr(flow, "_line", lambda *_of: [text])
    assert str(view.describe(record)) == said


@pytest.mark.parametrize("model", ["bert", "elmo", "teller"])
def test_what_writes_nothing_puts_nothing_behind_the_text(runs, model):
    _view, _record, figure = flow_of(runs, model=model)
    (only,) = figure.passes
    assert only.born is None


@pytest.mark.parametrize("model", MACHINES["answers"])
def test_weights_are_numbers_and_the_payload_has_all_that_is_drawn(runs, model):
    _view, record, figure = flow_of(runs, model=model)
    payload = figure.payload()
    trace = record.onward.run.trace
    several = len(figure.towers) > 1
    for tower in payload.header["towers"]:
        for n, part in enumerate(tower["parts"]):
            assert part["prefix"] == f"{tower['name'] + '.' if several else ''}{n}."
            for kind in part.get("heads", []):
                weights = payload.arrays[f"{part['prefix']}{kind['array']}.0"]
                assert weights.dtype == np.float32
                assert len(weights) == kind["n_heads"]
    assert len(payload.header["lines"]) == len(figure.towers)
    for tower, line in zip(figure.towers, payload.header["lines"], strict=True):
        assert len(line) == len(tower.tokens)
    assert payload.header["passes"]
    assert trace.streams


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_the_line_above_is_the_text(runs, model):
    _view, record, figure = flow_of(runs, model=model)
    n = len(figure.towers[0].tokens) - record.onward.n_written
    assert "".join(figure.lines[0][:n]).strip() == TEXT


def test_a_character_of_several_tokens_is_seen_in_the_line_as_it_was_typed(runs):
    view, record = shown(runs, "map.flow", model="gpt", text="so 😀 he ate")
    figure = view.show(record)
    line = figure.lines[0][: len(figure.lines[0]) - record.onward.n_written]
    assert "".join(line).strip() == "so 😀 he ate"
    at = next(n for n, one in enumerate(line) if "😀" in one)
    assert line[at - 1] == ""  # its bytes are of several tokens


def test_a_hidden_word_stands_in_the_line_and_is_counted(runs):
    view, record = shown(runs, "map.flow", model="bert", text="the [MASK] sat on the mat")
    figure = view.show(record)
    assert "".join(figure.lines[0]) == "the [MASK] sat on the mat"
    n = len(figure.towers[0].tokens)
    assert f"cut into {n - 2} tokens" in figure.begins
    assert f"With [CLS], [SEP] there are {n} rows." in figure.begins


def test_of_a_long_text_it_is_said_what_is_not_drawn(runs):
    text = " ".join(["cat"] * 40)
    view, record = shown(runs, "map.flow", model="gpt", text=text)
    figure = view.show(record)
    (tower,) = figure.towers
    n = len(record.whole.trace.units)
    assert tower.first == n - len(tower.tokens) > 0
    assert figure.above == [f"⟨start⟩ and {tower.first - 1} more tokens are not drawn"]
    assert figure.above[0] in figure.begins
    assert figure.lines[0][0].startswith("…")
    assert len(figure.lines[0]) == len(tower.tokens)


def test_a_picture_is_cut_and_its_patches_are_the_rows(runs):
    view, record = shown(runs, "map.flow", model="vit")
    figure = view.show(record)
    payload, trace = figure.payload(), record.whole.trace
    cut = trace.blueprint.patches[0]
    (tower,) = figure.towers
    assert [chip.label for chip in tower.tokens[:2]] == ["[CLS]", "1·1"]
    assert len(tower.tokens) == 1 + cut.rows * cut.columns
    assert payload.header["cut"] == {"size": cut.size, "first": 1}
    own = np.frombuffer(record.params.given.pixels, np.uint8)
    np.testing.assert_array_equal(payload.arrays["pixels"].ravel(), own)
    (only,) = figure.passes
    assert (only.row, only.born) == (0, None)
    assert payload.header["labels"]["tokens"] == "Patches"
    assert "patches" in figure.begins


def test_the_label_after_each_layer_ends_with_the_one_that_is_said(runs):
    _view, record = shown(runs, "map.flow", model="vit")
    trace = record.whole.trace
    (guesses,) = record.guesses
    probs = softmax(trace["logits"].astype(np.float64))
    assert len(guesses) == trace.blueprint.main.n_layers
    assert guesses[-1][0] == record.whole.labels[int(probs.argmax())]
    assert guesses[-1][1] == pytest.approx(float(probs.max()), rel=1e-4)


def test_of_a_model_that_reads_texts_a_picture_is_left_out(runs):
    _view, record = shown(runs, "map.flow", model="gpt", picture="nothing-of-that-name")
    assert record.params.picture == ""
