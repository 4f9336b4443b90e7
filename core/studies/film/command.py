"""Record the film: ``python -m core.training film --corpora DIR``."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable
from pathlib import Path

import torch

from core import zoo
from core.checkpoints.encoders import TOKENIZER_FILE
from core.encoders import Encoders
from core.film.index import FOLDER, Film
from core.live_training.schedules import falls_of
from core.models.gpt import GPT
from core.seeds import checked_seed
from core.studies.film.filming import FilmingTrainer
from core.studies.film.recipe import FILMS, TOKENIZER_OF
from core.text.smaller import first_entries
from core.training.cards import WEIGHTS_LICENCE
from core.training.finish import commit
from core.training.interrupting import INTERRUPTED, interruptible
from core.training.progress import RunSettings
from core.training.recipe import Recipe
from core.training.rundir import check_free, read_state
from core.training.tasks.task import Corpora


def add_arguments(film: argparse.ArgumentParser) -> None:
    """What the command takes."""
    film.add_argument("--corpora", type=Path, required=True)
    film.add_argument("--out", type=Path, default=FOLDER, help="default: the film that ships")
    film.add_argument("--run", type=Path, help="default: runs/film-<tier>")
    film.add_argument("--tier", choices=sorted(FILMS), default="cpu")
    film.add_argument("--minutes", type=float, help="default: the recipe's")
    film.add_argument("--steps", type=int, help="so many, whatever the clock")
    film.add_argument("--cool-down-at", type=falls_of, default=(), metavar="STEP:COUNT,...")
    film.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    film.add_argument("--seed", type=int, default=0)
    film.add_argument("--threads", type=int, help="CPU threads; default: torch's own")
    film.add_argument("--cache", type=Path, default=Path(".cache/tokens"))
    film.add_argument("--shelf", type=Path, default=zoo.SHELF)


def film(arguments: argparse.Namespace, say: Callable[[str], None]) -> int:
    """Train one small model and keep its weights now and then."""
    recipe = FILMS[arguments.tier]
    run = arguments.run or Path("runs") / f"film-{recipe.tier}"
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    torch.set_flush_denormal(True)
    if arguments.resume:
        read_state(run, recipe.tier)
    else:
        check_free(run)
    seed = checked_seed(arguments.seed)
    model = GPT(recipe.network, torch.Generator().manual_seed(seed))
    tokenizer = first_entries(
        arguments.shelf / TOKENIZER_OF / TOKENIZER_FILE, recipe.network.vocab_size
    )
    corpora = Corpora(arguments.corpora, arguments.cache, Encoders(tokenizer), seed)
    say(f"film, {recipe.tier} tier: reading the corpora")
    trainer = FilmingTrainer(
        recipe, model, corpora, _settings(arguments, recipe, run), say,
        _beginning(recipe, model, seed), arguments.out,
    )  # fmt: skip
    with interruptible(trainer):
        progress = trainer.run()
    if not progress.done:
        say(f"stopped at step {progress.step}; --resume goes on")
        return INTERRUPTED
    size = sum(file.bytes for file in trainer.film.files.values())
    say(f"{len(trainer.film.frames)} frames, {size / 1e6:.1f} MB -> {arguments.out}")
    return 0


def _settings(arguments: argparse.Namespace, recipe: Recipe, run: Path) -> RunSettings:
    return RunSettings(
        out=run,
        minutes=recipe.minutes if arguments.minutes is None else arguments.minutes,
        device=torch.device("cpu"),
        steps=arguments.steps,
        falls=arguments.cool_down_at,
        compile=recipe.compiled,
        bf16=recipe.bfloat16,
        resume=arguments.resume,
    )


def _beginning(recipe: Recipe, model: GPT, seed: int) -> Film:
    """The film of a recipe before its first frame."""
    threads = torch.get_num_threads()
    words = [f"--tier {recipe.tier}"] * (recipe.tier != "cpu") + [f"--threads {threads}"]
    words += [f"--seed {seed}"] * (seed != 0)
    task = dataclasses.asdict(recipe.task)  # type: ignore[call-overload]
    names = ("stable", "cool_down", "tokens", "repeats")
    return Film(
        command=" ".join(["python -m core.training film --corpora DIR", *words]),
        commit=commit(),
        tier=recipe.tier,
        seed=seed,
        threads=threads,
        done=False,
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        config=dataclasses.asdict(recipe.network),
        training={
            **{name: task[name] for name in names},
            "optimiser": dataclasses.asdict(recipe.optimiser),
            "schedule": dataclasses.asdict(recipe.schedule),
            "bfloat16": recipe.bfloat16,
        },
        licence=WEIGHTS_LICENCE,
        sources=tuple(
            {"name": source.name, "licence": source.licence, "credit": source.credit}
            for source in recipe.task.sources
        ),
        baselines={},
        curve=(),
        frames=(),
        files={},
    )
