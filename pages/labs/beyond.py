"""Beyond: what made a model that continues texts into one that answers."""

from dataclasses import replace
from typing import TypeVar

import streamlit as st

from core.experiments import BEYOND
from core.language import _
from core.locale import grouped, listed
from core.preferences import PREFERENCES
from core.views.beyond.best import Weighing
from core.views.beyond.judged import Judging
from core.views.beyond.preferring import Preferring, Watched
from core.views.digits.drawing import Drawing
from pages.parts import controls, state
from pages.parts.figure import reading, record_of, show, show_notes, show_steps
from pages.parts.page import (
    heading,
    model_here,
    say_which_model,
    source_of,
    try_this,
)
from pages.parts.sections import BeyondPart, Section, sections
from pages.parts.watching import progress

P = TypeVar("P", Preferring, Weighing)


def of_page(params: type[P]) -> P:
    """The parameters, with a model that continues texts."""
    return replace(state.read(params), model=model_here())


def stage() -> None:
    """A copy of our GPT that learns what a rule likes, while one watches."""
    say_which_model()
    params = of_page(Preferring)
    heading(
        _("How does a model learn what people like?"),
        claim=_("ChatGPT began as a model that continues texts. [[fine-tuning|Fine-tuning]] on "
                "answers that people wrote came next, then learning from their "
                "[[preference|preferences]]. Here a copy of our GPT learns a preference while "
                "you watch."),
        terms=("pretraining", "reward", "reward-model", "rlhf", "policy", "kl-divergence",
               "reinforce", "reward-hacking", "nat", "gradient", "frozen", "seed", "sampling",
               "diffusion", "noise", "guidance", "cross-attention"),
    )  # fmt: skip
    what_is_liked(params)
    begin, standing = st.columns([1, 3], vertical_alignment="center")
    with begin:
        if params.preferring:
            controls.button(_("Back to the start"), "beyond-start", start)
        else:
            controls.button(_("Train"), "beyond-train", train, type="primary")
    with standing:
        if params.preferring:
            progress("beyond.learning", params)
        else:
            st.markdown(_("The copy equals the model on the shelf. Training takes about a minute."))
    curves, other = st.columns([3, 2], gap="large")
    with curves:
        record = show("beyond.learning", params)
        reading("beyond.learning", record)
    with other, controls.lower_on_a_phone("written", 2):
        written(params)
    with controls.lower_on_a_phone("how", 2):
        if record is not None:
            how_it_learns(record)
        source_of("core/live_training/liking.py", "loss = self._beta * kl")


def what_is_liked(params: Preferring) -> None:
    """The preference, and what stands beside it; how it is trained is folded away."""
    preference, beta, against = st.columns([4, 3, 4], vertical_alignment="bottom")
    with preference:
        controls.choice("preference", params)
    with beta, controls.lower_on_a_phone("beta"):
        controls.choice("beta", params)
    with against, controls.lower_on_a_phone("against"):
        controls.choice("against", params)
    liked = PREFERENCES[params.preference]
    if liked.words:
        st.markdown(
            _("The judge is a rule: {counts}. The list: {words}.").format(
                counts=_(liked.counts), words=listed(liked.words)
            )
        )
    else:
        st.markdown(_("The judge is a rule: {counts}.").format(counts=_(liked.counts)))


def written(params: Preferring) -> None:
    """One continuation before training and now, and what was gained for the distance."""
    sample, seed = st.columns(2, vertical_alignment="bottom")
    with sample:
        controls.number("liked_sample", params)
    with seed:
        controls.number("seed", params)
    show("beyond.before", params)
    if params.preferring:
        show("beyond.after", params)
        reading("beyond.frontier", show("beyond.frontier", params))


def how_it_learns(record: Watched) -> None:
    """The objective, the sizes, and what is different with ChatGPT."""
    last = record.own.last
    with st.expander(_("How it learns, and what ChatGPT does differently")):
        st.markdown(
            _("Each step draws 48 continuations of up to {new} tokens and counts their points. A "
              "token becomes more probable if it and what follows it bring more points than usual, "
              "and less probable if they bring fewer (REINFORCE). The training maximises").format(
                new=grouped(last.new))
        )  # fmt: skip
        st.latex(r"\mathbb{E}\,\big[\, r(x, y) - \beta \log \tfrac{\pi(y \mid x)}{\pi_0(y \mid x)}"
                 r"\,\big]")  # fmt: skip
        st.markdown(
            _("where r is the reward of a continuation y, π the copy and π₀ the model at the "
              "start (Ouyang et al. 2022, equation 2, without its third term). β is the price "
              "of going away from the start; with β = 0 it costs nothing. The price is paid for "
              "all tokens of a continuation; the figures show the KL divergence per token. "
              "Only the biases and norms of the last two layers and the final norm learn: "
              "{learned} of {all} parameters. The model on the shelf stays as it is. The prompts "
              "on which the figures are measured begin differently, and name other people. The "
              "intervals say how much chance there is in these prompts, not in the seed."
              ).format(
                learned=grouped(last.learned), all=grouped(last.parameters))
        )  # fmt: skip
        st.markdown(
            _("The judge here is a rule, and nobody was asked. InstructGPT, whose method ChatGPT "
              "follows, was first fine-tuned on answers that people wrote. Its judge is a model "
              "that learned from people's comparisons. InstructGPT is given instructions, and "
              "our copy beginnings of stories. InstructGPT learns with PPO, which takes several "
              "steps on each batch and limits how far they change the probabilities. We leave the "
              "fine-tuning out: we have no answers that people wrote.")
        )  # fmt: skip


def train() -> None:
    """Begin."""
    state.update({"preferring": True})


