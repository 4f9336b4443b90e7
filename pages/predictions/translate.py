"""Translate: one sentence through two machines, side by side, and who attends to whom in each."""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from core import zoo
from core.experiments import TRANSLATE, WRITING
from core.language import _, name_of
from core.views.attention.head import AtHead
from core.views.attention.heads import AtHeads, OfAllHeads
from core.views.recurrent.run import AtState
from core.views.translate.translation import no_alignment
from pages.parts import controls, translating
from pages.parts.attention import which_attention, which_head
from pages.parts.figure import record_of, show
from pages.parts.fragments import later, part
from pages.parts.messages import say, small_print
from pages.parts.page import (
    definitions,
    facts,
    heading,
    n_tokens,
    open_page,
    params_of,
    ran_in,
    source,
    try_this,
)
from pages.parts.translators import (
    BESIDE,
    NONE,
    Second,
    across,
    column_of,
    second_beside,
    sides,
    translators,
)
from pages.shell import player

STATES = "s"  # what the scope of a machine's states ends with


def stage() -> None:
    """What the page is about."""
    heading(
        _("How does a sentence become one in another language?"),
        claim=_("The [[encoder]] reads the source. The [[decoder]] writes the target, one "
                "token at a time. With [[cross-attention]], each step attends to all tokens "
                "of the source. Without it, the decoder gets one summary of the source."),
        terms=("source", "target", "greedy", "softmax", "teacher-forcing", "hidden-state", "rnn",
               "beam-search", "length-penalty", "alignment", "nat"),
        reads=open_page(AtHeads),
    )  # fmt: skip


def asked() -> None:
    """Which machines are shown, and a target that both read."""
    params = params_of(AtHeads)
    own, beside, target = st.columns([4, 4, 3], gap="medium")
    with own:
        controls.choice("model", params, translators(), name_of)
    with beside:
        if others := [name for name in translators() if name != params.model]:
            shown = Second(second_beside(params.model) or NONE)
            controls.choice("model", shown, [*others, NONE], called, scope=BESIDE)
    with target:
        controls.line("target", params, placeholder=_("Empty: each model writes its own"))


# --- a machine ---------------------------------------------------------------------------


def called(name: str) -> str:
    """A choice for the second column."""
    return _("nothing") if name == NONE else name_of(name)


def column(*, second: bool) -> tuple[str, AtHeads, Any] | None:
    """The scope of a column, what its machine is asked, and what that writes; None without one."""
    scope = BESIDE if second else ""
    params = column_of(AtHeads, second=second, scope=scope)
    if params is None:
        return None
    params = across(params)
    return scope, params, record_of("translate.target", params)


def strips(*, second: bool) -> None:
    """Source and target as one machine sees them."""
    if (asked := column(second=second)) is None:
        return
    scope, params, made = asked
    show("translate.source", params, key=f"source{scope}", scope=scope, record=made, save=False)
    show("translate.target", params, key=f"target{scope}", scope=scope, record=made, save=False)


def machine(*, second: bool) -> None:
    """Who attends to whom in one machine, and its next word."""
    if (asked := column(second=second)) is None:
        return
    scope, params, made = asked
    if made.head is None:
        say("info", str(no_alignment(made)), icon=":material/grid_off:")
    else:
        run = record_of("attention.weights", params)
        show("attention.weights", params, key=f"weights{scope}", scope=scope, record=run)
        which_attention(run, scope=scope)
        which_head(run, scope=scope)
        if not second:
            small_print(
                _("Each row is the step that has read this target token and predicts the next one. "
                  "So it may already attend to the source of the next word. <s> and </s> mark "
                  "where a text starts and ends.")
            )  # fmt: skip
        source(f"{run.attention.prefix(run.layer)}.weights", params.model)
    show("translate.next", params, key=f"next{scope}", scope=scope, record=made)
    source(made.blueprint.head.site, params.model)
    facts(
        n_tokens(len(made.source.units)) + " → " + n_tokens(len(made.target.units)),
        ran_in(made.trace.seconds),
    )


def experiments() -> None:
    """Clicks that show something."""
    try_this((*TRANSLATE, *WRITING))


# --- further below -----------------------------------------------------------------------


