"""One text as each way of learning has it: what is given, what is wanted, what is lost."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from core import views
from core.inputs import Pair, Text
from core.runs.kinds.gaps import MaskingRequest
from core.runs.kinds.noise import DenoiseRequest
from core.runs.kinds.objectives import ExerciseRequest
from core.runs.kinds.trace import TraceRequest
from core.text.sentences import second_half
from core.views.objectives import KINDS, AllObjectives
from core.views.params import parse
from tests.views.records import shown

TEXT = "The cat sat on the mat. A dog saw the sea."
WITH = {"text": TEXT, "model": "gpt", "guesser": "bert", "judge": "bert", "reader": "elmo"}
LANES = {kind.says: n for n, kind in enumerate(KINDS)}
SEEDS = range(8)


def rows(runs, **more):
    view, record = shown(runs, "objectives.table", **{**WITH, **more})
    return view.values(record), record


def test_the_next_token_is_wanted_from_the_one_before_and_costs_its_cross_entropy(runs, gpt):
    _values, record = rows(runs)
    lane = record.rows[LANES["Next token"]].lane
    ids = [token.id for token in gpt.tokens(TEXT)]
    assert [token.id for token in lane.example.given] == ids[:-1]
    assert [token.id for token in lane.example.wanted] == ids[1:]
    assert (lane.example.given_at == lane.example.wanted_at).all()  # read there, wanted there
    with torch.inference_mode():
        logs = gpt.model(torch.tensor([ids]))[0].double().log_softmax(-1)
    wanted = [-float(logs[n, one]) for n, one in enumerate(ids[1:])]
    np.testing.assert_allclose(lane.nats, wanted, rtol=1e-5)


def test_another_throw_asks_anew_only_for_what_dice_decide():
    view = views.get("objectives.table")
    before, after = (
        set(view.requests(parse(view.Params, {**WITH, "dice_seed": seed, "noise": noise})[0]))
        for seed, noise in (("1", "infill"), ("2", "delete"))
    )
    assert {request.objective for request in before & after} == {"next_token", "both_ways"}


def test_a_word_stands_in_one_column_whatever_it_is_cut_into(runs):
    values, record = rows(runs)
    assert record.columns[1:4] == ["The", "cat", "sat"]
    predicted = values["predicts"].array
    for name in ("Next token", "Word after", "Word before"):
        got = [text.lower() for text in predicted[LANES[name]][1:-1]]
        assert got == [word.lower() for word in record.columns[1:-1]]
    sums = np.nansum(values["loss"].array, axis=1)
    for row, total in zip(record.rows, sums, strict=True):
        if row.able:
            assert total == pytest.approx(row.lane.nats.sum())


def test_the_two_directions_predict_the_same_words_from_opposite_sides(runs):
    values, record = rows(runs)
    after, before = (LANES[name] for name in ("Word after", "Word before"))
    reads = values["reads"].array
    n = len(record.columns) - 1
    assert list(reads[after][2:n]) == [word.lower() for word in record.columns[1 : n - 1]]
    assert list(reads[before][1 : n - 1]) == [word.lower() for word in record.columns[2:n]]


@pytest.mark.parametrize("seed", SEEDS)
def test_only_the_chosen_words_are_wanted_of_a_model_that_fills_them_in(runs, seed):
    values, record = rows(runs, dice_seed=str(seed))
    at = LANES["Masked words"]
    drawn = runs.get(MaskingRequest("bert", TEXT, seed))
    chosen = drawn.order >= 0
    row = record.rows[at]
    np.testing.assert_allclose(row.lane.nats, -np.log(drawn.probs[chosen]))
    assert row.exercise.fates == tuple(np.array(drawn.fates, object)[chosen])
    dice, loss = values["dice"].array[at], values["loss"].array[at]
    assert (np.isnan(dice) == np.isnan(loss)).all()
    for column in np.flatnonzero(~np.isnan(dice)):
        hidden = "[MASK]" in values["reads"].array[at][column]
        assert hidden == (dice[column] < 0.8)


def test_a_coin_puts_another_sentence_behind_and_the_answer_follows_it(runs):
    seen = set()
    for seed in SEEDS:
        _values, record = rows(runs, dice_seed=str(seed))
        row = record.rows[LANES["Sentence pair"]]
        follows = row.exercise.follows
        seen.add(follows)
        assert row.n_wanted == 1
        assert ("dog saw" in " ".join(record.read_texts(row)).lower()) == follows
        if follows:
            run = runs.get(
                TraceRequest("bert", Pair("The cat sat on the mat.", "A dog saw the sea."))
            )
            logits = run.trace["nsp.logits"].astype(np.float64)
            wanted = -(logits[0] - np.log(np.exp(logits).sum()))
            assert row.lane.nats[0] == pytest.approx(wanted, rel=1e-4)
    assert seen == {True, False}


def test_without_a_model_there_is_the_exercise_and_no_loss(runs):
    values, record = rows(runs)
    for name in ("Spans", "Noise"):
        row = record.rows[LANES[name]]
        assert not row.able
        assert math.isnan(row.mean)
        assert row.n_wanted > 0
        assert np.isnan(values["loss"].array[LANES[name]]).all()
    spans = record.rows[LANES["Spans"]].lane.example
    # Each mark of what is read stands in what is wanted, with its span behind it.
    found = {}
    for token in spans.wanted:
        if token.special:
            found[token.piece] = last = []
        else:
            last.append(token)
    whole = [one for token in spans.given for one in
             (found[token.piece] if token.piece.startswith("<extra") else [token])]  # fmt: skip
    assert "".join(one.data.decode() for one in whole) == TEXT


@pytest.mark.parametrize(("name", "partner", "model", "noise", "rate"), [
    ("Spans", "filler", "t5", "spans", 0.15), ("Noise", "mender", "bart", "delete", 0.3),
])  # fmt: skip
def test_the_loss_is_there_as_soon_as_a_model_is(runs, name, partner, model, noise, rate):
    _view, record = shown(
        runs, "objectives.table", **{**WITH, partner: model, "noise": "delete", "dice_seed": "3"}
    )
    row = record.rows[LANES[name]]
    assert row.able
    run = runs.get(DenoiseRequest(model, TEXT, noise, 3, rate))
    np.testing.assert_allclose(row.lane.nats, -np.log(run.wanted.probs))
    assert row.mean == pytest.approx(float(-np.log(run.wanted.probs).mean()))


def test_bits_per_character_are_of_what_is_predicted_as_a_whole(runs):
    _view, record = shown(runs, "objectives.losses", **WITH)
    for row in record.rows:
        whole = row.kind.objective in ("next_token", "both_ways") and not any(
            token.unknown for token in row.lane.example.wanted
        )
        assert math.isnan(row.bits_per_character) != whole
    row = record.rows[0]
    assert row.bits_per_character == pytest.approx(row.lane.nats.sum() / math.log(2) / len(TEXT))
    _view, record = shown(runs, "objectives.losses", **{**WITH, "text": "The zyzzyva sat."})
    assert math.isnan(record.rows[LANES["Word after"]].bits_per_character)  # it reads [UNK]
    assert not math.isnan(record.rows[0].bits_per_character)


def test_a_word_is_compared_by_its_probability_in_each_model(runs):
    view, record = shown(runs, "objectives.word", **{**WITH, "text_word": "2", "lane": "1"})
    values = view.values(record)["probability"]
    assert values.value == pytest.approx(math.exp(-record.costs(record.rows[1])[2]))
    bars = view.show(record)
    assert bars.values.shape == (len(record.columns), 1, 4)  # of four models, the words alone
    assert np.isnan(values.array[LANES["Sentence pair"]]).all()


def test_a_long_text_is_cut_for_all_alike(runs):
    _view, record = shown(runs, "objectives.table", **{**WITH, "text": "a b c d " * 20})
    assert len(record.columns) == 42
    assert record.cut.startswith(" a b")


def test_a_text_is_cut_in_two_where_something_begins():
    assert second_half("One. Two! Three four five. Six") == len("One. Two! ")
    assert second_half("one two three four") == len("one two ")
    assert second_half("alone") == len("alone")
    assert second_half("Ended. ") == len("Ended. ")


def test_a_pair_that_is_cut_within_a_sentence_says_why(runs):
    whole = {**WITH, "filler": "t5", "mender": "bart", "ways": "all"}
    for text, kinds in ((TEXT, []), ("The cat sat on the mat.", ["info"])):
        view, record = shown(runs, "objectives.table", **{**whole, "text": text})
        assert [note.kind for note in view.notes(record)] == kinds


def test_three_ways_are_shown_at_first_and_the_one_that_is_looked_at(runs):
    for lane, names in ((0, ["Next token", "Masked words", "Spans"]),
                        (4, ["Next token", "Masked words", "Sentence pair", "Spans"])):  # fmt: skip
        view, record = shown(runs, "objectives.table", **WITH, lane=str(lane))
        assert [sheet.tab for sheet in view.show(record).slim] == names
        assert [record.rows[n].name for n in record.shown] == names


def test_on_a_phone_every_way_has_its_own_cells_turned(runs):
    view, record = shown(runs, "objectives.table", **WITH, ways="all")
    matrix = view.show(record)
    lines = list(zip(matrix.sheets[0].texts, matrix.sheets[0].rows.ids, strict=True))
    assert [sheet.tab for sheet in matrix.slim] == [row.name for row in record.rows]
    for n, sheet in enumerate(matrix.slim):
        own = [texts for texts, at in lines if at == n]
        assert [*zip(*sheet.texts, strict=True)] == [tuple(texts) for texts in own]
        turned = matrix.arrays[sheet.array]
        whole = matrix.arrays["kinds"][[at == n for _texts, at in lines]]
        assert (turned == whole.T).all()


def test_an_exercise_of_one_word_wants_no_more_than_there_is(runs):
    for objective in {kind.objective for kind in KINDS}:
        made = runs.get(ExerciseRequest("gpt", objective, "cat", 0))
        assert bool(made.lanes) == (objective != "sentence_pairs")
    assert runs.get(TraceRequest("gpt", Text("cat")))


def test_of_an_empty_text_there_is_no_next_token(runs):
    made = runs.get(ExerciseRequest("gpt", "next_token", "", 0))
    assert (made.able, made.lanes) == (True, ())


def test_a_blank_belongs_to_the_word_after_it_and_a_mark_between_sentences_to_none():
    record = AllObjectives(views.get("objectives.table").Params(), "It ran. He sat.", ())
    pieces = {"<extra_id_0>": True, "_": False, "[SEP]": True}
    tokens = [SimpleNamespace(piece=one, special=special) for one, special in pieces.items()]
    blank = record.text.index(" He")
    assert [record.column_of(one, blank) for one in tokens] == [4, 4, 3]
    assert record.columns[3:5] == [".", "He"]


@pytest.mark.parametrize(("model", "objective"), [("mender", "denoise"), ("filler", "fill_spans")])
def test_what_is_to_be_written_stands_where_the_text_has_it(runs, model, objective):
    (lane,) = runs.get(ExerciseRequest(model, objective, TEXT, 3)).lanes
    wanted, at = lane.example.wanted, lane.example.wanted_at
    assert len(wanted) == len(at) == len(lane.nats)
    words = [n for n, token in enumerate(wanted) if not token.special]
    assert len(words) > 1
    for n in words:
        assert TEXT[at[n] :].startswith(wanted[n].data.decode().strip())
    for mark in set(range(len(wanted))) - set(words):  # before its span, or behind the text
        assert at[mark] == (at[mark + 1] if mark + 1 in words else len(TEXT))


@pytest.mark.parametrize("text", ["", "🙂🙂 🙂"])
def test_where_the_dice_choose_no_word_the_first_is_looked_at(runs, text):
    assert rows(runs, text=text)[1].word == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_the_first_word_that_the_dice_choose_is_looked_at(runs, seed):
    values, record = rows(runs, dice_seed=str(seed))
    thrown = ~np.isnan(values["dice"].array[LANES["Masked words"]])
    assert record.word == np.flatnonzero(thrown)[0]
