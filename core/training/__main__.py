"""Train, measure, shelve: ``python -m core.training gpt --corpora DIR``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import torch

from core import zoo
from core.data import recorded
from core.data.measured import BY_LENGTH, FOLDER
from core.device import resolve_device
from core.errors import CoreError, ParameterError
from core.language import N_, Phrase
from core.live_training.schedules import falls_of
from core.locale import Choice
from core.studies.curves import calibration, warm_up
from core.studies.curves.record import record
from core.studies.digits import command as of_digits
from core.studies.film.command import add_arguments, film
from core.studies.lengths import record_lengths
from core.training.beginning import (
    Beginning,
    anew,
    as_before,
    from_shelf,
    read_as_shipped,
    try_card,
)
from core.training.cards import RECIPE
from core.training.finish import commit, measure_run, run_facts, shelve
from core.training.interrupting import INTERRUPTED, interruptible
from core.training.loop import Trainer
from core.training.measures.units import unit_hits
from core.training.progress import RunSettings
from core.training.queue import work
from core.training.recipe import Recipe, Tier
from core.training.recipes import RECIPES
from core.training.rundir import MODEL, append_log, check_free
from core.training.tasks.task import Corpora
from core.training.team import own_device


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m core.training", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    ids = sorted({recipe_id for recipe_id, _ in RECIPES})
    for name in ids:
        _add_training(actions.add_parser(name, help=f"train {name}, measure it and write its card"))
    evaluate = actions.add_parser("evaluate", help="measure a model's card figures again")
    evaluate.add_argument("model", help="an id of the shelf, or a model directory")
    evaluate.add_argument("--corpora", type=Path, required=True)
    evaluate.add_argument("--device", default="auto")
    units = actions.add_parser("units", help="measure what hidden units of the last layer mean")
    units.add_argument("model", help="an id of the shelf, or a model directory")
    units.add_argument("--corpora", type=Path, required=True)
    units.add_argument("--unit", type=int, default=394, help="default: the one the app shows, 394")
    units.add_argument("--device", default="auto")
    put = actions.add_parser("shelve", help="put a finished run on the shelf, if it is better")
    put.add_argument("model", choices=ids)
    put.add_argument("--run", type=Path, help="default: runs/<model>-<tier>")
    put.add_argument(
        "--instead", action="store_true", help="even if it is not better: of other data, say"
    )
    queue = actions.add_parser("queue", help="train whatever is missing or gains most")
    _add_queue(queue)
    _add_lengths(actions.add_parser("lengths", help="record the translators' BLEU by length"))
    curves = actions.add_parser("curves", help="train small models for their curves alone")
    curves.add_argument("variants", nargs="*", help="default: all")
    curves.add_argument("--corpora", type=Path, required=True)
    curves.add_argument("--out", type=Path, default=recorded.FOLDER)
    curves.add_argument("--steps", type=int, help="default: those of the budget")
    curves.add_argument("--seed", type=int, default=0)
    curves.add_argument("--cache", type=Path, default=Path(".cache/tokens"))
    curves.add_argument("--threads", type=int, help="CPU threads; default: torch's own")
    calibration.add_arguments(actions.add_parser("calibration", help="how sure two models are"))
    warm_up.add_arguments(actions.add_parser("warm-up", help="learn with several warm-ups"))
    add_arguments(actions.add_parser("film", help="train one small GPT, keep it as it learns"))
    of_digits.add_arguments(actions.add_parser("digits", help="train the generator of digits"))
    for command in (put, queue):
        command.add_argument("--tier", default="cpu", choices=get_args(Tier))
        command.add_argument("--shelf", type=Path, default=zoo.SHELF)
    return parser.parse_args(argv)


def _add_queue(queue: argparse.ArgumentParser) -> None:
    queue.add_argument("--hours", type=float, required=True)
    queue.add_argument("--corpora", type=Path, required=True)
    queue.add_argument("--threads", type=int, help="CPU threads; default: torch's own")


def _add_lengths(lengths: argparse.ArgumentParser) -> None:
    lengths.add_argument("--corpora", type=Path, required=True)
    lengths.add_argument("--out", type=Path, default=FOLDER / f"{BY_LENGTH}.json")
    lengths.add_argument("--device", default="auto")
    lengths.add_argument("--shelf", type=Path, default=zoo.SHELF)


def _add_training(train: argparse.ArgumentParser) -> None:
    train.add_argument("--corpora", type=Path, required=True)
    train.add_argument("--tier", default="cpu", choices=get_args(Tier))
    train.add_argument("--minutes", type=float, help="default: the recipe's")
    train.add_argument("--from-shelf", action="store_true", help="go on from the shipped weights")
    train.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    train.add_argument("--out", type=Path, help="default: runs/<model>-<tier>")
    train.add_argument("--seed", type=int, default=0)
    train.add_argument("--steps", type=int, help="so many, whatever the clock")
    train.add_argument(
        "--cool-down-at",
        type=falls_of,
        default=(),
        metavar="STEP:COUNT,...",
        help="let the rate fall from STEP on, for COUNT steps, as a run's clock planned it",
    )
    train.add_argument(
        "--again", type=int, metavar="N", help="as run N on the card of the shipped weights was"
    )
    train.add_argument("--device", default="auto")
    train.add_argument("--threads", type=int, help="CPU threads; default: torch's own")
    train.add_argument("--no-compile", action="store_true")
    train.add_argument("--fp32", action="store_true", help="no bfloat16")
    train.add_argument("--cache", type=Path, default=Path(".cache/tokens"))
    train.add_argument("--shelf", type=Path, default=zoo.SHELF)


def _run_of(arguments: argparse.Namespace, recipe_id: str, named: Path | None) -> Path:
    """A run's directory: the one that was named, or where its recipe's runs lie."""
    return named or Path("runs") / f"{recipe_id}-{arguments.tier}"


def train(arguments: argparse.Namespace) -> int:
    """Train one model by its recipe; leave its weights, card and metrics in the run's directory."""
    if arguments.again is not None:
        _take_over(arguments, as_before(arguments.shelf, arguments.action, arguments.again))
    recipe = RECIPES[arguments.action, arguments.tier]
    out = _run_of(arguments, recipe.id, arguments.out)
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    torch.set_flush_denormal(True)
    if not arguments.resume:
        check_free(out)
        if arguments.again is not None:
            read_as_shipped(recipe.id, arguments.shelf, out)
    made_at = commit()
    begun = _begin(arguments, recipe, out)
    recipe = begun.recipe
    corpora = Corpora(arguments.corpora, arguments.cache, begun.encoders, arguments.seed)
    print(f"{recipe.id}, {recipe.tier} tier: reading the corpora", flush=True)
    settings = _settings(arguments, recipe, out)
    trainer = Trainer(recipe, begun.model, corpora, settings, _say)
    if trainer.team.leads and not arguments.resume:
        try_card(begun)
    with interruptible(trainer):
        progress = trainer.run()
        trainer.leave()
    if not progress.done:
        print(f"stopped at step {progress.step}; --resume goes on, {out / MODEL} can be used")
        return INTERRUPTED
    if trainer.team.leads:
        facts = run_facts(
            recipe, progress, arguments.seed, earlier=len(begun.runs),
            from_shelf=arguments.from_shelf, made_at=made_at,
        ) | {"compiled": settings.compile, "bfloat16": settings.bf16}  # fmt: skip
        append_log(out, {"event": "end", **facts})
        print(measure_run(recipe, out, [*begun.runs, facts], arguments.corpora).card)
    return 0


