"""Each toy learns for a moment, and a card is written of it: rows of ``shown.DEEDS``."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core import zoo
from core.language import name_of
from core.locale import in_short
from core.models.rnn import RNNConfig
from core.training.beginning import Beginning, anew, try_card
from core.training.buckets import BucketShape
from core.training.finish import measure_run, run_facts
from core.training.loop import Trainer
from core.training.optimisers import Optimiser
from core.training.progress import Progress, RunSettings
from core.training.recipe import CardWords, Recipe, Schedule, Standard
from core.training.rundir import MODEL
from core.training.sources import CorpusFile
from core.training.tasks.next_token import NextToken
from core.training.tasks.pictures import PictureLabels
from core.training.tasks.task import Corpora, Mix, Task
from core.training.tasks.translation import TranslationPairs
from tests.conftest import LETTERS
from tests.machines import shelf
from tests.machines.characters import CharactersConfig
from tests.machines.doing import done
from tests.machines.eyes import EyesConfig
from tests.machines.relative import RelativeConfig
from tests.machines.rnn import RNNConfig as LooksConfig
from tests.machines.seer import SeerConfig
from tests.machines.sorting import Sorting
from tests.machines.toys import KINDS, TOYS
from tests.training import corpora

STEPS = 16
LABELS = ("prose", "verse", "list")


def _source(name: str, file: str, valid: str | None = None) -> CorpusFile:
    return CorpusFile(name, file, "CC0-1.0", "made up", valid=valid)


MIX = Mix(24, {"stories": 1.0})
STORIES = NextToken(
    (_source("stories", "text_tinystories.txt.xz", "valid_wiki.txt.xz"),), MIX, MIX, tokens=192
)
SENTENCES = TranslationPairs(
    (_source("sentences", "mt_tatoeba_en_fr_train.tsv.xz"),), "fr", "en", (BucketShape(16, 8),),
    "mt_tatoeba_en_fr_dev.tsv.xz",
)  # fmt: skip
SQUARES = PictureLabels(
    _source("squares", "squares.npz", "squares_unseen.npz"), KINDS, batch=16, shift=1
)
SORTED = Sorting(
    tuple(_source(kind, f"{kind}.txt.xz", f"{kind}_unseen.txt.xz") for kind in LABELS),
    LETTERS.alphabet, n=20, batch=12,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a toy learns.

    Attributes:
        task: the way of learning.
        network: its sizes.
        measure: that its card has.
        sizes: what its card says of them.
    """

    task: Task
    network: Any
    measure: str
    sizes: str


BLEU, ACCURACY = "bleu/mt_tatoeba_en_fr_dev", "accuracy/squares_unseen"
LESSONS: Mapping[str, Lesson] = {
    "looks": Lesson(
        SENTENCES, LooksConfig(300, 24, 8, 1, 1, 2), BLEU,
        "1 in both directions + 1 layers of GRU cells, d_model 8, context 24, vocabulary 300.",
    ),
    "summary": Lesson(
        SENTENCES, RNNConfig(300, 24, 8, 1, 2, attention=False), BLEU,
        "1 in both directions + 1 layers of GRU cells, d_model 8, states of 8 + 16, context 24, "
        "vocabulary 300.",
    ),
    "relative": Lesson(
        STORIES, RelativeConfig(300, 24, 12, 2, 2, 5, 20), "bits_per_byte/valid_wiki",
        "2 layers, 2 heads, d_model 12, d_ff 20, context 24, vocabulary 300.",
    ),
    "letters": Lesson(
        SORTED, CharactersConfig(LETTERS.n_entries, 48, 6, 4, 2, LABELS), "accuracy/unseen",
        "2 layers of LSTM cells in both directions, d_model 6, states of 4, context 48, "
        "29 characters.",
    ),
    "seer": Lesson(
        SQUARES, SeerConfig(28, 28, 7, 16, 2, 2, KINDS), ACCURACY,
        "2 layers, 2 heads, patches of 7 x 7 pixels, pictures of 28 x 28 pixels, d_model 16, "
        "d_ff 32.",
    ),
    "eyes": Lesson(
        SQUARES, EyesConfig(28, 28, (3, 4), KINDS), ACCURACY,
        "Convolutions of 3 + 4 kernels, pictures of 28 x 28 pixels.",
    ),
}  # fmt: skip


