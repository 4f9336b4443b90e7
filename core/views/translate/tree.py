"""A search for a target as a tree: what it kept, what it cut, and what was opened by hand."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast

import numpy as np

from core.figures.components import Node, Tree
from core.figures.text import MINUS, Mark, Sentence, decimal, join, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, ngettext
from core.models.needs import Needs
from core.runs.kinds.search import Branch, Method, SearchedTarget, SearchRequest, SearchTree
from core.runs.request import Request
from core.views.controls import Control, Press
from core.views.params import MAX_SEED, OnText, param
from core.views.view import Note, View

# --- a search for a target, and what a learner opened in its tree by hand: what a link says of it


DEEPEST, MOST_WALKS = 24, 8
PATH = rf"[0-9]{{1,4}}(\.[0-9]{{1,4}}){{0,{DEEPEST - 1}}}"
Ranks = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Searching(OnText):
    """How a target is searched for, and what of the tree is shown.

    Attributes:
        method: of the search.
        beams: texts that beam search keeps.
        alpha: of the length penalty; 0 for none.
        temperature: of sampling.
        seed: of the draws.
        candidates: of the likeliest tokens at a place so many are drawn.
        length: tokens at most, the end mark included.
        walk: what was opened by hand: ways of ranks, "0.1.0,2".
        branch: the token that is selected, by its way of ranks; empty for the end of the best.
    """

    method: str = param(
        "beam",
        choices={
            "greedy": N_("Greedy"),
            "sample": N_("Sampling"),
            "beam": N_("Beam search"),
            "hand": N_("By hand"),
        },
        label=N_("Search"),
    )
    beams: int = param(3, low=1, high=6, label=N_("Beam width"))
    alpha: float = param(0.6, low=0.0, high=2.0, label=N_("Length penalty α"))
    temperature: float = param(0.8, low=0.0, high=2.0, label=N_("Temperature"))
    seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))
    candidates: int = param(2, low=1, high=6, label=N_("Candidates shown"))
    length: int = param(16, low=1, high=DEEPEST, label=N_("Tokens at most"))
    walk: str = param("", pattern=rf"({PATH}(,{PATH}){{0,{MOST_WALKS - 1}}})?",
                      form=N_("paths through the tree"), high=1000,
                      label=N_("Opened by hand"))  # fmt: skip
    branch: str = param("", pattern=rf"({PATH})?", form=N_("a path through the tree"),
                        high=120, lives="browser", label=N_("Branch"))  # fmt: skip

    def request(self) -> SearchRequest:
        """The search; what it does not depend on is left out, so that it is found again."""
        beam, sample = self.method == "beam", self.method == "sample"
        return SearchRequest(
            model=self.model,
            text=self.text,
            method=cast(Method, self.method),
            beams=self.beams if beam else 1,
            alpha=self.alpha if beam else 0.0,
            temperature=self.temperature if sample else 0.0,
            seed=self.seed if sample else 0,
            length=self.length,
            shown=self.candidates,
            walked=ways(self.walk),
        )


def named(ranks: Ranks) -> str:
    """A way as the link says it."""
    return ".".join(map(str, ranks))


def ways(walk: str) -> tuple[Ranks, ...]:
    """What was opened by hand."""
    return tuple(tuple(map(int, way.split("."))) for way in walk.split(",") if way)


def walked(walk: str, node: str) -> str:
    """What is opened by hand after a click on a token: opens it, or closes it and what follows it.

    Args:
        walk: before.
        node: the way to the token, as a browser says it: nothing changes where it is none, or
            where eight ways are open already.
    """
    if not re.fullmatch(PATH, node):
        return walk
    before, (clicked,) = ways(walk), ways(node)
    behind = [way for way in before if way[: len(clicked)] == clicked]
    if behind:
        walks = [way for way in before if way not in behind]
        parent = clicked[:-1]
        if parent and not any(way[: len(parent)] == parent for way in walks):
            walks.append(parent)
    else:
        walks = [way for way in before if way != clicked[: len(way)]]
        walks.append(clicked)
    return walk if len(walks) > MOST_WALKS else ",".join(map(named, walks))


# --- a search for a target as a tree: what it kept, what it cut, and what was opened by hand


STATES = {
    "kept": N_("taken by the search"),
    "cut": N_("considered and pruned"),
    "offered": N_("may follow"),
    "walked": N_("opened by hand"),
}
_READS = {"beam": ("beams", "alpha"), "sample": ("temperature", "seed")}
TITLES = {
    "greedy": N_("Greedy decoding as a tree: log-probability, and sum Σ along the path (nats)"),
    "sample": N_("Sampling as a tree: log-probability, and sum Σ along the path (nats)"),
    "beam": N_("Beam search as a tree: log-probability, and sum Σ along the path (nats)"),
    "hand": N_("A tree to walk by hand: log-probability, and sum Σ along the path (nats)"),
}


@dataclass(frozen=True)
class Searched:
    """A tree and what was asked for.

    Attributes:
        tree: as the model gave it.
        params: what was asked for.
    """

    tree: SearchTree
    params: Searching

    @cached_property
    def way_of(self) -> tuple[tuple[int, ...], ...]:
        """For each branch the branches from the start to it."""
        ways: list[tuple[int, ...]] = []
        for n, branch in enumerate(self.tree.branches):
            ways.append((*(ways[branch.parent] if branch.parent >= 0 else ()), n))
        return tuple(ways)

    @property
    def best(self) -> SearchedTarget | None:
        """What the search found; None where nothing was searched for."""
        return self.tree.found[0] if self.tree.found else None

    @property
    def branch(self) -> int | None:
        """The branch that is selected: what was asked for, or the end of the best."""
        names = [named(branch.ranks) for branch in self.tree.branches]
        if self.params.branch in names:
            return names.index(self.params.branch)
        return self.best.branch if self.best else None

    @property
    def whole(self) -> tuple[int, ...]:
        """The branches that end a translation with the end mark, the most probable first."""
        ended = [
            n for n, branch in enumerate(self.tree.branches) if branch.ends and branch.token.special
        ]
        return tuple(sorted(ended, key=lambda n: -self.tree.branches[n].total))

    def text(self, index: int) -> str:
        """What the way to a branch says."""
        words = [self.tree.branches[n].token for n in self.way_of[index]]
        data = b"".join(word.data for word in words if not word.special)
        return data.decode(errors="replace").strip()


class TranslateTreeView(View[Searching, Searched]):
    """Every token that was looked at, with its log-probability and the sum of its way."""

    name, Params, needs = "translate.tree", Searching, Needs("translate")

    def requests(self, params: Searching) -> tuple[Request, ...]:
        return (params.request(),)

    def compute(self, runs: Sequence[SearchTree], params: Searching) -> Searched:
        return Searched(runs[0], params)

    def values(self, record: Searched) -> Mapping[str, Values]:
        branches, best = record.tree.branches, record.best
        along = (Along("branch", _("path of ranks"), [named(branch.ranks) for branch in branches]),)
        selected = record.branch
        place = None if selected is None else (selected,)
        texts = [record.text(ending.branch) for ending in record.tree.found]
        ranks = (Along("found", _("rank"), [str(n) for n in range(len(texts))]),)
        words = {state: _(words) for state, words in STATES.items()}
        return {
            "token": Values(_("token"), _words([branch.token.label for branch in branches]), along),
            "log_prob": Values(_("log-probability"), _of(branches, "log_prob"), along, _("nats"),
                               selected=place),
            "sum": Values(_("sum along the path"), _of(branches, "total"), along, _("nats"),
                          selected=place),
            "state": Values(_("what became of it"),
                            _words([words[branch.fate] for branch in branches]), along),
            "text": Values(_("translation"), _words(texts), ranks,
                           selected=(0,) if texts else None),
            "score": Values(_("score"), np.array([ending.score for ending in record.tree.found]),
                            ranks),
            "penalty": Values(_("length penalty"),
                              np.array([ending.penalty for ending in record.tree.found]), ranks),
            "best": Values(_("sum of the result"),
                           np.array(branches[best.branch].total if best else math.nan),
                           unit=_("nats")),
            "steps": Values(_("steps of the decoder"), np.array(record.tree.steps)),
        }  # fmt: skip

    def describe(self, record: Searched) -> Sentence:
        return join([_result(record), _search_sentence(record)])

    def draw(self, record: Searched) -> Tree:
        params, branches = record.params, record.tree.branches
        best = set(record.way_of[record.best.branch]) if record.best else set()
        occur = {branch.fate for branch in branches}
        says = self.describe(record)
        return Tree(
            title=_(TITLES[params.method]),
            alt=str(says),
            selection={"branch": params.branch or None},
            root=record.tree.start.label,
            nodes=[
                Node(
                    id=named(branch.ranks),
                    parent=branch.parent,
                    label=branch.token.label,
                    note="{} Σ\N{NO-BREAK SPACE}{}".format(*_numbers(record, n)),
                    state=branch.fate,
                    says=_way(record, n),
                    best=n in best or None,
                    walks=_walks(branch, params),
                )
                for n, branch in enumerate(branches)
            ],
            field="branch",
            first=named(branches[record.best.branch].ranks) if record.best else "",
            states={state: _(words) for state, words in STATES.items() if state in occur},
            says=says,
        )

    def controls(self, record: Searched) -> Sequence[Control]:
        """What the method reads, and a button that closes what was opened by hand."""
        params = record.params
        of_others = [name for method, names in _READS.items() for name in names
                     if method != params.method]  # fmt: skip
        close = Press(_("Close all opened paths"), {"walk": None})
        closing = Control("walk", "", "buttons", buttons=[close] if params.walk else [])
        return (*map(Control.none, of_others), closing)

    def acts(self, record: Searched) -> Mapping[str, Mapping[str, Mapping[str, str | None]]]:
        names = (named(branch.ranks) for branch in record.tree.branches)
        walk = record.params.walk
        return {
            "walk": {name: {"walk": walked(walk, name) or None, "branch": name} for name in names}
        }

    def line(self, record: Searched) -> tuple[str, str]:
        return "core/decoding/beam.py", "sums = before[:, None]"

    def notes(self, record: Searched) -> Sequence[Note]:
        if len(ways(record.params.walk)) < MOST_WALKS:
            return ()
        text = _("{n} paths are open, as many as the tree holds. Close one: click its token twice.")
        return (Note("info", sentence(text, n=str(MOST_WALKS))),)


def _words(words: Sequence[str]) -> np.ndarray:
    return np.array(words, object)


def _of(branches: Sequence[Branch], name: str) -> np.ndarray:
    return np.array([getattr(branch, name) for branch in branches], np.float64)


def _walks(branch: Branch, params: Searching) -> Literal["open", "close"] | None:
    """What a click on a token does besides selecting it."""
    opened = ways(params.walk)
    if any(way[: len(branch.ranks)] == branch.ranks for way in opened):
        return "close"
    full = len(opened) >= MOST_WALKS and not any(branch.ranks[: len(way)] == way for way in opened)
    return None if branch.open or branch.ends or len(branch.ranks) >= DEEPEST or full else "open"


# --- in words ----------------------------------------------------------------------------


def _thousandths(total: float) -> int:
    """A sum of log-probabilities as it is written: to three decimals."""
    return round(1000 * total)


def _numbers(record: Searched, n: int) -> tuple[str, str]:
    """Log-probability and sum of a branch; what is written adds up to the last digit.

    The sums are rounded, and a log-probability is the difference of two of them.
    """
    branch = record.tree.branches[n]
    before = record.tree.branches[branch.parent].total if branch.parent >= 0 else 0.0
    total = _thousandths(branch.total)
    return decimal((total - _thousandths(before)) / 1000, 3), decimal(total / 1000, 3)


def _way(record: Searched, n: int) -> Sentence:
    """The sum of a way, term by term."""
    terms = [_numbers(record, step)[0] for step in record.way_of[n]]
    added = terms[0] + "".join(
        f" {MINUS} {term.removeprefix(MINUS)}" if term.startswith(MINUS) else f" + {term}"
        for term in terms[1:]
    )
    branch = record.tree.branches[n]
    total = _numbers(record, n)[1]
    template = _("“{text}”: {terms} = {sum}, so its probability is {share}.")
    if len(terms) == 1:
        template = _("“{text}”: the log-probability is {sum}, so the probability is {share}.")
    parts = [
        sentence(
            template, text=Mark(record.text(n) or branch.token.spoken, "strong"), terms=added,
            sum=Mark(total, "accent"), share=percent(math.exp(branch.total)),
        )
    ]  # fmt: skip
    if record.params.method == "beam":
        parts += [_penalty_sentence(ending) for ending in record.tree.found if ending.branch == n]
    return join(parts)


def _penalty_sentence(ending: SearchedTarget) -> Sentence:
    """What the length penalty makes of a sum."""
    return sentence(
        _("Divided by the length penalty {penalty}, that is a score of {score}."),
        penalty=decimal(ending.penalty, 3), score=Mark(decimal(ending.score, 3), "strong"),
    )  # fmt: skip


def _result(record: Searched) -> Sentence:
    """What the search found, or what can be done where nothing searched."""
    params, best = record.params, record.best
    if best is None:
        return sentence(
            _("Nothing is searched for here. Click a token, and the model says what may follow it.")
        )
    n = best.branch
    values = {
        "text": Mark(record.text(n) or "…", "strong"),
        "sum": Mark(_numbers(record, n)[1], "accent"),
    }
    if params.method == "greedy":
        return sentence(
            _("Greedy decoding takes the most probable token each time. It writes “{text}”, "
              "whose log-probabilities add up to {sum}."), **values,
        )  # fmt: skip
    if params.method == "sample":
        likeliest = sum(record.tree.branches[index].ranks[-1] == 0 for index in record.way_of[n])
        return sentence(
            _("Sampling drew “{text}”, whose log-probabilities add up to {sum}. {k} of its {n} "
              "tokens were the most probable ones."),
            k=str(likeliest), n=str(len(record.way_of[n])), **values,
        )  # fmt: skip
    first = sentence(
        ngettext("A beam of width {n} finds “{text}”, whose log-probabilities add up to {sum}.",
                 "A beam of width {n} finds “{text}”, whose log-probabilities add up to {sum}.",
                 params.beams),
        n=str(params.beams), **values,
    )  # fmt: skip
    return join([first, _penalty_sentence(best)])


def _search_sentence(record: Searched) -> Sentence:
    """How much of the tree was looked at, and the most probable translation in it."""
    branches = record.tree.branches
    cut = sum(branch.fate == "cut" for branch in branches)
    template = _("The decoder took {steps} steps. The tree shows {n} tokens, {cut} of them pruned.")
    if not cut:
        template = _("The decoder took {steps} steps. The tree shows {n} tokens.")
    counted = sentence(template, steps=str(record.tree.steps), n=str(len(branches)), cut=str(cut))
    best = record.best
    if not record.whole or (best is not None and record.whole[0] == best.branch):
        return counted
    top = record.whole[0]
    better = sentence(
        _("The most probable whole translation in this tree is “{text}”, with {sum}."),
        text=Mark(record.text(top) or "…", "strong"), sum=Mark(_numbers(record, top)[1], "accent"),
    )  # fmt: skip
    return join([counted, better])
