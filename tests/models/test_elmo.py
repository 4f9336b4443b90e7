"""ELMo: two language models that do not see each other, and the vectors that they make."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from core.errors import ConfigError, EmptyInputError, InputTooLongError
from core.inputs import Batch, Padded, Text
from core.models.elmo import ELMo, ELMoConfig
from core.models.protocol import Model
from core.nn.recurrent import LSTM
from core.tracing import Edit, trace_run
from core.tracing.tap import Recorder
from tests.conftest import tiny_elmo

TEXT = "The cat saw a zebra."
D = 8


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)


def values_of(model, given) -> dict[str, torch.Tensor]:
    tap = Recorder()
    model.model.observe(model.prepare(given), tap)
    return tap.values


def of_torch(layer: LSTM) -> nn.LSTM:
    theirs = nn.LSTM(D, D, batch_first=True).double()
    theirs.load_state_dict(
        {
            f"{kind}_{letter}h_l0": getattr(module, kind)
            for letter, module in (("i", layer.w_x), ("h", layer.w_h))
            for kind in ("weight", "bias")
        }
    )
    return theirs


def test_it_is_a_model(elmo):
    assert isinstance(elmo.model, Model)
    assert elmo.sizes["V"] == elmo.tokenizer.vocab_size
    assert elmo.sizes["D"] == D


def test_each_direction_is_torchs_layers_with_a_residual(elmo):
    """Forwards on the words, backwards on the words turned round; neither reads the other."""
    values = values_of(elmo, Text(TEXT))
    x = values["embed.tokens"]
    ahead, back = x, x.flip(1)
    for i, layer in enumerate(elmo.model.rnn):
        forward, backward = (of_torch(one) for one in layer.children())
        new = forward(ahead)[0], backward(back)[0]
        ahead, back = (new[0] + ahead, new[1] + back) if i else new
        close(values[f"rnn.{i}.out"], torch.cat([ahead, back.flip(1)], -1))
    close(values["logits"], elmo.model.words(ahead))
    close(values["logits_before"], elmo.model.words(back.flip(1)))


def test_layer_0_is_the_word_twice(elmo):
    values = values_of(elmo, Text(TEXT))
    close(values["twice"], torch.cat([values["embed.tokens"]] * 2, -1))


def test_no_direction_sees_what_it_predicts(elmo):
    """Another word changes no forward state before it and no backward state after it."""
    one, other = (
        values_of(elmo, Text(f"The cat {word} a dog."))["rnn.1.out"][0] for word in ("saw", "zebra")
    )
    at = 3  # behind <s>
    for found, same in (
        ((one - other)[:, :D], range(at)),
        ((one - other)[:, D:], range(at + 1, 8)),
    ):
        changed = found.abs().amax(-1) > 0
        assert [n for n in range(len(changed)) if not changed[n]] == list(same)


def test_words_without_an_entry_are_read_by_their_letters(elmo):
    prepared = elmo.prepare(Text("zebra zebu"))
    units = prepared.streams[0]["tokens"].units
    assert [unit.label for unit in units] == ["<s>", "zebra", "zebu", "</s>"]
    assert units[1].id == units[2].id  # as predictions they are one
    first, second = values_of(elmo, Text("zebra zebu"))["embed.tokens"][0, 1:3]
    assert not first.equal(second)


def test_a_text_that_spells_a_mark_is_no_mark(elmo):
    values = values_of(elmo, Text("<s>"))
    assert values["embed.tokens"].shape[1] == 5  # three signs between the marks


def test_padding_changes_nothing(elmo):
    both = values_of(elmo, Batch((Text(TEXT), Text("a dog"))))
    padded = values_of(elmo, Padded(Text("a dog"), (TEXT,)))
    alone = values_of(elmo, Text("a dog"))
    n = alone["rnn.1.out"].shape[1]
    for site in ("twice", "rnn.0.out", "rnn.1.out", "logits", "logits_before"):
        close(both[site][1, :n], alone[site][0])
        close(padded[site][0, :n], alone[site][0])


def test_a_trace_holds_every_step_and_an_edit_changes_what_follows_in_its_direction(elmo):
    plain = trace_run(elmo, TEXT)
    n = len(plain.streams["tokens"].units)
    for way in ("forward", "backward"):
        for cell in ("input", "forget", "candidate", "output", "cell", "hidden"):
            assert plain[f"rnn.0.{way}.{cell}"].shape == (n, D)
    at = 3
    for way, follows in (("forward", range(at + 1, n)), ("backward", range(at))):
        edited = trace_run(elmo, TEXT, edits=[Edit(f"rnn.0.{way}.cell", (at, 0), 5.0)])
        own, others = f"rnn.0.{way}.hidden", ({"forward", "backward"} - {way}).pop()
        changed = np.abs(edited[own] - plain[own]).max(-1) > 0
        assert [i for i in range(n) if changed[i] and i != at] == list(follows)
        assert (edited[f"rnn.0.{others}.hidden"] == plain[f"rnn.0.{others}.hidden"]).all()
        assert (edited["logits"] == plain["logits"]).all() == (way == "backward")


def test_what_does_not_fit_is_refused(elmo):
    with pytest.raises(InputTooLongError):
        elmo.prepare(Text("a " * 40))
    with pytest.raises(InputTooLongError):
        elmo.model(torch.ones(1, 33, 4, dtype=torch.long))
    with pytest.raises(EmptyInputError):
        elmo.prepare(Batch(()))


@pytest.mark.parametrize(
    "wrong", [{"vocab_size": 0}, {"n_layers": 0}, {"filters": ()}, {"filters": (3, 0)}]
)
def test_a_config_that_cannot_be_built_is_refused(wrong):
    sizes = {"vocab_size": 9, "n_ctx": 8, "n_letters": 9, "d_letter": 2, "filters": (2,),
             "d_model": 4}  # fmt: skip
    with pytest.raises(ConfigError):
        ELMoConfig(**sizes | wrong)


def test_the_generator_draws_all_weights():
    def drawn(seed: int) -> ELMo:
        return ELMo(tiny_elmo().config, torch.Generator().manual_seed(seed))

    one, again, other = drawn(0), drawn(0), drawn(1)
    for name, weights in one.state_dict().items():
        assert weights.equal(again.state_dict()[name])
        assert "bias" in name or not weights.equal(other.state_dict()[name])
