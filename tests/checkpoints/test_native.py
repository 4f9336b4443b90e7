"""Our own layout: what is written comes back; damage is named, never half-loaded."""

from __future__ import annotations

import json
import math
import pickle
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import safetensors.torch
import torch

from core import zoo
from core.checkpoints import native
from core.checkpoints.plain import from_plain
from core.checkpoints.weights import fill
from core.decoding.settings import Sampling
from core.encoders import Encoders, PictureEncoder
from core.errors import CheckpointError, ConfigError, EmptyInputError, ParameterError
from core.inputs import Picture, SourceTarget
from core.models.bert import BERT, BERTConfig
from core.models.gpt import GPT, GPTConfig
from core.models.limits import LARGEST_SIZE
from core.models.registry import ARCHITECTURES
from core.models.rnn import RNN, RNNConfig
from core.predict import generate
from core.runs.kinds.generation import GenerateRequest
from core.runs.store import Runs
from core.text.trained import train_byte_bpe
from tests.conftest import (
    SPELLING,
    TEXTS,
    tiny_bart,
    tiny_bert,
    tiny_cnn,
    tiny_elmo,
    tiny_gpt,
    tiny_t5,
    tiny_transformer,
    tiny_vit,
)

GPT_FIELDS = ["vocab_size", "n_ctx", "d_model", "n_layers", "n_heads", "d_ff"]


@pytest.fixture
def saved(tmp_path, byte_bpe) -> Path:
    """A tiny GPT on disk."""
    directory = tmp_path / "gpt"
    native.save(directory, "gpt", tiny_gpt(), Encoders(byte_bpe), dtype=torch.float32)
    return directory


def rewrite_config(directory: Path, change) -> None:
    path = directory / "config.json"
    whole = json.loads(path.read_text())
    change(whole)
    path.write_text(json.dumps(whole))


def rewrite_weights(directory: Path, change) -> None:
    path = directory / "model.safetensors"
    weights = safetensors.torch.load_file(path)
    change(weights)
    safetensors.torch.save_file(weights, path)


# --- round trip --------------------------------------------------------------------


TINY = {
    "gpt": tiny_gpt,
    "bert": tiny_bert,
    "rnn": lambda: RNN(RNNConfig(97, 32, 8, start_id=2, end_id=3)),
    "transformer": tiny_transformer,
    "t5": tiny_t5,
    "bart": tiny_bart,
    "vit": tiny_vit,
    "cnn": tiny_cnn,
    "elmo": tiny_elmo,
}


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_what_is_saved_comes_back(architecture, tmp_path, byte_bpe, wordpiece, whole_words):
    model = TINY[architecture]()
    encoders = Encoders(byte_bpe if "next_token" in model.abilities else wordpiece)
    if Picture in model.takes:
        encoders = Encoders(pictures=PictureEncoder(12, 8))
    if architecture == "elmo":
        encoders = Encoders(whole_words, spelling=SPELLING)
    metrics = {"bits_per_byte/x": 1.5, "run": {"seed": 0}}
    native.save(
        tmp_path / "m", architecture, model, encoders, card="# Card, ünïcode",
        metrics=metrics, dtype=torch.float32,
    )  # fmt: skip
    found = native.load(tmp_path / "m")
    assert found.architecture == architecture
    assert found.model.config == model.config
    assert (found.card, found.metrics) == ("# Card, ünïcode", metrics)
    assert found.encoders.fingerprint == encoders.fingerprint
    for name, tensor in model.state_dict().items():
        assert found.model.state_dict()[name].equal(tensor), name
    given = [torch.randint(97, (1, 7))] * (2 if SourceTarget in model.takes else 1)
    if Picture in model.takes:
        given = [torch.rand(1, 1, 8, 12)]
    if architecture == "elmo":
        given = [torch.randint(1, SPELLING.n_entries, (1, 7, 12))]
    torch.testing.assert_close(found.model(*given), model(*given))


def test_pictures_of_another_size_are_another_models(tmp_path):
    native.save(tmp_path / "m", "vit", tiny_vit(), Encoders(pictures=PictureEncoder(28, 28)))
    with pytest.raises(CheckpointError, match="pictures of 28x28 pixels, the model's have 12x8"):
        native.load(tmp_path / "m")


def test_a_loaded_model_is_ready_to_run_and_not_to_train(saved):
    model = native.load(saved).model
    assert not model.training
    assert not any(p.requires_grad for p in model.parameters())
    assert {p.dtype for p in model.parameters()} == {torch.float32}


