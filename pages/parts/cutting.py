"""How one word becomes tokens, and how entries are learned, by the method that is chosen."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core import zoo
from core.language import _, name_of
from core.locale import grouped
from core.views.text.families import family_of
from core.views.text.tokenizing import ByMerges, ByPieces, Tokenizing
from core.views.text.ways import Sampling
from pages.parts import controls, state
from pages.parts.figure import record_of, show, show_steps
from pages.parts.messages import say
from pages.parts.methods import SAID, by_method, choose_method, fitting, method_here
from pages.parts.names import Machine
from pages.parts.page import source_of
from pages.parts.runs import shared_runs

VIEWS: dict[str, tuple[str, type[Tokenizing]]] = {
    "bpe": ("text.encode", Tokenizing), "wordpiece": ("text.tries", ByMerges),
    "unigram": ("text.lattice", ByPieces),
}  # fmt: skip


def one_word() -> None:
    """How a word becomes tokens, step by step."""
    method = choose_method("word")
    name, cls = VIEWS[method]
    params = by_method(cls, method)
    if not state.lecture():
        st.markdown(_(SAID[method].cuts))
    _whose(method, params)
    record = record_of(name, params)
    show_steps(name, record, key="join-steps")
    show(name, params, record=record)
    source_of(*SAID[method].cut_by)
    if method == "unigram":
        _segmentations()


def opens_on() -> dict[str, Any]:
    """For a strip of words: the one that the lattice opens on, where that is stepped through."""
    if method_here() != "unigram":
        return {}
    record = record_of("text.lattice", by_method(ByPieces, "unigram"))
    return {"default": record.word, "selection": record.params.selection(word=record.word)}


def _whose(method: str, params: Tokenizing) -> None:
    """Whose entries cut the word, and which can be chosen."""
    chosen = state.read(Machine).model
    if fitting(params.model, method) is None:
        said = _("No model on the shelf cuts words like this. The code learned below is used.")
        say("info", said, icon=":material/info:")
        return
    encoders = shared_runs().model(chosen).encoders if chosen in zoo.shelf() else None
    if encoders is not None and encoders.text is not None and chosen != params.model:
        template = _("{model} cuts words in another way, so {shown} is shown here.")
        if method == "bpe":
            template = _(family_of(encoders.text.family).without_merges)
        st.markdown(template.format(model=name_of(chosen), shown=name_of(params.model)))
    controls.choice(
        "code", params,
        show={"model": name_of(params.model), "learnt": _("the code learned below")}.__getitem__,
        label_visibility="collapsed",
    )  # fmt: skip


def _segmentations() -> None:
    """The most probable segmentations of the word, and samples of them."""
    params = by_method(Sampling, "unigram")
    bars, words = st.columns([3, 2], gap="large")
    with bars:
        show("text.ways", params)
    with words:
        st.markdown(
            _("**Subword regularisation** cuts the same word differently each time a model is "
              "trained on it, so that the model learns the pieces of words, too. A segmentation is "
              "drawn with its probability to the power α: with α = 1 as it is, with α = 0 all are "
              "alike.")
        )  # fmt: skip
        controls.slider("smoothing", params, 0.0, 1.0, 0.05)
        controls.number("seed", params)


def learning() -> None:
    """How the entries are learned, one step after the other."""
    method = choose_method("learning")
    params = by_method(ByPieces, method, leave=("text", "target", "code"))
    first = "text.entries" if method == "unigram" else "text.learnt"
    record = record_of(first, params)
    if state.lecture():  # the steps fill the screen; what is asked for less often folds away
        steps, beside = st.columns([3, 1], vertical_alignment="top")
        folded = beside.popover(_("The text to learn from"))
        text, settings = folded.container(), folded.container()
    else:
        st.markdown(_(SAID[method].learns))
        text, settings = st.columns([3, 1], gap="large")
        steps = st.container()
    with text:
        controls.text_area("corpus", params, height=110)
    with settings:
        controls.slider("pieces" if method == "unigram" else "merges", params)
    _what_is_learned_from(params, record.learning)
    with steps:
        # In a lecture the arrow keys step through the learning, else through the word.
        key = "round-steps" if method == "unigram" else "merge-steps"
        show_steps(first, record, key=key, keys=state.lecture())
    if method == "unigram":
        _rounds(params, record)
    else:
        _merges(params, record)
    source_of(*SAID[method].learned_by)


def _what_is_learned_from(params: ByPieces, learning: Any) -> None:
    """Where that is not all that was typed."""
    if not params.corpus.strip():
        say("info", _("There is nothing to learn from: the example is used."))
    if learning.cut:
        say(
            "warning",
            _("The merges are learned from the first {n} characters only.").format(
                n=grouped(len(learning.text))
            ),
        )


def _merges(params: ByPieces, record: object) -> None:
    counts, corpus = st.columns([2, 3], gap="large")
    with counts:
        show("text.pairs", params, record=record)
    with corpus:
        show("text.corpus", params, record=record)
    show("text.learnt", params, record=record)


def _rounds(params: ByPieces, record: object) -> None:
    entries, corpus = st.columns([2, 3], gap="large")
    with entries:
        show("text.entries", params, record=record)
    with corpus:
        show("text.segmented", params, record=record)
        show("text.losses", params, record=record)
