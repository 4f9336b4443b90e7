"""Translate: one sentence through two machines, side by side, and who attends to whom in each."""

import streamlit as st

from core import views, zoo
from core.answers.partners import made_otherwise, translators
from core.language import _, name_of
from core.shelf.abilities import can
from core.views.attention.heads import AtHeads
from core.views.params import OnText
from core.views.translate.translation import no_alignment
from pages.parts import state
from pages.parts.messages import say, small_print
from pages.parts.page import heading, lower_on_a_phone, model_here, open_page
from pages.parts.runs import device, shared_runs
from pages.shell import player
from pages.shell.figure import Field, definitions, figure, in_scope, prose
from pages.shell.offers import experiments, presets

BESIDE = "b"  # the scope of the second machine's figures
STATES = "s"  # what the scope of a machine's states ends with
NONE = "none"  # in place of a second machine


def other_machines() -> list[str]:
    """The machines that translate, but the page's own."""
    return [name for name in translators() if name != model_here()]


def second() -> str:
    """The machine in the second column; empty for none.

    Until one is chosen, one that is made otherwise: of other layers, and with attention.
    """
    model = state.read(OnText, BESIDE).model
    if model == NONE or not other_machines():
        return ""
    chosen = model in other_machines() and state.chosen(state.in_scope("model", BESIDE))
    return model if chosen else made_otherwise(model_here(), other_machines())


def machines() -> dict[str, str]:
    """The page's own, and the one beside it: scope -> model."""
    both = {"": model_here(), BESIDE: second()}
    return {scope: model for scope, model in both.items() if model}


def settings_of(scope: str, model: str) -> dict[str, str]:
    """What a figure of a machine is asked with: the one beside the page's own is named."""
    return {"model": model} if scope else {}


def stage() -> None:
    """What the page is about."""
    open_page(AtHeads)
    heading()


def choose_machine() -> None:
    """Which machines are shown, and a target that both read."""
    machines, target = st.columns([8, 3], gap="medium")
    with machines:
        offered = {name_of(name): {"model": name} for name in translators()}
        presets(offered, "model", chosen=name_of(model_here()), label=_("Model"))
        if other_machines():
            called = {name: name_of(name) for name in other_machines()} | {NONE: _("nothing")}
            name = state.in_scope("model", BESIDE)
            offered = {words: {name: name_} for name_, words in called.items()}
            presets(offered, "beside", chosen=called[second() or NONE], label=_("Beside it"))
    with target:
        empty = _("Empty: each model writes its own")
        prose("translate.target", controls=(Field("target", placeholder=empty),))


# --- a machine ---------------------------------------------------------------------------


def strips(scope: str) -> None:
    """Source and target as one machine sees them."""
    if model := machines().get(scope):
        fixed = settings_of(scope, model)
        if not scope:
            prose("translate.source", says=("changes",))
        with in_scope(scope):
            prose("translate.target", notes=("more",), fixed=fixed)
            figure("translate.source", save=False, height=110, fixed=fixed)
            figure("translate.target", save=False, height=160, fixed=fixed)


def machine(scope: str) -> None:
    """Who attends to whom in one machine, and its next word."""
    model = machines().get(scope)
    if not model:
        return
    blueprint, fixed = zoo.blueprint(model), settings_of(scope, model)
    if state.lecture():  # its figures stand on scenes of their own
        st.markdown(f"### {name_of(model)}")
    with in_scope(scope):
        if blueprint.across() is None:
            say("info", str(no_alignment(blueprint)), icon=":material/grid_off:")
        else:
            figure(
                "translate.weights", below=("attention", "layer", "head"), says=("source",),
                height=450, fixed=fixed,
            )  # fmt: skip
            if not scope:
                small_print(
                    _("Each row is one step of the decoder. It is named after the word that the "
                      "decoder has just read. The step predicts the word after it, so it often "
                      "attends to the French for that next word. <s> and </s> mark where a text "
                      "starts and ends.")
                )  # fmt: skip
        figure("translate.next", says=("facts", "source"), height=260, fixed=fixed)


# --- further below -----------------------------------------------------------------------


def steps() -> None:
    """p(next | source, so far), one step after the other."""
    st.markdown("## " + _("Step by step: p(next | source, so far)"))
    st.markdown(
        _("The probability of a translation is a product. Each step gives one factor: the "
          "probability of the next token, given the whole source and the target so far. Logarithms "
          "turn the product into a sum.")
    )  # fmt: skip
    prose("translate.chain", says=("steps",))
    so_far, following = st.columns([3, 2], gap="large")
    with so_far:
        figure("translate.chain", height=120)
    with following:  # what an experiment led to is said above
        once_more = {"model": model_here(), "experiment": ""}
        figure("translate.next", save=False, height=230, fixed=once_more)


def both_sides() -> None:
    """That source and target are cut into tokens, and a question about it."""
    st.markdown("## " + _("Tokens on both sides"))
    st.markdown(
        _("A tokenizer works on both sides. It cuts the source before the "
          "encoder reads it. For training it cuts the target, too. So the decoder chooses one "
          "entry of the vocabulary at each step, and the tokens it has chosen are joined to a text "
          "at the end.")
    )  # fmt: skip
    prose("translate.target", notes=("question",))
    entries = shared_runs().model(model_here(), device()).sizes["V"]
    player.question("translate", {"entries": entries})


def forcing() -> None:
    """What the decoder reads in training, and what it reads when it is left to itself."""
    st.markdown("## " + _("Teacher forcing and free running"))
    st.markdown(
        _("In training the decoder reads the reference, shifted right by one place, whatever it "
          "would have written itself. So all positions are trained in one run. When it translates, "
          "there is no reference: each token that it writes is read by the next step.")
    )  # fmt: skip
    figure("translate.taught", controls=("reference",), height=190)
    figure("translate.free", height=120)
    figure("translate.losses", height=350)


