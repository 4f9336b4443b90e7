"""A tiny random BERT of the transformers package, saved, loaded by us, compared in float64."""

from __future__ import annotations

import pytest
import torch
import transformers

from core.errors import AbilityError, CheckpointError
from core.nn.masks import padding_mask
from core.predict import fill_masks, next_sentence
from core.tracing import trace_run
from core.tracing.tap import Recorder
from tests.parity.saved import close, load, saved, some_ids

TEXT = "The cat sat on the mat."


def make(kind: str = "BertForPreTraining", **settings) -> transformers.PreTrainedModel:
    config = transformers.BertConfig(
        vocab_size=120, max_position_embeddings=32, hidden_size=24, num_hidden_layers=3,
        num_attention_heads=4, intermediate_size=40, attn_implementation="eager", **settings,
    )  # fmt: skip
    torch.manual_seed(1)
    model = getattr(transformers, kind)(config).eval()
    for name, parameter in model.named_parameters():
        if parameter.ndim == 1:
            torch.nn.init.normal_(parameter, mean=float("Norm.weight" in name), std=0.2)
    return model


@pytest.fixture(scope="module")
def pair(tmp_path_factory, wordpiece):
    directory = tmp_path_factory.mktemp("bert")
    theirs = make()
    return theirs.double(), load(saved(make(), directory, wordpiece))


@pytest.fixture(scope="module")
def theirs(pair):
    return pair[0]


@pytest.fixture(scope="module")
def ours(pair):
    return pair[1].model


@pytest.mark.parametrize("n", [1, 2, 7, 32])
def test_masked_word_and_next_sentence_logits(ours, theirs, n):
    ids = some_ids(n, batch=2)
    found = theirs(ids)
    close(ours(ids), found.prediction_logits)
    close(ours.next_sentence(ours.hidden(ids)), found.seq_relationship_logits)


def test_two_segments(ours, theirs):
    ids, types = some_ids(9), torch.tensor([[0, 0, 0, 0, 1, 1, 1, 1, 1]])
    found = theirs(ids, token_type_ids=types)
    hidden = ours.hidden(ids, types=types)
    close(ours.masked_words(hidden), found.prediction_logits)
    close(ours.next_sentence(hidden), found.seq_relationship_logits)


def test_every_hidden_state_and_attention_map(ours, theirs):
    ids = some_ids(11)
    tap = Recorder()
    ours(ids, tap=tap)
    found = theirs(ids, output_hidden_states=True, output_attentions=True)
    names = ["embed.ln.out", *(f"blocks.{i}.ln_2.out" for i in range(3))]
    for name, yours in zip(names, found.hidden_states, strict=True):
        close(tap.values[name], yours)
    for i, yours in enumerate(found.attentions):
        close(tap.values[f"blocks.{i}.attn.weights"], yours)


def test_a_padded_batch_of_pairs(ours, theirs):
    lengths = [9, 5, 2]
    ids = some_ids(9, batch=3)
    types = (torch.arange(9) > 3).long().expand(3, -1)
    real = torch.arange(9) < torch.tensor(lengths)[:, None]
    found = theirs(ids, token_type_ids=types, attention_mask=real.long())
    hidden = ours.hidden(ids, types=types, mask=padding_mask(lengths, 9))
    close(ours.masked_words(hidden)[real], found.prediction_logits[real])
    close(ours.next_sentence(hidden), found.seq_relationship_logits)


@pytest.mark.parametrize(
    "settings",
    [{"hidden_act": "relu"}, {"hidden_act": "gelu_new"}, {"layer_norm_eps": 1e-3}],
    ids=str,
)
def test_other_settings(settings, tmp_path, wordpiece):
    theirs = make(**settings)
    ours = load(saved(theirs, tmp_path, wordpiece)).model
    ids = some_ids(6)
    close(ours(ids), theirs.double()(ids).prediction_logits)


