"""Next token: what comes next, how it is chosen, and how a text goes on."""

import streamlit as st

from core import views
from core.analysis.published import GPT_FAMILY, PUBLISHED
from core.language import _
from core.locale import grouped
from core.shelf.abilities import can
from core.views.predict.next import SamplingChoice
from pages.parts.messages import small_print
from pages.parts.page import heading, lower_on_a_phone, open_page, params_of
from pages.parts.runs import shared_runs
from pages.shell.figure import Field, definitions, figure, files, prose
from pages.shell.offers import experiments


def stage() -> None:
    """What comes next, and how a text goes on."""
    open_page(SamplingChoice)
    heading()
    prose("predict.surprisal", says=("changes",))
    chart, settings = st.columns([3, 2], gap="large")
    with chart:
        figure("predict.next", says=("steps", "facts", "source"), height=480)
    with settings, lower_on_a_phone("settings"):  # above them the text that is written
        st.markdown("## " + _("Continue the text"))
        prose(
            "predict.next",
            controls=(
                Field("temperature", step=0.05), "top_k", Field("top_p", step=0.05),
                Field("seed", "number"), Field("new", "number"),
                Field("repetition", "number", step=0.1),
            ),
            notes=("info",),
        )  # fmt: skip
        small_print(
            _("Here each token is drawn at random. The home page draws nothing: it shows the "
              "model's own probabilities, as at temperature 1, and takes the most likely token.")
        )  # fmt: skip
        files("predict.surprisal")
    figure("predict.surprisal", save=False, height=70)


def layers() -> None:
    """The prediction at the selected place, layer by layer."""
    if can(params_of(SamplingChoice).model, views.get("predict.layers").needs):
        figure(
            "predict.layers", says=("reading",), height=260,
            title=_("How the prediction takes shape, layer by layer"),
        )  # fmt: skip


def cache() -> None:
    """What the cache saves, the family, and what the names mean."""
    params = params_of(SamplingChoice)
    blueprint = shared_runs().model(params.model).blueprint
    if blueprint.stacks:
        st.markdown("## " + _("The key-value cache: why a new token is cheap"))
    else:
        st.markdown("## " + _("What is kept: why a new token is cheap"))
    figure("predict.cache", says=("reading",), height=420)
    with st.expander(_("GPT, GPT-2, GPT-3: what changed")):
        st.markdown(
            _("GPT has a LayerNorm after each sum, as the first Transformer did. GPT-2 moved "
              "the norms into the branches and added one at the end. It also starts the "
              "matrices that write into the residual stream smaller the deeper the model is, "
              "by 1/√(2 · layers); the GPT on our shelf does the same. GPT-3 is GPT-2 made "
              "larger, with locally banded sparse attention in every other layer (Brown et "
              "al. 2020, section 2.1). Number of parameters, computed from the published shapes:")
        )  # fmt: skip
        family = [PUBLISHED[name] for name in GPT_FAMILY]
        shapes = [one.machine for one in family]
        st.table(
            {
                _("model"): [one.name for one in family],
                _("layers"): [shape.layers[0].n for shape in shapes],
                _("d_model"): [shape.d_model for shape in shapes],
                _("context"): [shape.n_ctx for shape in shapes],
                _("parameters"): [grouped(round(s.parameters / 1e6)) + " M" for s in shapes],
                _("trained on"): [_(one.data) for one in family],
                _("published in"): [one.source for one in family],
            }
        )
    sites = [blueprint.head.site]
    if blueprint.stacks:
        first = blueprint.main.block(0)
        sites += [f"{first}.resid_post", f"{first}.attn.k", f"{first}.attn.v"]
    definitions("predict.surprisal", sites, params.model)


stage()
with lower_on_a_phone("rest", 2), st.container(key="below-stage"):
    experiments("next_token")
    layers()
    cache()
