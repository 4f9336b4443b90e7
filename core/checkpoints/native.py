"""A model as a directory: config, weights, tokenizer, card and measurements.

``config.json`` says the layout's version, the architecture and its sizes;
``model.safetensors`` holds the weights under stable names, with q, k and v as
separate matrices however they are fused in memory. Nothing is ever unpickled.
"""

from __future__ import annotations

import dataclasses
import json
import os
import reprlib
import shutil
import tempfile
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

import safetensors
import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from core.errors import CheckpointError, ConfigError, ParameterError
from core.language import N_, Phrase
from core.models.bert import BERT, BERTConfig
from core.models.gpt import GPT, GPTConfig
from core.text.tokenizer import CLS, END_OF_TEXT, MASK, SEP, Tokenizer

SCHEMA = 1
CONFIG_FILE, WEIGHTS_FILE, TOKENIZER_FILE = "config.json", "model.safetensors", "tokenizer.json"
CARD_FILE, METRICS_FILE = "card.md", "metrics.json"
_DTYPES = {"bfloat16": torch.bfloat16, "float32": torch.float32}

Parsed = TypeVar("Parsed")

ARCHITECTURES: dict[str, tuple[type[Any], type[Any]]] = {
    "gpt": (GPTConfig, GPT),
    "bert": (BERTConfig, BERT),
}


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a model directory holds.

    Attributes:
        architecture: "gpt", "bert".
        model: with the weights, in evaluation mode, float32, on the CPU.
        tokenizer: of the model.
        card: Markdown.
        metrics: measured figures, by name.
    """

    architecture: str
    model: nn.Module
    tokenizer: Tokenizer
    card: str
    metrics: Mapping[str, Any]


def split_qkv(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Weights under their names on disk: ``w_qkv`` as ``w_q``, ``w_k`` and ``w_v``."""
    names: dict[str, Tensor] = {}
    for name, tensor in state.items():
        if ".w_qkv." in name:
            for letter, part in zip("qkv", tensor.chunk(3), strict=True):
                names[name.replace(".w_qkv.", f".w_{letter}.")] = part
        else:
            names[name] = tensor
    return names


