"""Several texts that are continued at once are those that are continued one by one."""

from __future__ import annotations

import torch

from core.decoding.at_once import continued


def test_each_row_is_drawn_from_what_the_model_says_of_it(gpt):
    drawn = torch.Generator().manual_seed(0)
    prompts = torch.randint(1, 300, (3, 4), generator=drawn)
    chances = torch.rand(3, 5, generator=drawn)
    rows = continued(gpt.model, prompts, chances)
    assert rows.shape == (3, 9)
    assert (rows[:, :4] == prompts).all()
    for row, several in zip(rows, chances, strict=True):
        for at, chance in enumerate(several, 4):
            passed = gpt.model(row[None, :at])[0, -1].softmax(-1).cumsum(-1)
            assert row[at] == (passed < chance * passed[-1]).sum()
