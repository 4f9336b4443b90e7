"""The training loop: one for every task, by the clock, resumable bit for bit."""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from core.errors import ParameterError
from core.language import N_, Phrase
from core.training.clock import Clock
from core.training.dropout import Dropout
from core.training.optimisers import make_optimisers
from core.training.progress import Progress, RunSettings
from core.training.recipe import Recipe
from core.training.rundir import (
    LOG_FILE,
    Weights,
    append_log,
    mean_of,
    read_state,
    take_weights,
    write_model,
    write_state,
)
from core.training.tasks.task import Corpora, Task, TrainingBatch
from core.training.team import Team

CHECKPOINT_SECONDS = 300.0
_LOG_EVERY, _SAY_EVERY = 20, 100  # steps
MOST_PASSES = 30  # of a source, until a model that writes on knows it by heart
_COMPILED: dict[str, Any] = {"dynamic": False, "recompile_limit": 64}  # for each shape of a task


class Losses(nn.Module):
    """A model and its losses as one module, so that compiling and DDP see one forward pass."""

    def __init__(self, model: nn.Module, task: Task) -> None:
        super().__init__()
        self.model = model
        self._task = task

    def forward(self, examples: Any) -> dict[str, Tensor]:
        """The task's losses by name; training minimises their sum."""
        return self._task.losses(self.model, examples)


