"""The next word: what may come, how it is chosen, and how expected each word was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.decoding.settings import Sampling
from core.figures import tokens
from core.figures.components import BarFrame, BarRow, Bars, Follow, Stepper, Strip
from core.figures.components.base import StepCount
from core.figures.components.strip import Reveal
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _, name_of, ngettext
from core.locale import grouped, listed, spelt
from core.models.needs import Needs
from core.runs.kinds.generation import Candidates, GenerateRequest, Generation
from core.runs.request import Request
from core.spelling import visible
from core.tracing.trace import Array
from core.units import Token
from core.views.nearest import nearest
from core.views.params import MAX_SEED, OnText, param
from core.views.view import Note, View
from core.views.weak import no_idea

# --- a text that is continued, and how each token is chosen: what these views are asked with


R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class SamplingChoice(OnText):
    """How the next token is chosen, and how far the text is continued.

    Attributes:
        temperature: divides the logits; below 1 sharper, 0 always the likeliest.
        top_k: only the k likeliest may be drawn; 0 = no limit.
        top_p: only the fewest that reach this probability; 1 = no limit.
        repetition: makes tokens that already stand there less likely; 1 = off.
        seed: of the draws.
        new: tokens that are generated.
        made: how many of them are shown.
        token: the position that is looked at; -1 for the newest.
        cut: which filter's result the bars show; 0 for the model's own.
    """

    temperature: float = param(0.8, low=0.0, high=2.0, label=N_("Temperature"))
    top_k: int = param(50, low=0, high=200, label=N_("Top-k (0 = no limit)"))
    top_p: float = param(0.95, low=0.05, high=1.0, label=N_("Top-p"))
    repetition: float = param(1.0, low=0.5, high=3.0, label=N_("Repetition penalty"))
    seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))
    new: int = param(16, low=1, high=200, label=N_("New tokens"))
    made: int = param(0, low=0, high=200, lives="browser", label=N_("Generated tokens shown"))
    token: int = param(-1, low=-1, high=100_000, lives="browser", label=N_("Token"))
    cut: int = param(0, low=0, high=3, lives="browser", label=N_("Filter shown"))

    @property
    def so_far(self) -> int:
        """Of the new tokens those that are shown; the text may have ended before."""
        return nearest("made", self.made, self.new)

    def generation(self) -> GenerateRequest:
        """The run that all views of the page share."""
        return GenerateRequest(
            self.model,
            self.text,
            self.new,
            Sampling(self.temperature, self.top_k, self.top_p, self.repetition, self.seed),
        )

    def selection(self, n_prompt: int, n_tokens: int) -> dict[str, int | str | None]:
        """What components share, by the names of the parameters.

        Args:
            n_prompt: tokens of the text.
            n_tokens: of these and the new ones.
        """
        last = min(n_prompt + self.so_far, n_tokens) - 1
        token = None if self.token < 0 else nearest("token", self.token, last)
        return {"token": token, "made": self.made, "cut": self.cut}


class GenerationView(View[SamplingChoice, R]):
    """A text, and how a model continues it."""

    Params, needs = SamplingChoice, Needs("next_token")

    def requests(self, params: SamplingChoice) -> tuple[Request, ...]:
        return (params.generation(),)


def all_tokens(run: Generation) -> list[Token]:
    """Those of the text and, after them, the new ones."""
    return [*run.prompt, *(step.token for step in run.steps)]


def expected(run: Generation) -> list[Candidates]:
    """What the model expected after each of them, the last too where the text can go on."""
    then = () if run.then is None else (run.then,)
    return [*run.following, *(step.candidates for step in run.steps[1:]), *then]


# --- what the model expects after a position, through every filter --------------------


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
    params: SamplingChoice

    def next_id(self, frame: int) -> int | None:
        """The id that follows position ``frame``, if the text goes on there."""
        return self.tokens[frame + 1].id if frame + 1 < len(self.tokens) else None

    @property
    def new(self) -> list[Token]:
        """The tokens that were generated."""
        return self.tokens[self.n_prompt :]

    def written(self, n: int) -> str:
        """The end of the text that so many new tokens have made."""
        tail = self.new[max(0, n - N_TAIL) : n]
        text = "".join(token.label for token in tail).replace("·", " ").strip()
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


class PredictNextView(GenerationView[Distribution]):
    """Bars of the likeliest tokens, and the cut of each filter."""

    name = "predict.next"

    def compute(self, runs: Sequence[Generation], params: SamplingChoice) -> Distribution:
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
        frames, words = record.frames, [[_word(t) for t in frame.tokens] for frame in record.frames]
        position = Along("position", _("position"), [str(i) for i in range(len(frames))])
        rank = Along("rank", _("rank"), [str(i) for i in range(len(words[0]))])
        after = [_word(token) for token in record.tokens[: len(frames)]]
        ids = [[token.id for token in frame.tokens] for frame in frames]
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
                _("tokens the sampler chooses among"), np.array([frame.kept for frame in frames]),
                (position,),
            ),
            "token": Values(_("token"), np.array(words, object), axes),
            "id": Values(_("id"), np.array(ids), axes, selected=place),
            **{
                name: Values(label, np.array([stages(frame)[n] for frame in frames]), axes,
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
        places = [_places(record, frame) for frame in range(len(record.frames))]
        p = record.params
        # The penalty works before the temperature, and on the same bars.
        first = _("temperature {t}") if p.repetition == 1 else _("penalty {r}, temperature {t}")
        return Bars(
            title=str(_title(record, record.shown)),
            selection=record.selection(),
            frames=[_frame(record, frame, rows) for frame, rows in enumerate(places)],
            values=np.array(
                [
                    [stage[rows] for stage in stages(candidates)]
                    for candidates, rows in zip(record.frames, places, strict=True)
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
            follow=Follow("token", steps=StepCount("made", record.n_prompt, p.made)),
            cut_word=_("cut"),
        )

    def steps(self, record: Distribution) -> Stepper:
        titles = [_("nothing generated yet"), *map(record.written, range(1, len(record.new) + 1))]
        frame = record.params.made
        return Stepper(
            title=_("Continue the text"),
            selection=record.selection(),
            first=frame,
            field="made",
            before=1,
            titles=titles,
            clears=("token",),
        )

    def notes(self, record: Distribution) -> Sequence[Note]:
        """That the model has no idea what follows; why the text goes on no further than it does."""
        weak = no_idea(record.params.model, float(record.frames[record.n_prompt - 1].raw[0]))
        notes = [] if weak is None else [Note("info", weak)]
        return [*notes, *_full(record)]

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
    template = ngettext(
        "The model's context is full: it holds {most} tokens, so only {n} could be added.",
        "The model's context is full: it holds {most} tokens, so only {n} could be added.",
        n,
    )
    return (Note("info", sentence(template, most=str(len(record.tokens) - 1), n=str(n))),)


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


def _title(record: Distribution, position: int) -> Sentence:
    return sentence(
        _("What comes after “{token}”"), token=Mark(record.tokens[position].spoken, "query")
    )


def _places(record: Distribution, frame: int) -> list[int]:
    """Places of the shown candidates: the likeliest, and the one taken if it is not there."""
    candidates, taken_id = record.frames[frame], record.next_id(frame)
    places = list(range(min(N_ROWS, len(candidates.tokens))))
    ids = [token.id for token in candidates.tokens]
    if taken_id is not None and taken_id in ids and ids.index(taken_id) not in places:
        places[-1] = ids.index(taken_id)
    return places


def _limit(record: Distribution, n_kept: int) -> str:
    """Which limit left so few tokens; empty where none did."""
    k, p = record.params.top_k, record.params.top_p
    if not record.params.temperature:
        return ""
    if p < 1 and (not k or n_kept < k):
        return _("Top-p {p} cuts off the others.").format(p=_set(p))
    if n_kept == k:
        return _("Top-k {k} cuts off the others.").format(k=k)
    return ""


def _frame(record: Distribution, position: int, places: Sequence[int]) -> BarFrame:
    """The bars of a position, with what is said of them."""
    candidates, taken_id = record.frames[position], record.next_id(position)
    tokens = [candidates.tokens[i] for i in places]
    note = ngettext(
        "The sampler has {n} token to choose from.", "The sampler chooses among {n} tokens.",
        candidates.kept,
    ).format(n=grouped(candidates.kept))  # fmt: skip
    note = f"{note} {_limit(record, candidates.kept)}".rstrip()
    if taken_id is not None:
        born = position + 1 >= record.n_prompt
        drawn = _("{kept} The next step draws “{word}”.")
        template = drawn if born else _("{kept} The text has “{word}”.")
        note = template.format(kept=note, word=record.tokens[position + 1].spoken)
    likeliest = listed(
        f"{candidates.tokens[i].spoken} {percent(float(candidates.raw[i]))}" for i in places[:5]
    )
    return BarFrame(
        [BarRow(str(token.id), token.label, chosen=token.id == taken_id) for token in tokens],
        title=_title(record, position),
        note=note,
        alt=_("Most likely next tokens: {list}.").format(list=likeliest),
    )


# --- the text coloured by how little the model expected each token --------------------


LIMIT = 12.0  # bits at which the colour is full
LEAST = float(np.finfo(np.float32).tiny)  # a probability that is none any more


@dataclass(frozen=True)
class Surprise:
    """How surprising each token is.

    Attributes:
        tokens: of the text and, after them, the new ones.
        n_prompt: tokens of the text.
        bits: one a token; NaN for the first, before which nothing stands.
        expected: after each token the likeliest one, and its probability.
        cut: what of the text did not fit.
        params: what was asked for.
    """

    tokens: list[Token]
    n_prompt: int
    bits: NDArray[np.float64]
    expected: list[tuple[Token, float]]
    cut: str
    params: SamplingChoice

    @property
    def n_shown(self) -> int:
        """Tokens of the text and, after them, those that were made so far."""
        return min(len(self.tokens), self.n_prompt + self.params.so_far)


class PredictSurprisalView(GenerationView[Surprise]):
    """Chips with the bits of each token, and a reading for each."""

    name = "predict.surprisal"

    def compute(self, runs: Sequence[Generation], params: SamplingChoice) -> Surprise:
        (generation,) = runs
        then = zip(generation.following, generation.prompt[1:], strict=False)
        of_text = [_bits(candidates, token) for candidates, token in then]
        of_new = [_bits(step.candidates, step.token) for step in generation.steps]
        return Surprise(
            tokens=all_tokens(generation),
            n_prompt=len(generation.prompt),
            bits=np.concatenate([[np.nan], of_text, of_new]),
            expected=[
                (candidates.tokens[0], float(candidates.raw[0]))
                for candidates in expected(generation)
            ],
            cut=generation.cut,
            params=params,
        )

    def values(self, record: Surprise) -> Mapping[str, Values]:
        n = record.n_shown
        units = record.tokens[:n]
        axes = (Along("position", _("position"), [str(position) for position in range(n)]),)
        sources = [_("text") if position < record.n_prompt else _("model") for position in range(n)]
        likeliest = ["", *(token.label for token, _share in record.expected)][:n]
        shares = [np.nan, *(share for _token, share in record.expected)][:n]
        chosen = record.params.token
        place = (nearest("token", chosen, n - 1) if chosen >= 0 else n - 1,)
        return {
            "token": Values(_("token"), np.array([unit.label for unit in units], object), axes),
            "from": Values(_("from"), np.array(sources, object), axes),
            "bits": Values(_("bits"), record.bits[:n], axes, selected=place),
            "expected": Values(_("expected most"), np.array(likeliest, object), axes),
            "share": Values(_("its probability"), np.array(shares), axes, selected=place),
        }

    def describe(self, record: Surprise) -> Sentence:
        bits = record.bits[1 : record.n_prompt]
        if not len(bits):
            return sentence(_("There is only one token: nothing was predicted yet."))
        worst = 1 + int(np.argmax(bits))
        return sentence(
            _("The text has {mean} bits of surprisal per token on average. Its most "
              "surprising token is “{token}”, with {bits}."),
            mean=Mark(number(float(bits.mean())), "weight"),
            token=Mark(record.tokens[worst].spoken, "query"),
            bits=Mark(number(float(bits.max())), "weight"),
        )  # fmt: skip

    def draw(self, record: Surprise) -> Strip:
        title = _("Surprisal of each token, in bits")
        return Strip(
            title=title,
            selection=record.params.selection(record.n_prompt, len(record.tokens)),
            tokens=[
                tokens.chip(token, born=position >= record.n_prompt)
                for position, token in enumerate(record.tokens)
            ],
            cut=tokens.cut_text(record.cut),
            heading=sentence(title),
            heat=record.bits,
            heat_role="weight",
            heat_limit=LIMIT,
            heat_unit="",
            readings=[_reading(record, position) for position in range(len(record.tokens))],
            reveal=Reveal("made", record.n_prompt, record.params.made),
            prose=tokens.prose(record.tokens),
            name=title,
        )


def _bits(candidates: Candidates, token: Token) -> float:
    """The surprise of a token that stands there, or was drawn."""
    place = next(i for i, candidate in enumerate(candidates.tokens) if candidate.id == token.id)
    return -float(np.log2(max(LEAST, float(candidates.raw[place]))))


def _reading(record: Surprise, position: int) -> Sentence:
    """How surprising one token is, in words."""
    token = record.tokens[position]
    if position == 0:
        return sentence(
            _("“{token}” is the marker every text starts with: nothing stands before it."),
            token=Mark(token.spoken, "query"),
        )
    best, share = record.expected[position - 1]
    bits = float(record.bits[position])
    if best.id == token.id:
        return sentence(
            _("“{token}” is what the model expected most, with {share}: {bits} bits."),
            token=Mark(token.spoken, "query"),
            share=Mark(percent(share), "accent"),
            bits=Mark(number(bits), "weight"),
        )
    return sentence(
        _(
            "“{token}” was expected with {own}, a surprisal of {bits} bits. The most likely token "
            "there was “{best}”, with {share}."
        ),
        token=Mark(token.spoken, "query"),
        own=Mark(percent(2.0**-bits), "query"),
        bits=Mark(number(bits), "weight"),
        best=Mark(best.spoken, "accent"),
        share=Mark(percent(share), "accent"),
    )
