"""The card of a model: what it was made from, how good it is, where it fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.decoding.settings import Sampling
from core.errors import InputTooLongError
from core.models.blueprint import Stack
from core.predict import fill_masks, generate, next_sentence, translate
from core.training.measures.heads import best_head
from core.training.recipe import Recipe
from core.zoo import LoadedModel

WEIGHTS_LICENCE = "CC BY-SA 4.0"
RUNS = "runs"  # among the metrics: what is known of each run that made the weights
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
LANGUAGES = {"gpt": "English", "bert": "English", "transformer": "French to English"}
MEASURED = {
    "gpt": (
        "Bits per byte over whole documents, cut into windows of the context's length, each byte "
        "counted once and no window seeing another. Heads: induction on 64 random tokens said "
        "twice, 200 times, seed 0; the others on a paragraph of prose. repeat_gain is the loss on "
        "the first saying minus that on the second, in nats."
    ),
    "bert": (
        "15 % of the tokens hidden as whole words behind [MASK], seed 0, scored piece by piece; "
        "next_sentence is the share of right answers on pairs of which half follow each other."
    ),
    "transformer": (
        "BLEU from 0 to 100 by sacrebleu (13a, cased, one reference a sentence), beam search with "
        "4 beams and length penalty 0.6. No pair of which either side stands there was trained on."
    ),
}
KNOWN_FAILURES = {
    "gpt": (
        "It has read little and is small: names, dates and numbers are invented, arithmetic is "
        "guessed, and after some sentences a story forgets who was in it, gives two people one "
        "name, or says a thing again. Old books left old attitudes. Below is what it says to "
        "fixed prompts with one seed, the last three chosen because facts and sums are what it "
        "gets wrong."
    ),
    "bert": (
        "Facts are guessed from the commonest words of the sentence, numbers above all; long rare "
        "names fall into pieces it fills one by one; short everyday sentences pass for "
        "neighbours too easily. Below is what it says to fixed sentences, none picked."
    ),
    "transformer": (
        "It knows short everyday sentences. In long ones it loses its way, and names, numbers "
        "and words of science or politics it has hardly read come out as something else. Where "
        "French leaves open who is meant, it guesses. Below is what it makes of fixed sentences, "
        "the last two chosen because they are outside of what it knows."
    ),
}


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
    return {name: value for name, value in metrics.items() if name != RUNS}


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
    stacks = [part for part in model.blueprint.parts if isinstance(part, Stack)]
    layers = " + ".join(str(stack.n_layers) for stack in stacks)
    config = model.config
    return (
        f"{layers} layers, {stacks[0].n_heads} heads, d_model {config.d_model}, d_ff "
        f"{config.d_ff}, context {config.n_ctx}, vocabulary {config.vocab_size}."
    )


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
            f"# {recipe.id.upper()} ({model.n_parameters / 1e6:.1f} M parameters)",
            "",
            f"{_sizes(model)} {LANGUAGES[recipe.id]}.",
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
            + MEASURED[recipe.id],
            "",
            *_figures(measures_of(metrics)),
            "",
            "## What it gets wrong",
            "",
            KNOWN_FAILURES[recipe.id],
            "",
            *samples(model),
            "",
        ]
    )
