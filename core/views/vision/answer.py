"""What the model says the picture shows: a probability for each label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures.components import BarFrame, BarRow, Bars
from core.figures.text import Mark, Sentence, join, sentence
from core.figures.values import Values
from core.language import _, name_of
from core.locale import in_quotes
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Run
from core.views.view import View, register
from core.views.vision.picture import share_of
from core.views.vision.seen import OnPicture, Seen, picture_requests, seen

_CLOSE = 0.05  # from which a second label is worth a word


@register
class Answer(View[OnPicture, Seen]):
    """A bar for each label, in the order of the labels."""

    name, Params, needs = "vision.answer", OnPicture, Needs("classify_image")

    def requests(self, params: OnPicture) -> tuple[Request, ...]:
        return picture_requests(params)

    def compute(self, runs: Sequence[Run], params: OnPicture) -> Seen:
        return seen(runs, params)

    def values(self, record: Seen) -> Mapping[str, Values]:
        logits = record.trace[record.head.site]
        axes, best = (record.along_labels,), (record.best,)
        return {
            "probability": Values(_("probability"), record.shares, axes, selected=best),
            "logit": Values(_("logit"), logits, axes, site=record.head.site, selected=best),
        }

    def describe(self, record: Seen) -> Sentence:
        best, *others = (int(n) for n in (-record.shares).argsort(kind="stable"))
        if record.is_empty:
            return sentence(
                _("The picture is empty. {model} must name a label all the same: {label} gets "
                  "{share}."),
                model=name_of(record.model),
                label=Mark(in_quotes(record.labels[best]), "strong"),
                share=share_of(record, best),
            )  # fmt: skip
        said = sentence(
            _("{model} sees {label}, with {share}."),
            model=name_of(record.model),
            label=Mark(in_quotes(record.labels[best]), "strong"),
            share=share_of(record, best),
        )
        if not others or record.shares[others[0]] < _CLOSE:
            return said
        also = sentence(
            _("{label} gets {share}."),
            label=in_quotes(record.labels[others[0]]),
            share=share_of(record, others[0]),
        )
        return join([said, also])

    def show(self, record: Seen) -> Bars:
        rows = [
            BarRow(str(n), label, chosen=n == record.best) for n, label in enumerate(record.labels)
        ]
        title = _("{model}: probability of each label").format(model=name_of(record.model))
        return Bars(
            title=title,
            alt=str(self.describe(record)),
            frames=[BarFrame(rows, title=sentence("{title}", title=title))],
            short=True,
            values=record.shares.reshape(1, 1, -1),
            full_scale=True,
            given=True,
        )
