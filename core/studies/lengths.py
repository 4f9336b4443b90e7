"""The translators' BLEU by the length of the source, recorded: it takes minutes a model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core import zoo
from core.training.finish import commit
from core.training.measures.by_length import reference_words, sentence_counts
from core.training.recipes import RECIPES
from core.training.sources import read_pairs
from core.training.tasks.translation import TranslationPairs

COMMAND = "python -m core.training lengths --corpora DIR"


def record_lengths(
    shelf: Path, corpora: Path, out: Path, device: str, say: Callable[[str], None]
) -> None:
    """Write for each pair its length, and for each translator what BLEU is computed from.

    The pairs are those that no model has read: the validation file, and the long ones that are
    kept from training (``TranslationPairs.unseen``).

    Args:
        shelf: whose models are measured, if a recipe of theirs has them translate.
        corpora: where the pairs lie.
        out: the file.
        device: on which they run.
        say: is told of each model.

    Raises:
        CorpusError: a file is missing or damaged.
        ParameterError: sacrebleu is not installed.
    """
    tasks = {name: _task(name) for name in zoo.shelf(shelf)}
    translators = {name: task for name, task in tasks.items() if task is not None}
    pairs = _pairs(next(iter(translators.values())), corpora)
    record: dict[str, Any] = {
        "command": COMMAND,
        "commit": commit(),
        "words": [len(source.split()) for source, _ in pairs],
        "wanted": reference_words(pairs),
        "models": {},
    }
    for name in translators:
        model = zoo.load(name, device, root=shelf)
        rows = sentence_counts(model, pairs)
        record["models"][name] = {"fingerprint": model.fingerprint, "counts": rows}
        say(f"{name}: {len(rows)} pairs")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")


def _task(name: str) -> TranslationPairs | None:
    """What a model learned, if it is translation and nothing else."""
    recipe = RECIPES.get((name, "cpu"))
    return recipe.task if recipe is not None and isinstance(recipe.task, TranslationPairs) else None


def _pairs(task: TranslationPairs, corpora: Path) -> list[tuple[str, str]]:
    """Unseen pairs, those of the validation file first."""
    valid = read_pairs(corpora / task.valid, task.source, task.target)
    return [*valid, *task.unseen(corpora)]
