"""The new entries of the vocabulary, in the order they were learnt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.figures.components import Chip, Stepper, Strip
from core.figures.components.strip import Reveal
from core.figures.text import Sentence, sentence
from core.figures.values import Along, Values
from core.language import _
from core.models.needs import NO_MODEL
from core.runs.requests import Request
from core.text.learning import MergeTraining
from core.views.text.tokenizing import ByMerges, learned_from
from core.views.text.trained import Trained, merge_steps, trained, training_requests
from core.views.view import Note, View


class LearntEntries(View[ByMerges, Trained]):
    """A chip for each entry, which comes with its merge."""

    name, Params, needs = "text.learnt", ByMerges, NO_MODEL

    def requests(self, params: ByMerges) -> tuple[Request, ...]:
        return training_requests(params)

    def compute(self, runs: Sequence[MergeTraining[Any]], params: ByMerges) -> Trained:
        return trained(runs, params)

    def values(self, record: Trained) -> Mapping[str, Values]:
        merges = record.learning.code.merges
        axes = (Along("merge", _("merge"), [str(n) for n in range(1, len(merges) + 1)]),)
        columns = {
            "left": (_("left"), [record.label(merge.left) for merge in merges]),
            "right": (_("right"), [record.label(merge.right) for merge in merges]),
            "new": (_("new"), [record.label(merge.new) for merge in merges]),
            "id": (_("id"), [merge.new for merge in merges]),
            "count": (_("count"), [merge.count for merge in merges]),
        }
        place = (record.step - 1,) if record.step else None
        return {
            name: Values(label, np.array(column, object), axes, selected=place)
            for name, (label, column) in columns.items()
        }

    def describe(self, record: Trained) -> Sentence:
        return record.done(record.step)

    def draw(self, record: Trained) -> Strip:
        title = _("Entries learned so far, and how often each pair occurred")
        merges = record.learning.code.merges
        return Strip(
            title=title,
            selection=record.selection(),
            name=title,
            heading=sentence(title),
            tokens=[
                Chip(record.label(merge.new), "word", str(record.done(step)), group=merge.new)
                for step, merge in enumerate(merges, start=1)
            ],
            notes=[str(merge.count) for merge in merges],
            coloured=True,
            still=True,
            long=len(merges) + 1,
            reveal=Reveal("merge", 0, record.step),
        )

    def notes(self, record: Trained) -> Sequence[Note]:
        return learned_from(record.params, record.learning)

    def steps(self, record: Trained) -> Stepper | None:
        return merge_steps(record)
