"""BERT: both sides, segments, padding and its heads. Parity is in tests/parity."""

from __future__ import annotations

import pytest
import torch

from core.errors import AbilityError, ConfigError, InputTooLongError
from core.inputs import Pair, SourceTarget, Text
from core.models.bert import BERT, BERTConfig
from core.models.protocol import Model
from core.nn.masks import padding_mask
from core.nn.positions import sinusoidal_positions
from core.tracing.tap import Recorder
from tests.conftest import tiny_bert

SIZES = {"vocab_size": 30, "n_ctx": 8, "d_model": 6, "n_layers": 2, "n_heads": 3, "d_ff": 9}


@pytest.fixture
def bert() -> BERT:
    return tiny_bert().double()


def some_ids(n: int, batch: int = 1) -> torch.Tensor:
    return torch.randint(120, (batch, n), generator=torch.Generator().manual_seed(5))


def test_logits_have_one_row_a_position(bert):
    assert bert(some_ids(7, batch=3)).shape == (3, 7, 120)


def test_every_position_sees_both_sides(bert):
    ids = some_ids(6)
    changed = ids.clone()
    changed[0, 5] += 1
    assert not torch.allclose(bert(ids)[0, 0], bert(changed)[0, 0])


def test_padding_changes_nothing(bert):
    short, long = some_ids(4), some_ids(7)
    batch = torch.cat([torch.nn.functional.pad(short, (0, 3)), long])
    logits = bert(batch, mask=padding_mask([4, 7], 7))
    torch.testing.assert_close(logits[:1, :4], bert(short))
    torch.testing.assert_close(logits[1:], bert(long))


def test_segments_make_a_difference(bert):
    ids = some_ids(6)
    types = torch.tensor([[0, 0, 0, 1, 1, 1]])
    assert bert(ids).equal(bert(ids, types=torch.zeros_like(ids)))
    assert not torch.allclose(bert(ids), bert(ids, types=types))


def test_next_sentence_reads_the_first_position(bert):
    hidden = bert.hidden(some_ids(5, batch=2))
    answer = bert.next_sentence(hidden)
    assert answer.shape == (2, 2)
    pooled = torch.tanh(hidden[:, 0] @ bert.pooler.weight.T + bert.pooler.bias)
    torch.testing.assert_close(answer, pooled @ bert.nsp.weight.T + bert.nsp.bias)


def test_masked_words_may_be_asked_at_chosen_places_only(bert):
    hidden = bert.hidden(some_ids(6))
    torch.testing.assert_close(bert.masked_words(hidden)[0, 2], bert.masked_words(hidden[0, 2]))


def test_the_masked_word_head_is_tied_and_has_its_own_bias():
    assert sum(p.numel() for p in BERT(BERTConfig(**SIZES)).parameters()) == (
        30 * 6 + 8 * 6 + 2 * 6 + 2 * 6  # tables and their norm
        + 2 * (4 * (6 * 6 + 6) + (6 * 9 + 9) + (9 * 6 + 6) + 4 * 6)  # blocks
        + (6 * 6 + 6) + 2 * 6 + 30  # masked-word head
        + (6 * 6 + 6) + (6 * 2 + 2)  # pooler, next sentence
    )  # fmt: skip


def test_initial_weights():
    model = BERT(BERTConfig(**SIZES | {"d_model": 96, "d_ff": 384, "vocab_size": 500}))
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            assert (parameter == 0).all(), name
        elif parameter.ndim == 1:
            assert (parameter == 1).all(), name
        elif "positions" in name:
            torch.testing.assert_close(parameter.detach(), 0.1 * sinusoidal_positions(8, 96))
            assert model.blueprint.embedding("tokens").learned_from == "sinusoids"
        elif "w_q." in name:
            assert parameter.equal(model.get_parameter(name.replace("w_q", "w_k")))
            assert parameter.std().item() == pytest.approx(96**-0.5, rel=0.15)
        elif "w_k." in name:
            continue  # as w_q
        else:
            assert parameter.std().item() == pytest.approx(0.02, rel=0.15), name


def test_heads_start_as_averages_over_the_neighbourhood():
    sizes = {"vocab_size": 500, "n_ctx": 64, "d_model": 96, "d_ff": 96, "n_heads": 2}
    model = BERT(BERTConfig(**SIZES | sizes), torch.Generator().manual_seed(0))
    tap = Recorder()
    model(torch.arange(64)[None] + 100, tap=tap)
    for head in tap.values["blocks.0.attn.weights"][0]:
        near, far = (head.diagonal(offset).mean() for offset in (1, 16))
        assert near > 3 * far