def _take_over(arguments: argparse.Namespace, facts: Mapping[str, Any]) -> None:
    """Let a run be carried out as an earlier one was."""
    arguments.tier, arguments.seed = facts["tier"], facts["seed"]
    arguments.threads = facts["threads"]
    arguments.cool_down_at = falls_of(facts["falls"])
    # Runs of before these were written down were as the recipe says.
    arguments.no_compile |= not facts.get("compiled", True)
    arguments.fp32 |= not facts.get("bfloat16", True)


def _begin(arguments: argparse.Namespace, recipe: Recipe, out: Path) -> Beginning:
    if arguments.from_shelf:
        return from_shelf(recipe, arguments.shelf)
    return anew(recipe, arguments.corpora, out, arguments.shelf, arguments.seed)


def _settings(arguments: argparse.Namespace, recipe: Recipe, out: Path) -> RunSettings:
    return RunSettings(
        out=out,
        minutes=recipe.minutes if arguments.minutes is None else arguments.minutes,
        device=own_device(resolve_device(arguments.device)),
        steps=arguments.steps,
        falls=arguments.cool_down_at,
        compile=recipe.compiled and not arguments.no_compile,
        bf16=recipe.bfloat16 and not arguments.fp32,
        resume=arguments.resume,
        from_shelf=arguments.from_shelf,
    )


