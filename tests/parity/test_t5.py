"""Tiny random T5s of the transformers package, saved, loaded by us, compared in float64."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch
import transformers

from core import predict, zoo
from core.errors import AbilityError, ConfigError
from core.text.marks import END as END_MARK
from core.text.marks import START as START_MARK
from core.text.trained import train_joint_bpe
from tests.parity.saved import change, load, saved

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


@contextmanager
def exact_norms() -> Iterator[None]:
    """Their norm takes its mean in float32, whatever it is given; that is 1e-7 apart."""

    def forward(self, x):
        variance = x.pow(2).mean(-1, keepdim=True)
        return self.weight * x * torch.rsqrt(variance + self.variance_epsilon)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transformers.models.t5.modeling_t5.T5LayerNorm, "forward", forward)
        yield


@pytest.mark.parametrize(
    ("field", "value"), [("feed_forward_proj", "gated-swish"), ("is_encoder_decoder", False)]
)
def test_a_t5_of_another_build_is_refused(field, value, tmp_path, wordpiece):
    change(saved(make(), tmp_path, wordpiece), **{field: value})
    with pytest.raises(ConfigError, match=field):
        load(tmp_path)


def test_what_it_is_told_its_tasks_by_is_what_its_own_config_says(tmp_path, wordpiece):
    """Its own prefix, not that of another T5; without one it is told none."""
    path = saved(make(), tmp_path, wordpiece) / "config.json"
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
    saved(make(vocab_size=reads.vocab_size, **ends), tmp_path, reads)
    found = zoo.load(str(tmp_path), device="cpu")
    assert found.abilities == {"translate"}
    assert predict.translate(found, "a few", beams=1).tokens
