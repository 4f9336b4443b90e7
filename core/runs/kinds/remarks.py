"""What was typed, as a reader of tokens looks at it: blanks, marks, letters, and what is cut."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import torch

from core.data.first_phrases import is_right, meanings_of
from core.encoders import Spelling
from core.inputs import Text
from core.models.abilities import Ability
from core.models.blueprint import ONE_STREAM
from core.predict import translate
from core.runs.request import Context, OfModel, answer
from core.spelling import composed, put_together
from core.text.literal import within
from core.text.marks import HIDES, MASK, NAMED
from core.units import Token
from core.zoo import LoadedModel


@dataclass(frozen=True, slots=True)
class RemarksRequest(OfModel):
    """What somebody who reads tokens should know of a text that was typed for a model.

    Attributes:
        text: as it was typed: its letters may not be composed yet.
    """

    text: str


Kind = Literal["nothing", "hides", "gap", "named", "blank", "cut", "unread", "composed", "mistaken"]


@dataclass(frozen=True, slots=True)
class Guess:
    """What a model expects next most.

    Attributes:
        word: as it stands on a chip, a leading space as a dot.
        share: its probability.
    """

    word: str
    share: float


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about a text that a reader of tokens should know.

    Attributes:
        kind: "nothing" of it is read; it "hides" a word with what is no mark here; a "gap" is
            left for a model that fills none; a mark is "named" in it, as text; a "blank" stands
            at its end; its end is "cut"; letters in it are "unread"; letters were "composed" of
            several characters; its translation is "mistaken".
        found: the pieces of the text that it is about; of what hides also the model's own mark;
            of what is mistaken how the model translates it, and what it means.
        n: tokens: of what is text or unread, or the room of the model that cuts.
        mended: the text without it; empty where nothing can be mended.
        guesses: what is expected after the text, and after the mended one.
    """

    kind: Kind
    found: tuple[str, ...] = ()
    n: int = 0
    mended: str = ""
    guesses: tuple[Guess, Guess] | None = None


@dataclass(frozen=True, slots=True)
class Remarks:
    """All remarks on a text, what matters most first.

    Attributes:
        remarks: them.
    """

    remarks: tuple[Remark, ...]


FILLS: tuple[Ability, ...] = ("masked_words", "fill_spans", "denoise")


BLANKS = " \t\u00a0\u202f"  # not a new line, which stands at the end of a paragraph


@answer.register
def typed(request: RemarksRequest, context: Context) -> Remarks:
    """What there is to remark on a text for a model that reads tokens."""
    return Remarks(tuple(_remarks(request.text, context.model(request.model))))


def _remarks(text: str, model: LoadedModel) -> Iterator[Remark]:
    whole = composed(text)
    read, cut = model.fit(whole)
    tokens = [token for token in model.tokens(read) if token.end > token.start]
    if not whole.strip():
        yield Remark("nothing")
    elif not any(_is_read(token, model) for token in tokens):
        yield Remark("nothing", (read.strip(),))
    else:
        yield from _marks(whole, tokens, model)
        if not cut:
            yield from _blank(whole, model)
        else:
            yield Remark("cut", (cut,), int(model.config.n_ctx), read)
        yield from _unread(read, tokens, model)
        yield from _mistaken(whole, model)
    if letters := put_together(text):
        yield Remark("composed", tuple(letters))


def _mistaken(text: str, model: LoadedModel) -> Iterator[Remark]:
    """A phrase of a first lesson that a translator gets wrong."""
    translates = "translate" in model.abilities or "translate" in model.prefixes
    meanings = meanings_of(text) if translates else ()
    if meanings:
        translation = translate(model, text).text
        if not is_right(translation, meanings):
            yield Remark("mistaken", (translation, meanings[0]))


def _is_read(token: Token, model: LoadedModel) -> bool:
    """Whether a model gets anything of a token's text."""
    if not token.unknown:
        return True
    spelling = model.encoders.spelling
    return spelling is not None and known_in(token.data.decode(errors="replace"), spelling)


def _marks(text: str, tokens: Sequence[Token], model: LoadedModel) -> Iterator[Remark]:
    """What is typed to hide a word, and names of marks."""
    fills = not model.abilities.isdisjoint(FILLS)
    known_marks = [MASK] if model.tokenizer.hiding else []  # it is read as the mark that it is
    gaps = [match for match in HIDES.finditer(text) if match[0] not in known_marks]
    if gaps and fills:
        hiding_mark = model.tokenizer.word(model.tokenizer.hiding[0])
        yield Remark("hides", (*_each(gaps), hiding_mark), mended=HIDES.sub(MASK, text))
    elif gaps:
        yield Remark("gap", _each(gaps), _n_within(gaps, tokens))
    names = [match for match in NAMED.finditer(text) if not HIDES.fullmatch(match[0])]
    if names:
        yield Remark("named", _each(names), _n_within(names, tokens))


def _n_within(found: Sequence[re.Match[str]], tokens: Sequence[Token]) -> int:
    """How many tokens come from some places of a text."""
    places = [item.span() for item in found]
    return sum(within(item.start, item.end, places) for item in tokens)


def _blank(text: str, model: LoadedModel) -> Iterator[Remark]:
    """A blank at the end that is a token, or part of one."""
    without = text.rstrip(BLANKS)
    if without == text or without.endswith("\n") or len(model.tokens(without)) == len(
        model.tokens(text)
    ):  # fmt: skip
        return
    both = (_guess(model, text), _guess(model, without))
    guesses = (both[0], both[1]) if both[0] is not None and both[1] is not None else None
    yield Remark("blank", (text[len(without) :],), mended=without, guesses=guesses)


def _guess(model: LoadedModel, text: str) -> Guess | None:
    """What a model that continues texts expects next; None of another."""
    if "next_token" not in model.abilities:
        return None
    batch = model.prepare(Text(text)).tensors[ONE_STREAM]
    with torch.inference_mode():
        probs = torch.softmax(model.as_scorer("next_token")(batch)[0, -1].float(), dim=-1)
    best = int(probs.argmax())
    return Guess(model.tokenizer.token(best).label, float(probs[best]))


def _unread(text: str, tokens: Sequence[Token], model: LoadedModel) -> Iterator[Remark]:
    """Letters without an entry: of some tokenizers bytes are left, of others nothing."""
    if (spelling := model.encoders.spelling) is not None:
        read = ((part, "".join(model.tokenizer.normalized(part))) for part in text)
        letters = [
            part for part, as_read in read if part.strip() and not known_in(as_read, spelling)
        ]
        if letters:
            yield Remark("unread", _each(letters))
        return
    gaps = [part.span() for part in HIDES.finditer(text)]
    ordinary = [part for part in tokens if not (part.named or within(part.start, part.end, gaps))]
    unknown = [text[part.start : part.end] for part in ordinary if part.unknown]
    if unknown:
        yield Remark("unread", _each(unknown))
    parted = [part for part in ordinary if not (part.unknown or _whole(part))]
    if parted:
        places = dict.fromkeys(
            position for part in parted for position in range(part.start, part.end)
        )
        yield Remark("unread", _each([text[position] for position in places]), len(parted))


def known_in(word: str, spelling: Spelling) -> bool:
    """Whether a model that reads words by their letters knows one of these."""
    return not set(spelling.alphabet).isdisjoint(word)


def _whole(token: Token) -> bool:
    """Whether its bytes are whole characters."""
    try:
        token.data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _each(found: Sequence[re.Match[str]] | Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match if isinstance(match, str) else match[0] for match in found))