def test_weights_are_stored_in_half_the_space_by_default(tmp_path, byte_bpe):
    model = tiny_gpt()
    native.save(tmp_path / "m", "gpt", model, Encoders(byte_bpe))
    stored = safetensors.torch.load_file(tmp_path / "m" / "model.safetensors")
    assert {t.dtype for t in stored.values()} == {torch.bfloat16}
    loaded = native.load(tmp_path / "m").model
    for (name, mine), theirs in zip(
        model.state_dict().items(), loaded.state_dict().values(), strict=True
    ):
        assert theirs.equal(mine.bfloat16().float()), name


@pytest.mark.parametrize("dtype", [torch.float16, torch.float64, torch.int8])
def test_only_what_can_be_read_back_is_saved(dtype, tmp_path, byte_bpe):
    with pytest.raises(ParameterError, match=f"dtype is {dtype}; it must be one of bfloat16, fl"):
        native.save(tmp_path / "m", "gpt", tiny_gpt(), Encoders(byte_bpe), dtype=dtype)
    assert list(tmp_path.iterdir()) == []


def test_q_k_and_v_are_separate_on_disk(saved):
    stored = safetensors.torch.load_file(saved / "model.safetensors")
    assert {n for n in stored if n.startswith("blocks.0.attn")} == {
        f"blocks.0.attn.w_{letter}.{part}" for letter in "qkvo" for part in ("weight", "bias")
    }
    attn = tiny_gpt().blocks[0].attn
    for letter, part in zip("qkv", (attn.w_q, attn.w_k, attn.w_v), strict=True):
        assert stored[f"blocks.0.attn.w_{letter}.weight"].equal(part.weight)


def test_the_tied_head_is_stored_once(saved):
    stored = safetensors.torch.load_file(saved / "model.safetensors")
    assert sum(t.numel() for t in stored.values()) == sum(
        p.numel() for p in tiny_gpt().parameters()
    )


def test_heads_that_a_model_does_not_have_are_not_on_disk(tmp_path, wordpiece):
    native.save(tmp_path / "m", "bert", tiny_bert(sentence_pairs=False), Encoders(wordpiece))
    stored = safetensors.torch.load_file(tmp_path / "m" / "model.safetensors")
    assert not any(name.startswith(("pooler.", "nsp.")) for name in stored)
    assert native.load(tmp_path / "m").model.abilities == {"masked_words"}


def test_a_config_from_before_heads_were_optional_has_them_all(tmp_path, wordpiece):
    native.save(tmp_path / "m", "bert", tiny_bert(), Encoders(wordpiece))
    rewrite_config(tmp_path / "m", lambda whole: whole["config"].pop("sentence_pairs"))
    assert "sentence_pairs" in native.load(tmp_path / "m").model.abilities


def test_a_table_that_nobody_learns_is_not_on_disk(tmp_path, wordpiece):
    native.save(tmp_path / "m", "transformer", tiny_transformer(), Encoders(wordpiece))
    stored = safetensors.torch.load_file(tmp_path / "m" / "model.safetensors")
    assert [name for name in stored if name.startswith("embed.")] == ["embed.tokens.weight"]
    found = native.load(tmp_path / "m").model.embed.positions.weight
    assert found.equal(tiny_transformer().embed.positions.weight)


def test_everybody_may_read_what_was_saved(saved):
    assert saved.stat().st_mode & 0o777 == 0o755
    for path in saved.iterdir():
        assert path.stat().st_mode & 0o777 == 0o644
    assert {path.name for path in saved.iterdir()} == {
        "config.json", "model.safetensors", "tokenizer.json", "card.md", "metrics.json"
    }  # fmt: skip


def test_card_and_metrics_may_be_missing(saved):
    (saved / "card.md").unlink()
    (saved / "metrics.json").unlink()
    found = native.load(saved)
    assert (found.card, found.metrics) == ("", {})


# --- written as a whole or not at all -----------------------------------------------


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_saving_again_replaces_the_whole_directory(saved, byte_bpe):
    (saved / "left over").write_text("from an older version")
    native.save(saved, "gpt", tiny_gpt(d_ff=64), Encoders(byte_bpe))
    assert native.load(saved).model.config.d_ff == 64
    assert not (saved / "left over").exists()
    assert [path.name for path in saved.parent.iterdir()] == ["gpt"]