def fuse_qkv(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The opposite of ``split_qkv``."""
    fused: dict[str, Tensor] = {}
    for name, tensor in state.items():
        if ".w_q." in name:
            parts = [state[name.replace(".w_q.", f".w_{letter}.")] for letter in "qkv"]
            fused[name.replace(".w_q.", ".w_qkv.")] = torch.cat(parts)
        elif ".w_k." not in name and ".w_v." not in name:
            fused[name] = tensor
    return fused


def save(
    directory: Path,
    architecture: str,
    model: nn.Module,
    tokenizer: Tokenizer,
    *,
    card: str = "",
    metrics: Mapping[str, Any] | None = None,
    dtype: torch.dtype = torch.bfloat16,
) -> None:
    """Write a model directory; an old one of that name is replaced as a whole or not at all.

    Raises:
        ParameterError: a dtype that ``load`` does not read.
    """
    if dtype not in _DTYPES.values():
        raise ParameterError(
            "dtype", dtype, Phrase(N_("one of {choices}"), choices=", ".join(_DTYPES))
        )
    directory.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    try:
        config = {
            "schema": SCHEMA,
            "architecture": architecture,
            "dtype": str(dtype).removeprefix("torch."),
            "config": dataclasses.asdict(model.config),  # type: ignore[call-overload]
        }
        (new / CONFIG_FILE).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
        weights = split_qkv(model.state_dict())
        save_file(
            {name: tensor.to(dtype).contiguous().cpu() for name, tensor in weights.items()},
            new / WEIGHTS_FILE,
        )
        tokenizer.save(new / TOKENIZER_FILE)
        (new / CARD_FILE).write_text(card, encoding="utf-8")
        text = json.dumps(dict(metrics or {}), indent=2, sort_keys=True)
        (new / METRICS_FILE).write_text(text + "\n", encoding="utf-8")
        for path in (new, *new.iterdir()):
            path.chmod(0o755 if path.is_dir() else 0o644)
        _replace(directory, new)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def _replace(directory: Path, new: Path) -> None:
    """Put a finished directory in the place of an old one, which comes back if that fails."""
    if not directory.exists():
        new.rename(directory)
        return
    old = new.with_name(new.name + "-old")
    directory.rename(old)
    try:
        new.rename(directory)
    except BaseException:
        old.rename(directory)
        raise
    shutil.rmtree(old)


def load(directory: Path) -> Checkpoint:
    """Read a model directory.

    Raises:
        CheckpointError: a file is missing or damaged, or the tensors are not
            those of the architecture; names the file or the tensor.
        ConfigError: a field is unknown, missing or out of its range; names it.
    """
    architecture, config = read_config(directory / CONFIG_FILE)
    with torch.device("meta"):
        model = ARCHITECTURES[architecture][1](config)
    tokenizer = read_tokenizer(directory / TOKENIZER_FILE, config.vocab_size, model.topology.head)
    fill(model, read_weights(directory / WEIGHTS_FILE), directory / WEIGHTS_FILE)
    card, metrics = directory / CARD_FILE, directory / METRICS_FILE
    return Checkpoint(
        architecture=architecture,
        model=model,
        tokenizer=tokenizer,
        card=_read(card, str, N_("text")) if os.path.exists(card) else "",
        metrics=read_json(metrics) if os.path.exists(metrics) else {},
    )


def read_tokenizer(
    path: Path, vocab_size: int, head: Literal["next_token", "masked_token"]
) -> Tokenizer:
    """A model's tokenizer.

    Args:
        path: of the file.
        vocab_size: rows of the model's table.
        head: what the model predicts.

    Raises:
        CheckpointError: it is missing, damaged, gives ids beyond the model's table or leaves some
            out, or lacks the marks that such a model needs.
    """
    tokenizer = Tokenizer.from_file(path)
    if tokenizer.largest_id >= vocab_size:
        raise CheckpointError(
            path,
            Phrase(
                N_("gives ids up to {largest}, the model's table ends at {last}"),
                largest=tokenizer.largest_id,
                last=vocab_size - 1,
            ),
        )
    ids = tokenizer.ids
    missing = set(range(tokenizer.largest_id + 1)) - ids
    if missing:
        raise CheckpointError(
            path,
            Phrase(
                N_("no entry has id {id}; ids must run from 0 to {largest} without a gap"),
                id=min(missing),
                largest=tokenizer.largest_id,
            ),
        )
    if tokenizer.vocab_size > len(ids):
        raise CheckpointError(path, N_("two of its entries have the same id"))
    (_check_goes_on if head == "next_token" else _check_fills)(tokenizer, path)
    return tokenizer


def _check_goes_on(tokenizer: Tokenizer, path: Path) -> None:
    """See that a tokenizer may be that of a model which goes on with a text."""
    if tokenizer.tokens("a")[-1].special:
        raise CheckpointError(
            path,
            N_("puts a mark after a text, where this model would go on; it is another model's"),
        )
    if tokenizer.family == "wordpiece" and tokenizer.end_of_text_id is None:
        raise CheckpointError(
            path,
            Phrase(
                N_(
                    "has no {mark}, with which this model's texts begin and end; "
                    "it is another model's"
                ),
                mark=END_OF_TEXT,
            ),
        )


def _check_fills(tokenizer: Tokenizer, path: Path) -> None:
    """See that a tokenizer may be that of a model which fills in hidden words."""
    if tokenizer.mask_id not in tokenizer.special_ids:
        raise CheckpointError(
            path,
            Phrase(
                N_("has no {mark}, which hides a word from this model; it is another model's"),
                mark=MASK,
            ),
        )
    tokens = tokenizer.tokens("a")
    if not (tokens[0].special and tokens[-1].special):
        raise CheckpointError(
            path,
            Phrase(
                N_("must put a mark before and after a text, such as {first} and {last}"),
                first=CLS,
                last=SEP,
            ),
        )


def _read(path: Path, parse: Callable[[str], Parsed], kind: str) -> Parsed:
    """What a file of UTF-8 text says.

    Raises:
        CheckpointError: it is missing, cannot be read or makes no sense.
    """
    try:
        return parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError as missing:
        raise CheckpointError(path, N_("no such file; this is not a model directory")) from missing
    except OSError as closed:
        raise CheckpointError(
            path, Phrase(N_("not readable ({reason})"), reason=closed.strerror)
        ) from closed
    except (ValueError, RecursionError) as broken:  # bytes, syntax, digits; depth
        raise CheckpointError(
            path, Phrase(N_("not readable {kind} ({reason})"), kind=kind, reason=str(broken))
        ) from broken


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file.

    Raises:
        CheckpointError: it is missing or holds something else.
    """
    found = _read(path, json.loads, "JSON")
    if not isinstance(found, dict):
        raise CheckpointError(path, N_("must hold a JSON object"))
    return found


def read_config(path: Path) -> tuple[str, Any]:
    """A model's architecture and sizes.

    Raises:
        CheckpointError: the file is missing or damaged.
        ConfigError: a field is unknown, missing or out of its range; names it.
    """
    whole = read_json(path)
    if whole.get("schema") != SCHEMA:
        raise ConfigError(
            "schema",
            Phrase(
                N_("is {value}, this program reads {schema}"),
                value=reprlib.repr(whole.get("schema")),
                schema=SCHEMA,
            ),
        )
    architecture = whole.get("architecture")
    if not isinstance(architecture, str) or architecture not in ARCHITECTURES:
        raise ConfigError(
            "architecture", Phrase(N_("must be one of {choices}"), choices=", ".join(ARCHITECTURES))
        )
    if str(whole.get("dtype")) not in _DTYPES:
        raise ConfigError(
            "dtype", Phrase(N_("must be one of {choices}"), choices=", ".join(_DTYPES))
        )
    for name in sorted(whole.keys() - {"schema", "architecture", "dtype", "config"}):
        raise ConfigError(name, N_("unknown field"))
    sizes = whole.get("config")
    if not isinstance(sizes, dict):
        raise ConfigError("config", N_("must be an object of sizes"))
    return architecture, config_from(ARCHITECTURES[architecture][0], sizes)


def config_from(cls: type[Any], sizes: Mapping[str, Any]) -> Any:
    """Make a config of plain values, checking every name and type.

    Raises:
        ConfigError: names the first field that is unknown, missing or of a wrong type.
    """
    known = {field.name: field for field in dataclasses.fields(cls)}
    types = typing.get_type_hints(cls)
    for name, value in sizes.items():
        if name not in known:
            raise ConfigError(name, N_("unknown field"))
        wanted = types[name]
        if wanted is float and type(value) is int:
            continue
        if wanted in (int, float):
            if type(value) is not wanted:
                problem = (
                    N_("must be a whole number, not {value}")
                    if wanted is int
                    else N_("must be a number, not {value}")
                )
                raise ConfigError(name, Phrase(problem, value=reprlib.repr(value)))
        elif not isinstance(value, str):  # the names among the sizes: of an activation, say
            raise ConfigError(
                name, Phrase(N_("must be a name, not {value}"), value=reprlib.repr(value))
            )
    for name, field in known.items():
        if name not in sizes and field.default is dataclasses.MISSING:
            raise ConfigError(name, N_("missing"))
    return cls(**sizes)


def read_weights(path: Path) -> dict[str, Tensor]:
    """The tensors of a safetensors file: those of floats as float32, others as they are.

    Raises:
        CheckpointError: the file is missing, truncated or not safetensors.
    """
    if not path.is_file():
        raise CheckpointError(path, N_("no such file"))
    try:
        with safetensors.safe_open(path, framework="pt") as tensors:
            stored = ((name, tensors.get_tensor(name)) for name in tensors.keys())  # noqa: SIM118
            return {name: t.float() if t.is_floating_point() else t for name, t in stored}
    except (safetensors.SafetensorError, OSError) as broken:
        raise CheckpointError(
            path, Phrase(N_("damaged or not safetensors ({reason})"), reason=str(broken))
        ) from broken


def fill(model: nn.Module, weights: Mapping[str, Tensor], where: Path) -> None:
    """Put weights, named as on disk, into a model and make it ready to run.

    Matrices are laid out column by column, which a product with few rows reads
    up to 1.7 times as fast (16 rows of width 256, measured).

    Raises:
        CheckpointError: a tensor is missing, superfluous, of a wrong shape or kind, or holds
            infinite or undefined numbers; names it.
    """
    wanted = split_qkv(model.state_dict())
    for name in sorted(wanted.keys() - weights.keys()):
        raise CheckpointError(where, Phrase(N_("tensor {name} is missing"), name=repr(name)))
    for name in sorted(weights.keys() - wanted.keys()):
        raise CheckpointError(
            where, Phrase(N_("tensor {name} does not belong to this model"), name=repr(name))
        )
    for name, tensor in weights.items():
        if tensor.shape != wanted[name].shape:
            raise CheckpointError(
                where,
                Phrase(
                    N_("tensor {name} has shape {shape}, the config asks for {wanted}"),
                    name=repr(name),
                    shape=tuple(tensor.shape),
                    wanted=tuple(wanted[name].shape),
                ),
            )
        if not tensor.is_floating_point():
            kind = str(tensor.dtype).removeprefix("torch.")
            raise CheckpointError(
                where,
                Phrase(N_("tensor {name} is of {kind}, not of floats"), name=repr(name), kind=kind),
            )
        # A sum is ten times as fast as a look at each number; it may also be too large itself.
        if not tensor.sum().isfinite() and not tensor.isfinite().all():
            raise CheckpointError(
                where,
                Phrase(N_("tensor {name} holds infinite or undefined numbers"), name=repr(name)),
            )
    model.load_state_dict(fuse_qkv(weights), assign=True)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            module.weight.data = module.weight.data.t().contiguous().t()
    model.eval().requires_grad_(False)
