"""The next token: each step shows what came after the newest token, to the last one."""

from __future__ import annotations

import numpy as np
import pytest

from core.figures.params import parse, to_query
from core.figures.predictions import Choosing
from core.figures.text import number, quoted
from core.figures.view import get
from core.runs import Runs

TEXT = "The cat sat on the"


@pytest.fixture(scope="module")
def runs(gpt) -> Runs:
    return Runs(load=lambda name, device: gpt)


@pytest.mark.parametrize("made", [0, 1, 4, 5, 6, 200])
def test_every_step_has_its_distribution(runs, made):
    view = get("predict.next")
    params = Choosing(text=TEXT, new=5, made=made)
    record = view.compute([runs.get(request) for request in view.requests(params)], params)
    newest = record.n_prompt - 1 + min(made, 4)  # after the fifth new token nothing was worked out
    assert record.shown == newest
    assert len(record.tokens) == record.n_prompt + 5
    assert record.frames[record.shown].raw[0] > 0
    assert str(view.describe(record))


def test_a_token_that_is_looked_at_is_one_that_is_shown(runs):
    view = get("predict.next")
    params = Choosing(text=TEXT, new=5, made=2, token=99)
    record = view.compute([runs.get(request) for request in view.requests(params)], params)
    assert record.shown == record.n_prompt + 1


@pytest.mark.parametrize(("made", "token"), [(0, -1), (3, -1), (3, 2), (3, 99)])
def test_the_blocks_are_asked_about_the_token_the_bars_are_about(runs, made, token):
    params = Choosing(text=TEXT, new=5, made=made, token=token)
    bars, layers = get("predict.next"), get("predict.layers")
    record = bars.compute([runs.get(request) for request in bars.requests(params)], params)
    looked = record.looked_at()
    found = layers.compute([runs.get(request) for request in layers.requests(looked)], looked)
    at = record.shown
    assert (found.position, found.token.id) == (at, record.tokens[at].id)
    assert quoted(found.token) in layers.title(found)
    # What the last block says is what the bars say.
    assert float(found.probs[-1, 0]) == pytest.approx(float(record.frames[at].raw[0]), rel=1e-4)


def test_the_blocks_are_asked_about_tokens_that_are_never_read_so(runs, gpt):
    """What a model makes need not be what its tokenizer makes of the same text."""
    bars, layers = get("predict.next"), get("predict.layers")
    apart = 0
    for seed in range(5):
        params = Choosing(text=TEXT, new=9, made=8, seed=seed, temperature=2.0, top_k=0, top_p=1.0)
        record = bars.compute([runs.get(request) for request in bars.requests(params)], params)
        made = [token.id for token in record.tokens[: record.shown + 1]]
        apart += gpt.encode(gpt.decode(made)) != made
        looked = record.looked_at()
        assert parse(type(looked), to_query(looked)) == (looked, [])
        (request,) = layers.requests(looked)
        assert runs.get(request).trace.ids == tuple(made)
        found = layers.compute([runs.get(request)], looked)
        assert (found.position, found.token.id) == (record.shown, made[-1])
    assert apart


def test_what_new_tokens_took_is_the_sum_of_their_steps(runs):
    view = get("predict.next")
    params = Choosing(text=TEXT, new=3)
    (run,) = (runs.get(request) for request in view.requests(params))
    assert view.compute([run], params).seconds == sum(step.seconds for step in run.steps) > 0


def test_a_full_context_is_said_and_only_then(runs, gpt):
    view = get("predict.next")
    for text, said in ((TEXT, ""), ("word " * 2000, "is full")):
        params = Choosing(text=text, new=5)
        record = view.compute([runs.get(request) for request in view.requests(params)], params)
        found = record.full(gpt.config.n_ctx)
        assert said in found
        assert bool(found) == bool(said)


