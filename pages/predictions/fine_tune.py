"""Fine-tune: a body that has learned from much text gets a new head, and learns from few labels."""

import streamlit as st

from core import zoo
from core.data.introductions import INTRODUCTIONS
from core.data.labelled_lines import our_lines
from core.language import _, name_of
from core.locale import spelt
from core.shelf.abilities import can
from core.views.tune import BODY, OnOneText, TunePairView, Tuning
from pages.parts.messages import small_print
from pages.parts.page import heading, model_here, open_page
from pages.parts.runs import device, shared_runs
from pages.shell.figure import Field, definitions, figure, prose
from pages.shell.offers import presets
from pages.shell.player import question
from pages.shell.sections import Section, sections


def body() -> str:
    """Whose layers get a new head; empty where no model has what it takes."""
    bodies = [name for name in (Tuning().model, *zoo.shelf()) if name in zoo.shelf()]
    return next((name for name in bodies if can(name, BODY)), "")


def stage() -> None:
    """What models that were fine-tuned say of the learner's sentences."""
    params = open_page(OnOneText)
    heading()
    judges = [name for name in zoo.shelf() if can(name, TunePairView.needs)]
    left, right = st.columns(2, gap="large") if judges else (st.container(), st.container())
    if judges:
        with left:
            pair(judges[0])
    with right:
        st.markdown("## " + _("Which label does your text get?"))
        figure(
            "tune.text", says=("reading", "changes", "cut", "facts", "source"), height=150,
        )  # fmt: skip
        if params.model == OnOneText().model:
            said_of = _("{model} learned these labels from film reviews. Of any other text it "
                        "still says “positive” or “negative”.")  # fmt: skip
            small_print(said_of.format(model=name_of(params.model)))


def pair(judge: str) -> None:
    """Whether a second sentence follows from a first one."""
    st.markdown("## " + _("Does the second sentence follow from the first?"))
    figure(
        "tune.pair", below=("premise", "hypothesis"), says=("reading", "changes", "source"),
        notes=("info", "more"), height=190, fixed={"model": judge},
    )  # fmt: skip
    easier(judge)
    if right := how_often_right(judge):
        st.markdown(right)


def easier(judge: str) -> None:
    """Pairs that it does well; for lecture 002's, which stands there first, one needs a map."""
    introduction = INTRODUCTIONS.get(judge)
    pairs = (
        [sentence for sentence in introduction.sentences if sentence.second] if introduction else []
    )
    if not pairs:
        return
    small_print(_("{model} does these pairs well:").format(model=name_of(judge)))
    presets(
        {
            f"{pair.text} {pair.second}": {"premise": pair.text, "hypothesis": pair.second}
            for pair in pairs
        },
        "pairs",
    )


def how_often_right(judge: str) -> str:
    """What its card says of unseen pairs: a small model errs often."""
    share = shared_runs().model(judge, device()).metrics.get("accuracy/nli_dev")
    if not isinstance(share, float):
        return ""
    text = _("Of pairs that it never saw, {model} gives {share} the right label. So it may well "
             "be wrong here.")  # fmt: skip
    return text.format(model=name_of(judge), share=spelt(f"{100 * share:.0f} %"))


def sentences() -> None:
    """The labelled sentences: our own, or the learner's."""
    st.markdown(
        _("Write a label, a colon and a sentence on each line. Of every label the model learns "
          "from the first sentence, is tried on the second, and so on. With a question mark in "
          "place of the label, a sentence is only asked about.")
    )  # fmt: skip
    text, what = st.columns([3, 2], gap="large")
    with text:
        prose("tune.sentences", controls=(Field("lines", "lines", placeholder=our_lines()),))
        presets(
            {
                _("Edit our sentences"): {"lines": our_lines()},
                _("Use our sentences"): {"lines": None},
            },
            "lines",
        )
    with what:
        figure("tune.sentences", below=("pooled",), says=("reading",), height=120)
        st.markdown(
            _("The body is {body}. It has never seen these labels.").format(body=name_of(body()))
        )


def layers() -> None:
    """The body cut after each layer."""
    st.markdown(
        _("The body stays as it is. What the last kept layer makes of a sentence is a list of "
          "numbers, its features. A linear head on them is fitted at once.")
    )  # fmt: skip
    fixed = {"model": body()}
    curve, bars = st.columns([3, 2], gap="large")
    with curve:
        figure(
            "tune.layers", controls=("cut_layers",), says=("reading",), height=390, fixed=fixed,
        )  # fmt: skip
    with bars:
        figure("tune.said", says=("reading",), height=150, fixed=fixed)


def learning() -> None:
    """A head that learns step by step, in three ways."""
    fixed = {"model": body()}
    curves, right = st.columns([3, 2], gap="large")
    with curves:
        figure(
            "tune.learning", controls=("learns",), says=("job", "reading"), height=560, fixed=fixed,
        )  # fmt: skip
    with right:
        figure(
            "tune.asked", below=(Field("tuning_seed", "number"),), says=("reading",),
            notes=("more",), height=250, fixed=fixed,
        )  # fmt: skip
        st.markdown(
            _("All see the same sentences, all of them in every step. The frozen body adds "
              "nothing to learn but the head. The whole model has millions of numbers to change "
              "for a few sentences, so it can learn them by heart. From scratch it knows no words "
              "but these.")
        )  # fmt: skip
    st.markdown(
        _("A Transformer learns little from few examples, and most tasks have few. But many tasks "
          "use the same kind of data, such as English sentences. So one body is pretrained on "
          "that, and its cost is shared among the tasks: it is **amortised**.")
    )  # fmt: skip
    question("fine-tune")


def names() -> None:
    """What the names on the page mean."""
    model = model_here()
    head = shared_runs().model(model, device()).blueprint.classifier
    definitions("tune.text", [head.reads, "pooler.out", head.site], model)


def taught() -> list[Section]:
    """What is done with the learner's own labels; nothing where no model can be the body."""
    if not body():
        return []
    return [
        Section(_("Replace the head: your own labels"), "sentences", sentences),
        Section(_("Cut the network after any layer"), "layers", layers),
        Section(_("Train a head: frozen body, whole model, or from scratch"), "learning", learning),
    ]


sections(
    [
        Section(
            _("What fine-tuned models say"), "stage", stage, headed=False, tries=("fine-tune",)
        ),
        *taught(),
    ],
    names=names,
)
