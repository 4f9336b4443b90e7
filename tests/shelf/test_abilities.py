"""Which model shows how norms stand."""

from __future__ import annotations

import pytest

from core import views, zoo
from core.shelf import abilities as shelf
from core.shelf.abilities import arranged


@pytest.mark.parametrize("arrangement", ["pre", "post"])
def test_both_arrangements_are_shown_by_a_model_that_has_them(arrangement):
    """The one that is chosen, where its norms stand so."""
    for chosen in [name for name in zoo.shelf() if zoo.blueprint(name).reads_text]:
        name = arranged(arrangement, chosen)
        assert zoo.blueprint(name).main.arrangement == arrangement
        own = [stack.arrangement for stack in zoo.blueprint(chosen).stacks]
        assert arrangement not in own or name == chosen


def test_the_last_layer_is_that_of_what_is_shown():
    assert shelf.sizes("gpt") == {"layer": 5, "head": 3}
    assert shelf.sizes("elmo") == {"layer": 1, "head": 0}
    compared = views.get("contexts.distances").Params
    assert shelf.sizes("elmo", compared)["layer"] == 3  # without context, the input, and two
