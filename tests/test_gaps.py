"""Gaps in a text: whole words behind [MASK], both models' numbers, training examples."""

from __future__ import annotations

import math

import hypothesis
import numpy as np
import pytest
import tokenizers
import torch
from hypothesis import strategies as st

from core.decoding.words import MAX_PIECES
from core.errors import AbilityError, EmptyInputError, NoWordError, ParameterError
from core.gaps import chosen_words, fill
from core.models.bert import BERT, BERTConfig
from core.requests import CorruptRequest, GapRequest, WordsRequest
from core.runs import Runs
from core.text.tokenizer import Tokenizer, train_byte_bpe, train_wordpiece
from core.training.batches import vocabulary_of
from core.training.objectives import IGNORED, mask_words
from tests.conftest import TEXTS, loaded, tiny_bert, tiny_gpt
from tests.text.awkward import CHARACTERS, PIECES
from tests.text.layouts import laid_out

TEXT = "The cat told the dog a story."


@pytest.fixture(scope="module")
def runs(gpt, bert):
    return Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])


@pytest.fixture
def gap(runs):
    def ask(text: str = TEXT, hide: str = "auto", token: int = -1):
        return runs.get(GapRequest("bert", "gpt", text, hide, token))

    return ask


def distribution(bert, ids, **how) -> np.ndarray:
    probs = torch.softmax(bert.model(torch.tensor([ids]), **how)[0], -1)
    return probs.numpy()[:, : bert.tokenizer.vocab_size]


# --- which words ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hide", "expected"),
    [("none", set()), ("2", {2}), ("0,3", {0, 3}), ("2,99", {2}), ("99", {7}), ("1,1", {1}),
     ("2," + "9" * 5000, {2}), ("9" * 5000, {7})],
    ids=range(8),
)  # fmt: skip
def test_which_words_a_setting_hides(bert, hide, expected):
    words = [(n + 1,) for n in range(8)]
    assert chosen_words(hide, words, bert.tokens(TEXT)) == expected


def test_by_itself_one_word_is_hidden_but_none_where_a_mask_was_typed(gap):
    assert len(gap().hidden) == 1
    assert gap("The [MASK] sat.").hidden == ()
    assert gap("The [MASK] sat.").gaps == ((2,),)


def test_a_word_is_hidden_with_all_its_pieces(gap, bert):
    found = gap("The cat told Lothlorien.", "3")
    pieces = found.words[3]
    assert len(pieces) > 1
    assert found.gaps == (pieces,)
    assert [mask.position for mask in found.masks] == list(pieces)
    assert all(bert.tokens("The cat told Lothlorien.")[at].continues for at in pieces[1:])


def test_the_gap_with_the_token_is_looked_at_else_the_first(gap):
    found = gap(hide="1,4", token=5)
    assert found.gaps == ((2,), (5,))
    assert found.looked == (5,)
    assert gap(hide="1,4", token=3).looked == (2,)


# --- what the masked model says ------------------------------------------------------------------


def test_every_mask_has_the_distribution_of_a_plain_run(gap, bert):
    found = gap(hide="1,4")
    ids = bert.encode(TEXT)
    for at in (2, 5):
        ids[at] = bert.tokenizer.mask_id
    probs = distribution(bert, ids)
    for mask in found.masks:
        best = np.argsort(-probs[mask.position])[:20]
        assert [token.id for token in mask.tokens] == list(best)
        assert mask.probs == pytest.approx(probs[mask.position, best])
        assert mask.original is not None
        assert mask.prob == pytest.approx(probs[mask.position, mask.original.id])
        assert mask.rank == int((probs[mask.position] > mask.prob).sum())


def test_a_typed_mask_has_no_original(gap):
    (mask,) = gap("The [MASK] sat.").masks
    assert mask.original is None
    assert math.isnan(mask.prob)
    assert not any(candidate.hidden for candidate in gap("The [MASK] sat.").candidates)


def test_a_gap_of_several_pieces_is_their_product(gap, bert):
    found = gap("The cat told Lothlorien.", "3")
    truth = next(candidate for candidate in found.candidates if candidate.hidden)
    assert truth.text == "lothlorien"
    assert truth.both == pytest.approx(math.prod(mask.prob for mask in found.masks))
    for candidate in found.candidates:
        assert len(candidate.pieces) in (0, len(found.looked))
        assert math.isnan(candidate.both) == (not candidate.pieces)


