"""Vision: a digit is drawn and cut into patches, and models say what it is."""

from dataclasses import replace

import streamlit as st

from core.experiments import VISION
from core.language import _, name_of
from core.views.vision.answer import Answer
from core.views.vision.attention import NEEDS, AtPatch
from core.views.vision.distance import Reaching
from core.views.vision.looks import AtHeadOfPicture
from core.views.vision.maps import FeatureMaps, OfMaps
from core.views.vision.places import PositionsAlike
from core.views.vision.seen import OnPicture, Seen
from core.views.vision.shuffled import ShuffledPatches, Shuffling
from pages.parts import controls
from pages.parts.figure import reading, record_of, result_of, show, show_notes
from pages.parts.outcome import outcome_at
from pages.parts.page import definitions, heading, model_here, ran_in, source, try_this
from pages.parts.pictures import (
    beside,
    choose,
    draw,
    judge_beside,
    looker,
    open_pictures,
    pictures_of,
)
from pages.parts.runs import device, shared_runs
from pages.parts.sections import PicturePart, Section, sections


def stage() -> None:
    """The picture, which can be drawn on, and what each model says of it."""
    params = open_pictures(OnPicture)
    seen = record_of("vision.answer", params)
    cut = seen.patches
    heading(
        _("How does a Transformer read a picture?"),
        (
            name_of(params.model),
            "" if cut is None else _("{n} patches").format(n=cut.rows * cut.columns),
            ran_in(seen.trace.seconds),
            _("every number is from this run"),
        ),
        claim=_("A [[Vision Transformer]] cuts a picture into [[patches]], makes a [[vector]] of "
                "each, and reads them as other Transformers read [[tokens]]. Draw on the picture: "
                "the bars follow your pen."),
        terms=("counting", "cnn", "convolution", "cls", "position", "receptive-field",
               "attention-rollout", "inductive-bias", "softmax"),
    )  # fmt: skip
    outcome_at(("answers", ""), result_of)  # above the whole row, which stays level
    drawing, said = st.columns([1, 2], gap="medium")
    shown = record_of("vision.picture", params)
    with drawing:  # alone: on a phone the bars that follow the pen stand right below it
        show("vision.picture", params, record=shown, on={"picture": draw}, more={"draws": True})
    with said:
        answers(params, seen)
        choose("vision.samples")
        reading("vision.picture", shown)
        with st.expander(_("A common mistake in lecture notes")):
            show_notes("vision.picture", shown, "erratum")


def answers(params: OnPicture, seen: Seen) -> None:
    """What the page's model says of the picture, and another one beside it."""
    other = judge_beside(Answer.needs, params.model)
    answer, *second = st.columns(2 if other else 1, gap="medium")
    with answer:
        show("vision.answer", params, key="answer", record=seen)
        reading("vision.answer", seen)
        source(seen.head.site, params.model)
    for column in second:
        with column:
            own = type(params)(params.picture, other)
            reading("vision.answer", show("vision.answer", own, key="beside"))


def looks() -> None:
    """What [CLS] and the patches attend to, in every head and in the selected one."""
    tiles = pictures_of(AtPatch, NEEDS)
    st.markdown(
        _("Each tile is one head. The more colour lies over a patch, the more of its attention "
          "[CLS] gives to it. The prediction is read from the vector of [CLS] alone. Click a tile "
          "to enlarge it. Then click a patch to see what that patch attends to.")
    )  # fmt: skip
    small, large = st.columns(2, gap="large")
    with small:
        reading("vision.attention", show("vision.attention", tiles))
    with large:
        params = pictures_of(AtHeadOfPicture, NEEDS)
        run = record_of("vision.looks", params)
        show("vision.looks", params, record=run)
        source(f"{run.attention.prefix(run.layer)}.weights", params.model)


def whose(model: str) -> None:
    """Say which model a part of the page shows, where it is not the page's own."""
    own = model_here()
    if model != own:
        said = _("{model} is shown here, as {own} has no such part.")
        st.markdown(said.format(model=name_of(model), own=name_of(own)))


