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
from core.decoding.sampling import GREEDY
from core.text.tokenizer import train_byte_bpe
from core.tracing import trace_run
from core.tracing.tap import Recorder
from core.training.recipes import RECIPES
from tests.benchmarks.race import Result, race
from tests.conftest import TEXTS

CONFIG = RECIPES["gpt", "cpu"].config
SHAPE = f"GPT {CONFIG.n_layers} x {CONFIG.d_model}, {CONFIG.n_heads} heads, fp32"


def results() -> Iterator[Result]:
    """A trace of every site against a forward pass that shows nothing, then generation.

    Theirs is called as everyone calls it: fused attention, its cache on, in inference mode.
    """
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    theirs, ours = _pair()
    yield _full_trace(ours, theirs, 64, limit=1.0)
    # 48 MB are kept of so many tokens: more than the caches hold, so to keep is to pay.
    yield _full_trace(ours, theirs, CONFIG.n_ctx, limit=1.1)
    yield _generation(ours, theirs, n_prompt=32, n_new=128)


def _full_trace(
    ours: zoo.LoadedModel, theirs: GPT2LMHeadModel, length: int, *, limit: float
) -> Result:
    ids = _ids(length)
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
    what = f"full trace / transformers forward: {SHAPE}, {length} tokens"
    return race(what, trace, forward, limit=limit, rounds=60, warm_up=10)


def _generation(
    ours: zoo.LoadedModel, theirs: GPT2LMHeadModel, *, n_prompt: int, n_new: int
) -> Result:
    ids = _ids(n_prompt)
    prompt, attended = ids[0].tolist(), torch.ones_like(ids)

    def generate() -> list[int]:
        return [step.token for step in stream(ours.model, prompt, max_new=n_new, sampling=GREEDY)]

    def theirs_generate() -> list[int]:
        found = theirs.generate(
            ids, attention_mask=attended, max_new_tokens=n_new, do_sample=False, pad_token_id=0
        )
        return found[0, n_prompt:].tolist()

    if generate() != theirs_generate():
        raise AssertionError("the two models generate different tokens")
    what = f"generation / transformers generate: {SHAPE}, {n_prompt} + {n_new} tokens, greedy"
    return race(what, generate, theirs_generate, limit=0.5, rounds=9)


def _pair() -> tuple[GPT2LMHeadModel, zoo.LoadedModel]:
    """Their model with random weights, and the same saved by them and loaded by us."""
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=CONFIG.vocab_size, n_positions=CONFIG.n_ctx, n_embd=CONFIG.d_model,
        n_layer=CONFIG.n_layers, n_head=CONFIG.n_heads, n_inner=CONFIG.d_ff,
        bos_token_id=None, eos_token_id=None,
    )  # fmt: skip
    theirs = GPT2LMHeadModel(config).eval()
    with tempfile.TemporaryDirectory() as directory:
        theirs.save_pretrained(directory)
        train_byte_bpe(TEXTS, 300).save(Path(directory) / "tokenizer.json")
        return theirs, zoo.load(directory, device="cpu")


def _ids(length: int) -> torch.Tensor:
    """Random tokens, ``(1, length)``."""
    generator = torch.Generator().manual_seed(length)
    return torch.randint(CONFIG.vocab_size, (1, length), generator=generator)
