"""``python -m core.training gpt --tier cpu --corpora DIR``: one command a model."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from core import zoo
from core.checkpoints import native
from core.checkpoints.native import TOKENIZER_FILE
from core.device import resolve_device
from core.errors import CheckpointError, CoreError, ParameterError
from core.language import N_, Phrase
from core.models.bert import BERT, BERTConfig
from core.models.gpt import GPT
from core.seeds import checked_seed
from core.text.tokenizer import Tokenizer, train_byte_bpe, train_wordpiece
from core.training.batches import make_batches
from core.training.cards import run_facts, write_card
from core.training.data import Ids, load_stream, tokenizer_sample
from core.training.evaluation import evaluate as measure
from core.training.loop import (
    STATE_FILE,
    Objective,
    Settings,
    Trainer,
    finished_weights,
    own_device,
    read_state,
    take_weights,
)
from core.training.objectives import (
    PairBatch,
    masked_word_losses,
    next_token_loss,
    taught_losses,
)
from core.training.recipes import RECIPES, Recipe
from core.training.teaching import WRITTEN_FILE, keep_rows, write_rows


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m core.training", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    models = sorted({model for model, _ in RECIPES})
    tiers = sorted({tier for _, tier in RECIPES})
    for model in models:
        train = actions.add_parser(model, help=f"train {model}")
        train.add_argument("--tier", default="cpu", choices=tiers)
        train.add_argument("--corpora", type=Path, required=True)
        train.add_argument("--out", type=Path, help="default: runs/<model>-<tier>")
        train.add_argument(
            "--after", type=Path, help="of a tier that goes on from another: that finished run"
        )
        train.add_argument(
            "--teacher",
            type=Path,
            action="append",
            help="of a tier that learns from others: their finished runs, in the recipe's order",
        )
        train.add_argument("--cache", type=Path, default=Path(".cache/tokens"))
        train.add_argument("--seed", type=int, default=0)
        train.add_argument("--minutes", type=float, help="of a probed run; default: the recipe's")
        train.add_argument("--steps", type=int, help="instead of the probe, whatever the clock")
        train.add_argument(
            "--cool-down-at",
            type=int,
            nargs=2,
            action="append",
            default=[],
            metavar=("STEP", "COUNT"),
            help="with --steps: cool down from STEP on, for COUNT steps, as a run's clock did; "
            "may be said again for a later step",
        )
        train.add_argument("--device", default="auto")
        train.add_argument("--threads", type=int, help="CPU threads; default: torch's own")
        train.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
        train.add_argument("--no-compile", action="store_true")
        train.add_argument("--fp32", action="store_true", help="no bfloat16")
    evaluate = actions.add_parser("evaluate", help="measure a shipped model's card figures again")
    evaluate.add_argument("model", help="an id of the shelf, or a model directory")
    evaluate.add_argument("--corpora", type=Path, required=True)
    evaluate.add_argument("--device", default="auto")
    ship = actions.add_parser("ship", help="measure a finished run and put it on the shelf")
    ship.add_argument("model", choices=models)
    ship.add_argument("--tier", default="cpu", choices=tiers)
    ship.add_argument("--run", type=Path, help="default: runs/<model>-<tier>")
    ship.add_argument("--corpora", type=Path, required=True)
    ship.add_argument("--to", type=Path, help="default: assets/zoo/<model>")
    return parser.parse_args(argv)


def evaluate(arguments: argparse.Namespace) -> None:
    """Print a model's figures, measured now."""
    model = zoo.load(arguments.model, arguments.device)
    sources = RECIPES[model.architecture, "cpu"].sources
    for name, value in sorted(measure(model, sources, arguments.corpora).items()):
        print(f"{name:32s} {value:.4f}")


def ship(arguments: argparse.Namespace) -> None:
    """Put a run's weights on the shelf, figures and card measured from the stored file."""
    recipe = RECIPES[arguments.model, arguments.tier]
    run = _out(recipe, arguments.run)
    target = arguments.to or zoo.SHELF / recipe.model
    network = _network(recipe, torch.Generator())
    take_weights(network, finished_weights(run, recipe), run)
    tokenizer = Tokenizer.from_file(run / TOKENIZER_FILE)
    facts = run_facts(run)
    with tempfile.TemporaryDirectory() as place:
        # Measured on what is on disk: rounding to bfloat16 is part of the model.
        native.save(Path(place) / recipe.model, recipe.model, network, tokenizer)
        stored = zoo.load(str(Path(place) / recipe.model))
    metrics = measure(stored, recipe.sources, arguments.corpora)
    card = write_card(recipe, stored, metrics, facts)
    native.save(
        target, recipe.model, network, tokenizer, card=card, metrics={**metrics, "run": facts}
    )
    print(card)


