"""The states of recurrent layers: the numbers of the run, and the arithmetic that leads to them."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.errors import AbilityError, ParameterError
from core.figures.text import number
from core.models.rnn import RNN, RNNConfig
from core.runs.store import Runs
from core.show import figure
from core.views import get
from core.views.params import parse
from tests.conftest import loaded
from tests.views.records import rows, shown

TEXT, TARGET = "the cat sat on the mat", "the dog saw a sea"
LAYERS = [("encoder", "forward"), ("encoder", "backward"), ("decoder", "forward")]


@pytest.fixture(scope="module", params=[True, False], ids=["attention", "summary"])
def machine(request, wordpiece) -> Runs:
    """The recurrent machine of the house, tiny."""
    torch.manual_seed(0)
    config = RNNConfig(wordpiece.vocab_size, 48, 8, 2, 3, attention=request.param)
    made = loaded(RNN(config).double().eval(), wordpiece)
    return Runs(load=lambda name, device: made)


def states(runs, **values):
    return shown(runs, "recurrent.states", text=TEXT, target=TARGET, model="rnn", **values)


@pytest.mark.parametrize(("recurrence", "direction"), LAYERS)
def test_every_sheet_is_what_the_cell_computed(machine, recurrence, direction):
    view, record = states(machine, recurrence=recurrence, direction=direction)
    component, prefix = view.show(record), f"{recurrence}.rnn.0.{direction}."
    assert [sheet.array for sheet in component.sheets] == ["hidden", "reset", "update", "candidate"]
    for sheet in component.sheets:
        own = record.trace[prefix + sheet.array]
        np.testing.assert_array_equal(component.arrays[sheet.array], own.astype(np.float32))
        np.testing.assert_array_equal(view.values(record)[sheet.array].array, own)
        assert sheet.source.path == "core/nn/recurrent.py"
        gate = sheet.array in ("reset", "update")
        assert (sheet.scale.kind, sheet.scale.limit == 1.0) == (
            ("residual", True) if gate else ("signed", sheet.scale.limit == 1.0)
        )


@pytest.mark.parametrize(("recurrence", "direction"), LAYERS)
def test_the_arithmetic_leads_to_the_state(machine, recurrence, direction):
    """What stays of the old state and what is let in add up to the new one, from the first on."""
    view, record = states(machine, recurrence=recurrence, direction=direction)
    arrays = view.show(record).payload().arrays
    np.testing.assert_allclose(arrays["kept"] + arrays["new"], arrays["hidden"], atol=1e-6)
    np.testing.assert_allclose(arrays["update"] * arrays["before"], arrays["kept"], atol=1e-6)
    np.testing.assert_allclose(arrays["open"] * arrays["candidate"], arrays["new"], atol=1e-6)
    first = -1 if direction == "backward" else 0
    if recurrence == "decoder":
        np.testing.assert_allclose(
            arrays["before"][first], record.trace["decoder.first"].ravel(), atol=1e-6
        )
    else:
        assert not arrays["before"][first].any()
    sheet = view.show(record).payload().header["sheets"][0]
    assert [step["kind"] for step in sheet["how"]["steps"]] == ["value", "times", "times", "sum"]


def test_a_beginning_that_is_not_shown_is_not_made_up(rnn):
    """The toy's decoder begins with what no site shows: its numbers stand without arithmetic."""
    own = Runs(load=lambda name, device: rnn)
    view, record = states(own, recurrence="decoder")
    assert view.show(record).sheets[0].how is None
    assert "keeps" not in str(view.describe(record))
    view, record = states(own, recurrence="encoder", direction="forward", layer="1")
    assert view.show(record).sheets[0].how is not None
    assert record.prefix == "encoder.rnn.1.forward."
    assert view.show(record).title == "State and gates, step by step, layer 1"


def test_the_reading_is_the_selected_number(machine):
    view, record = states(machine, recurrence="encoder", token="2", col="3")
    value = record.trace["encoder.rnn.0.forward.hidden"][2, 3]
    said = str(view.describe(record))
    assert said.startswith(f"After “{record.units[2].spoken}”, unit 3 of the state is ")
    assert number(float(value)) in said
    assert "The update gate keeps" in said
    assert record.selection() == {"token": 2, "col": 3, "layer": 0, "sheet": 0}


def test_what_is_asked_for_and_is_not_there_is_an_error(machine, gpt):
    for asked, wanted in (
        ({"recurrence": "decodr"}, "recurrence is 'decodr'; it must be one of encoder, decoder"),
        ({"direction": "backward"}, "direction is 'backward'; it must be one of forward"),
    ):
        with pytest.raises(ParameterError, match=wanted):
            states(machine, **asked)
    params, _ = parse(get("recurrent.states").Params, {"text": TEXT, "model": "gpt"})
    with pytest.raises(AbilityError, match="cannot show a state and its gates, as it has none"):
        figure("recurrent.states", params, Runs(load=lambda name, device: gpt), "cpu")


def test_the_strip_says_how_much_stays(machine):
    view, record = shown(
        machine, "recurrent.kept", text=TEXT, target=TARGET, model="rnn", recurrence="encoder"
    )
    gate = record.trace["encoder.rnn.0.forward.update"]
    np.testing.assert_allclose(view.show(record).heat, gate.mean(axis=1), rtol=1e-5)
    np.testing.assert_allclose(view.values(record)["kept"].array, gate.mean(axis=1), rtol=1e-5)
    length = np.linalg.norm(record.trace["encoder.rnn.0.forward.hidden"], axis=1)
    np.testing.assert_allclose(view.values(record)["length"].array, length, rtol=1e-5)
    assert len(view.show(record).readings) == len(record.units)
    assert len(rows(view, record)) > len(record.units)


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_the_arithmetic_of_an_lstm_leads_to_its_cell_and_its_state(characters, direction):
    own = Runs(load=lambda name, device: characters)
    view, record = shown(own, "recurrent.states", text=TEXT, model="x", direction=direction)
    arrays, prefix = view.show(record).payload().arrays, record.prefix
    np.testing.assert_allclose(
        arrays["kept"] + arrays["new"], record.trace[prefix + "cell"], atol=1e-6
    )
    np.testing.assert_allclose(
        arrays["output"] * arrays["squeezed"], record.trace[prefix + "hidden"], atol=1e-6
    )
    assert "The forget gate keeps" in str(view.describe(record))
    view, record = shown(own, "recurrent.kept", text=TEXT, model="x", direction=direction)
    forget = record.trace[prefix + "forget"]
    np.testing.assert_allclose(view.show(record).heat, forget.mean(axis=1), rtol=1e-5)


@pytest.mark.parametrize(("recurrence", "direction"), LAYERS)
def test_it_goes_back_from_the_last_state(machine, recurrence, direction):
    view, record = shown(machine, "recurrent.gradient", text=TEXT, target=TARGET, model="rnn",
                         recurrence=recurrence, direction=direction)  # fmt: skip
    found = view.values(record)["gradient"].array
    last = 0 if direction == "backward" else -1
    assert found[last] == pytest.approx(1)
    assert found.shape == (len(record.units),)
    np.testing.assert_array_equal(view.show(record).heat, found)
    assert "the gradient is" in str(view.describe(record))


def test_an_lstm_has_one_too(characters):
    own = Runs(load=lambda name, device: characters)
    view, record = shown(own, "recurrent.gradient", text=TEXT, model="x")
    assert view.values(record)["gradient"].array[-1] == pytest.approx(1)