def test_an_odd_width_has_no_sinusoids_to_start_from():
    model = BERT(BERTConfig(**SIZES | {"d_model": 9}))
    assert model.embed.positions.weight.std().item() == pytest.approx(0.02, rel=0.5)
    assert model.blueprint.embedding("tokens").learned_from == "random"


def test_more_than_the_context_is_an_error(bert):
    with pytest.raises(InputTooLongError, match="33 tokens and the model's context holds 32"):
        bert(some_ids(33))


@pytest.mark.parametrize("name", [*SIZES, "n_types"])
def test_sizes_start_at_one(name):
    with pytest.raises(ConfigError, match=f"config field '{name}': must be at least 1"):
        BERTConfig(**SIZES | {name: 0})


def test_heads_divide_the_width():
    with pytest.raises(ConfigError, match="'n_heads': must divide d_model, 6"):
        BERTConfig(**SIZES | {"n_heads": 4})


def test_the_activation_is_one_we_have():
    with pytest.raises(ConfigError, match="'activation': must be one of relu"):
        BERTConfig(**SIZES, activation="tanh")


@pytest.mark.parametrize("eps", [0.0, -1e-5, 1.0, float("nan")])
def test_eps_is_small_and_positive(eps):
    with pytest.raises(ConfigError, match="'eps': must be above 0 and below 1"):
        BERTConfig(**SIZES, eps=eps)


def test_what_it_can_do(bert):
    assert isinstance(bert, Model)
    assert bert.abilities == {"masked_words", "sentence_pairs"}
    assert {Text, Pair} <= bert.takes
    assert SourceTarget not in bert.takes


def test_a_model_with_one_segment_takes_no_pair():
    assert Pair not in tiny_bert(n_types=1).takes


@pytest.mark.parametrize("head", ["masked_words", "sentence_pairs"])
def test_a_head_may_be_missing_and_says_so(head):
    made = tiny_bert(**{head: False})
    assert made.abilities == {"masked_words", "sentence_pairs"} - {head}
    left_out = ("mlm.",) if head == "masked_words" else ("pooler.", "nsp.")
    assert not any(name.startswith(left_out) for name in made.state_dict())
    assert [one.ability for one in made.blueprint.heads] == list(made.abilities)
    hidden = made.hidden(some_ids(4))
    with pytest.raises(AbilityError, match="model BERT cannot "):
        made.masked_words(hidden) if head == "masked_words" else made.next_sentence(hidden)


LABELLED = {"masked_words": False, "sentence_pairs": False, "labels": ("a", "b", "c")}


def test_fine_tuned_it_chooses_a_label_from_the_first_position():
    made = tiny_bert(**LABELLED).double()
    ids = some_ids(5, batch=2)
    pooled = torch.tanh(made.hidden(ids)[:, 0] @ made.pooler.weight.T + made.pooler.bias)
    torch.testing.assert_close(made.pooled(ids), pooled)
    logits = pooled @ made.classifier.weight.T + made.classifier.bias
    torch.testing.assert_close(made(ids), logits)
    assert made(ids).shape == (2, 3)
    assert made.abilities == {"classify_text"}
    assert made.blueprint.classifier.labels == ("a", "b", "c")
    assert tiny_bert(**LABELLED, of_pairs=True).abilities == {"classify_pair"}


def test_without_labels_it_has_no_such_head():
    plain = tiny_bert()
    assert not any(name.startswith("classifier.") for name in plain.state_dict())
    with pytest.raises(AbilityError, match="cannot say what kind of text it reads"):
        plain.label(plain.hidden(some_ids(4)))
    with pytest.raises(AbilityError, match="cannot judge whether"):
        tiny_bert(sentence_pairs=False).pooled(some_ids(4))


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"labels": ("a", "b")}, "'labels': leave no room for another head"),
        (LABELLED | {"labels": ("a",)}, "'labels': must name at least two"),
        ({"of_pairs": True}, "'of_pairs': asks for labels and for two segments"),
        (LABELLED | {"of_pairs": True, "n_types": 1}, "'of_pairs': asks for labels"),
    ],
)
def test_labels_take_the_place_of_the_heads_of_pre_training(fields, problem):
    with pytest.raises(ConfigError, match=problem):
        BERTConfig(**SIZES, **fields)
