"""Files of labelled pictures: pixels as they are, or packed picture by picture as JPEG."""

from __future__ import annotations

import io
import itertools
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.errors import CorpusError
from core.language import N_, Phrase

Pixels = NDArray[np.uint8]  # (N, height, width, C), as in a file: the channels of a pixel together
Labels = NDArray[np.int64]


def read_pictures(path: Path, labels: tuple[str, ...]) -> tuple[Pixels, Labels]:
    """The pictures of a ``.npz`` file and the numbers of their labels.

    It holds ``labels`` and either ``images``, bytes ``(N, height, width)`` or ``(N, height,
    width, 3)``, or the pictures as JPEG files, one behind the other in ``jpeg``, picture i from
    ``offsets[i]`` to ``offsets[i + 1]``.

    Args:
        path: of the file.
        labels: what the numbers among its labels stand for; if it names ``classes`` itself, they
            must be these.

    Raises:
        CorpusError: the file is missing, damaged, or knows other labels.
    """
    try:
        with path.open("rb") as file, np.load(file) as arrays:
            numbers = arrays["labels"].astype(np.int64)
            named = [str(name) for name in arrays["classes"]] if "classes" in arrays else None
            pixels = _unpacked(arrays) if "jpeg" in arrays else arrays["images"]
    except FileNotFoundError as missing:
        raise CorpusError(
            path, N_("no such file; name the corpora directory with --corpora")
        ) from missing
    except (ValueError, KeyError, OSError, zipfile.BadZipFile) as broken:
        raise CorpusError(
            path, Phrase(N_("not readable pictures ({reason})"), reason=str(broken))
        ) from broken
    if pixels.ndim == 3:
        pixels = pixels[..., None]
    fits = pixels.ndim == 4 and pixels.shape[-1] in (1, 3) and pixels.shape[:1] == numbers.shape
    if pixels.dtype != np.uint8 or not fits:
        raise CorpusError(
            path, N_("must hold grey or colour pictures in bytes and a label for each")
        )
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < len(labels):
        raise CorpusError(
            path, Phrase(N_("has labels other than 0 to {last}"), last=len(labels) - 1)
        )
    if named is not None and named != list(labels):
        raise CorpusError(path, Phrase(N_("has other labels: {labels}"), labels=", ".join(named)))
    return pixels, numbers


def _unpacked(arrays: Mapping[str, NDArray[np.uint8]]) -> Pixels:
    packed, offsets = arrays["jpeg"].tobytes(), arrays["offsets"].tolist()
    pictures = []
    for start, end in itertools.pairwise(offsets):
        with Image.open(io.BytesIO(packed[start:end])) as picture:
            pictures.append(np.asarray(picture))
    return np.stack(pictures)