def _say(line: str) -> None:
    print(line, flush=True)


def _recipe_of(model: zoo.LoadedModel) -> Recipe:
    """The recipe that a model was made by: as its card says, or that of its architecture's name.

    Raises:
        ParameterError: there is no such recipe.
    """
    name = str(model.metrics.get(RECIPE, model.architecture))
    if (name, "cpu") not in RECIPES:
        choices = Choice(sorted({recipe_id for recipe_id, _ in RECIPES}))
        raise ParameterError(
            "model", model.id, Phrase(N_("made by one of the recipes {choices}"), choices=choices)
        )
    return RECIPES[name, "cpu"]


def evaluate(arguments: argparse.Namespace) -> int:
    """Print a model's figures, measured now."""
    model = zoo.load(arguments.model, arguments.device)
    task = _recipe_of(model).task
    for name, value in sorted(task.measure(model, arguments.corpora).items()):
        print(f"{name:32s} {value:.4f}")
    return 0


def units(arguments: argparse.Namespace) -> int:
    """Print how often the tokens that a unit promotes follow where it is most active."""
    model = zoo.load(arguments.model, arguments.device)
    sources = _recipe_of(model).task.sources
    hits = unit_hits(
        model, [arguments.corpora / source.valid for source in sources if source.valid]
    )
    n = len(hits.shares)
    if not 0 <= arguments.unit < n:
        raise ParameterError(
            "unit", arguments.unit, Phrase(N_("between {low} and {high}"), low=0, high=n - 1)
        )
    print(f"unit {arguments.unit}: {hits.shares[arguments.unit]:.1%}")
    print(f"by chance: {hits.chance:.1%}")
    print(f"units that reach one half: {int((hits.shares >= 0.5).sum())} of {n}")
    return 0


def lengths(arguments: argparse.Namespace) -> int:
    """Record what BLEU by length is computed from, for each translator on the shelf."""
    record_lengths(arguments.shelf, arguments.corpora, arguments.out, arguments.device, _say)
    return 0


def put_on_shelf(arguments: argparse.Namespace) -> int:
    """Put a run's model on the shelf, if it is better than what is there; say why if not."""
    recipe = RECIPES[arguments.model, arguments.tier]
    run = _run_of(arguments, recipe.id, arguments.run)
    verdict = shelve(recipe, run, arguments.shelf, instead=arguments.instead)
    print(f"{recipe.id} is {'on the shelf' if verdict.shelved else 'not shelved'}:")
    print("\n".join(f"  {reason}" for reason in verdict.reasons))
    return 0 if verdict.shelved else 1


def queue(arguments: argparse.Namespace) -> int:
    """Train and shelve for some hours."""
    recipes = [recipe for (_, tier), recipe in RECIPES.items() if tier == arguments.tier]
    common = ["--tier", arguments.tier, "--corpora", str(arguments.corpora)]
    if arguments.threads:
        common += ["--threads", str(arguments.threads)]
    work(recipes, arguments.hours * 60, arguments.shelf, common, _say)
    return 0


def curves(arguments: argparse.Namespace) -> int:
    """Train small models side by side and write their curves."""
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    record(
        arguments.variants, arguments.corpora, arguments.out, cache_at=arguments.cache,
        seed=arguments.seed, steps=arguments.steps, report=_say,
    )  # fmt: skip
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; a user's mistake is one line on standard error and exit status 2."""
    arguments = _arguments(sys.argv[1:] if argv is None else argv)
    acts = {"evaluate": evaluate, "units": units, "shelve": put_on_shelf, "queue": queue,
            "lengths": lengths, "curves": curves,
            "calibration": lambda arguments: calibration.command(arguments, _say),
            "warm-up": lambda arguments: warm_up.command(arguments, _say),
            "digits": lambda arguments: of_digits.digits(arguments, _say),
            "film": lambda arguments: film(arguments, _say)}  # fmt: skip
    try:
        return acts.get(arguments.action, train)(arguments)
    except CoreError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
