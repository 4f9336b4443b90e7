"""Vision: a digit is drawn and cut into patches, and models say what it is."""

from collections.abc import Mapping

import streamlit as st

from core import zoo
from core.language import _, name_of
from core.views.vision.attention import NEEDS, VisionPlacesView
from core.views.vision.convolution import VisionMapsView
from core.views.vision.seen import OnPicture, VisionAnswerView, VisionShuffledView, offers
from pages.parts import state
from pages.parts.messages import explain
from pages.parts.page import heading, model_here, pair
from pages.parts.pictures import beside, judge_beside, looker, open_pictures, size_for
from pages.parts.runs import device, shared_runs
from pages.shell.figure import Field, definitions, figure, prose
from pages.shell.sections import Section, sections


def stage() -> None:
    """The picture, which can be drawn on, and what each model says of it."""
    model = open_pictures(OnPicture).model
    heading()
    prose("vision.answer", says=("outcome",))  # above the whole row, which stays level
    drawing, text_column = st.columns([1, 2], gap="medium")
    with drawing:  # alone: on a phone the bars that follow the pen stand right below it
        figure("vision.picture", height=420)
    with text_column:
        answers(model)
        if offers(size_for(model)):
            figure(
                "vision.samples", controls=("samples_of",), save=False, height=90,
                fixed={"samples_size": size_for(model)},
            )  # fmt: skip
        prose("vision.picture", says=("reading",))
        if zoo.blueprint(model).patches:
            with st.expander(_("A common mistake in lecture notes")):
                prose("vision.picture", notes=("erratum",))


def answers(model: str) -> None:
    """What the page's model says of the picture, and another one beside it."""
    other = judge_beside(VisionAnswerView.needs, model)
    answer, *second = st.columns(2 if other else 1, gap="medium")
    with answer:
        figure(
            "vision.answer", says=("reading", "facts", "source"), height=300,
            fixed={"model": model, "experiment": ""},
        )  # fmt: skip
    for column in second:
        with column:
            figure("vision.answer", says=("reading",), height=300, fixed={"model": other})


def looks() -> None:
    """What [CLS] and the patches attend to, in every head and in the selected one."""
    fixed = {"model": looker(NEEDS)}
    explain(
        _("Each tile is one head. The more colour lies over a patch, the more of its attention "
          "[CLS] gives to it. The prediction is read from the vector of [CLS] alone. Click a tile "
          "to enlarge it. Then click a patch to see what that patch attends to.")
    )  # fmt: skip
    small, large = st.columns(2, gap="large")
    with small:
        figure(
            "vision.attention", says=("reading",), follows=("patch",), height=620, fixed=fixed,
        )  # fmt: skip
    with large:
        figure("vision.looks", says=("source",), height=420, fixed=fixed)


def whose(model: str) -> None:
    """Say which model a part of the page shows, where it is not the page's own."""
    model_ = model_here()
    if model != model_:
        sentence = _("{model} is shown here, as {own} has no such part.")
        st.markdown(sentence.format(model=name_of(model), own=name_of(model_)))


def rolled() -> None:
    """What has reached [CLS] through all layers."""
    fixed = {"model": looker(NEEDS)}
    whose(fixed["model"])
    tiles, words = st.columns(2, gap="large")
    with tiles:
        figure("vision.rollout", height=200, fixed=fixed)
    with words:
        prose("vision.rollout", says=("reading",), follows=("patch",), fixed=fixed)
        st.markdown(
            _("One layer says little: what a patch holds after it is already a mixture of others. "
              "Attention rollout multiplies the layers: in each, the heads are averaged, and half "
              "of a vector stays where it is, as the residual connection carries it past. A patch "
              "chosen above is followed in place of [CLS].")
        )  # fmt: skip


def far() -> None:
    """How far heads look, beside how far kernels reach."""
    model = looker(NEEDS)
    explain(
        _("A convolution sees the pixels under its kernel. Only layer on layer does its "
          "receptive field grow. Attention may reach across the whole picture from the first "
          "layer on. Whether it does was learned: each point is a head, at the mean distance "
          "between a patch and what it attends to.")
    )  # fmt: skip
    reach, places = pair()
    with reach:
        other = beside(VisionMapsView.needs, model)
        figure(
            "vision.distance", says=("reading",), height=420,
            fixed={"model": model, "convolutional": other},
        )  # fmt: skip
    with places:
        st.markdown("## " + _("Which positions are alike?"))
        has_them = looker(VisionPlacesView.needs)
        whose(has_them)
        alike({"model": has_them})


def alike(fixed: Mapping[str, str]) -> None:
    """How alike positions are; on a wall, where it is as high as the room, said beside it."""
    wall = state.lecture()
    tiles, words = st.columns(2, gap="large") if wall else (st.container(), st.container())
    with tiles:
        figure("vision.places", height=420, fixed=fixed)
    with words:
        prose("vision.places", says=("reading",), fixed=fixed)


def shuffled() -> None:
    """The same patches in another order."""
    fixed = {"model": looker(VisionShuffledView.needs)}
    whose(fixed["model"])
    tiles, words = st.columns(2, gap="large")
    with tiles:
        figure("vision.shuffled", height=400, fixed=fixed)
    with words:
        prose("vision.shuffled", says=("reading",), fixed=fixed)
        st.markdown(
            _("Attention treats its input as a set. Only the position vectors that are added to "
              "the patches say where each one was. Without them the model cannot tell a picture "
              "from the same patches in disorder.")
        )  # fmt: skip
        prose("vision.shuffled", controls=(Field("shuffle_seed", "number"),), fixed=fixed)


def maps() -> None:
    """What a convolutional network makes of the same picture."""
    model = looker(VisionMapsView.needs)
    explain(
        _("A kernel slides over the whole picture with the same few numbers, so a convolutional "
          "network knows from the start that neighbouring pixels belong together and that a shape "
          "is the same shape everywhere. A Transformer has to learn both from examples.")
    )  # fmt: skip
    other = judge_beside(VisionAnswerView.needs, model)
    map_column, text_column = (
        st.columns([2, 1], gap="large") if other else (st.container(), st.container())
    )
    with map_column:
        figure(
            "vision.maps", controls=("convolution",), says=("reading", "source"), height=240,
            fixed={"model": model},
        )  # fmt: skip
    if other:
        with text_column:
            figure(
                "vision.beside", says=("reading",), height=400,
                fixed={"model": model, "convolutional": other},
            )  # fmt: skip


def names() -> None:
    """What the names on the page mean."""
    model = model_here()
    catalogue = shared_runs().model(model, device()).catalogue
    sites = [name for name in catalogue if name.count(".") < 2][:6]
    definitions("vision.picture", sites, model)


sections(
    [
        Section(_("The picture, and what is seen in it"), "stage", stage, headed=False,
                tries=("vision",)),
        Section(_("What does {model} attend to?").format(model=name_of(looker(NEEDS))), "looks",
                looks),
        Section(_("What has reached [CLS] through all layers?"), "rolled", rolled),
        Section(_("How far does a layer see?"), "far", far),
        Section(_("Does the order of the patches matter?"), "shuffled", shuffled),
        Section(_("The same picture through a convolutional network"), "maps", maps),
    ],
    names=names,
)  # fmt: skip
