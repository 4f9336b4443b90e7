"""Film of learning: one training, moment by moment, on the learner's own sentence."""

import streamlit as st

from core.film import index
from core.language import _
from core.locale import grouped, listed
from pages.parts.page import heading
from pages.shell.figure import Field, figure, prose
from pages.shell.offers import experiments


def stage() -> None:
    """One slider, and all that moves with it."""
    film = index.read()
    heading(
        _("{n} parameters, {steps} steps, {frames} moments kept").format(
            n=grouped(film.parameters), steps=grouped(film.frames[-1].step),
            frames=len(film.frames),
        ),
        claim=_("A small GPT was kept at {n} moments of its training. One slider moves through "
                "them: [[loss]], guesses, a text, a head's [[attention]], its score for "
                "[[induction]] and the [[embedding|embeddings]] change together. The page opens "
                "before the first step: press Play, or move the slider.")
        .format(n=len(film.frames)),
    )  # fmt: skip
    prose("film.losses", says=("changes",), notes=("info",))
    with st.container(key="film-slider"):
        prose("film.losses", says=("steps",))
    column, curve = st.columns([2, 3], gap="large")
    with column:
        figure("film.written", height=150)
        figure("film.guesses", says=("reading",), height=320)
        prose("film.guesses", controls=(Field("seed", "number"),))
    with curve:
        prose("film.losses", says=("reading",))
        figure("film.losses", height=520)
    looked, words = st.columns(2, gap="large")
    with looked:
        figure("film.weights", controls=("layer", "head"), says=("reading",), height=480)
    with words:
        figure("film.words", says=("reading",), notes=("more",), height=520)


def show_origin() -> None:
    """Where the film comes from."""
    film = index.read()
    with st.expander(_("How this film was made")):
        st.markdown(
            _("We trained the model once, with seed {seed}, and kept its weights at these "
              "moments. What you see is computed now, from those weights. The losses on texts it "
              "never read, and the heads' scores, were measured when it was made. The rate of "
              "learning fell at the end; that is why the loss falls once more. DIR is the folder "
              "of the corpora: {sources}. The weights' licence is {licence}.").format(
                seed=film.seed, licence=film.licence,
                sources=listed(f"{source['name']} ({source['credit']})" for source in film.sources),
            )
        )  # fmt: skip
        st.code(film.command, language="sh")


stage()
with st.container(key="below-stage"):
    experiments("film")
    show_origin()
