"""Texts that are damaged and mended, against the noise and the model alone."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.errors import AbilityError, EmptyInputError, ParameterError
from core.runs.kinds.noise import DenoiseRequest
from core.runs.store import Runs
from core.text.noise import NOISES, corrupt_spans
from core.text.sentences import marks_of

TEXT = "The cat sat on the mat. The dog sat on the log."


@pytest.fixture(scope="module")
def runs(filler, mender, gpt, t5) -> Runs:
    models = {"filler": filler, "mender": mender, "gpt": gpt, "t5": t5}
    return Runs(load=lambda name, _device: models[name])


def ids_of(several):
    return [token.id for token in several]


def test_spans_are_those_of_the_training(runs, filler):
    found = runs.get(DenoiseRequest("filler", TEXT, "spans", 3, 0.3, 2.0))
    ids = np.array(filler.tokenizer.encode(TEXT, special=False))
    cut = corrupt_spans(
        ids, filler.tokenizer.hiding, np.random.default_rng(3), rate=0.3, mean=2.0
    )  # fmt: skip
    end = filler.config.end_id
    assert ids_of(found.tokens) == ids.tolist()
    assert ids_of(found.shown) == [*cut.source.ids, end]
    assert found.wanted.ids == (*cut.target, end)
    assert found.spans == tuple(zip(cut.starts, cut.ends, strict=True))
    assert len(found.spans) > 1


@pytest.mark.parametrize("noise", NOISES)
def test_noise_is_that_of_the_training(runs, mender, noise):
    found = runs.get(DenoiseRequest("mender", TEXT, noise, 5, 0.3))
    ids = np.array(mender.tokenizer.encode(TEXT, special=False))
    damaged = NOISES[noise](ids, marks_of(mender.tokenizer), np.random.default_rng(5), 0.3)
    assert ids_of(found.shown)[:-1] == damaged.ids.tolist()
    assert found.origin.tolist() == [*damaged.origin, -1]
    assert found.hidden.tolist() == damaged.hidden.tolist()
    assert found.wanted.ids == (*ids, mender.config.end_id)
    assert found.spans == ()


@pytest.mark.parametrize(("name", "noise"), [("filler", "spans"), ("mender", "delete")])
def test_the_probabilities_are_the_models_after_all_that_stands_before(runs, name, noise, request):
    model = request.getfixturevalue(name)
    found = runs.get(DenoiseRequest(name, TEXT, noise, 0))
    for target in (found.wanted, found.written):
        before = [model.config.start_id, *target.ids[:-1]]
        source, read = (torch.tensor([ids]) for ids in (ids_of(found.shown), before))
        probs = model.model(source, read)[0].softmax(-1).numpy()
        places = np.arange(len(target.ids))
        np.testing.assert_allclose(target.probs, probs[places, target.ids], rtol=1e-9)
        assert ids_of(target.best) == probs.argmax(-1).tolist()
        np.testing.assert_allclose(target.best_probs, probs.max(-1), rtol=1e-9)
    # What it writes by itself is likeliest at each place, but for the start mark.
    start = model.config.start_id
    assert [one or best.id == start
            for one, best in zip(found.written.found, found.written.best, strict=True)
            ] == [True] * len(found.written.ids)  # fmt: skip


def test_a_text_is_read_letter_by_letter_and_cut_to_its_room(runs, filler, mender):
    typed = runs.get(DenoiseRequest("filler", "The [MASK] sat", "spans", 0))
    assert not {token.id for token in typed.tokens} & set(filler.tokenizer.hiding)
    for name, noise, model in (("filler", "spans", filler), ("mender", "infill", mender)):
        found = runs.get(DenoiseRequest(name, "The cat sat on the mat. " * 40, noise, 0, 0.5, 1.0))
        assert found.text + found.cut == "The cat sat on the mat. " * 40
        assert found.cut
        assert max(len(found.shown), len(found.wanted.tokens)) <= model.config.n_ctx


@pytest.mark.parametrize(
    ("name", "noise", "room"),
    [
        ("filler", "spans", 3),  # half of an odd number rounded up, the mark behind it, the end
        ("mender", "infill", 9),  # eight marks that hide nothing, the end
    ],
)
def test_a_long_text_leaves_the_context_room_for_marks_and_no_more(runs, name, noise, room):
    found = runs.get(DenoiseRequest(name, "a b " * 99, noise, 0, 0.5, 1.0))
    assert len(found.tokens) == 64 - room


def test_of_a_single_token_that_one_is_hidden(runs, filler):
    found = runs.get(DenoiseRequest("filler", "a", "spans", 0))
    assert found.hidden.tolist() == [True]
    assert ids_of(found.shown) == [filler.tokenizer.hiding[0], filler.config.end_id]


def test_a_model_with_one_mark_puts_it_in_place_of_every_span(runs, t5):
    found = runs.get(DenoiseRequest("t5", TEXT, "spans", 0, 0.5, 1.0))
    assert len(found.spans) > 1
    assert ids_of(found.shown).count(t5.tokenizer.hiding[0]) == len(found.spans)


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (DenoiseRequest("filler", "", "spans", 0), EmptyInputError),
        (DenoiseRequest("filler", TEXT, "mask", 0), AbilityError),
        (DenoiseRequest("mender", TEXT, "spans", 0), AbilityError),
        (DenoiseRequest("gpt", TEXT, "spans", 0), AbilityError),
        (DenoiseRequest("filler", TEXT, "spans", -1), ParameterError),
        (DenoiseRequest("filler", TEXT, "spans", 0, 0.6), ParameterError),
        (DenoiseRequest("filler", TEXT, "spans", 0, float("nan")), ParameterError),
        (DenoiseRequest("filler", TEXT, "spans", 0, 0.3, 0.5), ParameterError),
    ],
)
def test_what_cannot_be_worked_out_is_the_users_error(runs, request_, error):
    with pytest.raises(error):
        runs.get(request_)
