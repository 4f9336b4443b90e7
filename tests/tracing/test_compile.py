"""The untraced path compiles as one graph: the idle tap leaves no trace in it."""

from __future__ import annotations

import pytest
import torch

from tests.conftest import tiny_bert, tiny_gpt


@pytest.mark.parametrize("make", [tiny_gpt, tiny_bert])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # PyTorch's own
def test_one_graph(make):
    model = make().double()
    ids = torch.randint(100, (2, 7))
    # "eager" captures the graph (fullgraph fails on a break) but needs no C++ compiler.
    compiled = torch.compile(model, fullgraph=True, backend="eager")
    torch.testing.assert_close(compiled(ids), model(ids), atol=1e-12, rtol=0)