def _network(recipe: Recipe, generator: torch.Generator) -> BERT | GPT:
    if isinstance(recipe.config, BERTConfig):
        return BERT(recipe.config, generator)
    return GPT(recipe.config, generator)


def _objective(recipe: Recipe, teachers: Sequence[GPT] = ()) -> Objective:
    if isinstance(recipe.config, BERTConfig):

        def masked(model: BERT, *batch: Tensor) -> Tensor:
            return torch.stack(masked_word_losses(model, PairBatch(*batch)))

        return masked
    if recipe.teaching is not None:
        n_taught = recipe.teaching.rows

        def taught(model: GPT, rows: Tensor) -> Tensor:
            if not model.training:  # held-out text is judged as for every other run
                return next_token_loss(model, rows)[None]
            return torch.stack(taught_losses(model, teachers, rows, n_taught))

        return taught

    def causal(model: GPT, rows: Tensor) -> Tensor:
        return next_token_loss(model, rows)[None]

    return causal


def _tokenizer(recipe: Recipe, corpora: Path, out: Path, before: Path | None) -> Tokenizer:
    path = out / TOKENIZER_FILE
    if path.is_file():
        return Tokenizer.from_file(path)
    if before is not None:
        tokenizer = Tokenizer.from_file(before / TOKENIZER_FILE)
    else:
        train = train_wordpiece if isinstance(recipe.config, BERTConfig) else train_byte_bpe
        tokenizer = train(tokenizer_sample(recipe.sources, corpora), recipe.config.vocab_size)
    out.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}.json")  # other processes may be at it too
    tokenizer.save(partial)
    partial.replace(path)
    return tokenizer


def _run_before(recipe: Recipe, run: Path | None) -> Path | None:
    """The finished run whose weights a recipe begins from; None for one that begins anew.

    Raises:
        CheckpointError: it has not been trained.
    """
    if recipe.after is None:
        if run is not None:
            raise ParameterError(
                "after", str(run), Phrase(N_("left out: {tier} begins anew"), tier=recipe.tier)
            )
        return None
    return _run_of(RECIPES[recipe.model, recipe.after], run)


def _run_of(recipe: Recipe, named: Path | None) -> Path:
    """Where a recipe has been run.

    Raises:
        CheckpointError: nowhere.
    """
    run = _out(recipe, named)
    if not (run / STATE_FILE).is_file():
        raise CheckpointError(
            run, Phrase(N_("no finished run here; train --tier {tier} first"), tier=recipe.tier)
        )
    return run


def _teachers(recipe: Recipe, runs: Sequence[Path] | None) -> dict[Path, GPT]:
    """The models that a recipe learns from, by their runs; none for one without teaching.

    They read as much at once as their pupil.

    Raises:
        CheckpointError: one has not been trained to its end, or is of another model.
        ParameterError: more or fewer runs than the recipe has teachers.
    """
    tiers = recipe.teaching.tiers if recipe.teaching is not None else ()
    if runs is not None and len(runs) != len(tiers):
        raise ParameterError(
            "teacher",
            [str(run) for run in runs],
            Phrase(N_("given {n} times, or left out"), n=len(tiers)) if tiers else N_("left out"),
        )
    found: dict[Path, GPT] = {}
    for n, tier in enumerate(tiers):
        its = RECIPES[recipe.model, tier]
        run = _run_of(its, runs[n] if runs else None)
        model = _network(recipe, torch.Generator())
        assert isinstance(model, GPT)
        take_weights(model, _with_room(finished_weights(run, its), recipe.config.n_ctx), run)
        found[run] = model.eval().requires_grad_(False)
    return found


def _other_end(
    recipe: Recipe, began: dict[str, Tensor] | None, teachers: dict[Path, GPT]
) -> dict[str, Tensor] | None:
    """The weights that a run keeps a share of, if it does: those it began from, or a teacher's."""
    if not recipe.kept:
        return None
    if recipe.kept_of is None or recipe.teaching is None:
        return began
    teacher = list(teachers.values())[recipe.teaching.tiers.index(recipe.kept_of)]
    return {name: weight.cpu() for name, weight in teacher.state_dict().items()}


