"""A tiny random GPT-2 of the transformers package, saved, loaded by us, compared in float64."""

from __future__ import annotations

from functools import partial

import pytest
import torch
import transformers

from core import zoo
from core.checkpoints.hugging_face.settings import THEIR_ACTIVATIONS
from core.decoding.generate import stream
from core.decoding.settings import GREEDY
from core.nn.feedforward import ACTIVATIONS
from core.nn.masks import causal_mask, padding_mask
from core.predict import next_tokens
from core.tracing import trace_run
from core.tracing.tap import Recorder
from tests.parity.saved import close, load, saved, some_ids

ids_of = partial(some_ids, high=300)


def make(**settings) -> transformers.GPT2LMHeadModel:
    config = transformers.GPT2Config(
        vocab_size=300, n_positions=32, n_embd=24, n_layer=3, n_head=4,
        attn_implementation="eager", bos_token_id=0, eos_token_id=0,
        **settings,
    )  # fmt: skip
    torch.manual_seed(1)
    model = transformers.GPT2LMHeadModel(config).eval()
    for name, parameter in model.named_parameters():
        if parameter.ndim == 1:  # fresh ones are 0 and 1, which would hide a mix-up
            torch.nn.init.normal_(parameter, mean=float("weight" in name), std=0.2)
    return model


@pytest.fixture(scope="module")
def pair(tmp_path_factory, byte_bpe):
    """Theirs, and the same loaded by us."""
    directory = tmp_path_factory.mktemp("gpt2")
    return make().double(), zoo.load(str(saved(make(), directory, byte_bpe)), device="cpu")


@pytest.fixture(scope="module")
def theirs(pair):
    return pair[0]


@pytest.fixture(scope="module")
def ours(pair):
    pair[1].model.double()
    return pair[1].model


@pytest.mark.parametrize("n", [1, 2, 7, 32])
def test_logits(ours, theirs, n):
    ids = ids_of(n, batch=2)
    close(ours(ids), theirs(ids).logits)


def test_every_hidden_state_and_attention_map(ours, theirs):
    ids = ids_of(11)
    tap = Recorder()
    ours(ids, tap=tap)
    found = theirs(ids, output_hidden_states=True, output_attentions=True)
    stream = [tap.values[f"blocks.{i}.resid_pre"] for i in range(3)]
    for mine, yours in zip(
        [*stream, tap.values["final_norm.out"]], found.hidden_states, strict=True
    ):
        close(mine, yours)
    for i, yours in enumerate(found.attentions):
        close(tap.values[f"blocks.{i}.attn.weights"], yours)


def test_a_padded_batch(ours, theirs):
    lengths = [9, 5, 1]
    ids = ids_of(9, batch=3)
    real = torch.arange(9) < torch.tensor(lengths)[:, None]
    found = ours(ids, mask=causal_mask(9, 9) & padding_mask(lengths, 9))
    expected = theirs(ids, attention_mask=real.long()).logits
    close(found[real], expected[real])


def test_the_cache_goes_on_where_theirs_does(ours, theirs):
    ids = ids_of(12)
    cache = ours.make_cache()
    first = theirs(ids[:, :8], use_cache=True)
    close(ours(ids[:, :8], cache=cache), first.logits)
    past = first.cache
    for at in range(8, 12):
        step = theirs(ids[:, at : at + 1], cache=past, use_cache=True)
        past = step.cache
        close(ours(ids[:, at : at + 1], cache=cache), step.logits)


def test_greedy_generation(ours, theirs):
    ids = ids_of(5)
    steps = stream(ours.begin(), ids[0].tolist(), max_new=20, sampling=GREEDY)
    # Their end-of-text is switched off, so that both run on to the end.
    expected = theirs.generate(
        ids, attention_mask=torch.ones_like(ids), max_new_tokens=20, do_sample=False,
        eos_token_id=None, pad_token_id=0,
    )  # fmt: skip
    assert [step.token for step in steps] == expected[0, 5:].tolist()


@pytest.mark.parametrize(
    "settings",
    [{"activation_function": "gelu"}, {"activation_function": "relu"}, {"n_inner": 40},
     {"layer_norm_epsilon": 1e-3}],
    ids=str,
)  # fmt: skip
def test_other_settings(settings, tmp_path, byte_bpe):
    theirs = make(**settings)
    ours = load(saved(theirs, tmp_path, byte_bpe)).model
    ids = ids_of(6)
    close(ours(ids), theirs.double()(ids).logits)


def test_weights_without_the_language_model_head(tmp_path, byte_bpe, theirs, ours):
    """The files on the Hub hold the bare model: no "transformer." before the names."""
    bare = load(saved(make().transformer, tmp_path, byte_bpe)).model
    close(bare(ids_of(6)), ours(ids_of(6)))


def test_shards(pair, tmp_path, byte_bpe):
    saved(make(), tmp_path, byte_bpe, max_shard_size="8KB")
    assert len(list(tmp_path.glob("*.safetensors"))) > 2
    found = load(tmp_path).model
    close(found(ids_of(6)), pair[0](ids_of(6)).logits)


@pytest.mark.parametrize("name", sorted(THEIR_ACTIVATIONS))
def test_activations(name):
    x = torch.linspace(-6, 6, 401, dtype=torch.float64)
    ours = ACTIVATIONS[THEIR_ACTIVATIONS[name]]
    torch.testing.assert_close(ours(x), transformers.activations.ACT2FN[name](x), atol=1e-9, rtol=0)


def test_the_front_door_works_on_it(pair):
    model = pair[1]
    assert model.architecture == "gpt"
    best = next_tokens(model, "Once upon a", k=3)
    assert len(best) == 3
    trace = trace_run(model, "Once upon a")
    assert trace["blocks.2.attn.weights"].shape == (4, len(trace.ids), len(trace.ids))
