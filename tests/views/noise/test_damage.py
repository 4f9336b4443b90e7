"""BART's five ways to damage a text: what is copied, what is hidden, what stands elsewhere."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.runs.kinds.noise import Target
from core.text.noise import NOISES as WAYS
from core.views.noise.damage import MOVES, NOISES, Damage
from tests.views.records import shown

TEXT = "The cat sat on the mat. The dog sat on the log. She saw the sea."


def of(runs, name, noise, **values):
    """A view and its record."""
    given = {"text": TEXT, "model": "mender", "noise_seed": "2", **values, "noise": noise}
    return shown(runs, f"noise.{name}", **given)


def test_every_noise_has_its_word():
    assert list(NOISES) == list(WAYS)
    assert set(MOVES) < set(NOISES)


@pytest.mark.parametrize("noise", NOISES)
def test_what_the_encoder_lacks_is_marked_where_it_has_to_be_written(runs, noise):
    view, record = of(runs, "wanted", noise)
    header, values = view.show(record).payload().header, view.values(record)
    hidden = record.run.hidden
    assert header["marked"] == np.flatnonzero(hidden).tolist()
    assert bool(header["marked"]) == (noise not in MOVES)
    found, own = values["found"].array, values["probability"].array
    assert len(header["tokens"]) == len(header["readings"]) == len(own) == len(hidden)
    if hidden.any():
        assert values["hidden_found"].array == pytest.approx(found[hidden].mean())
        said = str(view.describe(record))
        assert (
            f"the {hidden.sum()} hidden tokens, which it must guess, {found[hidden].sum()} are"
            in said
        )
    assert values["copied"].array == pytest.approx(found[~hidden].mean())


@pytest.mark.parametrize("noise", MOVES)
def test_what_changed_its_place_says_where_it_stood(runs, noise):
    view, record = of(runs, "damaged", noise)
    header, origin = view.show(record).payload().header, record.run.origin
    assert record.moved
    assert header["notes"] == [str(at) if at >= 0 else "" for at in origin]
    assert header["field"] == "moved_part"
    # A part is a stretch of the text: it stands together before and after.
    groups = [chip["group"] for chip in header["tokens"]][:-1]
    for part in set(groups):
        places = [at for at, group in zip(origin, groups, strict=False) if group == part]
        assert places == list(range(places[0], places[0] + len(places)))
    assert len(set(groups)) == record.parts.max() + 1 > 1
    said = str(view.describe(record))
    assert ("begins at position" if noise == "rotate" else "parts that stand") in said


def test_a_single_sentence_cannot_change_its_order_and_that_is_said(runs):
    view, record = of(runs, "damaged", "permute", text="The cat sat on the mat")
    assert not record.moved
    assert "Every token stands where it stood" in str(view.describe(record))


@pytest.mark.parametrize("noise", ["mask", "infill", "delete"])
def test_marks_are_counted_and_say_what_they_stand_for(runs, noise):
    view, record = of(runs, "damaged", noise)
    marks = int((record.run.origin[:-1] < 0).sum())
    chips = view.show(record).payload().header["tokens"][:-1]
    titles = {chip["title"] for chip, at in zip(chips, record.run.origin, strict=False) if at < 0}
    said = str(view.describe(record))
    if noise == "delete":
        assert marks == 0
        assert "Nothing shows where they stood" in said
        return
    assert f"behind {marks} mark" in said
    assert (
        titles
        == {
            "mask": {"stands for one hidden token"},
            "infill": {"stands for any number of hidden tokens, or for none"},
        }[noise]
    )
    assert noise != "mask" or marks == record.n_hidden


def test_what_is_written_is_held_against_the_text(runs, mender):
    view, record = of(runs, "rewritten", "mask")
    tokens = list(record.run.tokens)
    other = mender.tokenizer.token(mender.tokenizer.encode("x", special=False)[0])
    first = int(record.run.hidden.argmax())
    said = [*tokens, mender.tokenizer.token(mender.config.end_id)]
    said[first] = other  # of what was hidden the model guesses one token wrong
    ones = np.ones(len(said))
    target = Target(tuple(said), ones, tuple(said), ones)
    made = Damage(dataclasses.replace(record.run, written=target), record.params)
    n = made.n_hidden
    assert made.restored.sum() == len(tokens) - 1
    assert f"Of the {n} hidden tokens it writes {n - 1}." in str(view.describe(made))
    header = view.show(made).payload().header
    assert header["marked"] == [first]
    notes = np.array(header["notes"])
    assert (notes == "restored").sum() == n - 1
    assert set(np.flatnonzero(notes == "restored")) < set(np.flatnonzero(record.run.hidden))
    assert view.values(made)["restored"].array == pytest.approx((n - 1) / n)
    # A token of the text is selected where it was written, too.
    groups = [chip["group"] for chip in header["tokens"]]
    assert groups[:first] == list(range(first))
    assert groups[first] is None
