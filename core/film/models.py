"""The models of a film: each frame is one like those of the shelf, to be traced and asked alike."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from core.checkpoints import native
from core.checkpoints.encoders import TOKENIZER_FILE, read_encoders
from core.checkpoints.weights import fill, fingerprint_of, read_weights
from core.device import resolve_device
from core.errors import UnknownModelError
from core.film.index import FOLDER, Film, FilmFrame, check, read
from core.zoo import LoadedModel


def names(folder: Path = FOLDER) -> tuple[str, ...]:
    """The names of a film's models, in the order of its frames.

    Raises:
        CheckpointError: as ``core.film.index.read``.
    """
    return tuple(frame.name for frame in read(folder).frames)


def load(name: str, device: str = "auto", folder: Path = FOLDER) -> LoadedModel:
    """The model of a frame; its metrics are the frame's scores of heads.

    Args:
        name: of the frame: ``film@300``.
        device: as of ``core.zoo.load``.
        folder: of the film.

    Raises:
        UnknownModelError: no frame has this name.
        CheckpointError, ConfigError: the film is damaged; names the file.
        DeviceUnavailableError: this machine has no such device.
    """
    frame = _checked(name, folder)
    return assembled(folder, frame.file, name, device, frame)


def fingerprint(name: str, folder: Path = FOLDER) -> str:
    """That of the model that ``load`` would give, whose weights are not kept; errors as above."""
    frame = _checked(name, folder)
    return _fingerprint(folder, frame.file, (folder / frame.file).stat().st_mtime_ns)


def assembled(
    folder: Path, file: str, name: str, device: str = "cpu", frame: FilmFrame | None = None
) -> LoadedModel:
    """The model whose weights are a file of a folder, whatever its index says; errors as above.

    Args:
        folder: with the config and the tokenizer that all frames share.
        file: of the weights.
        name: that it gets.
        device: where it runs.
        frame: whose figures it brings.
    """
    chosen = resolve_device(device)
    architecture, model = native.outline(folder)
    encoders = read_encoders(folder, model)
    fill(model, read_weights(folder / file), folder / file)
    return LoadedModel(
        id=name,
        architecture=architecture,
        model=model.to(chosen),
        encoders=encoders,
        card="",
        metrics=dict(frame.heads) if frame else {},
        device=chosen,
    )


def _checked(name: str, folder: Path) -> FilmFrame:
    film: Film = read(folder)
    frame = film.frame(name)
    if frame is None:
        raise UnknownModelError(name, names(folder))
    for file in (native.CONFIG_FILE, TOKENIZER_FILE, frame.file):
        check(film, file, folder)
    return frame


@lru_cache(maxsize=64)
def _fingerprint(folder: Path, file: str, _changed: int) -> str:
    architecture, model = native.outline(folder)
    encoders = read_encoders(folder, model)
    return native.mark(architecture, model.config, encoders, fingerprint_of(folder / file))