@pytest.mark.parametrize("failing", ["weights", "tokenizer", "the last rename"])
def test_a_save_that_fails_leaves_the_old_model(failing, saved, byte_bpe, monkeypatch):
    before = contents(saved)

    def fail(*_args, **_kwargs):
        raise OSError("no space left on device")

    if failing == "weights":
        monkeypatch.setattr(native, "save_file", fail)
    elif failing == "tokenizer":
        monkeypatch.setattr(type(byte_bpe), "save", fail)
    else:
        rename = Path.rename
        monkeypatch.setattr(
            Path, "rename", lambda a, b: fail() if a.name.startswith(".gpt-") and b == saved
            and not a.name.endswith("-old") else rename(a, b),
        )  # fmt: skip
    with pytest.raises(OSError, match="no space"):
        native.save(saved, "gpt", tiny_gpt(d_ff=64), Encoders(byte_bpe))
    assert contents(saved) == before
    assert [path.name for path in saved.parent.iterdir()] == ["gpt"]


def test_a_first_save_that_fails_leaves_nothing(tmp_path, byte_bpe, monkeypatch):
    monkeypatch.setattr(native, "save_file", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        native.save(tmp_path / "gpt", "gpt", tiny_gpt(), Encoders(byte_bpe))
    assert list(tmp_path.iterdir()) == []


# --- the config ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "change", "problem"),
    [
        ("schema", lambda c: c.update(schema=2), "is 2, this program reads 1"),
        ("schema", lambda c: c.pop("schema"), "is None, this program reads 1"),
        ("architecture", lambda c: c.update(architecture="lstm"), "must be one of gpt, bert"),
        ("architecture", lambda c: c.update(architecture=[]), "must be one of gpt, bert"),
        ("dtype", lambda c: c.update(dtype="int8"), "must be one of bfloat16, float32"),
        ("dtype", lambda c: c.update(dtype={}), "must be one of bfloat16, float32"),
        ("colour", lambda c: c.update(colour="blue"), "unknown field"),
        ("config", lambda c: c.update(config=[1]), "must be an object of sizes"),
        ("n_experts", lambda c: c["config"].update(n_experts=4), "unknown field"),
        ("n_types", lambda c: c["config"].update(n_types=2), "unknown field"),
        ("d_ff", lambda c: c["config"].update(d_ff="32"), "must be a whole number, not '32'"),
        ("d_ff", lambda c: c["config"].update(d_ff=32.0), "must be a whole number, not 32.0"),
        ("d_ff", lambda c: c["config"].update(d_ff=True), "must be a whole number, not True"),
        ("d_ff", lambda c: c["config"].update(d_ff=None), "must be a whole number, not None"),
        ("d_ff", lambda c: c["config"].update(d_ff=-1), "must be at least 1"),
        ("eps", lambda c: c["config"].update(eps="small"), "must be a number, not 'small'"),
        ("eps", lambda c: c["config"].update(eps=float("nan")), "must be above 0"),
        ("activation", lambda c: c["config"].update(activation=[]), "must be a name, not []"),
        ("activation", lambda c: c["config"].update(activation="tan"), "must be one of relu"),
        ("n_heads", lambda c: c["config"].update(n_heads=3), "must divide d_model, 16"),
    ],
)  # fmt: skip
def test_a_config_that_cannot_be_built_names_the_field(field, change, problem, saved):
    rewrite_config(saved, change)
    with pytest.raises(ConfigError) as caught:
        native.load(saved)
    assert caught.value.field == field
    assert problem in str(caught.value)


@pytest.mark.parametrize("size", [2**24 + 1, 2**31, 2**62, 2**63, 10**30])
@pytest.mark.parametrize("field", GPT_FIELDS)
def test_a_size_beyond_all_models_is_named(field, size, saved):
    rewrite_config(saved, lambda c: c["config"].update({field: size}))
    with pytest.raises(ConfigError, match=f"config field '{field}': must be at most [\\d,]+$"):
        native.load(saved)


@pytest.mark.parametrize("cls", [GPTConfig, BERTConfig])
def test_the_largest_sizes_can_be_counted(cls):
    """On "meta": a matrix whose size in bytes is beyond 64 bits would be a RuntimeError."""
    sizes = dict.fromkeys(GPT_FIELDS, LARGEST_SIZE) | {"n_layers": 1}
    model = GPT if cls is GPTConfig else BERT
    with torch.device("meta"):
        assert model(cls(**sizes)).embed.tokens.weight.shape == (LARGEST_SIZE, LARGEST_SIZE)
    with pytest.raises(ConfigError, match="'n_layers': must be at most 1,024"):
        cls(**dict.fromkeys(GPT_FIELDS, 4) | {"n_layers": 1025})