def test_the_likeliest_words_of_both_are_there(gap, bert):
    found = gap()
    (at,) = found.looked
    ids = bert.encode(TEXT)
    ids[at] = bert.tokenizer.mask_id
    probs = distribution(bert, ids)[at]
    vocabulary = vocabulary_of(bert.tokenizer)
    words = [
        i for i in np.argsort(-probs) if not vocabulary.special[i] and not vocabulary.continues[i]
    ]
    texts = {candidate.text for candidate in found.candidates}
    assert {bert.tokenizer.token(int(i)).piece for i in words[:20]} <= texts
    best = next(c for c in found.candidates if c.text == bert.tokenizer.token(int(words[0])).piece)
    assert best.both == pytest.approx(probs[words[0]])
    # Order: the larger of the two numbers.
    keys = [np.nanmax([c.both, c.left]) for c in found.candidates]
    assert keys == sorted(keys, reverse=True)


def test_with_nothing_hidden_the_word_is_in_sight(gap, bert):
    found = gap(hide="none", token=2)
    assert found.gaps == ()
    assert found.looked == (2,)
    truth = next(candidate for candidate in found.candidates if candidate.hidden)
    assert truth.both == pytest.approx(distribution(bert, bert.encode(TEXT))[2, truth.pieces[0].id])


def test_the_same_word_hidden_under_a_causal_mask_and_in_sight(gap, bert):
    found = gap(hide="1,4", token=5)
    ids = bert.encode(TEXT)
    word = ids[5]
    ids[2] = ids[5] = bert.tokenizer.mask_id
    causal = torch.ones(len(ids), len(ids), dtype=torch.bool).tril()
    assert found.sight.hidden == pytest.approx(distribution(bert, ids)[5, word])
    assert found.sight.causal == pytest.approx(distribution(bert, ids, mask=causal)[5, word])
    ids[5] = word
    assert found.sight.visible == pytest.approx(distribution(bert, ids)[5, word])


# --- what the causal model says ------------------------------------------------------------------


def test_the_causal_model_reads_the_left_and_adds_up_the_spellings(gap, runs):
    found = gap(hide="4")
    assert found.left.read == "The cat told the"
    truth = next(candidate for candidate in found.candidates if candidate.hidden)
    assert {spelling.text for spelling in truth.spellings} >= {"dog", "Dog"}
    assert truth.left == pytest.approx(sum(spelling.prob for spelling in truth.spellings))
    for spelling in truth.spellings:
        product = math.prod(p for _, p in spelling.pieces) * spelling.ends
        assert spelling.prob == pytest.approx(product)
    alone = runs.get(WordsRequest("gpt", "The cat told the ", (("dog", "Dog"),)))
    assert sum(s.prob for s in alone.asked[0]) == pytest.approx(truth.left)


def test_the_first_word_is_asked_without_a_space(gap):
    found = gap(hide="0")
    assert found.left.read == ""
    truth = next(candidate for candidate in found.candidates if candidate.hidden)
    assert all(
        not token.data.startswith(b" ") for s in truth.spellings for token, _ in s.pieces[:1]
    )


def test_punctuation_is_a_word_too(gap, runs):
    found = gap(hide="7")
    truth = next(candidate for candidate in found.candidates if candidate.hidden)
    assert truth.text == "."
    (sign,) = truth.spellings
    assert sign.pieces == ()
    assert 0 < truth.left < 1


def test_a_long_left_side_is_read_from_its_end(runs, gpt):
    found = runs.get(WordsRequest("gpt", "The cat sat. " * 40, (("dog",),)))
    assert 0 < len(gpt.encode(found.read)) < gpt.config.n_ctx
    assert found.read.join(["", ""]) == "The cat sat. " * 40 or found.read in "The cat sat. " * 40
    assert math.isfinite(found.asked[0][0].prob)


def test_shares_are_shares(gap):
    for share in gap().covered:
        assert 0 < share <= 1 + 1e-9


# --- words too long, and texts of every kind -----------------------------------------------------

HARD = "".join(CHARACTERS)


