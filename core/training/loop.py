"""The training loop: one for every model, by the clock, resumable bit for bit."""

from __future__ import annotations

import bisect
import contextlib
import gc
import json
import math
import os
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from core.errors import CheckpointError, DeviceUnavailableError, ParameterError
from core.language import N_, Phrase
from core.training.batches import Batches
from core.training.dropout import RowDropout
from core.training.recipes import Optimiser, Recipe, Tier
from core.training.schedules import WarmupStableCooldown

Objective = Callable[..., Tensor]
Report = Callable[[str], None]

PROBE_SECONDS = 60.0
CHECKPOINT_SECONDS = 300.0
# The pace is judged by the last steps, an eighth as many as are still to do, but not fewer or more
# than these: a machine that is busy for minutes takes no more than those from a run of hours.
_FEWEST_PACES, _MOST_PACES = 5, 1024
_SLACK = 0.03  # of the time left, which a bend leaves over so that the next is not soon
STATE_FILE = "state.pt"
LOG_FILE = "log.jsonl"


class Losses(nn.Module):
    """A model and its objective as one module, so that compiling and DDP see one forward pass."""

    def __init__(self, model: nn.Module, objective: Objective) -> None:
        super().__init__()
        self.model = model
        self._objective = objective

    def forward(self, *batch: Tensor) -> Tensor:
        """The objective's losses ``(n_losses,)``; training minimises their sum."""
        return self._objective(self.model, *batch)


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run is carried out, apart from its recipe.

    Attributes:
        out: the run's directory.
        seed: of weights, data order and masking.
        minutes: limit of a run whose steps the probe measured, the probe not counted: whenever
            the rest would not be done in time at the pace of the last steps, the schedule is bent
            so that it is. At a steady pace the run passes it by no more than a step.
        steps: of the run, whatever the clock; measured by a probe when None. A run that is
            resumed has its steps already.
        cool_down_at: each (step, count) bends the schedule after that many steps so that it ends
            ``count`` steps later, as the clock of an earlier run did; needs ``steps``, its plan.
        device: where to train.
        compile: fuse the training step (twice as fast; needs a C++ compiler on a CPU).
        bf16: matrix products in bfloat16, weights and sums in float32.
        resume: go on from the run's last checkpoint.
        threads: that the process was given, for the log; None for torch's own choice.
        after: facts of the run whose weights this one begins from, for the log.
        teachers: facts of the runs whose models teach this one, for the log.
    """

    out: Path
    seed: int
    minutes: float
    steps: int | None
    device: torch.device
    compile: bool = True
    bf16: bool = True
    resume: bool = False
    cool_down_at: tuple[tuple[int, int], ...] = ()
    threads: int | None = None
    after: dict[str, Any] | None = None
    teachers: tuple[dict[str, Any], ...] = ()

    def __post_init__(self) -> None:
        if self.cool_down_at and self.steps is None:
            raise ParameterError("cool_down_at", self.cool_down_at, N_("given together with steps"))


@dataclass(slots=True)
class Progress:
    """Where a run stands: everything but weights and optimiser state.

    Attributes:
        step: steps done.
        places: rows drawn, over all processes.
        seconds: spent, over all parts of the run.
        schedule: of the learning rate; shortened when the clock demands it.
        probe: tokens a second that the number of steps was made from; 0 when it was given.
        cool_downs: (step, count) of each bend that the schedule has taken.
    """

    step: int
    places: int
    seconds: float
    schedule: WarmupStableCooldown
    probe: float = 0.0
    losses: list[float] = field(default_factory=list)
    cool_downs: list[tuple[int, int]] = field(default_factory=list)


def own_device(device: torch.device) -> torch.device:
    """The device of this process: each that ``torchrun`` started has a GPU of its own.

    Raises:
        DeviceUnavailableError: more processes than GPUs.
    """
    if device.type != "cuda" or "LOCAL_RANK" not in os.environ:
        return device
    own = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    there = [f"cuda:{n}" for n in range(torch.cuda.device_count())]
    if str(own) not in there:
        raise DeviceUnavailableError(str(own), there)
    torch.cuda.set_device(own)  # NCCL and the compiler go by it
    return own


@dataclass(frozen=True, slots=True)
class Team:
    """The processes of a run: one, or those that ``torchrun`` started."""

    rank: int
    size: int

    @classmethod
    def join(cls, device: torch.device) -> Team:
        """Meet the other processes, if the environment names any."""
        size = int(os.environ.get("WORLD_SIZE", "1"))
        if size > 1 and not dist.is_initialized():
            dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
        return cls(int(os.environ.get("RANK", "0")), size)

    def leave(self) -> None:
        """End together: a process that just exits breaks the connection under the others."""
        if self.size > 1:
            dist.barrier()
            dist.destroy_process_group()

    @property
    def leads(self) -> bool:
        return self.rank == 0

    def agree(self, value: float) -> float:
        """The first process's value, on all of them."""
        if self.size == 1:
            return value
        shared = [value]
        dist.broadcast_object_list(shared, src=0)
        return shared[0]

    def mean(self, value: Tensor) -> Tensor:
        """The mean over the processes."""
        if self.size > 1:
            dist.all_reduce(value)
            value = value / self.size
        return value


