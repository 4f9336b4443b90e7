"""The card of a model: what it was made from, how good it is, where it fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.language import name_of
from core.locale import in_short
from core.models.blueprint import Blueprint
from core.training.measures.heads import best_head
from core.training.recipe import Recipe
from core.training.sources import UNLICENSED
from core.zoo import LoadedModel

WEIGHTS_LICENCE = "CC BY-SA 4.0"
# Among the metrics: what is known of each run that made the weights, and by which recipe.
RUNS, RECIPE = "runs", "recipe"
_HEADS = ("induction", "previous_token", "first_token")


def measures_of(metrics: Mapping[str, Any]) -> dict[str, float]:
    """The measured figures, without what else is known of the runs."""
    return {name: value for name, value in metrics.items() if name not in (RUNS, RECIPE)}


def _figures(metrics: Mapping[str, float]) -> list[str]:
    """The table of measured figures; of all heads the best."""
    lines = ["| measure | value |", "|---|---|"]
    for name, value in sorted(metrics.items()):
        if not name.startswith(tuple(f"{kind}/" for kind in _HEADS)):
            lines.append(f"| {name.replace('/', ', ')} | {value:.3f} |")
    for kind in _HEADS:
        if any(name.startswith(kind + "/") for name in metrics):
            head, score = best_head(metrics, kind)
            lines.append(
                f"| best {kind.replace('_', '-')} head, {head} (layer.head) | {score:.3f} |"
            )
    return lines


def _sizes(model: LoadedModel) -> str:
    """Its sizes, as its blueprint and its encoders know them."""
    blueprint = model.blueprint
    parts = [*_of_towers(blueprint), *_of_pictures(model)]
    if d_model := model.sizes.get("D"):
        parts.append(f"d_model {d_model}")
    if any(cell.d_state != d_model for cell in blueprint.recurrences):
        parts.append(f"states of {_join_sizes([cell.d_state for cell in blueprint.recurrences])}")
    if d_ff := [stack.d_ff for stack in blueprint.stacks]:
        parts.append(f"d_ff {_join_sizes(d_ff)}")
    if n_ctx := getattr(model.config, "n_ctx", None):
        parts.append(f"context {n_ctx}")
    if model.encoders.by_character is not None:
        parts.append(f"{model.encoders.by_character.n_entries - 1} characters")
    elif n_entries := model.sizes.get("V"):
        parts.append(f"vocabulary {n_entries}")
    text = ", ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def _of_towers(blueprint: Blueprint) -> list[str]:
    parts = []
    if stacks := blueprint.stacks:
        layers = " + ".join(str(stack.n_layers) for stack in stacks)
        parts += [f"{layers} layers", f"{_join_sizes([stack.n_heads for stack in stacks])} heads"]
    if cells := blueprint.recurrences:
        ways = [" in both directions" if len(cell.directions) == 2 else "" for cell in cells]
        alike = len(set(ways)) == 1
        layers = " + ".join(
            f"{cell.n_layers}{'' if alike else way}" for cell, way in zip(cells, ways, strict=True)
        )
        kinds = _join_sizes([cell.kind.upper() for cell in cells])
        parts.append(f"{layers} layers of {kinds} cells{ways[0] if alike else ''}")
    return parts


def _of_pictures(model: LoadedModel) -> list[str]:
    blueprint = model.blueprint
    parts = [f"patches of {part.size} x {part.size} pixels" for part in blueprint.patches]
    parts += [
        f"convolutions of {' + '.join(map(str, part.filters))} kernels"
        for part in blueprint.convolutions
    ]
    if (pictures := model.encoders.pictures) is not None:
        parts.append(f"pictures of {pictures.width} x {pictures.height} pixels")
    return parts


def _join_sizes(values: Sequence[object]) -> str:
    """A size that all towers share, or that of each."""
    return " + ".join(map(str, values if len(set(values)) > 1 else values[:1]))


def _sources(recipe: Recipe) -> list[str]:
    rows = [f"| {s.name} | {s.licence} | {s.credit} |" for s in recipe.task.sources]
    return ["| source | licence | credit |", "|---|---|---|", *rows]


def _licence(recipe: Recipe) -> list[str]:
    """That of the weights, and what has none of all that they were made from."""
    sources = recipe.task.sources
    is_shared_alike = recipe.begins_from or any("BY-SA" in source.licence for source in sources)
    why = ", as some of what it learned from asks." if is_shared_alike else "."
    return [f"**Licence of the weights: {WEIGHTS_LICENCE}**{why}"] + [
        f"{source.credit} has no formal licence; it is free to use by custom, and these weights "
        "were trained on it."
        for source in sources
        if source.licence == UNLICENSED
    ]


def _begins_from(recipe: Recipe) -> list[str]:
    """What else its weights were made from."""
    if recipe.begins_from is None:
        return []
    name = name_of(recipe.begins_from)
    return ["", f"It began with what {name} had learned, and reads as that does: see its card."]


def _runs(runs: Sequence[Mapping[str, Any]], counts: str) -> list[str]:
    """One row a run: how much it read, how long it took, how it is done again."""
    lines = [f"| run | {counts} | minutes | made by |", "|---|---|---|---|"]
    for n, run in enumerate(runs, 1):
        made_by = f"`{run['command']}`" if run["command"] else run["note"]
        place = f" at commit {run['commit']}" if run["commit"] else ""
        lines.append(f"| {n} | {in_short(run[counts])} | {run['minutes']:,} | {made_by}{place} |")
    again = (
        "DIR stands for the folder with the files of the sources. A machine of the same kind makes "
        "the same weights."
    )
    return [*lines, "", again]


def write_card(recipe: Recipe, model: LoadedModel, metrics: Mapping[str, Any]) -> str:
    """The card as Markdown.

    Args:
        recipe: of the model.
        model: with its weights.
        metrics: its figures, and under "runs" the facts of each run.
    """
    return "\n".join(
        [
            f"# {name_of(recipe.id)} ({in_short(model.n_parameters)} parameters)",
            "",
            f"{_sizes(model)} {recipe.says.knows}.",
            "",
            *_licence(recipe),
            "",
            "## Made from",
            "",
            *_sources(recipe),
            *_begins_from(recipe),
            "",
            *_runs(metrics[RUNS], recipe.task.counts),
            "",
            "## How good",
            "",
            f"To measure it again: `python -m core.training evaluate {recipe.id} --corpora DIR`. "
            + recipe.says.measured,
            "",
            *_figures(measures_of(metrics)),
            "",
            "## What it gets wrong",
            "",
            recipe.says.failures,
            "",
            *recipe.task.samples(model),
            "",
        ]
    )
