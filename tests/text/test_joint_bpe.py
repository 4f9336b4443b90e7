"""The vocabulary of two languages: its marks, and what is typed like one."""

from __future__ import annotations

import pytest

from core.text.tokenizer import Tokenizer
from core.text.trained import train_joint_bpe

TEXTS = ["The cat sat on the mat. It saw the sea.", "Le chat est là. Il a vu la mer."] * 4


@pytest.fixture(scope="module")
def joint() -> Tokenizer:
    return train_joint_bpe(TEXTS, 300)


def test_its_first_entries_are_padding_start_and_end(joint):
    assert [joint.token(i).piece for i in range(3)] == ["<pad>", "<s>", "</s>"]
    assert joint.special_ids == {0, 1, 2}
    assert joint.pad_id == 0
    assert 259 < joint.vocab_size <= 300


@pytest.mark.parametrize("text", [*TEXTS[:2], "", "Ça va ? «Oui», œuf."])
def test_a_text_ends_with_the_end_mark_and_comes_back(joint, text):
    tokens = joint.tokens(text)
    assert tokens[-1].piece == "</s>"
    assert tokens[-1].special
    assert not any(token.special for token in tokens[:-1])
    assert joint.decode([token.id for token in tokens]) == text
    assert [t.id for t in joint.body(text)] == joint.encode(text)[:-1]


def test_a_mark_that_is_typed_is_text(joint):
    for mark in ("<pad>", "<s>", "</s>"):
        assert not set(joint.encode(f"a {mark} b", special=False)) & joint.special_ids


def test_it_is_read_back_from_its_file(joint, tmp_path):
    joint.save(tmp_path / "tokenizer.json")
    again = Tokenizer.from_file(tmp_path / "tokenizer.json")
    assert again.fingerprint == joint.fingerprint
    assert again.pad_id == 0
