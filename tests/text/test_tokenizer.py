"""The shipped kinds of tokenizer: what is typed is literal text, and nothing is lost on the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tokenizers
from hypothesis import given

from core.errors import CheckpointError, HalfCharacterError
from core.text.characters import gpt2_byte_alphabet
from core.text.marks import END_OF_TEXT
from core.text.tokenizer import Tokenizer
from core.text.trained import (
    train_byte_bpe,
    train_denoising_bpe,
    train_unigram,
    train_wordpiece,
)
from tests.conftest import TEXTS
from tests.text.awkward import EXAMPLES, texts


def pieces(tokens) -> list[str]:
    return [token.piece for token in tokens]


# --- byte-level BPE ------------------------------------------------------------------


def test_a_text_starts_with_the_start_mark(byte_bpe):
    first, *body = byte_bpe.tokens("The cat")
    assert (first.piece, first.id, first.special) == (END_OF_TEXT, byte_bpe.end_of_text_id, True)
    assert (first.start, first.end) == (0, 0)
    assert not any(token.special for token in body)
    assert [t.id for t in (first, *body)] == byte_bpe.encode("The cat")
    assert [t.id for t in body] == byte_bpe.encode("The cat", special=False)


@given(text=texts)
def test_bytes_of_all_tokens_are_the_text(byte_bpe, text):
    tokens = byte_bpe.tokens(text)[1:]
    assert b"".join(token.data for token in tokens) == text.encode()
    assert byte_bpe.decode([token.id for token in tokens]) == text
    assert not any(token.special or token.unknown for token in tokens)


@given(text=texts)
def test_offsets_cover_the_text_from_left_to_right(byte_bpe, text):
    at = 0
    for token in byte_bpe.tokens(text)[1:]:
        assert token.start <= at <= token.end or token.start == at
        span = text[token.start : token.end].encode()
        assert token.data in span  # a split character's tokens all point at the whole of it
        at = max(at, token.end)
    assert at == len(text)


@given(text=texts)
def test_special_tokens_in_a_text_are_characters(byte_bpe, text):
    typed = f"{text}{END_OF_TEXT}"
    assert byte_bpe.end_of_text_id not in byte_bpe.encode(typed, special=False)
    assert byte_bpe.decode(byte_bpe.encode(typed)) == typed


def test_mask_is_six_characters_for_a_model_that_has_none(byte_bpe):
    assert byte_bpe.mask_id is None
    tokens = byte_bpe.tokens("a [MASK] b", masks=True)
    assert b"".join(token.data for token in tokens[1:]) == b"a [MASK] b"


def test_a_token_that_starts_no_word_continues_one(byte_bpe):
    tokens = byte_bpe.tokens("The dog.")[1:]
    starts = [token.data[:1] == b" " for token in tokens]
    assert [token.continues for token in tokens] == [not start for start in starts]


def test_a_split_character_is_shown_as_what_it_is(byte_bpe):
    """An emoji that the training text never held falls into its four bytes."""
    tokens = byte_bpe.tokens("😀")[1:]
    assert [token.data for token in tokens] == [b"\xf0", b"\x9f", b"\x98", b"\x80"]
    assert {(token.start, token.end) for token in tokens} == {(0, 1)}
    assert byte_bpe.word(tokens[0].id) == "\ufffd"


def test_the_byte_alphabet_is_gpt2s():
    alphabet = gpt2_byte_alphabet()
    assert len(set(alphabet.values())) == 256
    assert (alphabet[ord("a")], alphabet[ord(" ")], alphabet[ord("\n")]) == ("a", "Ġ", "Ċ")
    assert set(alphabet.values()) == set(tokenizers.pre_tokenizers.ByteLevel.alphabet())


def test_words_keep_their_space(byte_bpe):
    assert "".join(byte_bpe.word(i) for i in byte_bpe.encode("on the mat", special=False)) == (
        "on the mat"
    )


# --- WordPiece ------------------------------------------------------------------------


def test_a_text_stands_between_its_marks(wordpiece):
    tokens = wordpiece.tokens("The cat")
    assert pieces(tokens)[0] == "[CLS]"
    assert pieces(tokens)[-1] == "[SEP]"
    assert [token.special for token in tokens] == [True, *[False] * (len(tokens) - 2), True]
    assert [t.id for t in tokens] == wordpiece.encode("The cat")


def test_parts_of_words_continue(wordpiece):
    tokens = wordpiece.tokens("log")[1:-1]
    assert b"".join(token.data for token in tokens) == b"log"
    assert [token.continues for token in tokens] == [False, *[True] * (len(tokens) - 1)]
    assert all(token.piece.startswith("##") == token.continues for token in tokens)


def test_what_is_not_in_the_vocabulary_is_unknown_and_says_where_it_stood(wordpiece):
    (token,) = [t for t in wordpiece.tokens("The 猫 sat") if t.unknown]
    assert token.piece == "[UNK]"
    assert not token.special
    assert "The 猫 sat"[token.start : token.end] == "猫"


def test_mask_hides_a_word_where_hiding_is_the_exercise(wordpiece):
    text = "The [MASK] sat[MASK]."
    tokens = wordpiece.tokens(text, masks=True)
    hidden = [token for token in tokens if token.id == wordpiece.mask_id]
    assert [text[token.start : token.end] for token in hidden] == ["[MASK]", "[MASK]"]
    assert [(t.start, t.end) for t in hidden] == [(4, 10), (14, 20)]
    for token in tokens[1:-1]:  # what stands between the masks points at its own characters
        if not token.special:
            assert text[token.start : token.end].lower() == token.data.decode()


@pytest.mark.parametrize("train", [train_denoising_bpe, train_unigram])
def test_the_space_before_a_mask_is_hidden_with_the_word(train):
    """In training a token is hidden with its space; one left over was never seen there."""
    tokenizer = train(["the cat sat on the mat"] * 40, 480)
    read = [token for token in tokenizer.tokens("the [MASK] sat", masks=True) if not token.special]
    assert b"".join(token.data for token in read).strip() == b"the sat"


def test_mask_is_text_everywhere_else(wordpiece):
    tokens = wordpiece.tokens("The [MASK] sat")
    assert wordpiece.mask_id not in [token.id for token in tokens]
    assert wordpiece.mask_id not in wordpiece.encode("The [MASK] sat")


@pytest.mark.parametrize("mark", ["[CLS]", "[SEP]", "[PAD]", "[UNK]"])
def test_other_marks_are_always_text(wordpiece, mark):
    tokens = wordpiece.tokens(f"a {mark} b", masks=True)[1:-1]
    assert not any(token.special for token in tokens)


def test_a_pair_is_two_segments(wordpiece):
    tokens, types = wordpiece.pair_tokens("The cat", "The dog [MASK]")
    n = len(wordpiece.tokens("The cat"))
    assert pieces(tokens).count("[CLS]") == 1
    assert pieces(tokens).count("[SEP]") == 2
    assert pieces(tokens)[n - 1] == "[SEP]"
    assert types == [0] * n + [1] * (len(tokens) - n)
    assert tokens[n].start == 0  # the second text's own beginning
    assert wordpiece.mask_id in [token.id for token in tokens[n:]]


def test_an_empty_second_segment_is_its_mark_alone(wordpiece):
    tokens, types = wordpiece.pair_tokens("The cat", "")
    assert types.count(1) == 1
    assert tokens[-1].piece == "[SEP]"


@given(text=texts)
def test_offsets_stay_inside_the_text_and_in_order(wordpiece, text):
    at = 0
    for token in wordpiece.tokens(text, masks=True)[1:-1]:
        assert at <= token.end
        assert 0 <= token.start <= token.end <= len(text)
        at = token.end


@given(text=texts)
def test_normalised_characters_joined_are_what_the_library_reads(wordpiece, text):
    normalizer = wordpiece._backend.normalizer
    assert len(wordpiece.normalized(text)) == len(text)
    assert "".join(wordpiece.normalized(text)) == normalizer.normalize_str(text)


def test_normalisation_lowers_and_strips(wordpiece, byte_bpe):
    assert wordpiece.normalized("É\x00a") == ["e", "", "a"]
    assert byte_bpe.normalized("É\x00") == ["É", "\x00"]


def test_wordpiece_has_no_merges_and_bpe_has(wordpiece, byte_bpe):
    assert wordpiece.merges() == []
    assert len(byte_bpe.merges()) == byte_bpe.vocab_size - 257


def test_an_id_that_no_entry_has_is_called_unused(byte_bpe, wordpiece):
    """A model's table may be larger than its vocabulary."""
    for tokenizer in (byte_bpe, wordpiece):
        token = tokenizer.token(5000)
        assert (token.piece, token.data, token.unknown) == ("[unused 5000]", b"", True)
        assert tokenizer.word(5000) == ""


