"""The parameter count against published sizes and against a model that was built."""

from core.analysis.sizes import GPT_FAMILY, Shape, gpt_parameters
from tests.conftest import tiny_gpt


def test_published_sizes():
    gpt, gpt_2, gpt_3 = map(gpt_parameters, GPT_FAMILY)
    assert round(gpt / 1e6) == 117
    assert round(gpt_2 / 1e9, 1) == 1.6  # published as 1.5 B; the shape gives 1.56
    assert round(gpt_3 / 1e9) == 175


def test_counts_what_a_model_has():
    model = tiny_gpt(d_ff=64)
    shape = Shape("tiny", 2, 16, 300, 32, final_norm=True, data="", source="")
    assert gpt_parameters(shape) == sum(p.numel() for p in model.parameters())
