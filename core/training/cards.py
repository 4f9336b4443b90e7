"""The card of a model: what it was made from, how good it is, where it fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.decoding.settings import Sampling
from core.errors import InputTooLongError
from core.language import name_of
from core.predict import fill_masks, generate, next_sentence, translate
from core.training.measures.heads import best_head
from core.training.recipe import Recipe
from core.zoo import LoadedModel

WEIGHTS_LICENCE = "CC BY-SA 4.0"
# Among the metrics: what is known of each run that made the weights, and by which recipe.
RUNS, RECIPE = "runs", "recipe"
_HEADS = ("induction", "previous_token", "first_token")
PROMPTS = (
    "Once upon a time there was a little",
    "The cat sat on the",
    "She opened the door and",
    "The capital of France is",
    "Two plus two is",
    "In 1969, the first",
)
HIDDEN_WORDS = (
    "The cat sat on the [MASK].",
    "She opened the [MASK] and went into the house.",
    "Paris is the capital of [MASK].",
    "He was born in [MASK] and died in 1850.",
    "Two plus two is [MASK].",
)
PAIRS = (
    ("The boy went to the shop.", "He bought some bread and milk."),
    ("The boy went to the shop.", "The river flows through the north of the country."),
)
SENTENCES = (
    "Le chat est assis sur le tapis.",
    "Je ne sais pas où elle habite.",
    "Elle m'a demandé si j'avais déjà mangé.",
    "Si j'avais su, je ne serais pas venu.",
    "L'accord sur la zone économique européenne a été signé en août 1992.",
    "Le théorème se démontre par récurrence.",
)


def samples(model: LoadedModel) -> list[str]:
    """What the model says to fixed prompts, seed 0: good and bad alike."""
    if "translate" in model.abilities:
        return [f"- {text} → {_said(_translated, model, text)}" for text in SENTENCES]
    if "masked_words" in model.abilities:
        said = [f"- `{text}`: {_said(_hidden_words, model, text)}" for text in HIDDEN_WORDS]
        return said + [f"- `{a}` / `{b}`: {_said(_follows, model, a, b)}" for a, b in PAIRS]
    return [f"- **{prompt}**{_said(_continued, model, prompt)}" for prompt in PROMPTS]


def _said(ask: Callable[..., str], model: LoadedModel, *texts: str) -> str:
    try:
        return ask(model, *texts)
    except InputTooLongError:  # a try-out with a tiny vocabulary and context
        return " (does not fit its context)"


def _translated(model: LoadedModel, text: str) -> str:
    return " ".join(translate(model, text).text.splitlines())


def _hidden_words(model: LoadedModel, text: str) -> str:
    guesses = fill_masks(model, text, 5)
    return "; ".join(", ".join(f"{p.token} {p.prob:.2f}" for p in best) for best in guesses)


def _follows(model: LoadedModel, first: str, second: str) -> str:
    return f"follows with {next_sentence(model, first, second):.2f}"


def _continued(model: LoadedModel, prompt: str) -> str:
    sampling = Sampling(temperature=0.8, top_k=50, top_p=0.95, seed=0)
    steps = generate(model, prompt, max_new=50, sampling=sampling)
    return " ".join(model.decode([step.token for step in steps]).splitlines())


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
    """Its sizes, as its blueprint and its config know them."""
    blueprint, config = model.blueprint, model.config
    found = []
    if stacks := blueprint.stacks:
        layers = " + ".join(str(stack.n_layers) for stack in stacks)
        found += [f"{layers} layers", f"{stacks[0].n_heads} heads"]
    if cells := blueprint.recurrences:
        layers = " + ".join(
            f"{cell.n_layers}{' in both directions' if len(cell.directions) == 2 else ''}"
            for cell in cells
        )
        found.append(f"{layers} layers of {cells[0].kind.upper()} cells")
    names = {"d_model": "d_model", "d_ff": "d_ff", "n_ctx": "context", "vocab_size": "vocabulary"}
    found += [f"{name} {getattr(config, size)}" for size, name in names.items()
              if hasattr(config, size)]  # fmt: skip
    return ", ".join(found) + "."


def _sources(recipe: Recipe) -> list[str]:
    rows = [f"| {s.name} | {s.licence} | {s.credit} |" for s in recipe.task.sources]
    return ["| source | licence | credit |", "|---|---|---|", *rows]


def _runs(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """One row a run: how much it read, how long it took, how it is done again."""
    lines = ["| run | tokens | minutes | made by |", "|---|---|---|---|"]
    for n, run in enumerate(runs, 1):
        made_by = f"`{run['command']}`" if run["command"] else run["note"]
        at = f" at commit {run['commit']}" if run["commit"] else ""
        lines.append(f"| {n} | {run['tokens'] / 1e6:.1f} M | {run['minutes']:,} | {made_by}{at} |")
    again = "DIR holds the files of the sources. A machine of the same kind makes the same weights."
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
            f"# {name_of(recipe.id)} ({model.n_parameters / 1e6:.1f} M parameters)",
            "",
            f"{_sizes(model)} {recipe.says.language}.",
            "",
            f"**Licence of the weights: {WEIGHTS_LICENCE}**, as some of the training text asks.",
            "",
            "## Made from",
            "",
            *_sources(recipe),
            "",
            *_runs(metrics[RUNS]),
            "",
            "## How good",
            "",
            f"Printed again by `python -m core.training evaluate {recipe.id} --corpora DIR`. "
            + recipe.says.measured,
            "",
            *_figures(measures_of(metrics)),
            "",
            "## What it gets wrong",
            "",
            recipe.says.failures,
            "",
            *samples(model),
            "",
        ]
    )
