"""What attention over the patches of a picture does, as numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def rollout(weights: NDArray[np.floating]) -> Array:
    """How much of each position has reached each other one, through all layers up to each.

    Abnar & Zuidema 2020 ("Quantifying attention flow in Transformers"), eq. 1: the heads of a layer
    are averaged, half of the identity is added for the residual connection, and the layers are
    multiplied. It follows attention alone: values, norms and feed-forward networks are left out.

    Args:
        weights: ``(L, H, T, T)``, each row sums to 1.

    Returns:
        ``(L, T, T)``: row t of layer l is what position t holds after it; each row sums to 1.
    """
    mixed = 0.5 * weights.astype(np.float64).mean(axis=1) + 0.5 * np.eye(weights.shape[-1])
    flow = [mixed[0]]
    for layer in mixed[1:]:
        flow.append(layer @ flow[-1])
    return np.stack(flow)


def distance_within(side: int) -> float:
    """How far the pixels of a square are from its middle, on average, in pixels.

    What a receptive field is beside ``attention_distance``, if all of it counted alike.

    Args:
        side: of the square, in pixels.
    """
    from_middle = np.arange(side) - (side - 1) / 2
    return float(np.hypot(from_middle[:, None], from_middle[None]).mean())


def attention_distance(weights: NDArray[np.floating], columns: int, size: int) -> Array:
    """How far each head looks: pixels from a patch to what it attends to, on average.

    Dosovitskiy et al. 2021, figure 7 on the right: distances between the middles of patches,
    weighted by the attention and averaged over all patches that attend.

    Args:
        weights: between patches alone ``(L, H, N, N)``; rows need not sum to 1.
        columns: of patches in the picture; they stand row by row.
        size: pixels of a patch's side.

    Returns:
        ``(L, H)``, in pixels.
    """
    n = weights.shape[-1]
    places = np.stack(np.divmod(np.arange(n), columns), axis=-1) * float(size)
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1)
    doubles = weights.astype(np.float64)
    distances: Array = ((doubles * apart).sum(axis=-1) / doubles.sum(axis=-1)).mean(axis=-1)
    return distances
