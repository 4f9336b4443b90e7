"""Bug hunt: a seed hides a fault in the machine; the learner finds it from what she sees."""

from functools import partial

import streamlit as st

from core import zoo
from core.language import _, ngettext
from core.views.bench.run import Broken, faults_of, known_as, sites_of_a_layer
from core.views.hunt.hunting import (
    FULL,
    GIVEN_UP,
    PROBES,
    WRONG,
    Hunting,
    Standing,
    standing,
)
from core.views.params import MAX_SEED, declared
from pages.parts import controls, state
from pages.parts.attention import which_attention, which_head
from pages.parts.figure import reading, record_of, show
from pages.parts.fragments import later, part
from pages.parts.messages import say
from pages.parts.page import definitions, heading, open_page, params_of


def stage() -> None:
    """The symptoms, the probes, and the diagnosis."""
    params = open_page(Hunting)
    heading(
        _("Which fault is hidden in this machine?"),
        claim=_("One fault is hidden in the running machine. The number in the link decides "
                "which, so a class that opens one link hunts the same bug. Change the text and "
                "visit every layer and [[head]] as often as you like. Comparing with the healthy "
                "machine costs points, and so does a wrong diagnosis."),
        terms=("attention", "softmax", "residual-stream", "layernorm", "causal-mask", "dropout"),
        reads=params,
    )  # fmt: skip
    record = record_of("hunt.weights", params)
    now = standing(record)
    left, right = st.columns([3, 2], gap="large")
    with left:
        show("hunt.weights", params, record=record)
        reading("hunt.weights", record)
        which_attention(record.broken)
        which_head(record.broken)
    with right:
        which_bug(params)
        if now.over:
            reveal(record, now)
        else:
            diagnose(params, now)
            probes(params)
    sizes, guesses = st.columns(2, gap="large")
    with sizes:
        reading("hunt.sizes", show("hunt.sizes", params))
    with guesses:
        reading("hunt.guesses", show("hunt.guesses", params))


def which_bug(params: Hunting) -> None:
    """The number of the bug, and a new one."""
    number, new = st.columns([1, 1], vertical_alignment="bottom")
    with number:
        controls.number("hunt_seed", params)
    with new:
        following = (params.hunt_seed + 1) % (MAX_SEED + 1)
        controls.button(_("Hunt another bug"), "hunt-next", partial(begin, following))


def begin(seed: int) -> None:
    """Another bug: nothing has been bought, said or thought of it."""
    anew = {"hunt_probes": None, "hunt_tries": None, "suspect": None}
    state.update({"hunt_seed": seed, **anew})


def diagnose(params: Hunting, now: Standing) -> None:
    """What may be wrong, the buttons, and what the wrong ones would have looked like."""
    known = faults_of(zoo.blueprint(params.model), hunted=True)
    st.markdown(
        ngettext("**{n} point** left of {all}.", "**{n} points** left of {all}.", now.points)
        .format(n=now.points, all=FULL)
    )  # fmt: skip
    open_ = [one for one in known if one not in now.wrong]
    suspect = params.suspect if params.suspect in open_ else ""
    called_as = {**(declared(params, "suspect").choices or {}), **known}
    controls.choice_of_many("suspect", params, ["", *open_], lambda one: _(called_as[one]))
    with st.container(horizontal=True):
        said = _("Diagnose (−{n} if wrong)").format(n=WRONG)
        act = partial(take, params, suspect)
        controls.button(said, "hunt-diagnose", act, type="primary", disabled=not suspect)
        controls.button(_("Give up"), "hunt-give-up", partial(take, params, GIVEN_UP))
    for one in now.wrong[-1:]:
        fault = known_as(one)
        if fault is not None:
            words = _("Not this one: {fault}. Its symptom would be: {shows}")
            say("info", words.format(fault=_(fault.name), shows=_(fault.shows)))


def take(params: Hunting, one: str) -> None:
    """A diagnosis, which no undo takes back."""
    state.pay({"hunt_tries": " ".join([*params.tries, one]), "suspect": None}, of="hunt_seed")


def probes(params: Hunting) -> None:
    """What may be bought."""
    st.markdown(_("Probes"))
    with st.container(horizontal=True):
        for letter, (price, called) in PROBES.items():
            bought = letter in params.probes
            label = _(called) if bought else f"{_(called)} (−{price})"
            act = partial(buy, params, letter)
            controls.button(label, f"hunt-probe-{letter}", act, disabled=bought)


def buy(params: Hunting, letter: str) -> None:
    """A probe, which no undo gives back."""
    state.pay({"hunt_probes": "".join([*params.probes, letter])}, of="hunt_seed")


def reveal(record: Broken, now: Standing) -> None:
    """Which line it was, and what it is worth."""
    fault = record.fault
    if now.found:
        words = ngettext("Found, with {n} point of {all}: {fault}.",
                         "Found, with {n} points of {all}: {fault}.", now.points)  # fmt: skip
    else:
        words = _("The fault was: {fault}.")
    icon = ":material/check_circle:" if now.found else ":material/info:"
    say("info", words.format(n=now.points, all=FULL, fault=_(fault.name)), icon=icon)
    st.markdown(_("As it should be"))
    st.code(fault.right, language="python", wrap_lines=True)
    st.markdown(_("As it is now"))
    st.code(fault.wrong, language="python", wrap_lines=True)
    st.markdown(_("What gives it away: {shows}").format(shows=_(fault.shows)))


def names() -> None:
    """What the names on the page mean."""
    params = params_of(Hunting)
    definitions(sites_of_a_layer(zoo.blueprint(params.model)), params)


part("stage", stage)
with st.container(key="below-stage"):
    later("names", names)