def alignment() -> None:
    """Which row of the attention says where a word comes from."""
    st.markdown("## " + _("Word alignment: read the row before"))
    if not can(model_here(), views.get("translate.alignment").needs):
        text = _("Nothing in {model} attends to the source, so there is no alignment to read.")
        say("info", text.format(model=name_of(model_here())), icon=":material/grid_off:")
        return
    st.markdown(
        _("A step reads a token and writes the next one. So the attention that helps to write a "
          "word stands in the row before it, where that word is not read yet. The word's own row "
          "belongs to the step that writes the word after it. The third sheet is a check without "
          "attention weights: hide one token of the source from the decoder, and measure what each "
          "written token loses.")
    )  # fmt: skip
    weights, words = st.columns([3, 2], gap="large")
    with weights:
        figure("translate.alignment", says=("source",), height=460)
    with words:
        prose(
            "translate.alignment", controls=("cross_layer",), says=("reading",), follows=("token",)
        )


def search() -> None:
    """A search for a translation as a tree that can be walked by hand."""
    st.markdown("## " + _("Which translation? A tree of choices"))
    st.markdown(
        _("After each token the model offers its whole vocabulary. Greedy decoding takes the best "
          "token, sampling draws one, and beam search keeps the best few beginnings. What a search "
          "considered and pruned is grey. Click any token to see what could have followed it.")
    )  # fmt: skip
    numbers = {"beams": 1, "alpha": 0.2, "temperature": 0.1, "seed": 1, "candidates": 1,
               "length": 1}  # fmt: skip
    figure(
        "translate.tree",
        controls=("method", *(Field(name, "number", step=by) for name, by in numbers.items())),
        below=("walk",), says=("reading", "source"), notes=("info",), height=640,
    )  # fmt: skip


def second_target() -> None:
    """What the encoder computed for one target is kept for the next."""
    st.markdown("## " + _("Read once: a second target of the same source"))
    st.markdown(
        _("The encoder does not know the decoder. Its output, and the keys and values that the "
          "decoder makes of it, depend on the source alone. For another target they are taken as "
          "they are: with M source tokens, N target tokens and vectors of width k, attention "
          "costs O(MNk + N²k) and not O(M²k + MNk + N²k).")
    )  # fmt: skip
    figure("translate.second", controls=("again",), says=("reading",), notes=("more",), height=420)


def all_heads() -> None:
    """Every head of the machines that have several."""
    several = {
        scope: model
        for scope, model in machines().items()
        if any(part.n_heads or part.n_layers > 1 for part in zoo.blueprint(model).attentions)
    }
    if not several:
        return
    st.markdown("## " + _("All heads, for each kind of attention"))
    st.markdown(
        _("The encoder and the decoder of a Transformer also attend to their own tokens: the "
          "encoder to the whole source, the decoder never to later tokens. In every layer the "
          "decoder then attends to the encoder's output. There, rows are target tokens and "
          "columns are source tokens. All three are the same computation.")
    )  # fmt: skip
    for column, (scope, model) in zip(st.columns(len(several)), several.items(), strict=True):
        with column, in_scope(scope):
            st.markdown(f"**{name_of(model)}**")
            figure("translate.heads", height=520, fixed=settings_of(scope, model))


def states() -> None:
    """The states and gates of the machines that read one token after the other."""
    recurrent = {
        scope: model for scope, model in machines().items() if zoo.blueprint(model).recurrences
    }
    if not recurrent:
        return
    st.markdown("## " + _("The state of a recurrent network, step by step"))
    st.markdown(
        _("A recurrent network carries one vector from token to token, its hidden state. At each "
          "step its gates decide, unit by unit, how much of the old state stays and how much of "
          "something new is let in. All that it has read must fit into this vector.")
    )  # fmt: skip
    columns = st.columns(len(recurrent), gap="large")
    for column, (scope, model) in zip(columns, recurrent.items(), strict=True):
        with column, in_scope(scope + STATES):
            st.markdown(f"**{name_of(model)}**")
            fixed, which = {"model": model}, ("recurrence", "direction", "layer")
            figure("recurrent.kept", controls=which, save=False, height=150, fixed=fixed)
            figure("recurrent.states", height=320, fixed=fixed)


def names() -> None:
    """What the names on the page mean."""
    model = model_here()
    blueprint, catalogue = zoo.blueprint(model), shared_runs().model(model, device()).catalogue
    sites = [f"{attention.prefix(0)}.{site}" for attention in blueprint.attentions[-1:]
             for site in ("scores", "weights", "z", "out")]  # fmt: skip
    sites += [name for recurrence in blueprint.recurrences[-1:] for name in catalogue
              if name.startswith(recurrence.prefix)]  # fmt: skip
    definitions("translate.target", [*sites, blueprint.head.site], model)


stage()
left, right = st.columns(2, gap="medium")
with left:
    strips("")
with right, lower_on_a_phone("strips-beside", 2):
    strips(BESIDE)
if not state.lecture():  # who lectures has chosen before
    with lower_on_a_phone("asked"):
        choose_machine()
left, right = st.columns(2, gap="medium")
with left:
    machine("")
with right, lower_on_a_phone("second", 2):
    machine(BESIDE)
with lower_on_a_phone("rest", 3), st.container(key="below-stage"):
    experiments("translate", "writing")
    steps()
    both_sides()
    forcing()
    alignment()
    search()
    second_target()
    all_heads()
    states()
    names()
