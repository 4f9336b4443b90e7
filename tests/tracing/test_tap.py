"""The tap and the recorder."""

from __future__ import annotations

import pytest
import torch

from core.errors import EditError
from core.tracing.tap import NO_TAP, Recorder

X = torch.ones(2)


def test_no_tap_lets_everything_through():
    assert NO_TAP("any", X) is X
    assert NO_TAP.at("blocks", 3) is NO_TAP
    assert not NO_TAP.active


def test_a_recorder_keeps_values_by_dotted_name_in_order():
    tap = Recorder()
    assert tap.active
    assert tap("first", X) is X
    inner = tap.at("blocks", 3).at("attn")
    assert inner("q", X) is X
    tap("last", X)
    assert list(tap.values) == ["first", "blocks.3.attn.q", "last"]
    assert tap.values["blocks.3.attn.q"] is X


def test_a_site_is_recorded_once():
    tap = Recorder()
    tap("q", X)
    with pytest.raises(RuntimeError, match="site 'q' was recorded twice in one run"):
        tap("q", X)


def test_only_what_is_wanted_is_kept():
    tap = Recorder(wanted=lambda name: name == "attn.k")
    for site in ("q", "k"):
        assert tap.at("attn")(site, X) is X
    assert list(tap.values) == ["attn.k"]


def test_an_edit_goes_on_in_place_of_the_value_and_is_what_is_recorded():
    tap = Recorder(edits={"attn.q": lambda value, step: value * 5})
    out = tap.at("attn")("q", X)
    assert out.tolist() == [5, 5]
    assert tap.values["attn.q"] is out
    assert X.tolist() == [1, 1]
    tap.check_edits()


def test_an_edit_is_done_even_where_nothing_is_kept():
    tap = Recorder(wanted=lambda name: False, edits={"q": lambda value, step: value * 5})
    assert tap("q", X).tolist() == [5, 5]
    assert tap.values == {}
    tap.check_edits()


def test_an_edit_of_a_site_that_never_came_is_an_error():
    tap = Recorder(edits={"blocks.9.attn.q": lambda value, step: value})
    tap("q", X)
    with pytest.raises(EditError, match=r"edit of 'blocks.9.attn.q': this model has no such site"):
        tap.check_edits()


# --- layers that compute one position after the other --------------------------------


def steps(n=3):
    return [torch.full((2, 4), float(at)) for at in range(n)]


def test_the_steps_of_a_layer_become_one_site_in_the_order_of_positions():
    tap = Recorder()
    gru = tap.at("rnn", 0)
    for at in (2, 0, 1):  # a layer may read from the right
        assert gru("hidden", steps()[at], at).shape == (2, 4)
    tap("logits", X)
    assert list(tap.values) == ["rnn.0.hidden", "logits"]
    assert tap.values["rnn.0.hidden"].shape == (2, 3, 4)
    assert tap.values["rnn.0.hidden"][1, :, 3].tolist() == [0, 1, 2]


def test_a_step_is_recorded_once():
    tap = Recorder()
    tap("hidden", X, 0)
    with pytest.raises(RuntimeError, match="step 0 of site 'hidden' was recorded twice"):
        tap("hidden", X, 0)
    tap("whole", X)
    for name, step in (("whole", 1), ("hidden", None)):
        with pytest.raises(RuntimeError, match="recorded twice"):
            tap(name, X, step)


def test_an_edit_is_given_the_step():
    tap = Recorder(edits={"hidden": lambda value, step: value if step else value * 5})
    assert [tap("hidden", X, at).tolist() for at in range(2)] == [[5, 5], [1, 1]]
    assert tap.values["hidden"].tolist() == [[5, 1], [5, 1]]
    tap.check_edits()


def test_the_null_object_takes_steps_too():
    assert NO_TAP("hidden", X, 3) is X
