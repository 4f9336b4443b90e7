"""Which whole numbers may be the seed of a draw."""

from __future__ import annotations

from numbers import Integral

from core.errors import ParameterError
from core.language import N_, Phrase
from core.locale import Numeral

# NumPy takes no negative seed and torch none of more than 64 bits; the gradients of fresh blocks
# count by thousands from theirs.
LARGEST_SEED = 2**53


def checked_seed(seed: object, name: str = "seed") -> int:
    """A seed that every generator takes.

    Args:
        seed: what was asked for.
        name: what the error calls it.

    Raises:
        ParameterError: it is no whole number between 0 and ``LARGEST_SEED``.
    """
    whole = isinstance(seed, Integral) and not isinstance(seed, bool)
    if not whole or not 0 <= seed <= LARGEST_SEED:  # type: ignore[operator]
        raise ParameterError(
            name,
            seed,
            Phrase(
                N_("a whole number between {low} and {high}"),
                low=0,
                high=Numeral(f"{LARGEST_SEED:,}"),
            ),
        )
    return int(seed)  # type: ignore[call-overload]
