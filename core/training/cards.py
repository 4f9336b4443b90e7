"""The card of a shipped model: what it was made from, how good it is, where it fails."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.decoding.sampling import Sampling
from core.errors import CheckpointError, InputTooLongError
from core.language import N_
from core.models.protocols import MaskedLM
from core.predict import fill_masks, generate, next_sentence
from core.training.evaluation import best_head
from core.training.loop import LOG_FILE
from core.training.recipes import RECIPES, Recipe, Tier
from core.zoo import LoadedModel

WEIGHTS_LICENCE = "CC BY-SA 4.0"
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


def run_facts(run: Path) -> dict[str, Any]:
    """What the log of a run says of its length and speed, and of how to make it again.

    Where something happened to a run that its command does not repeat, a person says so in a
    line of the log, ``{"event": "note", "note": "A sentence."}``, and the card passes it on.

    Raises:
        CheckpointError: the log is missing, damaged, or of a run that has done no step.
    """
    path = run / LOG_FILE
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        start = next(line for line in lines if line.get("event") == "start")
        last = [line for line in lines if "tokens" in line][-1]
    except (OSError, ValueError, AttributeError, TypeError, StopIteration, IndexError) as broken:
        raise CheckpointError(path, N_("no log of a run here that tells how it went")) from broken
    cuts: list[tuple[int, int]] = []
    for line in lines:
        if line.get("event") == "early cool-down":
            cuts.append((line["step"], line["steps_left"]))
        elif line.get("event") == "resume":  # what came after the checkpoint was lost
            cuts = [cut for cut in cuts if cut[0] <= line["step"]]
    return {
        "seed": start["seed"],
        "minutes": round(last["seconds"] / 60),
        "steps": last["step"],
        "planned_steps": start["steps"],
        "probe_tokens_per_s": start["probe_tokens_per_s"],
        "tokens": last["tokens"],
        "parameters": start["parameters"],
        "cool_downs": cuts,
        "threads": start.get("threads"),  # older logs do not say
        "notes": [line["note"] for line in lines if line.get("event") == "note"],
        "after": start.get("after"),  # the facts of the run whose weights it began from
        "teachers": start.get("teachers", []),  # the facts of the runs whose models taught it
    }


def command(recipe: Recipe, facts: Mapping[str, Any]) -> str:
    """What makes the run again, bit for bit on a machine of the same kind."""
    parts = ["python -m core.training", recipe.model, "--tier", recipe.tier, "--corpora DIR",
             "--seed", facts["seed"], "--steps", facts["planned_steps"]]  # fmt: skip
    for at, count in facts["cool_downs"]:
        parts += ["--cool-down-at", at, count]
    if facts["threads"] is not None:
        parts += ["--threads", facts["threads"]]
    return " ".join(map(str, parts))


def samples(model: LoadedModel) -> list[str]:
    """What the model says to fixed prompts, seed 0: good and bad alike, none picked."""
    if isinstance(model.model, MaskedLM):
        said = [f"- `{text}`: {_said(_hidden_words, model, text)}" for text in HIDDEN_WORDS]
        return said + [f"- `{a}` / `{b}`: {_said(_follows, model, a, b)}" for a, b in PAIRS]
    return [f"- **{prompt}**{_said(_continued, model, prompt)}" for prompt in PROMPTS]


def _said(ask: Callable[..., str], model: LoadedModel, *texts: str) -> str:
    try:
        return ask(model, *texts)
    except InputTooLongError:  # a try-out with a tiny vocabulary and context
        return " (does not fit its context)"


def _hidden_words(model: LoadedModel, text: str) -> str:
    guesses = fill_masks(model, text, 5)
    return "; ".join(", ".join(f"{p.token} {p.prob:.2f}" for p in best) for best in guesses)


def _follows(model: LoadedModel, first: str, second: str) -> str:
    return f"follows with {next_sentence(model, first, second):.2f}"


def _continued(model: LoadedModel, prompt: str) -> str:
    sampling = Sampling(temperature=0.8, top_k=50, top_p=0.95, seed=0)
    steps = generate(model, prompt, max_new=50, sampling=sampling)
    return " ".join(model.decode([step.token for step in steps]).splitlines())


def _figures(metrics: Mapping[str, float]) -> list[str]:
    """The table of measured figures."""
    lines = ["| measure | value |", "|---|---|"]
    heads = ("induction", "previous_token", "first_token")
    for name, value in sorted(metrics.items()):
        if not name.startswith(tuple(f"{kind}/" for kind in heads)):
            lines.append(f"| {name.replace('/', ', ')} | {value:.3f} |")
    for kind in heads:
        if any(name.startswith(kind + "/") for name in metrics):
            head, score = best_head(dict(metrics), kind)
            lines.append(
                f"| best {kind.replace('_', '-')} head, {head} (layer.head) | {score:.3f} |"
            )
    return lines


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
}


def _sources(recipes: Sequence[Recipe]) -> list[str]:
    """The text of each run and its shares, and how they changed on the way."""
    mixes: list[Sequence[float]] = []
    notes: list[str] = []
    for recipe in recipes:
        mixes.append([source.weight for source in recipe.sources])
        if recipe.after is not None:
            notes.append(f"Share {len(mixes)} is where the {recipe.tier} run begins.")
        for mix in recipe.late:
            mixes.append(mix.weights)
            notes.append(
                f"Share {len(mixes)} counts from row {mix.first_row:,} (step "
                f"{mix.first_row // recipe.rows:,}) on."
            )
    shares = [f"share {n}" for n in range(1, len(mixes) + 1)] if notes else ["share of rows"]
    columns = ["source", *shares, "licence", "credit"]
    rows = [columns, ["---"] * len(columns)]
    for i, source in enumerate(recipes[-1].sources):
        of_all = [mix[i] / sum(mix) for mix in mixes]
        said = [f"{share:.0%}" if share >= 0.01 else f"{share:.1%}" for share in of_all]
        rows.append([source.name, *said, source.licence, source.credit])
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if notes:
        lines += ["", " ".join(["Shares of the rows.", *notes])]
    return lines


def _runs(recipe: Recipe, facts: Mapping[str, Any]) -> list[tuple[Recipe, Mapping[str, Any]]]:
    """All runs that a run's weights come from, each with its facts, in order; the last is itself.

    Those are the runs whose weights it began from and those whose models taught it. The same
    command means the same run, of which one log may say more than another.
    """
    found: list[tuple[Recipe, Mapping[str, Any]]] = []
    behind = [(recipe.after, facts.get("after"))]
    if recipe.teaching is not None:
        behind += zip(recipe.teaching.tiers, facts["teachers"], strict=True)
    for tier, its in behind:
        if tier is not None and its is not None:
            known = {command(*run) for run in found}
            earlier = _runs(RECIPES[recipe.model, tier], its)
            found += [run for run in earlier if command(*run) not in known]
    return [*found, (recipe, facts)]


def _how(recipe: Recipe, facts: Mapping[str, Any]) -> list[str]:
    """One run: its command, its length, what was done to rows, losses and context."""
    cuts, threads, probe = facts["cool_downs"], facts["threads"], facts["probe_tokens_per_s"]
    said = [f"It began from what the {recipe.after} run gave."] if recipe.after else []
    said += [
        f"{facts['tokens'] / 1e6:.1f} M tokens in {facts['steps']} steps, "
        f"{facts['minutes']} minutes"
        + (f", CPU threads {threads}" if threads else "")
        + f", seed {facts['seed']}.",
        (f"A probe of {probe:,} tokens/s planned " if probe else "Planned were ")
        + f"{facts['planned_steps']} steps"
        + "".join(f"; at step {at} the clock set {count} more" for at, count in cuts)
        + ".",
        *facts.get("notes", ()),  # older logs have none
    ]
    before = _context(recipe, recipe.after or recipe.tier)
    grew = recipe.config.n_ctx > before
    if grew:
        said.append(
            f"The context grew from {before} to {recipe.config.n_ctx} tokens: the "
            "later half of the position table was taken again for the new rows."
        )
    if recipe.kept:
        other = f"what the {recipe.kept_of} run gave" if recipe.kept_of else "those it began from"
        said.append(
            f"What it gives lies between this run's weights ({1 - recipe.kept:.0%}) and {other} "
            f"({recipe.kept:.0%}), on a straight line (Wortsman et al. 2022)"
            + ("; the position table is this run's where it grew." if grew else ".")
        )
    if recipe.teaching is not None:
        taught = recipe.teaching
        said.append(
            f"Of every {recipe.micro_rows} rows {taught.rows} were learnt from the mean prediction "
            f"of what the runs {', '.join(taught.tiers)} gave, not from what their text says "
            f"(Hinton et al. 2015), those of {', '.join(taught.first)} before others. "
            f"{taught.share:.0%} of the rows were text that these models wrote for it: "
            f"{taught.written:,} rows of documents that begin with 2 to 12 tokens of one of "
            f"{taught.prompts}."
        )
        short = [t for t in taught.tiers if _context(recipe, t) < recipe.config.n_ctx]
        if short:
            said.append(
                f"For that the position table of {', '.join(short)} was continued with its own "
                "later half."
            )
    if recipe.repeats:
        said.append(
            f"{recipe.repeats:.0%} of the rows said every passage twice, which makes induction "
            "heads form early."
        )
    dropped = [f"{s.name} {s.dropout:.0%}" for s in recipe.sources if s.dropout]
    if dropped:
        said.append(f"Rows of small sources had dropout: {', '.join(dropped)}.")
    if recipe.model == "bert":
        said.append(
            f"{recipe.mask_rate:.0%} of the tokens were hidden, as whole words (the figures below "
            "are for 15 %)."
        )
        if recipe.after is None:
            said.append(
                "Positions started as sinusoids and keys as queries; `core/models/bert.py` says "
                "why."
            )
    said += [
        f"From row {first:,} on the losses (hidden words, next sentence) counted "
        f"{', '.join(f'{w:g}' for w in weights)}."
        for first, weights in recipe.loss_weights
    ]
    return [f"`{command(recipe, facts)}`", "", " ".join(said)]


def _context(recipe: Recipe, tier: Tier) -> int:
    """Tokens that the same model reads at once in another tier."""
    return RECIPES[recipe.model, tier].config.n_ctx


def write_card(
    recipe: Recipe, model: LoadedModel, metrics: Mapping[str, float], facts: Mapping[str, Any]
) -> str:
    """The card as Markdown."""
    c = recipe.config
    runs = _runs(recipe, facts)
    return "\n".join(
        [
            f"# {recipe.model.upper()} ({facts['parameters'] / 1e6:.1f} M parameters)",
            "",
            f"{c.n_layers} layers, {c.n_heads} heads, d_model {c.d_model}, d_ff {c.d_ff}, "
            f"context {c.n_ctx}, vocabulary {c.vocab_size}. English.",
            "",
            f"**Licence of the weights: {WEIGHTS_LICENCE}**, as some of the training text asks.",
            "",
            "## Made from",
            "",
            *_sources([run for run, _facts in runs]),
            "",
            "## How",
            "",
            *(
                [f"In {len(runs)} runs: "
                 f"{sum(f['tokens'] for _run, f in runs) / 1e6:.1f} M tokens in "
                 f"{sum(f['minutes'] for _run, f in runs)} minutes.", ""]
                if len(runs) > 1 else []
            ),
            *(line for run, its in runs for line in (*_how(run, its), "")),
            "## How good",
            "",
            f"Printed again by `python -m core.training evaluate {recipe.model} --corpora DIR`. "
            + MEASURED[recipe.model],
            "",
            *_figures(metrics),
            "",
            "## What it gets wrong",
            "",
            KNOWN_FAILURES[recipe.model],
            "",
            *samples(model),
            "",
        ]
    )  # fmt: skip


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
}