def both_sides() -> None:
    """That source and target are cut into tokens, and a question about it."""
    params = column_of(AtHead, second=False, scope="")
    assert params is not None
    made = record_of("translate.target", across(params))
    st.markdown("## " + _("Tokens on both sides"))
    st.markdown(
        _("A tokenizer works on both sides. It cuts the source before the "
          "encoder reads it. For training it cuts the target, too. So the decoder chooses one "
          "entry of the vocabulary at each step, and the tokens it has chosen are joined to a text "
          "at the end.")
    )  # fmt: skip
    source, target = (
        sum(not one.special for one in side.units) for side in (made.source, made.target)
    )
    entries = made.trace[made.blueprint.head.site].shape[-1]
    player.asked("translate", {"n": source, "written": target, "entries": entries})


def all_heads() -> None:
    """Every head of the machines that have several."""
    several = [
        (across(params), scope)
        for params, scope in sides(OfAllHeads)
        if any(one.n_heads or one.n_layers > 1 for one in zoo.blueprint(params.model).attentions)
    ]
    if not several:
        return
    st.markdown("## " + _("All heads, for each kind of attention"))
    st.markdown(
        _("Encoder and decoder of a Transformer attend to themselves, too: the encoder to the "
          "whole source, the decoder never ahead. In every layer the decoder then attends to the "
          "encoder's output: there, rows are target tokens and columns source tokens. All three "
          "are the same computation.")
    )  # fmt: skip
    for column, (params, scope) in zip(st.columns(len(several)), several, strict=True):
        with column:
            st.markdown(f"**{name_of(params.model)}**")
            show("attention.heads", params, key=f"heads{scope}", scope=scope)


def states() -> None:
    """The states and gates of the machines that read one token after the other."""
    recurrent = [
        (params, scope)
        for params, scope in sides(AtState, STATES)
        if zoo.blueprint(params.model).recurrences
    ]
    if not recurrent:
        return
    st.markdown("## " + _("The state of a recurrent network, step by step"))
    st.markdown(
        _("A recurrent network carries one vector from token to token, its hidden state. At each "
          "step its gates decide, unit by unit, how much of the old state stays and how much of "
          "something new is let in. All that it has read must fit into this vector.")
    )  # fmt: skip
    columns = st.columns(len(recurrent), gap="large")
    for column, (params, scope) in zip(columns, recurrent, strict=True):
        with column:
            state_of(params, scope)


def state_of(params: AtState, scope: str) -> None:
    """The state of one machine: which of its layers, how much each step keeps, and all numbers."""
    st.markdown(f"**{name_of(params.model)}**")
    record = record_of("recurrent.states", params)
    blueprint = record.trace.blueprint
    own = replace(params, recurrence=record.recurrence.name, direction=record.direction)
    if len(blueprint.recurrences) > 1:
        controls.part("recurrence", own, blueprint, scope=scope)
    if len(record.recurrence.directions) > 1:
        controls.part("direction", own, blueprint, scope=scope)
    if record.recurrence.n_layers > 1:
        controls.choice("layer", own, range(record.recurrence.n_layers), scope=scope)
    show("recurrent.kept", params, key=f"kept{scope}", scope=scope, record=record, save=False)
    show("recurrent.states", params, key=f"states{scope}", scope=scope, record=record)


def names() -> None:
    """What the names on the page mean."""
    params = column_of(AtHead, second=False, scope="")
    assert params is not None
    made = record_of("translate.target", across(params))
    blueprint = made.blueprint
    sites = [f"{one.prefix(0)}.{site}" for one in blueprint.attentions[-1:]
             for site in ("scores", "weights", "z", "out")]  # fmt: skip
    sites += [name for one in blueprint.recurrences[-1:] for name in made.trace.catalogue
              if name.startswith(one.prefix)]  # fmt: skip
    definitions([*sites, blueprint.head.site], params, made.trace.lengths)


part("stage", stage)
left, right = st.columns(2, gap="medium")
with left:
    part("strips", partial(strips, second=False))
with right, controls.lower_on_a_phone("strips-beside", 2):
    part("strips-beside", partial(strips, second=True))
with controls.lower_on_a_phone("asked"):
    part("asked", asked)
left, right = st.columns(2, gap="medium")
with left:
    part("first", partial(machine, second=False))
with right, controls.lower_on_a_phone("second", 2):
    part("second", partial(machine, second=True))
with controls.lower_on_a_phone("rest", 3), st.container(key="below-stage"):
    part("experiments", experiments)
    later("steps", translating.steps)
    later("both-sides", both_sides)
    later("forcing", translating.forcing)
    later("alignment", translating.alignment)
    later("search", translating.search)
    later("second-target", translating.second_target)
    later("all-heads", all_heads)
    later("states", states)
    later("names", names)
