"""What the model says the picture shows: a probability for each label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures.components import Bars
from core.figures.text import Mark, Sentence, join, sentence
from core.figures.values import Values
from core.language import _, name_of
from core.locale import in_quotes
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Run
from core.views.labels import label_bars, label_values
from core.views.view import View
from core.views.vision.picture import share_of
from core.views.vision.seen import OnPicture, Seen, picture_requests, seen

_CLOSE = 0.05  # from which a second label is worth a word


class Answer(View[OnPicture, Seen]):
    """A bar for each label, in the order of the labels."""

    name, Params, needs = "vision.answer", OnPicture, Needs("classify_image")

    def requests(self, params: OnPicture) -> tuple[Request, ...]:
        return picture_requests(params)

    def compute(self, runs: Sequence[Run], params: OnPicture) -> Seen:
        return seen(runs, params)

    def values(self, record: Seen) -> Mapping[str, Values]:
        site = record.head.site
        return label_values(record.labels, record.shares, record.trace[site], site)

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

    def facts(self, record: Seen) -> Sequence[str]:
        cut, ms = record.patches, f"{record.trace.seconds * 1e3:.0f}"
        return (
            name_of(record.model),
            "" if cut is None else _("{n} patches").format(n=cut.rows * cut.columns),
            _("ran in {ms} ms").format(ms=ms),
            _("every number is from this run"),
        )

    def site(self, record: Seen) -> str:
        return record.head.site

    def draw(self, record: Seen) -> Bars:
        return label_bars(record.model, record.labels, record.shares)
