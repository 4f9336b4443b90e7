"""What is said where a model knows little: a weak guess, another language."""

from __future__ import annotations

from core.data.introductions import has_read
from core.figures.text import Sentence, sentence
from core.language import N_, _, name_of
from core.text.tongue import not_english, tongue

WEAK = 0.08
LINE_BREAK = "⏎"


def no_idea(model: object, share: float) -> Sentence | None:
    """That a model has no idea what comes, and why; None where its best guess is no weak one.

    Args:
        model: its id.
        share: of its best guess.
    """
    if share >= WEAK:
        return None
    read = has_read(model)
    text = _("The model is unsure: even its best guess gets little. Many words fit here, or it "
             "has read little like this.")  # fmt: skip
    if read:
        text = _("The model is unsure: even its best guess gets little. Many words fit here, or it "
                 "has read little like this: {model} has read {what}.")  # fmt: skip
    return sentence(text, what=read, model=name_of(model) if isinstance(model, str) else "")


def line_break(word: str) -> Sentence | None:
    """What it means that a line break is most likely, as after a question; None for a word."""
    if word != LINE_BREAK:
        return None
    return sentence(
        _("“⏎” is a line break: the model ends the line here. It continues texts as it has read "
          "them, and answers no questions.")
    )  # fmt: skip


def english_only(called: str, text: str) -> str:
    """That a model has read English only; empty where the text may be English.

    Args:
        called: what it is called.
        text: hers.
    """
    if not not_english(text):
        return ""
    template = _(
        "{model} has read English only, and your text looks like another language: its "
        "answers mean little here. Type an English sentence above."
    )
    return template.format(model=called)


OTHER = "other"  # a language that is none of ours
# By the language that a model reads, and that of the text.
ANOTHER = {
    ("fr", "en"): N_("{model} has learned to read French, and your text looks English: what it "
                     "writes of it means little. Type a French sentence above, or take ours."),
    ("en", "fr"): N_("{model} has learned to read English, and your text looks French: what it "
                     "writes of it means little. Type an English sentence above, or take ours."),
    ("fr", OTHER): N_("{model} has learned to read French, and your text looks like another "
                      "language: what it writes of it means little. Type a French sentence above, "
                      "or take ours."),
}  # fmt: skip


def another_language(called: str, reads: str, text: str) -> str:
    """That a text is in another language than a model reads; empty where it may be in that one.

    Args:
        called: what the model is called.
        reads: the language that it reads, "en" or "fr".
        text: hers.
    """
    written = tongue(text) or (OTHER if not_english(text) else "")
    template = ANOTHER.get((reads, written), "")
    return _(template).format(model=called) if template else ""
