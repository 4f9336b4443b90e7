"""Tokenization: how a text is cut, how the pieces were learnt, and what a character costs."""

from collections.abc import Mapping

import streamlit as st

from core import zoo
from core.answers.names import PageNames
from core.language import _, name_of
from core.models.needs import Needs
from core.shelf.abilities import model_for
from core.views.params import OnText
from core.views.text.tokens import METHODS, family_of, method_of
from pages.parts import state
from pages.parts.messages import say
from pages.parts.methods import BY, Method
from pages.parts.page import heading, model_here, say_which_model, source_of
from pages.parts.runs import shared_runs
from pages.shell.figure import Field, figure, only, prose
from pages.shell.sections import Section, sections


def fitting(method: str) -> str:
    """The chosen model if its tokenizer cuts by a method, else one whose does; empty for none."""
    shelf, runs = zoo.shelf(), shared_runs()
    names = (
        name for name in (state.read(PageNames).model, OnText().model, *shelf) if name in shelf
    )
    return next((name for name in names if method_of(runs.model(name).encoders) == method), "")


def with_merges() -> str:
    """A model whose tokenizer has merges."""
    return fitting("bpe") or model_here()


def without_merges() -> str:
    """The chosen model if its tokenizer has no merges; else one whose tokenizer has none."""
    chosen, shelf = state.read(PageNames).model, zoo.shelf()
    read = {name: shared_runs().model(name).encoders for name in (chosen, *shelf) if name in shelf}
    models = (model for model, by in read.items() if by.text is not None and by.merges is None)
    return next(models, model_here())


def cut_twice() -> None:
    """The text as each of the two models cuts it."""
    say_which_model()
    heading()
    fixed = {"model": with_merges()}
    prose("text.tokens", says=("changes",), fixed=fixed)
    left, right = st.columns(2, gap="large")
    with left:
        figure("text.tokens", says=("facts",), height=250, fixed=fixed)
    with right:
        # What an experiment moved is said once.
        figure("text.tokens", height=250, fixed={"model": without_merges(), "experiment": ""})


def choice() -> Field:
    """A control for the method."""
    return Field("cutting", options=[(name, _(METHODS[name])) for name in BY])


def one_word() -> None:
    """How a word becomes tokens, step by step."""
    prose("text.tokens", controls=(choice(),), fixed={"model": with_merges()})
    for name, method in BY.items():
        with only("cutting", *method.values, place="word"):
            if not state.lecture():
                st.markdown(_(method.cuts))
            put_together(name, method)


def put_together(name: str, method: Method) -> None:
    """A word cut by a method, with the entries of a model that has some, or learned ones."""
    shown, chosen = fitting(name), state.read(PageNames).model
    fixed = {
        "model": shown or model_here(),
        "cutting": name,
        **({} if shown else {"code": "learnt"}),
    }
    if not shown:
        sentence = _("No model on the shelf cuts words like this. The code learned below is used.")
        say("info", sentence, icon=":material/info:")
    elif chosen in zoo.shelf() and chosen != shown:
        whose(name, chosen, shown)
    called = [("model", name_of(shown)), ("learnt", _("the code learned below"))]
    figure(
        method.view, controls=(Field("code", options=called),) if shown else (), says=("steps",),
        height=340, fixed=fixed,
    )  # fmt: skip
    source_of(*method.cut_by)
    if name == "unigram":
        segmentations(fixed)


def whose(method: str, chosen: str, shown: str) -> None:
    """Say whose entries cut the word, where the chosen model cuts in another way."""
    text = shared_runs().model(chosen).encoders.text
    if text is not None:
        sentence = _("{model} cuts words in another way, so {shown} is shown here.")
        if method == "bpe":
            sentence = _(family_of(text.family).without_merges)
        st.markdown(sentence.format(model=name_of(chosen), shown=name_of(shown)))


