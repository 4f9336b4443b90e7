"""The next word, how it is chosen, and how expected each word was."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from core.analysis.distributions import surprisal
from core.figures.theme import PALETTES
from core.figures.values import to_csv
from core.spelling import visible
from core.tracing import trace_run
from core.views.params import to_query
from core.views.predict.next import stages
from core.views.weak import WEAK
from tests.views.records import drawn, header, rows, shown, written

TEXT = "The cat sat on the"
HOT = {"temperature": "2.0", "top_k": "0", "top_p": "1.0"}


def of(runs, **values):
    """The view and its record, for a short text."""
    texts = {name: str(value) for name, value in {"text": TEXT, **values}.items()}
    return shown(runs, "predict.next", **texts)


@pytest.mark.parametrize("made", [0, 1, 4, 5, 6, 200])
def test_every_step_has_its_distribution(runs, made):
    view, record = of(runs, new=5, made=made)
    newest = record.n_prompt - 1 + min(made, 5)
    assert record.shown == newest
    assert len(record.tokens) == record.n_prompt + 5
    # The last one too is the model's own, not that of the step before.
    drawn_by = record.next_id(record.shown)
    assert (drawn_by is None) == (made >= 5)
    token = record.tokens[newest].spoken
    stepper, bars = view.steps(record), view.show(record)
    if made:
        assert stepper.titles[min(made, 5)].endswith(token)
    assert f"“{token}”" in bars.title
    assert record.frames[record.shown].raw[0] > 0
    assert str(view.describe(record))


def test_a_token_that_is_looked_at_is_one_that_is_shown(runs):
    view, record = of(runs, new=5, made=2, token=99)
    assert record.shown == record.n_prompt + 1
    assert view.show(record).selection["token"] == record.shown


@pytest.mark.parametrize(
    ("made", "token"), [(0, -1), (3, -1), (3, 2), (3, 99), (5, -1), (5, 99), (99, 99), (0, 99)]
)
def test_title_reading_and_bars_are_about_one_token(runs, made, token):
    """The browser, too, brings a position that is not there to the last one that is."""
    view, record = of(runs, new=5, made=made, token=token)
    bars = view.show(record)
    assert bars.frame == record.shown
    assert str(bars.frames[bars.frame].title) == bars.title
    assert record.tokens[record.shown].spoken in bars.title
    assert bars.title in written(view, record)


@pytest.mark.parametrize(("made", "token"), [(0, -1), (3, -1), (3, 2), (3, 99), (5, -1)])
def test_the_blocks_are_asked_about_the_token_the_bars_are_about(runs, made, token):
    _view, record = of(runs, new=5, made=made, token=token)
    layers, found = shown(runs, "predict.layers", **to_query(record.params))
    at = record.shown
    assert (found.position, found.token.id) == (at, record.tokens[at].id)
    assert found.token.spoken in layers.show(found).title
    # What the last block says is what the bars say.
    assert float(found.probs[-1, 0]) == pytest.approx(float(record.frames[at].raw[0]), rel=1e-4)


def test_the_blocks_are_asked_about_tokens_that_are_never_read_so(runs, gpt):
    """What a model makes need not be what its tokenizer makes of the same text."""
    apart = 0
    for seed in range(5):
        _view, record = of(runs, new=9, made=8, seed=seed, **HOT)
        made = [token.id for token in record.tokens[: record.shown + 1]]
        apart += gpt.encode(gpt.decode(made)) != made
        layers, found = shown(runs, "predict.layers", **to_query(record.params))
        (request,) = layers.requests(record.params)
        assert runs.get(request).trace.ids[: len(made)] == tuple(made)
        assert (found.position, found.token.id) == (record.shown, made[-1])
    assert apart


def test_what_new_tokens_took_is_the_sum_of_their_steps(runs):
    view, record = of(runs, new=3)
    (run,) = (runs.get(request) for request in view.requests(record.params))
    assert record.seconds == sum(step.seconds for step in run.steps) > 0


def test_a_full_context_is_said_and_only_then(runs, gpt):
    for text, full in ((TEXT, False), ("word " * 2000, True)):
        view, record = of(runs, text=text, new=5)
        notes = [one for one in view.notes(record) if "context" in str(one.text)]
        assert bool(notes) == full == record.full
        if full:
            (note,) = notes
            assert note.kind == "info"
            assert str(note.text) == (
                f"The model's context is full: it holds {gpt.config.n_ctx} tokens, "
                f"so only {len(record.new)} could be added."
            )


@pytest.mark.parametrize(
    ("repetition", "label"),
    [(1.0, "temperature 1.00"), (1.5, "penalty 1.50, temperature 1.00")],
)
def test_a_penalty_is_named_where_it_works(runs, repetition, label):
    view, record = of(runs, new=2, repetition=repetition, temperature=1.0)
    payload = view.show(record).payload()
    assert payload.header["stages"][1] == label
    same = np.allclose(payload.arrays["probs"][:, 0], payload.arrays["probs"][:, 1], atol=1e-6)
    assert same == (repetition == 1)
    assert view.values(record)["after_temperature"].label == (
        "after temperature" if repetition == 1 else "after penalty and temperature"
    )


@pytest.mark.parametrize("cut", [0, 1, 2, 3])
def test_the_stage_that_is_chosen_is_drawn(runs, cut):
    view, record = of(runs, made=3, cut=cut, top_k=3, top_p=0.9)
    bars, texts = view.show(record), written(view, record)
    assert bars.payload().header["selection"]["cut"] == cut
    assert bars.stages[cut] in texts
    assert not any(stage in texts for n, stage in enumerate(bars.stages) if n != cut)
    values = bars.values[bars.frame, cut]
    assert sum(text.startswith("cut") for text in texts) == int((values == 0).sum())
    assert [
        text for text in texts if text in map(bars.format_value, map(float, values[values > 0]))
    ]


def test_what_was_cut_is_hatched_and_the_cut_is_a_line(runs):
    view, record = of(runs, cut=2, top_k=3)
    fills = [one.get("fill") for one in drawn(view, record, "rect")]
    bars = view.show(record)
    assert fills.count("url(#h)") == len(bars.frames[0].rows) - 3
    warning = PALETTES["light"].warning
    assert [one.get("stroke") for one in drawn(view, record, "line")].count(warning) == 1


def test_the_token_that_was_taken_stands_out(runs):
    view, record = of(runs, made=1, token=2)
    (row,) = [row for row in view.show(record).frames[2].rows if row.chosen]
    assert int(row.id) == record.tokens[3].id
    strong = [one for one in drawn(view, record, "text") if one.get("font-weight") == "700"]
    assert [one.text for one in strong if one.get("text-anchor") == "end"] == [row.label]


def test_every_number_of_every_position_is_in_the_table(runs):
    view, record = of(runs, new=3)
    values = view.values(record)
    names = ("model", "after_temperature", "after_top_k", "after_top_p")
    for at, frame in enumerate(record.frames):
        for name, stage in zip(names, stages(frame), strict=True):
            np.testing.assert_array_equal(values[name].array[at], stage)
        assert values["id"].array[at].tolist() == [token.id for token in frame.tokens]
        assert values["kept"].array[at] == frame.kept
    assert values["model"].value == record.frames[record.shown].raw[0]
    table = next(
        list(csv.reader(io.StringIO(part)))
        for part in to_csv(values).split("\n\n")
        if part.startswith("position,rank")
    )
    assert table[0] == ["position", "rank", "token", "id", "model", "after temperature",
                        "after top-k", "after top-p"]  # fmt: skip
    assert len(table) == 1 + sum(len(frame.tokens) for frame in record.frames)
    assert len(rows(view, record)) > len(table)


def joined(tokens) -> str:
    return "".join(token.label for token in tokens).replace("·", " ").strip()


def test_steps_name_the_end_of_what_is_written(runs):
    view, record = of(runs, new=4, made=2)
    stepper = view.steps(record)
    assert stepper.field == "made"
    assert stepper.step == 2
    assert stepper.clears == ("token",)  # a new token is looked at, not the one chosen before
    assert stepper.titles == [
        "nothing generated yet",
        *(f"written: … {joined(record.new[:n])}" for n in range(1, 5)),
    ]


def test_a_weak_best_guess_is_no_idea_and_it_is_said_why(runs):
    view, record = of(runs, text=TEXT, new=5)  # of random weights, which know nothing
    share = record.frames[record.n_prompt - 1].raw[0]
    assert share < WEAK
    said = str(next(one.text for one in view.notes(record)))
    assert "is unsure" in said
    assert "mostly stories" in said
    assert said in str(view.describe(record))
    sure = replace(record, frames=[replace(one, raw=one.raw + 1) for one in record.frames])
    assert view.notes(sure) == []
    assert "is unsure" not in str(view.describe(sure))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"top_k": "3", "top_p": "1"}, "Top-k 3 cuts off the others."),
        ({"top_k": "0", "top_p": "0.5"}, "Top-p 0.50 cuts off the others."),
        ({"top_k": "0", "top_p": "1"}, ""),
    ],
)
def test_it_is_said_which_limit_cuts(runs, asked, said):
    view, record = shown(runs, "predict.next", model="gpt", **asked)
    note = view.show(record).frames[record.shown].note
    assert said in note
    assert ("cuts off" in note) == bool(said)


@pytest.mark.parametrize("made", [0, 3, 200])
def test_the_data_of_the_strip_are_the_tokens_that_it_shows(runs, gpt, made):
    view, record = shown(runs, "predict.surprisal", text=TEXT, new="5", made=str(made))
    n_prompt, n_made = len(gpt.tokens(TEXT)), min(made, 5)
    table = rows(view, record)
    assert table[0][:4] == ["position", "token", "from", "bits"]
    assert [line[2] for line in table[1:]] == ["text"] * n_prompt + ["model"] * n_made
    for at, line in enumerate(table[2:], 1):
        assert float(line[3]) == pytest.approx(record.bits[at])
    assert table[1][3] == ""  # nothing stands before the first
    chips = [one for one in drawn(view, record, "rect") if one.get("rx")]
    assert len(chips) == n_prompt + n_made


def test_the_numbers_under_the_tokens_have_a_heading(runs):
    found = header(runs, "predict.surprisal", text=TEXT)
    assert "in bits" in "".join(words for words, _role in found["heading"])


def test_the_bits_are_those_of_the_run(runs, gpt):
    _view, record = shown(runs, "predict.surprisal", text=TEXT, new="2")
    trace = trace_run(gpt, TEXT)
    own = surprisal(trace["logits"], trace.ids)
    np.testing.assert_allclose(record.bits[1 : record.n_prompt], own, rtol=1e-6)


def test_what_the_model_made_has_another_edge_in_the_file_too(runs):
    view, record = shown(runs, "predict.surprisal", text=TEXT, new="4", made="3", token="0")
    assert [chip.kind.endswith("born") for chip in view.show(record).tokens].count(True) == 4
    edges = [one.get("stroke") for one in drawn(view, record, "rect") if one.get("rx")]
    accent = PALETTES["light"].accent
    assert edges.count(accent) == 1 + 3  # the selected one, and those that are there


def test_the_token_that_is_looked_at_is_read(runs):
    view, record = shown(runs, "predict.surprisal", text=TEXT, token="3")
    strip = view.show(record)
    assert strip.chosen() == 3
    assert view.values(record)["bits"].value == record.bits[3]
    reading = str(strip.readings[3])
    texts = " ".join(one.text for one in drawn(view, record, "text"))
    assert reading in texts


@pytest.mark.parametrize("made", [0, 3])
def test_what_was_written_is_read_as_one_text(runs, gpt, made):
    view, record = shown(runs, "predict.surprisal", text=TEXT, new="4", made=str(made))
    ids = [token.id for token in record.tokens[: record.n_prompt + made] if not token.special]
    whole = gpt.tokenizer.decode(ids).strip() if made else ""
    assert view.show(record).so_far().split() == [visible(word) for word in whole.split()]


@pytest.mark.parametrize("token", ["7", "99999"])
def test_a_token_beyond_the_text_is_the_last_one(runs, token):
    view, record = shown(runs, "predict.surprisal", text="a", token=token)
    strip = view.show(record)
    assert strip.chosen() == len(record.tokens[: record.n_shown]) - 1
    assert strip.selection["token"] == strip.chosen()
    assert view.values(record)["bits"].selected == (strip.chosen(),)


def test_one_token_says_that_nothing_was_predicted(runs):
    view, record = shown(runs, "predict.surprisal", text="")
    assert str(view.describe(record)) == ("There is only one token: nothing was predicted yet.")
