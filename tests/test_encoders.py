"""What a model reads through."""

from __future__ import annotations

import pytest

from core.encoders import Encoders, PictureEncoder, Spelling
from core.errors import ConfigError
from tests.conftest import SPELLING

SMALL = Encoders(pictures=PictureEncoder(3, 2, mean=0.5, std=0.25))


@pytest.mark.parametrize(
    "wrong", [{"std": 0.0}, {"std": -1.0}, {"width": 0}, {"channels": 2}, {"height": 9999}]
)
def test_an_encoder_that_no_picture_fits_is_refused(wrong):
    with pytest.raises(ConfigError):
        PictureEncoder(**{"width": 2, "height": 2} | wrong)


def test_what_decides_how_a_picture_is_read_is_in_the_fingerprint(byte_bpe):
    each = [Encoders(), SMALL, Encoders(pictures=PictureEncoder(3, 2)), Encoders(byte_bpe),
            Encoders(byte_bpe, SMALL.pictures)]  # fmt: skip
    assert len({one.fingerprint for one in each}) == len(each)
    assert Encoders(byte_bpe).fingerprint == Encoders(byte_bpe).fingerprint


# --- words spelt out ----------------------------------------------------------------


def test_a_word_is_spelt_between_its_beginning_and_end(whole_words):
    a = SPELLING.OTHER + 1
    assert SPELLING.words(["ab", "é", ""]).tolist() == [
        [1, a, a + 1, 2] + [0] * 8, [1, 3, 2] + [0] * 9, [1, 2] + [0] * 10,
    ]  # fmt: skip
    long = SPELLING.words(["abcdefghijklmnop"])[0].tolist()
    assert long == [1, *range(a, a + 10), 2]  # cut, but it ends
    read = SPELLING.read(whole_words.tokens("cat <s>"))
    assert len(read) == 6
    assert not (read[1:-1] == read[0]).all(1).any()  # a mark is not to be typed


def test_a_spelling_that_cannot_be_is_refused():
    assert SPELLING.read(()).shape == (0, 12)
    for wrong in ({"alphabet": "aa", "longest": 5}, {"alphabet": "ab", "longest": 2}):
        with pytest.raises(ConfigError):
            Spelling(**wrong)


def test_how_words_are_spelt_is_in_the_fingerprint_and_changes_no_others(whole_words):
    plain, spelt = Encoders(whole_words), Encoders(whole_words, spelling=SPELLING)
    assert plain.fingerprint != spelt.fingerprint
    assert spelt.by_character is None  # it cuts a text into words