@pytest.mark.parametrize("field", GPT_FIELDS)
def test_a_missing_size_is_named(field, saved):
    rewrite_config(saved, lambda c: c["config"].pop(field))
    with pytest.raises(ConfigError, match=f"config field '{field}': missing"):
        native.load(saved)


def test_a_whole_number_will_do_for_a_fraction():
    config = from_plain(
        GPTConfig, dict.fromkeys(GPT_FIELDS, 4) | {"eps": 1e-4, "activation": "relu"}
    )
    assert config == GPTConfig(4, 4, 4, 4, 4, 4, activation="relu", eps=1e-4)
    with pytest.raises(ConfigError, match="'eps': must be above 0 and below 1"):
        from_plain(GPTConfig, dict.fromkeys(GPT_FIELDS, 4) | {"eps": 1})


@pytest.mark.parametrize("text", ["", "{", "\xff\xfe", "[1, 2]", "3"])
def test_a_config_that_is_no_json_object_is_damage(text, saved):
    (saved / "config.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(CheckpointError, match=r"config.json: (not readable JSON|must hold a JSON)"):
        native.load(saved)


DEEP = b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
LONG = b'{"a": ' + b"9" * 5_000 + b"}"
CUT = "ü".encode()[:1]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        *((name, content, "not readable JSON") for name in ("config.json", "metrics.json")
          for content in (DEEP, LONG, CUT)),
        ("metrics.json", b"[1]", "must hold a JSON object"),
        ("card.md", CUT, "not readable text"),
    ],
)  # fmt: skip
def test_text_that_makes_no_sense_is_damage(name, content, problem, saved):
    (saved / name).write_bytes(content)
    with pytest.raises(CheckpointError, match=problem) as caught:
        native.load(saved)
    assert caught.value.where == str(saved / name)


@pytest.mark.parametrize("name", ["config.json", "metrics.json", "card.md"])
def test_a_directory_in_the_place_of_a_file_is_damage(name, saved):
    (saved / name).unlink()
    (saved / name).mkdir()
    with pytest.raises(CheckpointError, match=r"not readable \(Is a directory\)"):
        native.load(saved)


def test_a_message_does_not_repeat_a_whole_file(saved):
    rewrite_config(saved, lambda c: c["config"].update(d_ff="9" * 10_000))
    with pytest.raises(ConfigError) as caught:
        native.load(saved)
    assert len(str(caught.value)) < 200


# --- the files -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("config.json", "no such file; this is not a model directory"),
        ("model.safetensors", "no such file"),
        ("tokenizer.json", "not a readable tokenizer"),
    ],
)
def test_a_missing_file_is_named(name, problem, saved):
    (saved / name).unlink()
    with pytest.raises(CheckpointError, match=problem) as caught:
        native.load(saved)
    assert caught.value.where == str(saved / name)


def test_a_missing_tensor_is_named(saved):
    rewrite_weights(saved, lambda w: w.pop("blocks.1.attn.w_k.weight"))
    with pytest.raises(CheckpointError, match=r"tensor 'blocks.1.attn.w_k.weight' is missing"):
        native.load(saved)


def test_an_extra_tensor_is_named(saved):
    rewrite_weights(saved, lambda w: w.update({"lm_head.weight": torch.zeros(2)}))
    with pytest.raises(CheckpointError, match=r"'lm_head.weight' does not belong to this model"):
        native.load(saved)


def test_a_fused_matrix_is_not_our_layout(saved):
    rewrite_weights(saved, lambda w: w.update({"blocks.0.attn.w_qkv.weight": torch.zeros(48, 16)}))
    with pytest.raises(CheckpointError, match=r"w_qkv.weight' does not belong"):
        native.load(saved)


def test_a_wrong_shape_is_named_with_both_shapes(saved):
    rewrite_weights(saved, lambda w: w.update({"final_norm.weight": torch.ones(17)}))
    message = r"tensor 'final_norm.weight' has shape \(17,\), the config asks for \(16,\)"
    with pytest.raises(CheckpointError, match=message):
        native.load(saved)


