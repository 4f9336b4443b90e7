"""Training lab: what moves the weights, how far, and towards which target."""

import streamlit as st

from core.experiments import TRAINING
from core.language import _
from core.views.learning.adam import ByHand
from core.views.learning.moments import OfKind
from core.views.learning.rate import OfRate
from core.views.learning.smoothing import Smoothing
from pages.parts import controls, state
from pages.parts.figure import reading, record_of, show, show_steps
from pages.parts.page import heading, source_of, try_this
from pages.parts.sections import LabPart, Section, sections


def optimiser() -> None:
    """Adam on a few gradients, every number shown."""
    params = state.read(ByHand)
    heading(
        _("How does a gradient become a step?"),
        claim=_("Training lowers the [[loss]]: each weight gets a [[gradient]] and moves against "
                "it. [[Adam]] divides a running average of the gradients by their usual size, so "
                "that every weight moves by about one [[learning-rate|learning rate]]."),
        terms=("optimiser", "warm-up", "schedule", "label-smoothing",
               "softmax", "logit", "nat"),
    )  # fmt: skip
    settings(params)
    given, rate = st.columns([4, 2], vertical_alignment="bottom")
    with given:
        controls.line("gradients", params)
    with rate:
        controls.choice("adam_rate", params)
    record = record_of("learning.adam", params)
    show_steps("learning.adam", record, key="adam-steps")
    show("learning.adam", params, record=record)
    reading("learning.adam", record)
    source_of("core/live_training/by_hand.py", "optimiser = torch.optim.AdamW(")


def settings(params: ByHand | OfKind) -> None:
    """β₁, β₂ and ε, the same for both figures."""
    first, second, third = st.columns([3, 3, 4], vertical_alignment="bottom")
    with first:
        controls.slider("beta1", params, step=0.001)
    with second:
        controls.slider("beta2", params, step=0.0001)
    with third:
        controls.choice("adam_eps", params)


def averages() -> None:
    """Sixty gradients of one kind."""
    params = state.read(OfKind)
    st.markdown(
        _("β₁ says how long the average of the gradients remembers, β₂ how long the average of "
          "their squares does. ε counts where gradients are about as small as it is. Move β₁, β₂ "
          "and ε above.")
    )  # fmt: skip
    kind, seed = st.columns([5, 2], vertical_alignment="bottom")
    with kind:
        controls.choice("gradient_kind", params)
    with seed:
        controls.number("gradient_seed", params)
    reading("learning.moments", show("learning.moments", params))


def rate() -> None:
    """Warm-up and Noam's formula."""
    params = state.read(OfRate)
    st.markdown(
        _("The rate of step s is $d_\\text{model}^{-0.5} \\cdot \\min(s^{-0.5}, s \\cdot "
          "\\text{warmup}^{-1.5})$: it rises in a straight line for as long as the warm-up lasts, "
          "then falls with the root of the step. It opens on the values of the first Transformer.")
    )  # fmt: skip
    one, two, three, four = st.columns(4, vertical_alignment="bottom")
    with one:
        controls.number("d_model", params)
    with two:
        controls.number("warmup", params)
    with three:
        controls.number("rate_steps", params)
    with four:
        controls.number("rate_step", params)
    reading("learning.rate", show("learning.rate", params))
    source_of("core/schedules.py", "return float(d_model**-0.5")


def smoothing() -> None:
    """The smoothed target, the gradient, and the loss over certainty."""
    params = state.read(Smoothing)
    st.markdown(
        _("The target gives the right word a little less than 1, and shares out the rest ε. "
          "PyTorch and the paper spread ε over all words, the right one among them. Some slides "
          "spread it over the other words alone.")
    )  # fmt: skip
    much, form, sure = st.columns([3, 4, 3], vertical_alignment="bottom")
    with much:
        controls.slider("label_smoothing", params, step=0.01)
    with form:
        controls.choice("spread_over", params)
    with sure:
        controls.slider("lead", params, step=0.1)
    bars, curve = st.columns(2, gap="large")
    with bars:
        reading("learning.smoothing", show("learning.smoothing", params))
    with curve:
        reading("learning.certainty", show("learning.certainty", params))
    source_of("core/live_training/by_hand.py", "return F.cross_entropy(logits, expected")


def experiments() -> None:
    """Three clicks that move a number."""
    try_this(TRAINING)


sections(
    LabPart,
    [
        Section(_("Adam, by hand"), "stage", optimiser, headed=False, tries=experiments),
        Section(_("What β₁, β₂ and ε do"), "averages", averages),
        Section(_("The learning rate: warm-up and Noam's formula"), "rate", rate),
        Section(_("The target: label smoothing"), "smoothing", smoothing),
    ],
)
