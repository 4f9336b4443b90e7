"""What the model expects after a position, through every filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.figures.components import BarFrame, BarRow, Bars, Follow, Stepper
from core.figures.components.base import Steps
from core.figures.text import Mark, Sentence, join, percent, sentence
from core.figures.values import Along, Values
from core.language import _, name_of, ngettext
from core.locale import grouped, listed, spelt
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Candidates, Generation
from core.spelling import visible
from core.tracing.trace import Array
from core.units import Token
from core.views.nearest import nearest
from core.views.predict.choosing import Choosing, all_tokens, expected
from core.views.view import Note, View
from core.views.weak import no_idea

N_ROWS = 12
N_TAIL = 6  # tokens of what is written that stand beside the stepper: one line of a phone


@dataclass(frozen=True)
class Distribution:
    """One frame for each position, of the text and of what was generated.

    Attributes:
        tokens: of both.
        frames: what was expected after each.
        n_prompt: tokens of the text.
        full: the context was full before all new tokens were there.
        seconds: what all new tokens took.
        site: whose values became the frames.
        params: what was asked for.
    """

    tokens: list[Token]
    frames: list[Candidates]
    n_prompt: int
    full: bool
    seconds: float
    site: str
    params: Choosing

    def taken(self, frame: int) -> int | None:
        """The id that follows position ``frame``, if the text goes on there."""
        return self.tokens[frame + 1].id if frame + 1 < len(self.tokens) else None

    @property
    def new(self) -> list[Token]:
        """The tokens that were generated."""
        return self.tokens[self.n_prompt :]

    def written(self, n: int) -> str:
        """The end of the text that so many new tokens have made."""
        tail = self.new[max(0, n - N_TAIL) : n]
        text = "".join(one.label for one in tail).replace("·", " ").strip()
        return _("written: {text}").format(text=f"… {text}")

    @property
    def shown(self) -> int:
        """The position that is looked at; nothing comes after the end of a text or of the room."""
        last, token = len(self.frames) - 1, self.params.token
        newest = min(self.n_prompt - 1 + self.params.so_far, last)
        return newest if token < 0 else nearest("token", token, newest)

    def selection(self) -> dict[str, int | str | None]:
        """By the names of the parameters."""
        return self.params.selection(self.n_prompt, len(self.tokens))


class Next(View[Choosing, Distribution]):
    """Bars of the likeliest tokens, and the cut of each filter."""

    name, Params, needs = "predict.next", Choosing, Needs("next_token")

    def requests(self, params: Choosing) -> tuple[Request, ...]:
        return (params.generation(),)

    def compute(self, runs: Sequence[Generation], params: Choosing) -> Distribution:
        (run,) = runs
        frames = expected(run)
        return Distribution(
            tokens=all_tokens(run)[: len(frames) + 1],
            frames=frames,
            n_prompt=len(run.prompt),
            full=len(run.steps) < params.new and not run.ended,
            seconds=sum(step.seconds for step in run.steps),
            site=run.site,
            params=params,
        )

    def values(self, record: Distribution) -> Mapping[str, Values]:
        frames, words = record.frames, [[_word(t) for t in one.tokens] for one in record.frames]
        position = Along("position", _("position"), [str(at) for at in range(len(frames))])
        rank = Along("rank", _("rank"), [str(at) for at in range(len(words[0]))])
        after = [_word(token) for token in record.tokens[: len(frames)]]
        ids = [[token.id for token in one.tokens] for one in frames]
        axes, place = (position, rank), (record.shown, 0)
        names = ("model", "after_temperature", "after_top_k", "after_top_p")
        plain = record.params.repetition == 1
        labels = (
            _("model"),
            _("after temperature") if plain else _("after penalty and temperature"),
            _("after top-k"),
            _("after top-p"),
        )
        return {
            "after": Values(_("after"), np.array(after, object), (position,)),
            "kept": Values(
                _("tokens the sampler chooses among"), np.array([one.kept for one in frames]),
                (position,),
            ),
            "token": Values(_("token"), np.array(words, object), axes),
            "id": Values(_("id"), np.array(ids), axes, selected=place),
            **{
                name: Values(label, np.array([stages(one)[n] for one in frames]), axes,
                             selected=place)
                for n, (name, label) in enumerate(zip(names, labels, strict=True))
            },
        }  # fmt: skip

    def describe(self, record: Distribution) -> Sentence:
        best = record.frames[record.shown]
        runner_up = sentence(
            _("“{second}” has {share}."),
            second=Mark(best.tokens[1].spoken, "strong"),
            share=percent(float(best.raw[1])),
        )
        expects = sentence(
            _("After “{token}” the model expects “{best}” with {share}."),
            token=Mark(record.tokens[record.shown].spoken, "query"),
            best=Mark(best.tokens[0].spoken, "accent"),
            share=Mark(percent(float(best.raw[0])), "accent"),
        )
        weak = no_idea(record.params.model, float(best.raw[0]))
        return join([expects, runner_up, *([] if weak is None else [weak])])

    def draw(self, record: Distribution) -> Bars:
        places = [_places(record, at) for at in range(len(record.frames))]
        p = record.params
        # The penalty works before the temperature, and on the same bars.
        first = _("temperature {t}") if p.repetition == 1 else _("penalty {r}, temperature {t}")
        return Bars(
            title=str(_title(record, record.shown)),
            selection=record.selection(),
            frames=[_frame(record, at, rows) for at, rows in enumerate(places)],
            values=np.array(
                [
                    [stage[rows] for stage in stages(one)]
                    for one, rows in zip(record.frames, places, strict=True)
                ],
                np.float32,
            ),
            stages=[
                _("model"),
                first.format(r=_set(p.repetition), t=_set(p.temperature)),
                _("top-k {k}").format(k=p.top_k or "∞"),
                _("top-p {p}").format(p=_set(p.top_p)),
            ],
            stage_field="cut",
            follow=Follow("token", steps=Steps("made", record.n_prompt, p.made)),
            cut_word=_("cut"),
        )

    def steps(self, record: Distribution) -> Stepper:
        titles = [_("nothing generated yet"), *map(record.written, range(1, len(record.new) + 1))]
        made = record.params.made
        return Stepper(
            title=_("Continue the text"),
            alt=titles[min(made, len(titles) - 1)],
            selection=record.selection(),
            n=len(titles),
            first=made,
            field="made",
            before=1,
            titles=titles,
            clears=("token",),
        )

    def notes(self, record: Distribution) -> Sequence[Note]:
        """That the model has no idea what follows; why the text goes on no further than it does."""
        weak = no_idea(record.params.model, float(record.frames[record.n_prompt - 1].raw[0]))
        found = [] if weak is None else [Note("info", weak)]
        return [*found, *_full(record)]

    def site(self, record: Distribution) -> str:
        return record.site

    def facts(self, record: Distribution) -> Sequence[str]:
        k = len(record.new)
        return (
            name_of(record.params.model),
            ngettext("{n} token", "{n} tokens", record.n_prompt).format(n=record.n_prompt),
            ngettext("{n} new token", "{n} new tokens", k).format(n=k),
            _("ran in {ms} ms").format(ms=f"{record.seconds * 1e3:.0f}"),
            _("every number is from this run"),
        )


def _full(record: Distribution) -> Sequence[Note]:
    """Why the text goes on no further than it does."""
    if not record.full:
        return ()
    n = len(record.new)
    # The last token needs no position of its own.
    said = ngettext(
        "The model's context is full: it holds {most} tokens, so only {n} could be added.",
        "The model's context is full: it holds {most} tokens, so only {n} could be added.",
        n,
    )
    return (Note("info", sentence(said, most=str(len(record.tokens) - 1), n=str(n))),)


def stages(candidates: Candidates) -> tuple[Array, Array, Array, Array]:
    """A distribution as the model has it, and after each filter."""
    return (
        candidates.raw,
        candidates.after_temperature,
        candidates.after_top_k,
        candidates.after_top_p,
    )


def _set(value: float) -> str:
    """A setting as its slider shows it: 0.80."""
    return spelt(f"{value:.2f}")


def _word(token: Token) -> str:
    return visible(token.data.decode(errors="backslashreplace"))


def _title(record: Distribution, at: int) -> Sentence:
    return sentence(_("What comes after “{token}”"), token=Mark(record.tokens[at].spoken, "query"))


def _places(record: Distribution, frame: int) -> list[int]:
    """Places of the shown candidates: the likeliest, and the one taken if it is not there."""
    candidates, taken = record.frames[frame], record.taken(frame)
    places = list(range(min(N_ROWS, len(candidates.tokens))))
    ids = [token.id for token in candidates.tokens]
    if taken is not None and taken in ids and ids.index(taken) not in places:
        places[-1] = ids.index(taken)
    return places


def _limit(record: Distribution, kept: int) -> str:
    """Which limit left so few tokens; empty where none did."""
    k, p = record.params.top_k, record.params.top_p
    if not record.params.temperature:
        return ""
    if p < 1 and (not k or kept < k):
        return _("Top-p {p} cuts off the others.").format(p=_set(p))
    if kept == k:
        return _("Top-k {k} cuts off the others.").format(k=k)
    return ""


def _frame(record: Distribution, at: int, places: Sequence[int]) -> BarFrame:
    """The bars of a position, with what is said of them."""
    candidates, taken = record.frames[at], record.taken(at)
    tokens = [candidates.tokens[i] for i in places]
    note = ngettext(
        "The sampler has {n} token to choose from.", "The sampler chooses among {n} tokens.",
        candidates.kept,
    ).format(n=grouped(candidates.kept))  # fmt: skip
    note = f"{note} {_limit(record, candidates.kept)}".rstrip()
    if taken is not None:
        born = at + 1 >= record.n_prompt
        drawn = _("{kept} The next step draws “{word}”.")
        said = drawn if born else _("{kept} The text has “{word}”.")
        note = said.format(kept=note, word=record.tokens[at + 1].spoken)
    likeliest = listed(
        f"{candidates.tokens[i].spoken} {percent(float(candidates.raw[i]))}" for i in places[:5]
    )
    return BarFrame(
        [BarRow(str(token.id), token.label, chosen=token.id == taken) for token in tokens],
        title=_title(record, at),
        note=note,
        alt=_("Most likely next tokens: {list}.").format(list=likeliest),
    )
