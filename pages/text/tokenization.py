"""Tokenization: how a text is cut, how the pieces were learnt, and what a character costs."""

from dataclasses import replace

import streamlit as st

from core import zoo
from core.experiments import TOKENIZATION
from core.language import _, name_of, ngettext
from core.locale import grouped
from core.models.needs import Needs
from core.text.learning import MAX_CORPUS
from core.views.params import OnText
from core.views.text.code import Coding
from core.views.text.families import family_of
from core.views.text.tokenizing import Tokenizing
from pages.parts import controls, state
from pages.parts.figure import reading, record_of, show, show_steps
from pages.parts.messages import say
from pages.parts.names import Machine
from pages.parts.page import (
    heading,
    say_what_is_shown,
    say_which_model,
    source_of,
    text_or_last,
    try_this,
)
from pages.parts.runs import model_for, shared_runs
from pages.parts.sections import Section, TextPart, lecture, sections

LEARNING = ("corpus", "merges", "code")


def cut_by(name: str, *, merges: bool) -> str:
    """A model if its tokenizer has merges, or has none; else one whose tokenizer is so."""
    shelf, runs = zoo.shelf(), shared_runs()
    read = {one: runs.model(one).encoders for one in (name, OnText().model, *shelf) if one in shelf}
    fitting = (
        one for one, by in read.items() if by.text is not None and (by.merges is not None) == merges
    )
    return next(fitting, name)


def with_merges(leave: tuple[str, ...] = ()) -> Tokenizing:
    """The text, and a model whose tokenizer has merges; ``leave`` as ``state.read`` has it."""
    own = text_or_last(state.read(Tokenizing, leave=leave))
    return replace(own, model=cut_by(own.model, merges=True))


def not_read(n: int) -> str:
    """How many words are in no count, as they did not fit the context."""
    if not n:
        return ""
    said = ngettext("{n} further word did not fit and is not counted",
                    "{n} further words did not fit and are not counted", n)  # fmt: skip
    return " · " + said.format(n=grouped(n))


def cut_twice() -> None:
    """The text as each of the two models cuts it."""
    say_which_model()
    say_what_is_shown()
    params = with_merges(leave=LEARNING)
    other = replace(params, model=cut_by(state.read(Machine).model, merges=False))
    record = record_of("text.tokens", params)
    heading(
        _("How does a text become tokens?"),
        ngettext("{words} word, {characters} characters · the same text for both models · point "
                 "at it",
                 "{words} words, {characters} characters · the same text for both models · point "
                 "at a word", record.n_words)
        .format(words=record.n_words, characters=len(record.run.text))
        + not_read(len(record.run.cut.split())),
        claim=_("A model computes with numbers, so the text is first cut into [[tokens]], entries "
                "of a fixed [[vocabulary]]. Frequent words are one token each; rare words, names "
                "and typos fall into several, so a small vocabulary can still write every word."),
        terms=("bpe", "wordpiece", "merge", "entropy", "surprisal"),
    )  # fmt: skip
    left, right = st.columns(2, gap="large")
    with left:
        show("text.tokens", params, record=record, key="tokens-causal")
    with right:
        show("text.tokens", other, key="tokens-masked")


def one_word() -> None:
    """How a word is put together."""
    params, chosen = with_merges(), state.read(Machine).model
    encoders = shared_runs().model(chosen).encoders if chosen in zoo.shelf() else None
    if encoders is not None and encoders.text is not None and encoders.merges is None:
        own = family_of(encoders.text.family)
        names = {"model": name_of(chosen), "shown": name_of(params.model)}
        st.markdown(_(own.without_merges).format(**names))
    encoding = record_of("text.encode", params)
    controls.choice(
        "code", params,
        show={"model": name_of(params.model), "learnt": _("the code learned below")}.__getitem__,
        label_visibility="collapsed",
    )  # fmt: skip
    show_steps("text.encode", encoding, key="join-steps")
    show("text.encode", params, record=encoding)
    source_of("core/text/bpe.py", "rank, at = min(")


