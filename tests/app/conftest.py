"""Shelves with one machine more than those that ship."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from torch import nn

from core import zoo
from core.checkpoints import native
from core.encoders import Encoders
from core.models.registry import ARCHITECTURES
from core.models.rnn import RNN, RNNConfig
from core.text.tokenizer import Tokenizer
from core.zoo import LoadedModel
from pages.parts.runs import shared_runs
from pages.parts.table import TABLE, PageRow, offered
from tests.conftest import tiny_bert, tiny_transformer
from tests.machines import shelf
from tests.machines.toys import TOYS, Tokenizers


@contextmanager
def _shelf_with(
    name: str,
    model: nn.Module,
    reads: Tokenizer | Encoders,
    directory: Path,
    architecture: str = "",
) -> Iterator[tuple[str, ...]]:
    """The shelf, and one model more on it."""
    (before,) = zoo.shelf.__defaults__  # another test's shelf, perhaps
    for own in set(zoo.shelf()) - {name}:  # what is saved below must not go into the shelf
        os.symlink(before / own, directory / own)
    encoders = reads if isinstance(reads, Encoders) else Encoders(reads)
    architecture = architecture or type(model).__name__.lower()
    native.save(directory / name, architecture, model, encoders, card="# A card")
    with pytest.MonkeyPatch.context() as patch:
        shelf.instead(patch, directory)
        shared_runs.cache_clear()  # another model may have had that name
        yield zoo.shelf()
    shared_runs.cache_clear()


@pytest.fixture(scope="session", autouse=True)
def _installed_once() -> Iterator[None]:
    """What is installed stays as it is: Streamlit reads about all packages for every new app."""
    found = manifest_scanner.scan_component_manifests()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: found)
        yield


@pytest.fixture
def three_machines(tmp_path: Path, wordpiece) -> Iterator[tuple[str, ...]]:
    """The shelf, and on it a Transformer of random weights called "transformer"."""
    model = tiny_transformer(vocab_size=wordpiece.vocab_size, decoder_n_layers=3)
    with _shelf_with("transformer", model, wordpiece, tmp_path) as names:
        yield names


@pytest.fixture
def bare_encoder(tmp_path: Path, wordpiece) -> Iterator[str]:
    """On the shelf a BERT without a head, as most of the Hub's are; its name there."""
    model = tiny_bert(vocab_size=wordpiece.vocab_size, masked_words=False, sentence_pairs=False)
    with _shelf_with("bare", model, wordpiece, tmp_path):
        yield "bare"


@pytest.fixture(scope="module", params=TOYS)
def toy(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, byte_bpe, wordpiece
) -> Iterator[str]:
    """On the shelf a machine that no file of the house knows; its name there.

    It stays there for every page: each that finds a new shelf loads all models of it again.
    """
    name = request.param
    made = TOYS[name].make(Tokenizers(byte_bpe, wordpiece))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(ARCHITECTURES, name, TOYS[name].architecture)
        shelf = tmp_path_factory.mktemp(name)
        with _shelf_with(name, made.model, made.encoders, shelf, name):
            yield name


@pytest.fixture
def summed_up(tmp_path: Path, wordpiece) -> Iterator[str]:
    """On the shelf a recurrent translator whose decoder is told a summary; its name there."""
    model = RNN(RNNConfig(wordpiece.vocab_size, 64, 8, 2, 3, attention=False))
    with _shelf_with("summed_up", model, wordpiece, tmp_path):
        yield "summed_up"


@pytest.fixture
def without_pairs(tmp_path: Path, wordpiece) -> Iterator[str]:
    """On the shelf a BERT that only fills in hidden words; its name there."""
    model = tiny_bert(vocab_size=wordpiece.vocab_size, sentence_pairs=False)
    with _shelf_with("words", model, wordpiece, tmp_path):
        yield "words"


@pytest.fixture
def fills(tmp_path_factory: pytest.TempPathFactory, filler: LoadedModel) -> Iterator[str]:
    """On the shelf a T5 of random weights called "t5", whatever ships; its name there."""
    directory = tmp_path_factory.mktemp("fills")
    with _shelf_with("t5", filler.model, filler.encoders, directory):
        yield "t5"


@pytest.fixture
def mends(tmp_path_factory: pytest.TempPathFactory, mender: LoadedModel) -> Iterator[str]:
    """On the shelf a BART of random weights called "bart", whatever ships; its name there."""
    directory = tmp_path_factory.mktemp("mends")
    with _shelf_with("bart", mender.model, mender.encoders, directory):
        yield "bart"


@pytest.fixture(autouse=True)
def _somebody_who_can(request: pytest.FixtureRequest) -> None:
    """For a test of a page that no model that ships can show: one that can."""
    callspec = getattr(request.node, "callspec", None)
    given = callspec.params if callspec else {}
    row = given.get("row") or next((r for r in TABLE if r.file == given.get("file")), None)
    if isinstance(row, PageRow) and row not in offered():
        request.getfixturevalue("fills" if row.needs.ability == "damaged" else "three_machines")
        assert row in offered()