def make_optimisers(
    model: nn.Module, settings: Optimiser, device: torch.device
) -> list[torch.optim.Optimizer]:
    """Muon for the matrices inside the blocks, AdamW for tables, head, gains and biases.

    Jordan et al. 2024 (Muon); its step is scaled to the size of AdamW's, so one
    learning rate serves both.
    """
    hidden = [p for name, p in model.named_parameters() if p.ndim == 2 and "blocks." in name]
    chosen = set(map(id, hidden))
    other = [p for p in model.parameters() if id(p) not in chosen]
    adam = torch.optim.AdamW(
        [
            {
                "params": [p for p in other if p.ndim >= 2],
                "weight_decay": settings.weight_decay,
            },
            {"params": [p for p in other if p.ndim < 2], "weight_decay": 0.0},
        ],
        lr=settings.adam_lr,
        betas=settings.betas,
        fused=device.type in ("cpu", "cuda"),
    )
    muon = torch.optim.Muon(
        hidden,
        lr=settings.lr,
        weight_decay=settings.weight_decay,
        momentum=0.95,
        adjust_lr_fn="match_rms_adamw",
    )
    for optimiser in (adam, muon):
        for group in optimiser.param_groups:
            group["peak_lr"] = group["lr"]
    return [adam, muon]


def read_state(run: Path, *, tier: Tier | None = None, finished: bool = False) -> dict[str, Any]:
    """What the last checkpoint of a run holds, on the CPU.

    Args:
        run: its directory.
        tier: the run must be of this one, where its checkpoint says it (older ones do not).
        finished: the run must have come to the end of its schedule.

    Raises:
        CheckpointError: there is no checkpoint, it is damaged or of another tier, or the run is
            not finished.
    """
    path = run / STATE_FILE
    if not path.is_file():
        raise CheckpointError(run, N_("no run has written a checkpoint here; train first"))
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as broken:  # of a dozen kinds
        first_line = (str(broken).splitlines() or [type(broken).__name__])[0]
        raise CheckpointError(
            path, Phrase(N_("damaged, or no checkpoint ({reason})"), reason=first_line)
        ) from broken
    if not isinstance(state, dict) or {"model", "optimisers", "progress", "seed"} - state.keys():
        raise CheckpointError(path, N_("not a checkpoint of a training run"))
    if tier is not None and state.get("tier", tier) != tier:
        raise CheckpointError(
            run,
            Phrase(
                N_("a run of --tier {own}, not of {tier}; name its own"),
                own=state["tier"],
                tier=tier,
            ),
        )
    done, planned = state["progress"]["step"], state["progress"]["schedule"]["n_steps"]
    if finished and done < planned:
        raise CheckpointError(
            run,
            Phrase(
                N_("this run stands at step {done} of {planned}; end it first, with --resume"),
                done=f"{done:,}",
                planned=f"{planned:,}",
            ),
        )
    return state