# --- templates of other people's files -------------------------------------------------


def with_template(tokenizer: Tokenizer, template: str | None, path) -> Path:
    """A tokenizer's file with another template around its texts."""
    backend = tokenizers.Tokenizer.from_str(tokenizer._backend.to_str())
    backend.add_special_tokens(["<s>", "</s>"])
    marks = [(mark, backend.token_to_id(mark)) for mark in ("<s>", "</s>")]
    if template is None:
        backend.post_processor = tokenizers.processors.RobertaProcessing(*reversed(marks))
    else:
        backend.post_processor = tokenizers.processors.TemplateProcessing(
            single=template, special_tokens=marks
        )
    backend.save(str(path / "tokenizer.json"))
    return path / "tokenizer.json"


TEMPLATES = ["$A", "<s> $A", "$A </s>", "<s> $A </s>", "<s> </s> $A <s> <s>", "$A <s> </s>", None]


@pytest.fixture(scope="module")
def foreign(byte_bpe, wordpiece, tmp_path_factory) -> list[Tokenizer]:
    """Both families with all templates."""
    directory = tmp_path_factory.mktemp("foreign")
    return [
        Tokenizer.from_file(with_template(tokenizer, template, directory))
        for tokenizer in (byte_bpe, wordpiece)
        for template in TEMPLATES
    ]


