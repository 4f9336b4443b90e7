"""The heads of one layer as lines between queries and keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.figures.components import Arcs
from core.figures.text import Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Run
from core.views.attention.head import HeadRun, head_requests, head_run, reading
from core.views.attention.heads import AtHeads
from core.views.parts import layer_at, titled
from core.views.view import View

LINES = 64  # tokens that are drawn with lines between them
LEAST_OF_ONE, LEAST_OF_ALL = 0.01, 0.08  # weights that are drawn, of one query and of all


@dataclass(frozen=True)
class Drawn:
    """A layer, and which of its heads are drawn.

    Attributes:
        run: the selected head.
        params: which further ones.
    """

    run: HeadRun
    params: AtHeads

    @property
    def query(self) -> int:
        """The selected query, if it is drawn at all."""
        return min(self.run.query, LINES - 1)


class Lines(View[AtHeads, Drawn]):
    """Two columns of tokens and what is between them."""

    name, Params, needs = "attention.lines", AtHeads, Needs(parts=("attention",))

    def requests(self, params: AtHeads) -> tuple[Request, ...]:
        return head_requests(params)

    def compute(self, runs: Sequence[Run], params: AtHeads) -> Drawn:
        return Drawn(head_run(runs, params), params)

    def values(self, record: Drawn) -> Mapping[str, Values]:
        run = record.run
        weights = run.weights(run.layer)
        heads = Along("head", _("head"), [str(head) for head in range(len(weights))])
        place = (run.head, run.query, run.key)
        return {
            "weights": Values(
                _("Attention weights"), weights, (heads, *run.along), site=run.prefix + "weights",
                selected=place,
            )
        }  # fmt: skip

    def describe(self, record: Drawn) -> Sentence:
        run, heads = record.run, self.show_heads(record)
        said = [reading(replace(run, head=head), record.query) for head in heads]
        if heads != [run.head]:
            said = [
                join([sentence(_("Head {head}:"), head=str(head)), one])
                for head, one in zip(heads, said, strict=True)
            ]
        if record.params.every:
            said.insert(
                0, sentence(_("The lines of all queries are drawn. For the selected query:"))
            )
        return join(said)

    def show_heads(self, record: Drawn) -> list[int]:
        """The heads that are drawn."""
        return self._arcs(record, alt="").drawn

    def site(self, record: Drawn) -> str:
        return record.run.prefix + "weights"

    def draw(self, record: Drawn) -> Arcs:
        return self._arcs(record, str(self.describe(record)))

    def _arcs(self, record: Drawn, alt: str) -> Arcs:
        run = record.run
        note = _("Thickness is the weight. With all queries drawn, weights under {least} are "
                 "left out.").format(least=percent(LEAST_OF_ALL))  # fmt: skip
        if max(len(run.queries), len(run.keys)) > LINES:
            note += " " + _("The first {n} tokens are drawn.").format(n=LINES)
        return Arcs(
            title=titled(
                _("Attention weights as lines"), layer_at(run.attention.n_layers, run.layer)
            ),
            alt=alt,
            selection=run.selection(),
            queries=run.queries[:LINES],
            keys=run.keys[:LINES],
            weights=run.weights(run.layer)[:, :LINES, :LINES],
            heads=record.params.heads,
            every=record.params.every,
            least_of_one=LEAST_OF_ONE,
            least_of_all=LEAST_OF_ALL,
            note=note,
        )