def finished_weights(run: Path, recipe: Recipe) -> dict[str, Tensor]:
    """What a finished run gives to the shelf and to runs after it.

    Where its recipe keeps a share of the weights that it began from, or of another run's, they lie
    on the straight line to those (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models",
    section 3); what has grown is the run's own.

    Args:
        run: its directory.
        recipe: of the run.

    Raises:
        CheckpointError: as ``read_state``, or the run does not hold the line's other end.
    """
    state = read_state(run, tier=recipe.tier, finished=True)
    weights: dict[str, Tensor] = state["model"]
    if not recipe.kept:
        return weights
    if "other_end" not in state:
        raise CheckpointError(
            run, N_("does not hold the weights it keeps a share of; train it again")
        )
    other_end = state["other_end"]
    return {
        name: torch.lerp(weight, other_end[name], recipe.kept)
        if other_end[name].shape == weight.shape
        else weight
        for name, weight in weights.items()
    }


def take_weights(model: nn.Module, weights: Mapping[str, Tensor], run: Path) -> None:
    """Put the weights of a run's checkpoint into a model.

    Raises:
        CheckpointError: they are those of a model of other sizes.
    """
    ours = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    theirs = {name: tuple(tensor.shape) for name, tensor in weights.items()}
    for name in sorted(ours.keys() | theirs.keys()):
        if ours.get(name) != theirs.get(name):
            there, here = (
                Phrase(N_("has shape {shape}"), shape=of[name]) if name in of else N_("is missing")
                for of in (theirs, ours)
            )
            raise CheckpointError(
                run,
                Phrase(
                    N_(
                        "another model's run: tensor {name} {there}, in this recipe it {here}; "
                        "name the model and --tier of the run"
                    ),
                    name=repr(name),
                    there=there,
                    here=here,
                ),
            )
    model.load_state_dict(weights)


def make_schedule(n_steps: int, settings: Optimiser) -> WarmupStableCooldown:
    """The recipe's shares as steps."""
    n_warmup = max(1, round(settings.warmup * n_steps))
    return WarmupStableCooldown(
        n_steps=n_steps,
        n_warmup=n_warmup,
        n_cooldown=min(round(settings.cooldown * n_steps), n_steps - n_warmup),
        floor=settings.floor,
    )