@given(text=texts)
def test_marks_stand_where_the_files_template_puts_them(foreign, text):
    for tokenizer in foreign:
        tokens = tokenizer.tokens(text)
        assert [token.id for token in tokens] == tokenizer.encode(text)
        body = [token for token in tokens if not token.special]
        assert [token.id for token in body] == tokenizer.encode(text, special=False)
        assert all(token.start == token.end == 0 for token in tokens if token.special)


def test_a_pair_in_another_template_has_its_first_marks_once(foreign):
    for tokenizer in foreign:
        tokens, types = tokenizer.pair_tokens("The cat", "the mat")
        first, second = tokenizer.tokens("The cat"), tokenizer.tokens("the mat")
        before = next(i for i, token in enumerate(second) if not token.special)
        assert tokens == first + second[before:]
        assert types == [0] * len(first) + [1] * (len(second) - before)


@pytest.mark.parametrize("template", ["$A </s> $A", "<s>"])
@pytest.mark.parametrize("which", ["byte_bpe", "wordpiece"])
def test_a_template_that_does_more_or_less_is_refused(template, which, request, tmp_path):
    path = with_template(request.getfixturevalue(which), template, tmp_path)
    with pytest.raises(CheckpointError, match="its template must put marks around one text, no"):
        Tokenizer.from_file(path)


def test_wordpiece_without_an_entry_for_unknown_words_is_refused(tmp_path):
    backend = tokenizers.Tokenizer(tokenizers.models.WordPiece({"a": 0}, unk_token="[UNK]"))
    backend.save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(CheckpointError, match=r"not a usable tokenizer .*UNK"):
        Tokenizer.from_file(tmp_path / "tokenizer.json")


def test_bytes_without_an_entry_are_found_before_they_are_typed(tmp_path):
    backend = tokenizers.Tokenizer(
        tokenizers.models.BPE({char: i for i, char in enumerate("abc")}, [], unk_token="<unk>")
    )
    backend.save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(CheckpointError, match=r"not a usable tokenizer .*[Uu]nk"):
        Tokenizer.from_file(tmp_path / "tokenizer.json")