def squares(path: Path, n: int, seed: int) -> None:
    """Pictures whose label says how many bright squares they hold, wherever these are."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % len(KINDS)
    images = rng.integers(0, 60, (n, 28, 28), np.uint8)
    for image, label in zip(images, labels, strict=True):
        for cell in rng.permutation(16)[: (0, 1, 4, 9)[label]]:
            row, column = 7 * (cell // 4), 7 * (cell % 4)
            image[row + 1 : row + 6, column + 1 : column + 6] = 255
    np.savez(path, images=images, labels=labels.astype(np.uint8))


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """Made-up examples of everything that is learned here."""
    directory = corpora.write(tmp_path_factory.mktemp("corpora"), 200)
    squares(directory / "squares.npz", 300, 0)
    squares(directory / "squares_unseen.npz", 20, 1)
    rng = random.Random(0)
    for kind, letters in zip(LABELS, ("abcdef ", "ghijkl ", "mnopqr."), strict=True):
        for name, n in ((kind, 300), (f"{kind}_unseen", 6)):
            texts = ["x" + "".join(rng.choices(letters, k=24)) + "x" for _ in range(n)]
            corpora.pack(directory / f"{name}.txt.xz", "\n\n".join(texts))
    return directory


def recipe_of(toy: str) -> Recipe:
    """A few steps on any machine."""
    lesson = LESSONS[toy]
    return Recipe(
        id=toy, tier="tiny", task=lesson.task, network=lesson.network,
        optimiser=Optimiser(lr=1e-2), minutes=1, standard=Standard(measures=(lesson.measure,)),
        says=CardWords(knows="Made-up examples", measured="On a few.", failures="Nearly all."),
        schedule=Schedule(warmup=3), compiled=False, bfloat16=False,
    )  # fmt: skip


@dataclass(frozen=True)
class Taught:
    """What is left of a run, and what it was at the beginning."""

    began: Beginning
    first: float
    last: float
    progress: Progress
    out: Path


def loss_of(recipe: Recipe, trainer: Trainer) -> float:
    """On its first examples, read once more."""
    trainer.model.eval()
    batches = list(itertools.islice(trainer.examples.batches("stable"), 4))
    with torch.inference_mode():
        losses = [recipe.task.losses(trainer.model, batch.examples) for batch in batches]
    trainer.model.train()
    return sum(float(loss) for by_name in losses for loss in by_name.values()) / len(losses)


@pytest.fixture(scope="module")
def teach(files, tmp_path_factory) -> Callable[[str], Taught]:
    """A run of a toy, once each."""
    kept: dict[str, Taught] = {}

    def run(toy: str) -> Taught:
        if toy not in kept:
            out, recipe = tmp_path_factory.mktemp(toy), recipe_of(toy)
            began = anew(recipe, files, out, zoo.SHELF, 7)
            settings = RunSettings(out, 1.0, torch.device("cpu"), STEPS, compile=False, bf16=False)
            there = Corpora(files, out / "cache", began.encoders, 7)
            trainer = Trainer(recipe, began.model, there, settings, lambda _line: None)
            first = loss_of(recipe, trainer)
            progress = trainer.run()
            kept[toy] = Taught(began, first, loss_of(recipe, trainer), progress, out)
        return kept[toy]

    return run


@pytest.fixture(autouse=True)
def _registered(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.register(monkeypatch, request.node.callspec.params["toy"])


@pytest.mark.parametrize("toy", TOYS)
def test_it_learns_and_leaves_its_weights(toy, teach):
    taught = done("trained", toy, lambda: teach(toy))
    assert taught.progress.step == STEPS
    assert taught.last < 0.95 * taught.first
    left = zoo.load(str(taught.out / MODEL), "cpu")
    assert left.config == LESSONS[toy].network
    assert left.encoders.fingerprint == taught.began.encoders.fingerprint
    for name, weights in taught.began.model.state_dict().items():
        torch.testing.assert_close(left.model.state_dict()[name].to(torch.bfloat16),
                                   weights.to(torch.bfloat16))  # fmt: skip


@pytest.mark.parametrize("toy", TOYS)
def test_its_card_names_its_sizes_and_figures(toy, teach, files):
    taught, recipe, lesson = teach(toy), recipe_of(toy), LESSONS[toy]
    facts = run_facts(recipe, taught.progress, 7, earlier=0, from_shelf=False, made_at="abc1234")
    left = done("card", toy, lambda: measure_run(recipe, taught.out, [facts], files))
    lines = left.card.splitlines()
    n = sum(one.numel() for one in taught.began.model.parameters())
    assert lines[0] == f"# {name_of(toy)} ({in_short(n)} parameters)"
    assert lines[2] == f"{lesson.sizes} Made-up examples."
    for source in recipe.task.sources:
        assert f"| {source.name} | CC0-1.0 | made up |" in lines
    figure = f"| {lesson.measure.replace('/', ', ')} | {left.metrics[lesson.measure]:.3f} |"
    assert figure in lines
    assert f"| run | {recipe.task.counts} | minutes | made by |" in lines
    assert any(line.startswith("- ") for line in lines)


@pytest.mark.parametrize("toy", TOYS)
def test_its_card_is_tried_before_the_first_step(toy, teach):
    assert f"{LESSONS[toy].sizes} Made-up examples." in try_card(teach(toy).began)