def experiments() -> None:
    """What to try with the text in the bar."""
    try_this(TOKENIZATION)


def learning() -> None:
    """The merges, learnt one after the other."""
    params = with_merges(leave=("text", "target", "code"))
    trained = record_of("text.learnt", params)
    if lecture():  # the steps fill the screen; what is asked for less often folds away
        steps, beside = st.columns([3, 1], vertical_alignment="top")
        folded = beside.popover(_("The text to learn from"))
        text, settings = folded.container(), folded.container()
    else:
        st.markdown(
            _("**Byte-pair encoding** starts from single bytes. It counts which two symbols "
              "are neighbours most often in a training text and merges that pair into one new "
              "symbol. Then it counts again. A space belongs to the word after it, and no "
              "pair crosses from one word into the next. Frequent words end as one token, "
              "rare words stay in several.")
        )  # fmt: skip
        text, settings = st.columns([3, 1], gap="large")
        steps = st.container()
    with text:
        controls.text_area("corpus", params, height=110)
    with settings:
        controls.slider("merges", params)
    if not params.corpus.strip():
        say("info", _("There is nothing to learn from: the example is used."))
    if trained.learning.cut:
        say(
            "warning",
            _("The merges are learned from the first {n} characters only.").format(
                n=grouped(MAX_CORPUS)
            ),
        )
    with steps:
        # In a lecture the arrow keys step through the merges, else through the word.
        show_steps("text.learnt", trained, key="merge-steps", keys=lecture())
    counts, corpus = st.columns([2, 3], gap="large")
    with counts:
        show("text.pairs", params, record=trained)
    with corpus:
        show("text.corpus", params, record=trained)
    show("text.learnt", params, record=trained)
    source_of("core/text/bpe.py", "self.heap = [(-count, pair)")


def short_codes() -> None:
    """What each code spends on a character."""
    curve, words = st.columns([3, 2], gap="large")
    with curve:
        costs = show("text.code", state.read(Coding))
    with words:
        reading("text.code", costs)
        st.markdown(
            _("**Huffman's code** keeps the symbols and changes the length of their code "
              "words: a frequent character gets few bits, a rare one many. Byte-pair encoding "
              "does it the other way round: every entry is a number of the same length, but a "
              "frequent string becomes one entry, however many characters it has. Both spend "
              "little on what is frequent. Merges save more, because they use which "
              "characters follow each other. The price is a table of entries, which is not "
              "counted here.")
        )  # fmt: skip
        st.latex(r"\text{bits per character} = \frac{1}{n}\sum_t -\log_2 p(\text{token}_t)")
    predicted()


def predicted() -> None:
    """What the characters of the text in the bar cost, if a model predicts them."""
    params = with_merges()
    writer = model_for(params.model, Needs("next_token"))
    st.markdown(
        _("A model that predicts the next token gives a code, too: a token that it expects with "
          "probability p costs −log₂ p bits, its **surprisal**.")
    )  # fmt: skip
    bars, words = st.columns([3, 2], gap="large")
    # Whatever is stepped, it stays as it is.
    still = replace(params, model=writer, word=0, join=-1, merge=0)
    with bars:
        costs = show("text.bits", still)
    with words:
        if writer != params.model:
            st.markdown(
                _("{model} does not predict the next token of a text, so {shown} is shown here.")
                .format(model=name_of(params.model), shown=name_of(writer))
            )  # fmt: skip
        reading("text.bits", costs)


sections(
    TextPart,
    [
        Section(_("The same text, cut by two models"), "twice", cut_twice, headed=False),
        Section(_("How a word is put together"), "word", one_word, tries=experiments),
        Section(_("Where do the merges come from?"), "learning", learning),
        Section(_("Short codes for what is frequent"), "codes", short_codes),
    ],
)
