"""The card's figures, against slow counts on tiny models."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from core.predict import translate
from core.text.hiding import IGNORED, mask_words, vocabulary_of
from core.training.measures import heads
from core.training.measures.bleu import bleu
from core.training.measures.compression import bits_per_byte, compression
from core.training.measures.guesses import (
    guesses,
    masked_word_accuracy,
    next_sentence_accuracy,
)
from core.training.measures.heads import best_head, head_scores

DOCUMENTS = [
    "The cat sat on the mat. The dog sat on the log. The sea was blue.",
    "é",
    "Once upon a time there was a little dog. It saw the sea. She told the cat a story. " * 2,
]


def test_bits_per_byte_counts_every_byte_once(gpt):
    """Each window starts from the mark alone and sees no other window."""
    start, bits, n_bytes = gpt.tokenizer.end_of_text_id, 0.0, 0
    for document in DOCUMENTS:
        n_bytes += len(document.encode())
        ids = gpt.tokenizer.encode(document, special=False)
        for at in range(0, len(ids), 32):
            window = ids[at : at + 32]
            probs = gpt.model(torch.tensor([[start, *window[:-1]]]))[0].softmax(-1)
            bits -= sum(math.log2(probs[n, token]) for n, token in enumerate(window))
    assert len(gpt.tokenizer.encode(DOCUMENTS[2])) > 64  # three windows
    assert bits_per_byte(gpt, DOCUMENTS) == pytest.approx(bits / n_bytes, rel=1e-5)


def test_a_model_that_knows_nothing_needs_log2_v_bits_a_token(gpt, monkeypatch):
    monkeypatch.setattr(type(gpt.model), "forward", lambda _, ids: torch.zeros(*ids.shape, 300))
    n = sum(len(gpt.tokenizer.encode(d, special=False)) for d in DOCUMENTS)
    n_bytes = sum(len(d.encode()) for d in DOCUMENTS)
    expected = n * math.log2(300) / n_bytes
    assert bits_per_byte(gpt, DOCUMENTS) == pytest.approx(expected, rel=1e-5)


def test_head_scores_by_hand(gpt, monkeypatch):
    """An attention that is known: every head of layer 0 copies, every one of layer 1 looks back."""
    half = 4

    class Known:
        def __init__(self, n):
            self.n = n

        def __getitem__(self, name):
            if name == "logits":
                return np.zeros((self.n, 300), np.float32)
            weights = np.zeros((2, self.n, self.n), np.float32)
            for query in range(self.n):
                copied = query - half + 1 if query > half else 0
                weights[:, query, copied if "blocks.0" in name else max(0, query - 1)] = 1
            return weights

    monkeypatch.setattr(
        heads, "trace_run",
        lambda model, inputs, sites: Known(len(inputs) if isinstance(inputs, list) else 12),
    )  # fmt: skip
    metrics = head_scores(gpt, n_sequences=3, half=half)
    assert {metrics[f"induction/0.{head}"] for head in (0, 1)} == {1.0}
    assert {metrics[f"induction/1.{head}"] for head in (0, 1)} == {0.0}
    assert {metrics[f"previous_token/1.{head}"] for head in (0, 1)} == {1.0}
    assert metrics["repeat_gain"] == pytest.approx(0)
    assert best_head(metrics, "induction") == ("0.0", 1.0)


def test_heads_are_scored_between_0_and_1_on_a_real_model(gpt):
    metrics = head_scores(gpt, n_sequences=4)
    kinds = ("induction", "previous_token", "first_token")
    assert set(metrics) == {f"{k}/{i}.{h}" for k in kinds for i in (0, 1) for h in (0, 1)} | {
        "repeat_gain"
    }
    assert all(0 <= value <= 1 for name, value in metrics.items() if name != "repeat_gain")
    assert metrics == head_scores(gpt, n_sequences=4)


def test_masked_word_accuracy_counts_pieces(bert):
    vocabulary, rng = vocabulary_of(bert.tokenizer), np.random.default_rng(0)
    hits_1 = hits_5 = n = 0
    cls_id, sep_id = bert.tokenizer.id_of("[CLS]"), bert.tokenizer.id_of("[SEP]")
    for document in DOCUMENTS:
        (ids,) = bert.tokenizer.encode_batch([document])
        for at in range(0, len(ids), 30):
            window = [cls_id, *ids[at : at + 30], sep_id]
            example = mask_words(window, vocabulary, rng, p_mask=1, p_random=0)
            logits = bert.model(torch.from_numpy(example.ids)[None])[0]
            for place in np.flatnonzero(example.targets != IGNORED):
                best = logits[place].topk(5).indices.tolist()
                hits_1 += best[0] == example.targets[place]
                hits_5 += example.targets[place] in best
                n += 1
    found = masked_word_accuracy(bert, DOCUMENTS)
    assert found == pytest.approx((hits_1 / n, hits_5 / n))
    assert found == masked_word_accuracy(bert, DOCUMENTS)


def test_a_bert_that_always_says_one_word_is_right_about_that_word(bert, monkeypatch):
    (word,) = bert.tokenizer.encode("the", special=False)
    answer = torch.zeros(1, 120)
    answer[0, word] = 1
    monkeypatch.setattr(
        type(bert.model), "masked_words", lambda _, hidden: answer.expand(len(hidden), -1)
    )
    assert masked_word_accuracy(bert, ["the the the"]) == (1.0, 1.0)
    assert masked_word_accuracy(bert, ["cat cat cat"])[0] == 0.0


@pytest.mark.parametrize("answer", [0, 1])
def test_next_sentence_accuracy_of_a_stubborn_model(bert, monkeypatch, answer):
    """Half of the pairs follow each other, so always saying the same is right half of the time."""
    fixed = torch.zeros(2)
    fixed[answer] = 1
    monkeypatch.setattr(
        type(bert.model), "next_sentence", lambda _, hidden: fixed.expand(len(hidden), -1)
    )
    documents = [" ".join(f"The {w} sat. The dog saw a {w}. So it was." for w in "abcdefg")] * 40
    both = next_sentence_accuracy(bert, documents)
    assert both == pytest.approx(0.5, abs=0.1)


def test_figures_have_the_names_of_their_files(gpt, bert, corpora_directory):
    files = [corpora_directory / "valid_tinystories.txt.xz"]
    assert compression(gpt, files)["bits_per_byte/valid_tinystories"] > 0
    of_bert = guesses(bert, files)
    assert set(of_bert) == {
        f"{kind}/valid_tinystories" for kind in ("masked_top_1", "masked_top_5", "next_sentence")
    }
    assert all(0 <= value <= 1 for value in of_bert.values())


def test_bleu_is_sacrebleus_on_what_the_model_says(translator):
    sacrebleu = pytest.importorskip("sacrebleu")
    pairs = [("Le chat dort.", "The cat sleeps."), ("Il pleut.", "It rains.")]
    said = [translate(translator, source).text for source, _ in pairs]
    expected = sacrebleu.corpus_bleu(said, [[target for _, target in pairs]]).score
    assert bleu(translator, pairs) == pytest.approx(expected)
    assert bleu(translator, list(zip([s for s, _ in pairs], said, strict=True))) == (
        pytest.approx(sacrebleu.corpus_bleu(said, [said]).score)
    )


def test_a_sentence_that_does_not_fit_is_cut_to_what_does(translator):
    long = "Le chat dort. " * 50
    assert bleu(translator, [(long, "The cat sleeps.")]) >= 0