def test_without_the_sentence_pair_head(tmp_path, wordpiece):
    theirs = make("BertForMaskedLM")
    found = load(saved(theirs, tmp_path, wordpiece))
    theirs.double()
    assert found.abilities == {"masked_words"}
    ids = some_ids(9, batch=2)
    close(found.model(ids), theirs(ids).logits)
    assert fill_masks(found, "The cat sat on the [MASK].", k=3)
    trace = trace_run(found, TEXT)
    assert "mlm.logits" in trace
    assert "nsp.logits" not in trace
    with pytest.raises(AbilityError, match="cannot judge whether one sentence follows another"):
        next_sentence(found, "The cat sat.", "The dog sat.")


def test_without_the_masked_word_head(tmp_path, wordpiece):
    theirs = make("BertForNextSentencePrediction")
    found = load(saved(theirs, tmp_path, wordpiece))
    theirs.double()
    assert found.abilities == {"sentence_pairs"}
    ids = some_ids(9, batch=2)
    model = found.model
    close(model.next_sentence(model.hidden(ids)), theirs(ids).logits)
    with pytest.raises(AbilityError, match="cannot fill in hidden words"):
        fill_masks(found, "The cat sat on the [MASK].")


@pytest.mark.parametrize("pooler", [True, False])
def test_a_bare_encoder(pooler, tmp_path, wordpiece):
    """Most sentence encoders are one; the pooler of a bare one is read by nothing."""
    torch.manual_seed(1)
    theirs = transformers.BertModel(make().config, add_pooling_layer=pooler).eval()
    found = load(saved(theirs, tmp_path, wordpiece))
    theirs.double()
    assert found.abilities == frozenset()
    ids, types = some_ids(9), torch.tensor([[0, 0, 0, 0, 1, 1, 1, 1, 1]])
    expected = theirs(ids, token_type_ids=types, output_attentions=True)
    tap = Recorder()
    close(found.model.hidden(ids, types=types, tap=tap), expected.last_hidden_state)
    for i, yours in enumerate(expected.attentions):
        close(tap.values[f"blocks.{i}.attn.weights"], yours)
    trace = trace_run(found, TEXT)
    assert "blocks.2.attn.weights" in trace
    assert not any(name.startswith(("mlm", "pooler", "nsp")) for name in trace)
    with pytest.raises(AbilityError, match="cannot fill in hidden words"):
        found.model(ids)


def test_a_head_of_another_kind_is_refused(tmp_path, wordpiece):
    with pytest.raises(CheckpointError, match=r"'classifier.bias' does not belong to a BERT"):
        load(saved(make("BertForSequenceClassification"), tmp_path, wordpiece))


def test_shards(pair, tmp_path, wordpiece):
    found = load(saved(make(), tmp_path, wordpiece, max_shard_size="8KB"))
    assert len(list(tmp_path.glob("*.safetensors"))) > 2
    assert not (tmp_path / "model.safetensors").exists()
    assert found.abilities == {"masked_words", "sentence_pairs"}
    assert found.fingerprint == pair[1].fingerprint


def test_the_front_door_works_on_it(pair, theirs):
    model = pair[1]
    text = "The cat sat on the [MASK]."
    (best,) = fill_masks(model, text, k=4)
    ids = torch.tensor([model.encode(text)])
    at = ids[0].tolist().index(model.tokenizer.mask_id)
    expected = theirs(ids).prediction_logits[0, at].softmax(-1).topk(4)
    assert [p.id for p in best] == expected.indices.tolist()
    assert [p.prob for p in best] == pytest.approx(expected.values.tolist(), abs=1e-6)
    tokens, types = model.tokenizer.pair_tokens("The cat sat.", "The dog sat.")
    answer = theirs(
        torch.tensor([[t.id for t in tokens]]), token_type_ids=torch.tensor([types])
    ).seq_relationship_logits.softmax(-1)[0, 0]
    assert next_sentence(model, "The cat sat.", "The dog sat.") == pytest.approx(answer.item())
