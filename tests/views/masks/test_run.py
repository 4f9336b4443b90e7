"""A run under a mask: what it hides, what it is compared with, leaks, and hostile links."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from core.figures.payload import unpack
from core.inputs import Text
from core.runs.mask_spec import MaskSpec
from core.runs.requests import TraceRequest
from core.views.masks.asked import KINDS, UnderMask
from core.views.masks.run import spec_for
from core.views.masks.words import base_name, warning
from core.views.params import parse
from tests.views.records import TEXT, rows, shown

VIEWS = ("masks.strip", "masks.grid", "masks.prediction", "masks.batch")


def under(runs, mask: str, **more):
    """The record of the grid."""
    return shown(runs, "masks.grid", mask=mask, **{k: str(v) for k, v in more.items()})[1]


# --- every view, every mask ---------------------------------------------------------------------


@pytest.mark.parametrize("model", ["gpt", "bert"])
@pytest.mark.parametrize(
    "mask", ["own", "none", "causal", "padding", "prefix:3", "window:2", "painted:2:kA"]
)
def test_every_view_shows_every_mask(runs, model, mask):
    for name in VIEWS:
        view, record = shown(
            runs, name, mask=mask, model=model, sentence="1", layer="99", head="99"
        )
        component = view.show(record)
        assert unpack(component.payload().pack()).header["labels"]
        said = str(view.describe(record))
        assert said.strip()
        assert "{" not in said
        ElementTree.fromstring(component.drawing("dark"))
        head, *table = rows(view, record)
        assert all(len(row) == len(head) for row in table)
        assert component.title


@pytest.mark.parametrize("text", ["a", "<b>&'\" [MASK]", "🙂 ‮x", "cat " * 60])
@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_any_text_can_be_masked(runs, model, text):
    for mask in ("own", "window:1", "padding"):
        for name in VIEWS:
            batch = text + "\n\n" + TEXT
            view, record = shown(runs, name, text=text, model=model, mask=mask, batch=batch)
            view.show(record).payload().pack()
            ElementTree.fromstring(view.show(record).drawing("light"))


# --- what a mask hides ----


def test_the_models_own_mask_is_named_and_compared_with_its_opposite(runs):
    causal = under(runs, "own")
    assert causal.spec.kind == "causal"
    assert base_name(causal) == "no mask"
    assert not np.allclose(causal.base, causal.logits)
    none = under(runs, "own", model="bert")
    assert none.spec.kind == "none"
    assert base_name(none) == "a causal mask"


def test_under_another_mask_the_models_own_stands_beside(runs):
    record = under(runs, "window:2")
    own = runs.get(TraceRequest("gpt", Text(TEXT))).trace
    np.testing.assert_array_equal(record.base, own["logits"])
    assert "causal" in base_name(record)


def test_the_weights_are_those_of_the_run_and_what_is_left_sums_to_one(runs):
    record = under(runs, "window:2", layer=1, head=1)
    weights = record("weights")
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-5)
    for i, row in enumerate(weights):
        assert [j for j in range(len(row)) if row[j] > 0] == [j for j in (i - 1, i) if j >= 0]
    # What the page says: the open weight over the share kept is the weight.
    kept = record.open_weights / record.kept[:, None]
    np.testing.assert_allclose(np.where(record.mask, kept, 0), weights, atol=1e-5)


# --- leaks ----


def test_no_mask_is_a_leak_and_the_causal_one_is_none(runs):
    assert warning(under(runs, "causal")) is None
    said = str(warning(under(runs, "none")))
    n = under(runs, "none").queries.n - 1
    assert f"{n} of {n} positions" in said
    assert "may attend directly to" in said


def test_a_masked_model_has_no_answer_to_see(runs):
    assert warning(under(runs, "none", model="bert")) is None


def test_a_leak_through_others_names_them(runs):
    may = under(runs, "causal").mask.copy()
    may[1, 4] = True  # "The" sees a later token, which has seen the one after "The"
    record = under(runs, str(MaskSpec.painted(may)))
    assert not record.mask[1, 2]
    said = str(warning(record))
    assert "None of them attends to it directly" in said
    assert record.queries.words[4] in said
    assert record.queries.words[2] in said


def test_a_later_token_that_is_not_the_answer_is_said_as_such(runs):
    n = len(under(runs, "causal").mask)
    may = np.eye(n, dtype=bool)
    may[0, 2] = True
    record = under(runs, str(MaskSpec.painted(may)))
    assert "not the very next" in str(warning(record))


def test_a_prefix_is_asked_for_nothing_inside_itself(runs):
    assert "prefix" in str(warning(under(runs, "prefix:3")))


# --- links and the brush ----


@pytest.mark.parametrize(
    "text", ["painted:3:!!", "painted:99999:AA", "window:", "window:-1", "causal:2", "", "x" * 9999]
)
def test_a_mask_that_cannot_be_read_is_the_models_own(text):
    params, (problem,) = parse(UnderMask, {"mask": text})
    assert params.mask == "own"
    assert problem.sentence()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_chosen_and_read_again(runs, kind):
    run = under(runs, "causal")
    spec = MaskSpec.parse(spec_for(kind, run))
    assert spec.kind == kind
    if kind == "painted":
        np.testing.assert_array_equal(spec.cells(), run.mask)


def test_an_old_link_says_what_it_always_did():
    params = UnderMask()
    assert (params.mask, params.layer, params.head, params.sheet) == ("own", 5, 3, 0)
    assert (params.batch, params.sentence) == ("The cat sat on the mat.\nStop!", 1)
    assert (params.row, params.col, params.stage) == (2, 1, 2)
