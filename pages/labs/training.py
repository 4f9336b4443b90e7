"""Training lab: a training to watch, what moves the weights, how far, towards which target."""

import streamlit as st

from core.errors import CoreError
from core.experiments import TRAINING
from core.language import _
from core.lessons.on_pages import of_smoothing
from core.locale import grouped
from core.measured import WARM_UP, measured
from core.views.learning.adam import ByHand
from core.views.learning.moments import OfKind
from core.views.learning.pair import EVERY, OfPair
from core.views.learning.practising import Practising
from core.views.learning.rate import OfRate
from core.views.learning.smoothing import Smoothing
from core.views.learning.warmed import OfWarmUp
from pages.parts import controls, state
from pages.parts.asking import asked
from pages.parts.figure import reading, record_of, show, show_steps
from pages.parts.messages import show_error
from pages.parts.page import heading, source_of, try_this
from pages.parts.sections import LabPart, Section, sections
from pages.parts.watching import progress


def stage() -> None:
    """A small Transformer that learns while one watches."""
    params = state.read(Practising)
    heading(
        _("How does a model learn?"),
        _("one layer on either side, 32 components, 4 heads"),
        claim=_("Training lowers the [[loss]]: each weight gets a [[gradient]] and moves against "
                "it. Train a small [[encoder]] and [[decoder]] here on sequences of letters, and "
                "try it on sequences that it has never seen."),
        terms=("optimiser", "adam", "learning-rate", "warm-up", "schedule", "label-smoothing",
               "kl-divergence", "cross-entropy", "entropy",
               "cross-attention", "teacher-forcing", "softmax", "logit", "nat", "perplexity",
               "calibration"),
    )  # fmt: skip
    what_is_learned(params)
    curves, other = st.columns([3, 2], gap="large")
    with curves:
        begin(params)
        record = show("learning.practice", params)
        reading("learning.practice", record)
        how_it_is_trained(params)
    if record is None:
        return
    with other:
        reading("learning.samples", show("learning.samples", params))
        controls.slider("practice_head", params)
        reading("learning.looks", show("learning.looks", params))
    source_of("core/live_training/practice.py", "norm = torch.nn.utils.clip_grad_norm_(")


def begin(params: Practising) -> None:
    """The button that trains, and how far that has come."""
    button, standing = st.columns([2, 3], vertical_alignment="center")
    with button:
        if params.practising:
            controls.button(_("Back to the untrained model"), "practice-untrained", untrained)
        else:
            controls.button(_("Train"), "practice-train", train, type="primary")
    with standing:
        if params.practising:
            progress("learning.practice", params)
        else:
            st.markdown(
                _("It is untrained. Training takes about a quarter of a minute, and longer while "
                  "the computer is busy.")
            )  # fmt: skip


def what_is_learned(params: Practising) -> None:
    """The exercise, and what stands beside it."""
    for column, name in zip(st.columns([2, 3]), ("exercise", "beside"), strict=True):
        with column:
            controls.choice(name, params)
    if params.exercise == "text":
        controls.text_area("practice_text", params, height=120, placeholder=Practising().own_text)


def how_it_is_trained(params: Practising) -> None:
    """Its settings, folded away."""
    with st.expander(_("How it is trained")):
        rate, smoothing, warmup, seed = st.columns(4, vertical_alignment="bottom")
        with rate:
            controls.choice("practice_rate", params)
        with smoothing:
            controls.choice("practice_smoothing", params)
        with warmup:
            controls.slider("practice_warmup", params)
        with seed:
            controls.number("seed", params)


def train() -> None:
    """Begin."""
    state.update({"practising": True})


def untrained() -> None:
    """Show the model as it begins."""
    state.update({"practising": None})


def optimiser() -> None:
    """Adam on a few gradients, every number shown."""
    params = state.read(ByHand)
    st.markdown(
        _("Adam divides a running average of the gradients by their usual size. While its "
          "gradients agree in sign, a weight moves by about one learning rate per step, however "
          "large they are. At first β₁, β₂ and ε are those of the first Transformer.")
    )  # fmt: skip
    settings(params)
    given, rate = st.columns([4, 2], vertical_alignment="bottom")
    with given:
        controls.line("gradients", params)
    with rate:
        controls.choice("adam_rate", params)
    try:
        record = record_of("learning.adam", params)
    except CoreError as problem:
        show_error(problem)
        return
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
          "\\text{warmup}^{-1.5})$: it rises in a straight line for as long as the warm-up "
          "lasts, then falls with one over the root of the step. It opens on the values of the "
          "first Transformer.")
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
    warmed()


def warmed() -> None:
    """What becomes of a small Transformer with a shorter warm-up, and with none."""
    params = state.read(OfWarmUp)
    st.markdown(
        _("In the first step a weight moves by about one learning rate, as long as its gradient is "
          "far larger than ε. A warm-up keeps these steps short. It is not enough here to wait "
          "until Adam's averages are filled, and then to begin at the whole rate. Each training "
          "was recorded once, with seed {seed}.").format(
            seed=measured(WARM_UP)["seed"]
        )
    )  # fmt: skip
    controls.slider("warmed", params)
    reading("learning.warmed", show("learning.warmed", params))
    with st.expander(_("How this was measured")):
        st.code(measured(WARM_UP)["command"], language="sh")


def smoothing() -> None:
    """The smoothed target, the gradient, and the loss over certainty."""
    params = state.read(Smoothing)
    st.markdown(
        _("The target gives the right word a little less than 1, and shares out the rest ε. "
          "PyTorch and the paper that introduced it (Szegedy et al. 2016) spread ε over all "
          "classes, here words, the right one among them. Some slides, and the code of the first "
          "Transformer, spread it over the other words alone. Either way the loss is the entropy "
          "of the target plus "
          "the KL divergence of the prediction from it, KL(target‖prediction). Training can "
          "lower only the second.")
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
    asked("training", of_smoothing())


def pair() -> None:
    """What smoothing did to two translators, and how sure they became."""
    params = state.read(OfPair)
    record = record_of("learning.compared", params)
    found = record.found
    st.markdown(
        _("Both read the same {pairs} pairs of sentences again and again; only the target is "
          "different. A guess that is 80 % sure should be right 80 times in 100: then the model "
          "is well calibrated.").format(pairs=grouped(found["pairs"]))
    )  # fmt: skip
    controls.slider("stop_at", params, step=EVERY)
    two, bins = st.columns(2, gap="large")
    with two:
        reading("learning.compared", show("learning.compared", params, record=record))
    with bins:
        reading("learning.calibration", show("learning.calibration", params))
    with st.expander(_("How this was measured")):
        st.markdown(
            _("We trained both once, with seed {seed}, and asked them about {n} pairs that they "
              "never read. DIR is the folder of the corpora.").format(
                seed=found["seed"], n=grouped(found["held_pairs"])
            )
        )  # fmt: skip
        st.code(found["command"], language="sh")


def experiments() -> None:
    """Three clicks that move a number."""
    try_this(TRAINING)


sections(
    LabPart,
    [
        Section(_("A training to watch"), "stage", stage, headed=False, tries=experiments),
        Section(_("Adam, by hand"), "optimiser", optimiser),
        Section(_("What β₁, β₂ and ε do"), "averages", averages),
        Section(_("The learning rate: warm-up and Noam's formula"), "rate", rate),
        Section(_("The target: label smoothing"), "smoothing", smoothing),
        Section(_("Two translators, one with a smoothed target"), "pair", pair),
    ],
)
