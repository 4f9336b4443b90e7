"""Which stack a page shows, and which model shows how norms stand."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core import zoo
from pages.parts.session import Part, Session
from pages.parts.stacks import arranged


def choice() -> None:
    """A page with nothing but the choice, of a model with two towers."""
    from core.views.params import OnStack
    from pages.parts import state
    from pages.parts.stacks import which_stack
    from tests.conftest import tiny_gpt, tiny_transformer

    model = {"gpt": tiny_gpt, "transformer": tiny_transformer}[state.read(OnStack).model]()
    which_stack(state.read(OnStack), model.blueprint)


def opened(**said: str) -> AppTest:
    app = AppTest.from_function(choice, default_timeout=60)
    app.session_state["glassformer"] = Session(dict(said), parts={"": Part()})
    app.run()
    assert not app.exception
    return app


def test_a_model_with_several_stacks_offers_them():
    app = opened(model="transformer")
    control = app.button_group(key="control-stack")
    assert control.value == "decoder"  # the one that predicts
    assert control.options == ["encoder", "decoder"]
    control.set_value("encoder").run()
    assert app.session_state["glassformer"].values["stack"] == "encoder"
    assert opened(model="transformer", stack="encoder").button_group(
        key="control-stack"
    ).value == "encoder"  # fmt: skip


def test_a_model_with_one_offers_nothing():
    assert not opened(model="gpt", stack="encoder").button_group


@pytest.mark.parametrize("arrangement", ["pre", "post"])
def test_both_arrangements_are_shown_by_a_model_that_has_them(arrangement):
    """The one that is chosen, where its norms stand so."""
    for chosen in [name for name in zoo.shelf() if zoo.blueprint(name).reads_text]:
        name = arranged(arrangement, chosen)
        assert zoo.blueprint(name).main.arrangement == arrangement
        own = [stack.arrangement for stack in zoo.blueprint(chosen).stacks]
        assert arrangement not in own or name == chosen
