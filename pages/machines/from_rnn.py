"""From RNN to Transformer: five machines, each a step from the one before, on one sentence."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core import zoo
from core.experiments import STOPS
from core.language import _, name_of
from core.locale import in_short
from core.models.needs import Needs
from core.views.attention.head import AtHead
from core.views.params import OnText
from core.views.recurrent.run import AtState
from core.views.stops.walk import CALLED, CHANGES, Walking, new_at, stop_of
from pages.parts import controls, state
from pages.parts.attention import which_head
from pages.parts.figure import reading, record_of, show, show_notes
from pages.parts.fragments import later, part
from pages.parts.page import (
    definitions,
    heading,
    open_page,
    params_of,
    source,
    source_of,
    try_this,
)
from pages.parts.partners import with_partners
from pages.parts.runs import can, device, shared_runs
from pages.parts.translators import listed_texts, reference

SCORES = "s"  # the scope of what follows a token of the target: above, it may be one of the source
PACE = "core/runs/answers/pace.py"


def walking(params: Walking) -> Walking:
    """The parameters with the machines of the shelf, one a stop, the page's own among them."""
    return with_partners(params, params.model)


def stage() -> None:
    """A stop: what is new there, and what all machines make of the sentence."""
    asked = open_page(Walking)
    state.note(asked.lacking([one for one in zoo.shelf() if can(one, Needs("translate"))]))
    params = walking(asked)
    heading(
        _("How did the RNN become the Transformer?"),
        claim=_("Five machines translate one sentence. Each differs from the one before it by a "
                "single step. First [[cross-attention]] is added, then self-attention in the "
                "[[decoder]]. Then layers of attention take the place of the [[RNN]]s, with a "
                "causal mask in the [[encoder]]. In the last step that mask is removed. They also "
                "differ in size and in how much they read, which is listed below the figure."),
        terms=("hidden-state", "attention", "causal-mask", "additive-attention",
               "nat", "bleu", "bootstrap", "softmax"),
        reads=params,
    )  # fmt: skip
    controls.choice("model", params, params.machines, name_of)
    new, everybody = st.columns(2, gap="large")
    with new:
        what_is_new(params)
    with everybody:
        record = record_of("stops.sentence", params)
        read = {one.model: tokens_read(one.model) for one in record.machines}
        listed_texts({one.model: one.text for one in record.machines}, read=read)
        show("stops.sentence", params, record=record)
        reading("stops.sentence", record)
        reference(params)
        trained(record.params.machines)


def what_is_new(params: Walking) -> None:
    """What a machine has that the one before it has not, and a figure of it."""
    blueprint = zoo.blueprint(params.model)
    stop = stop_of(blueprint)
    if stop is None:
        return
    title = (_("Step {n}: {what}") if stop else _("The start: {what}")).format(
        n=stop, what=_(CALLED[stop])
    )
    said = f"**{title}**\n\n{_(CHANGES[stop])}"
    attention = new_at(blueprint)
    if attention is None:
        states = replace(params_of(AtState), recurrence=blueprint.recurrences[0].name)
        show("recurrent.kept", states)
        show("recurrent.gradient", states)
        st.markdown(said)
        return
    heads = replace(params_of(AtHead), attention=attention.name, target=params.taught)
    run = record_of("attention.weights", heads)
    show("attention.weights", heads, record=run)
    which_head(run)
    st.markdown(said)
    source(f"{attention.prefix(run.layer)}.weights", params.model)


def experiments() -> None:
    """Clicks that move a number."""
    try_this(STOPS)


def scores() -> None:
    """Additive attention beside dot products."""
    params = walking(params_of(Walking, scope=SCORES))
    st.markdown("## " + _("Additive or dot product?"))
    st.markdown(
        _("The first attention compared a query $q$ with a key $k$ by a small network: "
          "$v^\\top \\tanh(W q + U k)$. The Transformer takes their dot product, "
          "$q^\\top k / \\sqrt{d}$. A dot product of all queries with all keys is one product of "
          "two matrices, the fastest thing that such hardware does; the small network needs a "
          "$\\tanh$ for every pair and every unit.")
    )  # fmt: skip
    attends = Needs("translate", ("attention",))
    able = next((one for one in params.machines if can(one, attends)), None)
    if able is None:
        return
    params = replace(params, model=able)
    target = replace(params_of(AtHead, scope=SCORES), target=params.taught, model=able)
    show("translate.target", target, scope=SCORES, save=False)
    show("stops.scores", params, scope=SCORES)


def lengths() -> None:
    """Long sentences."""
    params = walking(params_of(Walking))
    st.markdown("## " + _("What becomes of long sentences?"))
    st.markdown(
        _("A vector of fixed size must hold a sentence of any length. So a machine with a fixed "
          "state should lose most on long sources. A bar is the 95 % interval: where two of them "
          "do not meet, the sentences settle which machine is better. Where two overlap, the bars "
          "alone do not say: all machines translate the same sentences, so their differences are "
          "surer than their scores.")
    )  # fmt: skip
    record = show("stops.lengths", params)
    reading("stops.lengths", record)
    if record is not None:
        show_notes("stops.lengths", record, "more")


def trained(machines: Sequence[str]) -> None:
    """That the machines differ in more than their steps."""
    said = []
    for name in machines:
        model = shared_runs().model(name, device())
        said.append(
            _("{model}: {parameters} parameters, {read}").format(
                model=name_of(name),
                parameters=in_short(model.n_parameters),
                read=tokens_read(name),
            )
        )
    text = _(
        "They differ in more than the step, so not all of the difference comes from it. {list}."
    )
    st.markdown(text.format(list="; ".join(said)))


def tokens_read(name: str) -> str:
    """How much a machine has read in its training."""
    runs = shared_runs().model(name, device()).metrics.get("runs", [])
    return _("{read} tokens read").format(read=in_short(sum(run["tokens"] for run in runs)))


def pace() -> None:
    """One after the other, or all at once."""
    params = walking(params_of(Walking))
    st.markdown("## " + _("One after the other, or all at once?"))
    st.markdown(
        _("A recurrent layer needs the state before to make the next one: as many steps as tokens. "
          "A layer of attention makes all positions in one step, so only its layers wait for each "
          "other. In training the whole target is known, and the decoder gains as well. Measured "
          "now, on the computer that runs this page.")
    )  # fmt: skip
    reading("stops.pace", show("stops.pace", params))
    source_of(PACE, "return sum(tower")


def names() -> None:
    """What the names on the page mean."""
    params = params_of(OnText)
    blueprint = zoo.blueprint(params.model)
    sites = [f"{one.prefix(0)}.{site}" for one in blueprint.attentions
             for site in ("scores", "weights")]  # fmt: skip
    sites += [f"{one.prefix}.0.{one.directions[0]}.h" for one in blueprint.recurrences]
    definitions([*sites, blueprint.head.site], params)


part("stage", stage)
with st.container(key="below-stage"):
    part("experiments", experiments)
    later("scores", scores)
    later("lengths", lengths)
    later("pace", pace)
    later("names", names)
