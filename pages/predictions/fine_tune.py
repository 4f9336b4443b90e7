"""Fine-tune: a body that has learned from much text gets a new head, and learns from few labels."""

import dataclasses
from functools import partial

import streamlit as st

from core import zoo
from core.errors import CoreError
from core.experiments import FINE_TUNE
from core.introductions import INTRODUCTIONS
from core.labelled_lines import our_lines, read_lines
from core.language import _, name_of
from core.lessons.on_pages import of_amortising
from core.locale import spelt
from core.views.tune.labelled import OfPair, OnOneText, OnTwoTexts
from core.views.tune.tuning import BODY, Cutting, Training, Tuning
from pages.parts import controls, state
from pages.parts.asking import asked
from pages.parts.figure import reading, record_of, show
from pages.parts.messages import cut_notice, read_notice, say_english_only, show_error, small_print
from pages.parts.page import (
    definitions,
    heading,
    n_tokens,
    open_page,
    params_of,
    ran_in,
    source,
    try_this,
)
from pages.parts.runs import can, device, shared_runs
from pages.parts.sections import Section, TunePart, sections
from pages.parts.watching import progress


def body() -> str:
    """Whose layers get a new head; empty where no model has what it takes."""
    bodies = [name for name in (Tuning().model, *zoo.shelf()) if name in zoo.shelf()]
    return next((name for name in bodies if can(name, BODY)), "")


def stage() -> None:
    """What models that were fine-tuned say of the learner's sentences."""
    params = open_page(OnOneText)
    said = record_of("tune.text", params)
    heading(
        _("How does a model learn a new task from a few examples?"),
        (
            name_of(params.model),
            n_tokens(len(said.run.trace.units)),
            ran_in(said.run.trace.seconds),
            _("every number is from this run"),
        ),
        claim=_("[[Pretraining]] on much text comes first. Then the head that predicted words is "
                "replaced by a new one that chooses a label, and both learn from labelled "
                "examples: that is [[fine-tuning]]. The new head reads one vector of the text."),
        terms=("classifier", "feature-extraction", "transfer-learning", "overfitting",
               "accuracy", "nli", "cls"),
        reads=params,
    )  # fmt: skip
    cut_notice(said.run.cut)
    judges = [name for name in zoo.shelf() if can(name, OfPair.needs)]
    left, right = st.columns(2, gap="large") if judges else (st.container(), st.container())
    if judges:
        with left:
            pair(judges[0])
    with right:
        st.markdown("## " + _("Which label does your text get?"))
        reading("tune.text", show("tune.text", params, record=said))
        source(said.site, params.model)
        if params.model == OnOneText().model:
            said_of = _("{model} learned these labels from film reviews. Of any other text it "
                        "still says “positive” or “negative”.")  # fmt: skip
            small_print(said_of.format(model=name_of(params.model)))


def pair(judge: str) -> None:
    """Whether a second sentence follows from a first one."""
    params = dataclasses.replace(state.read(OnTwoTexts), model=judge)
    st.markdown("## " + _("Does the second sentence follow from the first?"))
    said = show("tune.pair", params)
    reading("tune.pair", said)
    controls.line("premise", params)
    controls.line("hypothesis", params)
    if params == OnTwoTexts(model=judge):
        small_print(_("It follows for whoever knows where Los Angeles is. Small models have read "
                      "little of that."))  # fmt: skip
    easier(judge)
    if said is not None:
        if params != OnTwoTexts(model=judge):  # of our own pair nobody asks
            read_notice(judge, [params.premise, params.hypothesis])
            say_english_only(judge, f"{params.premise} {params.hypothesis}")
        if right := how_often_right(judge):
            st.markdown(right)
        source(said.site, judge)


def easier(judge: str) -> None:
    """Pairs that it does well; for lecture 002's, which stands there first, one needs a map."""
    known = INTRODUCTIONS.get(judge)
    pairs = [one for one in known.sentences if one.second] if known else []
    if not pairs:
        return
    small_print(_("{model} does these pairs well:").format(model=name_of(judge)))
    with st.container(horizontal=True):
        for n, one in enumerate(pairs):
            said = f"{one.text} {one.second}"
            chosen = {"premise": one.text, "hypothesis": one.second}
            controls.button(said, f"pair-{n}", partial(state.update, chosen))


def how_often_right(judge: str) -> str:
    """What its card says of unseen pairs: a small model errs often."""
    share = shared_runs().model(judge, device()).metrics.get("accuracy/nli_dev")
    if not isinstance(share, float):
        return ""
    said = _("Of pairs that it never saw, {model} gives {share} the right label. So it may well "
             "be wrong here.")  # fmt: skip
    return said.format(model=name_of(judge), share=spelt(f"{100 * share:.0f} %"))