class Trainer:
    """One run.

    Args:
        recipe: what to train.
        model: freshly made; trained in place.
        objective: the model's losses for a batch.
        batches: training rows.
        validation: held-out rows, reported per source; None for none.
        settings: how.
        report: gets a line of progress now and then.
        other_end: weights to store with the run, of which its recipe keeps a share.
    """

    def __init__(
        self,
        recipe: Recipe,
        model: nn.Module,
        objective: Objective,
        batches: Batches,
        validation: Batches | None,
        settings: Settings,
        report: Report = print,
        other_end: Mapping[str, Tensor] | None = None,
    ) -> None:
        self.recipe, self.settings = recipe, settings
        self.other_end = other_end
        self.model = model.to(settings.device).train()
        self.batches, self.validation = batches, validation
        self.report = report
        self.team = Team.join(settings.device)
        if recipe.rows % (self.team.size * recipe.micro_rows):
            raise ParameterError(
                "processes",
                self.team.size,
                Phrase(N_("a divisor of {n}"), n=recipe.rows // recipe.micro_rows),
            )
        self.rates = {source.name: source.dropout for source in recipe.sources if source.dropout}
        self.dropout = (
            RowDropout(self.model, recipe.micro_rows, recipe.config.d_model, settings.device)
            if self.rates
            else None
        )
        self.optimisers = make_optimisers(self.model, recipe.optimiser, settings.device)
        self.eager = Losses(self.model, objective)
        losses: nn.Module = self.eager
        if settings.compile:
            losses = torch.compile(losses, dynamic=False)  # type: ignore[assignment]
        if self.team.size > 1:
            losses = DistributedDataParallel(losses)
        self.losses = losses
        self.tokens_per_row = recipe.config.n_ctx
        self._started = time.monotonic()
        self._paces: deque[float] = deque(maxlen=_MOST_PACES)  # seconds a row, the latest first

    # --- one step -----------------------------------------------------------------

    def rows_at(self, step: int, n_steps: int) -> int:
        """Rows of a step of ``n_steps``: the recipe's, times the factor its ramp has reached."""
        factor = 1
        for share, larger in self.recipe.ramp:
            if step >= share * n_steps:
                factor = larger
        return self.recipe.rows * factor

    def rows_from(self, step: int, n_steps: int) -> int:
        """Rows of all steps of ``n_steps`` from ``step`` on."""
        changes = (math.ceil(share * n_steps) for share, _ in self.recipe.ramp)
        edges = [step, *(min(max(step, change), n_steps) for change in changes), n_steps]
        return sum((b - a) * self.rows_at(a, n_steps) for a, b in pairwise(edges))

    def step(self, places: int, rows: int, share: float) -> tuple[Tensor, float]:
        """One update from ``rows`` rows at ``places``; gives mean losses and the gradient norm."""
        mine = rows // self.team.size
        first = places + self.team.rank * mine
        n_parts = mine // self.recipe.micro_rows
        total: Tensor | None = None
        for part in range(n_parts):
            at = first + part * self.recipe.micro_rows
            batch = self.batches.batch(at, self.recipe.micro_rows)
            if self.dropout is not None:
                names = self.batches.origins(at, self.recipe.micro_rows)
                rates = [self.rates.get(name, 0.0) for name in names]
                self.dropout.draw(rates, self.settings.seed, 6, at)
            last = part == n_parts - 1
            with self._quiet_unless(last), self._autocast():
                losses = self.losses(*(t.to(self.settings.device) for t in batch))
                (self._weighed(losses, places).sum() / n_parts).backward()
            total = losses.detach() if total is None else total + losses.detach()
        assert total is not None
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.optimiser.clip)
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                group["lr"] = group["peak_lr"] * share
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        return total / n_parts, float(norm)

    def _weighed(self, losses: Tensor, places: int) -> Tensor:
        """Losses ``(n,)`` times what each counts for the step that begins at ``places``."""
        reached = [weights for first, weights in self.recipe.loss_weights if first <= places]
        return losses * losses.new_tensor(reached[-1]) if reached else losses

    def _autocast(self) -> contextlib.AbstractContextManager[None]:
        return torch.autocast(self.settings.device.type, torch.bfloat16, enabled=self.settings.bf16)

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
        """Train until the schedule ends; returns where it ended."""
        out = self.settings.out
        out.mkdir(parents=True, exist_ok=True)
        progress = self._load() if self.settings.resume else self._fresh()
        earlier, self._started = progress.seconds, time.monotonic()
        saved = time.monotonic()
        while progress.step < progress.schedule.n_steps:
            began = time.monotonic()
            rows = self.rows_at(progress.step, progress.schedule.n_steps)
            share = progress.schedule.share(progress.step)
            losses, norm = self.step(progress.places, rows, share)
            progress.step += 1
            progress.places += rows
            progress.seconds = earlier + time.monotonic() - self._started
            self._paces.appendleft((time.monotonic() - began) / rows)
            self._watch_the_clock(progress)
            self._log(progress, losses, norm, share, rows, time.monotonic() - began)
            if self.team.agree(time.monotonic() - saved) > CHECKPOINT_SECONDS:
                self.save(progress)
                saved = time.monotonic()
        self.save(progress)
        return progress

    def _fresh(self) -> Progress:
        self._check_cool_downs()
        # Written before the first step, so that a stopped run can say what it was.
        if self.team.leads:
            (self.settings.out / LOG_FILE).write_text("")
        steps, probe = self.settings.steps, 0.0
        if steps is None:
            probe = self._probe()
            steps = max(1, self._steps_for(self.settings.minutes * 60, probe))
        schedule = make_schedule(steps, self.recipe.optimiser)
        self._write(
            {
                "event": "start",
                "steps": steps,
                "probe_tokens_per_s": round(probe),
                "seed": self.settings.seed,
                "minutes": self.settings.minutes,
                "processes": self.team.size,
                "threads": self.settings.threads,
                "parameters": sum(p.numel() for p in self.model.parameters()),
                "after": self.settings.after,
                "teachers": list(self.settings.teachers),
            }
        )
        return Progress(0, 0, 0.0, schedule, probe)

    def _check_cool_downs(self) -> None:
        """See that each bend that was asked for lies within what the ones before it leave."""
        end = self.settings.steps or 0
        for at, count in self.settings.cool_down_at:
            if not (0 < at < end and count > 0):
                raise ParameterError(
                    "cool_down_at",
                    (at, count),
                    Phrase(N_("a step from 1 to {last} and at least 1 more"), last=end - 1),
                )
            end = at + count

    def _probe(self) -> float:
        """Tokens a second, measured on real steps whose effect is undone."""
        weights = {name: p.detach().clone() for name, p in self.model.named_parameters()}
        states = [optimiser.state_dict() for optimiser in self.optimisers]
        rows = self.recipe.rows
        self.step(0, rows, 0.0)  # compiles
        self.step(0, rows, 0.0)
        began, n = time.monotonic(), 0
        while self.team.agree(time.monotonic() - began) < PROBE_SECONDS:
            self.step(n * rows, rows, 0.0)
            n += 1
        speed = n * rows * self.tokens_per_row / (time.monotonic() - began)
        with torch.no_grad():
            for name, p in self.model.named_parameters():
                p.copy_(weights[name])
        for optimiser, state in zip(self.optimisers, states, strict=True):
            optimiser.load_state_dict(state)
        return self.team.agree(speed)

    def _steps_for(self, seconds: float, speed: float) -> int:
        """How many steps fit, with the ramp's larger batches counted."""
        per_step = self.recipe.rows * self.tokens_per_row / speed
        cost, before, factor = 0.0, 0.0, 1
        for share, larger in (*self.recipe.ramp, (1.0, 1)):
            cost += (share - before) * factor
            before, factor = share, larger
        return int(seconds / (per_step * cost))

    def _watch_the_clock(self, progress: Progress) -> None:
        """Bend the schedule where that was asked for, or so that a probed run ends in time."""
        for at, count in self.settings.cool_down_at:
            if progress.step == at:
                self._cool_down(progress, count)
        # Steps that were given are done, after a resumption that does not name them too.
        if self.settings.steps is None and progress.probe:
            fits = int(self.team.agree(self._fall_that_fits(progress)))
            if fits:
                self._cool_down(progress, fits)

    def _fall_that_fits(self, progress: Progress) -> int:
        """Steps that the cool-down must take from here on to end in time; 0 when all is well."""
        step, schedule = progress.step, progress.schedule
        to_do = schedule.n_steps - step
        if to_do < 2 or len(self._paces) < _FEWEST_PACES:
            return 0  # no choice; or the first of a run or of its resumption, which compile
        pace = statistics.median_low(islice(self._paces, max(_FEWEST_PACES, to_do // 8)))
        left = self.settings.minutes * 60 - progress.seconds
        fall = min(schedule.n_cooldown, to_do)
        if pace * self.rows_from(step, step + fall) <= left:
            return 0
        rise = pace * self.rows_at(step, schedule.n_steps) * (schedule.n_warmup - step)
        if 0 < rise < left / 2:
            return 0  # from the middle of the rise the rate would jump to its peak
        budget = (1 - _SLACK) * left / pace
        shorter = range(1, fall)
        fits = bisect.bisect_right(shorter, budget, key=lambda n: self.rows_from(step, step + n))
        return max(1, fits)

    def _cool_down(self, progress: Progress, n_steps: int) -> None:
        progress.schedule = progress.schedule.cool_down_from(progress.step, n_steps)
        progress.cool_downs.append((progress.step, n_steps))
        self._write({"event": "early cool-down", "step": progress.step, "steps_left": n_steps})

    def _log(
        self,
        progress: Progress,
        losses: Tensor,
        norm: float,
        share: float,
        rows: int,
        seconds: float,
    ) -> None:
        values = [float(v) for v in self.team.mean(losses)]
        progress.losses = [
            0.95 * old + 0.05 * new
            for old, new in zip(progress.losses or values, values, strict=True)
        ]
        done, total = progress.step, progress.schedule.n_steps
        last = done == total
        if done % 20 == 0 or last:
            self._write(
                {
                    "step": done,
                    "tokens": progress.places * self.tokens_per_row,
                    "losses": [round(v, 4) for v in progress.losses],
                    "lr_share": round(share, 4),
                    "grad_norm": round(norm, 3),
                    "tokens_per_s": round(rows * self.tokens_per_row / seconds),
                    "seconds": round(progress.seconds, 1),
                }
            )
        if done % 100 == 0 or last:
            left = progress.seconds / done * (total - done)
            self._say(
                f"step {done}/{total}  losses {' '.join(f'{v:.3f}' for v in progress.losses)}"
                f"  {rows * self.tokens_per_row / seconds:,.0f} tokens/s"
                f"  {left / 60:.0f} min left"
            )
        if self.validation is not None and (done % max(1, total // 20) == 0 or last):
            self._write({"step": done, "held_out": self.validate()})

    @torch.no_grad()
    def validate(self, rows: int = 32) -> dict[str, list[float]]:
        """Losses on the first held-out rows of each source."""
        assert self.validation is not None
        found = {}
        self.model.eval()
        for name in self.validation.names:
            batch = self.validation.of_source(name, rows)
            with self._autocast():
                losses = self.eager(*(t.to(self.settings.device) for t in batch))
            found[name] = [round(float(v), 4) for v in losses]
        self.model.train()
        return found

    def leave(self) -> None:
        """Part from the other processes; the trainer has done its work then."""
        self.losses = self.eager  # what exchanges gradients holds on to the connection
        gc.collect()
        self.team.leave()

    # --- on disk ------------------------------------------------------------------

    def save(self, progress: Progress) -> None:
        """Write weights, optimiser state and progress, in place of the last checkpoint."""
        if not self.team.leads:
            return
        state = {
            "model": self.model.state_dict(),
            "optimisers": [optimiser.state_dict() for optimiser in self.optimisers],
            "progress": asdict(progress),
            "seed": self.settings.seed,
            "tier": self.recipe.tier,
        }
        if self.other_end is not None:
            state["other_end"] = dict(self.other_end)
        partial = self.settings.out / (STATE_FILE + ".partial")
        torch.save(state, partial)
        partial.replace(self.settings.out / STATE_FILE)

    def _load(self) -> Progress:
        path = self.settings.out / STATE_FILE
        if not path.is_file():
            raise ParameterError("resume", str(path), N_("a run that has written a checkpoint"))
        state = read_state(self.settings.out, tier=self.recipe.tier)
        if state["seed"] != self.settings.seed:
            raise ParameterError(
                "seed",
                self.settings.seed,
                Phrase(N_("{seed}, as the run began"), seed=state["seed"]),
            )
        self._check_steps()
        take_weights(self.model, state["model"], self.settings.out)
        for optimiser, saved in zip(self.optimisers, state["optimisers"], strict=True):
            optimiser.load_state_dict(saved)
        progress = state["progress"]
        schedule = WarmupStableCooldown(**progress.pop("schedule"))
        step = progress["step"]
        for asked in self.settings.cool_down_at:
            if asked[0] <= step and asked not in progress.get("cool_downs", ()):
                raise ParameterError(
                    "cool_down_at",
                    asked,
                    Phrase(N_("after step {step}, where the run stands"), step=step),
                )
        self._write({"event": "resume", "step": step})
        return Progress(schedule=schedule, **progress)

    def _check_steps(self) -> None:
        """See that the steps asked for are those that the run to be resumed was begun with."""
        if self.settings.steps is None:
            return
        path = self.settings.out / LOG_FILE
        try:
            with path.open() as log:
                planned = json.loads(log.readline())["steps"]
        except (OSError, ValueError, KeyError, TypeError) as broken:
            raise CheckpointError(
                path, N_("does not say how the run began; leave --steps out")
            ) from broken
        if self.settings.steps != planned:
            raise ParameterError(
                "steps",
                self.settings.steps,
                Phrase(N_("{n}, as the run began, or left out"), n=planned),
            )

    def _write(self, record: dict[str, object]) -> None:
        if self.team.leads:
            with (self.settings.out / LOG_FILE).open("a") as log:
                log.write(json.dumps(record) + "\n")
            if "event" in record or "held_out" in record:
                self._say(json.dumps(record))

    def _say(self, line: str) -> None:
        if self.team.leads:
            self.report(line)
