"""The tokenizers that ship with the models, on the ``tokenizers`` library.

What a learner types is literal text: no mark is parsed out of it but ``[MASK]``, to hide a word.
"""

from __future__ import annotations

import hashlib
import string
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path

import tokenizers

from core.errors import CheckpointError, MissingMarkError
from core.language import N_, Phrase
from core.text.characters import BYTE_OF, every_byte, whole_characters
from core.text.families import FAMILIES, Family, ModelFile, model_of, read_backend
from core.text.literal import pieces as pieces_of
from core.text.marks import (
    END_OF_TEXT,
    FILL,
    HOLE,
    MASK,
    N_SENTINELS,
    PAD,
    SENTINEL,
    SPACE,
    UNK,
    UNREAD,
)
from core.units import Token

_IDS = range(2**32)  # that the library can hold


class Tokenizer:
    """A tokenizer file with the few questions the app asks of it.

    Args:
        backend: the library's object; its special tokens are taken from it.
    """

    def __init__(self, backend: tokenizers.Tokenizer) -> None:
        # Special tokens in a learner's text are text: the library must not parse them.
        backend.encode_special_tokens = True
        backend.no_padding()
        backend.no_truncation()
        self._backend = backend
        self.family: Family = FAMILIES.get(type(backend.model), "byte_bpe")
        added = backend.get_added_tokens_decoder()
        self.special_ids = frozenset(i for i, token in added.items() if token.special)
        self._as_text = frozenset(added)  # spelt as they read, whatever the family
        self._before, self._after = self._marks()
        self._entry = lru_cache(maxsize=65_536)(lambda token_id: self._token(token_id, 0, 0))

    def _marks(self) -> tuple[list[Token], list[Token]]:
        """What the file's template puts before and after a text, seen on one."""
        whole = self._backend.encode(string.printable, add_special_tokens=True)
        body = self._backend.encode(string.printable, add_special_tokens=False).ids
        n = [*whole.special_tokens_mask, 0].index(0)
        before, after = (
            [replace(self._token(i, 0, 0), special=True) for i in ids]
            for ids in (whole.ids[:n], whole.ids[n + len(body) :])
        )
        return before, after

    @classmethod
    def from_file(cls, path: Path) -> Tokenizer:
        """Read ``tokenizer.json``.

        Raises:
            CheckpointError: the file is missing or not a tokenizer of a family we know.
        """
        backend = read_backend(path)
        try:
            tokenizer = cls(backend)
            text = every_byte()
            before, after = (
                [mark.id for mark in marks] for marks in (tokenizer._before, tokenizer._after)
            )
            body = tokenizer.encode(text, special=False)
            around = tokenizer.encode(text) == [*before, *body, *after]
            reads = bool(tokenizer.encode(string.printable, special=False))
        except BaseException as problem:
            # Of some damaged files only the use shows it; at some the library panics.
            if not isinstance(problem, Exception) and type(problem).__name__ != "PanicException":
                raise
            raise CheckpointError(
                path, Phrase(N_("not a usable tokenizer ({reason})"), reason=str(problem))
            ) from problem
        if not (around and reads):
            raise CheckpointError(path, N_("its template must put marks around one text, no more"))
        return tokenizer

    def save(self, path: Path) -> None:
        """Write ``tokenizer.json``."""
        self._backend.save(str(path))

    @property
    def vocab_size(self) -> int:
        """Entries, special ones included."""
        return int(self._backend.get_vocab_size())

    @property
    def ids(self) -> frozenset[int]:
        """Every id that an entry has."""
        return frozenset(self._backend.get_vocab().values())

    @cached_property
    def largest_id(self) -> int:
        """The largest id that a text or a mark around it can get; entries may leave ids out."""
        marks = [token.id for token in (*self._before, *self._after)]
        return max((*self._backend.get_vocab().values(), *marks), default=-1)

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of everything the tokenizer does."""
        whole = str(self._backend.to_str()).encode()
        return hashlib.blake2b(whole, digest_size=8).hexdigest()

    def id_of(self, piece: str) -> int | None:
        """The id of a vocabulary entry, spelt as in the file; None when there is none."""
        token_id = self._backend.token_to_id(piece)
        return None if token_id is None else int(token_id)

    def mark(self, piece: str) -> int:
        """The id of a mark, such as ``[MASK]``.

        Raises:
            MissingMarkError: the tokenizer has none.
        """
        token_id = self.id_of(piece)
        if token_id is None:
            raise MissingMarkError(piece)
        return token_id

    @property
    def mask_id(self) -> int | None:
        """The id of [MASK], or what stands for it; None for a tokenizer without one."""
        return self.hiding[0] if len(self.hiding) == 1 else None

    @cached_property
    def hiding(self) -> tuple[int, ...]:
        """The ids that what is hidden stands behind: one for all, or one after the other."""
        for names in ([MASK], [HOLE], [SENTINEL.format(n=n) for n in range(N_SENTINELS)]):
            ids = [self.id_of(name) for name in names]
            if ids[0] is not None:
                return tuple(token_id for token_id in ids if token_id is not None)
        return ()

    @property
    def pad_id(self) -> int:
        """What fills the short rows of a batch; it is always masked."""
        return next((i for i in map(self.id_of, (PAD, FILL)) if i is not None), 0)

    @property
    def end_of_text_id(self) -> int | None:
        """The id that starts and ends a document, for a tokenizer that has one."""
        return self.id_of(END_OF_TEXT)

    def normalized(self, text: str) -> list[str]:
        """What each character becomes before the text is cut: itself, others, or nothing.

        The library works character by character, so the pieces joined are what it reads.
        """
        normalizer = self._backend.normalizer
        if normalizer is None:
            return list(text)
        normal = {char: str(normalizer.normalize_str(char)) for char in set(text)}
        return [normal[char] for char in text]

    def learned(self) -> ModelFile:
        """What was learnt, as the file has it: the entries, with their merges or scores."""
        return model_of(self._backend)

    def merges(self) -> list[tuple[int, int, int]]:
        """Ids of each learnt pair and of what it becomes, in order; empty where there are none."""
        if self.family != "byte_bpe":
            return []
        model = self.learned()
        ids = model["vocab"]
        return [(ids[a], ids[b], ids[a + b]) for a, b in model["merges"]]

    def encode(self, text: str, *, special: bool = True) -> list[int]:
        """Ids of a text; ``special`` adds the model's own marks around it.

        Raises:
            HalfCharacterError: the text is none that UTF-8 can write.
        """
        return list(self._backend.encode(whole_characters(text), add_special_tokens=special).ids)

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of many texts, without the model's marks, in parallel.

        Raises:
            HalfCharacterError: a text is none that UTF-8 can write.
        """
        whole = [whole_characters(text) for text in texts]
        return [e.ids for e in self._backend.encode_batch(whole, add_special_tokens=False)]

    def tokens(self, text: str, *, masks: bool = False) -> list[Token]:
        """The tokens of a text with where they come from, the model's marks included.

        Args:
            text: what was typed.
            masks: read ``[MASK]`` in it as a hidden word; otherwise it is six characters.

        Raises:
            HalfCharacterError: the text is none that UTF-8 can write.
        """
        whole_characters(text)
        body: list[Token] = []
        start = 0
        pieces = text.split(MASK) if masks and self.hiding else [text]
        for n, part in enumerate(pieces):
            if n:  # beyond the last sentinel there is no other
                mark = self.hiding[min(n, len(self.hiding)) - 1]
                body.append(self._token(mark, start - len(MASK), start))
            if n < len(pieces) - 1:
                part = part.removesuffix(" ")  # it belongs to what is hidden
            for i, a, b, named in pieces_of(self._backend, part, self.special_ids):
                token = self._spelt(self._token(i, start + a, start + b), part[a:b])
                body.append(replace(token, named=True) if named else token)
            start += len(pieces[n]) + len(MASK)
        return [*self._before, *body, *self._after]

    def _spelt(self, token: Token, text: str) -> Token:
        """A token of a text; a word without an entry keeps its letters."""
        unknown = self.family == "words" and token.unknown
        return replace(token, data="".join(self.words(text)).encode()) if unknown else token

    def words(self, text: str) -> list[str]:
        """The words of a text as they are looked up, those that have no entry included.

        Raises:
            HalfCharacterError: the text is none that UTF-8 can write.
        """
        read, normalizer = whole_characters(text), self._backend.normalizer
        read = read if normalizer is None else normalizer.normalize_str(read)
        cut = self._backend.pre_tokenizer
        return [read] if cut is None else [word for word, _ in cut.pre_tokenize_str(read)]

    def body(self, text: str) -> list[Token]:
        """The tokens of a text without the model's marks around it; ``[MASK]`` hides a word."""
        tokens = self.tokens(text, masks=True)
        return tokens[len(self._before) : len(tokens) - len(self._after)]

    def pair_tokens(self, first: str, second: str) -> tuple[list[Token], list[int]]:
        """Two segments as BERT takes them, [CLS] A [SEP] B [SEP], and each token's segment.

        The offsets of the second segment count from its own start.
        """
        head, tail = self.tokens(first, masks=True), self.tokens(second, masks=True)
        tail = tail[len(self._before) :]
        return head + tail, [0] * len(head) + [1] * len(tail)

    def _token(self, token_id: int, start: int, end: int) -> Token:
        stored_piece = self._backend.id_to_token(token_id) if token_id in _IDS else None
        if stored_piece is None:  # a row of a model's table that its tokenizer does not use
            return Token(token_id, f"[unused {token_id}]", b"", start, end, unknown=True)
        piece = str(stored_piece)
        special = token_id in self.special_ids
        continues = self.family == "wordpiece" and piece.startswith("##") and not special
        if token_id in self._as_text:
            data = piece.encode()
        elif self.family == "byte_bpe":
            data = bytes(BYTE_OF[char] for char in piece)
            continues = not data[:1].isspace()
        elif self.family == "unigram":
            data = piece.replace(SPACE, " ").encode()
            continues = not data[:1].isspace() and piece != UNREAD
        else:
            data = piece.removeprefix("##").encode()
        return Token(
            id=token_id,
            piece=piece,
            data=data,
            start=start,
            end=end,
            special=special and piece not in (UNK, UNREAD),
            unknown=piece in (UNK, UNREAD),
            continues=continues,
        )

    def token(self, token_id: int) -> Token:
        """One vocabulary entry, by its id."""
        return self._entry(token_id)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of the ids; special tokens, and ids that no entry has, are left out."""
        known_ids = [token_id for token_id in ids if token_id in _IDS]
        return str(self._backend.decode(known_ids, skip_special_tokens=True))

    def word(self, token_id: int) -> str:
        """One entry as it reads in a text, a leading space kept, split characters as �."""
        return self._token(token_id, 0, 0).data.decode(errors="replace")
