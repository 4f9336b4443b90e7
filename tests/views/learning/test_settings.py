"""Adam by hand, its averages, the learning rate and the smoothed target."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.errors import ParameterError
from core.figures.text import number
from core.lessons.marking import mark
from core.lessons.on_pages import of_smoothing
from core.lessons.posing import pose
from core.live_training.schedules import noam
from tests.views.records import shown


def test_the_lines_of_adam_lead_to_the_weight(runs):
    view, record = shown(runs, "learning.adam")
    values = {name: one.array for name, one in view.values(record).items()}
    # The corrected averages are ours, the weight is the optimiser's: they must agree.
    moved = np.diff(np.concatenate([[0.0], values["weight"]]))
    np.testing.assert_allclose(-values["rate"] * values["ratio"], moved, rtol=1e-9)
    assert (values["beta1"], values["beta2"], values["eps"]) == (0.9, 0.98, 1e-9)
    assert values["ratio"][0] == pytest.approx(1.0, abs=1e-6)
    assert "whatever the size of the gradient" in str(view.describe(record))
    view, record = shown(runs, "learning.adam", adam_eps="0.1")
    assert "here ε counts" in str(view.describe(record))


def test_what_is_no_list_of_gradients_is_refused(runs):
    for text in ("a, b", "0.1", "1, 2, 3, 4, 5, 6, 7, 8, 9"):
        with pytest.raises(ParameterError, match="“Gradients” is"):
            shown(runs, "learning.adam", gradients=text)


def usual(runs, **values: str) -> float:
    view, record = shown(runs, "learning.moments", **values)
    return float(view.values(record)["usual"].array)


def test_the_size_of_gradients_does_not_count_but_their_sign_does(runs):
    assert usual(runs, gradient_kind="steady") == pytest.approx(1.0, abs=1e-3)
    assert usual(runs, gradient_kind="turning") < 0.2
    noisy = usual(runs)
    assert usual(runs, gradient_kind="tiny") == pytest.approx(noisy, rel=0.05)
    assert usual(runs, gradient_kind="tiny", adam_eps="0.01") < 0.001
    assert usual(runs, gradient_seed="1") != noisy


def test_the_rate_rises_in_a_line_and_falls_with_the_root(runs):
    view, record = shown(runs, "learning.rate")
    values = view.values(record)
    assert float(values["peak"].array) == pytest.approx(512**-0.5 * 4000**-0.5)
    assert values["rate"].value == noam(1000, 512, 4000)
    smaller = np.minimum(values["rising"].array, values["falling"].array)
    np.testing.assert_allclose(values["rate"].array, smaller)
    assert values["ours"].array.max() == pytest.approx(float(values["peak"].array))
    assert "the rising line is smaller" in str(view.describe(record))
    view, record = shown(runs, "learning.rate", rate_step="9000")
    assert "the falling root is smaller" in str(view.describe(record))


@pytest.mark.parametrize("spread", ["all", "others"])
def test_the_smoothed_loss_is_the_entropy_of_the_target_and_the_divergence_from_it(runs, spread):
    view, record = shown(runs, "learning.smoothing", spread_over=spread)
    values = {name: torch.as_tensor(one.array) for name, one in view.values(record).items()}
    # PyTorch's own divergence, of the logarithms of the prediction from the target.
    divergence = torch.nn.functional.kl_div(
        values["probability"].log(), values["target"], reduction="sum"
    )
    assert values["divergence"].item() == pytest.approx(divergence.item(), abs=1e-12)
    assert values["loss"].item() == pytest.approx((values["entropy"] + divergence).item())
    assert number(divergence.item()) in str(view.describe(record))
    _view, plain = shown(runs, "learning.smoothing", label_smoothing="0")
    assert plain.entropy == 0


def test_a_page_asks_what_is_left_of_the_loss_of_who_predicts_the_target():
    own = of_smoothing()
    for seed in range(8):
        posed = pose(own, {}, seed)
        target = np.array([posed.names["right"], *[posed.names["other"]] * 4])
        assert target.sum() == pytest.approx(1)
        loss = -(target * np.log(target)).sum()
        assert mark(posed, float(f"{loss:.2f}")).right
        assert mark(posed, 0.0).idea == "loss-is-divergence"
        assert "loss − entropy, is 0" in posed.say(own.solution)


def test_who_is_too_sure_is_pushed_back(runs):
    view, record = shown(runs, "learning.smoothing")
    assert "its logit is pushed down" in str(view.describe(record))
    view, record = shown(runs, "learning.smoothing", label_smoothing="0")
    assert "its logit is pushed up" in str(view.describe(record))
    view, record = shown(runs, "learning.certainty", label_smoothing="0")
    assert "never sure enough" in str(view.describe(record))
