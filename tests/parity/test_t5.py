"""Tiny random T5s of the transformers package, saved, loaded by us, compared in float64."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
import transformers

from core import predict, zoo
from core.errors import AbilityError, ConfigError
from core.nn.masks import padding_mask
from core.text.marks import END as END_MARK
from core.text.marks import START as START_MARK
from core.text.trained import train_joint_bpe
from core.tracing.tap import NO_TAP, Recorder

V, START, END = 120, 0, 3  # [PAD] begins and [SEP] ends, of the tests' WordPiece
VERSIONS = {
    "1.0": {"feed_forward_proj": "relu", "tie_word_embeddings": True},
    "1.1": {
        "feed_forward_proj": "gated-gelu",
        "tie_word_embeddings": False,
        "scale_decoder_outputs": False,
    },
}


def make(**settings) -> transformers.T5ForConditionalGeneration:
    sizes = {
        "vocab_size": V, "d_model": 16, "d_kv": 5, "d_ff": 40, "num_layers": 3,
        "num_decoder_layers": 2, "num_heads": 4, "relative_attention_num_buckets": 8,
        "relative_attention_max_distance": 12, "pad_token_id": START, "eos_token_id": END,
        "decoder_start_token_id": START, "attn_implementation": "eager",
    } | settings  # fmt: skip
    torch.manual_seed(5)
    made = transformers.T5ForConditionalGeneration(transformers.T5Config(**sizes)).eval()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, mean=float(parameter.ndim == 1), std=0.2)
    if not made.config.scale_decoder_outputs:  # version 1.1, which the library ties when it is new
        made.config.tie_word_embeddings = False
        made.lm_head.weight = torch.nn.Parameter(torch.randn_like(made.lm_head.weight) * 0.2)
    return made


@pytest.fixture(scope="module", autouse=True)
def exactly():
    """Their norm takes its mean in float32, whatever it is given; that is 1e-7 apart."""

    def forward(self, x):
        variance = x.pow(2).mean(-1, keepdim=True)
        return self.weight * x * torch.rsqrt(variance + self.variance_epsilon)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transformers.models.t5.modeling_t5.T5LayerNorm, "forward", forward)
        yield


def save(theirs: transformers.T5ForConditionalGeneration, directory: Path, tokenizer) -> Path:
    theirs.save_pretrained(directory)
    tokenizer.save(directory / "tokenizer.json")
    return directory


def load(directory: Path) -> zoo.LoadedModel:
    found = zoo.load(str(directory), device="cpu")
    found.model.double()
    return found


@pytest.fixture(scope="module", params=VERSIONS)
def both(request, tmp_path_factory, wordpiece):
    """Ours and theirs."""
    directory = save(make(**VERSIONS[request.param]), tmp_path_factory.mktemp("t5"), wordpiece)
    return load(directory).model, make(**VERSIONS[request.param]).double()


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-10, rtol=0)


def some_ids(n: int, batch: int = 1) -> torch.Tensor:
    return torch.randint(4, V, (batch, n), generator=torch.Generator().manual_seed(n))


def test_states_attention_and_logits_of_every_layer(both):
    ours, theirs = both
    source, target, tap = some_ids(30, 2), some_ids(17, 2), Recorder()
    logits = ours(source, target, tap=tap)
    found = theirs(
        input_ids=source, decoder_input_ids=target, output_hidden_states=True,
        output_attentions=True,
    )  # fmt: skip
    close(logits, found.logits)
    close(ours(source, target), found.logits)
    close(ours.encode(source), found.encoder_last_hidden_state)
    for side, states in (
        ("encoder", found.encoder_hidden_states),
        ("decoder", found.decoder_hidden_states),
    ):
        for i in range(len(states) - 2):
            close(tap.values[f"{side}.blocks.{i}.resid_post"], states[i + 1])
    for i, weights in enumerate(found.cross_attentions):
        close(tap.values[f"decoder.blocks.{i}.cross_attn.weights"], weights)
    for i, weights in enumerate(found.encoder_attentions):
        close(tap.values[f"encoder.blocks.{i}.attn.weights"], weights)


def test_padding_of_the_source_changes_nothing(both):
    ours, theirs = both
    source, target = some_ids(9, 2), some_ids(6, 2)
    mask = padding_mask([9, 5], 9, torch.device("cpu"))
    found = theirs(
        input_ids=source, decoder_input_ids=target, attention_mask=mask[:, 0, 0].long()
    )  # fmt: skip
    close(ours(source, target, encoder_mask=mask, cross_mask=mask), found.logits)


@torch.inference_mode()
def test_token_by_token_is_all_at_once(both):
    """Past the distances that share the last bucket, with the weights at hand and without."""
    ours, theirs = both
    source, target = some_ids(20), some_ids(25)
    expected = theirs(input_ids=source, decoder_input_ids=target).logits
    for watched in (False, True):
        decoder = ours.begin(source)
        said = [
            decoder.push(target[:, at : at + 1], Recorder() if watched else NO_TAP)
            for at in range(target.shape[1])
        ]
        close(torch.cat(said, dim=1), expected)


@pytest.mark.parametrize(
    ("field", "value"), [("feed_forward_proj", "gated-swish"), ("is_encoder_decoder", False)]
)
def test_a_t5_of_another_build_is_refused(field, value, tmp_path, wordpiece):
    path = save(make(), tmp_path, wordpiece) / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    with pytest.raises(ConfigError, match=field):
        load(tmp_path)


def test_what_it_is_told_its_tasks_by_is_what_its_own_config_says(tmp_path, wordpiece):
    """Its own prefix, not that of another T5; without one it is told none."""
    path = save(make(), tmp_path, wordpiece) / "config.json"
    plain = json.loads(path.read_text())
    assert dict(zoo.load(str(tmp_path), device="cpu").prefixes) == {}
    with pytest.raises(AbilityError, match="translate"):
        predict.translate(zoo.load(str(tmp_path), device="cpu"), "a b")
    tasks = {
        "summarization": {"prefix": "summarize: "}, "odd": None,
        "translation_en_to_de": {"prefix": "translate English to German: ", "num_beams": 4},
        "translation_en_to_fr": {"prefix": "translate English to French: "},
    }  # fmt: skip
    path.write_text(json.dumps(plain | {"task_specific_params": tasks}))
    found = zoo.load(str(tmp_path), device="cpu")
    assert dict(found.prefixes) == {"translate": "translate English to German: "}
    for odd in (None, [], {"translation": {"prefix": 7}}):
        path.write_text(json.dumps(plain | {"task_specific_params": odd}))
        assert dict(zoo.load(str(tmp_path), device="cpu").prefixes) == {}


def test_one_whose_tokenizer_hides_nothing_writes_text_from_text(tmp_path):
    reads = train_joint_bpe(["a small text of a few words"], 270)
    assert reads.hiding == ()
    ends = {
        "decoder_start_token_id": reads.id_of(START_MARK),
        "eos_token_id": reads.id_of(END_MARK),
    }
    save(make(vocab_size=reads.vocab_size, **ends), tmp_path, reads)
    found = zoo.load(str(tmp_path), device="cpu")
    assert found.abilities == {"translate"}
    assert predict.translate(found, "a few", beams=1).tokens
