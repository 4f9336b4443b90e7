"""What a model writes behind an unseen prompt, before a training on a preference and after it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.figures import tokens
from core.figures.components import Strip
from core.figures.text import Mark, Sentence, number, sentence
from core.figures.values import Along, Values
from core.language import _, ngettext
from core.live_training.liked import Liked, Sample
from core.locale import grouped
from core.views.beyond.preferring import OfLiking, Watched
from core.views.nearest import nearest


class OfSamples(OfLiking):
    """One continuation, at one moment."""

    def moment(self, record: Watched) -> Liked:
        """The step that is shown."""
        raise NotImplementedError

    def sample(self, record: Watched) -> Sample:
        """The continuation that is chosen."""
        several = self.moment(record).samples
        return several[nearest("liked_sample", record.params.liked_sample, len(several) - 1)]

    def when(self, record: Watched) -> str:
        """The moment in words."""
        step = self.moment(record).step
        said = ngettext("after {n} step", "after {n} steps", step).format(n=grouped(step))
        return said if step else _("before training")

    def values(self, record: Watched) -> Mapping[str, Values]:
        sample = self.sample(record)
        along = (Along("place", _("place"), [str(n) for n in range(len(sample.tokens))]),)
        labels = np.array(tokens.labels(sample.tokens), object)
        return {
            "token": Values(_("token"), labels, along),
            "points": Values(_("points"), np.array(sample.points, np.float64), along),
            "reward": Values(_("points of the continuation"), np.array(sum(sample.points))),
        }

    def describe(self, record: Watched) -> Sentence:
        sample = self.sample(record)
        got, written = sum(sample.points), "".join(tokens.prose(sample.tokens)).strip()
        n = round(got)
        return sentence(
            ngettext("{when} it continues with “{text}”: {n} point.",
                     "{when} it continues with “{text}”: {n} points.", n),
            when=Mark(self.when(record).capitalize(), "strong"), text=written,
            n=Mark(number(got), "accent"),
        )  # fmt: skip

    def draw(self, record: Watched) -> Strip:
        sample = self.sample(record)
        given = [tokens.chip(token, group=None) for token in sample.prompt]
        made = [tokens.chip(token, born=True) for token in sample.tokens]
        title = _("A continuation {when}").format(when=self.when(record))
        brought = np.full(len(given) + len(made), np.nan)
        brought[len(given) :] = np.where(np.array(sample.points) > 0, sample.points, np.nan)
        return Strip(
            title=title,
            heading=sentence("{title}", title=title),
            tokens=[*given, *made],
            field="liked_token",
            still=True,
            compact=True,
            heat=brought,
            heat_role="accent",
            heat_limit=2.0,
            heat_digits=1,
        )


class Before(OfSamples):
    """At the start."""

    name = "beyond.before"

    def moment(self, record: Watched) -> Liked:
        return record.own.first


class After(OfSamples):
    """As far as the training has come."""

    name = "beyond.after"

    def absent(self, record: Watched) -> bool:
        return not record.params.preferring

    def moment(self, record: Watched) -> Liked:
        return record.own.last
