"""New tokenizers, learned from texts."""

from __future__ import annotations

from collections.abc import Iterable

import tokenizers
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers, processors, trainers

from core.text.marks import (
    CLS,
    END,
    END_OF_TEXT,
    FILL,
    HOLE,
    MASK,
    N_SENTINELS,
    PAD,
    SENTINEL,
    SEP,
    START,
    UNK,
    UNREAD,
)
from core.text.tokenizer import Tokenizer

# A number, what is short for "is" or "his", a word with what an apostrophe joins to it, or a sign.
_WORD = r"\d+(?:[.,]\d+)*|'s\b|\w+(?:'(?!s\b)\w+)*|[^\w\s]"


def train_words(texts: Iterable[str], vocab_size: int) -> Tokenizer:
    """ELMo's kind: whole words, lower-cased, the most frequent ones first.

    Peters et al. 2018 predict the words of a fixed list. ``<s>`` and ``</s>`` stand around
    every text; all words that have no entry share ``[UNK]``, but keep their letters.
    """
    backend = tokenizers.Tokenizer(models.WordLevel(unk_token=UNK))
    backend.normalizer = normalizers.BertNormalizer(lowercase=True)
    backend.pre_tokenizer = pre_tokenizers.Split(Regex(_WORD), "removed", invert=True)
    trainer = trainers.WordLevelTrainer(
        vocab_size=vocab_size, special_tokens=[PAD, UNK, START, END], show_progress=False
    )
    backend.train_from_iterator(texts, trainer)
    marks = [(mark, backend.token_to_id(mark)) for mark in (START, END)]
    backend.post_processor = processors.TemplateProcessing(
        single=f"{START} $A {END}", special_tokens=marks
    )
    return Tokenizer(backend)


def train_byte_bpe(texts: Iterable[str], vocab_size: int) -> Tokenizer:
    """GPT-2's kind: byte-level BPE, cased; every text starts with end-of-text.

    Sennrich et al. 2016 for the algorithm, Radford et al. 2019, section 2.2,
    for bytes. The leading mark gives every text the same first position, which
    is also what training rows start with.
    """
    backend = _byte_bpe(texts, vocab_size, [END_OF_TEXT])
    start = backend.token_to_id(END_OF_TEXT)
    backend.post_processor = processors.TemplateProcessing(
        single=f"{END_OF_TEXT} $A", special_tokens=[(END_OF_TEXT, start)]
    )
    return Tokenizer(backend)


def train_joint_bpe(texts: Iterable[str], vocab_size: int) -> Tokenizer:
    """One byte-level BPE for both sides of a translation; every text ends with ``</s>``.

    Vaswani et al. 2017, section 5.1: source and target share one vocabulary, so that
    they can share one table. ``<pad>``, ``<s>`` and ``</s>`` are its first three entries.
    """
    return _ended(_byte_bpe(texts, vocab_size, [FILL, START, END]))


def train_denoising_bpe(texts: Iterable[str], vocab_size: int) -> Tokenizer:
    """The same with ``<mask>``, behind which a text may be hidden (Lewis et al. 2020)."""
    return _ended(_byte_bpe(texts, vocab_size, [FILL, START, END, HOLE]))


def train_unigram(texts: Iterable[str], vocab_size: int) -> Tokenizer:
    """T5's kind: pieces by a unigram language model, with sentinels; every text ends with ``</s>``.

    Kudo 2018 for the algorithm, Raffel et al. 2020, section 3.1.4, for the sentinels, each of
    which stands for one hidden span. A space belongs to the word after it.

    Args:
        texts: are learned from; each word is counted, so that a long corpus is better thinned.
        vocab_size: entries, marks and sentinels included.
    """
    marks = [FILL, END, UNREAD]
    sentinels = [SENTINEL.format(n=n) for n in range(N_SENTINELS)]
    backend = tokenizers.Tokenizer(models.Unigram())
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split("\n", "isolated"), pre_tokenizers.Metaspace(prepend_scheme="never")]
    )
    backend.decoder = decoders.Metaspace(prepend_scheme="never")
    trainer = trainers.UnigramTrainer(
        vocab_size=vocab_size,
        special_tokens=[*marks, *sentinels],
        unk_token=UNREAD,
        show_progress=False,
    )
    backend.train_from_iterator(texts, trainer)
    return _ended(backend)


def _ended(backend: tokenizers.Tokenizer) -> Tokenizer:
    """The same tokenizer with ``</s>`` after every text."""
    end = backend.token_to_id(END)
    backend.post_processor = processors.TemplateProcessing(
        single=f"$A {END}", special_tokens=[(END, end)]
    )
    return Tokenizer(backend)


def _byte_bpe(texts: Iterable[str], vocab_size: int, special: list[str]) -> tokenizers.Tokenizer:
    backend = tokenizers.Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    backend.train_from_iterator(texts, trainer)
    return backend


def train_wordpiece(texts: Iterable[str], vocab_size: int) -> Tokenizer:
    """BERT's kind: lower-cased WordPiece with [CLS] and [SEP] (Devlin et al. 2019, section 3)."""
    backend = tokenizers.Tokenizer(models.WordPiece(unk_token=UNK))
    backend.normalizer = normalizers.BertNormalizer(lowercase=True)
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(
        vocab_size=vocab_size,
        special_tokens=[PAD, UNK, CLS, SEP, MASK],
        show_progress=False,
    )
    backend.train_from_iterator(texts, trainer)
    cls_id, sep_id = backend.token_to_id(CLS), backend.token_to_id(SEP)
    backend.post_processor = processors.TemplateProcessing(
        single=f"{CLS} $A {SEP}",
        pair=f"{CLS} $A {SEP} $B:1 {SEP}:1",
        special_tokens=[(CLS, cls_id), (SEP, sep_id)],
    )
    return Tokenizer(backend)
