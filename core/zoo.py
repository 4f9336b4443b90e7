"""The shelf: the models that ship, and any other you can name."""

from __future__ import annotations

import dataclasses
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from torch import nn

from core.checkpoints import huggingface, native
from core.device import resolve_device
from core.errors import (
    AbilityError,
    CoreError,
    EmptyInputError,
    InputTooLongError,
    NoRoomError,
    UnknownModelError,
)
from core.language import N_
from core.models.protocols import LanguageModel, MaskedLM
from core.text.bpe import BPE
from core.text.tokenizer import Token, Tokenizer
from core.tracing.trace import Array

SHELF = Path(__file__).resolve().parent.parent / "assets" / "zoo"
HUB_PREFIX = "hf:"


class _Weights(Mapping[str, Array]):
    """A model's parameters under their names on disk, as read-only numpy, made when asked for."""

    def __init__(self, model: nn.Module) -> None:
        self._tensors = native.split_qkv(model.state_dict())

    def __getitem__(self, name: str) -> Array:
        view = self._tensors[name].detach().float().cpu().numpy().view()
        view.flags.writeable = False
        return view

    def __iter__(self) -> Iterator[str]:
        return iter(self._tensors)

    def __len__(self) -> int:
        return len(self._tensors)


@dataclass(frozen=True, eq=False)
class LoadedModel:
    """A model ready to use, with its tokenizer and its card. Safe to share between threads.

    Attributes:
        id: its name on the shelf, or where it was loaded from.
        architecture: "gpt", "bert".
        model: the network, in evaluation mode.
        tokenizer: from text to ids.
        card: what is known about it, Markdown.
        metrics: measured figures.
        device: where it runs.
    """

    id: str
    architecture: str
    model: Any
    tokenizer: Tokenizer
    card: str
    metrics: Mapping[str, Any]
    device: torch.device

    @property
    def config(self) -> Any:
        """The model's sizes."""
        return self.model.config

    @property
    def dtype(self) -> torch.dtype:
        """The precision it computes in."""
        return next(self.model.parameters()).dtype

    @cached_property
    def weights(self) -> Mapping[str, Array]:
        """Its parameters as numpy, under their names on disk."""
        return _Weights(self.model)

    @cached_property
    def n_parameters(self) -> int:
        """How many numbers it learned."""
        return sum(p.numel() for p in self.model.parameters())

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that decides what it computes, the same wherever and whenever it is loaded.

        Weights, their precision, the config (which heads share a matrix is in no weight) and the
        tokenizer.
        """
        digest = hashlib.blake2b(digest_size=8)
        digest.update(f"{self.architecture} {self.config!r} {self.tokenizer.fingerprint}".encode())
        for name, tensor in sorted(self.model.state_dict().items()):
            digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
            digest.update(tensor.cpu().flatten().view(torch.uint8).numpy())
        return digest.hexdigest()

    @cached_property
    def code(self) -> BPE | None:
        """Its tokenizer's merges, for encoding step by step; None when it has none."""
        return BPE.of(self.tokenizer)

    def encode(self, text: str) -> list[int]:
        """Ids of a text, with the marks that the model expects around it."""
        return [token.id for token in self.tokens(text)]

    def tokens(self, text: str) -> list[Token]:
        """The tokens of a text and where they come from; ``[MASK]`` hides a word, where it can."""
        return self.tokenizer.tokens(text, masks=True)

    def pair_tokens(self, first: str, second: str) -> tuple[list[Token], list[int]]:
        """The tokens of two segments, with the marks around them, and each token's segment.

        Raises:
            AbilityError: the model does not tell two segments apart.
        """
        if not isinstance(self.model, MaskedLM) or self.config.n_types < 2:
            raise AbilityError(self.id, N_("reading two segments"))
        return self.tokenizer.pair_tokens(first, second)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of the ids, the model's marks left out."""
        return self.tokenizer.decode(ids)

    def check_length(self, n: int, n_marks: int) -> None:
        """See that the context holds ``n`` tokens, of which ``n_marks`` are the model's marks.

        Raises:
            EmptyInputError: there is no token.
            NoRoomError: not even the marks fit.
            InputTooLongError: the text is too long.
        """
        if not n:
            raise EmptyInputError
        self._check_marks(n_marks)
        if n > self.config.n_ctx:
            raise InputTooLongError(self.config.n_ctx, n)

    def _check_marks(self, n: int) -> None:
        if n > self.config.n_ctx:
            raise NoRoomError(self.config.n_ctx, n)

    def fit(self, text: str) -> tuple[str, str]:
        """Split a text into what the context holds and what has to be cut off.

        Raises:
            NoRoomError: the context does not hold the model's own marks.
        """
        n_marks = len(self.tokens(""))
        self._check_marks(n_marks)
        return self._split(text, self.config.n_ctx - n_marks)

    def fit_pair(self, first: str, second: str) -> tuple[tuple[str, str], str]:
        """Cut the end of the second text, then of the first, until both fit together.

        A token of the second is kept, if there is room for two.

        Raises:
            AbilityError: the model does not tell two segments apart.
            NoRoomError: the context does not hold the marks around two texts.
        """
        n_marks = len(self.pair_tokens("", "")[0])
        self._check_marks(n_marks)
        room, alone = self.config.n_ctx - n_marks, len(self.tokens(""))
        for_second = min(1, len(self.tokens(second)) - alone) if room > 1 else 0
        first, first_cut = self._split(first, room - for_second)
        second, second_cut = self._split(second, room - (len(self.tokens(first)) - alone))
        return (first, second), first_cut + second_cut

    def _split(self, text: str, n: int) -> tuple[str, str]:
        """The beginning of a text that is at most ``n`` tokens, marks not counted, and the rest."""
        tokens = self.tokens(text)
        most = n + len(self.tokens(""))
        if len(tokens) <= most:
            return text, ""
        body = [token for token in tokens if not token.special or token.end > token.start]
        # A cut inside a word can make more tokens of what is left: go back in growing steps, then
        # forward again to the last place that fits.
        end, beyond, step = body[n - 1].end if n else 0, len(text), 1
        while end > 0 and len(self.tokens(text[:end])) > most:
            end, beyond, step = max(0, end - step), end, 2 * step
        while step > 1 and beyond - end > 1:
            middle = (end + beyond) // 2
            if len(self.tokens(text[:middle])) > most:
                beyond = middle
            else:
                end = middle
        return text[:end], text[end:]


