"""Text that finished models write, and learning their predictions."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.models.gpt import GPT, GPTConfig
from core.training.data import TokenStream
from core.training.teaching import WRITTEN_FILE, keep_rows, write_rows

MARK, N = 0, 24
SIZES = GPTConfig(vocab_size=16, n_ctx=32, d_model=16, n_layers=1, n_heads=1, d_ff=16)
# Documents of 20 tokens: 1 1 1 ..., 2 2 2 ..., 3 3 3 ...
PROMPTS = TokenStream(np.repeat(np.arange(1, 4), 20).astype(np.uint16), np.arange(0, 61, 20))


def sure_of(token: int) -> GPT:
    """A model that always says one token, whatever it reads."""
    model = GPT(SIZES, torch.Generator().manual_seed(0)).eval()
    with torch.no_grad():
        model.final_norm.weight.zero_()
        model.final_norm.bias.copy_(torch.eye(16)[0])
        model.embed.tokens.weight[:, 0] = -50.0
        model.embed.tokens.weight[token, 0] = 50.0
    return model


def undecided() -> GPT:
    """A model that gives every token the same chance."""
    model = GPT(SIZES, torch.Generator().manual_seed(0)).eval()
    with torch.no_grad():
        model.final_norm.weight.zero_()
        model.final_norm.bias.zero_()
    return model


def test_a_row_begins_as_a_document_does_and_goes_on_as_the_model_says():
    rows = write_rows([sure_of(9)], PROMPTS, 40, N, MARK, seed=0)
    assert rows.shape == (40, 25)
    assert rows.dtype == np.uint16
    assert (rows[:, 0] == MARK).all()
    lengths = (rows[:, 1:] != 9).sum(axis=1)
    assert set(lengths) <= set(range(2, 13))
    assert len(set(lengths)) > 5
    for row, n in zip(rows, lengths, strict=True):
        assert set(row[1 : 1 + n]) in ({1}, {2}, {3})
        assert (row[1 + n :] == 9).all()
    assert {int(row[1]) for row in rows} == {1, 2, 3}


def test_a_document_that_ends_is_followed_by_another():
    rows = write_rows([sure_of(MARK)], PROMPTS, 20, N, MARK, seed=0)
    for row in rows:
        assert not ((row[1:] == MARK) & (row[:-1] == MARK)).any()
        begins = np.flatnonzero(row[:-1] == MARK) + 1
        assert len(begins) > 1
        for at in begins:
            end = at + np.argmax(np.append(row[at:], MARK) == MARK)
            assert set(row[at:end]) in ({1}, {2}, {3})


def test_models_take_turns():
    rows = write_rows([sure_of(9), sure_of(8)], PROMPTS, 10, N, MARK, seed=0, at_once=4)
    assert rows[:, -1].tolist() == [9] * 4 + [8] * 4 + [9] * 2


def test_tokens_are_drawn_by_their_probabilities():
    model = undecided()
    drawn = write_rows([model], PROMPTS, 400, N, MARK, seed=0)[:, 13:].ravel()
    free = drawn[drawn > 3]  # others come from beginnings too
    counts = np.bincount(free, minlength=16)[4:]
    assert counts.min() > 0.8 * counts.mean()
    assert counts.max() < 1.2 * counts.mean()


def test_the_seed_decides_and_the_writers_stay_as_they_are():
    model = undecided()
    one, two, other = (write_rows([model], PROMPTS, 6, N, MARK, seed=seed) for seed in (1, 1, 2))
    assert (one == two).all()
    assert (one != other).any()
    assert model.final_norm.weight.dtype == torch.float32


def test_rows_are_kept_as_a_whole(tmp_path, monkeypatch):
    rows = np.arange(6, dtype=np.uint16).reshape(2, 3)
    keep_rows(rows, tmp_path / "run")
    assert [path.name for path in (tmp_path / "run").iterdir()] == [WRITTEN_FILE]
    assert (np.load(tmp_path / "run" / WRITTEN_FILE) == rows).all()

    def cut(_path, _rows):
        raise OSError("no space left")

    monkeypatch.setattr(np, "save", cut)
    with pytest.raises(OSError, match="no space left"):
        keep_rows(rows + 1, tmp_path / "run")
    assert (np.load(tmp_path / "run" / WRITTEN_FILE) == rows).all()
