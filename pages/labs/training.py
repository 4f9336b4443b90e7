"""Training lab: a training to watch, what moves the weights, how far, towards which target."""

import streamlit as st

from core.data.measured import CALIBRATION, WARM_UP, measured
from core.language import _
from core.locale import grouped
from core.views.learning.practice import Practising
from core.views.learning.smoothing import EVERY
from pages.parts.page import heading
from pages.shell.figure import Field, figure, prose
from pages.shell.player import question
from pages.shell.sections import Section, sections


def stage() -> None:
    """A small Transformer that learns while one watches."""
    heading(_("one layer on either side, 32 components, 4 heads"))
    what_is_learned()
    curves, other = st.columns([3, 2], gap="large")
    with curves:
        begin()
        figure("learning.practice", says=("reading", "source"), height=620)
        how_it_is_trained()
    with other:
        figure("learning.samples", says=("reading",), height=360)
        figure("learning.looks", controls=("practice_head",), says=("reading",), height=360)


def what_is_learned() -> None:
    """The exercise, and what stands beside it."""
    prose("learning.practice", controls=("exercise", "beside"))
    field = Field("practice_text", "lines", placeholder=Practising().own_text)
    prose("learning.practice", controls=(field,), when={"exercise": ["text"]})


def begin() -> None:
    """The button that trains, and how far that has come."""
    labels = (_("Train"), _("Back to the untrained model"))
    button, standing = st.columns([2, 3], vertical_alignment="center")
    with button:
        prose("learning.practice", controls=(Field("practising", "button", labels=labels),))
    with standing:
        prose("learning.practice", notes=("more",))
        prose("learning.practice", says=("job",), when={"practising": ["1"]})


def how_it_is_trained() -> None:
    """Its settings, folded away."""
    with st.expander(_("How it is trained")):
        settings = ("practice_rate", "practice_smoothing", "practice_warmup")
        prose("learning.practice", controls=(*settings, Field("seed", "number")))


def optimiser() -> None:
    """Adam on a few gradients, every number shown."""
    st.markdown(
        _("Adam divides a running average of the gradients by their usual size. While its "
          "gradients agree in sign, a weight moves by about one learning rate per step, however "
          "large they are. At first β₁, β₂ and ε are those of the first Transformer.")
    )  # fmt: skip
    prose(
        "learning.adam",
        controls=(Field("beta1", step=0.001), Field("beta2", step=0.0001), "adam_eps"),
    )
    figure("learning.adam", controls=("gradients", "adam_rate"),
           says=("steps", "reading", "source"), height=460)  # fmt: skip


def averages() -> None:
    """Sixty gradients of one kind."""
    st.markdown(
        _("β₁ says how long the average of the gradients remembers, β₂ how long the average of "
          "their squares does. ε counts where gradients are about as small as it is. Move β₁, β₂ "
          "and ε above.")
    )  # fmt: skip
    figure("learning.moments", controls=("gradient_kind", Field("gradient_seed", "number")),
           says=("reading",), height=420)  # fmt: skip


def rate() -> None:
    """Warm-up and Noam's formula."""
    st.markdown(
        _("The rate of step s is $d_\\text{model}^{-0.5} \\cdot \\min(s^{-0.5}, s \\cdot "
          "\\text{warmup}^{-1.5})$: it rises in a straight line for as long as the warm-up "
          "lasts, then falls with one over the root of the step. It opens on the values of the "
          "first Transformer.")
    )  # fmt: skip
    names = ("d_model", "warmup", "rate_steps", "rate_step")
    figure("learning.rate", controls=[Field(name, "number") for name in names],
           says=("reading", "source"), height=420)  # fmt: skip
    warmed()


def warmed() -> None:
    """What becomes of a small Transformer with a shorter warm-up, and with none."""
    st.markdown(
        _("In the first step a weight moves by about one learning rate, as long as its gradient is "
          "far larger than ε. A warm-up keeps these steps short. It is not enough here to wait "
          "until Adam's averages are filled, and then to begin at the whole rate. Each training "
          "was recorded once, with seed {seed}.").format(
            seed=measured(WARM_UP)["seed"]
        )
    )  # fmt: skip
    figure("learning.warmed", controls=("warmed",), says=("reading",), height=420)
    with st.expander(_("How this was measured")):
        st.code(measured(WARM_UP)["command"], language="sh")


def smoothing() -> None:
    """The smoothed target, the gradient, and the loss over certainty."""
    st.markdown(
        _("The target gives the right word a little less than 1, and shares out the rest ε. "
          "PyTorch and the paper that introduced it (Szegedy et al. 2016) spread ε over all "
          "classes, here words, the right one among them. Some slides, and the code of the first "
          "Transformer, spread it over the other words alone. Either way the loss is the entropy "
          "of the target plus "
          "the KL divergence of the prediction from it, KL(target‖prediction). Training can "
          "lower only the second.")
    )  # fmt: skip
    amount, lead = Field("label_smoothing", step=0.01), Field("lead", step=0.1)
    prose("learning.smoothing", controls=(amount, "spread_over", lead))
    bars, curve = st.columns(2, gap="large")
    with bars:
        figure("learning.smoothing", says=("reading", "source"), height=360)
    with curve:
        figure("learning.certainty", says=("reading",), height=360)
    question("training")


def pair() -> None:
    """What smoothing did to two translators, and how sure they became."""
    record = measured(CALIBRATION)
    st.markdown(
        _("Both read the same {pairs} pairs of sentences again and again; only the target is "
          "different. A guess that is 80 % sure should be right 80 times in 100: then the model "
          "is well calibrated.").format(pairs=grouped(record["pairs"]))
    )  # fmt: skip
    prose("learning.compared", controls=(Field("stop_at", step=EVERY),))
    two, bins = st.columns(2, gap="large")
    with two:
        figure("learning.compared", says=("reading",), height=420)
    with bins:
        figure("learning.calibration", says=("reading",), height=420)
    with st.expander(_("How this was measured")):
        st.markdown(
            _("We trained both once, with seed {seed}, and asked them about {n} pairs that they "
              "never read. DIR is the folder of the corpora.").format(
                seed=record["seed"], n=grouped(record["held_pairs"])
            )
        )  # fmt: skip
        st.code(record["command"], language="sh")


sections(
    [
        Section(_("A training to watch"), "stage", stage, headed=False, tries=("training",)),
        Section(_("Adam, by hand"), "optimiser", optimiser),
        Section(_("What β₁, β₂ and ε do"), "averages", averages),
        Section(_("The learning rate: warm-up and Noam's formula"), "rate", rate),
        Section(_("The target: label smoothing"), "smoothing", smoothing),
        Section(_("Two translators, one with a smoothed target"), "pair", pair),
    ],
)
