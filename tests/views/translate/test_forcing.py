"""Teacher forcing, alignment, steps and a second target: what is said is what the runs computed."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.distributions import log_softmax
from core.data.examples import FRENCH, FRENCH_IN_ENGLISH
from core.views.translate.forcing import Forcing
from core.views.translate.translation import TwoTargets
from tests.views.records import shown

TEXT, TARGET = "The cat sat on the mat", "the dog saw a sea"


def forced(runs, view: str, **values):
    given = {"model": "transformer", "text": TEXT, "reference": TARGET, **values}
    return shown(runs, f"translate.{view}", **given)


def test_the_loss_is_that_of_the_next_token_and_of_the_end(runs):
    view, record = forced(runs, "taught")
    run = shown(runs, "translate.target", model="transformer", text=TEXT, target=TARGET)[1].run
    logs = log_softmax(run.trace["logits"])
    wanted = [*run.trace.streams["target"].ids[1:], run.trace.config.end_id]
    expected = [-logs[at, token] for at, token in enumerate(wanted)]
    np.testing.assert_allclose(view.values(record)["loss"].array, expected)
    assert [token.id for token in record.targets] == wanted
    for at, token in enumerate(record.chosen):
        assert logs[at, token.id] == np.delete(logs[at], run.trace.config.start_id).max()
    strip = view.show(record)
    for chip, one, other in zip(strip.tokens, record.targets, record.chosen, strict=True):
        assert (chip.detail is None) == (one.id == other.id)


def test_both_runs_are_one_until_they_part(runs):
    view, record = forced(runs, "losses")
    at = record.parts_at
    assert at is not None
    np.testing.assert_allclose(record.loss[: at + 1], record.own_loss[: at + 1], rtol=1e-4)
    assert [t.id for t in record.writing[:at]] == [t.id for t in record.targets[:at]]
    assert record.writing[at].id == record.chosen[at].id != record.targets[at].id
    (rule,) = view.show(record).rules
    assert rule.x == at
    assert f"They first differ at position {at}:" in str(view.describe(record))
    assert forced(runs, "free")[0].values(record)["parts_at"].array == at


def test_without_a_reference_they_never_part(runs):
    view, record = forced(runs, "losses", reference=" ")
    assert record.parts_at is None
    assert view.show(record).rules == []
    assert "never differ" in str(view.describe(record))
    np.testing.assert_allclose(record.loss, record.own_loss)


def test_the_example_has_a_reference_and_what_is_typed_comes_first():
    assert Forcing(text=FRENCH).taught == TwoTargets(text=FRENCH).second == FRENCH_IN_ENGLISH
    assert Forcing(text=FRENCH, target="a").taught == "a"
    assert Forcing(text=FRENCH, target="a", reference="b").taught == "b"
    assert Forcing(text="Bonjour").taught == TwoTargets(text="Bonjour").second == ""


@pytest.mark.parametrize("layer", ["0", "-1", "99"])
def test_the_row_before_writes_a_token_and_its_own_row_reads_it(runs, layer):
    view, record = shown(runs, "translate.alignment", model="transformer", text=TEXT,
                         target=TARGET, cross_layer=layer, token="2")  # fmt: skip
    run = shown(runs, "translate.target", model="transformer", text=TEXT, target=TARGET)[1].run
    name = f"decoder.blocks.{record.layer}.cross_attn.weights"
    weights = run.trace[name].mean(axis=0)
    assert record.layer == (0 if layer == "0" else record.n_layers - 1)
    np.testing.assert_allclose(record.before, weights[:-1], rtol=1e-6)
    np.testing.assert_allclose(record.after, weights[1:], rtol=1e-6)
    assert record.written[record.row].id == run.trace.streams["target"].ids[2]
    matrix = view.show(record)
    assert matrix.selection["token"] == 2
    assert matrix.shown.rows.chosen(matrix.selection) == 1
    assert matrix.selection["origin"] == record.before[1].argmax()
    needed, best = record.needs, record.costs.argmax(axis=1)
    traced = (record.before.argmax(axis=1) == best)[needed].sum()
    assert record.traced[record.layer][0] == traced


def test_the_steps_add_up_to_the_probability_of_the_target(runs):
    view, record = shown(runs, "translate.chain", model="transformer", text=TEXT, target=TARGET)
    values = view.values(record)
    logs = values["log_prob"].array
    assert values["sum"].array[-1] == pytest.approx(np.log(record.target_probs[1:]).sum(), rel=1e-4)
    assert np.isnan(logs[0])
    steps = view.steps(record)
    assert steps is not None
    assert steps.n == len(record.target.tokens)
    last = str(view.show(record).readings[-1])
    assert "the end mark" in last
    strip = view.show(record)
    assert [strip.is_there(at) for at in range(3)] == [True] * 3
    early = shown(runs, "translate.chain", model="transformer", text=TEXT, target=TARGET, token="1")
    strip = early[0].show(early[1])
    assert [strip.is_there(at) for at in range(3)] == [True, True, False]


def test_a_second_target_has_no_bar_where_the_encoder_ran_once(runs):
    view, record = shown(runs, "translate.second", model="transformer", text=TEXT, again=TARGET)
    bars, values = view.show(record), view.values(record)
    idle = [n for n, part in enumerate(record.run.parts) if part.name.startswith("encoder")]
    assert idle
    assert not bars.values[0, 1, idle].any()
    assert bars.values[0, 0].all()
    assert values["all_first"].array - record.saved < values["all_first"].array
    assert "numbers" in str(view.describe(record))
