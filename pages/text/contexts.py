"""Words in context: what a word's vector knows of the sentence it stands in."""

import streamlit as st

from core import zoo
from core.data.senses import SENSES, in_groups
from core.language import _, name_of
from core.shelf.abilities import can
from core.views.contexts import EACH, NEEDS, WORD
from pages.parts import state
from pages.parts.messages import small_print
from pages.parts.page import heading, lower_on_a_phone, model_here, pair, say_which_model
from pages.shell.figure import Field, definitions, figure, prose
from pages.shell.offers import presets
from pages.shell.sections import Section, sections


def stage() -> None:
    """The word, the sentences, and how alike its vectors are in one layer."""
    say_which_model()
    heading()
    write, look = pair((2, 3))  # on a wall sentences have its whole width
    with write, lower_on_a_phone("write"):
        of_which_model()
        presets({word: word_values(word) for word in SENSES}, "words")
        if not state.lecture():  # nobody types at a wall
            written()
    with look:
        figure("contexts.distances", says=("reading", "facts"), notes=("info", "more"),
               below=("layer",), height=420)  # fmt: skip


def written() -> None:
    """Words and sentences of one's own."""
    prose("contexts.distances", controls=("sought", Field("sentences", "lines")))
    small_print(
        _("One sentence per line. Leave an empty line before sentences in which the word has "
          "another sense.")
    )  # fmt: skip


def of_which_model() -> None:
    """The machines of the shelf that give each word a vector in its context."""
    model = model_here()
    able = [name for name in zoo.shelf() if can(name, NEEDS)]
    presets(
        {name_of(name): {"model": name} for name in able},
        "models",
        chosen=name_of(model),
        label=_("Model"),
    )
    if not state.chosen("model"):
        sentence = _("This page opens with {model}. Choose another model above.")
        small_print(sentence.format(model=name_of(model)))


def word_values(word: str) -> dict[str, str | None]:
    """One of our words and its sentences."""
    if word == WORD:  # which the page opens on
        return {"sought": None, "sentences": None}
    return {"sought": word, "sentences": in_groups(word, EACH)}


def layers() -> None:
    """The same words as points, and the layer in which the senses part."""
    st.markdown(
        _("For each sentence the nearest other one is looked up. If the vectors know the sense, it "
          "is one of the same group. A static vector is the same everywhere, so all others are "
          "equally near, and it is right by chance.")
    )  # fmt: skip
    shown = ("contexts.plane", "contexts.layers", "contexts.cosines")
    for column, view in zip(st.columns(len(shown), gap="medium"), shown, strict=True):
        with column:
            figure(view, says=("reading",), height=380)


def names() -> None:
    """What the names on the page mean."""
    model = model_here()
    definitions("contexts.distances", list(zoo.blueprint(model).sites("@layers")), model)


sections(
    [
        Section(_("The vectors of a word, compared"), "stage", stage, headed=False,
                tries=("contexts",)),
        Section(_("In which layer do the senses part?"), "layers", layers),
    ],
    names=names,
)  # fmt: skip