def _written(
    recipe: Recipe, teachers: Sequence[GPT], tokenizer: Tokenizer, arguments: argparse.Namespace
) -> Ids | None:
    """The rows that the teachers of a run write for it; what is resumed has them already."""
    teaching = recipe.teaching
    if teaching is None:
        return None
    out = _out(recipe, arguments.out)
    if not (arguments.resume and (out / WRITTEN_FILE).is_file()):
        print(f"{len(teachers)} teachers write {teaching.written:,} rows", flush=True)
        (source,) = (source for source in recipe.sources if source.name == teaching.prompts)
        prompts = load_stream(source, arguments.corpora, tokenizer, "train", arguments.cache)
        mark = tokenizer.end_of_text_id or 0
        n, n_ctx = teaching.written, recipe.config.n_ctx
        keep_rows(write_rows(teachers, prompts, n, n_ctx, mark, arguments.seed), out)
    rows: Ids = np.load(out / WRITTEN_FILE)
    return rows


def _out(recipe: Recipe, named: Path | None) -> Path:
    """A run's directory: the one that was named, or where its recipe's runs lie."""
    return named or Path("runs") / f"{recipe.model}-{recipe.tier}"


def _with_room(weights: dict[str, Tensor], n_ctx: int) -> dict[str, Tensor]:
    """Weights for a longer context: the later half of the position table once more, and again.

    Beltagy et al. 2020 (Longformer), section 5: copies keep what heads know of a position's
    neighbours, and a short training tells them apart. The first rows stay what they are alone:
    the start of a text is like no other place.
    """
    name = "embed.positions.weight"
    table = weights[name]
    later = table[len(table) // 2 :]
    times = -(-(n_ctx - len(table)) // len(later))
    return weights if times <= 0 else weights | {name: torch.cat([table, *[later] * times])[:n_ctx]}


def train(arguments: argparse.Namespace) -> None:
    """Train one model by its recipe and leave its weights in the run's directory."""
    recipe = RECIPES[arguments.action, arguments.tier]
    out = _out(recipe, arguments.out)
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    torch.set_flush_denormal(True)
    generator = torch.Generator().manual_seed(checked_seed(arguments.seed))
    model = _network(recipe, generator)
    before, began = _run_before(recipe, arguments.after), None
    if before is not None:
        assert recipe.after is not None
        began = finished_weights(before, RECIPES[recipe.model, recipe.after])
        take_weights(model, _with_room(began, recipe.config.n_ctx), before)
    teachers = _teachers(recipe, arguments.teacher)
    if arguments.resume:  # what cannot be resumed is said before the corpora are read
        take_weights(model, read_state(out, tier=recipe.tier)["model"], out)
    tokenizer = _tokenizer(recipe, arguments.corpora, out, before)
    device = own_device(resolve_device(arguments.device))
    teaching = [teacher.to(device) for teacher in teachers.values()]
    written = _written(recipe, teaching, tokenizer, arguments)
    print(f"{recipe.model}, {recipe.tier} tier: reading the corpora", flush=True)
    corpora, cache = arguments.corpora, arguments.cache
    batches = make_batches(recipe, corpora, tokenizer, "train", cache, arguments.seed, written)
    held_out = make_batches(recipe, corpora, tokenizer, "held_out", cache, arguments.seed)
    trainer = Trainer(
        recipe,
        model,
        _objective(recipe, teaching),
        batches,
        held_out,
        Settings(
            out=out,
            seed=arguments.seed,
            minutes=arguments.minutes or recipe.minutes,
            steps=arguments.steps,
            device=device,
            compile=not arguments.no_compile,
            bf16=not arguments.fp32,
            resume=arguments.resume,
            cool_down_at=tuple((at, count) for at, count in arguments.cool_down_at),
            threads=arguments.threads,
            after=None if before is None else run_facts(before),
            teachers=tuple(run_facts(run) for run in teachers),
        ),
        report=lambda line: print(line, flush=True),
        other_end=_other_end(recipe, began, teachers),
    )
    trainer.run()
    trainer.leave()


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; a user's mistake is one line on standard error and exit status 2."""
    arguments = _arguments(sys.argv[1:] if argv is None else argv)
    act = {"evaluate": evaluate, "ship": ship}.get(arguments.action, train)
    try:
        act(arguments)
    except CoreError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