class Trainer:
    """One run.

    Args:
        recipe: what to train.
        model: with the weights it begins from; trained in place.
        corpora: what it reads.
        settings: how.
        report: gets a line of progress now and then.
    """

    def __init__(
        self,
        recipe: Recipe,
        model: nn.Module,
        corpora: Corpora,
        settings: RunSettings,
        report: Callable[[str], None] = print,
    ) -> None:
        self.recipe, self.corpora, self.settings, self.report = recipe, corpora, settings, report
        self.schedule = recipe.again if settings.from_shelf else recipe.schedule
        self.model = model.to(settings.device).train()
        for name in recipe.frozen:
            self.model.get_submodule(name).requires_grad_(False)
        self.team = Team.join(settings.device)
        self._check_team()
        self.examples = recipe.task.read(corpora, "train")
        self.held_out = recipe.task.read(corpora, "held_out")
        self.optimisers = make_optimisers(self.model, recipe.optimiser, settings.device)
        self.snapshots: list[Weights] = []
        self._stopping = self._warned = False
        self.dropout = None
        if rate := recipe.dropout:
            self.dropout = Dropout(self.model, rate, recipe.task.largest, settings.device)
        losses: Any = Losses(self.model, recipe.task)
        self.eager = losses
        if settings.compile:
            losses = torch.compile(losses, **_COMPILED)
        if self.team.size > 1:
            losses = DistributedDataParallel(losses)
        self.losses = losses
        cooling = recipe.batches["cool-down"]
        self.clock = Clock(settings.minutes * 60, self.schedule.cooldown, cooling)

    def _check_team(self) -> None:
        for n in self.recipe.batches.values():
            if n % self.team.size:
                raise ParameterError(
                    "processes", self.team.size, Phrase(N_("a divisor of {n}"), n=n)
                )

    # --- one step -----------------------------------------------------------------

    def step(self, batches: Iterator[TrainingBatch], progress: Progress) -> float:
        """One update; gives the gradient norm."""
        n_parts = self.recipe.batches[progress.phase] // self.team.size
        sums: dict[str, Tensor] = {}
        for part in range(n_parts):
            batch = next(batches)
            if self.dropout is not None:
                self.dropout.draw(self.corpora.seed, 6, progress.step, part, self.team.rank)
            with self._quiet_unless(part == n_parts - 1), self._autocast():
                losses = self.losses(batch.on(self.settings.device))
                (torch.stack(list(losses.values())).sum() / n_parts).backward()
            for name, loss in losses.items():
                sums[name] = sums.get(name, 0.0) + loss.detach() / n_parts
            progress.read += batch.n * self.team.size
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.optimiser.clip)
        share = self.schedule.peak * progress.rates.share(progress.step)
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                group["lr"] = group["peak_lr"] * share
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        progress.step += 1
        progress.batches += n_parts * self.team.size
        self._average_losses(sums, progress)
        return float(norm)

    def _average_losses(self, sums: dict[str, Tensor], progress: Progress) -> None:
        for name, loss in sums.items():
            value = float(self.team.mean(loss))
            progress.losses[name] = 0.95 * progress.losses.get(name, value) + 0.05 * value

    def _autocast(self) -> contextlib.AbstractContextManager[None]:
        if not self.settings.bf16:
            return contextlib.nullcontext()
        return torch.autocast(self.settings.device.type, torch.bfloat16)

    @contextlib.contextmanager
    def _quiet_unless(self, last: bool) -> Iterator[None]:
        """Let processes exchange gradients with the last part of a step only."""
        if isinstance(self.losses, DistributedDataParallel) and not last:
            with self.losses.no_sync():
                yield
        else:
            yield

    # --- the run ------------------------------------------------------------------

    def run(self) -> Progress:
        """Train until the schedule ends or ``stop`` is called, leave a model, and say where."""
        self.settings.out.mkdir(parents=True, exist_ok=True)
        progress = self._load() if self.settings.resume else self._fresh()
        self._train(progress)
        self.save(progress)
        return progress

    def stop(self) -> None:
        """Let the run end after the step that it is at."""
        self._stopping = True

    def _train(self, progress: Progress) -> None:
        earlier, started = progress.seconds, time.monotonic()
        saved, batches = started, self._batches(progress)
        while not (progress.done or self.team.agree(self._stopping)):
            began = time.monotonic()
            if self._cooling(progress) and progress.phase == "stable":
                progress.phase, progress.batches = "cool-down", 0
                batches = self._batches(progress)
            norm = self.step(batches, progress)
            now = time.monotonic()
            progress.seconds = earlier + now - started
            self.clock.tick(now - began, self.recipe.batches[progress.phase])
            self._take_snapshot(progress)
            self._watch_the_clock(progress)
            self._warn_of_repeats(progress)
            self._log(progress, norm)
            if self.team.agree(now - saved) > CHECKPOINT_SECONDS:
                self._validate(progress)
                self.save(progress)
                saved = time.monotonic()
        self._validate(progress)

    def _batches(self, progress: Progress) -> Iterator[TrainingBatch]:
        """This process's batches, from where the run stands."""
        first = progress.batches + self.team.rank
        return self.examples.batches(progress.phase, first, self.team.size)

    @staticmethod
    def _cooling(progress: Progress) -> bool:
        falls = progress.rates.falls
        return bool(falls) and progress.step >= falls[0].step

    def _take_snapshot(self, progress: Progress) -> None:
        """Keep the weights now and then, for their mean with the last ones."""
        recipe = self.recipe
        if recipe.average > 1 and progress.step % recipe.apart == 0 and not progress.done:
            weights = {n: w.detach().cpu().clone() for n, w in self.model.state_dict().items()}
            self.snapshots = [*self.snapshots, weights][1 - recipe.average :]

    def _watch_the_clock(self, progress: Progress) -> None:
        """Plan the fall, or another one, so that a run by the clock ends in time."""
        if not progress.by_the_clock or progress.done:
            return
        if progress.rates.n_steps is None:
            n = self.clock.first_fall(progress.seconds)
        else:
            n = self.clock.other_fall(progress.seconds, progress.rates.n_steps - progress.step)
        if n := int(self.team.agree(n)):
            progress.rates = progress.rates.fall_from(progress.step, n)
            self._write({"event": "cool-down", "step": progress.step, "n_steps": n})

    def _warn_of_repeats(self, progress: Progress) -> None:
        """Say while there is time which sources the rest of the run would read too often."""
        passes = getattr(self.examples, "passes", None)
        if passes is None or self._warned or progress.step % _LOG_EVERY:
            return
        n_steps = progress.rates.n_steps
        if n_steps is None:
            n_steps = round(progress.step * self.settings.minutes * 60 / progress.seconds)
        n_batches = n_steps * self.recipe.batches[progress.phase]
        often = {
            name: n for name, n in passes(progress.phase, n_batches).items() if n > MOST_PASSES
        }
        if often:
            self._warned = True
            repeats = ", ".join(f"{name} {n:.0f} times" for name, n in often.items())
            self._say(
                f"warning: this run would read {repeats}; after some {MOST_PASSES} a model knows a "
                "source by heart and gets worse on unseen text. Give such a source a smaller share "
                "of the recipe's mix, or the run fewer --minutes."
            )

    # --- what it says -------------------------------------------------------------

    def _log(self, progress: Progress, norm: float) -> None:
        counts = self.recipe.task.counts
        record = {
            "step": progress.step,
            counts: progress.read,
            "losses": {name: round(loss, 4) for name, loss in progress.losses.items()},
            "rate": round(progress.rates.share(progress.step - 1), 4),
            "grad_norm": round(norm, 3),
            "seconds": round(progress.seconds, 1),
        }
        if progress.step % _LOG_EVERY == 0 or progress.step == 1 or progress.done:
            self._write(record)
        if progress.step % _SAY_EVERY == 0 or progress.done:
            losses = "  ".join(f"{name} {loss:.3f}" for name, loss in progress.losses.items())
            self._say(
                f"step {progress.step}/{progress.rates.n_steps or '?'}  {losses}  "
                f"{progress.read / 1e6:.2f} M {counts}  {progress.seconds / 60:.1f} min"
            )

    @torch.no_grad()
    def _validate(self, progress: Progress) -> None:
        """Losses on held-out examples, by source."""
        losses_by_source = {}
        self.model.eval()
        for batch in self.held_out.batches(progress.phase):
            with self._autocast():
                losses = self.eager(batch.on(self.settings.device))
            losses_by_source[batch.source] = {
                name: round(float(loss), 4) for name, loss in losses.items()
            }
        self.model.train()
        self._write({"step": progress.step, "held_out": losses_by_source})

    def _write(self, record: dict[str, object]) -> None:
        if self.team.leads:
            append_log(self.settings.out, record)
            if "event" in record or "held_out" in record:
                self._say(str(record))

    def _say(self, line: str) -> None:
        if self.team.leads:
            self.report(line)

    # --- on disk ------------------------------------------------------------------

    def _fresh(self) -> Progress:
        if self.team.leads:
            (self.settings.out / LOG_FILE).write_text("")
        rates = self.settings.rates(self.schedule)
        return Progress(rates, by_the_clock=rates.n_steps is None)

    def save(self, progress: Progress) -> None:
        """Replace the last checkpoint, and the model that the run would leave now."""
        if not self.team.leads:
            return
        state = {
            "model": self.model.state_dict(),
            "optimisers": [optimiser.state_dict() for optimiser in self.optimisers],
            "progress": asdict(progress),
            "snapshots": self.snapshots,
            "seed": self.corpora.seed,
            "tier": self.recipe.tier,
            "from_shelf": self.settings.from_shelf,
        }
        write_state(self.settings.out, state)
        weights = {name: w.detach().cpu() for name, w in self.model.state_dict().items()}
        mean = mean_of([*self.snapshots, weights]) if progress.done else weights
        write_model(self.settings.out, self.recipe, mean, self.corpora.encoders)

    def _load(self) -> Progress:
        state = read_state(self.settings.out, self.recipe.tier)
        self.settings.check_began(state["from_shelf"], self.corpora.seed, state["seed"])
        take_weights(self.model, state["model"], self.settings.out)
        for optimiser, saved in zip(self.optimisers, state["optimisers"], strict=True):
            optimiser.load_state_dict(saved)
        self.snapshots = state["snapshots"]
        progress = Progress.stored(state["progress"])
        self._write({"event": "resume", "step": progress.step})
        return progress

    def leave(self) -> None:
        """Part from the other processes; the trainer has done its work then."""
        self.losses = self.eager  # what exchanges gradients holds on to the connection
        gc.collect()
        self.team.leave()
