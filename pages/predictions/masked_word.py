"""Masked word: which word is hidden, seen from both sides and from the left."""

import dataclasses
from functools import partial

import streamlit as st

from core import views
from core.errors import CoreError, NoWordError
from core.experiments import MASKED_WORD
from core.language import _, name_of, ngettext
from core.models.needs import Needs
from core.views.masked.follows import PAIR_EXAMPLES, Pair
from core.views.masked.gap import Hidden, Hiding
from core.views.masked.rolling import Rolling
from core.views.params import MAX_SEED
from pages.parts import controls, state
from pages.parts.figure import record_of, save_menu, show
from pages.parts.fragments import later, part
from pages.parts.messages import cut_notice, read_notice, say, say_english_only, show_error
from pages.parts.page import (
    definitions,
    heading,
    milliseconds,
    model_here,
    open_page,
    params_of,
    shows_another,
    source,
    try_this,
)
from pages.parts.runs import model_for

TERMS = ("mask-token", "probability", "cls", "causal-mask")


def names(params: Hiding) -> dict[str, str]:
    """The two models that are asked, as sentences name them."""
    return {"masked": name_of(params.model), "causal": name_of(params.partner)}


def with_partner(params: Hiding) -> Hiding:
    """The parameters with a partner that can write from the left."""
    return dataclasses.replace(params, partner=model_for(params.partner, Needs("next_token")))


def judge_of(model: str) -> str:
    """Who says whether two sentences follow each other."""
    return model_for(model, Needs("sentence_pairs"))


def load_example(ident: str) -> None:
    """Put an example's two sentences into the fields."""
    if ident in map(str, range(len(PAIR_EXAMPLES))):
        example = PAIR_EXAMPLES[int(ident)]
        state.update({"first": example.first, "second": example.second})


def stage() -> None:
    """The hidden word, from both sides and from the left."""
    params = with_partner(open_page(Hiding))
    question = _("Which word is hidden?")
    claim = _(
        "BERT reads the words on both sides of a gap and predicts what is hidden behind "
        "[MASK]. It was trained so that it understands whole texts; it cannot continue "
        "one, because it never learned to predict without the words to the right."
    )
    try:
        record = record_of("masked.strip", params)
    except CoreError as problem:
        heading(question, claim=claim, terms=TERMS, reads=params)
        if isinstance(problem, NoWordError):
            show("masked.unread", params, save=False)
        show_error(problem)
        return
    heading(
        question,
        ngettext("{model} · {n} tokens · {k} word hidden · ran in {ms} ms",
                 "{model} · {n} tokens · {k} words hidden · ran in {ms} ms",
                 len(record.run.gaps))
        .format(model=name_of(params.model), n=len(record.run.tokens), k=len(record.run.gaps),
                ms=milliseconds(record.run.seconds))
        + " · " + _("click a word to hide it or to show it again, or type [MASK] in the text"),
        claim=claim,
        terms=TERMS,
        reads=params,
    )  # fmt: skip
    show(
        "masked.strip",
        params,
        record=record,
        on={"marked": lambda marked: state.update(record.hiding(marked))},
        save=False,
    )
    guesses(params, record)
    source("mlm.logits", params.model)


def guesses(params: Hiding, record: Hidden) -> None:
    """What both models say of the gap that is looked at."""
    gap, beside = st.columns([3, 2], gap="large")
    with gap:
        show("masked.beside", params, record=record)
    with beside:
        if record.run.masks:
            show("masked.each", params, record=record)
        show("masked.why", params, record=record)
        st.markdown(
            _("A causal mask keeps a model from looking ahead. {masked} needs none, because "
              "the word it must predict is not in its input. A next-word model without a mask "
              "would see each answer one position to the right, as in the last bar, and would "
              "learn only to copy it.")
            .format(**names(params))
        )  # fmt: skip
        save_menu("masked.strip", params)


def experiments() -> None:
    """Three clicks that show something."""
    try_this(MASKED_WORD)


def pairs() -> None:
    """Whether the second sentence follows the first."""
    model = model_here()
    judge = judge_of(model)
    pair = dataclasses.replace(state.read(Pair), model=judge)
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
        controls.line("first", pair)
        controls.line("second", pair)
        st.markdown(
            _("{masked} was also trained on pairs of texts. Half the time the second text "
              "really followed the first, half the time it came from somewhere else. The "
              "model answers from the vector of [CLS]. Click an example to load it.")
            .format(masked=name_of(judge))
        )  # fmt: skip
    with chart:
        judged = show("masked.follows", pair, on={"pick": load_example})
        if judged is not None:
            if not pair.whole:
                said = str(views.get("masked.follows").describe(judged))
                say("info", said, icon=":material/edit:")
            cut_notice(judged.cut)
            read_notice(judge, [pair.first, pair.second])
            say_english_only(judge, f"{pair.first} {pair.second}")


def dice() -> None:
    """What a step of its training hid."""
    params = params_of(Hiding)
    rolling = dataclasses.replace(state.read(Rolling), model=params.model, text=params.text)
    st.markdown("## " + _("How BERT is trained: words are chosen, then 80, 10, 10"))
    # What is wrong with the text has been said above, if it is.
    if can_be_read(params) and show("masked.example", rolling) is not None:
        seed, again = st.columns([1, 3], vertical_alignment="bottom")
        with seed:
            controls.number("dice_seed", rolling)
        with again:
            controls.button(_("Roll the dice again"), "dice-again", partial(roll, rolling))
        show("masked.dice", rolling)
    st.markdown(
        _("The paper chooses 15 % of the tokens. So does this example, in whole words: of a "
          "short text that can be a little more or less. The BERT on this page was trained with "
          "twice as many, because a short training makes few guesses. Why not {mask} every time? "
          "Texts that people write contain no {mask}: the model would learn to predict only "
          "where a {mask} stands. Because any word may be wrong, the model has to check every "
          "word. Devlin et al. 2019, section 3.1; whole words as in the authors' "
          "later release.").format(mask="[MASK]")
    )  # fmt: skip


def roll(rolling: Rolling) -> None:
    """The next throw."""
    state.update({"dice_seed": (rolling.dice_seed + 1) % (MAX_SEED + 1)})


def can_be_read(params: Hiding) -> bool:
    """Whether there is a word to hide."""
    try:
        record_of("masked.strip", with_partner(params))
    except CoreError:
        return False
    return True


def compared() -> None:
    """What the two numbers are, and what the names mean."""
    params = with_partner(params_of(Hiding))
    model, judge = params.model, judge_of(params.model)
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
            .format(**names(params))
        )  # fmt: skip
    of_the_pair = ["pooler.out", "nsp.logits"] if judge == model else []
    definitions(["mlm.transform", "mlm.logits", *of_the_pair], params)


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
    later("pairs", pairs)
    later("dice", dice)
    later("compared", compared)