@pytest.fixture(scope="module")
def hard_runs():
    """Models whose tokenizers know strange characters, so that strange words can be hidden."""
    of_bytes = train_byte_bpe([*TEXTS, HARD], 330)
    of_words = train_wordpiece([*TEXTS, HARD, " ".join(HARD)], 300)
    gpt = loaded(tiny_gpt(vocab_size=of_bytes.vocab_size).double(), of_bytes)
    bert = loaded(tiny_bert(vocab_size=of_words.vocab_size).double(), of_words)
    return Runs(max_bytes=1, load=lambda name, device: {"gpt": gpt, "bert": bert}[name])


@pytest.mark.parametrize("word", ["a" * 17, "a" * 60, "e\u0301" * 9, "c" + "\u200b" * 20 + "at"])
def test_a_word_too_long_for_the_causal_model_has_no_number_from_it(hard_runs, word):
    found = hard_runs.get(GapRequest("bert", "gpt", f"My word is {word} here", "3"))
    truth = next(candidate for candidate in found.candidates if candidate.hidden)
    assert math.isnan(truth.left)
    assert truth.both == pytest.approx(math.prod(mask.prob for mask in found.masks))
    long = [one for one in truth.spellings if math.isnan(one.prob)]
    assert all(len(one.pieces) > MAX_PIECES for one in long)
    assert long
    assert math.isfinite(found.covered[1])


def small_bert(ids: dict[str, int], seed: int):
    """A random BERT with a WordPiece vocabulary of these entries."""
    backend = tokenizers.Tokenizer(tokenizers.models.WordPiece(ids, unk_token="[UNK]"))
    backend.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    backend.add_special_tokens([piece for piece in ids if piece.startswith("[")])
    config = BERTConfig(max(ids.values()) + 1, n_ctx=8, d_model=16, n_layers=1, n_heads=2, d_ff=32)
    model = BERT(config, torch.Generator().manual_seed(seed)).eval().requires_grad_(False)
    return loaded(model.double(), Tokenizer(backend))


def test_ids_may_have_gaps():
    """Entries are fewer than the largest id; the last ones are words like any other."""
    of_bytes = laid_out("with gaps")
    gpt = loaded(tiny_gpt(vocab_size=of_bytes.largest_id + 1).double(), of_bytes)
    pieces = ["[UNK]", "[MASK]", "the", "sat", "##s", "cat"]
    bert = small_bert({piece: 7 * i + 3 for i, piece in enumerate(pieces)}, seed=0)
    runs = Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])
    found = runs.get(GapRequest("bert", "gpt", "the cat sat", "1"))
    (truth,) = (candidate for candidate in found.candidates if candidate.hidden)
    logits = bert.model(torch.tensor([[17, 10, 24]]))[0, 1]
    assert truth.both == pytest.approx(float(torch.softmax(logits, -1)[38]))
    assert {"the", "sat", "cat"} <= {candidate.text for candidate in found.candidates}
    assert all(math.isfinite(one.prob) for one in truth.spellings)
    assert runs.get(CorruptRequest("bert", "the cat sat", 0)).words == ((0,), (1,), (2,))


@pytest.mark.parametrize("seed", range(6))
def test_another_cut_of_the_hidden_word_does_not_take_its_place(gpt, seed):
    """The word is cut as ab ##c; a ##bc, which the same gap could hold, spells it as well."""
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "ab", "##c", "##bc"]
    bert = small_bert({piece: i for i, piece in enumerate(pieces)}, seed)
    runs = Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])
    found = runs.get(GapRequest("bert", "gpt", "abc"))
    (truth,) = (candidate for candidate in found.candidates if candidate.hidden)
    assert [token.piece for token in truth.pieces] == ["ab", "##c"]
    assert truth.both == pytest.approx(math.prod(mask.prob for mask in found.masks))


fragments = st.sampled_from([
    *PIECES, " ", " ", " ", "[MASK]", "[MASK]", "猫猫猫", "😀😀😀😀😀", "?!", "«…»", "\u0301" * 9,
    "a" * 17, "a" * 60, "doggg", "lothlorien",
])  # fmt: skip
settings_ = st.sampled_from(["auto", "none", "0", "1", "0,2", "3,1", "999"])


