"""A training run replayed: every state is what encoding with the merges so far gives."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import log2

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.text.bpe import BPE, split_words, train_bpe
from core.text.learning import LONGEST, MAX_CORPUS, learn, learnt_from
from core.text.unigram_learning import learn_unigram
from core.text.wordpiece_learning import learn_wordpiece
from tests.text.awkward import EXAMPLES, texts

LOW = " ".join(["low"] * 5 + ["lower"] * 2 + ["newest"] * 6 + ["widest"] * 3)


def with_first(code: BPE, n: int) -> BPE:
    return replace(code, merges=code.merges[:n])


def alive(word, step: int) -> list[int]:
    return [s.id for s in word.symbols if s.born <= step and (s.gone is None or step < s.gone)]


def check(text: str, merges: int) -> None:
    learning = learn(text, merges)
    code = learning.code
    assert len(learning.pairs) == len(learning.n_tokens) == len(code.merges) + 1
    for step in range(len(code.merges) + 1):
        ids = with_first(code, step).encode(text)
        assert learning.n_tokens[step] == len(ids)
        counts = Counter(ids)
        entropy = -sum(n / len(ids) * log2(n / len(ids)) for n in counts.values())
        assert learning.entropy[step] == pytest.approx(entropy)
        for word in learning.words:
            *_, last = with_first(code, step).encode_word(word.text)
            assert alive(word, step) == list(last.symbols)
        if step < len(code.merges):
            best, merge = learning.pairs[step][0], code.merges[step]
            assert (best.left, best.right, best.count) == (merge.left, merge.right, merge.count)
    assert dict(learning.counts) == Counter(code.encode(text))
    assert {w.text: w.count for w in learning.words} == Counter(split_words(text))


@pytest.mark.parametrize("text", [*EXAMPLES, LOW, "aaaa aaaa aaab"])
def test_every_state_is_what_encoding_with_the_merges_so_far_gives(text):
    check(text, 20)


@given(text=texts, merges=st.integers(1, 40))
@example(text="ababab abab", merges=9)
def test_every_state_holds_for_any_text(text, merges):
    check(text, merges)


def test_sennrichs_example():
    # Sennrich et al. 2016, section 3.2: es, est, lo and low come first (here with leading spaces).
    learning = learn(LOW, 10)
    counts = {learning.code.vocabulary[merge.new]: merge.count for merge in learning.code.merges}
    assert {b"es", b"est", b"low"} <= counts.keys()
    assert learning.words[0].text == " newest"
    assert counts[b"es"] == 9  # newest six times, widest three times


def test_the_merges_are_the_trainers():
    assert learn(LOW, 12).code.merges == train_bpe(LOW, 256 + 12).merges


def test_a_long_corpus_is_cut_and_an_empty_one_has_nothing_to_merge():
    learning = learn("word " * 2000, 3)
    assert len(learning.text) == MAX_CORPUS
    assert len(learning.text) + len(learning.cut) == 10_000
    empty = learn("", 5)
    assert empty.code.merges == ()
    assert empty.words == ()
    assert list(empty.n_tokens) == [0]
    assert list(empty.entropy) == [0.0]


def test_counted_pairs_are_the_most_frequent_in_order():
    pairs = learn("abc abc abd", 1).pairs[0]
    assert [pair.count for pair in pairs] == sorted((p.count for p in pairs), reverse=True)
    # " a" twice (the first word has no space before it), "ab" three times, "bc" twice, "bd" once.
    assert [pair.count for pair in pairs] == [3, 2, 2, 1]
    assert learn("abc", 1).nbytes > 0


def test_a_text_without_blanks_is_learned_from_in_parts():
    text = "".join(chr(0x1F600 + n * n % 47) for n in range(8000))
    for words in (
        [one.text for one in learn(text, 20).words],
        [one.text for one in learn_wordpiece(text, 20).words],
        [word for word, _n in learn_unigram(text, 300).words],
    ):
        assert max(map(len, words)) == LONGEST
    for letter in ("🥰", "я", "猫", "a"):  # never half of one
        learned, cut = learnt_from(letter * 8000)
        assert learned + cut == letter * 8000
        assert len(learned) == MAX_CORPUS // len(letter.encode())
