"""The untraced path compiles as one graph: the idle tap leaves no trace in it."""

from __future__ import annotations

import pytest
import torch

from tests.conftest import tiny_bert, tiny_gpt, tiny_transformer


@pytest.mark.parametrize("make", [tiny_gpt, tiny_bert, tiny_transformer])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # PyTorch's own
def test_one_graph(make):
    model = make().double()
    ids = [torch.randint(100, (2, n)) for n in ((7, 5) if make is tiny_transformer else (7,))]
    # "eager" captures the graph (fullgraph fails on a break) but needs no C++ compiler.
    compiled = torch.compile(model, fullgraph=True, backend="eager")
    torch.testing.assert_close(compiled(*ids), model(*ids), atol=1e-12, rtol=0)