@hypothesis.given(st.lists(fragments, max_size=30).map("".join), settings_, st.integers(-1, 40))
def test_a_gap_in_any_text_is_answered_or_refused_in_words(hard_runs, text, hide, token):
    try:
        found = hard_runs.get(GapRequest("bert", "gpt", text, hide, token))
    except (NoWordError, EmptyInputError):
        return
    typed = all(found.tokens[at].special for at in found.looked)
    assert sum(candidate.hidden for candidate in found.candidates) == (not typed)
    for candidate in found.candidates:
        assert math.isnan(candidate.both) == (not candidate.pieces)
        unknown = [one for one in candidate.spellings if math.isnan(one.prob)]
        assert math.isnan(candidate.left) == bool(unknown)
        assert all(len(one.pieces) > MAX_PIECES for one in unknown)
    assert all(0 <= share <= 1 + 1e-9 for share in found.covered)


@hypothesis.given(st.lists(fragments, max_size=30).map("".join), st.integers(0, 99))
def test_a_training_example_of_any_text_is_made_or_refused_in_words(hard_runs, text, seed):
    try:
        found = hard_runs.get(CorruptRequest("bert", text, seed))
    except (NoWordError, EmptyInputError):
        return
    assert len(found.shown) == len(found.tokens) == len(found.fates)
    assert (found.order >= 0).any()


# --- what cannot be ------------------------------------------------------------------------------


def test_a_text_without_words_is_an_error(gap):
    with pytest.raises(NoWordError, match="the model knows no word of this text"):
        gap("\u200b")
    with pytest.raises(EmptyInputError):
        gap(" ")


def test_each_model_is_asked_what_it_can(runs, gpt):
    with pytest.raises(AbilityError):
        fill(GapRequest("gpt", "gpt", TEXT), gpt, lambda _: None)
    with pytest.raises(AbilityError):
        runs.get(WordsRequest("bert", TEXT, ()))
    with pytest.raises(AbilityError):
        runs.get(CorruptRequest("gpt", TEXT, 0))


# --- training examples ---------------------------------------------------------------------------


def test_an_example_is_what_training_makes_of_the_text(runs, bert):
    found = runs.get(CorruptRequest("bert", TEXT, 5, rate=0.5))
    vocabulary = vocabulary_of(bert.tokenizer)
    expected = mask_words(bert.encode(TEXT), vocabulary, np.random.default_rng(5), rate=0.5)
    assert [token.id for token in found.shown] == list(expected.ids)
    assert found.fates == expected.fates
    probs = distribution(bert, list(expected.ids))
    for at, target in enumerate(expected.targets):
        if target == IGNORED:
            assert np.isnan(found.probs[at])
            assert found.guesses[at] is None
        else:
            assert found.probs[at] == pytest.approx(probs[at, target])
            assert found.guesses[at].id == probs[at].argmax()


def test_the_dice_decide_the_fate(runs):
    seen = set()
    for seed in range(60):
        found = runs.get(CorruptRequest("bert", TEXT, seed))
        for dice, fate, order in zip(found.dice, found.fates, found.order, strict=True):
            seen.add(fate)
            if np.isnan(dice):
                assert fate == "kept in sight"
                assert order == -1
            else:
                assert order >= 0
                expected = "masked" if dice < 0.8 else "random" if dice < 0.9 else "unchanged"
                assert fate == expected
    assert seen == {"kept in sight", "masked", "random", "unchanged"}


def test_words_are_drawn_one_after_the_other(runs):
    found = runs.get(CorruptRequest("bert", TEXT, 3, rate=0.5))
    order = [int(found.order[word[0]]) for word in found.words]
    drawn = sorted(n for n in order if n >= 0)
    assert drawn == list(range(len(drawn)))


@pytest.mark.parametrize("rate", [-0.1, 1.1, math.nan, math.inf], ids=str)
def test_a_rate_that_is_no_share_is_an_error(runs, rate):
    with pytest.raises(ParameterError, match=f"rate is {rate}; it must be between 0 and 1"):
        runs.get(CorruptRequest("bert", TEXT, 0, rate))


def test_whole_words_are_asked_for_with_letters_and_one_at_least(runs):
    with pytest.raises(ParameterError, match="n is 0; it must be at least 1"):
        runs.get(WordsRequest("gpt", TEXT, (), n=0))
    with pytest.raises(ParameterError, match="it must be spelt with at least one letter each"):
        runs.get(WordsRequest("gpt", TEXT, (("cat", ""),)))
