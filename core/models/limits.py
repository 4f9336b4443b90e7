"""What configs have to fulfil."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from core.errors import ConfigError
from core.language import N_, Phrase
from core.locale import Choice, Numeral
from core.nn.feedforward import ACTIVATIONS

# Far above any model there is, and far below where the size of a matrix cannot be counted in
# 64 bits or the blocks of a stack take minutes to make.
LARGEST_SIZE = 2**24
MOST_LAYERS = 2**10


def check_sizes(config: object, *names: str) -> None:
    """See that the sizes of a config can be built.

    Raises:
        ConfigError: one is below 1 or too large; names it.
    """
    for name in names:
        size = getattr(config, name)
        largest = MOST_LAYERS if name.endswith("n_layers") else LARGEST_SIZE
        if size < 1:
            raise ConfigError(name, N_("must be at least 1"))
        if size > largest:
            raise ConfigError(name, Phrase(N_("must be at most {n}"), n=Numeral(f"{largest:,}")))


def check_ends(config: Any) -> None:
    """See that the marks which begin and end a target are entries of a config's vocabulary.

    Raises:
        ConfigError: names the field.
    """
    for name in ("start_id", "end_id"):
        if not 0 <= getattr(config, name) < config.vocab_size:
            raise ConfigError(name, N_("must be an id of the vocabulary"))


def check_labels(labels: Collection[str]) -> None:
    """See that a classifier has something to choose among.

    Raises:
        ConfigError: it has not.
    """
    if len(set(labels)) < max(2, len(labels)):
        raise ConfigError("labels", N_("must name at least two, each once"))


def check_blocks(config: Any) -> None:
    """See that heads, activation and eps of a config's blocks can be built.

    Raises:
        ConfigError: names the field.
    """
    if config.d_model % config.n_heads:
        raise ConfigError(
            "n_heads", Phrase(N_("must divide d_model, {d_model}"), d_model=config.d_model)
        )
    if config.activation not in ACTIVATIONS:
        raise ConfigError(
            "activation", Phrase(N_("must be one of {choices}"), choices=Choice(ACTIVATIONS))
        )
    if not 0 < config.eps < 1:
        raise ConfigError("eps", N_("must be above 0 and below 1"))
