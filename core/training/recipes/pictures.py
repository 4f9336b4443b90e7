"""Handwritten digits: a Vision Transformer, and a convolutional network of the same size."""

from __future__ import annotations

from typing import Any

from core.language import N_
from core.models.cnn import CNNConfig
from core.models.vit import ViTConfig
from core.training.optimisers import Optimiser
from core.training.recipe import CardWords, Recipe, Schedule, Standard
from core.training.sources import CorpusFile
from core.training.tasks.pictures import PictureLabels

MNIST = CorpusFile(
    "mnist",
    "mnist_train.npz",
    "CC BY-SA 3.0",
    "Yann LeCun and Corinna Cortes (MNIST)",
    valid="mnist_test.npz",
)
DIGITS = tuple("0123456789")
_ACCURACY = "accuracy/mnist_test"
_FLOOR = Standard(measures=(_ACCURACY,), at_least={_ACCURACY: 0.985})
_MEASURED = N_(
    "The share of 5,000 test pictures whose label gets the highest probability. Each picture is "
    "shown once, unchanged."
)
_VIT = CardWords(
    knows=N_("Handwritten digits"),
    measured=_MEASURED,
    failures=N_(
        "It knows only digits. A letter or a face becomes the digit that it is least unlike, and "
        "the model is often very sure. Drawings that are thin, small or far from the middle are "
        "unlike anything it has seen. Below are its answers to our own drawings and to some test "
        "pictures."
    ),
)
_CNN = CardWords(
    knows=N_("Handwritten digits"),
    measured=_MEASURED,
    failures=N_(
        "It knows only digits. A letter or a face becomes the digit that it is least unlike, and "
        "the model is often very sure. It is here to be compared with the Vision Transformer, "
        "which has about as many parameters. Below are its answers to our own drawings and to some"
        " test pictures."
    ),
)


def _task(batch: int) -> PictureLabels:
    return PictureLabels(MNIST, DIGITS, batch=batch, shift=2)


def _vit(d_model: int, n_layers: int, n_heads: int) -> ViTConfig:
    return ViTConfig(28, 28, 4, DIGITS, d_model, n_layers, n_heads, d_ff=4 * d_model)


def _cnn(*filters: int, d_hidden: int) -> CNNConfig:
    return CNNConfig(28, 28, DIGITS, filters, d_hidden)


def _tiny(model_id: str, network: Any, says: CardWords) -> Recipe:
    """A minute on any machine: what the tests and a first try run."""
    return Recipe(
        id=model_id,
        tier="tiny",
        task=_task(16),
        network=network,
        optimiser=Optimiser(lr=5e-3, muon=False),
        minutes=1,
        standard=Standard(measures=(_ACCURACY,)),
        says=says,
        schedule=Schedule(warmup=5),
        batches={"stable": 2, "cool-down": 2},
    )


RECIPES = (
    Recipe(
        id="vit",
        tier="cpu",
        task=_task(128),
        network=_vit(96, 4, 4),
        optimiser=Optimiser(lr=2e-3, weight_decay=0.05),
        minutes=60,
        standard=_FLOOR,
        says=_VIT,
        schedule=Schedule(cooldown=0.6, floor=0.02),
    ),
    Recipe(
        id="vit",
        tier="gpu",
        task=_task(512),
        network=_vit(96, 4, 4),
        optimiser=Optimiser(lr=3e-3, weight_decay=0.05),
        minutes=5,
        standard=_FLOOR,
        says=_VIT,
        schedule=Schedule(cooldown=0.6, floor=0.02),
    ),
    _tiny("vit", _vit(16, 1, 2), _VIT),
    Recipe(
        id="cnn",
        tier="cpu",
        task=_task(128),
        network=_cnn(32, 32, 64, 64, d_hidden=110),
        optimiser=Optimiser(lr=1e-3, muon=False, weight_decay=0.05),
        minutes=12,
        standard=_FLOOR,
        says=_CNN,
        schedule=Schedule(cooldown=0.6, floor=0.02),
    ),
    Recipe(
        id="cnn",
        tier="gpu",
        task=_task(512),
        network=_cnn(32, 32, 64, 64, d_hidden=110),
        optimiser=Optimiser(lr=2e-3, muon=False, weight_decay=0.05),
        minutes=3,
        standard=_FLOOR,
        says=_CNN,
        schedule=Schedule(cooldown=0.6, floor=0.02),
    ),
    _tiny("cnn", _cnn(4, 8, d_hidden=16), _CNN),
)
