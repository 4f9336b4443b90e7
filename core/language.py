"""Interface text in the learner's language: gettext, one catalogue a language.

``_`` translates now, ``N_`` marks a constant that ``_`` translates when it is
shown, a ``Phrase`` is such a constant with values put in. The language belongs
to the running task or thread, so one process serves learners of several
languages at once.
"""

from __future__ import annotations

import gettext as _gettext
import io
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from babel.messages import Catalog

DOMAIN = "glassformer"
LOCALE = Path(__file__).resolve().parent.parent / "assets" / "locale"
SOURCE_LANGUAGE = "en"

_language: ContextVar[str] = ContextVar("language", default=SOURCE_LANGUAGE)


def available_languages() -> tuple[str, ...]:
    """The languages with a catalogue, English first."""
    return _languages_in(LOCALE)


@lru_cache(4)
def _languages_in(folder: Path) -> tuple[str, ...]:
    """The same, looked up on the disk once: every question asks whether hers is one of them."""
    codes = sorted(path.parts[-3] for path in folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))
    return (SOURCE_LANGUAGE, *(code for code in codes if code != SOURCE_LANGUAGE))


def spoken(*codes: str) -> str:
    """The first of some languages that has a catalogue; English where none has."""
    ours = available_languages()
    return next((code for code in codes if code in ours), SOURCE_LANGUAGE)


def read_catalogue(code: str) -> Catalog:
    """The messages of a language as its translators edit them."""
    from babel.messages.pofile import read_po

    with (LOCALE / code / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        return read_po(file, locale=code, domain=DOMAIN)


def use_language(code: str) -> None:
    """Set the language of this thread or task; an unknown one falls back to English."""
    _language.set(code)


def language() -> str:
    """The language of this thread or task."""
    return _language.get()


@lru_cache(maxsize=32)
def _catalogue(code: str) -> _gettext.NullTranslations:
    """The messages of a language, from the file that its translators edit; English has none."""
    # A code may be a stranger's: it is compared with the folders, and never becomes a path.
    if code == SOURCE_LANGUAGE or code not in available_languages():
        return _gettext.NullTranslations()
    # Babel takes 30 ms to import: only who needs another language waits for it, once.
    from babel.messages.mofile import write_mo

    compiled = io.BytesIO()
    write_mo(compiled, read_catalogue(code))
    compiled.seek(0)
    return _gettext.GNUTranslations(compiled)


def _(message: str) -> str:
    """The message in the current language."""
    if isinstance(message, Phrase):
        # gettext gives the catalogue's header for an empty message.
        values = {n: _(v) if isinstance(v, str) and v else v for n, v in message.values.items()}
        return _(message.template).format(**values)
    return _catalogue(_language.get()).gettext(message)


def ngettext(singular: str, plural: str, n: int) -> str:
    """The message in the form that ``n`` things take in the current language."""
    return _catalogue(_language.get()).ngettext(singular, plural, n)


def form_of(n: int) -> int:
    """Which of its forms a word has beside ``n`` things in the current language, from 0."""
    # English has no catalogue, nor what its formula is read from.
    return int(getattr(_catalogue(_language.get()), "plural", lambda n: n != 1)(n))


def N_(message: str) -> str:  # noqa: N802 (gettext's own name)
    """Mark a constant for translation; ``_`` translates it where it is shown."""
    return message


class Phrase(str):
    """A marked constant with values put in: ``Phrase(N_("at least {n}"), n=1)``.

    It is the English text. ``_`` says it in the current language, and with it
    each value that is a phrase or a marked constant itself.
    """

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        token = _language.set(SOURCE_LANGUAGE)  # a value may be said differently in each
        try:
            phrase = super().__new__(cls, template.format(**values))
        finally:
            _language.reset(token)
        phrase.template, phrase.values = template, values
        return phrase

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        """What a copy is made of: the finished text is no template."""
        return (self.template,), self.values


# Words that are not all capitals: some abbreviations, and what is none.
_MIXED = {
    "VIT": "ViT", "ELMO": "ELMo", "TRANSFORMER": "Transformer", "ATTENTION": "+ attention",
    "SELF": "+ self-attention", "ENCODER": "Causal", "CAUSAL": "encoder",
    "SENTIMENT": "sentiment",
}  # fmt: skip
IN_WORDS = (N_("Causal encoder"), N_("RNN + self-attention"))  # names that are translated


def name_of(model: str) -> str:
    """A model of the shelf as sentences name it: GPT, RNN + attention, ViT."""
    named = " ".join(_MIXED.get(word, word) for word in model.upper().split("_"))
    return _(named) if named in IN_WORDS else named