def segmentations(fixed: Mapping[str, str]) -> None:
    """The most probable segmentations of the word, and samples of them."""
    bars, words = st.columns([3, 2], gap="large")
    with bars:
        figure("text.ways", height=330, fixed=fixed)
    with words:
        st.markdown(
            _("**Subword regularisation** cuts the same word differently each time a model is "
              "trained on it, so that the model learns the pieces of words, too. A segmentation is "
              "drawn with its probability to the power α: with α = 1 as it is, with α = 0 all are "
              "alike.")
        )  # fmt: skip
        sampled = (Field("smoothing", step=0.05), Field("seed", "number"))
        prose("text.ways", controls=sampled, fixed=fixed)


def learning() -> None:
    """How the entries are learned, one step after the other."""
    if not state.lecture():  # there the section before has the choice, and the figures the room
        prose("text.code", controls=(choice(),))
    for name, method in BY.items():
        with only("cutting", *method.values, place="learning"):
            learned(name, method)
            source_of(*method.learned_by)


def learned(name: str, method: Method) -> None:
    """The text that entries are learned from, and what each step makes of it."""
    by_rounds, fixed = name == "unigram", {"cutting": name}
    first = "text.entries" if by_rounds else "text.learnt"
    if state.lecture():  # the steps fill the screen; what is asked for less often folds away
        steps, beside = st.columns([3, 1], vertical_alignment="top")
        folded = beside.popover(_("The text to learn from"), key=f"corpus-{name}")
        text, settings = folded.container(), folded.container()
    else:
        st.markdown(_(method.learns))
        text, settings = st.columns([3, 1], gap="large")
        steps = st.container()
    with text:
        prose(first, controls=(Field("corpus", "lines"),), fixed=fixed)
    with settings:
        prose(first, controls=("pieces" if by_rounds else "merges",), fixed=fixed)
    with steps:
        prose(first, says=("steps",), notes=("info", "warning"), fixed=fixed)
    counts, corpus = st.columns([2, 3], gap="large")
    with counts:
        figure("text.entries" if by_rounds else "text.pairs", height=380, fixed=fixed)
    with corpus:
        figure("text.segmented" if by_rounds else "text.corpus", height=260, fixed=fixed)
        if by_rounds:
            figure("text.losses", height=380, fixed=fixed)
    if not by_rounds:
        figure("text.learnt", height=160, fixed=fixed)


def short_codes() -> None:
    """What each code spends on a character."""
    curve, words = st.columns([3, 2], gap="large")
    with curve:
        figure("text.code", height=400)
    with words:
        for name, method in BY.items():
            with only("cutting", *method.values, place="codes"):
                prose("text.code", says=("reading",), fixed={"cutting": name})
                st.markdown(
                    _("**Huffman's code** keeps the symbols and changes the length of their code "
                      "words: a frequent character gets few bits, a rare one many.")
                )  # fmt: skip
                st.markdown(_(method.codes))
        st.markdown(_("The price is a table of entries, which is not counted here."))
        bits, token = _("bits per character"), _("token")
        st.latex(rf"\text{{{bits}}} = \frac{{1}}{{n}}\sum_t -\log_2 p(\text{{{token}}}_t)")
    predicted()


def predicted() -> None:
    """What the characters of the text in the bar cost, if a model predicts them."""
    model = with_merges()
    writer = model_for(model, Needs("next_token"))
    st.markdown(
        _("A model that predicts the next token gives a code, too: a token that it expects with "
          "probability p costs −log₂ p bits, its **surprisal**.")
    )  # fmt: skip
    bars, words = st.columns([3, 2], gap="large")
    with bars:
        figure("text.bits", height=260, fixed={"model": writer})
    with words:
        if writer != model:
            st.markdown(
                _("{model} does not predict the next token of a text, so {shown} is shown here.")
                .format(model=name_of(model), shown=name_of(writer))
            )  # fmt: skip
        prose("text.bits", says=("reading",), fixed={"model": writer})


sections(
    [
        Section(_("The same text, cut by two models"), "twice", cut_twice, headed=False),
        Section(
            _("How one word becomes tokens"), "word", one_word, tries=("tokenization", "pieces")
        ),
        Section(_("Where does the vocabulary come from?"), "learning", learning),
        Section(_("Short codes for what is frequent"), "codes", short_codes),
    ],
)
