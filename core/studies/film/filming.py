"""A run that keeps its weights now and then, with what they know at that moment."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from torch import nn

from core.checkpoints.encoders import TOKENIZER_FILE
from core.checkpoints.native import CONFIG_FILE, WEIGHTS_FILE
from core.film import index
from core.film.index import Film, FilmFrame
from core.film.models import assembled
from core.studies.film.knowing import Questions, loss_on
from core.studies.film.recipe import STEPS, TEXTS
from core.training.loop import Trainer
from core.training.measures.heads import head_scores
from core.training.progress import Progress, RunSettings
from core.training.recipe import Recipe
from core.training.rundir import LOG_FILE, MODEL, write_model
from core.training.tasks.next_token import NextToken
from core.training.tasks.task import Corpora, TrainingBatch

_DIGITS = 5  # of a figure, behind the point


class FilmingTrainer(Trainer):
    """A trainer that films: before the first step, after those of ``STEPS``, and at the end.

    Args:
        recipe, model, corpora, settings, report: as of ``Trainer``.
        film: without frames; that of the folder goes on when the run is resumed.
        folder: where frames are written as they come.
    """

    def __init__(
        self, recipe: Recipe, model: nn.Module, corpora: Corpora, settings: RunSettings,
        report: Callable[[str], None], film: Film, folder: Path,
    ) -> None:  # fmt: skip
        super().__init__(recipe, model, corpora, settings, report)
        assert isinstance(recipe.task, NextToken)
        self.questions = Questions.of(recipe.task, corpora)
        self.folder = folder
        self.film = index.read_index(folder) if settings.resume else replace(
            film, baselines=_rounded(self.questions.baselines())
        )  # fmt: skip

    def step(self, batches: Iterator[TrainingBatch], progress: Progress) -> float:
        """One update, as ``Trainer`` makes it, and a frame where one is due."""
        if progress.step == 0:
            self._clear()
            self._keep(progress)
        norm = super().step(batches, progress)
        if progress.step in STEPS or progress.done:
            self._keep(progress)
        return norm

    def _clear(self) -> None:
        """Take an older film away."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for path in (self.folder / index.INDEX, *self.folder.glob("*" + index.WEIGHTS)):
            path.unlink(missing_ok=True)

    def _keep(self, progress: Progress) -> None:
        """Write the weights as they are, measure what was written, and say so in the index."""
        file = f"{progress.step:05d}{index.WEIGHTS}"
        weights = {name: w.detach().cpu() for name, w in self.model.state_dict().items()}
        with tempfile.TemporaryDirectory(prefix=".", dir=self.folder) as new:
            write_model(Path(new), self.recipe, weights, self.corpora.encoders)
            for name in (CONFIG_FILE, TOKENIZER_FILE):
                (Path(new) / MODEL / name).replace(self.folder / name)
            (Path(new) / MODEL / WEIGHTS_FILE).replace(self.folder / file)
        frame = self._measured(file, progress)
        kept_frames = [frame for frame in self.film.frames if frame.step < progress.step]
        # Those of a run that was cut off and goes on earlier.
        for later in self.film.frames[len(kept_frames) :]:
            if later.file != file:
                (self.folder / later.file).unlink(missing_ok=True)
        names = [CONFIG_FILE, TOKENIZER_FILE, *(frame.file for frame in kept_frames), file]
        self.film = replace(
            self.film,
            command=self.film.command + self._falls(progress) * progress.done,
            done=progress.done,
            curve=self._curve(progress),
            frames=(*kept_frames, frame),
            files={name: index.stored(self.folder / name) for name in names},
        )
        index.write(self.film, self.folder)
        self.report(f"{frame.name}: train {frame.train:.3f}, held out {frame.held:.3f} -> {file}")

    def _measured(self, file: str, progress: Progress) -> FilmFrame:
        model = assembled(self.folder, file, f"{index.NAME}@{progress.step}")
        measured = self.questions.answered(model)
        return FilmFrame(
            step=progress.step,
            tokens=progress.read,
            seconds=round(progress.seconds, 1),
            rate=round(progress.rates.share(progress.step - 1), 4) if progress.step else 0.0,
            file=file,
            train=round(measured.train, _DIGITS),
            held=round(measured.held, _DIGITS),
            sources=_rounded(measured.sources),
            texts=_rounded({text: loss_on(model, model.fit(text)[0]) for text in TEXTS}),
            away=_rounded(measured.away),
            heads=_rounded(head_scores(model)),
        )

    @staticmethod
    def _falls(progress: Progress) -> str:
        """What lets the rate fall again as it did."""
        falls = ",".join(f"{fall.step}:{fall.n_steps}" for fall in progress.rates.falls)
        return f" --cool-down-at {falls}"

    def _curve(self, progress: Progress) -> tuple[tuple[int, float], ...]:
        """What the log says of the loss; of steps that were done twice, the last time."""
        lines = (self.settings.out / LOG_FILE).read_text(encoding="utf-8").splitlines()
        losses = {entry["step"]: entry["losses"]["next_token"] for entry in map(json.loads, lines)
                  if "losses" in entry}  # fmt: skip
        if progress.step:  # which the log does not know yet
            losses[progress.step] = round(progress.losses["next_token"], 4)
        return tuple(sorted((step, loss) for step, loss in losses.items() if step <= progress.step))


def _rounded(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, _DIGITS) for name, value in figures.items()}