def shelf(root: Path = SHELF) -> tuple[str, ...]:
    """The ids of the models that ship, in the order of their names."""
    return tuple(sorted(path.parent.name for path in root.glob("*/" + native.CONFIG_FILE)))


def describe(name: str, root: Path = SHELF) -> dict[str, Any]:
    """A shelf model's architecture, sizes and file size, without loading it.

    Raises:
        UnknownModelError: it is not on the shelf.
        CheckpointError, ConfigError: its config is damaged.
    """
    directory = root / name
    if name not in shelf(root):
        raise UnknownModelError(name, shelf(root))
    architecture, config = native.read_config(directory / native.CONFIG_FILE)
    weights = directory / native.WEIGHTS_FILE
    return {
        "architecture": architecture,
        "bytes": weights.stat().st_size if weights.is_file() else 0,
        **dataclasses.asdict(config),
    }


def load(name: str, device: str = "auto", root: Path = SHELF) -> LoadedModel:
    """Load a model.

    Args:
        name: an id of the shelf, a directory (our layout or that of a Hugging
            Face checkpoint), or "hf:NAME" for one of the Hub, for example "hf:gpt2".
        device: "auto" picks CUDA, then MPS, then CPU.

    Raises:
        UnknownModelError: no such model.
        CheckpointError, ConfigError: the model's files are damaged or not supported.
        DeviceUnavailableError: this machine has no such device.
    """
    chosen = resolve_device(device)
    if name.startswith(HUB_PREFIX):
        checkpoint = huggingface.load(huggingface.fetch(name.removeprefix(HUB_PREFIX)))
    elif name in shelf(root):
        checkpoint = native.load(root / name)
    elif os.path.isdir(name):  # False for what cannot be a path, too
        directory = Path(name)
        reader = huggingface if huggingface.is_checkpoint(directory) else native
        checkpoint = reader.load(directory)
    else:
        raise UnknownModelError(name, shelf(root))
    assert isinstance(checkpoint.model, LanguageModel)
    return LoadedModel(
        id=name,
        architecture=checkpoint.architecture,
        model=checkpoint.model.to(chosen),
        tokenizer=checkpoint.tokenizer,
        card=checkpoint.card,
        metrics=checkpoint.metrics,
        device=chosen,
    )


__all__ = ["SHELF", "CoreError", "LoadedModel", "describe", "load", "shelf"]
