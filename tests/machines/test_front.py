"""The front door on a shelf without any of the models that ship."""

from __future__ import annotations

import pytest

from core import zoo
from core.errors import AbilityError
from core.runs.store import Runs, of_the_shelf
from core.show import show
from pages.parts.runs import warm
from tests.machines.toys import TOYS

pytestmark = pytest.mark.usefixtures("root")


def test_without_a_model_one_is_shown_that_is_there():
    assert set(zoo.shelf()) == set(TOYS)
    assert show("predict.next", text="The cat sat").params.model == "relative"
    assert show("vision.answer").params.model in ("eyes", "seer")
    with pytest.raises(AbilityError, match="cannot fill in hidden words"):
        show("masked.strip", text="The cat sat")


def test_a_server_starts_with_nothing_but_toys(monkeypatch):
    """Each is loaded and run once, whatever it reads."""
    runs = Runs(load=of_the_shelf, fingerprint=zoo.fingerprint)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    warm(runs)
    assert all(runs.has_model(name) for name in TOYS)
    assert runs.nbytes > 0
