"""Masked word: which word is hidden, seen from both sides and from the left."""

import streamlit as st

from core.answers.partners import with_partners
from core.language import _, name_of
from core.models.needs import Needs
from core.shelf.abilities import model_for
from core.views.masked.gap import Hiding
from pages.parts.page import heading, model_here, open_page, params_of, shows_another
from pages.shell.figure import Field, definitions, figure, files, prose
from pages.shell.offers import experiments


def names() -> dict[str, str]:
    """The two models that are asked, as sentences name them."""
    params = params_of(Hiding)
    causal = with_partners(params, params.model).partner
    return {"masked": name_of(params.model), "causal": name_of(causal)}


def judge_of(model: str) -> str:
    """Who says whether two sentences follow each other."""
    return model_for(model, Needs("sentence_pairs"))


def stage() -> None:
    """The hidden word, from both sides and from the left."""
    open_page(Hiding)
    heading()
    figure("masked.strip", says=("changes", "facts"), save=False, height=120)
    figure("masked.wordless", says=("changes",), save=False)
    gap, beside = st.columns([3, 2], gap="large")
    with gap:
        figure("masked.beside", says=("source",), height=480)
    with beside:
        figure("masked.each", height=100)
        figure("masked.why", height=200)
        st.markdown(
            _("A causal mask keeps a model from looking ahead. {masked} needs none, because "
              "the word it must predict is not in its input. A next-word model without a mask "
              "would see each answer one position to the right, as in the last bar, and would "
              "learn only to copy it.")
            .format(**names())
        )  # fmt: skip
        files("masked.strip")


def pairs() -> None:
    """Whether the second sentence follows the first."""
    model = model_here()
    judge = judge_of(model)
    st.markdown("## " + _("Does the second sentence follow the first?"))
    if judge != model:
        shows_another(
            _("{chosen} cannot {ability}; {able} is used here."),
            model,
            judge,
            Needs("sentence_pairs"),
        )
    fields, chart = st.columns(2, gap="large")
    with fields:
        prose("masked.follows", controls=("first", "second"), fixed={"model": judge})
        st.markdown(
            _("{masked} was also trained on pairs of texts. Half the time the second text "
              "really followed the first, half the time it came from somewhere else. The "
              "model answers from the vector of [CLS]. Click an example to load it.")
            .format(masked=name_of(judge))
        )  # fmt: skip
    with chart:
        figure("masked.follows", says=("cut", "changes"), notes=("info",), height=260,
               fixed={"model": judge})  # fmt: skip


def dice() -> None:
    """What a step of its training hid."""
    st.markdown(
        "## " + _("How BERT is trained: some words are chosen, and most of them are hidden")
    )
    figure("masked.example", height=160)
    seed = Field("dice_seed", "number", again=_("Roll the dice again"))
    figure("masked.dice", controls=(seed,), height=320)
    st.markdown(
        _("Of the chosen words, 80 % are replaced by {mask}, 10 % by a random word, and 10 % stay "
          "as they are. The paper chooses 15 % of the tokens. This example does the same with "
          "whole words, so "
          "in a short text it can be a little more or less. The BERT on this page was trained "
          "with twice as many, because in a short training it makes few guesses. Why not {mask} "
          "every time? Texts that people write contain no {mask}, and the model would learn to "
          "predict only where one stands. Because any word may be wrong, the model has to check "
          "every word. Devlin et al. 2019, section 3.1; whole words as in the authors' later "
          "release.").format(mask="[MASK]")
    )  # fmt: skip


def compared() -> None:
    """What the two numbers are, and what the names mean."""
    model = model_here()
    with st.expander(_("What the two probabilities are, and how they compare")):
        st.latex(r"p_\mathrm{both}(w) = \prod_i \mathrm{softmax}(\ell_{g_i})_{w_i} \qquad "
                 r"p_\mathrm{left}(w) = \sum_{s} \; \prod_i p(s_i \mid \mathrm{left}, s_{<i}) "
                 r"\cdot p(\mathrm{end} \mid \mathrm{left}, s)")  # fmt: skip
        st.markdown(
            _("{masked} gives a probability to each piece of the gap, independently of the "
              "others. The probability of a word is the product over the pieces g of the gap. "
              "{masked} also sees how many pieces are missing. {causal} sees no gap: the "
              "probability of a word is the probability that the text continues with the "
              "tokens of this word and that the word then ends. It is added up over the "
              "spellings s with small and capital letters, because {masked} reads no "
              "capitals. Every factor comes from a forward pass. Both are probabilities of "
              "the same thing, this word in this place, so they can be compared. {causal} "
              "reads the left side as it was typed, also the words that are hidden from "
              "{masked}.")
            .format(**names())
        )  # fmt: skip
    of_the_pair = ["pooler.out", "nsp.logits"] if judge_of(model) == model else []
    definitions("masked.unread", ["mlm.transform", "mlm.logits", *of_the_pair], model)


stage()
with st.container(key="below-stage"):
    experiments("masked_word")
    pairs()
    dice()
    compared()
