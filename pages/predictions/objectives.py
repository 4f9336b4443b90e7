"""One sentence, every objective: what each way of learning is given, must predict, and loses."""

from functools import partial

import streamlit as st

from core import zoo
from core.experiments import OBJECTIVES
from core.language import _, name_of
from core.locale import listed
from core.views.objectives.run import Lesson
from core.views.objectives.teaching import KINDS, Teaching
from core.views.params import MAX_SEED
from pages.parts import controls, state
from pages.parts.figure import reading, record_of, show, show_notes
from pages.parts.fragments import later, part
from pages.parts.messages import say, say_what_is_shown
from pages.parts.names import Machine
from pages.parts.page import (
    definitions,
    heading,
    params_of,
    say_which_model,
    try_this,
)
from pages.parts.partners import with_partners


def teaching() -> Teaching:
    """The text, and for each way of learning a model of the shelf that learned it, if any did."""
    return with_partners(params_of(Teaching), state.read(Machine).model)


def stage() -> None:
    """The table, and one word of it seen by every model."""
    say_which_model()
    say_what_is_shown()
    params = teaching()
    record = record_of("objectives.table", params)
    heading(
        _("What can a model learn from one sentence?"),
        claim=_("Nobody labels the text: part of it is hidden, and the model predicts that part. "
                "What is hidden, what the model sees meanwhile, and which tokens count in the "
                "[[loss]] is the [[training objective]]. It is most of what tells GPT, "
                "BERT, ELMo, T5 and BART apart."),
        terms=("gpt", "bert", "elmo", "t5", "bart", "teacher-forcing", "mask-token", "cls",
               "sentinel", "nat"),
        reads=params,
    )  # fmt: skip
    show("objectives.table", params, record=record)
    reading("objectives.table", record)
    ways, dice, noise = st.columns([1, 2, 3], gap="large", vertical_alignment="bottom")
    with ways:
        controls.choice("ways", params)
    with dice:
        seed, again = st.columns([1, 2], vertical_alignment="bottom")
        with seed:
            controls.number("dice_seed", params)
        with again:
            controls.button(_("Roll the dice again"), "dice-again", partial(roll, params))
    if any(record.rows[n].kind.objective == "denoise" for n in record.shown):
        with noise:
            controls.choice("noise", params)
    without_a_model(record)
    show_notes("objectives.table", record, "warning")
    show_notes("objectives.table", record, "info")
    show("objectives.word", params, record=record)


def without_a_model(record: Lesson) -> None:
    """Say for which ways of learning the shelf has no model."""
    lacking = [row.name for row in record.rows if not row.exercise.able]
    if lacking:
        words = _(
            "No model on the shelf learned this way: {ways}. The table shows what it would be "
            "given and what it would have to predict, in the tokens of {model}. Without a model "
            "there is no loss."
        ).format(ways=listed(lacking), model=name_of(record.params.model))
        say("info", words, icon=":material/inbox:")


def roll(params: Teaching) -> None:
    """The next throw."""
    state.update({"dice_seed": (params.dice_seed + 1) % (MAX_SEED + 1)})


def experiments() -> None:
    """Three clicks that show something."""
    try_this(OBJECTIVES)


def losses() -> None:
    """The numbers side by side, and the tokens behind one of them."""
    params = teaching()
    record = record_of("objectives.losses", params)
    st.markdown("## " + _("Which losses can be compared?"))
    show("objectives.losses", params, record=record)
    reading("objectives.losses", record)
    show_notes("objectives.losses", record, "more")
    controls.choice("lane", params, range(len(KINDS)), lambda at: _(KINDS[at].says))
    show("objectives.pieces", params, record=record)


def names() -> None:
    """What the names on the page mean."""
    params = params_of(Teaching)
    definitions([zoo.blueprint(params.model).head.site], params)


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
    later("losses", losses)
    later("names", names)
