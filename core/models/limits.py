"""The sizes that a model may have at all."""

from __future__ import annotations

from core.errors import ConfigError
from core.language import N_, Phrase

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
        size, largest = getattr(config, name), MOST_LAYERS if name == "n_layers" else LARGEST_SIZE
        if size < 1:
            raise ConfigError(name, N_("must be at least 1"))
        if size > largest:
            raise ConfigError(name, Phrase(N_("must be at most {n}"), n=f"{largest:,}"))
