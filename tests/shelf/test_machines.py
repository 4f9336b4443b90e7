"""What a machine is, in words that follow from its blueprint."""

from __future__ import annotations

from types import SimpleNamespace

from core import zoo
from core.lessons.varying import how_many
from core.shelf.abilities import model_label
from core.shelf.machines import character, sizes
from tests.views.map.test_strip import CUT, UNITS


def test_what_a_machine_does_follows_from_its_blueprint():
    assert character("bert") == (
        "BERT reads in both directions: its maps are full squares, and each LayerNorm stands "
        "after a sum."
    )
    assert character("gpt") == (
        "GPT reads from left to right: its maps are triangles, and each LayerNorm stands "
        "before the part it feeds."
    )
    assert "two towers" in character("transformer")


def test_of_a_machine_without_layers_of_blocks_or_states_the_hidden_ones_are_counted(monkeypatch):
    monkeypatch.setattr(zoo, "blueprint", lambda _name: UNITS)
    assert sizes("gpt") == ("Layers", "1")
    assert model_label("gpt") == "GPT"
    assert character("gpt").startswith("GPT has no attention and no state.")
    assert how_many("layer", None, SimpleNamespace(blueprint=UNITS)) == 1


def test_patches_attend_to_each_other_only_where_something_attends(monkeypatch):
    monkeypatch.setattr(zoo, "blueprint", lambda _name: CUT)
    assert character("vit").endswith("into patches. Nothing in it attends to anything.")
