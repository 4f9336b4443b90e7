"""Which machine for what: a table of uses that the learner fills and probes settle."""

from functools import partial

import streamlit as st

from core import zoo
from core.experiments import WHICH
from core.language import _, name_of
from core.views.which.deciding import (
    COLUMNS,
    NEED,
    PROBES_FILE,
    REASONS,
    Deciding,
    guess,
    settle,
)
from core.views.which.run import Decision, soon
from pages.parts import controls, state
from pages.parts.figure import reading, record_of, show, show_notes
from pages.parts.fragments import later, part
from pages.parts.messages import say_what_is_shown
from pages.parts.names import Machine
from pages.parts.page import (
    definitions,
    heading,
    params_of,
    say_which_model,
    source_of,
    try_this,
)
from pages.parts.partners import with_partners
from pages.parts.runs import ahead, device


def deciding() -> Deciding:
    """The text, the guesses, and a machine of the shelf for each column that has one."""
    return with_partners(params_of(Deciding), state.read(Machine).model)


def stage() -> None:
    """The table, the guess of the cell that is looked at, and its probe."""
    params = deciding()
    if state.read(Machine).model not in params.machines.values():
        say_which_model()
    say_what_is_shown()
    record = record_of("which.table", params)
    heading(
        _("Which machine for what?"),
        claim=_("What a machine can do follows from what each of its [[vector]]s may depend on "
                "and from what it was trained to predict. Guess, cell by cell, what each machine "
                "can do. Then a probe runs on the machine itself: its number is above the "
                "threshold or below it, and that settles the cell."),
        terms=("gpt", "bert", "elmo", "t5", "chain-rule", "loss"),
        reads=params,
    )  # fmt: skip
    table, probe = st.columns([3, 2], gap="large")
    with table:
        show("which.table", params, record=record)
        reading("which.table", record)
        show_notes("which.table", record, "warning")
    with probe:
        ask(params, record)
        show("which.probe", params, record=record)
        reading("which.probe", record)
        show_notes("which.probe", record, "more")
        source_of(PROBES_FILE, record.kind.code)
    ahead().prepare(soon(params), device())


def ask(params: Deciding, record: Decision) -> None:
    """What the row asks, and the guess of the cell that is looked at."""
    at, kind = (record.row, record.column), record.kind
    st.markdown(f"**{_(kind.asks)}** {_(kind.does)}")
    if at in record.found:
        settled(params, record)
    else:
        guessing(params, at)


def guessing(params: Deciding, at: tuple[int, int]) -> None:
    """The two guesses, and what settles the cell, and others that have been guessed."""
    said, waiting = params.said.get(at, ""), params.guessed
    st.markdown(_("Your guess for {model}:").format(model=name_of(params.machines[at[1]])))
    with st.container(horizontal=True):
        for can, label in ((True, _("It can")), (False, _("It cannot"))):
            controls.button(
                label,
                f"guess-{'can' if can else 'cannot'}",
                partial(change, guess(params, *at, can=can)),
                type="primary" if said == NEED[not can] else "secondary",
            )
        controls.button(
            _("Settle it"), "settle-it", partial(change, settle(params, [at])), disabled=not said
        )
        if len(waiting) > 1:
            label = _("Settle all {n} guesses").format(n=len(waiting))
            controls.button(label, "settle-all", partial(change, settle(params, waiting)))


def settled(params: Deciding, record: Decision) -> None:
    """Whether the guess was right, and the way to the next open cell."""
    right = record.right((record.row, record.column))
    if right is not None:
        model = name_of(params.machines[record.column])
        said = _("Your guess for {model} was right.") if right else (
            _("Your guess for {model} was wrong.")
        )  # fmt: skip
        reason = _(REASONS[COLUMNS[record.column][0]])
        st.markdown(f"{said.format(model=model)} {reason}")
    following = record.next_open()
    if following is not None:
        controls.button(_("Guess the next cell"), "guess-next", partial(look, *following))


def look(row: int, column: int) -> None:
    """Go to another cell."""
    state.update({"probe": row, "probed": column})


def change(guesses: str) -> None:
    """What the learner has guessed or settled."""
    state.update({"guesses": guesses})


def experiments() -> None:
    """Three clicks that show something."""
    try_this(WHICH)


def names() -> None:
    """What the names on the page mean."""
    params = params_of(Deciding)
    blueprint = zoo.blueprint(params.model)
    definitions([blueprint.sites("@layers")[-1], blueprint.head.site], params)


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
    later("names", names)
