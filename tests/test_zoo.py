"""The shelf, and what a loaded model says of itself."""

from __future__ import annotations

import dataclasses
import json
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from core import zoo
from core.checkpoints import native
from core.encoders import Encoders, PictureEncoder
from core.errors import (
    CheckpointError,
    ConfigError,
    DeviceUnavailableError,
    UnknownModelError,
)
from core.models.gpt import GPT
from core.text.trained import train_byte_bpe
from tests.conftest import TEXTS, loaded, tiny_bert, tiny_gpt
from tests.views.map.test_strip import CUT


@pytest.fixture(scope="module")
def root(tmp_path_factory, byte_bpe, wordpiece):
    """A shelf with two tiny models and something that is none."""
    root = tmp_path_factory.mktemp("zoo")
    native.save(
        root / "small-gpt", "gpt", tiny_gpt(), Encoders(byte_bpe), card="# A card", metrics={"x": 1}
    )
    native.save(root / "bert", "bert", tiny_bert(), Encoders(wordpiece))
    (root / "notes").mkdir()
    (root / ".half-written").mkdir()
    return root


def test_the_shelf_lists_what_is_a_model(root):
    assert zoo.shelf(root) == ("bert", "small-gpt")
    assert zoo.shelf(root / "none") == ()


def test_a_model_is_described_without_loading_it(root):
    found = zoo.describe("small-gpt", root)
    assert found["architecture"] == "gpt"
    assert (found["d_model"], found["n_layers"]) == (16, 2)
    assert found["bytes"] == (root / "small-gpt" / "model.safetensors").stat().st_size


@pytest.mark.parametrize("name", ["none", "", ".", "..", "../zoo/bert", "small-gpt/", "a\x00b"])
def test_only_what_is_on_the_shelf_is_described(root, name):
    with pytest.raises(UnknownModelError, match="no such model; on the shelf: bert, small-gpt"):
        zoo.describe(name, root)


def test_a_damaged_description_is_a_clear_error(root, tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{")
    with pytest.raises(CheckpointError, match="not readable JSON"):
        zoo.describe("broken", tmp_path)
    (tmp_path / "broken" / "config.json").write_text(json.dumps({"architecture": "gpt"}))
    with pytest.raises(ConfigError, match="config field 'schema': is None"):
        zoo.describe("broken", tmp_path)


def test_by_id_and_by_directory_it_is_the_same_model(root):
    by_id, by_path = zoo.load("small-gpt", "cpu", root), zoo.load(str(root / "small-gpt"), "cpu")
    assert by_id.fingerprint == by_path.fingerprint
    assert (by_id.id, by_id.card, by_id.metrics) == ("small-gpt", "# A card", {"x": 1})
    assert by_id.device == torch.device("cpu")
    assert by_id.dtype == torch.float32


def test_what_cannot_be_loaded_says_why(root, tmp_path):
    with pytest.raises(UnknownModelError, match="none: no such model; on the shelf: bert, small-g"):
        zoo.load("none", root=root)
    with pytest.raises(UnknownModelError, match="on the shelf: none"):
        zoo.load("gpt", root=tmp_path)
    with pytest.raises(CheckpointError, match="this is not a model directory"):
        zoo.load(str(root / "notes"), root=root)
    with pytest.raises(DeviceUnavailableError):
        zoo.load("bert", "tpu", root)


@pytest.mark.parametrize("name", ["x" * 300, "x/" * 3000, "a\x00b", ""])
def test_a_name_that_cannot_be_a_path_is_an_unknown_model(name, root):
    with pytest.raises(UnknownModelError, match="no such model; on the shelf: bert, small-gpt"):
        zoo.load(name, "cpu", root)


def test_the_hub_is_asked_only_for_what_says_so(monkeypatch):
    from core.checkpoints import hugging_face

    asked = []

    def fetch(name):
        asked.append(name)
        raise CheckpointError(name, "offline")

    monkeypatch.setattr(hugging_face, "fetch", fetch)
    with pytest.raises(CheckpointError, match="offline"):
        zoo.load("hf:gpt2")
    assert asked == ["gpt2"]
    with pytest.raises(UnknownModelError):
        zoo.load("gpt2-that-is-nowhere")
    assert asked == ["gpt2"]


# --- a loaded model ------------------------------------------------------------------


def test_a_fingerprint_is_of_all_that_decides_a_result(gpt, byte_bpe, wordpiece):
    again = loaded(tiny_gpt().double(), train_byte_bpe(TEXTS, 300))
    assert again.fingerprint == gpt.fingerprint
    nudged = tiny_gpt().double()
    nudged.final_norm.bias[3] += 1e-12  # less than a float32 can tell
    more_heads = GPT(dataclasses.replace(gpt.config, n_heads=4)).double()
    more_heads.load_state_dict(gpt.model.state_dict())
    others = [
        loaded(nudged, byte_bpe),
        loaded(more_heads, byte_bpe),
        loaded(tiny_gpt(), byte_bpe),  # float32
        loaded(tiny_gpt().double(), wordpiece),
    ]
    assert len({gpt.fingerprint, *(other.fingerprint for other in others)}) == 5


def test_half_precision_has_a_fingerprint_too(byte_bpe):
    found = {loaded(tiny_gpt().to(d), byte_bpe).fingerprint for d in (torch.half, torch.bfloat16)}
    assert len(found) == 2


def test_weights_are_numpy_under_their_names_on_disk(gpt):
    names = set(gpt.model.state_dict())
    assert set(gpt.weights) == names
    assert len(gpt.weights) == len(names)
    found = gpt.weights["blocks.1.attn.w_k.weight"]
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, gpt.model.blocks[1].attn.w_k.weight, atol=1e-7)
    with pytest.raises(KeyError):
        gpt.weights["nothing"]


def test_parameters_are_counted(gpt):
    assert gpt.n_parameters == sum(p.numel() for p in gpt.model.parameters())


def test_of_patches_that_no_layers_work_on_the_width_is_known(vit):
    assert vit.sizes["D"] == vit.config.d_model
    assert loaded(SimpleNamespace(blueprint=CUT), PictureEncoder(28, 28)).sizes == {"D": 16}


def test_encoding_adds_the_models_marks_and_decoding_drops_them(gpt, bert):
    assert gpt.encode("The cat")[0] == gpt.tokenizer.end_of_text_id
    assert gpt.decode(gpt.encode("The cat sat.")) == "The cat sat."
    assert bert.encode("a [MASK]")[-2] == bert.tokenizer.mask_id
    assert bert.decode(bert.encode("The cat")) == "the cat"


def test_a_model_serves_threads_at_once(gpt):
    """Everything that is worked out once is the same for all who ask first."""
    fresh = loaded(tiny_gpt().double(), gpt.tokenizer)
    with ThreadPoolExecutor(8) as threads:
        found = set(threads.map(lambda _: (fresh.fingerprint, fresh.n_parameters), range(16)))
    assert found == {(gpt.fingerprint, gpt.n_parameters)}


def test_a_model_that_has_learned_has_another_fingerprint(byte_bpe):
    model = loaded(tiny_gpt(), byte_bpe)
    before = model.fingerprint
    assert model.fingerprint == before
    with torch.no_grad():
        model.model.final_norm.bias[3] += 1
    after = model.fingerprint
    assert after != before
    assert model.weights["final_norm.bias"][3] == model.model.final_norm.bias[3]
    with torch.no_grad():
        model.model.final_norm.bias[3] -= 1
    assert model.fingerprint == before
