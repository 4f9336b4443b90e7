"""Small photographs in ten kinds: the same two machines as for digits, in colour."""

from __future__ import annotations

from typing import Any

from core.data.samples import THINGS
from core.language import N_
from core.models.cnn import CNNConfig
from core.models.vit import ViTConfig
from core.training.optimisers import Optimiser
from core.training.recipe import CardWords, Recipe, Schedule, Standard
from core.training.sources import UNLICENSED, CorpusFile
from core.training.tasks.pictures import PictureLabels

CIFAR = CorpusFile(
    "cifar10",
    "cifar10_train_jpeg.npz",
    UNLICENSED,
    "CIFAR-10 (Krizhevsky 2009)",
    valid="cifar10_test5k_jpeg.npz",
)
_ACCURACY = "accuracy/cifar10_test5k_jpeg"
_FLOOR = Standard(measures=(_ACCURACY,), at_least={_ACCURACY: 0.7})
_KNOWS = N_("Small photographs of ten kinds")
_MEASURED = N_(
    "The share of 5,000 test pictures whose label gets the highest probability. Each picture is "
    "shown once, unchanged."
)
_FAILURES = N_(
    "It knows ten kinds of things. It calls anything else one of these, and is often very sure. It"
    " most often confuses cats with dogs, and cars with trucks. A picture must be cut square and "
    "made 32 pixels wide. None of the pictures it learned from is shown. Two models on the shelf "
    "label such photographs. They have about as many parameters, so that they can be compared."
)
_SAYS = CardWords(_KNOWS, _MEASURED, _FAILURES)


def _task(batch: int) -> PictureLabels:
    return PictureLabels(CIFAR, THINGS, batch=batch, shift=4, flips=True, mean=0.473, std=0.251)


def _vit(d_model: int, n_layers: int, n_heads: int) -> ViTConfig:
    return ViTConfig(32, 32, 4, THINGS, d_model, n_layers, n_heads, d_ff=4 * d_model, channels=3)


def _cnn(*filters: int, d_hidden: int) -> CNNConfig:
    return CNNConfig(32, 32, THINGS, filters, d_hidden, channels=3)


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
        id="vit_cifar",
        tier="cpu",
        task=_task(128),
        network=_vit(128, 6, 4),
        optimiser=Optimiser(lr=2e-3, weight_decay=0.05),
        minutes=40,
        standard=_FLOOR,
        says=_SAYS,
        compiled=False,
        schedule=Schedule(cooldown=0.6, floor=0.02),
    ),
    Recipe(
        id="vit_cifar",
        tier="gpu",
        task=_task(512),
        network=_vit(256, 7, 4),
        optimiser=Optimiser(lr=2e-3, weight_decay=0.05),
        minutes=9,
        standard=_FLOOR,
        says=_SAYS,
        schedule=Schedule(cooldown=0.6, floor=0.02),
        dropout=0.1,
    ),
    _tiny("vit_cifar", _vit(16, 1, 2), _SAYS),
    Recipe(
        id="cnn_cifar",
        tier="cpu",
        task=_task(128),
        network=_cnn(32, 32, 64, 64, 128, 128, d_hidden=420),
        optimiser=Optimiser(lr=1e-3, muon=False, weight_decay=0.05),
        minutes=40,
        standard=_FLOOR,
        says=_SAYS,
        compiled=False,
        schedule=Schedule(cooldown=0.6, floor=0.02),
    ),
    Recipe(
        id="cnn_cifar",
        tier="gpu",
        task=_task(512),
        network=_cnn(64, 64, 128, 128, 256, 256, d_hidden=600),
        optimiser=Optimiser(lr=1e-3, muon=False, weight_decay=0.05),
        minutes=5,
        standard=_FLOOR,
        says=_SAYS,
        schedule=Schedule(cooldown=0.6, floor=0.02),
    ),
    _tiny("cnn_cifar", _cnn(4, 8, d_hidden=16), _SAYS),
)