def sentences() -> None:
    """The labelled sentences: our own, or the learner's."""
    params = dataclasses.replace(state.read(Tuning), model=body())
    st.markdown(
        _("Write a label, a colon and a sentence on each line. Of every label the model learns "
          "from the first sentence, is tried on the second, and so on. With a question mark in "
          "place of the label, a sentence is only asked about.")
    )  # fmt: skip
    text, what = st.columns([3, 2], gap="large")
    with text:
        controls.text_area("lines", params, height=220, placeholder=our_lines())
        buttons = st.container(horizontal=True)
        with buttons:
            if params.lines.strip():
                controls.button(_("Use our sentences"), "ours", partial(fill, ""))
            else:
                controls.button(_("Edit our sentences"), "edit-ours", partial(fill, our_lines()))
    with what:
        try:
            lines = read_lines(params.lines)
        except CoreError as problem:
            show_error(problem)
            return
        small_print(
            _("{train} sentences to learn from, {held} held out, {asked} only asked about. Labels: "
              "{labels}")
            .format(train=len(lines.train), held=len(lines.held), asked=len(lines.asked),
                    labels=", ".join(lines.labels))
        )  # fmt: skip
        controls.choice("pooled", params)
        st.markdown(
            _("The body is {body}. It has never seen these labels.").format(
                body=name_of(params.model)
            )
        )


def fill(lines: str) -> None:
    """Put sentences into the box; none for our own."""
    state.update({"lines": lines})


def readable(params: Tuning) -> bool:
    """Whether there are sentences to learn from; else it is said beside the box."""
    try:
        read_lines(params.lines)
    except CoreError:
        small_print(_("The sentences in the box cannot be read yet: see the message beside it."))
        return False
    return True


def layers() -> None:
    """The body cut after each layer."""
    params = params_of_cut()
    if not readable(params):
        return
    st.markdown(
        _("The body stays as it is. What the last kept layer makes of a sentence is a list of "
          "numbers, its features. A linear head on them is fitted at once.")
    )  # fmt: skip
    highest = zoo.blueprint(params.model).main.n_layers
    curve, bars = st.columns([3, 2], gap="large")
    with curve:
        controls.slider("cut_layers", params, high=highest)
        reading("tune.layers", show("tune.layers", params))
    with bars:
        reading("tune.said", show("tune.said", params))


def params_of_cut() -> Cutting:
    """What is cut, with the page's text."""
    text = params_of(OnOneText).text
    return dataclasses.replace(state.read(Cutting), model=body(), text=text)


def learning() -> None:
    """A head that learns step by step, in three ways."""
    params = dataclasses.replace(state.read(Training), model=body())
    if not readable(params):
        return
    controls.choice("learns", params)
    progress("tune.learning", params)
    curves, right = st.columns([3, 2], gap="large")
    with curves:
        told = show("tune.learning", params)
        reading("tune.learning", told)
    with right:
        reading("tune.asked", show("tune.asked", params))
        st.markdown(
            _("All see the same sentences, all of them in every step. The frozen body adds "
              "nothing to learn but the head. The whole model has millions of numbers to change "
              "for a few sentences, so it can learn them by heart. From scratch it knows no words "
              "but these.")
        )  # fmt: skip
        if told is not None:
            first = next(iter(told.last.values()))
            st.markdown(why_not_equal(first.steps, len(read_lines(params.lines).held)))
        controls.number("tuning_seed", params)
    st.markdown(
        _("A Transformer learns little from few examples, and most tasks have few. But many tasks "
          "use the same kind of data, such as English sentences. So one body is pretrained on "
          "that, and its cost is shared among the tasks: it is **amortised**.")
    )  # fmt: skip
    asked("fine-tune", of_amortising())


def why_not_equal(steps: int, n: int) -> str:
    """Why a head on the same frozen body is not right equally often above and here."""
    said = _("The head above reads the same frozen features, each brought to one scale, and is "
             "fitted to the end. Here it reads them as they are and takes {steps} steps, so the "
             "two shares need not be equal. Only {n} sentences are held out, so each "
             "counts much.")  # fmt: skip
    return said.format(steps=steps, n=n)


def experiments() -> None:
    """Clicks that move a number."""
    try_this(FINE_TUNE)


def names() -> None:
    """What the names on the page mean."""
    params = params_of(OnOneText)
    said = record_of("tune.text", params)
    trace = said.run.trace
    reads = trace.blueprint.classifier.reads
    definitions([reads, "pooler.out", said.site], params, trace.lengths)


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
    TunePart,
    [
        Section(_("What fine-tuned models say"), "stage", stage, headed=False, tries=experiments),
        *taught(),
    ],
    names=names,
)