@pytest.mark.parametrize(
    "piece",
    [{"SpecialToken": {"id": "<z>", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
)
def test_a_template_at_which_the_library_panics_is_an_error(piece, tmp_path, byte_bpe):
    path = tmp_path / "tokenizer.json"
    byte_bpe.save(path)
    whole = json.loads(path.read_text())
    whole["post_processor"]["single"].insert(0, piece)
    path.write_text(json.dumps(whole))
    with pytest.raises(CheckpointError, match="not a usable tokenizer"):
        Tokenizer.from_file(path)


def test_the_largest_id_counts_gaps_and_marks(tmp_path, byte_bpe):
    assert byte_bpe.largest_id == byte_bpe.vocab_size - 1
    path = tmp_path / "tokenizer.json"
    backend = tokenizers.Tokenizer(tokenizers.models.BPE({"a": 0, "b": 70}, []))
    backend.save(str(path))
    assert Tokenizer.from_file(path).largest_id == 70
    backend.add_special_tokens(["<s>"])
    backend.post_processor = tokenizers.processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", 900)]
    )
    backend.save(str(path))
    assert Tokenizer.from_file(path).largest_id == 900


# --- files ---------------------------------------------------------------------------


@pytest.mark.parametrize("which", ["byte_bpe", "wordpiece"])
def test_saved_and_loaded_it_is_the_same(which, request, tmp_path):
    tokenizer = request.getfixturevalue(which)
    tokenizer.save(tmp_path / "tokenizer.json")
    loaded = Tokenizer.from_file(tmp_path / "tokenizer.json")
    assert loaded.fingerprint == tokenizer.fingerprint
    assert loaded.family == tokenizer.family == which
    assert loaded.special_ids == tokenizer.special_ids
    assert (loaded.vocab_size, loaded.pad_id) == (tokenizer.vocab_size, tokenizer.pad_id)
    for text in EXAMPLES:
        assert loaded.tokens(text, masks=True) == tokenizer.tokens(text, masks=True)


def test_a_file_may_not_pad_or_cut(tmp_path, wordpiece):
    backend = tokenizers.Tokenizer.from_str(wordpiece._backend.to_str())
    backend.enable_padding(length=50)
    backend.enable_truncation(3)
    backend.save(str(tmp_path / "tokenizer.json"))
    loaded = Tokenizer.from_file(tmp_path / "tokenizer.json")
    assert loaded.encode(TEXTS[0]) == wordpiece.encode(TEXTS[0])


def test_bpe_that_is_not_on_bytes_is_refused(tmp_path):
    backend = tokenizers.Tokenizer(tokenizers.models.BPE({"▁a": 0, "▁": 1, "a": 2}, [("▁", "a")]))
    backend.save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(
        CheckpointError, match="only byte-level BPE, WordPiece, Unigram and whole words"
    ):
        Tokenizer.from_file(tmp_path / "tokenizer.json")


def test_an_added_token_need_not_be_spelt_in_bytes(tmp_path, byte_bpe):
    backend = tokenizers.Tokenizer.from_str(byte_bpe._backend.to_str())
    backend.add_tokens([tokenizers.AddedToken("two words ⟨x⟩", normalized=False)])
    backend.add_special_tokens(["<｜pad｜>"])
    backend.save(str(tmp_path / "tokenizer.json"))
    loaded = Tokenizer.from_file(tmp_path / "tokenizer.json")
    added = loaded.tokens("two words ⟨x⟩")[-1]
    assert added.data.decode() == "two words ⟨x⟩"
    assert not added.special
    assert loaded.token(loaded.id_of("<｜pad｜>")).special


@pytest.mark.parametrize("content", ["", "{}", "not json", '{"model": {"type": "BPE"}}'])
def test_a_damaged_file_is_an_error(tmp_path, content):
    (tmp_path / "tokenizer.json").write_text(content)
    with pytest.raises(CheckpointError, match="not a readable tokenizer"):
        Tokenizer.from_file(tmp_path / "tokenizer.json")


# --- training ------------------------------------------------------------------------


def test_training_keeps_to_its_size_and_knows_every_byte():
    tokenizer = train_byte_bpe(TEXTS, 280)
    assert tokenizer.vocab_size == 280
    assert tokenizer.decode(tokenizer.encode("\x00 \xff 漢")) == "\x00 \xff 漢"


def test_wordpiece_training_puts_padding_first_and_lowers_case():
    tokenizer = train_wordpiece(["ABC abc"] * 5, 20)
    assert tokenizer.pad_id == 0
    assert [tokenizer.id_of(mark) for mark in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")] == [
        0, 1, 2, 3, 4
    ]  # fmt: skip
    assert tokenizer.encode("ABC") == tokenizer.encode("abc")


def test_fingerprints_tell_tokenizers_apart(byte_bpe, wordpiece):
    assert byte_bpe.fingerprint == train_byte_bpe(TEXTS, 300).fingerprint
    assert len({byte_bpe.fingerprint, wordpiece.fingerprint}) == 2


def test_batches_are_texts_one_by_one_without_marks(byte_bpe, wordpiece):
    for tokenizer in (byte_bpe, wordpiece):
        found = tokenizer.encode_batch(EXAMPLES)
        assert found == [tokenizer.encode(text, special=False) for text in EXAMPLES]


# --- text that is none ---------------------------------------------------------------


@pytest.mark.parametrize("kind", ["byte_bpe", "wordpiece"])
@pytest.mark.parametrize("ask", ["encode", "tokens", "encode_batch", "pair_tokens"])
def test_half_a_character_is_said_with_its_place(kind, ask, request):
    tokenizer = request.getfixturevalue(kind)
    text = "The caf\u00e9 \ud83d is"
    arguments = {"encode_batch": [["fine", text]], "pair_tokens": ["fine", text]}
    with pytest.raises(HalfCharacterError) as problem:
        getattr(tokenizer, ask)(*arguments.get(ask, [text]))
    assert (problem.value.at, problem.value.half) == (9, "\ud83d")


@pytest.mark.parametrize("beyond", [99_999, -1, 2**32, 10**30])
def test_an_id_that_no_entry_has_reads_as_nothing(byte_bpe, beyond):
    ids = byte_bpe.encode("The cat")
    assert byte_bpe.decode([*ids, beyond]) == "The cat"
    assert byte_bpe.token(beyond).unknown


def test_the_body_of_a_text_is_what_stands_between_the_marks(byte_bpe, wordpiece):
    for tokenizer in (byte_bpe, wordpiece):
        for text in ("The cat sat", "", "[SEP] <|endoftext|>"):
            body = tokenizer.body(text)
            assert [token.id for token in body] == tokenizer.encode(text, special=False)
            assert not any(token.special for token in body)
