"""A run's directory: its checkpoint, its log, and the model it leaves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from core.checkpoints import native
from core.checkpoints.weights import without_weights
from core.encoders import Encoders
from core.errors import CheckpointError
from core.language import N_, Phrase
from core.models.registry import ARCHITECTURES
from core.training.progress import Progress
from core.training.recipe import Recipe

STATE_FILE, LOG_FILE, MODEL = "state.pt", "log.jsonl", "model"
Weights = dict[str, Tensor]
_NEEDED = {"model", "optimisers", "progress", "seed", "tier", "snapshots"}


def read_state(run: Path, tier: str) -> dict[str, Any]:
    """What the last checkpoint of a run holds, on the CPU.

    Raises:
        CheckpointError: there is no checkpoint, or it is damaged or of another tier.
    """
    path = run / STATE_FILE
    if not path.is_file():
        raise CheckpointError(run, N_("no run has written a checkpoint here; leave --resume out"))
    state = _read(path)
    if state["tier"] != tier:
        problem = N_("a run of --tier {own}, not of {tier}; name its own")
        raise CheckpointError(run, Phrase(problem, own=state["tier"], tier=tier))
    return state


def _read(path: Path) -> dict[str, Any]:
    try:
        state: Any = torch.load(path, map_location="cpu", weights_only=True)  # noqa: TID251
    except Exception as broken:  # of a dozen kinds
        first_line = (str(broken).splitlines() or [type(broken).__name__])[0]
        raise CheckpointError(
            path, Phrase(N_("damaged, or no checkpoint ({reason})"), reason=first_line)
        ) from broken
    if not isinstance(state, dict) or _NEEDED - state.keys():
        raise CheckpointError(path, N_("not a checkpoint of a training run"))
    return state


def check_free(run: Path) -> None:
    """Keep a new run from writing over one that has not come to its end.

    Raises:
        CheckpointError: such a run is here; or something that reads like none.
    """
    path = run / STATE_FILE
    if path.is_file() and not Progress.stored(_read(path)["progress"]).done:
        raise CheckpointError(
            run, N_("an unfinished run; --resume continues it, another --out leaves it alone")
        )


def write_state(run: Path, state: Mapping[str, Any]) -> None:
    """Replace a run's checkpoint, whole or not at all."""
    partial = run / (STATE_FILE + ".partial")
    torch.save(dict(state), partial)
    partial.replace(run / STATE_FILE)


def take_weights(model: nn.Module, weights: Mapping[str, Tensor], where: Path) -> None:
    """Put stored weights into a model.

    Raises:
        CheckpointError: they are those of a model of other sizes.
    """
    ours = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    theirs = {name: tuple(tensor.shape) for name, tensor in weights.items()}
    for name in sorted(ours.keys() | theirs.keys()):
        if ours.get(name) != theirs.get(name):
            there, shape = (
                Phrase(N_("has shape {shape}"), shape=of[name]) if name in of else N_("is missing")
                for of in (theirs, ours)
            )
            problem = N_(
                "weights of another model: tensor {name} {there}, in this recipe it {here}"
            )
            raise CheckpointError(where, Phrase(problem, name=repr(name), there=there, here=shape))
    model.load_state_dict(weights)


def mean_of(checkpoints: Sequence[Weights]) -> Weights:
    """The mean of some weights, as in Vaswani et al. 2017, section 6.1, of the last checkpoints."""
    return {
        name: torch.stack([weights[name] for weights in checkpoints]).mean(dim=0)
        for name in checkpoints[0]
    }


def write_model(run: Path, recipe: Recipe, weights: Weights, encoders: Encoders) -> None:
    """Replace the model that a run leaves, in the layout of the shelf, not measured yet."""
    with without_weights():
        model = ARCHITECTURES[recipe.architecture].model(recipe.network)
    model.load_state_dict(weights, assign=True)
    native.save(run / MODEL, recipe.architecture, model, encoders)


def append_log(run: Path, record: Mapping[str, object]) -> None:
    """Add a line to a run's log."""
    with (run / LOG_FILE).open("a", encoding="utf-8") as log:
        log.write(json.dumps(record) + "\n")
