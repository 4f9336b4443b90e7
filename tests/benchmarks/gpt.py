"""Our GPT against the GPT-2 of ``transformers``: the same random weights, shape and tokens."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import torch
import transformers
from transformers import GPT2Config, GPT2LMHeadModel

from core import zoo
from core.decoding.generate import stream
from core.decoding.settings import GREEDY
from core.models.gpt import GPTConfig
from core.text.trained import train_byte_bpe
from core.tracing import trace_run
from core.tracing.tap import Recorder
from tests.benchmarks.race import Result, race
from tests.conftest import TEXTS

# The blocks of the GPT on the shelf, and those of the smallest GPT-2.
SHELF = GPTConfig(vocab_size=8192, n_ctx=256, d_model=256, n_layers=6, n_heads=4, d_ff=1024)
GPT_2 = GPTConfig(vocab_size=50_257, n_ctx=1024, d_model=768, n_layers=12, n_heads=12, d_ff=3072)


def results() -> Iterator[Result]:
    """A trace of every site against a forward pass that shows nothing, then generation.

    Theirs is called as everyone calls it: fused attention, its cache on, in inference mode.
    """
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    theirs, ours = _pair(SHELF)
    # 48 MB are kept of 256 tokens: more than the caches hold, so to keep is to pay.
    for length in (64, 256):
        yield _full_trace(ours, theirs, length, limit=1.05, rounds=60)
    yield _generation(ours, theirs, n_prompt=32, n_new=128, limit=0.5, rounds=9)
    theirs, ours = _pair(GPT_2)
    for length in (32, 128, 512):
        yield _full_trace(ours, theirs, length, limit=1.05, rounds=20)
    yield _generation(ours, theirs, n_prompt=32, n_new=64, limit=0.8, rounds=5)


def _shape(config: GPTConfig) -> str:
    return f"GPT {config.n_layers} x {config.d_model}, {config.n_heads} heads, fp32"


def _full_trace(
    ours: zoo.LoadedModel, theirs: GPT2LMHeadModel, length: int, *, limit: float, rounds: int
) -> Result:
    ids = _ids(length, ours.config.vocab_size)
    trace_run(ours, ids[0].tolist())  # the first trace of a process settles its memory

    @torch.inference_mode()
    def trace() -> dict[str, torch.Tensor]:
        tap = Recorder()
        ours.model(ids, tap=tap)
        return tap.values

    @torch.inference_mode()
    def forward() -> torch.Tensor:
        return theirs(ids).logits

    torch.testing.assert_close(trace()["logits"], forward(), atol=1e-4, rtol=0)
    what = f"full trace / transformers forward: {_shape(ours.config)}, {length} tokens"
    return race(what, trace, forward, limit=limit, rounds=rounds, warm_up=rounds // 6)


def _generation(
    ours: zoo.LoadedModel,
    theirs: GPT2LMHeadModel,
    *,
    n_prompt: int,
    n_new: int,
    limit: float,
    rounds: int,
) -> Result:
    ids = _ids(n_prompt, ours.config.vocab_size)
    prompt, attended = ids[0].tolist(), torch.ones_like(ids)

    def generate() -> list[int]:
        decoder = ours.model.begin(n_prompt + n_new)
        return [step.token for step in stream(decoder, prompt, max_new=n_new, sampling=GREEDY)]

    def theirs_generate() -> list[int]:
        found = theirs.generate(
            ids, attention_mask=attended, max_new_tokens=n_new, do_sample=False, pad_token_id=0
        )
        return found[0, n_prompt:].tolist()

    if generate() != theirs_generate():
        raise AssertionError("the two models generate different tokens")
    shape = _shape(ours.config)
    what = f"generation / transformers generate: {shape}, {n_prompt} + {n_new} tokens, greedy"
    return race(what, generate, theirs_generate, limit=limit, rounds=rounds)


def _pair(shape: GPTConfig) -> tuple[GPT2LMHeadModel, zoo.LoadedModel]:
    """Their model with random weights, and the same saved by them and loaded by us."""
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=shape.vocab_size, n_positions=shape.n_ctx, n_embd=shape.d_model,
        n_layer=shape.n_layers, n_head=shape.n_heads, n_inner=shape.d_ff,
        bos_token_id=None, eos_token_id=None,
    )  # fmt: skip
    theirs = GPT2LMHeadModel(config).eval()
    with tempfile.TemporaryDirectory() as directory:
        theirs.save_pretrained(directory)
        train_byte_bpe(TEXTS, 300).save(Path(directory) / "tokenizer.json")
        return theirs, zoo.load(directory, device="cpu")


def _ids(length: int, vocab_size: int) -> torch.Tensor:
    """Random tokens, ``(1, length)``."""
    generator = torch.Generator().manual_seed(length)
    return torch.randint(vocab_size, (1, length), generator=generator)
