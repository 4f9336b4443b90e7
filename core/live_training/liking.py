"""A copy of a language model learns what a rule likes, and is held near to what it was.

It maximises E[r(x, y) − β log(π(y|x) / π₀(y|x))], the objective of InstructGPT (Ouyang et al. 2022,
equation 2, without its third term): r is the reward of a continuation y of the prompt x, π₀ the
model at the start. InstructGPT takes PPO's steps; here they are those of REINFORCE with a baseline
(Williams 1992). Two things make their gradient less noisy and leave its mean as it is: a token is
credited with what comes from it on, and the penalty is the KL divergence over the whole
vocabulary at each token that was drawn.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from core.data.preferences import HELD_OUT, LEARNED_FROM, PREFERENCES, Preference
from core.decoding.at_once import continued
from core.errors import ParameterError
from core.language import N_, Phrase
from core.live_training.liked import HeldOutSample, Liked
from core.locale import Choice
from core.seeds import checked_seed

if TYPE_CHECKING:
    from core.zoo import LoadedModel

STEPS, EVERY = 24, 4  # of training; after so many it is tried out
BATCH, NEW = 48, 16  # continuations in a step, and tokens of each
SHOWN = 8  # continuations of held-out prompts that are kept to be read
RATE, CLIP = 1e-2, 1.0
# Biases and norms of the last layers and the final norm learn (Ben Zaken et al. 2022): so few
# numbers can learn from so few texts, and the gradient need not go back further.
LAYERS = 2


def liking(
    model: LoadedModel, name: str, beta: float, seed: int = 0, steps: int = STEPS
) -> Iterator[tuple[float, Liked | None]]:
    """Train a copy; what is told is the share that is done, and now and then a record.

    Args:
        model: continues texts; it stays as it is.
        name: of ``PREFERENCES``.
        beta: how much reward a nat of KL divergence costs; 0 for no penalty.
        seed: of all that is drawn.
        steps: of Adam.

    Raises:
        ParameterError: an unknown preference, fewer steps than none, or the seed is none.
        AbilityError: the model continues no text.
    """
    if name not in PREFERENCES:
        choices = Choice([*PREFERENCES])
        raise ParameterError("preference", name, Phrase(N_("one of {choices}"), choices=choices))
    if steps < 0:
        raise ParameterError("steps", steps, N_("0 or above"))
    pupil = _PreferencePupil(model, PREFERENCES[name], beta, checked_seed(seed))
    for step in range(steps + 1):
        record = step % EVERY == 0 or step == steps
        yield step / max(1, steps), pupil.measure(step, steps) if record else None
        if step < steps:
            rows = pupil.write()
            yield (step + 0.5) / steps, None
            pupil.learn(*rows)


class _PreferencePupil:
    """A copy of a model whose last layers learn, and the model as it was."""

    def __init__(self, model: LoadedModel, rule: Preference, beta: float, seed: int) -> None:
        self._model, self._rule, self._beta = model, rule, beta
        self._start: Any = model.as_writer()
        self._own: Any = copy.deepcopy(model.model).requires_grad_(False)
        stack = model.blueprint.main
        below = tuple(f"{stack.prefix}.{n}." for n in range(stack.n_layers - LAYERS))
        named = self._own.named_parameters()
        self._learns = [weight.requires_grad_() for name_, weight in named
                        if weight.ndim == 1 and not name_.startswith(below)]  # fmt: skip
        self._optimiser = torch.optim.Adam(self._learns, lr=RATE)
        room = model.config.n_ctx
        self._new = min(NEW, room // 2)
        self._learned_from, self._held = (
            self._rows(texts, room - self._new) for texts in (LEARNED_FROM, HELD_OUT)
        )
        self._drawn = torch.Generator().manual_seed(seed)
        tried = torch.Generator().manual_seed(seed + 1)
        self._chances = torch.rand(len(self._held), self._new, generator=tried)
        self._written = 0

    def _rows(self, texts: Sequence[str], room: int) -> Tensor:
        """Prompts of one length ``(n, P)``: of longer ones the beginning."""
        ids = [self._model.encode(text) for text in texts]
        shortest = min(room, *map(len, ids))
        return torch.tensor([row[:shortest] for row in ids], device=self._model.device)

    @torch.no_grad()
    def write(self) -> tuple[Tensor, Tensor]:
        """Prompts and continuations ``(B, P + N)``, and what each token brought ``(B, N)``."""
        which = torch.randint(len(self._learned_from), (BATCH,), generator=self._drawn)
        chances = torch.rand(BATCH, self._new, generator=self._drawn)
        rows = continued(self._own, self._learned_from[which], chances)
        self._written += BATCH
        return rows, self._points(rows)

    def _points(self, rows: Tensor) -> Tensor:
        """What each new token brings: the reward of the text with it less that without it."""
        points = np.zeros((len(rows), self._new))
        for row, ids in zip(points, rows[:, -self._new :].tolist(), strict=True):
            before = 0
            for n in range(self._until_end(ids)):
                now = self._rule.points(self._model.decode(ids[: n + 1]))
                row[n], before = now - before, now
        return torch.tensor(points, device=rows.device, dtype=self._learns[0].dtype)

    def _until_end(self, ids: list[int]) -> int:
        """Tokens before the mark that ends a text."""
        end = self._model.tokenizer.end_of_text_id
        return ids.index(end) if end in ids else len(ids)

    def _alive(self, rows: Tensor) -> Tensor:
        """Which tokens were drawn of a text that had not ended ``(B, N)``, as 0 and 1."""
        end = self._model.tokenizer.end_of_text_id
        ends = torch.tensor(
            [[token_id == end for token_id in row[-self._new :]] for row in rows.tolist()]
        )
        ended = ends.long().cumsum(-1) - ends.long()  # before this token
        return (ended == 0).to(self._learns[0])

    def _logs(self, model: Any, rows: Tensor) -> Tensor:
        """Log probabilities of every token at each new place ``(B, N, V)``."""
        logits: Tensor = model(rows[:, :-1])[:, -self._new :]
        return logits.log_softmax(-1)

    def _apart(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Log probabilities now ``(B, N, V)``, and the KL divergence from the start ``(B, N)``."""
        log_probs = self._logs(self._own, rows)
        with torch.no_grad():
            start = self._logs(self._start, rows)
        return log_probs, (log_probs.exp() * (log_probs - start)).sum(-1)

    def learn(self, rows: Tensor, points: Tensor) -> None:
        """Take a step of the optimiser."""
        with torch.enable_grad():
            log_probs, kl = self._apart(rows)
            alive = self._alive(rows)
            kl = kl * alive
            costs = self._beta * kl.detach()
            # What comes from each token on: its own points and those after it, and later costs.
            gained = _from_here(points) - (_from_here(costs) - costs)
            usual = (gained * alive).sum(0) / alive.sum(0).clamp(min=1)
            log_prob = log_probs.gather(-1, rows[:, -self._new :, None])[..., 0]
            loss = self._beta * kl - (gained - usual) * log_prob * alive
            self._optimiser.zero_grad()
            loss.sum(-1).mean().backward()
        torch.nn.utils.clip_grad_norm_(self._learns, CLIP)
        self._optimiser.step()

    @torch.no_grad()
    def measure(self, step: int, steps: int) -> Liked:
        """How it does on the held-out prompts."""
        rows = continued(self._own, self._held, self._chances)
        points, alive = self._points(rows), self._alive(rows)
        _own, kl = self._apart(rows)
        kls = (kl * alive).sum(-1) / alive.sum(-1)
        drawn = [self._drawn_ids(row) for row in rows.tolist()]
        texts = [self._model.decode(ids) for ids in drawn]
        apart = len(rows) // SHOWN  # one of each beginning, about other people
        some = [apart * n + n % apart for n in range(SHOWN)]
        return Liked(
            step, steps, _plain(points.sum(-1)), _plain(kls),
            float(np.mean([_different(text) for text in texts])),
            tuple(self._sample(rows[n], points[n]) for n in some),
            sum(parameter.numel() for parameter in self._learns),
            sum(parameter.numel() for parameter in self._own.parameters()),
            self._written, self._new,
        )  # fmt: skip

    def _drawn_ids(self, row: list[int]) -> list[int]:
        ids = row[-self._new :]
        return ids[: self._until_end(ids)]

    def _sample(self, row: Tensor, points: Tensor) -> HeldOutSample:
        token = self._model.tokenizer.token
        ids = self._drawn_ids(row.tolist())
        prompt = [token_ for token_ in map(token, row[: -self._new].tolist()) if not token_.special]
        brought = _settled(points[: len(ids)].tolist())
        return HeldOutSample(tuple(prompt), tuple(map(token, ids)), brought)


def _from_here(values: Tensor) -> Tensor:
    """At each place the sum from there to the end ``(B, N)``."""
    return values.flip(-1).cumsum(-1).flip(-1)


def _settled(points: list[float]) -> tuple[float, ...]:
    """A point that a later token took back ("cat" became "catch") was never given."""
    settled = list(points)
    for n, point in enumerate(points):
        if point < 0:
            index = max((place for place in range(n) if settled[place] > 0), default=n)
            settled[index], settled[n] = settled[index] + point, 0.0
    return tuple(settled)


def _plain(values: Tensor) -> Any:
    """A copy in float64, on the CPU."""
    return values.detach().cpu().double().numpy().copy()


def _different(text: str) -> float:
    """The share of its words that are different ones; 1 of no word."""
    words = text.lower().split()
    return len(set(words)) / len(words) if words else 1.0
