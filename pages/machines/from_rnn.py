"""From RNN to Transformer: five machines, each a step from the one before, on one sentence."""

from collections.abc import Sequence

import streamlit as st

from core import zoo
from core.answers.partners import with_partners
from core.language import _, name_of
from core.locale import in_short
from core.models.needs import Needs
from core.shelf.abilities import can
from core.views.stops import CALLED, CHANGES, Walking, new_at, stop_of
from pages.parts import state
from pages.parts.messages import explain
from pages.parts.page import heading, open_page, pair, params_of
from pages.parts.runs import device, shared_runs
from pages.shell.figure import definitions, figure, in_scope, prose
from pages.shell.offers import experiments

SCORES = "s"  # the scope of what follows a token of the target: above, it may be one of the source


def walking() -> Walking:
    """The machines of the shelf, one a stop, the page's own among them."""
    params = params_of(Walking)
    return with_partners(params, params.model)


def stage() -> None:
    """A stop: what is new there, and what all machines make of the sentence."""
    params = open_page(Walking)
    state.note(params.lacking([name for name in zoo.shelf() if can(name, Needs("translate"))]))
    heading()
    prose("stops.sentence", controls=("model",), says=("changes", "problem"))
    new, everybody = pair()
    with new:
        what_is_new(params.model)
    with everybody:
        prose("stops.sentence", notes=("more",))
        figure("stops.sentence", below=("reference",), says=("reading",), height=330)
        trained(walking().machines)


def what_is_new(model: str) -> None:
    """What a machine has that the one before it has not, and a figure of it."""
    blueprint = zoo.blueprint(model)
    stop = stop_of(blueprint)
    if stop is None:
        return
    title = (_("Step {n}: {what}") if stop else _("The start: {what}")).format(
        n=stop, what=_(CALLED[stop])
    )
    words = f"**{title}**\n\n{_(CHANGES[stop])}"
    if new_at(blueprint) is None:
        states = {"model": model, "recurrence": blueprint.recurrences[0].name}
        figure("recurrent.kept", fixed=states)
        figure("recurrent.gradient", fixed=states)
    elif state.lecture():
        drawn, text_column = st.columns(2, gap="large")
        with drawn:
            figure("stops.new", height=430)
        with text_column:
            prose("stops.new", controls=("layer", "head"), says=("source",))
            st.markdown(words)
        return
    else:
        figure("stops.new", below=("layer", "head"), says=("source",), height=430)
    st.markdown(words)


def trained(machines: Sequence[str]) -> None:
    """That the machines differ in more than their steps."""
    texts = []
    for name in machines:
        model = shared_runs().model(name, device())
        read = sum(run["tokens"] for run in model.metrics.get("runs", []))
        texts.append(
            _("{model}: {parameters} parameters, {read}").format(
                model=name_of(name),
                parameters=in_short(model.n_parameters),
                read=_("{read} tokens read").format(read=in_short(read)),
            )
        )
    text = _(
        "They differ in more than the step, so not all of the difference comes from it. {list}."
    )
    explain(text.format(list="; ".join(texts)))


def scores() -> None:
    """Additive attention beside dot products."""
    st.markdown("## " + _("Additive or dot product?"))
    st.markdown(
        _("The first attention compared a query $q$ with a key $k$ by a small network: "
          "$v^\\top \\tanh(W q + U k)$. The Transformer takes their dot product, "
          "$q^\\top k / \\sqrt{d}$. A dot product of all queries with all keys is one product of "
          "two matrices, the fastest thing that such hardware does; the small network needs a "
          "$\\tanh$ for every pair and every unit.")
    )  # fmt: skip
    attends, machines = Needs("translate", ("attention",)), walking().machines
    able = next((machine for machine in machines if can(machine, attends)), None)
    if able is None:
        return
    with in_scope(SCORES):
        figure("stops.target", save=False, fixed={"model": able})
        figure("stops.scores", fixed={"model": able, "stops": " ".join(machines)})


def lengths() -> None:
    """Long sentences."""
    st.markdown("## " + _("What becomes of long sentences?"))
    st.markdown(
        _("A vector of fixed size must hold a sentence of any length. So a machine with a fixed "
          "state should lose most on long sources. A bar is the 95 % interval: where two of them "
          "do not meet, the sentences settle which machine is better. Where two overlap, the bars "
          "alone do not say: all machines translate the same sentences, so their differences are "
          "surer than their scores.")
    )  # fmt: skip
    params = walking()
    fixed = {"model": params.model, "stops": params.stops}
    figure("stops.lengths", says=("reading",), notes=("more",), height=430, fixed=fixed)


def pace() -> None:
    """One after the other, or all at once."""
    st.markdown("## " + _("One after the other, or all at once?"))
    st.markdown(
        _("A recurrent layer needs the state before to make the next one: as many steps as tokens. "
          "A layer of attention makes all positions in one step, so only its layers wait for each "
          "other. In training the whole target is known, and the decoder gains as well. Measured "
          "now, on the computer that runs this page.")
    )  # fmt: skip
    figure("stops.pace", says=("reading", "source"), height=520)


def names() -> None:
    """What the names on the page mean."""
    params = params_of(Walking)
    blueprint = zoo.blueprint(params.model)
    sites = [f"{attention.prefix(0)}.{site}" for attention in blueprint.attentions
             for site in ("scores", "weights")]  # fmt: skip
    sites += [f"{part.prefix}.0.{part.directions[0]}.h" for part in blueprint.recurrences]
    definitions("stops.target", [*sites, blueprint.head.site], params.model)


stage()
with st.container(key="below-stage"):
    experiments("stops")
    scores()
    lengths()
    pace()
    names()
