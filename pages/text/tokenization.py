"""Tokenization: how a text is cut, how the pieces were learnt, and what a character costs."""

from dataclasses import replace

import streamlit as st

from core import zoo
from core.experiments import PIECES, TOKENIZATION
from core.language import _, name_of, ngettext
from core.locale import grouped
from core.models.needs import Needs
from core.views.text.code import Coding
from core.views.text.tokenizing import Tokenizing
from core.views.text.typed import came_apart
from pages.parts import sentence, state
from pages.parts.cutting import learning, one_word, opens_on
from pages.parts.figure import reading, record_of, show
from pages.parts.messages import say_what_is_shown, small_print
from pages.parts.methods import SAID, by_method, method_here
from pages.parts.names import Machine
from pages.parts.page import (
    heading,
    say_which_model,
    try_this,
)
from pages.parts.runs import model_for, shared_runs
from pages.parts.sections import Section, TextPart, sections


def with_merges(leave: tuple[str, ...] = ()) -> Tokenizing:
    """The text, and a model whose tokenizer has merges; ``leave`` as ``state.read`` has it."""
    return by_method(Tokenizing, "bpe", leave)


def without_merges(name: str) -> str:
    """A model if its tokenizer has no merges; else one whose tokenizer has none."""
    shelf, runs = zoo.shelf(), shared_runs()
    read = {one: runs.model(one).encoders for one in (name, *shelf) if one in shelf}
    fitting = (one for one, by in read.items() if by.text is not None and by.merges is None)
    return next(fitting, name)


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
    params = with_merges(leave=("corpus", "merges", "code"))
    other = replace(params, model=without_merges(state.read(Machine).model))
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
        terms=("bpe", "wordpiece", "unigram", "viterbi", "expectation-maximisation",
               "subword-regularisation", "merge", "entropy", "surprisal"),
    )  # fmt: skip
    composed_letters(params.text)
    more = opens_on()
    left, right = st.columns(2, gap="large")
    with left:
        show("text.tokens", params, record=record, key="tokens-causal", more=more)
    with right:
        show("text.tokens", other, key="tokens-masked", more=more)


def composed_letters(text: str) -> None:
    """At the strips, which letters of a text are one character there and were typed as several."""
    if said := came_apart(sentence.as_typed(text)):
        small_print(said)


def experiments() -> None:
    """What to try with the text in the bar."""
    try_this((*TOKENIZATION, *PIECES))


def short_codes() -> None:
    """What each code spends on a character."""
    method = method_here()
    curve, words = st.columns([3, 2], gap="large")
    with curve:
        costs = show("text.code", by_method(Coding, method))
    with words:
        reading("text.code", costs)
        st.markdown(
            _("**Huffman's code** keeps the symbols and changes the length of their code words: a "
              "frequent character gets few bits, a rare one many.")
        )  # fmt: skip
        st.markdown(_(SAID[method].codes))
        st.markdown(_("The price is a table of entries, which is not counted here."))
        bits, token = _("bits per character"), _("token")
        st.latex(rf"\text{{{bits}}} = \frac{{1}}{{n}}\sum_t -\log_2 p(\text{{{token}}}_t)")
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
    still = replace(params, model=writer, word=-1, join=-1, merge=0)
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
        Section(_("How one word becomes tokens"), "word", one_word, tries=experiments),
        Section(_("Where does the vocabulary come from?"), "learning", learning),
        Section(_("Short codes for what is frequent"), "codes", short_codes),
    ],
)
