"""A small Transformer learns an exercise, and says now and then how it does."""

from __future__ import annotations

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor

from core.errors import ParameterError
from core.language import N_, Phrase
from core.live_training.exercises import EXERCISES, SequenceExercise, of_text
from core.live_training.practised import Practised
from core.live_training.schedules import WarmupStableCooldown
from core.locale import Choice
from core.models.transformer import Transformer, TransformerConfig
from core.seeds import checked_seed
from core.tracing.tap import Recorder

STEPS, EVERY, BATCH, TEST = 1200, 20, 64, 200
BETAS, EPS, CLIP = (0.9, 0.98), 1e-9, 1.0
TEXT = "text"  # the exercise of continuing one
SAMPLES = 3  # of the held-out sequences are shown
WEIGHTS = "decoder.blocks.0.cross_attn.weights"


def practice(
    name: str,
    rate: float = 5e-3,
    warmup: int = 100,
    smoothing: float = 0.0,
    seed: int = 0,
    steps: int = STEPS,
    text: str = "",
) -> Iterator[Practised]:
    """Train on one exercise; about fifteen seconds of one core.

    Args:
        name: of ``EXERCISES``.
        rate: the largest; it falls in the second half.
        warmup: steps of its rise.
        smoothing: of the targets.
        seed: of weights and sequences.
        steps: of AdamW, 64 sequences each.
        text: that is to be continued, for the exercise "text".

    Raises:
        ParameterError: an unknown exercise, fewer steps than none, or the seed is none.
    """
    if name not in (*EXERCISES, TEXT):
        choices = Choice([*EXERCISES, TEXT])
        raise ParameterError("exercise", name, Phrase(N_("one of {choices}"), choices=choices))
    pupil = Pupil(of_text(text) if name == TEXT else EXERCISES[name], checked_seed(seed), smoothing)
    if steps < 0:
        raise ParameterError("steps", steps, N_("0 or above"))
    fall = max(1, steps // 2)
    share = WarmupStableCooldown(max(1, warmup), 0.02).fall_from(max(0, steps - fall), fall).share
    since: list[tuple[float, float]] = []
    for step in range(steps + 1):
        loss, norm = pupil.learn(rate * share(step) if step < steps else None)
        since.append((loss, norm))
        if step % EVERY == 0 or step == steps:
            losses, norms = zip(*since, strict=True)
            now = rate * share(max(0, min(step, steps - 1)))
            yield pupil.measure(step, steps, sum(losses) / len(since), max(norms), now)
            since = []


class Pupil:
    """A Transformer with one layer on either side, and the sequences it is tried on."""

    def __init__(self, exercise: SequenceExercise, seed: int, smoothing: float) -> None:
        self._exercise, self._smoothing = exercise, smoothing
        config = TransformerConfig(
            vocab_size=exercise.end + 1, n_ctx=exercise.n_source + 2, d_model=32,
            encoder_n_layers=1, decoder_n_layers=1, n_heads=4, d_ff=64,
            start_id=exercise.start, end_id=exercise.end,
        )  # fmt: skip
        self._model = Transformer(config, torch.Generator().manual_seed(seed))
        self._optimiser = torch.optim.AdamW(
            self._model.parameters(), betas=BETAS, eps=EPS, weight_decay=0.0
        )
        self._drawn = torch.Generator().manual_seed(seed + 1)
        generator = torch.Generator().manual_seed(seed + 2)
        self._held = exercise.rows(TEST, generator, held=True)

    def learn(self, rate: float | None) -> tuple[float, float]:
        """Loss and size of the gradient on new sequences; a step, unless the rate is None."""
        rows = self._exercise.rows(BATCH, self._drawn, held=False)
        with torch.enable_grad():
            loss = self._loss(*rows)
            self._optimiser.zero_grad()
            loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self._model.parameters(), CLIP)
        if rate is not None:
            for group in self._optimiser.param_groups:
                group["lr"] = rate
            self._optimiser.step()
        return loss.item(), float(norm)

    def usual_step(self) -> float:
        """How many learning rates a weight moves in a step, the mean over all weights."""
        sums, n = 0.0, 0
        for weight, state in self._optimiser.state.items():
            done = float(state["step"])
            mean = state["exp_avg"] / (1 - BETAS[0] ** done)
            square = state["exp_avg_sq"] / (1 - BETAS[1] ** done)
            sums += (mean / (square.sqrt() + EPS)).abs().sum().item()
            n += weight.numel()
        return sums / max(1, n)

    def _loss(self, source: Tensor, target: Tensor, expected: Tensor) -> Tensor:
        logits = self._model(source, target)
        return F.cross_entropy(
            logits.flatten(0, 1), expected.flatten(), label_smoothing=self._smoothing
        )

    @torch.no_grad()
    def measure(self, step: int, steps: int, loss: float, norm: float, rate: float) -> Practised:
        """How it does on what is held out, step by step and with the right target before it."""
        source, target, expected = self._held
        logits = self._model(source, target)
        forced = logits.argmax(-1) == expected
        written = self._written(source)
        recorder = Recorder({WEIGHTS}.__contains__)
        self._model(source[:1], target[:1], tap=recorder)
        return Practised(
            step, steps, loss, rate, norm,
            F.cross_entropy(logits.flatten(0, 1), expected.flatten()).item(),
            forced.float().mean().item(), forced.all(1).float().mean().item(),
            (written == expected).all(1).float().mean().item(),
            recorder.values[WEIGHTS][0].numpy().copy(),
            *(tuple(map(self._spelt, ids[:SAMPLES])) for ids in (source, expected, written)),
        )  # fmt: skip

    def _written(self, source: Tensor) -> Tensor:
        """What it writes by itself, each symbol from those that it has written before."""
        ids = torch.full((len(source), 1), self._exercise.start)
        for _ in range(self._exercise.n_target + 1):
            ids = torch.cat([ids, self._model(source, ids)[:, -1:].argmax(-1)], dim=1)
        return ids[:, 1:]

    def _spelt(self, ids: Tensor) -> str:
        """Symbols; "|" for the end, "^" for the start."""
        return "".join((*self._exercise.symbols, "^", "|")[symbol_id] for symbol_id in ids.tolist())
