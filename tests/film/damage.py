"""A film of a few frames whose weights are drawn, for what becomes of it when it is damaged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch

from core.checkpoints import native
from core.encoders import Encoders
from core.film import index
from core.film.index import Film, FilmFrame
from core.models.gpt import GPT
from core.text.tokenizer import Tokenizer
from tests.conftest import tiny_gpt

FILES = ("config.json", "tokenizer.json")
EMPTY = Film(
    command="python -m core.training film --corpora DIR", commit="abc", tier="tiny", seed=0,
    threads=1, done=True, parameters=10, config={"n_layers": 2}, training={"tokens": 128},
    licence="CC BY-SA 4.0", sources=({"name": "a", "licence": "CC0", "credit": "b"},),
    baselines={"uniform": 4.0}, curve=((1, 4.5), (20, 3.5)), frames=(), files={},
)  # fmt: skip


def frame(step: int) -> FilmFrame:
    return FilmFrame(
        step=step, tokens=128 * step, seconds=0.5 * step, rate=1.0, file=f"{step:05d}.safetensors",
        train=4.0, held=4.1, sources={"a": 4.1}, texts={"A cat.": 4.2}, away={"unigram": 0.5},
        heads={"induction/0.0": 0.25},
    )  # fmt: skip


def drawn(folder: Path, tokenizer: Tokenizer, *steps: int) -> Film:
    """A film in a folder, of weights that are drawn by the step."""
    for step in steps:
        like = tiny_gpt()
        model = GPT(like.config, torch.Generator().manual_seed(step))
        native.save(folder / "one", "gpt", model, Encoders(tokenizer))
        for name in FILES:
            (folder / "one" / name).replace(folder / name)
        (folder / "one" / "model.safetensors").replace(folder / frame(step).file)
    frames = tuple(map(frame, steps))
    files = {name: index.stored(folder / name) for name in (*FILES, *(f.file for f in frames))}
    film = replace(EMPTY, frames=frames, files=files)
    index.write(film, folder)
    return film
