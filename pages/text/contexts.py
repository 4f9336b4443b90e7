"""Words in context: what a word's vector knows of the sentence it stands in."""

from dataclasses import replace
from functools import partial

import streamlit as st

from core import zoo
from core.experiments import CONTEXTS
from core.language import _, name_of
from core.senses import SENSES, in_groups
from core.views.contexts.occurrences import NEEDS, layer_names
from core.views.contexts.occurring import EACH, Occurring
from pages.parts import controls, state
from pages.parts.figure import reading, record_of, show, show_notes
from pages.parts.messages import small_print
from pages.parts.page import definitions, heading, model_here, say_which_model, try_this
from pages.parts.runs import can, device, shared_runs
from pages.parts.sections import ContextPart, Section, sections


def asked() -> Occurring:
    """What the link asks for, with a model that can answer."""
    return replace(state.read(Occurring), model=model_here())


def take(word: str) -> None:
    """Put one of our words and its sentences into the fields."""
    if word in SENSES:
        state.update({"sought": word, "sentences": in_groups(word, EACH)})


def stage() -> None:
    """The word, the sentences, and how alike its vectors are in one layer."""
    say_which_model()
    params = asked()
    record = record_of("contexts.distances", params)
    heading(
        _("Does a word mean the same in every sentence?"),
        _("{model} · {n} sentences · every number is from these runs").format(
            model=name_of(params.model), n=record.n
        ),
        claim=_("A table of [[embeddings]] has one [[vector]] for a word, whatever stands around "
                "it. [[ELMo]], BERT and GPT make a new one in every sentence. If a word has two "
                "senses, the vectors of one sense should come closer together than those of two."),
        terms=("embedding", "cosine", "hidden-state", "lstm"),
    )  # fmt: skip
    write, look = st.columns([2, 3], gap="large")
    with write, controls.lower_on_a_phone("write"):
        controls.choice("model", params, able(), name_of)
        if not state.chosen("model"):
            said = _("This page opens with {model}. Choose another model above.")
            small_print(said.format(model=name_of(params.model)))
        with st.container(horizontal=True):
            for word in SENSES:
                st.button(word, key=f"take-{word}", on_click=partial(take, word))
        controls.line("sought", params)
        controls.text_area("sentences", params, height=240, help=_(
            "One sentence per line. Leave an empty line before sentences in which the word has "
            "another sense."
        ))  # fmt: skip
    with look:
        show("contexts.distances", params, record=record)
        reading("contexts.distances", record)
        show_notes("contexts.distances", record, "info")
        names = layer_names(len(record.vectors))
        if len(names) > 1:
            controls.choice("layer", params, range(len(names)), names.__getitem__)
            small_print(
                _("A cosine of 1 means the same direction, 0 a right angle. Static: the word's row "
                  "of the embedding table, the same in every sentence. Input: the vector that the "
                  "first layer is given.")
            )  # fmt: skip


def able() -> list[str]:
    """The machines of the shelf that give each word a vector in its context."""
    return [name for name in zoo.shelf() if can(name, NEEDS)]


def layers() -> None:
    """The same words as points, and the layer in which the senses part."""
    params = asked()
    st.markdown(
        _("For each sentence the nearest other one is looked up. If the vectors know the sense, it "
          "is one of the same group. A static vector is the same everywhere, so all others are "
          "equally near, and it is right by chance.")
    )  # fmt: skip
    shown = ("contexts.plane", "contexts.layers", "contexts.cosines")
    for column, name in zip(st.columns(len(shown), gap="medium"), shown, strict=True):
        with column:
            reading(name, show(name, params))


def experiments() -> None:
    """Clicks that move a number."""
    try_this(CONTEXTS)


def names() -> None:
    """What the names on the page mean."""
    params = asked()
    model = shared_runs().model(params.model, device())
    record = record_of("contexts.distances", params)
    if record.n:
        stream = model.blueprint.streams[0]
        definitions(list(model.blueprint.sites("@layers")), params, {stream: record.n_tokens})


sections(
    ContextPart,
    [
        Section(_("The vectors of a word, compared"), "stage", stage, headed=False,
                tries=experiments),
        Section(_("In which layer do the senses part?"), "layers", layers),
    ],
    names=names,
)  # fmt: skip
