"""Tokenization: how a text is cut, how the pieces were learnt, and what a character costs."""

import streamlit as st

from core.figures.steps import stepper
from core.figures.tokenization import Tokenizing
from core.language import _, ngettext
from core.text.learning import MAX_CORPUS
from pages.parts import controls, state
from pages.parts.components import mount
from pages.parts.page import (
    Experiment,
    heading,
    reading,
    record_of,
    show,
    source_of,
    text_or_last,
    try_this,
    with_values,
)
from pages.parts.runs import model_for
from pages.parts.sections import Section, TextPart, lecture, sections

chosen = state.read(Tokenizing)
params = text_or_last(with_values(chosen, model=model_for(chosen.model, "causal")))
other = with_values(params, model=model_for(chosen.model, "masked"))
record = record_of("text.tokens", params)
encoding = record_of("text.encode", params)
trained = record_of("text.learnt", params)

heading(
    _("How does a text become tokens?"),
    ngettext("{words} word, {characters} characters · the same text for both models · point at it",
             "{words} words, {characters} characters · the same text for both models · point at a "
             "word", record.n_words)
    .format(words=record.n_words, characters=len(record.run.text)),
)  # fmt: skip


def cut_twice() -> None:
    """The text as each of the two models cuts it."""
    left, right = st.columns(2, gap="large")
    with left:
        show("text.tokens", params, record=record, key="tokens-causal")
    with right:
        show("text.tokens", other, key="tokens-masked")


def one_word() -> None:
    """How a word is put together, and what a character costs."""
    if other.model == chosen.model:
        st.markdown(
            _("{model} has no merges: it takes the longest piece of its vocabulary that the rest "
              "of the word begins with (WordPiece). Nor does it say how likely the next token is: "
              "here is {shown}.")
            .format(model=other.model.upper(), shown=params.model.upper())
        )  # fmt: skip
    ladder, worth = st.columns([3, 2], gap="large")
    with ladder:
        controls.choice(
            _("Merges of"), "code", params, ["model", "learnt"],
            {"model": params.model.upper(), "learnt": _("the code learnt below")}.__getitem__,
            label_visibility="collapsed",
        )  # fmt: skip
        mount(
            "stepper",
            stepper(
                len(encoding.counts),
                field="join",
                first=max(encoding.counts),
                n_by={"field": "word", "first": encoding.word, "counts": encoding.counts},
                selection=encoding.params.selection() | {"word": encoding.word},
            ),
            key="join-steps",
        )
        show("text.encode", params, record=encoding)
    with worth:
        bits = show(
            "text.bits", with_values(params, word=0, join=-1, merge=0)
        )  # whatever is stepped
        if bits is not None:
            reading("text.bits", bits)
    source_of("core/text/bpe.py", "rank, at = min(")

    with st.container(key="below-stage"):
        try_this(
            [
                Experiment(
                    _("Make two typos"),
                    _("A misspelt word is not in the vocabulary: it falls apart into more, and "
                      "stranger, tokens than the right spelling."),
                    {"text": "The animal crossed the street. The anmial corssed the street.",
                     "word": 7, "join": None},
                ),
                Experiment(
                    _("Write accents and an emoji"),
                    _("GPT's bytes never fail: a character it does not know is cut into its bytes. "
                      "BERT strips accents and may read nothing but [UNK]."),
                    {"text": "A naïve café served jalapeños 🙂", "word": 5, "join": None},
                ),
                Experiment(
                    _("Learn the code from your text"),
                    _("The merges are learnt from the text in the bar: step through them. So "
                      "short a text soon becomes one token a word."),
                    {"corpus": params.text, "merge": 1, "code": "learnt", "join": None},
                    shows="text.pairs",
                ),
            ]
        )  # fmt: skip


def learning() -> None:
    """The merges, learnt one after the other."""
    if lecture():  # the steps fill the screen; what is asked for less often folds away
        steps, beside = st.columns([3, 1], vertical_alignment="top")
        folded = beside.popover(_("The text to learn from"))
        text, settings = folded.container(), folded.container()
    else:
        st.markdown(
            _("**Byte-pair encoding** starts from single bytes. Again and again it counts which "
              "two symbols stand side by side most often in a training text, and makes that pair "
              "one new symbol. A space belongs to the word after it, and no pair crosses from one "
              "word into the next. Frequent words end as one token, rare ones stay in several.")
        )  # fmt: skip
        text, settings = st.columns([3, 1], gap="large")
        steps = st.container()
    with text:
        controls.text_area(_("Learn from this text"), "corpus", params, height=110)
    with settings:
        controls.slider(_("Merges to learn"), "merges", params)
    if not params.corpus.strip():
        st.info(_("There is nothing to learn from: the example is used."))
    if trained.learning.cut:
        st.warning(_("Only the first {n} characters are learnt from.").format(n=f"{MAX_CORPUS:,}"))
    with steps:
        mount(
            "stepper",
            stepper(
                trained.n_merges + 1,
                first=trained.step,
                field="merge",
                texts=[trained.done(step) for step in range(trained.n_merges + 1)],
                selection=trained.selection(),
                keys=lecture(),  # else the keys are the word's
            ),
            key="merge-steps",
        )
    counts, corpus = st.columns([2, 3], gap="large")
    with counts:
        show("text.pairs", params)
    with corpus:
        show("text.corpus", params)
    show("text.learnt", params, record=trained)
    source_of("core/text/bpe.py", "self.heap = [(-count, pair)")


def short_codes() -> None:
    """What each code spends on a character."""
    curve, words = st.columns([3, 2], gap="large")
    with curve:
        costs = show("text.code", params)
    with words:
        if costs is not None:
            reading("text.code", costs)
        st.markdown(
            _("**Huffman's code** keeps the symbols and changes the length of their code words: "
              "a frequent character gets few bits, a rare one many. Byte-pair encoding is its "
              "mirror image: every entry is a number of the same length, but a frequent string "
              "becomes one entry, however many characters it has. Both spend little on what is "
              "frequent. Merges reach further, since they see which characters follow each "
              "other; the price is a table of entries, which is not counted here.")
        )  # fmt: skip
        st.latex(r"\text{bits per character} = \frac{1}{n}\sum_t -\log_2 p(\text{token}_t)")


sections(
    TextPart,
    [
        Section(_("The same text, cut by two models"), cut_twice, headed=False),
        Section(_("How a word is put together"), one_word, headed=False),
        Section(_("Where do the merges come from?"), learning),
        Section(_("Short codes for what is frequent"), short_codes),
    ],
)
