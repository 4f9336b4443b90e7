"""What all tests share: determinism, tiny models, and no network."""

from __future__ import annotations

import functools
import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest
import torch
from threadpoolctl import threadpool_limits
from torch import nn

from core.encoders import Characters, Encoders, PictureEncoder, Spelling
from core.inputs import Input, Pair, Picture, SourceTarget, Text
from core.live_training.fine_tuning import Body, tuned
from core.live_training.look_ahead import look_ahead
from core.live_training.records import Tuned
from core.models.bart import BART, BARTConfig
from core.models.bert import BERT, BERTConfig
from core.models.cnn import CNN, CNNConfig
from core.models.elmo import ELMo, ELMoConfig
from core.models.gpt import GPT, GPTConfig
from core.models.t5 import T5, T5Config
from core.models.transformer import Transformer, TransformerConfig
from core.models.vit import ViT, ViTConfig
from core.runs.kinds import training
from core.runs.store import Runs
from core.text.tokenizer import Tokenizer
from core.text.trained import (
    train_byte_bpe,
    train_denoising_bpe,
    train_unigram,
    train_wordpiece,
    train_words,
)
from core.zoo import LoadedModel
from tests.browser.conftest import start_server, stop
from tests.machines.characters import CharacterLSTM, CharactersConfig
from tests.machines.relative import Relative, RelativeConfig
from tests.machines.rnn import RNN, RNNConfig
from tests.sampled import leave_the_rest

# The same examples every time, none kept on disk, no limit on a busy machine's time.
hypothesis.settings.register_profile(
    "steady", derandomize=True, database=None, deadline=None, max_examples=80
)
hypothesis.settings.load_profile("steady")
# Several processes on two cores: a second thread would only wait for the first, at work as it does.
threadpool_limits(1, user_api="blas")
torch.set_num_threads(1)  # before what a file of tests makes for all of them, too
os.environ.setdefault("OMP_NUM_THREADS", "1")  # for the programs that tests start

LETTERS = Characters("abcdefghijklmnopqrstuvwxyzT .")
SPELLING = Spelling("abcdefghijklmnopqrstuvwxyz.;<>/", 12)
TEXTS = [
    "The cat sat on the mat. The dog sat on the log.",
    "Once upon a time there was a little dog who told the cat a story.",
    "She opened the door and saw the sea; the sea was blue.",
] * 4


# Trained once a process.
_learned = functools.cache(lambda *given: tuple(look_ahead(*given)))
training.look_ahead = lambda *given: iter(_learned(*given))
_tuned: dict[Any, tuple[Tuned, ...]] = {}


def _told(body: Body, *given: Any) -> Iterator[Tuned]:
    weights = sum(float(one.double().sum()) for one in body.model.model.parameters())
    key = (weights, body.pooled, *given)
    if key not in _tuned:
        _tuned[key] = tuple(tuned(body, *given))
    return iter(_tuned[key])


training.tuned = _told

# A slope from black to white, which no reflection leaves as it is.
DRAWN = Picture(12, 8, bytes(round(255 * n / 95) for n in range(96)))

# What each machine is given, by its architecture; two streams are of different lengths.
GIVEN: dict[str, Input] = {
    "gpt": Text("The cat sat on the mat."),
    "elmo": Text("The cat saw a zebra."),
    "bert": Pair("The cat sat", "A dog sat"),
    "transformer": SourceTarget("The cat sat on the mat", "The dog"),
    "rnn": SourceTarget("The cat sat on the mat", "The dog"),
    "t5": SourceTarget("The [MASK] on the mat", "The dog"),
    "bart": SourceTarget("The cat [MASK] the mat", "The dog"),
    "vit": DRAWN,
    "cnn": DRAWN,
    "relative": Text("The cat sat on the mat."),
    "characterlstm": Text("The cat sat."),
}


# What takes longest begins first: at the end no process waits long for another.
LONGEST = ("browser/test_", "training", "lessons", "app", "browser", "views/test_views")


@pytest.hookimpl(tryfirst=True)  # before those that are slow are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is in the sample, and the order of files in which ``--dist loadfile`` hands them out."""
    leave_the_rest(items)

    def rank(item: pytest.Item) -> int:
        path = item.path.relative_to(Path(__file__).parent).as_posix()
        return next((n for n, start in enumerate(LONGEST) if path.startswith(start)), len(LONGEST))

    items.sort(key=rank)


