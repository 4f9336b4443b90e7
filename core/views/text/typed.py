"""What is said of a text that was typed, and what a click does about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.figures.text import Mark, Sentence, percent, sentence
from core.language import _, name_of, ngettext
from core.locale import grouped, in_quotes, listed
from core.runs.kinds.remarks import Remark, Remarks
from core.spelling import put_together, visible
from core.text.marks import MASK

NAMED, SHOWN = 6, 24  # of the pieces that a remark is about, and characters of each


@dataclass(frozen=True, slots=True)
class TextRemark:
    """A remark in words.

    Attributes:
        text: what there is to know.
        mend: what a click does about it; empty where nothing can be mended.
        mended: the text after that click.
    """

    text: Sentence
    mend: str = ""
    mended: str = ""


def remarks_on(typed: Remarks, model: str) -> list[TextRemark]:
    """The remarks on a text, for one of the model's name."""
    return [_as_remark(remark, name_of(model)) for remark in typed.remarks]


def came_apart(text: str) -> str:
    """At a strip of tokens: which letters were typed as several characters; empty of none."""
    letters = put_together(text)
    template = ngettext(
        "{list} was typed as several characters. They become one letter before the text is cut.",
        "{list} were typed as several characters each. They become one letter each before the text "
        "is cut.",
        len(letters),
    )  # fmt: skip
    return template.format(list=_pieces(letters)) if letters else ""


def _as_remark(remark: Remark, model: str) -> TextRemark:
    mends = {
        "hides": _("Write {mark}").format(mark=MASK),
        "blank": _("Remove the space"),
        "cut": _("Keep what is read"),
    }
    mend = mends.get(remark.kind, "") if remark.mended else ""
    return TextRemark(_words(remark, model), mend, remark.mended if mend else "")


def _words(remark: Remark, model: str) -> Sentence:
    """The sentence that belongs to a remark."""
    values: dict[str, Mark | str] = {
        "model": model,
        "list": Mark(_pieces(remark.found), "query"),
        "n": grouped(remark.n),
    }
    if remark.kind == "hides":
        return _hides(remark, values)
    if remark.kind == "blank":
        return _blank(remark, values)
    if remark.kind == "mistaken":
        translated, meant = remark.found
        return sentence(
            _("{model} gets this phrase wrong: “{said}”. It means “{right}”."),
            **values, said=Mark(translated, "strong"), right=Mark(meant, "accent"),
        )  # fmt: skip
    cut = grouped(len(remark.found[0])) if remark.kind == "cut" else ""
    return sentence(_template(remark), **values, cut=cut)


def _template(remark: Remark) -> str:
    """The same with its holes, where it has no words of its own."""
    unknown = _("{model} has no entry for {list}: it reads “unknown”.")
    in_bytes = ngettext(
        "{model} has no entry for {list}: it reads the bytes, {n} token.",
        "{model} has no entry for {list}: it reads the bytes, {n} tokens.", remark.n,
    )  # fmt: skip
    no_word = _("Nothing was read: there is no word. {model} answers all the same.")
    no_entry = _("Nothing was read: {model} has no entry for {list}. It answers all the same.")
    return {
        "nothing": no_entry if remark.found else no_word,
        "unread": in_bytes if remark.n else unknown,
        "gap": ngettext("{model} fills in no gaps: to it {list} is text, {n} token.",
                        "{model} fills in no gaps: to it {list} is text, {n} tokens.", remark.n),
        "named": ngettext("You typed the name of a mark, {list}. Here it is text, {n} token.",
                          "You typed the name of a mark, {list}. Here it is text, {n} tokens.",
                          remark.n),
        "cut": _("{model} has room for {n} tokens: the last {cut} characters are not read."),
        "composed": _("Letters and their accents came apart, as in names of files and in PDFs. "
                      "They were put together: {list}."),
    }[remark.kind]  # fmt: skip


def _hides(remark: Remark, values: dict[str, Mark | str]) -> Sentence:
    """Of a word that is to be hidden: by which mark it is, and what the model makes of that."""
    *others, mark = remark.found
    values |= {"list": Mark(_pieces(others), "query"), "own": Mark(mark, "accent"),
               "mark": Mark(MASK, "accent")}  # fmt: skip
    text = _("{list} hides no word: here it is text. Did you mean {mark}?")
    if mark != MASK:
        text = _("{list} hides no word: here it is text. Did you mean {mark}? {model} reads its "
                 "own mark there, {own}.")  # fmt: skip
    return sentence(text, **values)


def _blank(remark: Remark, values: dict[str, Mark | str]) -> Sentence:
    """Of a blank at the end: what is expected after it, and without it."""
    if remark.guesses is None:
        return sentence(_("Your text ends with a space. To {model} it is a token of its own."),
                        **values)  # fmt: skip
    now, without = remark.guesses
    return sentence(
        _("Your text ends with a space, but {model} writes the space at the beginning of a word. "
          "So “{now}” is most likely, with {share}. Without the space it is “{then}”, with "
          "{other}."),
        **values,
        now=Mark(now.word, "strong"), share=Mark(percent(now.share), "accent"),
        then=Mark(without.word, "strong"), other=Mark(percent(without.share), "accent"),
    )  # fmt: skip


def _pieces(texts: Sequence[str]) -> str:
    """The pieces of a text that a remark is about, in quotes."""
    short = [text if len(text) <= SHOWN else f"{text[:SHOWN]}…" for text in texts[:NAMED]]
    named = listed(in_quotes(visible(text)) for text in short)
    more = len(texts) - NAMED
    return named + (_(" and {n} more").format(n=grouped(more)) if more > 0 else "")
