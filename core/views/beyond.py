"""What comes after pretraining."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.tilting import Floats, kl_from_even, tilted
from core.data.examples import WRITER
from core.data.preferences import PREFERENCES
from core.errors import EmptyInputError
from core.figures import tokens
from core.figures.components import Strip
from core.figures.components.plot import Curve, Plot, PlotAxis, Points
from core.figures.components.plot.parts import Panel
from core.figures.text import Mark, Sentence, decimal, join, number, percent, sentence, shortened
from core.figures.values import Along, Values
from core.language import N_, _, ngettext
from core.live_training.liked import HeldOutSample, Liked, Liking, PromptMean
from core.locale import grouped, listed, spelt
from core.models.needs import NO_MODEL, Needs
from core.runs.kinds.preferences import (
    KLPenalty,
    PreferenceTuningRequest,
    SampledTexts,
    SampledTextsRequest,
)
from core.runs.progress import JobProgress
from core.runs.request import Request
from core.spelling import visible
from core.views.nearest import nearest
from core.views.params import MAX_SEED, model_param, param
from core.views.view import Note, View

# --- what the views of a training on a preference are asked with ----------------------


STEPS = 24
NEEDS = Needs("next_token", ("blocks",))
LIKED = {name: preference.called for name, preference in PREFERENCES.items()}
BETAS = {"0": N_("0, no penalty"), "0.1": "0.1", "0.3": "0.3", "1": "1"}
AGAINST = {
    "": N_("nothing"),
    "free": N_("no penalty (β = 0)"),
    "tight": N_("ten times β"),
    "seed": N_("another seed"),
}


@dataclass(frozen=True, slots=True)
class Preferring:
    """One training, and another one beside it that differs in one thing.

    Attributes:
        model: of which a copy learns.
        preference: what is liked.
        beta: the price of a nat of KL divergence from the start, in points.
        against: what is different of the other training.
        preferring: it is trained; else the model is as it begins.
        liked_sample: of the continuations that can be read.
        seed: of all that is drawn.
    """

    model: str = model_param(WRITER)
    preference: str = param("animals", choices=LIKED, label=N_("What is liked"))
    beta: str = param("0.3", choices=BETAS, label=N_("β, the price of a nat"))
    against: str = param("", choices=AGAINST, label=N_("Compare with"))
    preferring: bool = param(False, label=N_("Train"))
    liked_sample: int = param(0, low=0, high=7, label=N_("Sample"))
    seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed"))

    @property
    def penalty(self) -> KLPenalty:
        """How strongly the training is held to the start, and its seed."""
        return KLPenalty(float(self.beta), self.seed)

    @property
    def other(self) -> KLPenalty | None:
        """The one that it is compared with; None where that is the same, or none."""
        penalty = self.penalty
        other = {
            "free": KLPenalty(0.0, penalty.seed),
            "tight": KLPenalty(10 * penalty.beta, penalty.seed),
            "seed": KLPenalty(penalty.beta, (penalty.seed + 1) % (MAX_SEED + 1)),
        }.get(self.against, penalty)
        return None if other == penalty else other

    @property
    def request(self) -> PreferenceTuningRequest:
        """The same for all figures, so that they show one training."""
        penalties = (self.penalty, *filter(None, [self.other]))
        return PreferenceTuningRequest(
            self.model, self.preference, penalties, STEPS if self.preferring else 0
        )


@dataclass(frozen=True, eq=False)
class PreferenceProgress:
    """A training as far as it has come, and the one beside it."""

    params: Preferring
    training: Liking
    other: Liking | None


class PreferenceView(View[Preferring, PreferenceProgress]):
    """What the figures have in common."""

    Params, needs = Preferring, NEEDS

    def requests(self, params: Preferring) -> tuple[Request, ...]:
        return (params.request,)

    def compute(self, runs: Sequence[JobProgress], params: Preferring) -> PreferenceProgress:
        training, *other = Liking.each(runs[0].records)
        return PreferenceProgress(params, training, other[0] if other else None)


# --- how good a model could become at most: its own continuations, weighed by what they are worth


OPENING = "One morning the little girl went to the"
BEST_BETAS = {"0.03": "0.03", "0.1": "0.1", "0.3": "0.3", "1": "1", "3": "3"}
TRIED = np.geomspace(0.03, 30, 31)  # of the curve


@dataclass(frozen=True, slots=True)
class Weighing:
    """A text that is continued many times, and how the continuations are weighed.

    Attributes:
        model: that continues it.
        liked_text: the text.
        preference: what is liked.
        best_beta: the price of a nat of KL divergence.
        best_seed: of the draws.
    """

    model: str = model_param(WRITER)
    liked_text: str = param(OPENING, label=N_("Text to continue"))
    preference: str = param("animals", choices=LIKED, label=N_("What is liked"))
    best_beta: str = param("0.3", choices=BEST_BETAS, label=N_("β, the price of a nat"))
    best_seed: int = param(0, low=0, high=MAX_SEED, label=N_("Seed of the continuations"))


@dataclass(frozen=True, eq=False)
class WeighedContinuations:
    """The continuations, what each is worth, and the share that each gets."""

    params: Weighing
    drawn: SampledTexts
    rewards: Floats
    shares: Floats

    @property
    def mean(self) -> float:
        """The mean reward of the samples, each with the same weight."""
        return float(self.rewards.mean())

    @property
    def reward(self) -> float:
        """The mean reward of the best model: of the samples with its weights."""
        return float(self.shares @ self.rewards)

    @property
    def kl(self) -> float:
        """The KL divergence of the best model from the start, in nats per continuation."""
        return kl_from_even(self.shares)

    @property
    def heaviest(self) -> int:
        return int(self.shares.argmax())


class BeyondBestView(View[Weighing, WeighedContinuations]):
    """Reward over KL divergence as β falls, and the β that is chosen."""

    name, Params, needs = "beyond.best", Weighing, NEEDS

    def requests(self, params: Weighing) -> tuple[Request, ...]:
        text = params.liked_text.strip()
        return (SampledTextsRequest(params.model, text, seed=params.best_seed),) if text else ()

    def compute(self, runs: Sequence[SampledTexts], params: Weighing) -> WeighedContinuations:
        if not runs:
            raise EmptyInputError
        rule = PREFERENCES[params.preference]
        rewards = np.array([rule.points(text) for text in runs[0].texts], np.float64)
        return WeighedContinuations(
            params, runs[0], rewards, tilted(rewards, float(params.best_beta))
        )

    def values(self, record: WeighedContinuations) -> Mapping[str, Values]:
        along = (Along("beta", "β", [str(round(beta, 4)) for beta in TRIED]),)
        kls, rewards = _curve(record)
        texts = (Along("continuation", _("continuation"),
                       [str(n + 1) for n in range(len(record.rewards))]),)  # fmt: skip
        return {
            "kl_by_beta": Values(_("KL divergence, nats per continuation"), kls, along),
            "reward_by_beta": Values(_("points per continuation"), rewards, along),
            "text": Values(_("text"), np.array([*map(_visible_text, record.drawn.texts)], object),
                           texts),
            "points": Values(_("points"), record.rewards, texts),
            "share": Values(_("share"), record.shares, texts),
            "at_start": Values(_("points per continuation at the start"), np.array(record.mean)),
            "liked": Values(_("share of continuations with a point"),
                            np.array((record.rewards > 0).mean())),
            "reward": Values(_("points per continuation, best model"), np.array(record.reward)),
            "kl": Values(_("KL divergence of the best model"), np.array(record.kl), unit=_("nats")),
        }  # fmt: skip

    def describe(self, record: WeighedContinuations) -> Sentence:
        n = len(record.rewards)
        start = sentence(
            _("Continuations with at least one point: {liked} of {n}. Mean of all: {mean}."),
            n=grouped(n), liked=Mark(grouped(int((record.rewards > 0).sum())), "accent"),
            mean=number(record.mean, 2),
        )  # fmt: skip
        if not record.rewards.any():
            return join([start, sentence(_("Without a point there is nothing to learn from. "
                                           "Choose another text or seed."))])  # fmt: skip
        heaviest = record.heaviest
        best = sentence(
            _("With β = {beta} the best model gets a mean of {reward}, at {kl} nats per "
              "continuation, as far as these texts show. “{text}” gets {share} instead of {even}, "
              "and none gets more."),
            beta=spelt(record.params.best_beta),
            reward=Mark(number(record.reward, 2), "accent"),
            kl=Mark(number(record.kl, 2), "accent"),
            text=shortened(_visible_text(record.drawn.texts[heaviest]).strip(), 60),
            share=percent(float(record.shares[heaviest])), even=percent(1 / n),
        )  # fmt: skip
        return join([start, best])

    def draw(self, record: WeighedContinuations) -> Plot:
        kls, rewards = _curve(record)
        says = _("{name}: {y:.2f} points at {x:.2f} nats")
        n = len(record.rewards)
        return Plot(
            title=_("The best that {n} continuations allow").format(n=grouped(n)),
            x=PlotAxis(title=_("KL divergence, nats per continuation"), range=(0, np.log(n))),
            y=PlotAxis(title=_("points per continuation"), from_zero=True),
            series=[
                Curve(x=kls, y=rewards, role="muted", name=_("every β"), hover=says,
                      text=[number(beta) for beta in TRIED]),
                Points(x=[0.0], y=[record.mean], role="key", size=10, name=_("start"), hover=says),
                Points(x=[record.kl], y=[record.reward], role="accent", size=12,
                       name=_("the chosen β"), hover=says),
            ],
            height=360,
        )  # fmt: skip


def _visible_text(text: str) -> str:
    """Words and spaces as they are; what could not be seen, a new line too, is spelt out."""
    return " ".join(map(visible, text.split(" ")))


def _curve(record: WeighedContinuations) -> tuple[Floats, Floats]:
    """KL divergence and reward for each β that is tried."""
    shares = [tilted(record.rewards, float(beta)) for beta in TRIED]
    kls = np.array([kl_from_even(share) for share in shares])
    return kls, np.array([float(share @ record.rewards) for share in shares])


# --- how comparisons become marks: the chance that one of two answers is preferred ----


APART = np.linspace(-8, 8, 65)


@dataclass(frozen=True, slots=True)
class Judging:
    """Two answers and their marks.

    Attributes:
        mark_a, mark_b: what the reward model gives each.
    """

    mark_a: float = param(1.5, low=-4.0, high=4.0, label=N_("Mark of answer A"))
    mark_b: float = param(0.5, low=-4.0, high=4.0, label=N_("Mark of answer B"))


class BeyondJudgedView(View[Judging, Judging]):
    """Bradley and Terry 1952; the loss is equation 1 of Ouyang et al. 2022, for one pair."""

    name, Params, needs = "beyond.judged", Judging, NO_MODEL

    def compute(self, runs: Sequence[object], params: Judging) -> Judging:
        return params

    def values(self, record: Judging) -> Mapping[str, Values]:
        along = (
            Along(
                "difference",
                _("difference of the marks"),
                [f"{difference:g}" for difference in APART],
            ),
        )
        chance = _chance(_apart(record))
        return {
            "curve": Values(_("probability that A is preferred"), _chance(APART), along),
            "difference": Values(_("difference of the marks"), np.array(_apart(record))),
            "probability": Values(_("probability that A is preferred"), np.array(chance)),
            "loss": Values(_("loss if A is preferred"), np.array(-np.log(chance)), unit=_("nats")),
        }

    def describe(self, record: Judging) -> Sentence:
        chance = float(_chance(_apart(record)))
        return sentence(
            _("σ({a} − {b}) = σ({d}) = {share}: this is how often the reward model expects A to "
              "be preferred. If a person prefers A, its loss is {right} nats. If a person prefers "
              "B, it is {wrong}."),
            a=_mark(record.mark_a), b=_mark(record.mark_b), d=decimal(_apart(record), 1),
            share=Mark(percent(chance), "accent"), right=number(float(-np.log(chance)), 2),
            wrong=number(float(-np.log1p(-chance)), 2),
        )  # fmt: skip

    def draw(self, record: Judging) -> Plot:
        apart, says = _apart(record), "{name}: {y:.3f}"
        return Plot(
            title=_("How often A is preferred, over the difference of the marks"),
            x=PlotAxis(title=_("mark of A − mark of B"), range=(-8, 8)),
            y=PlotAxis(title=_("probability that A is preferred"), range=(0, 1)),
            series=[
                Curve(x=APART, y=_chance(APART), role="muted", name="σ", hover=says),
                Points(x=[apart], y=[float(_chance(apart))], role="accent", size=12,
                       name=_("these two answers"), hover=says),
            ],
            height=320,
        )  # fmt: skip


def _apart(record: Judging) -> float:
    return record.mark_a - record.mark_b


def _chance(apart: np.ndarray | float) -> np.ndarray:
    """σ of the difference of the marks."""
    return np.asarray(1 / (1 + np.exp(-np.asarray(apart, np.float64))))


def _mark(value: float) -> str:
    """A mark; one below 0 in parentheses, as it stands behind a minus."""
    written = decimal(value, 1)
    return f"({written})" if value < 0 else written


# --- a model while it learns a preference: reward, KL divergence, distinct words ------


REPEATS = 0.6  # of the distinct words at the start: with fewer, texts repeat themselves
LINES: Mapping[str, tuple[str, Callable[[Liked], float]]] = {
    "reward": (N_("points per continuation"), lambda report: report.reward.value),
    "low": (N_("low end of the 95 % interval"), lambda report: report.reward.low),
    "high": (N_("high end of the 95 % interval"), lambda report: report.reward.high),
    "kl": (N_("KL divergence from the start, nats per token"), lambda report: report.kl.value),
    "words": (N_("share of distinct words"), lambda report: report.words),
}


class BeyondLearningView(PreferenceView):
    """Three panels over the steps; the training beside it in another colour."""

    name = "beyond.learning"

    def values(self, record: PreferenceProgress) -> Mapping[str, Values]:
        return by_step(record, LINES)

    def describe(self, record: PreferenceProgress) -> Sentence:
        chosen, last = record.training, record.training.last
        if not last.steps:
            return sentence(
                _("Before training, a continuation of an unseen prompt gets {reward} on average "
                  "({interval}): {counts}."),
                reward=Mark(points(last.reward), "accent"), interval=interval(last.reward),
                counts=_(PREFERENCES[record.params.preference].counts),
            )  # fmt: skip
        sentences = [
            sentence(
                _("After {step} of {steps} steps a continuation of an unseen prompt gets {now} on "
                  "average ({interval}). At the start it got {before}."),
                step=grouped(last.step), steps=grouped(last.steps),
                now=Mark(points(last.reward), "accent"), interval=interval(last.reward),
                before=points(chosen.first.reward),
            )
        ]  # fmt: skip
        if last.step and chosen.gain.low <= 0 <= chosen.gain.high:
            sentences.append(sentence(_("On so few prompts this change may be chance.")))
        sentences.append(
            sentence(
                _("The copy's KL divergence from the start is {kl} nats per token. On average "
                  "{words} of the words in a continuation are distinct (at the start {first})."),
                kl=Mark(number(last.kl.value), "accent"), words=percent(last.words),
                first=percent(chosen.first.words),
            )
        )  # fmt: skip
        if record.other is not None:
            sentences.append(_beside(record.other.last, _(AGAINST[record.params.against])))
        if any(
            training.last.words < REPEATS * chosen.first.words
            for _b, _w, training in trainings_of(record)
        ):
            sentences.append(
                sentence(_("The texts repeat words. Where that brings points and nobody would "
                           "want to read it, it is called reward hacking."))
            )  # fmt: skip
        return join(sentences)

    def notes(self, record: PreferenceProgress) -> Sequence[Note]:
        """What the judge counts, and how much of the copy learns."""
        liked, last = PREFERENCES[record.params.preference], record.training.last
        sentences = [sentence(_("The judge is a rule: {counts}."), counts=_(liked.counts))]
        if liked.words:
            sentences = [sentence(_("The judge is a rule: {counts}. The list: {words}."),
                             counts=_(liked.counts), words=listed(liked.words))]  # fmt: skip
        if not record.params.preferring:
            sentences.append(sentence(
                _("The copy equals the model on the shelf. Training takes about a minute.")
            ))  # fmt: skip
        sizes = sentence(
            _("A continuation has up to {new} tokens. Only the biases and norms of the last two "
              "layers and the final norm learn: {learned} of {all} parameters."),
            new=grouped(last.new), learned=grouped(last.learned), all=grouped(last.parameters),
        )  # fmt: skip
        return Note("info", join(sentences)), Note("more", sizes)

    def draw(self, record: PreferenceProgress) -> Plot:
        def curves(name: str, *, legend: bool = False) -> list[Curve]:
            return [
                _learning_curve(training, name, before, which, legend=legend)
                for before, which, training in trainings_of(record)
            ]  # fmt: skip

        liked = _(LIKED[record.params.preference])
        return Plot(
            title=_("Learning to write {liked}").format(liked=liked),
            x=PlotAxis(title=_("training step"), range=(0, record.training.last.steps or STEPS)),
            y=PlotAxis(title=_("points, unseen prompts"), from_zero=True),
            series=[*curves("reward", legend=True), *curves("low"), *curves("high")],
            below=[
                Panel(y=PlotAxis(title=_("nats per token"), from_zero=True),
                      series=curves("kl"), share=0.26),
                Panel(y=PlotAxis(title=_("distinct words"), range=(0, 1.05)),
                      series=curves("words"), share=0.22),
            ],
            unified=True,
            height=520,
        )  # fmt: skip


class BeyondFrontierView(PreferenceView):
    """What a training gained for how far it went."""

    name = "beyond.frontier"

    def absent(self, record: PreferenceProgress) -> bool:
        return not record.params.preferring

    def values(self, record: PreferenceProgress) -> Mapping[str, Values]:
        return by_step(record, ("kl", "reward"))

    def describe(self, record: PreferenceProgress) -> Sentence:
        chosen = record.training
        if not chosen.last.step:
            return sentence(
                _("The start is at 0 nats, with {points}. Training moves the point to the right, "
                  "and upwards if the copy learns what is liked."),
                points=Mark(points(chosen.last.reward), "accent"),
            )  # fmt: skip
        return sentence(
            _("The training gained {gain} ({interval}) for {kl} nats per token."),
            gain=Mark(points(chosen.gain), "accent"), interval=interval(chosen.gain),
            kl=Mark(number(chosen.last.kl.value), "accent"),
        )  # fmt: skip

    def draw(self, record: PreferenceProgress) -> Plot:
        reward, kl = LINES["reward"][1], LINES["kl"][1]
        series = [
            Curve(
                x=training.line(kl), y=training.line(reward), markers=7,
                role="key" if before else "accent",
                name=_(AGAINST[record.params.against]) if before else _("this training"),
                hover=_("{name}: {y:.2f} points at {x:.3f} nats per token"), legend=bool(before),
            )
            for before, _which, training in trainings_of(record)
        ]  # fmt: skip
        return Plot(
            title=_("Reward over KL divergence from the start"),
            x=PlotAxis(title=_("KL divergence from the start, nats per token"), from_zero=True),
            y=PlotAxis(title=_("points, unseen prompts"), from_zero=True),
            series=series,
            height=320,
        )


def points(mean: PromptMean) -> str:
    """A reward in words."""
    return str(sentence(_("{n} points"), n=number(mean.value, 2)))


def interval(mean: PromptMean) -> str:
    """Where a mean lies."""
    return _("95 % interval {low} to {high}").format(
        low=number(mean.low, 2), high=number(mean.high, 2)
    )


def trainings_of(record: PreferenceProgress) -> list[tuple[str, str, Liking]]:
    """The trainings: what stands before their names, what is said behind, and what is known."""
    trainings = [("", "", record.training)]
    if record.other is not None:
        trainings.append(("other_", f" ({_(AGAINST[record.params.against])})", record.other))
    return trainings


def by_step(record: PreferenceProgress, names: Iterable[str]) -> dict[str, Values]:
    """Lines of the trainings, by their names."""
    values = {}
    for before, which, training in trainings_of(record):
        along = (Along("step", _("step"), [str(report.step) for report in training.told]),)
        for name in names:
            label, of = LINES[name]
            values[before + name] = Values(f"{_(label)}{which}", training.line(of), along)
    return values


def _beside(last: Liked, change: str) -> Sentence:
    return sentence(
        _("With “{change}” it gets {points}. Its KL divergence is {kl} nats per token, and "
          "{words} of the words are distinct."),
        change=change, points=Mark(points(last.reward), "key"), kl=number(last.kl.value),
        words=percent(last.words),
    )  # fmt: skip


def _learning_curve(training: Liking, name: str, before: str, which: str, *, legend: bool) -> Curve:
    label, of = LINES[name]
    end = name in ("low", "high")
    return Curve(
        x=np.array([report.step for report in training.told]), y=training.line(of),
        name=f"{_(label)}{which}", role="key" if before else "accent",
        dash="dot" if end else "solid", width=1 if end else 2,
        markers=0 if end else 5, hover="{name}: {y:.3f}", legend=legend,
    )  # fmt: skip


# --- what a model writes behind an unseen prompt, before a training on a preference and after it


class SampleView(PreferenceView):
    """One continuation, at one moment."""

    def moment(self, record: PreferenceProgress) -> Liked:
        """The step that is shown."""
        raise NotImplementedError

    def sample(self, record: PreferenceProgress) -> HeldOutSample:
        """The continuation that is chosen."""
        several = self.moment(record).samples
        return several[nearest("liked_sample", record.params.liked_sample, len(several) - 1)]

    def when(self, record: PreferenceProgress) -> str:
        """The moment that is shown, in words: before training, or after how many steps."""
        step = self.moment(record).step
        text = ngettext("after {n} step", "after {n} steps", step).format(n=grouped(step))
        return text if step else _("before training")

    def values(self, record: PreferenceProgress) -> Mapping[str, Values]:
        sample = self.sample(record)
        along = (Along("place", _("place"), [str(n) for n in range(len(sample.tokens))]),)
        labels = np.array(tokens.labels(sample.tokens), object)
        return {
            "token": Values(_("token"), labels, along),
            "points": Values(_("points"), np.array(sample.points, np.float64), along),
            "reward": Values(_("points of the continuation"), np.array(sum(sample.points))),
        }

    def describe(self, record: PreferenceProgress) -> Sentence:
        sample = self.sample(record)
        got, written = sum(sample.points), "".join(tokens.prose(sample.tokens)).strip()
        n = round(got)
        return sentence(
            ngettext("{when} it continues with “{text}”: {n} point.",
                     "{when} it continues with “{text}”: {n} points.", n),
            when=Mark(self.when(record).capitalize(), "strong"), text=written,
            n=Mark(number(got), "accent"),
        )  # fmt: skip

    def draw(self, record: PreferenceProgress) -> Strip:
        sample = self.sample(record)
        prompt = [tokens.chip(token, group=None) for token in sample.prompt]
        continuation = [tokens.chip(token, born=True) for token in sample.tokens]
        title = _("A continuation {when}").format(when=self.when(record))
        brought = np.full(len(prompt) + len(continuation), np.nan)
        brought[len(prompt) :] = np.where(np.array(sample.points) > 0, sample.points, np.nan)
        return Strip(
            title=title,
            heading=sentence("{title}", title=title),
            tokens=[*prompt, *continuation],
            field="liked_token",
            still=True,
            compact=True,
            heat=brought,
            heat_role="accent",
            heat_limit=2.0,
            heat_digits=1,
        )


class BeyondBeforeView(SampleView):
    """At the start."""

    name = "beyond.before"

    def moment(self, record: PreferenceProgress) -> Liked:
        return record.training.first


class BeyondAfterView(SampleView):
    """As far as the training has come."""

    name = "beyond.after"

    def absent(self, record: PreferenceProgress) -> bool:
        return not record.params.preferring

    def moment(self, record: PreferenceProgress) -> Liked:
        return record.training.last