# Files of one process: what takes them seconds to make they make once. One process serves the app.
TOGETHER = (
    r"tests/browser/test_|tests/app/test_(limits|speaking)|tests/benchmarks/test_learner",
    r"tests/lessons/|tests/javascript/test_book",
    r"tests/parity/",  # the reference library is imported
    r"tests/architecture/",  # all sources are read
)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """``--dist loadfile``, with some files together."""
    from xdist.scheduler import LoadFileScheduling  # only where there are several processes

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return next((some for some in TOGETHER if re.match(some, file)), file)

    return Together(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.fixture(autouse=True)
def _steady() -> None:
    torch.default_generator.manual_seed(0)  # torch.manual_seed asks after every kind of device
    np.random.seed(0)  # noqa: NPY002 (a library under test may draw from it)
    torch.set_num_threads(1)
    torch.set_flush_denormal(False)  # training sets it, for its whole process


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that reaches for another machine fails."""
    connect = socket.socket.connect

    def local_only(self: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else "localhost"
        if host not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test tried to reach {host}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", local_only)


@pytest.fixture(scope="session")
def runs() -> Runs:
    """The models that ship, at work: what tests of a process ask of them is worked out once."""
    return Runs()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Where the app is served, one for all tests of a process."""
    process, address = start_server()
    yield address
    stop(process)


def tiny_gpt(**sizes: int) -> GPT:
    """A random GPT of two small blocks, in evaluation mode."""
    config = {
        "vocab_size": 300, "n_ctx": 32, "d_model": 16, "n_layers": 2, "n_heads": 2, "d_ff": 32,
    } | sizes  # fmt: skip
    return GPT(GPTConfig(**config), torch.Generator().manual_seed(0)).eval().requires_grad_(False)


def tiny_bert(**sizes: Any) -> BERT:
    """A random BERT of two small blocks, in evaluation mode."""
    config = {
        "vocab_size": 120, "n_ctx": 32, "d_model": 16, "n_layers": 2, "n_heads": 2, "d_ff": 32,
    } | sizes  # fmt: skip
    return BERT(BERTConfig(**config), torch.Generator().manual_seed(0)).eval().requires_grad_(False)


def tiny_sorter(**sizes: Any) -> BERT:
    """The same, fine-tuned: it says how two texts go together."""
    heads = {"masked_words": False, "sentence_pairs": False, "labels": ("a", "b", "c")}
    return tiny_bert(**heads | {"of_pairs": True} | sizes)


def tiny_transformer(**sizes: int) -> Transformer:
    """A random Transformer of two small blocks a tower, in evaluation mode.

    Its marks are those of the tests' WordPiece: [CLS] begins, [SEP] ends.
    """
    config = {
        "vocab_size": 120, "n_ctx": 32, "d_model": 16, "encoder_n_layers": 2,
        "decoder_n_layers": 2, "n_heads": 2, "d_ff": 32, "start_id": 2, "end_id": 3,
    } | sizes  # fmt: skip
    model = Transformer(TransformerConfig(**config), torch.Generator().manual_seed(0))
    return model.eval().requires_grad_(False)


def tiny_t5(**sizes: int | str) -> T5:
    """A random T5 of two small blocks a side, its heads wider than their share."""
    config = {
        "vocab_size": 120, "n_ctx": 32, "d_model": 16, "encoder_n_layers": 2,
        "decoder_n_layers": 2, "n_heads": 2, "d_ff": 32, "start_id": 2, "end_id": 3, "d_head": 5,
        "n_buckets": 8, "max_distance": 12, "translates": "in English: ", "classifies": "feel: ",
    } | sizes  # fmt: skip
    return T5(T5Config(**config), torch.Generator().manual_seed(0)).eval().requires_grad_(False)


def tiny_bart(**sizes: int) -> BART:
    """A random BART of two small blocks a side."""
    config = {
        "vocab_size": 120, "n_ctx": 32, "d_model": 16, "encoder_n_layers": 2,
        "decoder_n_layers": 2, "n_heads": 2, "d_ff": 32, "start_id": 2, "end_id": 3,
    } | sizes  # fmt: skip
    model = BART(BARTConfig(**config), torch.Generator().manual_seed(0))
    for parameter in model.parameters():  # fresh ones are close to 0, which hides mistakes
        torch.nn.init.normal_(parameter, float(parameter.ndim == 1), 0.3)
    return model.eval().requires_grad_(False)


def tiny_rnn(**sizes: int) -> RNN:
    """A random recurrent machine, in evaluation mode."""
    config = {
        "vocab_size": 120, "n_ctx": 32, "d_model": 8, "n_layers": 2, "start_id": 2, "end_id": 3,
    } | sizes  # fmt: skip
    torch.manual_seed(0)
    return RNN(RNNConfig(**config)).eval().requires_grad_(False)


def tiny_vit(**sizes: Any) -> ViT:
    """A random ViT of two small blocks, in evaluation mode; six patches of four by four."""
    config = {
        "height": 8, "width": 12, "patch": 4, "labels": ("a", "b", "c"), "d_model": 16,
        "n_layers": 2, "n_heads": 2, "d_ff": 32,
    } | sizes  # fmt: skip
    return ViT(ViTConfig(**config), torch.Generator().manual_seed(0)).eval().requires_grad_(False)


def tiny_cnn(**sizes: Any) -> CNN:
    """A random CNN of three small convolutions, in evaluation mode."""
    config = {
        "height": 8, "width": 12, "labels": ("a", "b", "c"), "filters": (2, 3, 4), "d_hidden": 5,
    } | sizes  # fmt: skip
    return CNN(CNNConfig(**config), torch.Generator().manual_seed(0)).eval().requires_grad_(False)


def tiny_elmo(**sizes: Any) -> ELMo:
    """A random ELMo of two small layers a direction, in evaluation mode."""
    config = {
        "vocab_size": 40, "n_ctx": 32, "n_letters": SPELLING.n_entries, "d_letter": 4,
        "filters": (4, 5, 6), "d_model": 8,
    } | sizes  # fmt: skip
    return ELMo(ELMoConfig(**config), torch.Generator().manual_seed(0)).eval().requires_grad_(False)


def tiny_relative(**sizes: int) -> Relative:
    """A random stack with relative positions, in evaluation mode."""
    config = {
        "vocab_size": 300, "n_ctx": 32, "width": 12, "depth": 2, "heads": 2, "head_width": 5,
        "hidden": 20,
    } | sizes  # fmt: skip
    model = Relative(RelativeConfig(**config), torch.Generator().manual_seed(0))
    return model.eval().requires_grad_(False)


@pytest.fixture(scope="session")
def byte_bpe() -> Tokenizer:
    return train_byte_bpe(TEXTS, 300)


@pytest.fixture(scope="session")
def wordpiece() -> Tokenizer:
    return train_wordpiece(TEXTS, 120)


@pytest.fixture(scope="session")
def whole_words() -> Tokenizer:
    return train_words(TEXTS, 40)


def tiny_characters(**sizes: Any) -> CharacterLSTM:
    """Random LSTMs over the characters of ``LETTERS``, in evaluation mode."""
    config = {
        "n_letters": LETTERS.n_entries, "n_ctx": 48, "width": 6, "state": 4, "depth": 2,
        "labels": ("prose", "verse", "list"),
    } | sizes  # fmt: skip
    model = CharacterLSTM(CharactersConfig(**config), torch.Generator().manual_seed(0))
    return model.eval().requires_grad_(False)


def loaded(
    model: nn.Module, reads: Tokenizer | Characters | PictureEncoder | Encoders
) -> LoadedModel:
    """A model as ``zoo.load`` gives it."""
    kinds = {Tokenizer: "text", Characters: "characters", PictureEncoder: "pictures"}
    encoders = reads if isinstance(reads, Encoders) else Encoders(**{kinds[type(reads)]: reads})
    architecture = type(model).__name__.lower()
    return LoadedModel(
        id=f"tiny-{architecture}",
        architecture=architecture,
        model=model,
        encoders=encoders,
        card="",
        metrics={},
        device=torch.device("cpu"),
    )


@pytest.fixture(scope="session")
def gpt(byte_bpe: Tokenizer) -> LoadedModel:
    """A tiny random GPT, in float64 so that sums can be compared closely."""
    return loaded(tiny_gpt().double(), byte_bpe)


@pytest.fixture(scope="session")
def bert(wordpiece: Tokenizer) -> LoadedModel:
    """A tiny random BERT, in float64."""
    return loaded(tiny_bert(vocab_size=wordpiece.vocab_size).double(), wordpiece)


@pytest.fixture(scope="session")
def sorter(wordpiece: Tokenizer) -> LoadedModel:
    """A BERT that chooses a label, in float64."""
    return loaded(tiny_sorter(vocab_size=wordpiece.vocab_size).double(), wordpiece)


@pytest.fixture(scope="session")
def teller(wordpiece: Tokenizer) -> LoadedModel:
    """One that says what kind of text a text is, in float64."""
    model = tiny_sorter(vocab_size=wordpiece.vocab_size, of_pairs=False)
    return loaded(model.double(), wordpiece)


@pytest.fixture(scope="session")
def transformer(wordpiece: Tokenizer) -> LoadedModel:
    """A tiny random Transformer, in float64."""
    return loaded(tiny_transformer(vocab_size=wordpiece.vocab_size).double(), wordpiece)


@pytest.fixture(scope="session")
def rnn(wordpiece: Tokenizer) -> LoadedModel:
    """A machine that no file of the house knows, in float64."""
    return loaded(tiny_rnn(vocab_size=wordpiece.vocab_size).double(), wordpiece)


@pytest.fixture(scope="session")
def characters() -> LoadedModel:
    """One that reads characters, in float64."""
    return loaded(tiny_characters().double(), LETTERS)


@pytest.fixture(scope="session")
def elmo(whole_words: Tokenizer) -> LoadedModel:
    """A tiny random ELMo, in float64."""
    model = tiny_elmo(vocab_size=whole_words.vocab_size).double()
    return loaded(model, Encoders(whole_words, spelling=SPELLING))


@pytest.fixture(scope="session")
def t5(wordpiece: Tokenizer) -> LoadedModel:
    """A tiny random T5, in float64."""
    return loaded(tiny_t5().double(), wordpiece)


@pytest.fixture(scope="session")
def bart(wordpiece: Tokenizer) -> LoadedModel:
    """A tiny random BART, in float64."""
    return loaded(tiny_bart().double(), wordpiece)


@pytest.fixture(scope="session")
def filler() -> LoadedModel:
    """A tiny random T5 with a hundred sentinels, in float64."""
    reads = train_unigram(TEXTS, 170)
    sizes = {"vocab_size": reads.vocab_size, "n_ctx": 64, "start_id": 0, "end_id": 1}
    return loaded(tiny_t5(**sizes).double(), reads)


@pytest.fixture(scope="session")
def mender() -> LoadedModel:
    """A tiny random BART whose own mark hides, in float64."""
    reads = train_denoising_bpe(TEXTS, 300)
    sizes = {"vocab_size": reads.vocab_size, "n_ctx": 64, "start_id": 1, "end_id": 2}
    return loaded(tiny_bart(**sizes).double(), reads)


@pytest.fixture(scope="session")
def vit() -> LoadedModel:
    """A tiny random ViT, in float64."""
    return loaded(tiny_vit().double(), PictureEncoder(12, 8))


@pytest.fixture(scope="session")
def cnn() -> LoadedModel:
    """A tiny random CNN, in float64."""
    return loaded(tiny_cnn().double(), PictureEncoder(12, 8))


@pytest.fixture(scope="session")
def relative(byte_bpe: Tokenizer) -> LoadedModel:
    """Another one, of blocks, in float64."""
    return loaded(tiny_relative().double(), byte_bpe)


@pytest.fixture(scope="session")
def digits() -> dict[str, LoadedModel]:
    """Both, for pictures of the size that the samples have."""
    sizes = {"height": 28, "width": 28, "labels": tuple("0123456789")}
    made = {"vit": tiny_vit(**sizes), "cnn": tiny_cnn(**sizes)}
    return {name: loaded(model.double(), PictureEncoder(28, 28)) for name, model in made.items()}


MACHINES = (
    "gpt", "bert", "sorter", "transformer", "t5", "bart", "rnn", "elmo", "relative", "characters",
    "vit", "cnn",
)  # fmt: skip


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> LoadedModel:
    """Each machine in turn."""
    return request.getfixturevalue(request.param)