@pytest.mark.parametrize("dtype", [torch.int8, torch.int64, torch.bool, torch.complex64])
def test_a_tensor_of_another_kind_is_named(dtype, saved):
    rewrite_weights(saved, lambda w: w.update({"final_norm.bias": torch.ones(16, dtype=dtype)}))
    kind = str(dtype).removeprefix("torch.")
    with pytest.raises(CheckpointError, match=f"tensor 'final_norm.bias' is of {kind}, not of"):
        native.load(saved)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_floats_of_any_width_will_do(dtype, saved):
    rewrite_weights(saved, lambda w: w.update({"final_norm.bias": torch.ones(16, dtype=dtype)}))
    assert native.load(saved).model.final_norm.bias.equal(torch.ones(16))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e300])
def test_a_tensor_with_what_is_no_number_is_named(value, saved):
    """The last is too large for the float32 that models compute in."""
    bias = torch.zeros(16, dtype=torch.float64)
    bias[3] = value
    rewrite_weights(saved, lambda w: w.update({"final_norm.bias": bias}))
    with pytest.raises(CheckpointError, match=r"'final_norm.bias' holds infinite or undefined"):
        native.load(saved)


def test_numbers_whose_sum_is_too_large_are_still_numbers(saved):
    rewrite_weights(saved, lambda w: w.update({"final_norm.bias": torch.full((16,), 3e38)}))
    assert native.load(saved).model.final_norm.bias.isfinite().all()


def test_sizes_that_fit_another_model_are_found_out(saved):
    rewrite_config(saved, lambda c: c["config"].update(n_ctx=64))
    with pytest.raises(CheckpointError, match=r"'embed.positions.weight' has shape \(32, 16\)"):
        native.load(saved)


@pytest.mark.parametrize("keep", [0, 4, 100, 0.5, 0.999])
def test_a_truncated_file_is_damage(keep, saved):
    path = saved / "model.safetensors"
    data = path.read_bytes()
    path.write_bytes(data[: int(keep * len(data)) if isinstance(keep, float) else keep])
    with pytest.raises(CheckpointError, match=r"model.safetensors: damaged or not safetensors"):
        native.load(saved)


class Trap:
    """Unpickling it leaves a mark."""

    def __reduce__(self):
        return (exec, ("import builtins; builtins.unpickled = True",))


def test_nothing_is_ever_unpickled(saved):
    for name in ("model.safetensors", "tokenizer.json", "config.json"):
        good = (saved / name).read_bytes()
        (saved / name).write_bytes(pickle.dumps(Trap()))
        with pytest.raises(CheckpointError, match=re.escape(str(saved / name))):
            native.load(saved)
        torch.save({"x": Trap()}, saved / name)
        with pytest.raises(CheckpointError, match=re.escape(str(saved / name))):
            native.load(saved)
        (saved / name).write_bytes(good)
    import builtins

    assert not hasattr(builtins, "unpickled")
    native.load(saved)


def test_a_tokenizer_with_more_entries_than_the_table_is_an_error(saved):
    large = train_byte_bpe([" ".join(str(n) for n in range(2000)), *TEXTS], 310)
    assert large.vocab_size == 310
    large.save(saved / "tokenizer.json")
    with pytest.raises(CheckpointError, match="gives ids up to 309, the model's table ends at 299"):
        native.load(saved)


def renumber(whole: dict) -> None:
    vocab = whole["model"]["vocab"]
    vocab[max(vocab, key=vocab.get)] = 5000


def remark(whole: dict) -> None:
    (mark,) = whole["post_processor"]["special_tokens"].values()
    mark["ids"] = [5000]


@pytest.mark.parametrize("change", [renumber, remark])
def test_an_id_beyond_the_table_is_an_error_however_few_entries_there_are(change, saved):
    path = saved / "tokenizer.json"
    whole = json.loads(path.read_text())
    change(whole)
    path.write_text(json.dumps(whole))
    with pytest.raises(CheckpointError, match="gives ids up to 5000, the model's table") as caught:
        native.load(saved)
    assert caught.value.where == str(path)


def leave_out(whole: dict) -> None:
    """The last entry gets the id after its own, which the table still holds."""
    vocab = whole["model"]["vocab"]
    vocab[max(vocab, key=vocab.get)] += 1


def share(whole: dict) -> None:
    """The last entry gets the id of the one before it."""
    vocab = whole["model"]["vocab"]
    vocab[max(vocab, key=vocab.get)] -= 1


