"""Every experiment moves the number that it names, on the models that ship."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from core import views
from core.checkpoints import native
from core.encoders import Encoders
from core.experiments import BY_ID, EVERY
from core.experiments.__main__ import main
from core.experiments.experiment import moved
from core.views.params import declared
from tests.conftest import tiny_gpt


@pytest.mark.parametrize("experiment", EVERY, ids=lambda one: one.id)
def test_it_moves_what_it_promises(experiment, runs):
    found = experiment.outcome(runs.get)
    assert found.kept, (experiment.written(found.before), experiment.written(found.after))


@pytest.mark.parametrize("experiment", EVERY, ids=lambda one: one.id)
def test_it_changes_what_the_view_is_asked_with(experiment):
    assert experiment.params(experiment.before) != experiment.params(experiment.after)
    cls = views.get(experiment.view).Params
    for name in experiment.changes.keys() & cls.__dataclass_fields__.keys():
        assert declared(cls, name)


def test_ids_and_titles_are_unique():
    assert len({one.id for one in EVERY}) == len(EVERY)
    pages = {one.id.partition(".")[0] for one in EVERY}
    for page in pages:
        titles = [one.title for one in EVERY if one.id.startswith(f"{page}.")]
        assert len(set(titles)) == len(titles) == 3


@pytest.mark.parametrize(
    ("before", "after", "margin", "kept"),
    [
        (0.5, 0.61, "points", True),
        (0.5, 0.59, "points", False),
        (0.9, 0.2, "points", True),
        (1.0, 2.0, "factor", True),
        (3.0, 2.0, "factor", False),
        (0.0, 0.0, "factor", False),
        (0.0, 3.0, "factor", True),
        (3.7, -0.2, "factor", True),
        (math.nan, 1.0, "points", False),
        ("“a”", "“b”", "word", True),
        ("“a”", "“a”", "word", False),
    ],
)
def test_how_far_is_far_enough(before, after, margin, kept):
    assert moved(before, after, margin) is kept


def test_a_model_that_breaks_a_promise_is_named(tmp_path, byte_bpe, capsys):
    """A model that learned nothing gives every token about the same."""
    model = tiny_gpt(vocab_size=byte_bpe.vocab_size, n_layers=6, n_heads=4)
    native.save(tmp_path / "gpt", "gpt", model, Encoders(byte_bpe))
    assert main(["--instead", "gpt", str(tmp_path / "gpt"), "--only", "attention.repeat"]) == 1
    assert "BROKEN attention.repeat" in capsys.readouterr().out


def test_a_promise_is_kept_or_broken_by_its_numbers(runs):
    one = next(one for one in EVERY if one.id == "masks.lift")
    same = replace(one, changes={"mask": "own"})
    assert not same.outcome(runs.get).kept


def test_the_copied_name_is_measured_at_the_same_token_both_times(runs):
    one = BY_ID["next_token.name"]
    view = views.get(one.view)
    for state in (one.before, one.after):
        params = one.params(state)
        record = view.compute([runs.get(asked) for asked in view.requests(params)], params)
        (place,) = view.values(record)["bits"].selected
        assert record.tokens[place].spoken == "v"


def test_the_head_of_the_film_looks_for_nouns_before_it_copies(runs):
    one = BY_ID["film.head"]
    view, params = views.get(one.view), one.params(one.after)
    shown = view.compute([runs.get(asked) for asked in view.requests(params)], params)
    most = view.values(shown)["weights"].array.argmax(axis=1)
    words = [token.spoken for token in shown.run.tokens]
    said = {at: words[most[at]] for at in (8, 11, 12)}
    assert [words[at] for at in said] == ["The", "a", "red"]
    assert list(said.values()) == ["cat", "ball", "ball"]
    scores = dict(zip(shown.steps, shown.scores("induction")[:, 3, 2], strict=True))
    assert scores[1000] < scores[0] < scores[1500] < scores[2200]
