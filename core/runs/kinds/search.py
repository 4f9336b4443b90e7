"""A target that is searched for: every token that was looked at, and what became of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.decoding.beam import BeamStep, Hypothesis, beam_steps, ranked
from core.decoding.decoder import Decoder
from core.decoding.sampling import draw, filtered
from core.decoding.settings import Sampling
from core.runs.request import Context, OfModel, answer
from core.units import Token
from core.zoo import LoadedModel

Method = Literal["greedy", "sample", "beam", "hand"]  # of a search


@dataclass(frozen=True, slots=True)
class SearchRequest(OfModel):
    """A target that is searched for, with the tokens that were not taken.

    Attributes:
        text: the source.
        method: "greedy", "sample", "beam", or "hand": nothing is searched for.
        beams: how many texts are kept.
        alpha: of the length penalty.
        temperature, seed: of the draws.
        length: tokens at most, the end mark included.
        shown: of the likeliest tokens at a place so many are in the tree.
        walked: what a learner opened by hand, each token by its rank.
    """

    lasts = "a while"
    text: str
    method: Method
    beams: int
    alpha: float
    temperature: float
    seed: int
    length: int
    shown: int
    walked: tuple[tuple[int, ...], ...] = ()


BranchFate = Literal["kept", "cut", "offered", "walked"]


@dataclass(frozen=True, slots=True)
class Branch:
    """A token that may stand at its place.

    Attributes:
        parent: the place of the token before it in the list of branches; -1 after the start mark.
        ranks: of this token and those before it, each among what may follow there, from 0.
        token: it.
        log_prob: natural logarithm of its probability after those before it.
        total: of all tokens up to this one.
        fate: what the search did with it, or that the learner opened it: "offered" where no
            search decided.
        open: what may follow it is in the list.
        ends: it is the end mark, or there is no room behind it.
    """

    parent: int
    ranks: tuple[int, ...]
    token: Token
    log_prob: float
    total: float
    fate: BranchFate
    open: bool
    ends: bool


@dataclass(frozen=True, slots=True)
class SearchedTarget:
    """A text that the search found.

    Attributes:
        branch: its last token.
        score: its log probability over the length penalty.
        penalty: that.
        ended: with the end mark.
    """

    branch: int
    score: float
    penalty: float
    ended: bool


@dataclass(frozen=True, eq=False)
class SearchTree:
    """The tokens that a search saw, as a tree.

    Attributes:
        start: the mark that every target begins with.
        branches: each after its parent.
        found: the texts, the best first; none where nothing searched.
        steps: pushes of the decoder, rows that run together counted one by one.
        cut: what of the source did not fit.
    """

    start: Token
    branches: tuple[Branch, ...]
    found: tuple[SearchedTarget, ...]
    steps: int
    cut: str


Ids = tuple[int, ...]


@answer.register
def searched(request: SearchRequest, context: Context) -> SearchTree:
    """The tree of a search, and of what a learner opened in it.

    Raises:
        AbilityError: the model does not translate.
        NoRoomError: not even the marks fit the context.
        ParameterError: a setting is out of its range.
    """
    model = context.model(request.model)
    translator = model.as_translator("translate")
    config = translator.config
    text, cut = model.fit(request.text)
    source = torch.tensor([model.encode(text)], device=model.device)
    with torch.inference_mode():
        begun = translator.begin(source, 1)  # the encoder runs once, for all branches
    never = () if config.start_id == config.end_id else (config.start_id,)
    tree = _TreeBuilder(model, begun, request.shown, never, config.start_id, config.end_id)
    limit = min(request.length, config.n_ctx)
    hypotheses: Sequence[Hypothesis] = ()
    if request.method == "sample":
        hypotheses = [tree.sampled(request, limit)]
    elif request.method != "hand":
        beams = request.beams if request.method == "beam" else 1
        alpha = request.alpha if request.method == "beam" else 0.0
        hypotheses = tree.beams(beams, alpha, limit)
    if not hypotheses:
        tree.opened(())
    for ranks in request.walked:
        tree.walked(ranks)
    return SearchTree(
        start=model.tokenizer.token(config.start_id),
        branches=tuple(tree.branches),
        found=tuple(
            SearchedTarget(
                tree.at[path.ids],
                path.score,
                path.log_prob / path.score if path.score else 1.0,
                path.ended,
            )
            for path in hypotheses
        ),
        steps=tree.steps,
        cut=cut,
    )  # fmt: skip


@dataclass
class _TreeBuilder:
    """A tree while it grows.

    Attributes:
        model: whose tokens they are.
        begun: a decoder of one row, nothing written yet; it stays as it is.
        shown: of the likeliest tokens at a place so many are kept.
        never: tokens that are not written.
        start, end: the marks.
        branches: so far.
        at: from the ids of a text to the place of its last token; the start's is -1.
        orders: of each open text, all tokens, likeliest first, and their log probabilities.
        decoders: decoders of the texts that a learner opened.
        steps: rows that were pushed.
    """

    model: LoadedModel
    begun: Decoder
    shown: int
    never: Ids
    start: int
    end: int
    branches: list[Branch] = field(default_factory=list)
    at: dict[Ids, int] = field(default_factory=lambda: {(): -1})
    orders: dict[Ids, tuple[NDArray[np.int64], NDArray[np.float64]]] = field(default_factory=dict)
    decoders: dict[Ids, Decoder] = field(default_factory=dict)
    steps: int = 0

    # --- searches ----------------------------------------------------------------------------

    def beams(self, n: int, alpha: float, limit: int) -> Sequence[Hypothesis]:
        """What a beam search of that width finds; each of its steps becomes part of the tree."""
        steps: list[BeamStep] = []
        for step in beam_steps(
            self.begun.fork([0], limit), self.start, self.end, beams=n, max_new=limit,
            never=self.never, device=self.model.device,
        ):  # fmt: skip
            self.steps += len(step.kept)
            for row, (ids, _log_prob) in enumerate(step.kept):
                row_tokens = [token for of, token, _total in step.taken if of == row]
                self.open(ids, step.logits[row], row_tokens)
            steps.append(step)
        return ranked(steps, self.end, alpha)

    def sampled(self, request: SearchRequest, limit: int) -> Hypothesis:
        """A text of tokens that are drawn one after the other."""
        generator = torch.Generator().manual_seed(request.seed)
        how = Sampling(request.temperature, top_k=0, top_p=1.0, seed=request.seed)
        ids: Ids = ()
        decoder, newest = self.begun.fork([0], limit), self.start
        while len(ids) < limit and (not ids or ids[-1] != self.end):
            logits = self._push(decoder, newest)
            allowed = logits.clone()
            allowed[list(self.never)] = -torch.inf
            newest = draw(filtered(allowed, (), how).after_top_p, generator)
            self.open(ids, logits, [newest])
            ids = (*ids, newest)
        total = self.branches[self.at[ids]].total
        return Hypothesis(ids, total, total, ended=ids[-1] == self.end)

    def _push(self, decoder: Decoder, token: int) -> Tensor:
        """The logits ``(V,)`` after one more token."""
        self.steps += 1
        with torch.inference_mode():
            return decoder.push(torch.tensor([[token]], device=self.model.device))[0, -1]

    # --- the tree ----------------------------------------------------------------------------

    def open(self, ids: Ids, logits: Tensor, taken: Collection[int] | None) -> None:
        """Add what may follow a text: the likeliest tokens, and those that a search took.

        Args:
            ids: of the text.
            logits: after it, ``(V,)``.
            taken: by the search; None where none decides.
        """
        logs = torch.log_softmax(logits.cpu().double(), dim=-1).numpy()
        logs[list(self.never)] = -np.inf
        order = np.argsort(-logs, kind="stable")[: len(logs) - len(self.never)]
        self.orders[ids] = order, logs
        if self.at[ids] >= 0:
            branch = self.branches[self.at[ids]]
            self.branches[self.at[ids]] = replace(branch, open=True)
        ranks = {int(np.flatnonzero(order == token)[0]) for token in taken or ()}
        for rank in sorted(ranks | set(range(min(self.shown, len(order))))):
            fate: BranchFate = "offered" if taken is None else "kept" if rank in ranks else "cut"
            self._add(ids, rank, fate)

    def _add(self, ids: Ids, rank: int, fate: BranchFate) -> Ids:
        """One token more behind a text, if it is not there yet; gives the text with it."""
        order, logs = self.orders[ids]
        token = int(order[rank])
        longer = (*ids, token)
        if longer not in self.at:
            parent = self.at[ids]
            before = self.branches[parent] if parent >= 0 else None
            log_prob = float(logs[token])
            self.at[longer] = len(self.branches)
            self.branches.append(
                Branch(
                    parent=parent,
                    ranks=(*(before.ranks if before else ()), rank),
                    token=self.model.tokenizer.token(token),
                    log_prob=log_prob,
                    total=log_prob + (before.total if before else 0.0),
                    fate=fate,
                    open=False,
                    ends=token == self.end or len(longer) >= self.model.config.n_ctx,
                )
            )
        return longer

    def opened(self, ids: Ids) -> None:
        """Open a text that no search decides about, if it is not open."""
        if ids in self.orders:
            return
        decoder, newest = self.begun, self.start
        for n in range(len(ids) + 1):  # what stands before it was opened, or searched through
            parent = self.decoders.get(ids[:n])
            if parent is None:
                parent = decoder.fork([0], 1)
                logits = self._push(parent, newest)
                self.decoders[ids[:n]] = parent
            decoder, newest = parent, ids[n] if n < len(ids) else newest
        self.open(ids, logits, None)

    def walked(self, ranks: Sequence[int]) -> None:
        """Open a text token by token, each by its rank; where it ends, so does the walk."""
        ids: Ids = ()
        self.opened(ids)
        for rank in ranks:
            ids = self._add(ids, min(rank, len(self.orders[ids][0]) - 1), "walked")
            branch = self.branches[self.at[ids]]
            if branch.ends:
                return
            self.opened(ids)
            if branch.fate in ("offered", "cut"):
                branch = self.branches[self.at[ids]]
                self.branches[self.at[ids]] = replace(branch, fate="walked")
