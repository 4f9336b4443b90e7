"""The toys, put on a shelf of their own: machines that no file of the house knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from torch import nn

from core.encoders import PictureEncoder
from core.models.registry import Architecture
from core.models.rnn import RNN, RNNConfig
from core.text.tokenizer import Tokenizer
from core.zoo import LoadedModel
from tests.conftest import LETTERS, loaded, tiny_characters, tiny_relative, tiny_rnn
from tests.machines import characters, eyes, relative, rnn, seer

KINDS = ("none", "one", "some", "many")


@dataclass(frozen=True, slots=True)
class Tokenizers:
    """Those of the tests."""

    byte_bpe: Tokenizer
    wordpiece: Tokenizer


@dataclass(frozen=True, slots=True)
class Toy:
    """A machine.

    Attributes:
        says: what it is.
        make: it, of random weights, small; in float32 as it comes from a shelf.
        architecture: of the registry, while it is on a shelf.
    """

    says: str
    make: Callable[[Tokenizers], LoadedModel]
    architecture: Architecture


def _summary(tokenizers: Tokenizers) -> LoadedModel:
    n = tokenizers.wordpiece.vocab_size
    return loaded(RNN(RNNConfig(n, 32, 8, 2, 3, attention=False)).eval(), tokenizers.wordpiece)


def _looks(tokenizers: Tokenizers) -> LoadedModel:
    n = tokenizers.wordpiece.vocab_size
    return loaded(tiny_rnn(vocab_size=n), tokenizers.wordpiece)


def _of_digits(model: nn.Module) -> LoadedModel:
    return loaded(model.eval().requires_grad_(False), PictureEncoder(28, 28))


# In the order of the columns of ``shown``.
TOYS: Mapping[str, Toy] = {
    "looks": Toy("GRUs with additive attention", _looks, Architecture(rnn.RNNConfig, rnn.RNN)),
    "summary": Toy("GRUs with a fixed state", _summary, Architecture(RNNConfig, RNN)),
    "relative": Toy(
        "a gated RMSNorm stack with relative bias and no linear biases",
        lambda tokenizers: loaded(tiny_relative(n_ctx=64), tokenizers.byte_bpe),
        Architecture(relative.RelativeConfig, relative.Relative),
    ),
    "letters": Toy(
        "bidirectional LSTMs that read characters and sort texts",
        lambda _: loaded(tiny_characters(), LETTERS),
        Architecture(characters.CharactersConfig, characters.CharacterLSTM),
    ),
    "seer": Toy(
        "a picture classifier without a tokenizer: squares, no positions, a mean",
        lambda _: _of_digits(seer.Seer(seer.SeerConfig(28, 28, 7, 16, 2, 2, KINDS))),
        Architecture(seer.SeerConfig, seer.Seer),
    ),
    "eyes": Toy(
        "a convolutional net without pooling",
        lambda _: _of_digits(eyes.Eyes(eyes.EyesConfig(28, 28, (3, 4), KINDS))),
        Architecture(eyes.EyesConfig, eyes.Eyes),
    ),
}