def rolled() -> None:
    """What has reached [CLS] through all layers."""
    params = pictures_of(AtPatch, NEEDS)
    whose(params.model)
    figure, words = st.columns(2, gap="large")
    with figure:
        record = show("vision.rollout", params)
    with words:
        reading("vision.rollout", record)
        st.markdown(
            _("One layer says little: what a patch holds after it is already a mixture of others. "
              "Attention rollout multiplies the layers: in each, the heads are averaged, and half "
              "of a vector stays where it is, as the residual connection carries it past. A patch "
              "chosen above is followed in place of [CLS].")
        )  # fmt: skip


def far() -> None:
    """How far heads look, beside how far kernels reach."""
    params = pictures_of(Reaching, NEEDS)
    st.markdown(
        _("A convolution sees the pixels under its kernel. Only layer on layer does its "
          "receptive field grow. Attention may reach across the whole picture from the first "
          "layer on. Whether it does was learned: each point is a head, at the mean distance "
          "between a patch and what it attends to.")
    )  # fmt: skip
    reach, places = st.columns(2, gap="large")
    with reach:
        others = replace(params, convolutional=beside(FeatureMaps.needs, params.model))
        reading("vision.distance", show("vision.distance", others))
    with places:
        st.markdown("## " + _("Which positions are alike?"))
        rows = pictures_of(AtPatch, PositionsAlike.needs)
        whose(rows.model)
        reading("vision.places", show("vision.places", rows))


def shuffled() -> None:
    """The same patches in another order."""
    params = pictures_of(Shuffling, ShuffledPatches.needs)
    whose(params.model)
    figure, words = st.columns(2, gap="large")
    with figure:
        record = show("vision.shuffled", params)
    with words:
        reading("vision.shuffled", record)
        st.markdown(
            _("Attention treats its input as a set. Only the position vectors that are added to "
              "the patches say where each one was. Without them the model cannot tell a picture "
              "from the same patches in disorder.")
        )  # fmt: skip
        controls.number("shuffle_seed", params)


def maps() -> None:
    """What a convolutional network makes of the same picture."""
    params = pictures_of(OfMaps, FeatureMaps.needs)
    blueprint = shared_runs().model(params.model, device()).blueprint
    layers = range(blueprint.convolutions[0].n_layers)
    st.markdown(
        _("A kernel slides over the whole picture with the same few numbers, so a convolutional "
          "network knows from the start that neighbouring pixels belong together and that a shape "
          "is the same shape everywhere. A Transformer has to learn both from examples.")
    )  # fmt: skip
    other = judge_beside(Answer.needs, params.model)
    found, said = st.columns([2, 1], gap="large") if other else (st.container(), st.container())
    with found:
        controls.slider("convolution", params, high=layers[-1])
        record = show("vision.maps", params)
        reading("vision.maps", record)
        source(blueprint.convolutions[0].maps(record.layer), params.model)
    if other:
        with said:
            both = replace(pictures_of(Reaching, FeatureMaps.needs), convolutional=other)
            reading("vision.beside", show("vision.beside", both))


def experiments() -> None:
    """Clicks that move a number."""
    try_this(VISION)


def names() -> None:
    """What the names on the page mean."""
    params = pictures_of(OnPicture)
    shown = record_of("vision.picture", params)
    model = shared_runs().model(params.model, device())
    sites = [name for name in model.catalogue if name.count(".") < 2][:6]
    definitions(sites, params, shown.trace.lengths)


sections(
    PicturePart,
    [
        Section(_("The picture, and what is seen in it"), "stage", stage, headed=False,
                tries=experiments),
        Section(_("What does {model} attend to?").format(model=name_of(looker(NEEDS))), "looks",
                looks),
        Section(_("What has reached [CLS] through all layers?"), "rolled", rolled),
        Section(_("How far does a layer see?"), "far", far),
        Section(_("Does the order of the patches matter?"), "shuffled", shuffled),
        Section(_("The same picture through a convolutional network"), "maps", maps),
    ],
    names=names,
)  # fmt: skip