def start() -> None:
    """Show the model as it begins."""
    state.update({"preferring": None})


def best() -> None:
    """The best that the penalty allows, worked out on a text of one's own."""
    params = of_page(Weighing)
    st.markdown(
        _("For every β above 0 one model is the best: no other has a larger mean of reward minus "
          "β times the KL divergence. There is a formula for it. The probability of each text at "
          "the start is multiplied by $e^{r / \\beta}$, and the results are divided by their sum "
          "(Rafailov et al. 2023, equation 4). Below, the model at the start continues your text "
          "48 times, and the formula weighs the continuations. So few give no more than an "
          "estimate: with a small β, the texts that matter most may be missing.")
    )  # fmt: skip
    text, beta, seed = st.columns([5, 2, 2], vertical_alignment="bottom")
    with text:
        controls.line("liked_text", params)
    with beta:
        controls.choice("best_beta", params)
    with seed:
        controls.number("best_seed", params)
    reading("beyond.best", show("beyond.best", params))


def judged() -> None:
    """From comparisons to marks."""
    params = state.read(Judging)
    st.markdown(
        _("People find it hard to give marks, and easier to say which of two answers is better. "
          "So the reward model learns from comparisons. It gives each answer a mark, and "
          "σ(mark of A − mark of B) is its probability that A is preferred to B (Bradley and "
          "Terry 1952; Ouyang et al. 2022, equation 1). Training makes the choices that people "
          "made as probable as possible.")
    )  # fmt: skip
    for column, name in zip(st.columns(2), ("mark_a", "mark_b"), strict=True):
        with column:
            controls.slider(name, params, step=0.1)
    reading("beyond.judged", show("beyond.judged", params))


def pictured() -> None:
    """Pictures that are drawn for a text: what the encoder gives, and how it is read."""
    params = state.read(Drawing)
    record = record_of("digits.pictures", params)
    made = record.made
    st.markdown(
        _("Imagen (Saharia et al. 2022) makes pictures for a text. It reads the text with the "
          "encoder of a T5 that was trained on text alone and stays frozen. A diffusion network "
          "begins with noise and reads the encoder's vectors by cross-attention. Below is a small "
          "one that reads our T5. Its {n} parameters were trained for {minutes} minutes on "
          "handwritten digits (MNIST) with texts such as “draw a seven”, so digits are all that "
          "it can draw.").format(n=grouped(made.parameters), minutes=grouped(round(made.minutes)))
    )  # fmt: skip
    text, guidance, seed = st.columns([5, 3, 2], vertical_alignment="bottom")
    with text:
        controls.line("draw_text", params)
    with guidance:
        controls.slider("guidance", params, step=0.5)
    with seed:
        controls.number("noise_seed", params)
    show("digits.states", params)
    reading("digits.states", record_of("digits.states", params))
    show_steps("digits.pictures", record, key="digit-steps", keys=False)
    show("digits.pictures", params, record=record)
    reading("digits.pictures", record)
    looks, reads = st.columns([3, 2], gap="large")
    with looks:
        controls.choice("looks_at", params)
        reading("digits.looks", show("digits.looks", params))
    with reads:
        reading("digits.reads", show("digits.reads", params))
    with st.expander(_("How it draws, and what Imagen does besides")):
        how_it_draws(record.n_steps)


def how_it_draws(n_steps: int) -> None:
    """The way from noise to picture, and guidance."""
    st.markdown(
        _("It takes {n} equal steps. In each step the network reads the picture, how much of the "
          "way is done, and the text. It predicts the velocity v: how fast each pixel should "
          "become lighter or darker. This is flow matching, a close relative of diffusion that "
          "learns from straight ways between noise and picture (Lipman et al. 2023). Each step is "
          "computed with your text and without any, and the guidance g multiplies their "
          "difference (as in Saharia et al. 2022, equation 2):").format(n=grouped(n_steps))
    )  # fmt: skip
    st.latex(r"v = v_\mathrm{none} + g \, (v_\mathrm{text} - v_\mathrm{none})")
    st.markdown(
        _("With g = 0 the text does not count, with g = 1 it counts as it was learned, and a "
          "larger g exaggerates it. In training one text in ten was left empty, so that the "
          "network knows both cases. Imagen reads a T5 whose encoder has 4.6 billion parameters. "
          "It mixes picture and noise along a curve, not along a straight line. It draws 64 × 64 "
          "pixels, and two further networks enlarge them.")
    )  # fmt: skip


def named() -> None:
    """How often it draws what the text names."""
    record = show("digits.measured", state.read(Drawing))
    reading("digits.measured", record)
    if record is None:
        return
    show_notes("digits.measured", record, "warning")
    with st.expander(_("How the generator was made")):
        show_notes("digits.measured", record, "more")
        st.markdown(
            _("The weights were trained once, with seed {seed}, on {sources}. Their licence is "
              "{licence}. DIR is the folder of the corpora. The wordings of the other texts were "
              "never read in training.").format(
                seed=record.made.seed, licence=record.made.licence,
                sources=listed(f"{one['name']} ({one['credit']})" for one in record.made.sources),
            )
        )  # fmt: skip
        st.code(record.made.command, language="sh")


def experiments() -> None:
    """Three clicks that move a number."""
    try_this(BEYOND)


sections(
    BeyondPart,
    [
        Section(_("Learning a preference"), "stage", stage, headed=False, tries=experiments),
        Section(_("How good can it become?"), "best", best),
        Section(_("Where do a judge's marks come from?"), "judged", judged),
        Section(_("From a text to a picture"), "pictured", pictured),
        Section(_("Does it draw what the text names?"), "named", named),
    ],
)
