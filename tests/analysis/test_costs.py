"""The formula against published sizes, by hand, and against every Transformer of the shelf."""

from __future__ import annotations

import dataclasses

import pytest

from core import zoo
from core.analysis.costs import PARTS, Amount
from core.analysis.published import PUBLISHED, decoder
from core.runs.kinds.costs import counted, machine_of
from tests.conftest import tiny_gpt

FURTHEST = 0.04  # GPT-2: 1.5577 billion, of which its authors say 1.5


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_sizes(name):
    one = PUBLISHED[name]
    assert one.machine.parameters == pytest.approx(one.published, rel=FURTHEST)


def test_gpt_by_hand():
    machine = PUBLISHED["gpt1"].machine
    d, layers = 768, 12
    assert machine.of_part("attention") == layers * (4 * d * d + 4 * d)
    assert machine.of_part("feed_forward") == layers * (8 * d * d + 5 * d)
    assert machine.of_part("norms") == layers * 4 * d
    assert machine.of_part("embeddings") == (40_478 + 512) * d
    assert machine.parameters == sum(map(machine.of_part, PARTS)) == 116_534_784


@pytest.mark.parametrize("name", [one for one in zoo.shelf() if zoo.blueprint(one).stacks])
def test_the_formula_gives_what_a_model_of_the_shelf_holds(name):
    model = zoo.outline(name)
    machine = machine_of(model)
    assert tuple(map(machine.of_part, PARTS)) == counted(model)
    assert machine.parameters == sum(one.numel() for one in model.parameters())


def test_multiplications_of_a_layer_by_hand():
    machine = decoder(1, 16, 2, 64, 300, 8)
    d, t = 16, 8
    layer = 12 * t * d * d + 2 * t * t * d
    assert machine.work == layer + t * d * 300
    twice = dataclasses.replace(machine, n_ctx=2 * t)
    assert twice.work == 2 * machine.work + 4 * t * t * d


def test_a_cache_holds_a_key_and_a_value_of_every_position_and_layer():
    assert machine_of(tiny_gpt()).cache.n == 2 * 2 * 32 * 16
    assert PUBLISHED["bert_base"].machine.cache == Amount()
    assert PUBLISHED["vit_b"].machine.cache == Amount()