def rename(old: str) -> Callable[[dict], None]:
    """An entry, special or not, becomes an ordinary one of another name."""

    def change(whole: dict) -> None:
        whole["added_tokens"] = [t for t in whole["added_tokens"] if t["content"] != old]
        whole["model"]["vocab"]["zzz"] = whole["model"]["vocab"].pop(old)

    return change


def make_ordinary(whole: dict) -> None:
    """[MASK] is an entry still, but no special one."""
    whole["added_tokens"] = [t for t in whole["added_tokens"] if t["content"] != "[MASK]"]


def without_template(whole: dict) -> None:
    whole["post_processor"] = None


def unchanged(whole: dict) -> None:
    pass


GAP = r"no entry has id \d+; ids must run from 0 to \d+ without a gap"
AFTER = "puts a mark after a text, where this model would go on; it is another model's"
NO_START = r"has no <\|endoftext\|>, with which this model's texts begin and end; it is another"
NO_MASK = r"has no \[MASK\], which hides a word from this model; it is another model's"
NO_MARKS = r"must put a mark before and after a text, such as \[CLS\] and \[SEP\]"


@pytest.mark.parametrize(
    ("architecture", "kind", "change", "problem"),
    [
        ("gpt", "byte_bpe", leave_out, GAP),
        ("bert", "wordpiece", leave_out, GAP),
        ("gpt", "byte_bpe", share, "two of its entries have the same id"),
        ("bert", "wordpiece", share, "two of its entries have the same id"),
        ("gpt", "wordpiece", unchanged, AFTER),
        ("gpt", "wordpiece", without_template, NO_START),
        ("bert", "byte_bpe", unchanged, NO_MASK),
        ("bert", "wordpiece", rename("[MASK]"), NO_MASK),
        ("bert", "wordpiece", make_ordinary, NO_MASK),
        ("bert", "wordpiece", without_template, NO_MARKS),
    ],
)
def test_a_tokenizer_that_is_not_the_models_is_an_error(
    architecture, kind, change, problem, tmp_path, request
):
    model = tiny_gpt(vocab_size=320) if architecture == "gpt" else tiny_bert(vocab_size=320)
    native.save(tmp_path / "m", architecture, model, Encoders(request.getfixturevalue(kind)))
    path = tmp_path / "m" / "tokenizer.json"
    whole = json.loads(path.read_text())
    change(whole)
    path.write_text(json.dumps(whole))
    with pytest.raises(CheckpointError, match=problem) as caught:
        zoo.load(str(tmp_path / "m"), "cpu")
    assert caught.value.where == str(path)


@pytest.mark.parametrize("change", [without_template, rename("<|endoftext|>")])
def test_a_model_that_goes_on_needs_no_mark_on_bytes(change, saved):
    """As GPT-2's own file, which puts none before a text."""
    path = saved / "tokenizer.json"
    whole = json.loads(path.read_text())
    whole["post_processor"] = None
    change(whole)
    path.write_text(json.dumps(whole))
    model = zoo.load(str(saved), "cpu")
    assert len(list(generate(model, "The cat", max_new=3))) == 3
    runs = Runs(load=lambda name, device: model)
    for ask in (
        lambda: next(generate(model, "")),
        lambda: runs.get(GenerateRequest("gpt", "", 3, Sampling())),
    ):
        with pytest.raises(EmptyInputError, match="the text is empty: type at least one word"):
            ask()


def test_a_tokenizer_of_another_kind_is_an_error(saved):
    import tokenizers

    kind = tokenizers.models.BPE({"▁": 0, "a": 1}, [])
    tokenizers.Tokenizer(kind).save(str(saved / "tokenizer.json"))
    with pytest.raises(CheckpointError, match="only byte-level BPE, WordPiece, Unigram and"):
        native.load(saved)


def test_a_directory_that_is_no_model_is_an_error(tmp_path):
    with pytest.raises(CheckpointError, match="this is not a model directory"):
        native.load(tmp_path)


def test_filling_needs_no_memory_twice():
    """The model is made on "meta", without memory, and takes the file's tensors as they are."""
    with torch.device("meta"):
        model = GPT(tiny_gpt().config)
    assert all(p.is_meta for p in model.parameters())
    weights = tiny_gpt().state_dict()
    fill(model, weights, Path("memory"))
    name = "embed.positions.weight"  # matrices are put in another order (one_row.lay_out)
    assert model.get_parameter(name).data_ptr() == weights[name].data_ptr()
