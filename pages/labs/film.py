"""Film of learning: one training, moment by moment, on the learner's own sentence."""

from dataclasses import replace

import streamlit as st

from core.experiments import FILM
from core.language import _
from core.locale import grouped, listed
from core.views.film.frames import Filming, Shown
from pages.parts import controls, state
from pages.parts.figure import reading, record_of, show, show_notes, show_steps
from pages.parts.fragments import later, part
from pages.parts.messages import say_if_not_english, say_what_is_shown
from pages.parts.page import heading, text_or_last, try_this


def filming() -> Filming:
    """The text and the moment; while there is no text, the last one."""
    return text_or_last(state.read(Filming))


def stage() -> None:
    """One slider, and all that moves with it."""
    say_what_is_shown()
    say_if_not_english(_("The film's model"), state.read(Filming).text)
    params = filming()
    record = record_of("film.losses", params)
    heading(
        _("In what order does a model learn?"),
        _("{n} parameters, {steps} steps, {frames} moments kept").format(
            n=grouped(record.film.parameters), steps=grouped(record.frames[-1].step),
            frames=len(record.frames),
        ),
        claim=_("A small GPT was kept at {n} moments of its training. One slider moves through "
                "them: [[loss]], guesses, a text, a head's [[attention]], its score for "
                "[[induction]] and the [[embedding|embeddings]] change together. The page opens "
                "before the first step: press Play, or move the slider.")
        .format(n=len(record.frames)),
        terms=("nat", "head", "sampling", "seed", "cosine"),
    )  # fmt: skip
    with st.container(key="film-slider"):
        show_steps("film.losses", record, key="film-steps")
    curve, said = st.columns([3, 2], gap="large")
    with curve:
        reading("film.losses", record)
        show("film.losses", params, record=record)
    with said:
        show("film.written", params, record=record)
        show("film.guesses", params, record=record)
        reading("film.guesses", record)
        controls.number("seed", params)
    looked, words = st.columns(2, gap="large")
    with looked:
        which_head(record)
        show("film.weights", params, record=record)
        reading("film.weights", record)
    with words:
        show("film.words", params, record=record)
        reading("film.words", record)
        show_notes("film.words", record, "more")


def which_head(record: Shown) -> None:
    """A choice of layer and head."""
    _frames, layers, heads = record.run.weights.shape[:3]
    chosen = replace(record.params, layer=record.layer, head=record.head)
    sizes = {"layer": layers, "head": heads}
    for column, (name, n) in zip(st.columns(2), sizes.items(), strict=True):
        with column:
            controls.choice(name, chosen, range(n))


def experiments() -> None:
    """Three clicks that show something."""
    try_this(FILM)


def made() -> None:
    """Where the film comes from."""
    film = record_of("film.losses", filming()).film
    with st.expander(_("How this film was made")):
        st.markdown(
            _("We trained the model once, with seed {seed}, and kept its weights at these "
              "moments. What you see is computed now, from those weights. The losses on texts it "
              "never read, and the heads' scores, were measured when it was made. The rate of "
              "learning fell at the end; that is why the loss falls once more. DIR is the folder "
              "of the corpora: {sources}. The weights' licence is {licence}.").format(
                seed=film.seed, licence=film.licence,
                sources=listed(f"{one['name']} ({one['credit']})" for one in film.sources),
            )
        )  # fmt: skip
        st.code(film.command, language="sh")


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
    later("made", made)
