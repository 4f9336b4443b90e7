"""Every view on machines without blocks: the checked-in table says what is shown, and holds."""

from __future__ import annotations

import pytest

from core import views
from core.errors import AbilityError
from core.models.rnn import RNN, RNNConfig
from core.runs.store import Runs
from core.show import figure
from core.views.params import parse
from tests.conftest import loaded
from tests.machines.shown import LACKS

TEXT = "The cat sat on the mat"
OF_A_MODEL = [
    name
    for name, view in views.all_views().items()
    if not view.needs.no_model and hasattr(view.Params(), "model")
]
MACHINES = ("toy", "attention", "summary")


@pytest.fixture(scope="module")
def runs(rnn, wordpiece) -> Runs:
    """The toy, and the recurrent machines of the house with and without attention, tiny."""
    models = {"toy": rnn}
    for name in MACHINES[1:]:
        config = RNNConfig(wordpiece.vocab_size, 32, 8, 2, 3, attention=name == "attention")
        models[name] = loaded(RNN(config).double().eval(), wordpiece)
    return Runs(load=lambda name, _device: models[name])


def test_the_table_names_every_view():
    assert list(LACKS) == OF_A_MODEL


@pytest.mark.parametrize("name", OF_A_MODEL)
@pytest.mark.parametrize("machine", MACHINES)
def test_a_view_is_shown_or_says_what_the_machine_lacks(runs, machine, name):
    params, _ = parse(views.get(name).Params, {"text": TEXT, "model": machine})
    lacks = LACKS[name][machine == "summary"]
    if lacks:
        with pytest.raises(AbilityError) as caught:
            figure(name, params, runs, "cpu")
        assert str(caught.value) == f"model {machine.upper()} cannot {lacks}"
        return
    shown = figure(name, params, runs, "cpu")
    assert str(shown)
    assert shown.svg().startswith("<svg")
    assert shown.html()
    assert shown.csv()
    assert shown.component.payload().header
