"""Beyond: what made a model that continues texts into one that answers."""

import streamlit as st

from core.digits import index
from core.language import _
from core.locale import grouped, listed
from pages.parts.page import heading, say_which_model, source_of
from pages.shell.figure import Field, figure, prose
from pages.shell.sections import Section, sections


def stage() -> None:
    """A copy of our GPT that learns what a rule likes, while one watches."""
    say_which_model()
    heading()
    train = Field("preferring", "button", labels=(_("Train"), _("Back to the start")))
    prose("beyond.learning", controls=("preference", train), notes=("info",))
    curves, written = st.columns([3, 2], gap="large")
    with curves:
        figure("beyond.learning", controls=("beta", "against"), says=("job", "reading"), height=520)
    with written:
        sample, seed = Field("liked_sample", "number"), Field("seed", "number")
        figure("beyond.before", controls=(sample, seed), height=140)
        figure("beyond.after")
        figure("beyond.frontier", says=("reading",))
    how_it_learns()
    source_of("core/live_training/liking.py", "loss = self._beta * kl")


def how_it_learns() -> None:
    """The objective, the sizes, and what is different with ChatGPT."""
    with st.expander(_("How it learns, and what ChatGPT does differently")):
        st.markdown(
            _("Each step draws 48 continuations and counts their points. A token becomes more "
              "probable if it and what follows it bring more points than usual, and less probable "
              "if they bring fewer (REINFORCE). The training maximises")
        )  # fmt: skip
        st.latex(r"\mathbb{E}\,\big[\, r(x, y) - \beta \log \tfrac{\pi(y \mid x)}{\pi_0(y \mid x)}"
                 r"\,\big]")  # fmt: skip
        st.markdown(
            _("where r is the reward of a continuation y, π the copy and π₀ the model at the "
              "start (Ouyang et al. 2022, equation 2, without its third term). β is the price "
              "of going away from the start; with β = 0 it costs nothing. The price is paid for "
              "all tokens of a continuation; the figures show the KL divergence per token. "
              "The model on the shelf stays as it is. The prompts on which the figures are "
              "measured begin differently, and name other people. The intervals say how much "
              "chance there is in these prompts, not in the seed.")
        )  # fmt: skip
        prose("beyond.learning", notes=("more",))
        st.markdown(
            _("The judge here is a rule, and nobody was asked. InstructGPT, whose method ChatGPT "
              "follows, was first fine-tuned on answers that people wrote. Its judge is a model "
              "that learned from people's comparisons. InstructGPT is given instructions, and "
              "our copy beginnings of stories. InstructGPT learns with PPO, which takes several "
              "steps on each batch and limits how far they change the probabilities. We leave the "
              "fine-tuning out: we have no answers that people wrote.")
        )  # fmt: skip


def best() -> None:
    """The best that the penalty allows, worked out on a text of one's own."""
    st.markdown(
        _("For every β above 0 one model is the best: no other has a larger mean of reward minus "
          "β times the KL divergence. There is a formula for it. The probability of each text at "
          "the start is multiplied by $e^{r / \\beta}$, and the results are divided by their sum "
          "(Rafailov et al. 2023, equation 4). Below, the model at the start continues your text "
          "48 times, and the formula weighs the continuations. So few give no more than an "
          "estimate: with a small β, the texts that matter most may be missing.")
    )  # fmt: skip
    figure(
        "beyond.best", controls=("liked_text", "best_beta", Field("best_seed", "number")),
        says=("reading",), height=360,
    )  # fmt: skip


def judged() -> None:
    """From comparisons to marks."""
    st.markdown(
        _("People find it hard to give marks, and easier to say which of two answers is better. "
          "So the reward model learns from comparisons. It gives each answer a mark, and "
          "σ(mark of A − mark of B) is its probability that A is preferred to B (Bradley and "
          "Terry 1952; Ouyang et al. 2022, equation 1). Training makes the choices that people "
          "made as probable as possible.")
    )  # fmt: skip
    marks = [Field(name, step=0.1) for name in ("mark_a", "mark_b")]
    figure("beyond.judged", controls=marks, says=("reading",), height=320)


def pictured() -> None:
    """Pictures that are drawn for a text: what the encoder gives, and how it is read."""
    record = index.read()
    n, minutes = grouped(record.parameters), grouped(round(record.minutes))
    st.markdown(
        _("Imagen (Saharia et al. 2022) makes pictures for a text. It reads the text with the "
          "encoder of a T5 that was trained on text alone and stays frozen. A diffusion network "
          "begins with noise and reads the encoder's vectors by cross-attention. Below is a small "
          "one that reads our T5. Its {n} parameters were trained for {minutes} minutes on "
          "handwritten digits (MNIST) with texts such as “draw a seven”, so digits are all that "
          "it can draw.").format(n=n, minutes=minutes)
    )  # fmt: skip
    drawn = ("draw_text", Field("guidance", step=0.5), Field("noise_seed", "number"))
    prose("digits.states", controls=drawn)
    figure("digits.states", says=("reading",), height=160)
    figure("digits.pictures", says=("steps", "reading"), follows=("drawing_step",), height=300)
    looks, reads = st.columns([3, 2], gap="large")
    with looks:
        figure("digits.looks", controls=("looks_at",), says=("reading",), height=300)
    with reads:
        figure("digits.reads", says=("reading",), follows=("drawing_step",), height=300)
    with st.expander(_("How it draws, and what Imagen does besides")):
        how_it_draws()


def how_it_draws() -> None:
    """The way from noise to picture, and guidance."""
    prose("digits.pictures", notes=("more",))
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
    record = index.read()
    figure("digits.measured", says=("reading",), notes=("warning",), height=300)
    sources = listed(f"{source['name']} ({source['credit']})" for source in record.sources)
    with st.expander(_("How the generator was made")):
        prose("digits.measured", notes=("more",))
        st.markdown(
            _("The weights were trained once, with seed {seed}, on {sources}. Their licence is "
              "{licence}. DIR is the folder of the corpora. The wordings of the other texts were "
              "never read in training.").format(
                seed=record.seed, licence=record.licence, sources=sources,
            )
        )  # fmt: skip
        st.code(record.command, language="sh")


sections(
    [
        Section(_("Learning a preference"), "stage", stage, headed=False, tries=("beyond",)),
        Section(_("How good can it become?"), "best", best),
        Section(_("Where do a judge's marks come from?"), "judged", judged),
        Section(_("From a text to a picture"), "pictured", pictured),
        Section(_("Does it draw what the text names?"), "named", named),
    ],
)