def test_many_steps_do_not_make_the_labels_of_the_cache_smaller(runs):
    view = get("predict.cache")
    params = Choosing(text="a", new=25)
    record = view.compute([runs.get(request) for request in view.requests(params)], params)
    (sheet,) = view.payload(record).header["sheets"]
    assert len(sheet["rows"]["labels"]) == 25
    assert sheet["row_height"] > 12  # matrix.js writes in 12 px, or a pixel less than the row


@pytest.mark.parametrize("new", [1, 4])
def test_the_cache_says_what_a_step_stores_and_what_is_stored_so_far(runs, gpt, new):
    view = get("predict.cache")
    params = Choosing(text=TEXT, new=new)
    record = view.compute([runs.get(request) for request in view.requests(params)], params)
    n_prompt, (sheet,) = len(gpt.tokens(TEXT)), view.payload(record).header["sheets"]
    a_position = gpt.model.make_cache(1).nbytes  # what is really taken for one
    assert record.a_position.nbytes == a_position
    kib, size = number(a_position / 1024), gpt.dtype.itemsize
    said = str(view.describe(record))
    assert f"2 · 2 layers · d_model 16 · {size} bytes = {kib} KiB a position" in said
    assert sheet["rows"]["labels"] == [
        f"{i} · {number(a_position * (n_prompt + i) / 1024)}" for i in range(new)
    ]
    assert "KiB stored after each" in sheet["axes"][0][0]
    assert "KiB stored after each" in view.svg(record, "light")


CHARACTER, MARGIN = 7.3, 10  # pixels of a row's label in matrix.js, and around it


@pytest.mark.parametrize("name", ["predict.cache", "predict.layers"])
def test_the_names_of_rows_are_whole_on_a_phone(runs, name):
    view = get(name)
    params = view.Params(text=TEXT)
    record = view.compute([runs.get(request) for request in view.requests(params)], params)
    (sheet,) = view.payload(record).header["sheets"]
    rows = sheet["rows"]
    labels = [*rows["labels"], "199 · 9,999"]  # the longest of a model as large as those that ship
    assert max(map(len, labels)) * CHARACTER + MARGIN <= rows["room"] <= 358 / 3


@pytest.mark.parametrize(
    ("repetition", "label"),
    [(1.0, "temperature 1.00"), (1.5, "penalty 1.50, temperature 1.00")],
)
def test_a_penalty_is_named_where_it_works(runs, repetition, label):
    view = get("predict.next")
    params = Choosing(text=TEXT, new=2, repetition=repetition, temperature=1.0)
    record = view.compute([runs.get(request) for request in view.requests(params)], params)
    payload = view.payload(record)
    assert payload.header["stages"][1] == label
    same = np.allclose(payload.arrays["probs"][:, 0], payload.arrays["probs"][:, 1], atol=1e-6)
    assert same == (repetition == 1)
    assert view.table(record).columns[3] == (
        "after temperature" if repetition == 1 else "after penalty and temperature"
    )


@pytest.mark.parametrize("made", [0, 3, 200])
def test_the_data_of_the_strip_are_the_tokens_that_it_shows(runs, gpt, made):
    view = get("predict.surprisal")
    params = Choosing(text=TEXT, new=5, made=made)
    record = view.compute([runs.get(request) for request in view.requests(params)], params)
    n_prompt, n_made = len(gpt.tokens(TEXT)), min(made, 5)
    rows = view.table(record).rows
    assert [row[2] for row in rows] == ["text"] * n_prompt + ["model"] * n_made
    for at, row in enumerate(rows[1:], 1):
        assert row[3] == pytest.approx(record.bits[at])
    assert view.svg(record, "light").count("<rect") == len(rows) + 1  # and the background


@pytest.mark.parametrize(
    ("name", "words"),
    [("predict.surprisal", "in bits"), ("ffn.strip", "after the non-linearity")],
)
def test_the_numbers_under_the_tokens_have_a_heading(runs, name, words):
    view = get(name)
    params = view.Params(text=TEXT)
    record = view.compute([runs.get(request) for request in view.requests(params)], params)
    assert words in "".join(text for text, _role in view.payload(record).header["heading"])
